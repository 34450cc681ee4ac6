// Elements in every spelling.
__global__ void k(int *out, const int *in) {
    int a[2] = {5, 6};
    0[a] = 1;
    *(a + 1) = threadIdx.x / warpSize;
    *a -= a[1];
    int warp = a[0];
    int v = in[threadIdx.x];
    if (warp == 1) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + a[1];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
