// The last block that finishes adds up what the others left: fences and a counter.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__device__ unsigned int retirementCount = 0;

template <unsigned int blockSize> __device__ void reduceShared(volatile float *s, unsigned int tid) {
    if (blockSize >= 256) {
        if (tid < 128) s[tid] += s[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64) s[tid] += s[tid + 64];
        __syncthreads();
    }
    if (tid < 32) s[tid] += s[tid + 32];
    __syncthreads();
    for (unsigned int i = 16; i > 0; i >>= 1) {
        if (tid < i) s[tid] += s[tid + i];
        __syncthreads();
    }
}

template <unsigned int blockSize>
__global__ void reduceSinglePass(const float *in, volatile float *out, unsigned int n) {
    __shared__ float s[blockSize];
    __shared__ bool amLast;
    const unsigned int tid = threadIdx.x;
    float sum = 0;
    for (unsigned int i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x) sum += in[i];
    s[tid] = sum;
    __syncthreads();
    reduceShared<blockSize>(s, tid);
    if (tid == 0) {
        out[blockIdx.x] = s[0];
        __threadfence();
        unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
        amLast = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (amLast) {
        sum = 0;
        for (unsigned int i = tid; i < gridDim.x; i += blockSize) sum += out[i];
        s[tid] = sum;
        __syncthreads();
        reduceShared<blockSize>(s, tid);
        if (tid == 0) {
            out[0] = s[0];
            retirementCount = 0;
        }
    }
}

int main() {
    const unsigned int n = 30000, blocks = 20;
    std::vector<float> h(n);
    float expected = 0, results[2], *in, *out;
    for (unsigned int i = 0; i < n; i++) expected += h[i] = float(i % 4);
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, blocks * sizeof(float));
    cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    reduceSinglePass<128><<<blocks, 128>>>(in, out, n);
    cudaMemcpy(&results[0], out, sizeof(float), cudaMemcpyDeviceToHost);
    reduceSinglePass<256><<<blocks, 256>>>(in, out, n);
    cudaMemcpy(&results[1], out, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    bool good = results[0] == expected && results[1] == expected && cudaGetLastError() == cudaSuccess;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
