// target: rocm
// select: cuda-silent,cuda-ptx
// Warp primitives of CUB, whose default warp is the device's.
#include <cub/cub.cuh>

// want: cuda-silent/cub-warp
using Reduce = cub::WarpReduce<float>;
// want: cuda-silent/cub-warp
typedef cub::WarpScan<int> Scan;
// ok: cuda-silent/cub-warp
using Reduce32 = cub::WarpReduce<float, 32>;
// ok: cuda-silent/cub-warp
using Reduce16 = cub::WarpScan<float, 16>;

__global__ void sum(const float *in, float *out) {
    // want: cuda-silent/cub-warp
    __shared__ typename cub::WarpReduce<float>::TempStorage storage[4];
    // want: cuda-silent/warp-arithmetic
    int warp = threadIdx.x / 32;
    // want: cuda-silent/cub-warp
    float s = cub::WarpReduce<float>(storage[warp]).Sum(in[threadIdx.x]);
    // ok: cuda-silent/cub-warp
    using Block = cub::BlockReduce<float, 128>;
    out[warp] = s;
}

template <typename T> struct Mine {
    // ok: cuda-silent/cub-warp
    my::WarpReduce<T> reduce;
};
