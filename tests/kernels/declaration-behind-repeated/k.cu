// One declaration of what threads share and what they do not, behind one that regions repeat:
// what they share goes in front of the region that begins there.
__global__ void k(int *out, const int *in, int n) {
    int row = blockIdx.x + 1; // repeated, with this comment
    int t = threadIdx.x, width = blockDim.x, last = width - 1;
    const int *x = in + row - 1;
    __shared__ int s[256];
    int sum = 0;
    for (int j = t; j < n; j += width) sum += x[j];
    s[t] = sum + row;
    __syncthreads();
    for (int step = width / 2; step > 0; step >>= 1) {
        if (t < step) s[t] += s[t + step];
        __syncthreads();
    }
    out[t] = s[t] + x[last - t] + row;
}

void launch(int *out, const int *in, int threads) {
    k<<<1, threads>>>(out, in, threads);
    cudaDeviceSynchronize();
}
