// Functions and variables of namespaces and using-declarations; a variable of the device.
namespace outer {
namespace inner {
__device__ int scale(int x) { return 3 * x; }
__device__ int number(int x) { return x + threadIdx.x / warpSize; }
} // namespace inner
using inner::number;
} // namespace outer
__device__ int counter = 4;
__constant__ int few[] = {5, 6, 7};

__global__ void k(int *out, const int *in) {
    using namespace outer;
    int v = in[threadIdx.x], warp = outer::number(0);
    if (warp == 1) v += __shfl_xor_sync(~0u, v, 1);
    if (number(counter) == 4) v += few[2];
    out[threadIdx.x] = v + outer::inner::scale(counter);
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
