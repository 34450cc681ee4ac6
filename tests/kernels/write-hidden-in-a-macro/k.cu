// A macro assigns to a name that its call does not show.
#define FIND_WARP warp = threadIdx.x / warpSize

__global__ void k(int *out, const int *in) {
    int warp = 0;
    FIND_WARP;
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
