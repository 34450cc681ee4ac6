// Operations of some lanes of a warp, in one branch and in the other.
// warp 32: masks of 32 bits leave the upper half of a wave out
#include <cstdio>
#include <cuda_runtime.h>
__global__ void part(int *o) {
    int lane = threadIdx.x % 32, v = lane;
    unsigned mask = 0xFFFFFFF0;
    if (lane > 3) v = __shfl_down_sync(mask, v, 2, 16);
    unsigned low = 0x0000ffff;
    if (lane < 16)
        v += __reduce_add_sync(low, lane) + (int)__ballot_sync(low, lane & 1) +
             1000 * __any_sync(low, lane == 20) + 2000 * __all_sync(low, lane < 16);
    else
        v += __reduce_max_sync(0xffff0000, lane);
    __syncwarp(mask | 15u);
    // What all lanes come with is the whole warp, in whatever branch each computed it.
    unsigned those = __ballot_sync(0xffffffff, lane >= 0);
    v += __shfl_sync(those, lane, 5) + __reduce_add_sync(those, 1);
    o[threadIdx.x] = v;
}
int main() {
    int *o;
    cudaMallocManaged(&o, 64 * sizeof(int));
    part<<<1, 64>>>(o);
    cudaDeviceSynchronize();
    int bad = 0;
    for (int t = 0; t < 64; t++) {
        int l = t % 32, v = l;
        if (l > 3) v = l % 16 + 2 < 16 ? l + 2 : l;
        v += l < 16 ? 120 + 0xaaaa + 2000 : 31;
        v += 5 + 32;
        bad += o[t] != v;
        if (o[t] != v) printf("%d: %d %d\n", t, o[t], v);
    }
    printf(bad ? "FAIL %d\n" : "PASS\n", bad);
    return bad != 0;
}
