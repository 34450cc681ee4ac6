// An exclusive prefix sum of any length: Blelloch's scan in each block, a scan of the block sums,
// and a kernel that adds them.
#include <cuda_runtime.h>
#include <iostream>
#include <numeric>
#include <vector>

#define CUDA_TRY(expr)                                                                            \
    if (cudaError_t e = (expr)) {                                                                 \
        std::cerr << #expr << ": " << cudaGetErrorName(e) << "\n";                                \
        return false;                                                                             \
    }

const int BLOCK = 256;

__global__ void scanBlocks(const int *in, int *out, int *sums, int n) {
    __shared__ int temp[2 * BLOCK];
    const int t = threadIdx.x;
    const int base = blockIdx.x * 2 * BLOCK;
    temp[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
    temp[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
    int offset = 1;
    for (int d = BLOCK; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (t == 0) {
        if (sums != nullptr) sums[blockIdx.x] = temp[2 * BLOCK - 1];
        temp[2 * BLOCK - 1] = 0;
    }
    for (int d = 1; d <= BLOCK; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int swap = temp[a];
            temp[a] = temp[b];
            temp[b] += swap;
        }
    }
    __syncthreads();
    if (base + 2 * t < n) out[base + 2 * t] = temp[2 * t];
    if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = temp[2 * t + 1];
}

__global__ void addSums(int *out, const int *sums, int n) {
    int i = blockIdx.x * 2 * BLOCK + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
    if (i + BLOCK < n) out[i + BLOCK] += sums[blockIdx.x];
}

static bool scan(const int *in, int *out, int n) {
    const int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
    if (blocks == 1) {
        scanBlocks<<<1, BLOCK>>>(in, out, nullptr, n);
        CUDA_TRY(cudaGetLastError());
        return true;
    }
    int *sums = nullptr, *offsets = nullptr;
    CUDA_TRY(cudaMalloc(&sums, blocks * sizeof(int)));
    CUDA_TRY(cudaMalloc(&offsets, blocks * sizeof(int)));
    scanBlocks<<<blocks, BLOCK>>>(in, out, sums, n);
    if (!scan(sums, offsets, blocks)) return false;
    addSums<<<blocks, BLOCK>>>(out, offsets, n);
    CUDA_TRY(cudaFree(sums));
    CUDA_TRY(cudaFree(offsets));
    return true;
}

static bool test(int n) {
    std::vector<int> in(n), out(n), expected(n);
    for (int i = 0; i < n; i++) in[i] = (i * 7919) % 17 - 3;
    std::partial_sum(in.begin(), in.end() - 1, expected.begin() + 1);
    int *din, *dout;
    CUDA_TRY(cudaMalloc(&din, n * sizeof(int)));
    CUDA_TRY(cudaMalloc(&dout, n * sizeof(int)));
    CUDA_TRY(cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    if (!scan(din, dout, n)) return false;
    CUDA_TRY(cudaMemcpy(out.data(), dout, n * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_TRY(cudaFree(din));
    CUDA_TRY(cudaFree(dout));
    return out == expected;
}

int main() {
    for (int n : {1, 2, 511, 512, 513, 20000}) {
        if (!test(n)) {
            std::cout << "FAIL at " << n << "\n";
            return 1;
        }
    }
    std::cout << "PASS\n";
}
