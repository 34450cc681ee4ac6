// target: rocm
// select: cuda-silent,cuda-ptx
// The host's part: how many warps, how much shared memory, which toolkit, which GPU; and tiles of groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <cub/cub.cuh>
#include <cstdio>
using namespace cooperative_groups;

__global__ void step(float *x, int n);
__global__ void rowwise(float *x, int n);

// want: cuda-silent/cuda-version
#if CUDART_VERSION >= 11000
#define HAVE_ASYNC_ALLOC 1
#endif

// want: cuda-silent/cuda-version
#if (CUDART_VERSION < 9000)
#define SHFL(v, l) __shfl(v, l)
#else
#define SHFL(v, l) __shfl_sync(0xffffffff, v, l)
#endif

// want: cuda-silent/cuda-version
#if defined(CUDA_VERSION) && CUDA_VERSION >= 12080
#include <cuda_fp4.h>
#endif

#if CUSPARSE_VERSION >= 11400
#define SPMV_ALG CUSPARSE_SPMV_ALG_DEFAULT
#endif

// want: cuda-silent/cuda-version
#if __CUDACC_VER_MAJOR__ >= 11
#define BIG_KERNEL_ARGS
#endif

// ok: cuda-silent/cuda-version
#if !defined(__HIP_PLATFORM_AMD__) && CUDA_VERSION >= 11000
#define NVIDIA_ONLY
#endif

// ok: cuda-silent/cuda-version
#ifdef CUDA_VERSION
#define TOOLKIT CUDA_VERSION
#endif

// want: cuda-silent/arch-number
#if !(defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)
#define WITH_BF16
#endif

