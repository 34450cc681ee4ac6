// A barrier of the warp whose mask each thread computes: once as a variable, once as a constant.
__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    unsigned mask = ~0u | threadIdx.x;
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp(mask);
    int v = s[threadIdx.x ^ 1];
    __syncwarp(mask);
    out[threadIdx.x] = (threadIdx.x ^ 1) < blockDim.x ? v : 0;
}
__global__ void by_constant(int *out, const int *in) {
    const unsigned mask = ~0u | threadIdx.x;
    __syncwarp(mask);
    out[threadIdx.x] += in[threadIdx.x];
}

void launch(int *out, const int *in, int threads) {
    k<<<1, threads>>>(out, in);
    by_constant<<<1, threads>>>(out, in);
}
