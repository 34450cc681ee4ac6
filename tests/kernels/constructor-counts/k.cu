// As many constructors and destructors run as there are threads, and where they stand.
struct Guard {
    int *count;
    __device__ Guard(int *c) : count(c) { atomicAdd(count, 1); }
    __device__ ~Guard() { atomicAdd(count, 100); }
};

__global__ void k(int *out, const int *in) {
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
    int inside;
    {
        Guard g(&n);
        __syncthreads();
        inside = n;
        __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = n * 7 + inside;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
