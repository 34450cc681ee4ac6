// SPDX-License-Identifier: Apache-2.0
// Suppression of boxes by a table of bits, which the host reads.
#include "voxel.h"
#include <ATen/cuda/CUDAContext.h>

#define DIVUP(m, n) ((m) / (n) + ((m) % (n) > 0))
int const threadsPerBlock = sizeof(unsigned long long) * 8;

__device__ inline float iou(float const *const a, float const *const b) {
    float left = max(a[0], b[0]), right = min(a[2], b[2]);
    float top = max(a[1], b[1]), bottom = min(a[3], b[3]);
    float width = max(right - left, 0.f), height = max(bottom - top, 0.f);
    float inter = width * height;
    return inter / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter);
}

__global__ void nms_kernel(const int n, const float threshold, const float *boxes, unsigned long long *mask) {
    const int row = blockIdx.y, col = blockIdx.x;
    const int rows = min(n - row * threadsPerBlock, threadsPerBlock);
    const int cols = min(n - col * threadsPerBlock, threadsPerBlock);
    __shared__ float block[threadsPerBlock * 4];
    if (threadIdx.x < cols)
        for (int i = 0; i < 4; i++)
            block[threadIdx.x * 4 + i] = boxes[(threadsPerBlock * col + threadIdx.x) * 4 + i];
    __syncthreads();
    if (threadIdx.x < rows) {
        const int mine = threadsPerBlock * row + threadIdx.x;
        unsigned long long t = 0;
        for (int i = row == col ? threadIdx.x + 1 : 0; i < cols; i++)
            if (iou(boxes + mine * 4, block + i * 4) > threshold) t |= 1ULL << i;
        mask[mine * DIVUP(n, threadsPerBlock) + col] = t;
    }
}

at::Tensor nms_cuda(const at::Tensor &boxes, const at::Tensor &scores, double threshold) {
    auto order = std::get<1>(scores.sort(0, true));
    auto sorted = boxes.index_select(0, order).contiguous();
    const int n = boxes.size(0), blocks = DIVUP(n, threadsPerBlock);
    auto mask = at::empty({n * blocks}, boxes.options().dtype(at::kLong));
    dim3 grid(blocks, blocks);
    nms_kernel<<<grid, threadsPerBlock, 0, at::cuda::getCurrentCUDAStream()>>>(
        n, threshold, sorted.data_ptr<float>(), (unsigned long long *)mask.data_ptr<int64_t>());
    std::vector<unsigned long long> host(n * blocks), removed(blocks, 0);
    AT_CUDA_CHECK(cudaMemcpy(host.data(), mask.data_ptr<int64_t>(), host.size() * sizeof(unsigned long long),
                             cudaMemcpyDeviceToHost));
    auto keep = at::empty({n}, boxes.options().dtype(at::kLong).device(at::kCPU));
    int64_t *to = keep.data_ptr<int64_t>();
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (removed[i / threadsPerBlock] & (1ULL << (i % threadsPerBlock))) continue;
        to[kept++] = i;
        for (int j = i / threadsPerBlock; j < blocks; j++) removed[j] |= host[i * blocks + j];
    }
    return order.index({keep.narrow(0, 0, kept).to(order.device())});
}
