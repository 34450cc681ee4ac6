// A constructor asks which thread it is, behind a call that may wait for another thread.
__device__ volatile int ready = 1;
__device__ void wait_for_it() {
    while (ready == 0) {}
}
__device__ int number() { return threadIdx.x; }

struct Numbered {
    int v;
    __device__ Numbered() {
        wait_for_it();
        v = number();
    }
};

__global__ void k(int *out, const int *in) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    Numbered n;
    atomicAdd(&sum, n.v);
    __syncthreads();
    out[threadIdx.x] = sum;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
