// Every operator that assigns, and the words for them.
__global__ void k(int *out, const int *in) {
    unsigned warp = 0;
    unsigned a = 64, b = 255, c = 8;
    warp or_eq threadIdx.x / warpSize;
    a >>= warp;
    b %= 4 + warp;
    c <<= warp;
    warp xor_eq 1;
    warp and_eq 7;
    int v = in[threadIdx.x];
    if (warp == 1) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + a + b + c;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
