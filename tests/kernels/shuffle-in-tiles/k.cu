// Tiles of cooperative groups, in a branch that only some warps take.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void k(int *out, const int *in) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int v = in[threadIdx.x];
    v += tile.shfl_xor(v, 1);
    if (threadIdx.x / warpSize == 0) {
        v += cg::reduce(tile, 1, cg::plus<int>());
        tile.sync();
    }
    out[threadIdx.x] = v + tile.thread_rank();
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
