// Variables that all threads change alike between barriers are the block's; those that only some
// change, that change by what differs, or in the middle of a region, are each thread's.
// threads: 1 31 32 33 256
__global__ void k(int *out, const int *in, int n) {
    __shared__ int a[2][256];
    int t = threadIdx.x, from = 0, rounds = 0;
    int *old = a[0], *made = a[1];
    int mine = 0, middle = 1, some = 0;
    a[0][t] = in[t];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        made[t] = t >= step ? old[t] + old[t - step] : old[t];
        int *swap = old;
        old = made;
        made = swap;
        from = 1 - from;
        rounds++;
        __syncthreads();
        if (t % 2) some += rounds;
        mine += in[t] % 5;
        middle *= 3;
        mine += middle;
        __syncthreads();
    }
    out[t] = old[t] + a[from][t] + 100 * rounds + mine + some;
}

void launch(int *out, const int *in, int threads) {
    k<<<1, threads>>>(out, in, threads);
    cudaDeviceSynchronize();
}