__device__ double add(double *p, double v) {
// want: cuda-silent/arch-number-old
#if __CUDA_ARCH__ >= 600
    return atomicAdd(p, v);
#else
    unsigned long long *q = (unsigned long long *)p, old = *q, seen;
    do {
        seen = old;
        old = atomicCAS(q, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
#endif
}

struct Limits {
    __host__ __device__ operator float() const {
// want: cuda-silent/device-guard
#ifdef __CUDA_ARCH__
        return __int_as_float(0x7f800000);
#else
        return 1e30f;
#endif
    }
};

int version_at_run_time() {
    int v = 0;
    cudaRuntimeGetVersion(&v);
    // ok: cuda-silent/cuda-version
    return v >= 11020;
}

void launches(float *x, int n, cudaStream_t stream) {
    const int warps_per_block = 8;
    // want: cuda-silent/warp-arithmetic
    const int threads = warps_per_block * 32;
    // ok: cuda-silent/warp-arithmetic
    const int padded = (n + 31) / 32 * 32;
    // want: cuda-silent/warp-arithmetic
    const int warps = (threads + 31) / 32;
    // ok: cuda-silent/shared-memory
    step<<<padded / threads, threads, 64 * 1024, stream>>>(x, n);
    // want: cuda-silent/shared-memory
    step<<<padded / threads, threads, 24 * 1024 * sizeof(float), stream>>>(x, warps);
    constexpr int stages = 3;
    constexpr size_t tile_bytes = 128 * 128 * sizeof(short);
    const size_t bytes = stages * tile_bytes;
    // want: cuda-silent/shared-memory
    cudaFuncSetAttribute(rowwise, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    // want: cuda-silent/shared-memory
    rowwise<<<n, 256, bytes>>>(x, n);
    const size_t small = 2 * 128 * 64 * sizeof(float);
    // ok: cuda-silent/shared-memory
    rowwise<<<n, 256, small>>>(x, n);
    // want: cuda-silent/launch-size
    step<<<dim3(1 << 20, 16), 256>>>(x, n);
    // ok: cuda-silent/launch-size
    step<<<dim3(1 << 10, 16), 256>>>(x, n);
}

bool fits(int device, size_t need) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, device);
    // want: cuda-silent/capability
    if (prop.major < 7) return false;
    // want: cuda-silent/capability
    const bool ampere = prop.major * 10 + prop.minor >= 80;
    // want: cuda-silent/capability
    if (prop.major == 8 && prop.minor == 6) need /= 2;
    // ok: cuda-silent/capability
    if (need > prop.sharedMemPerBlockOptin) return false;
    int major;
    // want: cuda-silent/capability
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (major >= 9) return true;
    // ok: cuda-silent/capability
    return ampere && prop.multiProcessorCount >= 8;
}

// Tiles, with all the names of the namespace at hand.
__global__ void norms(const float *in, float *out, int c) {
    thread_block block = this_thread_block();
    thread_block_tile<32> warp = tiled_partition<32>(block);
    float sum = 0;
    for (int i = warp.thread_rank(); i < c; i += warp.size()) sum += in[i] * in[i];
    // want: cuda-silent/cooperative-groups
    sum = reduce(warp, sum, plus<float>{});
    // want: cuda-silent/cooperative-groups
    const float top = reduce(warp, sum, greater<float>());
    // ok: cuda-silent/lane-mask
    unsigned voted = warp.ballot(sum > 0);
    // ok: cuda-silent/mask-bits
    if (warp.thread_rank() == 0) out[blockIdx.x] = sum + top + __popc(voted);
}

__global__ void quads(const float *in, float *out) {
    auto tile = tiled_partition<4>(this_thread_block());
    float v = in[threadIdx.x];
    // ok: cuda-silent/warp-loop
    for (int d = tile.size() / 2; d > 0; d >>= 1) v += tile.shfl_down(v, d);
    // ok: cuda-silent/cooperative-groups
    if (tile.thread_rank() == 0) out[threadIdx.x / 4] = v;
}

// A reduction of one's own, with the same name.
__device__ float reduce(const float *shared, float v, int n);
__global__ void own_reduce(float *x) {
    __shared__ float s[64];
    // ok: cuda-silent/cooperative-groups
    x[0] = reduce(s, x[1], 64);
}

__global__ void filter(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        coalesced_group active = coalesced_threads();
        int base;
        // ok: cuda-silent/warp-arithmetic
        if (active.thread_rank() == 0) base = atomicAdd(count, active.size());
        out[active.shfl(base, 0) + active.thread_rank()] = in[i];
        // want: cuda-silent/lane-mask
        unsigned int even = active.ballot(in[i] % 2 == 0);
        out[0] = even;
    }
}

// want: cuda-silent/float8
__device__ float widen(__nv_fp8_e4m3 v) { return float(v); }
__device__ unsigned char narrow(float v) { return __nv_cvt_float_to_fp8(v, __NV_SATFINITE, __NV_E4M3); }
__global__ void scale(const float *in, unsigned char *out, float amax) {
    // want: cuda-silent/float8-limit
    const float s = amax / 448.0f;
    // ok: cuda-silent/float8-limit
    const int column = threadIdx.x + 448;
    out[column] = narrow(in[threadIdx.x] / s);
}

__global__ void tile_scan(int *x) {
    // want: cuda-silent/cub-warp
    using WarpScan = cub::WarpScan<int>;
    __shared__ typename WarpScan::TempStorage storage[4];
    int v = x[threadIdx.x];
    // want: cuda-silent/warp-arithmetic
    WarpScan(storage[threadIdx.x / 32]).InclusiveSum(v, v);
    x[threadIdx.x] = v;
}

__device__ unsigned lanes_below() {
    unsigned m;
    // want: cuda-ptx/inline
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
    return m;
}
__device__ float fast_log2(float x) {
    float y;
    // want: cuda-ptx/inline
    asm volatile("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
inline unsigned long long ticks() {
    unsigned lo, hi;
    // ok: cuda-ptx/inline
    __asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi));
    return ((unsigned long long)hi << 32) | lo;
}
inline void fence() {
    // ok: cuda-ptx/inline
    asm volatile("" ::: "memory");
}
