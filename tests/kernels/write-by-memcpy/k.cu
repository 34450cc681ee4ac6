// memcpy and placement new write it.
#include <new>

__global__ void k(int *out, const int *in) {
    int warp = 0, other = 2, w = threadIdx.x / warpSize;
    memcpy(&warp, &w, sizeof w);
    new (&other) int(threadIdx.x / warpSize);
    if (other == 1) warp += 1;
    int v = in[threadIdx.x];
    if (warp == 2) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
