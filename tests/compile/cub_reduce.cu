// CUB: sums of a device's array and of blocks and warps.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

template <int THREADS> __global__ void blockSums(const int *in, int *out) {
    typedef cub::BlockReduce<int, THREADS> BlockReduce;
    __shared__ typename BlockReduce::TempStorage temp;
    int sum = BlockReduce(temp).Sum(in[blockIdx.x * THREADS + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void blockMax(const int *in, int *out) {
    using Reduce = cub::BlockReduce<int, 64>;
    __shared__ Reduce::TempStorage temp;
    int top = Reduce(temp).Reduce(in[threadIdx.x], [](int a, int b) { return a > b ? a : b; });
    if (threadIdx.x == 0) *out = top;
}

int main() {
    const int n = 1024;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = (i * 7) % 100;
    int *d_in, *d_out, *d_blocks, total = 0, blocks[8], top = 0;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, sizeof(int));
    cudaMalloc(&d_blocks, sizeof(blocks));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    void *storage = nullptr;
    size_t bytes = 0;
    cub::DeviceReduce::Sum(storage, bytes, d_in, d_out, n);
    cudaMalloc(&storage, bytes);
    bool good = cub::DeviceReduce::Sum(storage, bytes, d_in, d_out, n) == cudaSuccess;
    cudaMemcpy(&total, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    blockSums<128><<<8, 128>>>(d_in, d_blocks);
    cudaMemcpy(blocks, d_blocks, sizeof(blocks), cudaMemcpyDeviceToHost);
    blockMax<<<1, 64>>>(d_in, d_out);
    cudaMemcpy(&top, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    int expected = 0, expectedTop = 0;
    for (int b = 0; b < 8; b++) {
        int sum = 0;
        for (int i = 0; i < 128; i++) sum += in[b * 128 + i];
        good = good && sum == blocks[b];
        expected += sum;
    }
    for (int i = 0; i < 64; i++) expectedTop = in[i] > expectedTop ? in[i] : expectedTop;
    cudaFree(storage);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_blocks);
    good = good && total == expected && top == expectedTop;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
