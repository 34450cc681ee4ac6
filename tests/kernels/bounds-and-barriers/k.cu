// Threads beyond the bounds leave before a barrier; others are kept from the last region; the
// first ones have something to do of their own in between.
// threads: 1 31 32 33 256
__global__ void k(int *out, const int *in, int n) {
    __shared__ int s[300], halo[2];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    s[t] = in[i];
    if (t < 2) halo[t] = in[i] * 3;
    out[i] = in[i] + t;
    __syncthreads();
    int last = n - 1;
    if (t == 0) out[i] += halo[0];
    __syncthreads();
    if (i > 0 && i <= last) out[i] += s[t ? t - 1 : 0];
}
__global__ void both(int *out, int n, int m) {
    __shared__ int s[300];
    int t = threadIdx.x;
    if (t < n || t > m) return;
    s[t] = out[t];
    __syncwarp();
    out[t] = s[t] + 1;
}

void launch(int *out, const int *in, int threads) {
    k<<<3, (threads + 2) / 3>>>(out, in, threads);
    both<<<1, threads>>>(out, 3, threads - 4);
    cudaDeviceSynchronize();
}
