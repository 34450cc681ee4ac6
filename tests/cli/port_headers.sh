#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `port` reads in the headers that a source includes.
. "${0%/*}/helper"

# A definition says on which side it runs as its declaration does, or a human has to look.
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
says 'a.cu:3:7: manual: `twice`' 'a function that its header declares for both sides'
says 'a.cu:6:12: manual: `width`' 'a member that its class declares for both sides'
check 'no other definition is reported' test "$(grep -c 'specifiers\]' "$err")" -eq 2

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

done_testing
