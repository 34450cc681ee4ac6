// HOUSE section 9: a loop's own variable changes by what a shuffle gives.
__global__ void k(int *out, const int *in, int n) {
    int v = in[0] % 3;
    for (int m = n; v < m; v++) {
        if (m > 3) v += __shfl_xor_sync(~0u, v, 1);
    }
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 9); }
