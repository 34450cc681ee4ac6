// Constructors ask which thread it is, within functions that are called as CUDA's that may wait.
__device__ int atomicCAS(double *last) {
    *last = 1;
    return threadIdx.x;
}

struct Source {
    __device__ int load() { return threadIdx.x; }
};

template <typename T> __device__ int loaded(T &from) {
    while (from.load() < 0) {
    }
    return from.load();
}

struct Counted {
    double last;
    int v, w;
    __device__ Counted() {
        while (last = 0, (v = atomicCAS(&last)) < 0) {
        }
        Source source;
        w = loaded(source) - v;
    }
};

__global__ void k(int *out, const int *in) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    Counted c;
    atomicAdd(&sum, c.v + c.w);
    __syncthreads();
    out[threadIdx.x] = sum;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
