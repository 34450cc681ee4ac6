// Pointers, one of them in an array.
__global__ void k(int *out, const int *in) {
    int warp = 0;
    int *p = &warp, *all[] = {p, p};
    *all[1] = threadIdx.x / warpSize;
    *&warp += 1;
    int v = in[threadIdx.x];
    if (warp == 1) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
