// A function that only kernels call, with its body in #ifdef __CUDA_ARCH__.
#include <cuda_runtime.h>
#include <stdio.h>

__device__ int twice(int x) {
#ifdef __CUDA_ARCH__
    return 2 * x;
#else
    return -1; // what a pass over the host's code sees
#endif
}

__device__ int thrice(int x) {
#if !defined(__CUDA_ARCH__)
    return -1;
#else
    return 3 * x;
#endif
}

__global__ void fill(int *out) { out[threadIdx.x] = twice(threadIdx.x) + thrice(threadIdx.x); }

int main() {
    int *out, wrong = 0;
    if (cudaMallocManaged(&out, 32 * sizeof *out) != cudaSuccess) return 1;
    fill<<<1, 32>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < 32; i++) wrong += out[i] != 5 * i;
    cudaFree(out);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
