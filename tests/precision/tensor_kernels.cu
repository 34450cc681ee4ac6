// target: rocm
// select: cuda-silent,cuda-ptx
// Kernels of a tensor library: wrappers of shuffles, block reductions with functors, quantization.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>

namespace lib {

// want: cuda-silent/warp-size-constant
constexpr int kWarpThreads = 32;
// want: cuda-silent/full-mask
constexpr unsigned kFinalMask = 0xffffffff;
constexpr int kMaxThreads = 1024;
// ok: cuda-silent/warp-size-constant
constexpr int kVecBytes = 32;
// ok: cuda-silent/warp-size-constant
constexpr int kMaxWarps = 32;
// ok: cuda-silent/full-mask
constexpr uint32_t kEmptySlot = 0xffffffff;
// ok: cuda-silent/full-mask
constexpr uint64_t kAllLanesOfAWave = ~0ull;

template <typename T>
__device__ __forceinline__ T xor_lanes(T value, int lane_mask, int width = kWarpThreads, unsigned mask = kFinalMask) {
// want: cuda-silent/cuda-version
#if CUDA_VERSION >= 9000
    return __shfl_xor_sync(mask, value, lane_mask, width);
#else
    return __shfl_xor(value, lane_mask, width);
#endif
}

// The distance is 16 because a warp has 32 lanes.
template <typename T, typename Op> __device__ T warp_all_reduce(T v, Op op) {
#pragma unroll
    // want: cuda-silent/warp-loop
    for (int mask = 16; mask > 0; mask >>= 1) v = op(v, __shfl_xor_sync(kFinalMask, v, mask));
    return v;
}

// Explicitly 32 lanes wide: each half of a wave does it for itself.
template <typename T> __device__ T half_safe(T v) {
    // ok: cuda-silent/warp-loop
    for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffff, v, mask, 32);
    return v;
}

template <typename T, int NUM> __device__ void warp_reduce_many(T *val) {
    for (int i = 0; i < NUM; i++) {
        for (int mask = 8; mask > 0; mask >>= 1) val[i] += __shfl_xor_sync(0xffffffff, val[i], mask);
    }
}

template <typename T> __inline__ __device__ T block_reduce(T val) {
    // ok: cuda-silent/warp-arithmetic
    static __shared__ T shared[32];
    // want: cuda-silent/warp-arithmetic
    int lane = threadIdx.x & 0x1f;
    // want: cuda-silent/warp-arithmetic
    int wid = threadIdx.x >> 5;
    val = half_safe(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    // want: cuda-silent/warp-arithmetic
    bool is_mask = threadIdx.x < (blockDim.x / 32);
    val = is_mask ? shared[lane] : (T)0;
    return half_safe(val);
}

__device__ float block_max(float v, float *smem) {
    // want: cuda-silent/warp-arithmetic
    const int warp_id = threadIdx.x / 32, lane_id = threadIdx.x % 32;
    // want: cuda-silent/warp-arithmetic
    const int num_warps = blockDim.x / 32;
    // want: cuda-silent/warp-loop
    for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_down_sync(0xFFFFFFFF, v, offset));
    if (lane_id == 0) smem[warp_id] = v;
    __syncthreads();
    if (warp_id == 0) {
        v = lane_id < num_warps ? smem[lane_id] : -INFINITY;
        for (int offset = num_warps / 2; offset > 0; offset /= 2) v = fmaxf(v, __shfl_down_sync(0xFFFFFFFF, v, offset));
    }
    return v;
}

// By the device's own width: right.
__device__ double block_sum(double v, double *buffer) {
    // ok: cuda-silent/warp-arithmetic
    const uint32_t warp_lane = threadIdx.x % warpSize;
    // ok: cuda-silent/warp-arithmetic
    const uint32_t warp_id = threadIdx.x / warpSize;
    // want: cuda-silent/full-mask
    const uint32_t mask = 0xffffffff;
    // ok: cuda-silent/warp-loop
    for (int offset = warpSize / 2; offset > 0; offset >>= 1) v += __shfl_down_sync(mask, v, offset);
    if (warp_lane == 0) buffer[warp_id] = v;
    return v;
}

// A thread takes 4 halves; tiles of 32 columns have nothing to do with warps.
__global__ void dequantize(const int8_t *in, __half *out, const float *scale, int rows, int cols) {
    // ok: cuda-silent/warp-arithmetic, cuda-silent/warp-arithmetic-hint
    const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    // ok: cuda-silent/warp-arithmetic
    const int tiles = (cols + 31) / 32;
    // ok: cuda-silent/warp-arithmetic
    const int tile_x = blockIdx.x % tiles, in_tile = blockIdx.y % 32;
    for (int k = 0; k < 4; k++) {
        const int at = group * 4 + k;
        // ok: cuda-silent/warp-arithmetic
        const int packed = in[at >> 5] >> (at & 31);
        if (at < rows * cols) out[at] = __float2half((packed & 1) * scale[tile_x + in_tile]);
    }
}

