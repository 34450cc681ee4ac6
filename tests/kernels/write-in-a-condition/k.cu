// A condition assigns and counts.
__global__ void k(int *out, const int *in) {
    int warp = 1, n = 0;
    if ((warp = threadIdx.x / warpSize) >= 0) n++;
    while (n++ < 3) warp++;
    int v = in[threadIdx.x];
    if (warp == 3) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + n;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
