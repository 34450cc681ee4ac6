// A loop with atomics that counts by a sum waits for nobody: no thread becomes a fiber.
__global__ void k(int *out, const int *in) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int mine = 0;
    for (int i = 0; i < 4; i = i + 1) mine |= atomicAdd(&sum, i) < 0;
    __syncthreads();
    out[threadIdx.x] = sum + mine;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