// ok: cuda-silent/warp-arithmetic
inline int blocks_for(int64_t n, int per_block) { return (int)((n + per_block - 1) / per_block); }

template <int kWarps> struct Traits {
    // want: cuda-silent/warp-arithmetic
    static constexpr int kThreads = kWarps * 32;
    // ok: cuda-silent/warp-arithmetic
    static constexpr int kTileM = kWarps * 16;
    // ok: cuda-silent/warp-arithmetic
    static constexpr int kBytes = kTileM * 32;
};

template <int kWarps> __global__ void __launch_bounds__(Traits<kWarps>::kThreads) rows(const float *x, float *y, int n) {
    // want: cuda-silent/warp-arithmetic
    const int row = blockIdx.x * kWarps + threadIdx.x / 32;
    const int lane = threadIdx.x % kWarpThreads;
    float s = 0;
    // ok: cuda-silent/warp-loop
    for (int c = lane; c < n; c += kWarpThreads) s += x[row * n + c];
    s = warp_all_reduce(s, [](float a, float b) { return a + b; });
    // ok: cuda-silent/warp-arithmetic
    if (lane == 0) y[row] = s;
    // want: cuda-silent/warp-arithmetic
    if (lane == 31) y[row + 1] = s;
}

void launch_rows(const float *x, float *y, int n, cudaStream_t stream) {
    const dim3 grid((n + 3) / 4);
    const dim3 block(32, 4);
    rows<4><<<grid, Traits<4>::kThreads, 0, stream>>>(x, y, n);
    // want: cuda-silent/warp-arithmetic
    int threads = std::min(((n + 31) / 32) * 32, kMaxThreads);
    rows<4><<<n, threads, (threads / kWarpThreads) * sizeof(float), stream>>>(x, y, n);
    (void)block;
}

// Lanes vote on what is out of range.
__global__ void clamp_count(const float *x, unsigned *count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool out = i < n && fabsf(x[i]) > 1.0f;
    // want: cuda-silent/lane-mask
    const unsigned ballot = __ballot_sync(kFinalMask, out);
    // want: cuda-silent/mask-bits
    if ((threadIdx.x % kWarpThreads) == 0 && ballot) atomicAdd(count, __popc(ballot));
    // ok: cuda-silent/mask-bits
    if (threadIdx.x == 0) atomicAdd(count + 1, __syncthreads_count(out));
    // ok: cuda-silent/lane-mask
    if (__any_sync(kFinalMask, out)) count[2] = 1;
}

struct Argmax {
    float value;
    int index;
};

__device__ Argmax warp_argmax(Argmax a) {
    // want: cuda-silent/warp-loop
    for (int delta = 16; delta; delta >>= 1) {
        Argmax b;
        b.value = __shfl_down_sync(kFinalMask, a.value, delta);
        b.index = __shfl_down_sync(kFinalMask, a.index, delta);
        if (b.value > a.value) a = b;
    }
    // ok: cuda-silent/warp-arithmetic
    a.index = __shfl_sync(kFinalMask, a.index, 0);
    return a;
}

__host__ __device__ inline float sigmoid(float x) {
// want: cuda-silent/device-guard
#if defined(__CUDA_ARCH__)
    return __fdividef(1.0f, 1.0f + __expf(-x));
#else
    return 1.0f / (1.0f + std::exp(-x));
#endif
}

__device__ __nv_bfloat162 fma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
// want: cuda-silent/arch-number
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 800)
    return __hfma2(a, b, c);
#else
    float2 x = __bfloat1622float2(a), y = __bfloat1622float2(b), z = __bfloat1622float2(c);
    return __floats2bfloat162_rn(x.x * y.x + z.x, x.y * y.y + z.y);
#endif
}

// ok: cuda-silent/arch-number
#if __CUDA_ARCH__ >= 700 || defined(__HIP_PLATFORM_AMD__)
#define HAS_FAST_HALF 1
#endif

// ok: cuda-silent/cuda-version
#if defined(USE_ROCM) && HIP_VERSION >= 60000000
#define HAS_HIP6 1
#endif

// want: cuda-silent/cuda-version
#if !defined(CUDA_VERSION) || CUDA_VERSION < 11080
#define NO_FP8 1
#endif

} // namespace lib
