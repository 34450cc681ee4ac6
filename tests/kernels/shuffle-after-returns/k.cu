// Threads of some warps have returned; then of a warp, every second one.
__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x];
    if (threadIdx.x / warpSize % 2) {
        out[threadIdx.x] = -1;
        return;
    }
    v += __shfl_xor_sync(~0u, v, 2);
    out[threadIdx.x] = v;
    if (threadIdx.x % 2) return;
    out[threadIdx.x] += __popcll(__ballot_sync(~0u, 1));
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
