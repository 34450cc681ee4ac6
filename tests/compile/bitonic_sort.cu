// A bitonic sort: small steps in shared memory, large ones in global memory.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>

#define SHARED_SIZE 512u

__device__ inline void comparator(unsigned int &a, unsigned int &b, bool ascending) {
    if ((a > b) == ascending) {
        unsigned int t = a;
        a = b;
        b = t;
    }
}

__global__ void sortShared(unsigned int *keys) {
    __shared__ unsigned int s[SHARED_SIZE];
    unsigned int base = blockIdx.x * SHARED_SIZE, t = threadIdx.x;
    s[t] = keys[base + t];
    s[t + SHARED_SIZE / 2] = keys[base + t + SHARED_SIZE / 2];
    for (unsigned int size = 2; size <= SHARED_SIZE; size <<= 1) {
        bool ascending = ((base / 2 + t) & (size / 2)) == 0;
        for (unsigned int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned int pos = 2 * t - (t & (stride - 1));
            comparator(s[pos], s[pos + stride], ascending);
        }
    }
    __syncthreads();
    keys[base + t] = s[t];
    keys[base + t + SHARED_SIZE / 2] = s[t + SHARED_SIZE / 2];
}

__global__ void mergeGlobal(unsigned int *keys, unsigned int size, unsigned int stride) {
    unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
    bool ascending = (t & (size / 2)) == 0;
    unsigned int pos = 2 * t - (t & (stride - 1));
    comparator(keys[pos], keys[pos + stride], ascending);
}

int main() {
    const unsigned int n = 4096;
    std::vector<unsigned int> h(n), sorted;
    for (unsigned int i = 0; i < n; i++) h[i] = i * 2246822519u % 10007u;
    sorted = h;
    std::sort(sorted.begin(), sorted.end());
    unsigned int *d;
    cudaMalloc(&d, n * sizeof(unsigned int));
    cudaMemcpy(d, h.data(), n * sizeof(unsigned int), cudaMemcpyHostToDevice);
    sortShared<<<n / SHARED_SIZE, SHARED_SIZE / 2>>>(d);
    for (unsigned int size = 2 * SHARED_SIZE; size <= n; size <<= 1)
        for (unsigned int stride = size / 2; stride > 0; stride >>= 1)
            mergeGlobal<<<n / 512, 256>>>(d, size, stride);
    cudaMemcpy(h.data(), d, n * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    bool good = cudaGetLastError() == cudaSuccess && h == sorted;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
