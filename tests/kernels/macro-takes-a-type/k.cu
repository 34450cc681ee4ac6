// A macro is handed a type, in a function with an operation of a warp.
#define DECLARE_AS(t, a, b) t a = (b)
__device__ int neighbour(int v) {
    DECLARE_AS(int, w, v + 1);
    return __shfl_xor_sync(~0u, w, 1);
}

__global__ void k(int *out, const int *in) { out[threadIdx.x] = neighbour(in[threadIdx.x]); }

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
