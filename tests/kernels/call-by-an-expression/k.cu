// Functions with an operation of a warp are called through expressions that name them.
__device__ int right(int v) { return __shfl_xor_sync(~0u, v, 1); }
__device__ int left(int v) { return __shfl_xor_sync(~0u, v, 2); }
template <class F> __device__ int applied(F f, int v) { return f(v); }

__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x];
    int (*f)(int) = left;
    out[threadIdx.x] = (*right)(v) + 3 * (blockDim.x ? left : right)(v) + 5 * ((right))(v) +
                       7 * (&left)(v) + 11 * f(v) + 13 * applied(right, v);
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
