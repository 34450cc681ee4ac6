// A sum by halving in dynamic shared memory, one partial sum per block, in two passes.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

__global__ void reduce(const int *in, int *out, unsigned int n) {
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + tid;
    int sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    sdata[tid] = sum;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

int main(void) {
    const unsigned int n = 60000; // at most 256 blocks of 256 elements: one more pass sums them
    int *h = (int *)malloc(n * sizeof(int));
    long long expected = 0;
    for (unsigned int i = 0; i < n; i++) {
        h[i] = (int)(i * 37u % 101u) - 50;
        expected += h[i];
    }
    const int threads = 128;
    const int blocks = (n + threads * 2 - 1) / (threads * 2);
    int *in, *partial, *total, result = 0;
    check(cudaMalloc(&in, n * sizeof(*in)), "cudaMalloc");
    check(cudaMalloc(&partial, blocks * sizeof(*partial)), "cudaMalloc");
    check(cudaMalloc(&total, sizeof(*total)), "cudaMalloc");
    check(cudaMemcpy(in, h, n * sizeof(*in), cudaMemcpyHostToDevice), "copy to the device");
    reduce<<<blocks, threads, threads * sizeof(int)>>>(in, partial, n);
    reduce<<<1, 128, 128 * sizeof(int)>>>(partial, total, blocks);
    check(cudaDeviceSynchronize(), "kernels");
    check(cudaMemcpy(&result, total, sizeof(result), cudaMemcpyDeviceToHost), "copy back");
    cudaFree(in);
    cudaFree(partial);
    cudaFree(total);
    free(h);
    puts(result == expected ? "PASS" : "FAIL");
    return result != expected;
}
