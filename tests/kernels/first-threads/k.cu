// What only the first threads of a row do: below a number that is negative, unsigned, of another
// width, real, or beyond the block's; where it is 0; and what is no such comparison.
// threads: 1 31 32 33 256
__global__ void k(int *out, const int *in, int n, int none, unsigned most, long long wide,
                  float real, double beyond) {
    __shared__ int s[1024];
    int t = threadIdx.x, row = threadIdx.y * blockDim.x;
    unsigned u = threadIdx.x;
    short small = threadIdx.x;
    s[row + t] = in[t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half) s[row + t] += s[row + t + half] % 7;
        __syncthreads();
    }
    if (t < none) s[row + t] += 1000;
    __syncthreads();
    if (u < none) s[row + t] += 1; // -1 is the greatest unsigned int
    __syncthreads();
    if (t < most) s[row + t] += 2;
    __syncthreads();
    if (threadIdx.x < wide) s[row + t] += 4;
    __syncthreads();
    if (t < real) s[row + t] += 8; // 0, 1 and 2
    __syncthreads();
    if (small < beyond) s[row + t] += 16;
    __syncthreads();
    if (threadIdx.x == 0) s[row + t] += 32;
    __syncthreads();
    if (t < 5) s[row + t] += 64;
    __syncthreads();
    if (threadIdx.y < n) s[row + t] += 128;
    __syncthreads();
    out[t] = s[t] + s[blockDim.x + t];
}

void launch(int *out, const int *in, int threads) {
    k<<<1, dim3(threads, 2)>>>(out, in, 1, -1, 3, -5, 2.5f, 1e9);
    cudaDeviceSynchronize();
}
