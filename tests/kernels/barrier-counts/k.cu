// What __syncthreads_count, _or and _and answer drives loops and branches.
__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x] % 8, rounds = 0;
    while (__syncthreads_or(v > 0)) {
        if (v > 0) v--;
        rounds++;
    }
    int n = __syncthreads_count(in[threadIdx.x] % 2);
    if (n > 3) {
        __syncthreads();
        rounds += n;
    }
    if (__syncthreads_and(in[threadIdx.x] >= 0)) rounds += 1000;
    out[threadIdx.x] = rounds;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
