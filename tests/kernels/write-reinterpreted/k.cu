// A cast to a reference of another type is assigned to.
__global__ void k(int *out, const int *in) {
    int warp = 0;
    reinterpret_cast<unsigned &>(warp) = threadIdx.x / warpSize;
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
