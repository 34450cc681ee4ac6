// A thread goes round until what it has read into a variable is another's write.
__global__ void k(int *out, const int *in) {
    __shared__ int flag;
    volatile int *p = &flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    int last = blockDim.x - 1, seen = 0;
    if (threadIdx.x == 0 && last > 0) {
        do {
            seen = *p;
        } while (seen == 0);
    } else if (threadIdx.x == last) {
        flag = seen = in[last] + 1;
    }
    __syncthreads();
    out[threadIdx.x] = flag + (threadIdx.x == 0 ? seen : 0);
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
