// Barriers of cooperative groups, by function and by method; ranks and sizes.
#include <cooperative_groups.h>
namespace groups = cooperative_groups;

__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    auto block = groups::this_thread_block();
    s[block.thread_rank()] = in[threadIdx.x];
    groups::sync(block);
    int v = s[block.size() - 1 - block.thread_rank()];
    block.sync();
    s[threadIdx.x] = v + 1;
    block.sync();
    out[threadIdx.x] = s[0];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
