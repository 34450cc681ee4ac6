// Barriers of a cluster of blocks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) k(int *out) {
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    out[threadIdx.x] = cluster.block_rank();
}
