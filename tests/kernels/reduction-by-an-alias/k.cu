// cub::BlockReduce under a name that `using` gives it.
#include <cub/cub.cuh>
using Reduction = cub::BlockReduce<int, 64>;
// threads: 64
__global__ void k(int *out, const int *in) {
    __shared__ Reduction::TempStorage storage;
    __shared__ int sum;
    int v = in[threadIdx.x];
    int all = Reduction(storage).Sum(v);
    if (threadIdx.x == 0) sum = all;
    __syncthreads();
    out[threadIdx.x] = sum + v;
}
void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
