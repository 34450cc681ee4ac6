// `a & w` reads w: no address is taken, and the block has one of it.
__global__ void k(int *out, const int *in, int n) {
    int w = n + 1;
    out[threadIdx.x] = in[threadIdx.x] & w;
    if (w > 3) {
        __syncthreads();
        out[threadIdx.x] += 1;
    }
}
void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 6); }
