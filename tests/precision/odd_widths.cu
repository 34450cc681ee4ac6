// target: rocm
// select: cuda-silent,cuda-ptx
// Widths, bounds and guards in forms that benchmarks write: at most 32, sums with a lane, counts of warps.
#include <cuda_runtime.h>

template <int kNThreads> struct Exchange {
    // want: cuda-silent/warp-size-constant
    static constexpr int kWarpSize = kNThreads < 32 ? kNThreads : 32;
    // ok: cuda-silent/warp-size-constant
    static constexpr int kRows = kNThreads < 32 ? kNThreads : 32;
};

// want: cuda-silent/cuda-version
#if (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1202)
#define OLD_TOOLKIT
#endif

// want: cuda-silent/cuda-version
#if CUDNN_VERSION >= 8900
#define NEW_DNN
#endif

__global__ void strided_sums(const int *in, int *out, int stride) {
    constexpr unsigned threads(256);
    // want: cuda-silent/warp-arithmetic
    constexpr unsigned warpNum(threads / 32);
    // want: cuda-silent/warp-arithmetic
    const int lane = threadIdx.x & 31;
    // want: cuda-silent/warp-arithmetic
    unsigned warpid(threadIdx.x >> 5);
    int v = in[threadIdx.x];
    // want: cuda-silent/warp-loop
    for (int d = stride; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += u;
    }
    // want: cuda-silent/warp-loop
    for (int mask = 1; mask < 0x1f; mask *= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
    // ok: cuda-silent/warp-loop
    for (unsigned c = warpNum / 2; c > 0; c /= 2) v += __shfl_down_sync(0xffffffff, v, c);
    // ok: cuda-silent/warp-loop
    for (int mask = 1; mask < 16; mask *= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
    // want: cuda-silent/warp-arithmetic
    if (lane + stride > 31) out[warpid] = v;
    // ok: cuda-silent/warp-arithmetic
    if (v + stride > 31) out[warpid] = 0;
}

// The highest bit, moved by how many neighbours there are: no lane counts here.
__global__ void first_free(const int *next, unsigned *colours, int from, int to) {
    const int lane = threadIdx.x % warpSize;
    unsigned taken = 0;
    for (int i = from + lane; __any_sync(0xffffffff, i < to); i += warpSize)
        // ok: cuda-silent/lane-shift
        if (i < to) taken |= 0x80000000u >> (i - from);
    // ok: cuda-silent/mask-bits
    colours[lane] = __clz(taken) + __popc(taken);
}

// A part of the prefix sum that only the width of a warp keeps in order, with fences that are no barriers.
__device__ int fenced(volatile int *sums, int i, int v) {
    sums[i] = v;
    __threadfence_block();
    // want: cuda-silent/warp-synchronous
    sums[i] += sums[i - 1];
    __threadfence_block();
    sums[i] += sums[i - 2];
    __threadfence_block();
    sums[i] += sums[i - 4];
    return sums[i];
}

// Four stores of one thread, and a stencil: nobody waits for anybody.
__device__ void stores(float *c, const float *a, int at) {
    // ok: cuda-silent/warp-synchronous
    c[at + 8] = a[at];
    c[at + 16] = a[at + 1];
    // ok: cuda-silent/warp-synchronous
    c[at] = a[at - 1] + a[at + 1] + a[at - 2] + a[at + 2] + a[at - 4] + a[at + 4];
}
