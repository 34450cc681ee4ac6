// target: rocm
// select: cuda-silent,cuda-ptx
// Ordinary device memory: atomics on it are what they were.
#include <cuda_runtime.h>

__global__ void accumulate(float *sum, const float *x) {
    float v = x[threadIdx.x];
    // ok: cuda-silent/float-atomic
    atomicAdd(sum, v);
    // ok: cuda-silent/float-atomic
    atomicAdd(sum + 1, 1.0f);
}

void allocate(float **a) {
    // ok: cuda-silent/managed-memory
    cudaMalloc(a, 16);
}
