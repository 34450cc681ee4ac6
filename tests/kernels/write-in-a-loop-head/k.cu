// The head of a for writes variables that it does not declare.
__global__ void k(int *out, const int *in) {
    int warp, n;
    for (warp = threadIdx.x / warpSize, n = 0; n < 2; n++, warp++) continue;
    int v = in[threadIdx.x];
    if (warp == 2) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
