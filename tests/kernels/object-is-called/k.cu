// A functor that is the same for all threads, and answers each something else.
struct Which {
    int first;
    __device__ int operator()() const { return first + threadIdx.x / warpSize; }
};

__global__ void k(int *out, const int *in) {
    Which which{5};
    int v = in[threadIdx.x];
    if (which() > 5) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
