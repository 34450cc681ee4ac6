// Operands that are not evaluated write nothing: warp stays the same for all.
__global__ void k(int *out, const int *in) {
    int warp = 0;
    int size = sizeof(warp = threadIdx.x / warpSize);
    decltype(warp = threadIdx.x / warpSize) same = warp;
    static_assert(noexcept(warp = 1), "");
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + same + size;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
