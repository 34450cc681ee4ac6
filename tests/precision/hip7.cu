// target: rocm
// target-version: rocm=7.0
// select: cuda-silent,cuda-ptx
// HIP code of yesterday: since ROCm 7 the width of a wave is no constant.
#include <hip/hip_runtime.h>

__global__ void reduce(const float *in, float *out) {
    // want: cuda-silent/warp-size-expression
    __shared__ float partial[1024 / warpSize];
    // want: cuda-silent/warp-size-expression
    __shared__ float lanes[warpSize];
    // want: cuda-silent/warp-size-expression
    constexpr int kWidth = warpSize;
    // ok: cuda-silent/warp-size-expression
    const int width = warpSize;
    // ok: cuda-silent/warp-size-expression
    int warp = threadIdx.x / warpSize;
    // ok: cuda-silent/warp-size-expression
    partial[threadIdx.x / warpSize] = in[threadIdx.x];
    // ok: cuda-silent/warp-size-expression
    lanes[threadIdx.x % warpSize] = partial[warp] + kWidth + width;
    out[threadIdx.x] = lanes[0];
}

// want: cuda-silent/warp-size-expression
template <int Width = warpSize> __device__ float sum(float v);

// want: cuda-silent/wavefront-macro
#define WAVE __AMDGCN_WAVEFRONT_SIZE

__device__ int waves(int n) {
    // want: cuda-silent/wavefront-macro
    return n / __AMDGCN_WAVEFRONT_SIZE;
}
