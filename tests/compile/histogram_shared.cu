// A histogram of bytes: one in shared memory per block, added to the global one.
#include <cuda_runtime.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int BINS = 256;

__global__ void histogram(const uint8_t *data, size_t size, unsigned int *bins) {
    __shared__ unsigned int local[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
    __syncthreads();
    const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        if (local[i] != 0) atomicAdd(bins + i, local[i]);
}

int main() {
    std::vector<uint8_t> data(100000);
    std::array<unsigned, BINS> expected{}, result{};
    uint32_t seed = 1;
    for (auto &byte : data) {
        seed = seed * 1664525u + 1013904223u;
        byte = static_cast<uint8_t>((seed >> 24) & (seed >> 16));
        expected[byte]++;
    }
    uint8_t *d_data;
    unsigned *d_bins;
    cudaMalloc(&d_data, data.size());
    cudaMalloc(&d_bins, sizeof(result));
    cudaMemcpy(d_data, data.data(), data.size(), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof(result));
    histogram<<<12, 192>>>(d_data, data.size(), d_bins);
    cudaMemcpy(result.data(), d_bins, sizeof(result), cudaMemcpyDeviceToHost);
    const bool good = cudaGetLastError() == cudaSuccess && result == expected;
    cudaFree(d_data);
    cudaFree(d_bins);
    std::puts(good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
