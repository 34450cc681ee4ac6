// Warp-aggregated atomics: those threads that take a branch make one atomic for all of them.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ int atomicAggInc(int *counter) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(active.size()));
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void keepPositive(int *dst, int *counter, const int *src, int n) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id < n && src[id] > 0) dst[atomicAggInc(counter)] = src[id];
}

int main() {
    const int n = 5000;
    std::vector<int> in(n), out(n, 0);
    long long sum = 0, found = 0;
    int positive = 0;
    for (int i = 0; i < n; i++) {
        in[i] = (i * 7919) % 201 - 100;
        if (in[i] > 0) positive++, sum += in[i];
    }
    int *d_in, *d_out, *d_count, count = 0;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    keepPositive<<<(n + 255) / 256, 256>>>(d_out, d_count, d_in, n);
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    bool good = count == positive;
    if (good) cudaMemcpy(out.data(), d_out, count * sizeof(int), cudaMemcpyDeviceToHost);
    for (int v : out) found += v;
    good = good && found == sum && cudaGetLastError() == cudaSuccess;
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_count);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
