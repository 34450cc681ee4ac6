// target: rocm
// select: cuda-silent,cuda-ptx
// 448 of something else.
#include <cuda_runtime.h>

__global__ void crop(const float *x, float *y) {
    // ok: cuda-silent/float8-limit
    float edge = 448.0f;
    // ok: cuda-silent/float8
    y[threadIdx.x] = x[threadIdx.x] < edge ? x[threadIdx.x] : edge;
}
