// target: rocm
// select: cuda-silent,cuda-ptx
// Eight bits for a number, and what fits into them.
#include <cuda_fp8.h>

// want: cuda-silent/float8
__global__ void quantize(const float *x, __nv_fp8_e4m3 *y, float scale) {
    // want: cuda-silent/float8-limit
    float v = fminf(fmaxf(x[threadIdx.x] * scale, -448.0f), 448.0f);
    // ok: cuda-silent/float8
    y[threadIdx.x] = __nv_fp8_e4m3(v);
}

__global__ void raw(const float *x, unsigned char *y) {
    // ok: cuda-silent/float8
    y[threadIdx.x] = __nv_cvt_float_to_fp8(x[threadIdx.x], __NV_SATFINITE, __NV_E4M3);
    // ok: cuda-silent/float8
    y[threadIdx.x] |= __nv_cvt_float_to_fp8(x[threadIdx.x], __NV_SATFINITE, __NV_E5M2);
}

void check(const at::Tensor &t) {
    // ok: cuda-silent/float8
    TORCH_CHECK(t.scalar_type() == at::ScalarType::Float8_e4m3fn, "not fp8");
    // ok: cuda-silent/float8
    auto made = at::empty({1}, t.options().dtype(torch::kFloat8_e4m3fn));
    // ok: cuda-silent/float8
    auto fnuz = at::empty({1}, t.options().dtype(torch::kFloat8_e4m3fnuz));
    // ok: cuda-silent/float8-limit
    int width = 448 + 1;
}
