// A class without a default constructor lives across a barrier.
struct Value {
    int x;
    __device__ Value(int a) : x(a) {}
};

__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    Value v(in[threadIdx.x]);
    s[threadIdx.x] = v.x;
    __syncthreads();
    Value w(s[blockDim.x - 1 - threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = w.x + 2 * v.x;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
