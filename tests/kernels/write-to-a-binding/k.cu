// A structured binding by reference.
__global__ void k(int *out, const int *in) {
    int pair[2] = {0, 1};
    auto &[warp, step] = pair;
    pair[0] = threadIdx.x / warpSize;
    step = 4;
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + pair[1];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
