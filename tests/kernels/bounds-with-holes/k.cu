// Numbers that wrap, so that a bound holds at both ends of a row and not between; conditions that
// may not be asked where another one is false; what is done before a condition, and behind it.
// threads: 1 31 32 33 256
__global__ void wraps(int *out, const int *in) {
    unsigned d = threadIdx.x - 5;
    if (d > 3) out[threadIdx.x] = in[threadIdx.x];
}
__global__ void divides(int *out, const int *in, int n, int zero) {
    int t = threadIdx.x;
    if (zero > 0 && t < n / zero) out[t] += 1000;
}
__global__ void reads(int *out, const int *in, int n, const int *none) {
    int t = threadIdx.x;
    if (n < 0 && t < none[0]) out[t] += 1000;
}
__global__ void counts(int *out, int n) {
    int t = threadIdx.x, v = ++out[t];
    if (t < n) out[t] += v - v + 1;
}
__global__ void behind(int *out, int n) {
    int t = threadIdx.x;
    if (t < n) out[t] += 2;
    out[t] += 4;
}

void launch(int *out, const int *in, int threads) {
    cudaMemset(out, 0, threads * sizeof(int));
    wraps<<<1, threads>>>(out, in);
    divides<<<1, threads>>>(out, in, threads, 0);
    reads<<<1, threads>>>(out, in, threads, nullptr);
    counts<<<1, threads>>>(out, 9);
    behind<<<1, threads>>>(out, 6);
    cudaDeviceSynchronize();
}
