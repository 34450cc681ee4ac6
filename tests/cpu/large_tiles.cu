// Tiles of several warps: they wait, vote, reduce and scan, each for itself, and can be cut again.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *sums, int *scans, int *votes, int *turned) {
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ int shared[256];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<128>(block);
    auto part = cg::tiled_partition<64>(tile);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = threadIdx.x - tile.thread_rank();
    sums[i] = cg::reduce(tile, in[i], cg::plus<int>());
    scans[i] = cg::inclusive_scan(part, in[i], cg::plus<int>());
    votes[i] = tile.any(in[i] == 200) + 2 * tile.all(in[i] < 200);
    shared[threadIdx.x] = in[i];
    tile.sync();
    turned[i] = shared[first + tile.size() - 1 - tile.thread_rank()];
    if (tile.meta_group_size() != 2 || tile.meta_group_rank() != threadIdx.x / 128) votes[i] = -1;
}

int main() {
    const int n = 512;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(*in));
    cudaMallocManaged(&out, 4 * n * sizeof(*out));
    for (int i = 0; i < n; i++) in[i] = (i * 7) % 200;
    in[300] = 200;
    tiles<<<2, 256>>>(in, out, out + n, out + 2 * n, out + 3 * n);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        int sum = 0, scan = 0, first = i / 128 * 128;
        for (int k = 0; k < 128; k++) sum += in[first + k];
        for (int k = i / 64 * 64; k <= i; k++) scan += in[k];
        good = good && out[i] == sum && out[n + i] == scan && out[2 * n + i] == (first == 256 ? 1 : 2) &&
               out[3 * n + i] == in[first + 127 - i % 128];
    }
    std::printf(good ? "PASS\n" : "FAIL\n");
    return good ? 0 : 1;
}
