#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program of several files in SYCL: kernels, device functions and variables of the device that
# another file defines. On the stand-in; what DPC++ asks for besides is in the fixtures.
. "${0%/*}/../cli/helper"
needs c++

cd "$scratch" || exit 2
run port "$top/tests/sycl/files" --target xpu -o ported
exits 0 'port'
check 'nothing is left' grep -q ' 0 manual' "$err"
for part in parts main; do
    # shellcheck disable=SC2086
    check "compile $part" ${CXX:-c++} -std=c++17 -O1 -w -DCUDA_MORPH_SYCL_STAND_IN \
        -I "$top/tests/sycl/include" -I "$top/runtime/include" -x c++ -c "ported/$part.cu" -o "$part.o"
done
check 'link' ${CXX:-c++} parts.o main.o -o program -pthread
run_here() { timeout 60 ./program >"$out" 2>"$err"; }
check 'it runs' run_here
prints PASS 'it is right'
done_testing
