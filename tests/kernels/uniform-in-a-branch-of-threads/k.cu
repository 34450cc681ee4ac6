// What a loop declares that only some threads go through is not the block's.
__global__ void k(int *out, const int *in, int n) {
    int v = in[threadIdx.x] % 7;
    for (int m = n; v < m; v++) {
        if (m > 3) v += __shfl_xor_sync(~0u, v, 1) & 1;
    }
    out[threadIdx.x] = v;
}
void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 3); }
