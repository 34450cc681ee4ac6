# SPDX-License-Identifier: Apache-2.0
# load_inline: a bias and a GELU in one kernel, with its backward, behind an autograd.Function.
import torch
from torch.utils.cpp_extension import load_inline

CPP = """
torch::Tensor bias_gelu_forward(torch::Tensor x, torch::Tensor bias);
std::vector<torch::Tensor> bias_gelu_backward(torch::Tensor grad, torch::Tensor x, torch::Tensor bias);
"""

CUDA = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>

template <typename scalar_t>
__device__ __forceinline__ scalar_t gelu(scalar_t v) {
    return v * scalar_t(0.5) * (scalar_t(1) + erf(v * scalar_t(M_SQRT1_2)));
}

template <typename scalar_t>
__device__ __forceinline__ scalar_t gelu_slope(scalar_t v) {
    const scalar_t cdf = scalar_t(0.5) * (scalar_t(1) + erf(v * scalar_t(M_SQRT1_2)));
    const scalar_t pdf = exp(scalar_t(-0.5) * v * v) * scalar_t(0.3989422804014327);
    return cdf + v * pdf;
}

template <typename scalar_t>
__global__ void forward_kernel(
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
    const torch::PackedTensorAccessor32<scalar_t, 1, torch::RestrictPtrTraits> bias,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> out) {
    const int row = blockIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col < x.size(1)) out[row][col] = gelu(x[row][col] + bias[col]);
}

template <typename scalar_t>
__global__ void backward_kernel(const scalar_t *__restrict__ grad, const scalar_t *__restrict__ x,
                                const scalar_t *__restrict__ bias, scalar_t *__restrict__ dx,
                                scalar_t *__restrict__ dbias, int rows, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    scalar_t sum = 0;
    for (int row = 0; row < rows; ++row) {
        const int i = row * cols + col;
        dx[i] = grad[i] * gelu_slope(x[i] + bias[col]);
        sum += dx[i];
    }
    dbias[col] = sum;
}

torch::Tensor bias_gelu_forward(torch::Tensor x, torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && bias.is_cuda(), "bias_gelu: tensors must be on the GPU");
    TORCH_CHECK(x.dim() == 2 && x.size(1) == bias.size(0), "bias_gelu: shapes differ");
    const at::cuda::OptionalCUDAGuard guard(device_of(x));
    auto out = torch::empty_like(x);
    const int threads = 128;
    const dim3 blocks((x.size(1) + threads - 1) / threads, x.size(0));
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "bias_gelu_forward", ([&] {
        forward_kernel<scalar_t><<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
            x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            bias.packed_accessor32<scalar_t, 1, torch::RestrictPtrTraits>(),
            out.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
    }));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return out;
}

std::vector<torch::Tensor> bias_gelu_backward(torch::Tensor grad, torch::Tensor x, torch::Tensor bias) {
    auto g = grad.contiguous();
    auto dx = torch::empty_like(x);
    auto dbias = torch::empty_like(bias);
    const int rows = x.size(0), cols = x.size(1), threads = 64;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "bias_gelu_backward", ([&] {
        backward_kernel<scalar_t><<<(cols + threads - 1) / threads, threads>>>(
            g.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(), bias.data_ptr<scalar_t>(),
            dx.data_ptr<scalar_t>(), dbias.data_ptr<scalar_t>(), rows, cols);
    }));
    AT_CUDA_CHECK(cudaGetLastError());
    return {dx, dbias};
}
"""

ext = load_inline(
    name="bias_gelu",
    cpp_sources=CPP,
    cuda_sources=CUDA,
    functions=["bias_gelu_forward", "bias_gelu_backward"],
    extra_cuda_cflags=["-O2", "--use_fast_math"],
    with_cuda=True,
)


class BiasGelu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bias):
        ctx.save_for_backward(x, bias)
        return ext.bias_gelu_forward(x, bias)

    @staticmethod
    def backward(ctx, grad):
        return tuple(ext.bias_gelu_backward(grad, *ctx.saved_tensors))


device = torch.device("cuda")
torch.manual_seed(1)
for dtype, tolerance in ((torch.float32, 1e-5), (torch.float64, 1e-10)):
    x = torch.randn(7, 301, device=device, dtype=dtype, requires_grad=True)
    b = torch.randn(301, device=device, dtype=dtype, requires_grad=True)
    weight = torch.randn(7, 301, device=device, dtype=dtype)
    got = BiasGelu.apply(x, b)
    (got * weight).sum().backward()
    gx, gb = x.grad.clone(), b.grad.clone()
    x.grad = b.grad = None
    want = torch.nn.functional.gelu(x + b)
    (want * weight).sum().backward()
    assert torch.allclose(got, want, atol=tolerance), (got - want).abs().max()
    assert torch.allclose(gx, x.grad, atol=tolerance * 10)
    assert torch.allclose(gb, b.grad, atol=tolerance * 10)
small = [torch.randn(2, 3, device=device, dtype=torch.float64, requires_grad=True),
         torch.randn(3, device=device, dtype=torch.float64, requires_grad=True)]
assert torch.autograd.gradcheck(BiasGelu.apply, small)
print("inline_gelu")
