// Shared memory says how often the loop goes round, and changes in it.
__global__ void k(int *out, const int *in) {
    __shared__ int left, total;
    if (threadIdx.x == 0) left = 1 + in[0] % 4, total = 0;
    __syncthreads();
    int turns = 0;
    while (left > 0) {
        atomicAdd(&total, 1);
        turns++;
        __syncthreads();
        if (threadIdx.x == 0) left--;
        __syncthreads();
    }
    out[threadIdx.x] = total * 10 + turns;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
