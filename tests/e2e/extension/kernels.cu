// SPDX-License-Identifier: Apache-2.0
#include "ops.h"

template <typename T> __global__ void scale_kernel(const T *in, T *out, T f, int64_t n) {
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * f;
}
template <typename T> __global__ void row_sum_kernel(const T *in, T *out, int columns) {
    __shared__ T part[128];
    T sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += in[blockIdx.x * columns + i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
torch::Tensor scale_cuda(torch::Tensor x, double f) {
    auto out = torch::empty_like(x);
    const int64_t n = x.numel();
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", ([&] {
        scale_kernel<scalar_t><<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
            x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), (scalar_t)f, n);
    }));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return out;
}
torch::Tensor row_sum_cuda(torch::Tensor x) {
    auto out = torch::empty({x.size(0)}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "row_sum", ([&] {
        row_sum_kernel<scalar_t><<<x.size(0), 128>>>(x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), x.size(1));
    }));
    return out;
}
