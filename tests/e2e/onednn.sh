#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cuDNN's convolutions in float are oneDNN's where it is there (cuda_morph/cpu/dnn_onednn.hpp): it
# says itself which it ran. Where it is not, the matrix runs the same program on our own loops.
. "${0%/*}/../cli/helper"
needs c++ onednn

cd "$scratch" || exit 2
run port "$top/tests/cpu/cudnn_slopes.cu" --target cpu
exits 0 'port to the CPU'
cp "$out" slopes.cc
check 'compile' ${CXX:-c++} -std=c++17 -O1 -w -I "$top/runtime/include" slopes.cc \
    "$build/libcmrt.a" -pthread -rdynamic -lm -ldl -o slopes
DNNL_VERBOSE=1 timeout 60 ./slopes >"$out" 2>"$err"
status=$?
exits 0 'convolutions by oneDNN'
prints PASS 'convolutions by oneDNN are right'
check 'oneDNN ran convolutions forward' grep -q 'exec,cpu,convolution,.*,forward' "$out"
check 'oneDNN ran slopes of data' grep -q 'exec,cpu,convolution,.*,backward_data' "$out"
check 'oneDNN ran slopes of filters' grep -q 'exec,cpu,convolution,.*,backward_weights' "$out"
done_testing
