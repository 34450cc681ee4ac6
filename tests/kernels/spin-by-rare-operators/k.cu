// Loops that would be counted, but for what a rare operator does to their counter: they wait.
__global__ void k(int *out, const int *in) {
    __shared__ int flag[4];
    if (threadIdx.x < 4) flag[threadIdx.x] = 0;
    __syncthreads();
    int last = blockDim.x - 1;
    if (threadIdx.x == 0 && last > 0) {
        for (int i = 0; i < 1; i++) i |= atomicAdd(&flag[0], 0) ? 0 : -1;
        for (int i = 1; i < 2; i++) i &= atomicAdd(&flag[1], 0) ? 1 : 0;
        for (int i = 1; i < 2; i++) i ^= atomicAdd(&flag[2], 0) ? 0 : 1;
        for (int i = 1; i < 2; i++) i %= atomicAdd(&flag[3], 0) ? 2 : 1;
    } else if (threadIdx.x == last) {
        for (int i = 0; i < 4; i++) atomicExch(&flag[i], in[i] + 1);
    }
    __syncthreads();
    out[threadIdx.x] = flag[threadIdx.x % 4];
}
void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
