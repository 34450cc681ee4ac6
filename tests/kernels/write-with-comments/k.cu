// Comments and line ends between the name and its operator.
__global__ void k(int *out, const int *in) {
    int warp /* of
     the block */ = 0;
    warp // next line
        /**/ =
        threadIdx.x / warpSize;
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
