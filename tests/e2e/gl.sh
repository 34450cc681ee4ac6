#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CUDA's OpenGL interoperation by copies (cuda_morph/gl.h), on the CPU and in SYCL's stand-in: with
# a software renderer, OSMesa.
. "${0%/*}/../cli/helper"
needs c++ osmesa

cd "$scratch" || exit 2
program=$top/tests/gl/interop.cu
right() {
    timeout 60 "./$1" >"$out" 2>"$err"
    status=$?
    prints PASS "$1 is right"
    exits 0 "$1"
}

run port "$program" --target cpu
exits 0 'port to the CPU'
check 'nothing is left' grep -q ' 0 manual' "$err"
cp "$out" cpu.cc
check 'compile for the CPU' ${CXX:-c++} -std=c++17 -O1 -w -I "$top/runtime/include" cpu.cc \
    "$build/libcmrt.a" -pthread -rdynamic -lm -ldl -lOSMesa -o cpu
right cpu

run port "$program" --target xpu --kernels sycl
exits 0 'port to SYCL'
check 'nothing is left' grep -q ' 0 manual' "$err"
cp "$out" sycl.cc
check 'compile SYCL' ${CXX:-c++} -std=c++17 -O1 -w -DCUDA_MORPH_SYCL_STAND_IN \
    -I "$top/tests/sycl/include" -I "$top/runtime/include" sycl.cc -rdynamic -ldl -lOSMesa -o sycl
right sycl
done_testing
