// Another variable's initialiser, an index, an argument.
__global__ void k(int *out, const int *in) {
    int warp = 0, few[2] = {1, 2};
    int b = (warp = threadIdx.x / warpSize, 3);
    b += few[(warp += 1) > 0];
    int v = in[threadIdx.x];
    if (warp == 1) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + b;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
