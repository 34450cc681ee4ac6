// Kernels with launch bounds, forced and forbidden inlining, and a launch whose size is computed.
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

#define THREADS 192

__device__ __noinline__ uint32_t mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    return h;
}
static __device__ __forceinline__ uint32_t twice(uint32_t h) { return mix(mix(h)); }

__global__ void __launch_bounds__(THREADS, 2) hash(const uint32_t *in, uint32_t *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = twice(in[i]);
}

__launch_bounds__(64) __global__ void checkHash(const uint32_t *in, const uint32_t *out, int n, int *bad) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && out[i] != twice(in[i])) atomicAdd(bad, 1);
}

static uint32_t onHost(uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    return h ^ h >> 13;
}

int main() {
    const int n = 3333;
    static uint32_t in[n], out[n];
    uint32_t *d_in, *d_out;
    int *d_bad, bad = -1;
    for (int i = 0; i < n; i++) in[i] = i * 977;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMalloc(&d_bad, sizeof(int));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    cudaMemset(d_bad, 0, sizeof(int));
    cudaFuncAttributes attributes;
    bool good = cudaFuncGetAttributes(&attributes, hash) == cudaSuccess &&
                attributes.maxThreadsPerBlock >= THREADS;
    hash<<<5, THREADS>>>(d_in, d_out, n);
    checkHash<<<(n + 63) / 64, 64>>>(d_in, d_out, n, d_bad);
    cudaMemcpy(&bad, d_bad, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) good = good && out[i] == onHost(onHost(in[i]));
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_bad);
    good = good && bad == 0;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
