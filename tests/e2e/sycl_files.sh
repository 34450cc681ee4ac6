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

# Whether a function needs the work-item is known over the tree, not over what one file is read
# with: here 80 headers, and a name that many have, two of them by a macro.
mkdir tree
for n in $(seq 80); do
    printf '#pragma once\n__device__ inline int plain%d(int x) { return x + %d; }\n' "$n" "$n" \
        >"tree/part$n.cuh"
    printf '#include "part%d.cuh"\n' "$n" >>tree/all.cuh
done
cat >tree/zz.cuh <<'E'
#pragma once
__device__ inline int lane_of() {
    return threadIdx.x & 31;
}
__device__ inline int far_away(int x) {
    return x + lane_of();
}
struct by_lane {
    __device__ static int Map(int x) {
        return x + threadIdx.x;
    }
};
E
cat >tree/ops.cuh <<'E'
#pragma once
#define OPERATION(name, value)             \
    struct name {                          \
        __device__ static int Map(int x) { \
            return value;                  \
        }                                  \
    }
OPERATION(twice, 2 * x);
OPERATION(square, x *x);
E
cat >tree/main.cu <<'E'
#include "all.cuh"
#include "ops.cuh"
#include "zz.cuh"
#include <cstdio>

template <class OP> __global__ void apply(int *out) {
    out[threadIdx.x] = OP::Map(out[threadIdx.x]) + far_away(1) + plain80(0);
}

int main() {
    int *out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) out[i] = i;
    apply<twice><<<1, 32>>>(out);
    apply<by_lane><<<1, 32>>>(out);
    apply<square><<<1, 32>>>(out);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < 32; i++) {
        int a = 2 * i + i + 81, b = a + i + i + 81;
        right = right && out[i] == b * b + i + 81;
    }
    puts(right ? "PASS" : "FAIL");
}
E
run port tree --target xpu -o tree.sycl
exits 0 'port of a tree'
check 'nothing of the tree is left' grep -q ' 0 manual' "$err"
# shellcheck disable=SC2086
check 'compile the tree' ${CXX:-c++} -std=c++17 -O1 -w -DCUDA_MORPH_SYCL_STAND_IN \
    -I "$top/tests/sycl/include" -I "$top/runtime/include" -x c++ tree.sycl/main.cu -o program \
    -pthread
check 'it runs' run_here
prints PASS 'the tree is right'
run port tree.sycl --target xpu --check
exits 0 'a second port changes nothing'

# An extension of PyTorch's: its kernels run in PyTorch's streams and context.
run port "$top/tests/sycl/torch/scale.cu" --target xpu -o extension
exits 0 'port of an extension'
check 'nothing of the extension is left' grep -q ' 0 manual' "$err"
# shellcheck disable=SC2086
check 'compile the extension' ${CXX:-c++} -std=c++17 -O1 -w -DCUDA_MORPH_SYCL_STAND_IN \
    -I "$top/tests/sycl/include/torch_alone" -I "$top/tests/sycl/include/torch_xpu" \
    -I "$top/tests/sycl/include" -I "$top/runtime/include" -x c++ extension/scale.cu -o program \
    -pthread
check 'it runs' run_here
prints PASS 'the extension is right'
done_testing
