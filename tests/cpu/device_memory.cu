// A kernel that asks for memory, lets another one fill it, and gives it back: dynamic parallelism.
#include <cstdio>
#include <cuda_runtime.h>

struct line {
    int *points;
    int count;
};

__global__ void fill(int *points, int count, int first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) points[i] = first + i;
}
__global__ void begin(line *lines, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    lines[i].count = 10 + i;
    cudaMalloc((void **)&lines[i].points, lines[i].count * sizeof(int));
    fill<<<(lines[i].count + 31) / 32, 32>>>(lines[i].points, lines[i].count, 100 * i);
}
__global__ void add_up(const line *lines, int n, int *sums) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    for (int k = 0; k < lines[i].count; k++) sums[i] += lines[i].points[k];
}
__global__ void end(line *lines, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) cudaFree(lines[i].points);
}

int main() {
    const int n = 40;
    line *lines;
    int *sums;
    cudaMalloc(&lines, n * sizeof(*lines));
    cudaMallocManaged(&sums, n * sizeof(*sums));
    cudaMemset(sums, 0, n * sizeof(*sums));
    begin<<<2, 32>>>(lines, n);
    add_up<<<2, 32>>>(lines, n, sums);
    end<<<2, 32>>>(lines, n);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        const int count = 10 + i;
        good = good && sums[i] == 100 * i * count + count * (count - 1) / 2;
    }
    std::printf(good && cudaFree(lines) == cudaSuccess ? "PASS\n" : "FAIL\n");
    return good ? 0 : 1;
}
