// target: rocm
// select: cuda-silent,cuda-ptx
// Macros about CUDA that are no layer over another vendor's names.
#pragma once
#include <cuda_runtime.h>

// ok: cuda-silent/vendor-layer
#define CUDA_CHECK(x) check((x), __FILE__, __LINE__)
// ok: cuda-silent/vendor-layer
#define gpuMalloc cudaMalloc
// ok: cuda-silent/vendor-layer
#define cudaCheck CUDA_CHECK
// ok: cuda-silent/vendor-layer
#define GPU_STREAM cudaStream_t
