// Cooperative groups: sums in tiles of 32, 8 and of a size known at run time only.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

template <typename Tile> __device__ int tileSum(const Tile &tile, int value) {
    for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
    return tile.shfl(value, 0);
}

__device__ int groupSum(cg::thread_group group, int *scratch, int value) {
    int rank = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < i) value += scratch[rank + i];
        group.sync();
    }
    return value;
}

__global__ void sums(const int *in, int *by32, int *by8, int *whole) {
    extern __shared__ int scratch[];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<8> eight = cg::tiled_partition<8>(block);
    int i = block.group_index().x * blockDim.x + block.thread_rank();
    by32[i] = tileSum(warp, in[i]);
    by8[i] = tileSum(eight, in[i]);
    int total = groupSum(block, scratch, in[i]);
    if (block.thread_rank() == 0) whole[blockIdx.x] = total;
    cg::sync(block);
}

int main() {
    const int blocks = 3, threads = 128, n = blocks * threads;
    std::vector<int> in(n), a(n), b(n), c(blocks);
    for (int i = 0; i < n; i++) in[i] = (i * 29) % 31;
    int *d_in, *d_a, *d_b, *d_c;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMalloc(&d_c, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sums<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_a, d_b, d_c);
    cudaMemcpy(a.data(), d_a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(b.data(), d_b, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(c.data(), d_c, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    auto sum = [&](int from, int count) {
        int s = 0;
        for (int i = from; i < from + count; i++) s += in[i];
        return s;
    };
    for (int i = 0; i < n; i++)
        good = good && a[i] == sum(i / 32 * 32, 32) && b[i] == sum(i / 8 * 8, 8);
    for (int i = 0; i < blocks; i++) good = good && c[i] == sum(i * threads, threads);
    cudaFree(d_in);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
