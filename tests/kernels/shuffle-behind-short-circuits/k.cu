// Operations of warps behind && and ||, which not all warps come to.
__global__ void k(int *out, const int *in) {
    int warp = threadIdx.x / warpSize, v = in[threadIdx.x], n = 0;
    if (warp == 0 && __any_sync(~0u, v % 2)) n += 1;
    if (warp != 0 || __all_sync(~0u, v >= 0)) n += 2;
    n += warp == 1 ? __shfl_xor_sync(~0u, v, 1) : 0;
    out[threadIdx.x] = n;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
