// SPDX-License-Identifier: Apache-2.0
// How many points lie in each cell, counted in shared memory where it fits.
#include "voxel.h"
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

struct Grid {
    float cell[3];
    int size[3];
    __host__ __device__ int cells() const { return size[0] * size[1] * size[2]; }
    __device__ int of(float x, float y, float z) const {
        const int i = floorf(x / cell[0]), j = floorf(y / cell[1]), k = floorf(z / cell[2]);
        if (i < 0 || j < 0 || k < 0 || i >= size[0] || j >= size[1] || k >= size[2]) return -1;
        return (i * size[1] + j) * size[2] + k;
    }
};

template <typename scalar_t, bool SHARED>
__global__ void __launch_bounds__(256) voxelize_kernel(const scalar_t *points, int n, Grid grid, int *counts) {
    extern __shared__ int local[];
    if (SHARED) {
        for (int i = threadIdx.x; i < grid.cells(); i += blockDim.x) local[i] = 0;
        __syncthreads();
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const int cell = grid.of(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
        if (cell >= 0) atomicAdd((SHARED ? local : counts) + cell, 1);
    }
    if (SHARED) {
        __syncthreads();
        for (int i = threadIdx.x; i < grid.cells(); i += blockDim.x)
            if (local[i]) atomicAdd(counts + i, local[i]);
    }
}

at::Tensor voxelize_cuda(const at::Tensor &points, std::vector<double> cell, std::vector<int64_t> size) {
    at::cuda::CUDAGuard device_guard(points.device());
    Grid grid;
    for (int i = 0; i < 3; i++) grid.cell[i] = cell[i], grid.size[i] = size[i];
    auto counts = at::zeros({size[0], size[1], size[2]}, points.options().dtype(at::kInt));
    auto stream = at::cuda::getCurrentCUDAStream();
    const int n = points.size(0);
    const size_t bytes = grid.cells() * sizeof(int);
    const bool fits = bytes <= at::cuda::getCurrentDeviceProperties()->sharedMemPerBlock;
    auto p = points.contiguous();
    AT_DISPATCH_FLOATING_TYPES(points.scalar_type(), "voxelize", [&] {
        if (fits)
            voxelize_kernel<scalar_t, true><<<8, 256, bytes, stream>>>(p.data_ptr<scalar_t>(), n, grid, counts.data_ptr<int>());
        else
            voxelize_kernel<scalar_t, false><<<8, 256, 0, stream>>>(p.data_ptr<scalar_t>(), n, grid, counts.data_ptr<int>());
    });
    AT_CUDA_CHECK(cudaGetLastError());
    return counts;
}
