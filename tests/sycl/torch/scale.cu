// SPDX-License-Identifier: Apache-2.0
// An extension of PyTorch's, with a main() in place of its binding: streams, guards, checks,
// dispatch, accessors, a kernel that writes where another one reads.
#include <torch/extension.h>

#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <cstdio>

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " is no tensor of the device's")

template <typename scalar_t>
__global__ void scale_kernel(const scalar_t *in, scalar_t *out, scalar_t by, int n) {
    __shared__ scalar_t part[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : scalar_t(0);
    __syncthreads();
    if (i < n) out[i] = part[63 - threadIdx.x] * by;
}

template <typename scalar_t>
__global__ void C10_LAUNCH_BOUNDS_1(64) rows_kernel(
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> in,
    scalar_t *sums) {
    CUDA_KERNEL_LOOP(row, in.size(0)) {
        for (int k = 0; k < in.size(1); k++) gpuAtomicAdd(sums + row, in[row][k]);
    }
}

torch::Tensor scaled(torch::Tensor in, double by) {
    CHECK_CUDA(in);
    const at::cuda::OptionalCUDAGuard device_guard(device_of(in));
    auto out = torch::empty_like(in);
    const int n = in.numel();
    cudaStream_t stream = at::cuda::getCurrentCUDAStream();
    AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "scaled", ([&] {
        scale_kernel<scalar_t><<<(n + 63) / 64, 64, 0, stream>>>(
            in.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), by, n);
    }));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return out;
}

torch::Tensor sums_of_rows(torch::Tensor in) {
    TORCH_CHECK(at::cuda::check_device({in}), "on another device");
    const at::cuda::CUDAGuard device_guard(in.get_device());
    auto sums = torch::zeros({in.size(0)}, in.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "sums_of_rows", ([&] {
        rows_kernel<scalar_t><<<2, 64>>>(
            in.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            sums.data_ptr<scalar_t>());
    }));
    AT_CUDA_CHECK(cudaGetLastError());
    return sums;
}

template <typename T> __global__ void count(T *numbers) {
    gpuAtomicAdd(numbers + threadIdx.x % 3, T(1));
    atomicAdd(numbers + 3, T(2));
}
template <typename T> bool counts() {
    T *numbers;
    AT_CUDA_CHECK(cudaMallocManaged(&numbers, 4 * sizeof(T)));
    for (int i = 0; i < 4; i++) numbers[i] = T(0);
    count<T><<<1, 33>>>(numbers);
    AT_CUDA_CHECK(cudaDeviceSynchronize());
    const bool right = numbers[0] == T(11) && numbers[2] == T(11) && numbers[3] == T(66);
    AT_CUDA_CHECK(cudaFree(numbers));
    return right;
}

template <typename scalar_t> bool is_right(at::ScalarType type) {
    auto in = torch::zeros({200, 64}, type);
    for (int i = 0; i < in.numel(); i++) in.data_ptr<scalar_t>()[i] = i % 64;
    auto side = at::cuda::getStreamFromPool();
    bool right = true;
    torch::Tensor out = scaled(in, 2), more = out;
    torch::Tensor sums = sums_of_rows(out); // behind it: both are in the current stream
    at::cuda::getCurrentCUDAStream().synchronize();
    {
        at::cuda::CUDAStreamGuard guard(side);
        right = right && at::cuda::getCurrentCUDAStream() == side;
        more = scaled(out, 3);
        AT_CUDA_CHECK(cudaStreamSynchronize(side.stream()));
    }
    right = right && at::cuda::getCurrentCUDAStream() == at::cuda::getDefaultCUDAStream();
    for (int i = 0; i < more.numel(); i++)
        right = right && more.data_ptr<scalar_t>()[i] == 6 * (i % 64);
    for (int row = 0; row < 200; row++)
        right = right && sums.data_ptr<scalar_t>()[row] == 63 * 64;
    return right && at::cuda::getCurrentDeviceProperties()->multiProcessorCount > 0;
}

int main() {
    bool refused = false;
    try {
        C10_CUDA_CHECK(cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyKind(9)));
    } catch (const std::exception &) {
        refused = true;
    }
    refused = refused && counts<float>() && counts<c10::Half>() && counts<c10::BFloat16>();
    puts(refused && is_right<float>(at::kFloat) && is_right<double>(at::kDouble) ? "PASS" : "FAIL");
}
