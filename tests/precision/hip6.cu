// target: rocm
// target-version: rocm=6.3
// select: cuda-silent,cuda-ptx
// The same on ROCm 6, where it was one.
#include <hip/hip_runtime.h>

__global__ void reduce(const float *in, float *out) {
    // ok: cuda-silent/warp-size-expression
    __shared__ float partial[1024 / warpSize];
    // ok: cuda-silent/warp-size-expression
    constexpr int kWidth = warpSize;
    // ok: cuda-silent/wavefront-macro
    partial[threadIdx.x / __AMDGCN_WAVEFRONT_SIZE] = in[threadIdx.x] * kWidth;
    out[threadIdx.x] = partial[0];
}
