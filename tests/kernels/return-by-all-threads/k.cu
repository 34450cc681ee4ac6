// All threads return at once: the block does, and nobody has to remember who is gone.
__global__ void k(int *out, const int *in, int n) {
    __shared__ int s[256];
    if (n < 2) return;
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 2); }
