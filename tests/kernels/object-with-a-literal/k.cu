// A user's own literal reads threadIdx.
__device__ int operator""_warps(unsigned long long n) { return n + threadIdx.x / warpSize; }

__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x], w = 1_warps;
    if (w == 1) v += __shfl_xor_sync(~0u, v, 1);
    if (0_warps == 1) v += __shfl_xor_sync(~0u, in[threadIdx.x], 2);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
