// target: rocm
// select: cuda-silent,cuda-ptx
// The same kinds by PyTorch's names.
#include <torch/extension.h>

__global__ void scale(const at::Float8_e4m3fnuz *x, float *y);

void check(const at::Tensor &t) {
    // ok: cuda-silent/float8
    auto fnuz = at::empty({1}, t.options().dtype(torch::kFloat8_e4m3fnuz));
    // want: cuda-silent/float8
    TORCH_CHECK(t.scalar_type() == at::ScalarType::Float8_e4m3fn, "not fp8");
    // want: cuda-silent/float8-limit
    float largest = 448.f;
    // ok: cuda-silent/float8-limit
    float smaller = 44.8f;
}
