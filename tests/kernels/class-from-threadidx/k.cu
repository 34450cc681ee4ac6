// Classes are made of threadIdx.x, which is a class of the runtime's: a conversion too many.
struct box {
    int v;
    __device__ box(int a) : v(a) {}
    __device__ operator int() const { return v; }
};
__device__ int taken(box b) { return b.v; }

__global__ void one_loop(int *out, const int *in) {
    box b = threadIdx.x;
    out[threadIdx.x] = b;
}

__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    box b = threadIdx.x, c(0);
    s[threadIdx.x] = b;
    __syncthreads();
    c = threadIdx.x;
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] * 3 + b + c + taken(threadIdx.x) +
                       out[threadIdx.x];
}

void launch(int *out, const int *in, int threads) {
    one_loop<<<1, threads>>>(out, in);
    k<<<1, threads>>>(out, in);
}
