// The same with a cast of C, and one that takes const away.
__global__ void k(int *out, const int *in) {
    int warp = 0;
    const int &same = warp;
    (unsigned &)warp = 1;
    const_cast<int &>(same) += threadIdx.x / warpSize;
    int v = in[threadIdx.x];
    if (warp == 1) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
