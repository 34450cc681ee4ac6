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

done_testing
