// Each warp goes round another number of times, and leaves from the middle.
__global__ void k(int *out, const int *in) {
    int warp = threadIdx.x / warpSize, v = in[threadIdx.x] % 16, n = 0;
    for (int i = 0; i < warp + 2; i++) {
        for (int by = 1; by < 8; by *= 2) {
            int other = __shfl_xor_sync(~0u, v, by);
            if (__any_sync(~0u, other > 12) && by == 4) break;
            n += other;
        }
        if (i == 2) break;
    }
    out[threadIdx.x] = n;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
