# SPDX-License-Identifier: Apache-2.0
# load_inline: RMS norm of half, bfloat16 and float, and an embedding's gradient by atomics.
import torch
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <torch/types.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <c10/cuda/CUDAStream.h>

template <typename T, int BLOCK>
__global__ void rms_norm_kernel(T *__restrict__ out, const T *__restrict__ in,
                                const T *__restrict__ weight, float eps, int hidden) {
    __shared__ float shared[BLOCK];
    float sum = 0.0f;
    const int64_t base = (int64_t)blockIdx.x * hidden;
    for (int i = threadIdx.x; i < hidden; i += BLOCK) {
        const float v = static_cast<float>(in[base + i]);
        sum += v * v;
    }
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int stride = BLOCK / 2; stride > 0; stride >>= 1) {
        if (threadIdx.x < stride) shared[threadIdx.x] += shared[threadIdx.x + stride];
        __syncthreads();
    }
    const float scale = rsqrtf(shared[0] / hidden + eps);
    for (int i = threadIdx.x; i < hidden; i += BLOCK)
        out[base + i] = static_cast<T>(static_cast<float>(in[base + i]) * scale * static_cast<float>(weight[i]));
}

__global__ void half_axpy(const __half *x, __half *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < n) {
        const __half2 *x2 = reinterpret_cast<const __half2 *>(x);
        __half2 *y2 = reinterpret_cast<__half2 *>(y);
        y2[i] = __hfma2(__float2half2_rn(a), x2[i], y2[i]);
    } else if (2 * i < n) {
        y[2 * i] = __hfma(__float2half(a), x[2 * i], y[2 * i]);
    }
}

template <typename index_t>
__global__ void scatter_rows(const index_t *index, const float *grad, float *table, int count, int dim) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count * dim; i += blockDim.x * gridDim.x) {
        const int row = i / dim, col = i - row * dim;
        atomicAdd(table + index[row] * dim + col, __ldg(grad + i));
    }
}

at::Tensor rms_norm(at::Tensor x, at::Tensor weight, double eps) {
    const int hidden = x.size(-1);
    const int64_t rows = x.numel() / hidden;
    at::Tensor out = at::empty_like(x);
    cudaStream_t stream = c10::cuda::getCurrentCUDAStream().stream();
    AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, x.scalar_type(),
                                    "rms_norm", [&] {
        rms_norm_kernel<scalar_t, 256><<<rows, 256, 0, stream>>>(
            out.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(), weight.data_ptr<scalar_t>(), (float)eps, hidden);
    });
    return out;
}

void axpy_(at::Tensor y, at::Tensor x, double a) {
    const int n = x.numel();
    const int pairs = (n + 1) / 2;
    half_axpy<<<(pairs + 127) / 128, 128, 0, c10::cuda::getCurrentCUDAStream()>>>(
        reinterpret_cast<const __half *>(x.data_ptr<at::Half>()),
        reinterpret_cast<__half *>(y.data_ptr<at::Half>()), (float)a, n);
}

at::Tensor embedding_grad(at::Tensor index, at::Tensor grad, int64_t rows) {
    auto table = at::zeros({rows, grad.size(1)}, grad.options());
    AT_DISPATCH_INDEX_TYPES(index.scalar_type(), "embedding_grad", [&] {
        scatter_rows<index_t><<<4, 128>>>(index.data_ptr<index_t>(), grad.data_ptr<float>(),
                                          table.data_ptr<float>(), index.numel(), grad.size(1));
    });
    return table;
}
"""
cpp_source = """
at::Tensor rms_norm(at::Tensor x, at::Tensor weight, double eps);
void axpy_(at::Tensor y, at::Tensor x, double a);
at::Tensor embedding_grad(at::Tensor index, at::Tensor grad, int64_t rows);
"""
ops = load_inline("norms", cpp_source, cuda_source, functions=["rms_norm", "axpy_", "embedding_grad"],
                  extra_cuda_cflags=["-U__CUDA_NO_HALF_OPERATORS__", "-U__CUDA_NO_HALF_CONVERSIONS__"])

torch.manual_seed(3)
for dtype, tolerance in ((torch.float16, 4e-3), (torch.bfloat16, 4e-2), (torch.float32, 1e-5)):
    x = torch.randn(3, 4, 777, device="cuda").to(dtype)
    w = torch.rand(777, device="cuda").to(dtype)
    wide = x.float()
    want = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6) * w.float()
    got = ops.rms_norm(x, w, 1e-6)
    assert got.dtype == dtype
    assert (got.float() - want).abs().max().item() < tolerance
x, y = (torch.randn(1001, device="cuda", dtype=torch.float32).half() for _ in range(2))
want = (y.double() + 1.5 * x.double()).half()
ops.axpy_(y, x, 1.5)
assert torch.equal(y, want), (y.float() - want.float()).abs().max()
for kind in (torch.int64, torch.int32):
    index = torch.randint(0, 9, (200,), device="cuda").to(kind)
    grad = torch.randn(200, 13, device="cuda")
    want = torch.zeros(9, 13, device="cuda").index_add_(0, index.long(), grad)
    assert torch.allclose(ops.embedding_grad(index, grad, 9), want, atol=1e-4)
print("inline_half")
