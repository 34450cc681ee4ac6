// target: rocm
// select: cuda-silent,cuda-ptx
// Cooperative groups: what HIP has of them and what not.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <numeric>
namespace cg = cooperative_groups;

__global__ void sums(const float *in, float *out, int n) {
    // ok: cuda-silent/cooperative-groups
    cg::thread_block block = cg::this_thread_block();
    // ok: cuda-silent/cooperative-groups
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    float v = in[block.thread_rank()];
    // want: cuda-silent/cooperative-groups
    v = cg::reduce(tile, v, cg::plus<float>());
    // want: cuda-silent/cooperative-groups
    float before = cg::exclusive_scan(tile, v);
    // want: cuda-silent/cooperative-groups
    float upto = cooperative_groups::inclusive_scan(tile, v, cg::plus<float>());
    // ok: cuda-silent/cooperative-groups
    tile.sync();
    out[block.thread_rank()] = before + upto;
}

__global__ void parts(int *out) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    // want: cuda-silent/cooperative-groups
    auto odd = cg::labeled_partition(tile, threadIdx.x & 1);
    // ok: cuda-silent/cooperative-groups
    auto active = cg::coalesced_threads();
    out[threadIdx.x] = odd.size() + active.size();
}

__global__ void clusters(float *x) {
    // want: cuda-silent/cooperative-groups
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    x[threadIdx.x] = cluster.block_rank();
}

__global__ void copies(const int *in, int *out) {
    extern __shared__ int buffer[];
    auto block = cg::this_thread_block();
    // want: cuda-silent/cooperative-groups
    cg::memcpy_async(block, buffer, in, sizeof(int) * block.size());
    // want: cuda-silent/cooperative-groups
    cg::wait(block);
    out[threadIdx.x] = buffer[threadIdx.x];
}

float host_sums(const std::vector<float> &v, std::vector<float> &w) {
    // ok: cuda-silent/cooperative-groups
    std::exclusive_scan(v.begin(), v.end(), w.begin(), 0.0f);
    // ok: cuda-silent/cooperative-groups
    return std::reduce(v.begin(), v.end());
}
