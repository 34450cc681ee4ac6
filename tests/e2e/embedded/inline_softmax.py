# SPDX-License-Identifier: Apache-2.0
# load_inline: a softmax of rows by shuffles, and a product by tiles in dynamic shared memory.
import torch
from torch.utils.cpp_extension import load_inline

source = r"""
#include <cfloat>

#define FULL_MASK 0xffffffff
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__inline__ __device__ float warp_max(float v) {
#pragma unroll
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        v = fmaxf(v, __shfl_xor_sync(FULL_MASK, v, offset));
    return v;
}

__inline__ __device__ float warp_sum(float v) {
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(FULL_MASK, v, offset);
    return __shfl_sync(FULL_MASK, v, 0);
}

template <int THREADS>
__global__ void softmax_rows(const float *in, float *out, int cols) {
    __shared__ float partial[THREADS / 32];
    const float *row = in + (size_t)blockIdx.x * cols;
    float *to = out + (size_t)blockIdx.x * cols;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

    float m = -FLT_MAX;
    for (int i = threadIdx.x; i < cols; i += THREADS) m = fmaxf(m, row[i]);
    m = warp_max(m);
    if (lane == 0) partial[warp] = m;
    __syncthreads();
    m = lane < THREADS / 32 ? partial[lane] : -FLT_MAX;
    m = warp_max(m);
    __syncthreads();

    float s = 0.f;
    for (int i = threadIdx.x; i < cols; i += THREADS) s += __expf(row[i] - m);
    s = warp_sum(s);
    if (lane == 0) partial[warp] = s;
    __syncthreads();
    if (warp == 0) {
        s = lane < THREADS / 32 ? partial[lane] : 0.f;
        s = warp_sum(s);
        if (lane == 0) partial[0] = s;
    }
    __syncthreads();
    const float inv = 1.f / partial[0];
    for (int i = threadIdx.x; i < cols; i += THREADS) to[i] = __expf(row[i] - m) * inv;
}

extern __shared__ float tiles[];
__global__ void matmul_tiled(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k, int tile) {
    float *ta = tiles, *tb = tiles + tile * tile;
    const int r = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
    float acc = 0.f;
    for (int p = 0; p < k; p += tile) {
        ta[threadIdx.y * tile + threadIdx.x] =
            r < m && p + threadIdx.x < k ? a[r * k + p + threadIdx.x] : 0.f;
        tb[threadIdx.y * tile + threadIdx.x] =
            col < n && p + threadIdx.y < k ? b[(p + threadIdx.y) * n + col] : 0.f;
        __syncthreads();
        for (int q = 0; q < tile; q++) acc += ta[threadIdx.y * tile + q] * tb[q * tile + threadIdx.x];
        __syncthreads();
    }
    if (r < m && col < n) c[r * n + col] = acc;
}

torch::Tensor softmax(torch::Tensor x) {
    TORCH_CHECK(x.device().is_cuda(), "x must be a CUDA tensor");
    TORCH_CHECK(x.is_contiguous(), "x must be contiguous");
    auto y = torch::empty(x.sizes(), x.options());
    softmax_rows<256><<<x.size(0), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
}

torch::Tensor matmul(torch::Tensor a, torch::Tensor b) {
    int m = a.size(0), k = a.size(1), n = b.size(1), tile = 16;
    auto c = torch::zeros({m, n}, torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA, a.get_device()));
    dim3 block(tile, tile), grid(CEIL_DIV(n, tile), CEIL_DIV(m, tile));
    matmul_tiled<<<grid, block, 2 * tile * tile * sizeof(float)>>>(
        a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), m, n, k, tile);
    cudaError_t err = cudaGetLastError();
    TORCH_CHECK(err == cudaSuccess, "matmul failed: ", cudaGetErrorString(err));
    return c;
}
"""

module = load_inline(
    name="rows",
    cpp_sources=["torch::Tensor softmax(torch::Tensor x);",
                 "torch::Tensor matmul(torch::Tensor a, torch::Tensor b);"],
    cuda_sources=[source],
    functions={"softmax": "softmax of rows", "matmul": "a product"},
    verbose=False,
)

torch.manual_seed(2)
x = torch.randn(5, 1000).cuda() * 4
got = module.softmax(x)
assert got.is_cuda == x.is_cuda
assert torch.allclose(got.cpu(), torch.softmax(x.cpu(), dim=1), atol=1e-6)
a, b = torch.randn(37, 50, device="cuda"), torch.randn(50, 29, device="cuda")
assert torch.allclose(module.matmul(a, b), a @ b, atol=1e-4)
try:
    module.softmax(x.t())
    print("accepted")
except RuntimeError as error:
    assert "contiguous" in str(error)
print("inline_softmax")
