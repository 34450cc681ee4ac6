// Bounds that keep a part of a row in, at its ends and in the middle, whole rows, or none: by
// numbers of several types, in both directions, by what is computed before, with returns behind.
// threads: 1 31 32 33 256
#define BELOW (n - 3)
__global__ void inner(int *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 && i < n - 2) out[i] = in[i - 2] + 2 * in[i + 2];
}
__global__ void types(int *out, const int *in, unsigned n, size_t wide, float real) {
    unsigned u = blockIdx.x * blockDim.x + threadIdx.x;
    size_t w = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned last = n + 1;
    if (n >= u && (u < last) && wide > w && u < real) out[u] += 8 + in[u];
}
__global__ void leaves(int *out, const int *in, int n) {
    int t = threadIdx.x, at = in[t];
    if (t >= BELOW || 4 > t) return;
    if (at % 3 == 0) return;
    for (int k = 0; k < 3; k++) out[t] += at * k;
}
__global__ void rows(int *out, const int *in, int w, int h) {
    int x = threadIdx.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (y < h && x < w) {
        int v = in[y * w + x];
        if (v % 2) return;
        out[y * w + x] += v;
    }
}

void launch(int *out, const int *in, int threads) {
    cudaMemset(out, 0, threads * sizeof(int));
    inner<<<(threads + 7) / 8, 8>>>(out, in, threads);
    types<<<(threads + 15) / 16, 16>>>(out, in, threads - 1, threads, 20.5f);
    leaves<<<1, threads>>>(out, in, threads);
    rows<<<dim3(1, 4), dim3(8, 2)>>>(out, in, threads < 7 ? threads : 7, threads < 7 ? 1 : threads / 7);
    cudaDeviceSynchronize();
}
