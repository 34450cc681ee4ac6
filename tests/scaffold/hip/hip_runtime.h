// As much of HIP as the scaffolds use, on the host: waves of WAVE lanes made of fibers. The test
// turns kernel<<<grid, block>>>(...) into EMULATE(grid, block, kernel(...)).
#pragma once
#include "../fibers.hpp"

#include <cstring>

#define __global__ static
#define __device__ static
#define __shared__ static
#define EMULATE(grid, block, call) emulate(grid, block, [=] { call; })

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
static dim3 gridDim, blockDim, blockIdx;
struct ThreadIndex {
    struct X {
        operator unsigned() const { return static_cast<unsigned>(fibers::current % blockDim.x); }
    } x;
    struct Y {
        operator unsigned() const { return static_cast<unsigned>(fibers::current / blockDim.x); }
    } y;
};
static ThreadIndex threadIdx;
constexpr int warpSize = WAVE;

template <class F> void emulate(dim3 grid, dim3 block, F kernel)
{
    gridDim = grid;
    blockDim = block;
    fibers::wave = WAVE;
    for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
        for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
            fibers::run_block(block.x * block.y * block.z, kernel);
}

inline void __syncthreads() { fibers::meet_block(); }

inline float __shfl_down(float v, int delta, int width)
{
    static float words[1024];
    size_t at = fibers::current, lane = at % static_cast<size_t>(width);
    words[at] = v;
    fibers::meet_wave();
    float other = lane + static_cast<size_t>(delta) < static_cast<size_t>(width) ? words[at + delta] : v;
    fibers::meet_wave();
    return other;
}

enum hipError_t { hipSuccess = 0 };
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost };
inline const char *hipGetErrorString(hipError_t) { return "error"; }
inline hipError_t hipGetLastError() { return hipSuccess; }
inline hipError_t hipDeviceSynchronize() { return hipSuccess; }
inline hipError_t hipMalloc(void **p, size_t n)
{
    *p = std::malloc(n);
    return hipSuccess;
}
inline hipError_t hipMemcpy(void *to, const void *from, size_t n, hipMemcpyKind)
{
    std::memcpy(to, from, n);
    return hipSuccess;
}
