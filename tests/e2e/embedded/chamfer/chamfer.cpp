// SPDX-License-Identifier: Apache-2.0
// The host's half of an extension: it checks, and hands on.
#include <torch/extension.h>

#include <tuple>

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) \
    CHECK_CUDA(x);     \
    CHECK_CONTIGUOUS(x)

void nearest_launcher(int b, int n, int m, const float *from, const float *to, float *distance,
                      int *index);
void nearest_grad_launcher(int b, int n, int m, const float *from, const float *to,
                           const float *grad, const int *index, float *dfrom, float *dto);

std::tuple<torch::Tensor, torch::Tensor> nearest(torch::Tensor from, torch::Tensor to) {
    CHECK_INPUT(from);
    CHECK_INPUT(to);
    const int b = from.size(0), n = from.size(1), m = to.size(1);
    auto distance = torch::empty({b, n}, from.options());
    auto index = torch::empty({b, n}, from.options().dtype(torch::kInt));
    nearest_launcher(b, n, m, from.data_ptr<float>(), to.data_ptr<float>(),
                     distance.data_ptr<float>(), index.data_ptr<int>());
    return std::make_tuple(distance, index);
}

std::tuple<torch::Tensor, torch::Tensor> nearest_grad(torch::Tensor from, torch::Tensor to,
                                                      torch::Tensor grad, torch::Tensor index) {
    CHECK_INPUT(from);
    CHECK_INPUT(to);
    CHECK_INPUT(grad);
    CHECK_INPUT(index);
    auto dfrom = torch::zeros_like(from), dto = torch::zeros_like(to);
    nearest_grad_launcher(from.size(0), from.size(1), to.size(1), from.data_ptr<float>(),
                          to.data_ptr<float>(), grad.data_ptr<float>(), index.data_ptr<int>(),
                          dfrom.data_ptr<float>(), dto.data_ptr<float>());
    return std::make_tuple(dfrom, dto);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("nearest", &nearest, "nearest point of another cloud (CUDA)");
    m.def("nearest_grad", &nearest_grad, "its gradient (CUDA)");
}
