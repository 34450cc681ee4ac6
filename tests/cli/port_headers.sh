#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `port` reads in the headers that a source includes.
. "${0%/*}/helper"

# A definition says on which side it runs as its declaration does: where it says nothing it gets it.
mkdir -p tree
cat >tree/a.h <<'END'
#pragma once
__host__ __device__ float twice(float x);
__host__ __device__ float same(float x);
__device__ float other(int x);
struct box {
    __host__ __device__ float width(int n) const;
    __device__ float height(int n) const;
};
END
cat >tree/a.cu <<'END'
#include <cuda_runtime.h>
#include "a.h"
float twice(float y) { return 2 * y; }
__host__ __device__ float same(float y) { return y; }
float other(float y) { return y; }
float box::width(int n) const { return n; }
__device__ float box::height(int n) const { return n; }
END
run port tree --target rocm -o ported
check 'a function that its header declares for both sides' \
    grep -qxF '__host__ __device__ float twice(float y) { return 2 * y; }' ported/a.cu
check 'a member that its class declares for both sides' \
    grep -qxF '__host__ __device__ float box::width(int n) const { return n; }' ported/a.cu
check 'another overload is not' grep -qxF 'float other(float y) { return y; }' ported/a.cu
check 'no definition is reported' not grep -q 'specifiers\]' "$err"

# nvcc has the kernel language ahead of a header that says nothing of where it comes from.
mkdir -p order
printf '#pragma once\n__device__ inline int lane() { return threadIdx.x; }\n' >order/low.h
printf '#pragma once\n#include <cuda_runtime.h>\n__device__ int lane();\n' >order/own.h
printf '#include <cstdio>\n#include "low.h"\n#include <cuda_runtime.h>\n__global__ void k();\n' >order/late.cu
printf '#include <cuda_runtime.h>\n#include "low.h"\n__global__ void k();\n' >order/early.cu
sed 's/low/own/' order/late.cu >order/own.cu
printf '#include "low.h"\n#include "own.h"\n#include <cuda_runtime.h>\n__global__ void k();\n' >order/both.cu
printf '#include "own.h"\n#include "low.h"\n#include <cuda_runtime.h>\n__global__ void k();\n' >order/after.cu
run port order --target rocm -o ordered
check 'the runtime is ahead of a header that needs it' \
    test "$(head -n 1 ordered/late.cu)" = '#include <hip/hip_runtime.h>'
check 'once where it leads already' test "$(grep -c hip_runtime ordered/early.cu)" -eq 1
check 'ahead of a header that comes before one that has it' \
    test "$(head -n 1 ordered/both.cu)" = '#include <hip/hip_runtime.h>'
check 'not ahead of one that comes behind' test "$(grep -c hip_runtime ordered/after.cu)" -eq 1
check 'once where the header has its own' test "$(grep -c hip_runtime ordered/own.cu)" -eq 1

# What is C++ is nothing for a header that a source in C reads, where it reads it.
mkdir -p mixed
printf '#include "gpu.h"\nint main(void) { return 0; }\n' >mixed/main.c
printf '#include <cuda_runtime.h>\n#include <cublas_v2.h>\n' >mixed/gpu.h
printf '#include <cuda_runtime.h>\n#ifdef __cplusplus\n#include <cublas_v2.h>\n#endif\n' >mixed/both.h
printf '#include "both.h"\nint x;\n' >mixed/both.c
printf '#include <cublas_v2.h>\n' >mixed/only.h
printf '#include "only.h"\n' >mixed/only.cpp
run port mixed --target cpu -o mixed-cpu
says 'gpu.h:2:10: manual: `cublas_v2.h`' 'a header that C reads'
says 'cuda_morph/blas.h is C++' 'and why'
check 'no other one is reported' test "$(grep -c ': manual:' "$err")" -eq 1
check 'what C takes is written' grep -q '<cuda_morph/cuda.h>' mixed-cpu/gpu.h
check 'in a branch for C++' grep -q '<cuda_morph/blas.h>' mixed-cpu/both.h
run port mixed --target rocm -o mixed-rocm
says '5 ported, 0 kept, 0 manual' "AMD's is C"

# A project's own file for HIP beside the one for CUDA is named.
mkdir -p siblings/cuda siblings/hip
printf '#include <cuda_runtime.h>\n__global__ void k();\n' | tee siblings/a.cu siblings/cuda/b.cu >siblings/c.cu
printf '#include <hip/hip_runtime.h>\n' | tee siblings/a.hip >siblings/hip/b.hip.cpp
run port siblings --target rocm -o by_hand
says 'siblings/a.cu: note: siblings/a.hip is this file for rocm already' 'a .hip beside it'
says 'siblings/cuda/b.cu: note: siblings/hip/b.hip.cpp is this file' 'one in the folder hip'
check 'no other file is named' test "$(grep -c 'for rocm already' "$err")" -eq 2

done_testing
