// HOUSE section 9: all threads return, or none: nobody leaves the block.
__global__ void k(int *out, const int *in, int n) {
    if (n < 2) return;
    out[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] += out[blockDim.x - 1 - threadIdx.x] * 0 + n;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 2); }
