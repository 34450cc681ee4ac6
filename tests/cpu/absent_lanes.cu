// Shuffles from lanes that are not there: of a block smaller than a warp, and of a loop that some
// lanes have left. They give nothing to a sum.
// sycl: a sub-group gives nothing defined for lanes that are not there
#include <cstdio>
#include <cuda_runtime.h>

__global__ void small_block(int *sum) {
    int v = threadIdx.x + 1;
    for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffffu, v, by);
    if (threadIdx.x == 0) sum[0] = v;
}

__global__ void some_lanes(const int *in, int n, int *sum) {
    int total = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int v = in[i];
        v += __shfl_down_sync(0xffffffffu, v, 1, 4);
        v += __shfl_down_sync(0xffffffffu, v, 2, 4);
        total += v;
    }
    sum[threadIdx.x] = total;
}

int main() {
    int *sum, *in;
    cudaMallocManaged(&sum, 32 * sizeof(*sum));
    cudaMallocManaged(&in, 34 * sizeof(*in));
    for (int i = 0; i < 34; i++) in[i] = i + 1;
    small_block<<<1, 20>>>(sum);
    bool good = cudaDeviceSynchronize() == cudaSuccess && sum[0] == 210;
    some_lanes<<<1, 32>>>(in, 34, sum); // the second time around only lanes 0 and 1 are left
    good = good && cudaDeviceSynchronize() == cudaSuccess && sum[0] == 1 + 2 + 3 + 4 + 33 + 34 &&
           sum[4] == 5 + 6 + 7 + 8;
    std::printf(good ? "PASS\n" : "FAIL: %d %d\n", sum[0], sum[4]);
    return good ? 0 : 1;
}
