// The kernel is handed a functor with a barrier in it.
struct Mean {
    __device__ int operator()(int *s, int v) const {
        s[threadIdx.x] = v;
        __syncthreads();
        return s[0] + v;
    }
};

template <class F> __global__ void k(int *out, const int *in, F f) {
    __shared__ int s[256];
    out[threadIdx.x] = f(s, in[threadIdx.x]);
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, Mean()); }
