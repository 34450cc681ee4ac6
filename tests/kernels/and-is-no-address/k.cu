// HOUSE section 9: `a & w` takes no address, so w stays one for the block.
__global__ void k(int *out, const int *in, int n) {
    int w = n + 1;
    int a = in[threadIdx.x];
    out[threadIdx.x] = a & w;
    if (w > 3) {
        __syncthreads();
        out[threadIdx.x] += w;
    }
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 6); }
