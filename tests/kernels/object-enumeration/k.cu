// Scoped and plain enumerations that hold the number of the warp.
enum class Half { low, high };
enum Part { none, some = 1 };

__global__ void k(int *out, const int *in) {
    Half half = Half(threadIdx.x / warpSize);
    Part part = none;
    if (threadIdx.x >= 2 * warpSize) part = some;
    int v = in[threadIdx.x];
    if (half == Half::high) v += __shfl_xor_sync(~0u, v, 1);
    if (part) v += __shfl_xor_sync(~0u, in[threadIdx.x], 2);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
