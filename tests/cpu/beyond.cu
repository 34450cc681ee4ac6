// A kernel with a barrier that reads 32 KB behind its array, in block 1, thread (3, 2, 0).
#include <cuda_runtime.h>
#include <cstdio>

__global__ void stray(int *a, long far) {
    __shared__ int s[64];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    s[tid] = tid;
    __syncthreads();
    if (blockIdx.x == 1 && tid == 2 * 8 + 3) s[tid] = a[far];
    __syncthreads();
    a[tid] = s[63 - tid];
}

int main() {
    int *a;
    cudaMalloc(&a, 64 * sizeof(int));
    stray<<<2, dim3(8, 8)>>>(a, 0);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    stray<<<2, dim3(8, 8)>>>(a, 1L << 13);
    printf("%s\n%s\n", good ? "PASS" : "FAIL", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
