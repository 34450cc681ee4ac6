// Pointers to locals are exchanged and written through.
__global__ void k(int *out, const int *in) {
    int a = 0, b = 7;
    int *p = &a, *q = &b;
    int *r = p;
    p = q;
    q = r;
    *p = threadIdx.x / warpSize;
    int warp = b;
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + a;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
