// target: rocm
// select: cuda-silent,cuda-ptx
// An attention kernel: copies by PTX, tensor cores, a lot of shared memory, fp8 caches.
#include <cuda_fp8.h>
#include <cuda_runtime.h>
// want: cuda-silent/tensor-core
#include <cute/algorithm/gemm.hpp>

using fp8_t = unsigned char;

__device__ __forceinline__ void copy_async_16(void *to, const void *from) {
// want: cuda-silent/arch-number
#if __CUDA_ARCH__ >= 800
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    // want: cuda-ptx/inline
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(address), "l"(from));
#else
    *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
#endif
}

__device__ __forceinline__ void copy_wait() {
    // want: cuda-ptx/inline
    asm volatile("cp.async.wait_all;\n" ::);
}

// want: cuda-ptx/inline
#define LDMATRIX(r, address) asm volatile("ldmatrix.sync.aligned.x1.m8n8.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(address))

__device__ __forceinline__ float exp2_fast(float x) {
    float y;
    // want: cuda-ptx/inline
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

template <int kHeadDim, int kStages> struct Shape {
    static constexpr int kBlockM = 128;
    static constexpr int kBlockN = 128;
    static constexpr int kNWarps = 8;
    // want: cuda-silent/warp-arithmetic
    static constexpr int kNThreads = kNWarps * 32;
    static constexpr int kSmemBytes = kStages * kBlockN * kHeadDim * 2;
};

template <typename S> __global__ void __launch_bounds__(S::kNThreads, 1) forward(const half *q, half *o, float scale) {
    extern __shared__ char smem[];
    const int tid = threadIdx.x;
    // want: cuda-silent/warp-arithmetic
    const int warp = tid / 32;
    // want: cuda-silent/warp-arithmetic
    const int lane = tid % 32;
    // ok: cuda-silent/warp-arithmetic
    const int quad = lane / 4, in_quad = lane % 4;
    float m = -INFINITY;
    // ok: cuda-silent/warp-loop
    for (int d = 1; d < 4; d <<= 1) m = fmaxf(m, __shfl_xor_sync(uint32_t(-1), m, d));
    copy_async_16(smem + tid * 16, q + tid * 8);
    copy_wait();
    __syncthreads();
    // ok: cuda-silent/warp-arithmetic
    const int row = warp * 16 + quad, col = in_quad * 2;
    o[row * 64 + col] = __float2half(exp2_fast(m * scale));
}

void run(const half *q, half *o, int batch, cudaStream_t stream) {
    using S = Shape<128, 3>;
    auto kernel = &forward<S>;
    // want: cuda-silent/shared-memory-attribute
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSmemBytes);
    kernel<<<batch, S::kNThreads, S::kSmemBytes, stream>>>(q, o, 1.0f);
    constexpr int big = 160 * 1024;
    // want: cuda-silent/shared-memory
    cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, big);
    // want: cuda-silent/shared-memory
    kernel<<<batch, S::kNThreads, big, stream>>>(q, o, 1.0f);
    size_t bytes = 48 << 10;
    // ok: cuda-silent/shared-memory
    kernel<<<batch, S::kNThreads, bytes, stream>>>(q, o, 1.0f);
    // ok: cuda-silent/shared-memory
    kernel<<<batch, S::kNThreads, 64 << 10, stream>>>(q, o, 1.0f);
}

int pick(int device) {
    cudaDeviceProp props;
    cudaGetDeviceProperties(&props, device);
    // want: cuda-silent/capability
    const bool is_sm90 = props.major == 9 && props.minor == 0;
    // want: cuda-silent/capability
    const int sm = props.major * 10 + props.minor;
    if (sm >= 80 && sm < 90) return 1;
    // ok: cuda-silent/capability
    if (props.totalGlobalMem > (size_t(40) << 30)) return 2;
    // ok: cuda-silent/capability
    return is_sm90 ? 3 : props.multiProcessorCount > 100 ? 4 : 5;
}

struct Version {
    int major, minor;
};
bool newer(const Version &v) {
    // ok: cuda-silent/capability
    return v.major >= 8;
}

// want: cuda-silent/float8
template <> struct Cache<__nv_fp8_e4m3> {
    // want: cuda-silent/float8-limit
    static constexpr float kMax = 448.f;
};

__device__ fp8_t to_cache(float x, float scale) {
    // want: cuda-silent/float8-limit
    const float v = fminf(fmaxf(x * scale, -448.0f), 448.0f);
    return (fp8_t)__nv_cvt_float_to_fp8(v, __NV_SATFINITE, __NV_E4M3);
}

// Sizes that are no limits of a format.
// ok: cuda-silent/float8-limit
constexpr int kImageSide = 448;

__device__ int elect() {
    unsigned pred = 0;
    // want: cuda-ptx/inline
    asm volatile("{\n .reg .pred p;\n elect.sync _|p, %1;\n selp.b32 %0, 1, 0, p;\n}\n" : "=r"(pred) : "r"(0xffffffff));
    return pred;
}

__device__ __forceinline__ int canonical_warp() {
    // want: cuda-silent/warp-arithmetic
    return __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
}

__device__ __forceinline__ void barrier(int id, int threads) {
    // want: cuda-ptx/inline
    asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads));
}
