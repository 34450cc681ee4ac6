// target: rocm
// select: cuda-silent,cuda-ptx
// A project's own layer over HIP: told once.
#pragma once
#include <hip/hip_runtime.h>

// want: cuda-silent/vendor-layer
#define cudaMalloc hipMalloc
// ok: cuda-silent/vendor-layer
#define cudaFree hipFree
// ok: cuda-silent/vendor-layer
#define cudaStream_t hipStream_t
// ok: cuda-silent/vendor-layer
#define cudaSuccess hipSuccess

__device__ int something(int x);
