// SPDX-License-Identifier: Apache-2.0
// h[t] = a[t] * h[t - 1] + b[t] over rows, by a block's scan of pairs with CUB; sorts of segments
// by Thrust.
#include <ATen/cuda/CUDAContext.h>
#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <torch/extension.h>

struct Step {
    float a, b;
};
struct Compose {
    __device__ __forceinline__ Step operator()(const Step &first, const Step &second) const {
        return {first.a * second.a, second.a * first.b + second.b};
    }
};
// What the last block of steps came to, for the next.
struct Carry {
    Step running;
    __device__ explicit Carry(Step start) : running(start) {}
    __device__ Step operator()(Step block) {
        Step before = running;
        running = Compose()(running, block);
        return before;
    }
};

template <int THREADS, int ITEMS>
__global__ void scan_kernel(const float *a, const float *b, float *h, int length) {
    using Load = cub::BlockLoad<float, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<Step, THREADS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
    } memory;
    const float *ra = a + blockIdx.x * length, *rb = b + blockIdx.x * length;
    float *rh = h + blockIdx.x * length;
    Carry carry(Step{1.f, 0.f});
    for (int first = 0; first < length; first += THREADS * ITEMS) {
        float va[ITEMS], vb[ITEMS];
        Step steps[ITEMS];
        Load(memory.load).Load(ra + first, va, length - first, 1.f);
        __syncthreads();
        Load(memory.load).Load(rb + first, vb, length - first, 0.f);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) steps[i] = {va[i], vb[i]};
        Scan(memory.scan).InclusiveScan(steps, steps, Compose(), carry);
        __syncthreads();
        for (int i = 0; i < ITEMS; ++i) {
            const int at = first + threadIdx.x * ITEMS + i;
            if (at < length) rh[at] = steps[i].b;
        }
    }
}

torch::Tensor linear_scan(torch::Tensor a, torch::Tensor b) {
    TORCH_CHECK(a.is_cuda() && b.is_cuda() && a.sizes() == b.sizes());
    auto h = torch::empty_like(b);
    scan_kernel<64, 4><<<a.size(0), 64, 0, at::cuda::getCurrentCUDAStream()>>>(
        a.data_ptr<float>(), b.data_ptr<float>(), h.data_ptr<float>(), (int)a.size(1));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return h;
}

torch::Tensor sort_pairs(torch::Tensor keys, torch::Tensor values) {
    auto k = keys.clone(), v = values.clone();
    auto stream = at::cuda::getCurrentCUDAStream();
    thrust::stable_sort_by_key(thrust::cuda::par.on(stream), thrust::device_ptr<int>(k.data_ptr<int>()),
                               thrust::device_ptr<int>(k.data_ptr<int>() + k.numel()),
                               thrust::device_ptr<float>(v.data_ptr<float>()), thrust::greater<int>());
    return v;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("linear_scan", &linear_scan);
    m.def("sort_pairs", &sort_pairs);
}
