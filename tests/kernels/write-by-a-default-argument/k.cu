// What an argument is by default reads threadIdx.
__device__ int number(int n = threadIdx.x / warpSize) { return n; }

__global__ void k(int *out, const int *in) {
    int warp = number();
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
