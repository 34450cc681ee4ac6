// Assignments in chains, and to what an assignment gives.
__global__ void k(int *out, const int *in) {
    int warp, w;
    warp = w = threadIdx.x / warpSize;
    (warp = 1) += w;
    (w += 1) -= warp;
    int v = in[threadIdx.x];
    if (warp == 1) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + w;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
