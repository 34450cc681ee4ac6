// target: rocm
// select: cuda-silent,cuda-ptx
// Guards, limits and instructions as libraries write them.
#include <cuda_runtime.h>
#include <cuda_bf16.h>

// want: cuda-silent/arch-number
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define NO_INDEPENDENT_THREADS
#endif
// want: cuda-silent/arch-defined
#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 530)
#define HAS_HALF
#endif
// want: cuda-silent/device-guard
#if defined __CUDA_ARCH__
#define ON_DEVICE 1
#elif defined(HOST_ONLY)
#define ON_DEVICE 0
#endif
// want: cuda-silent/cuda-version
#if defined(CUDA_VERSION) && CUDA_VERSION >= 12000
#define HAS_FP8
#endif
// want: cuda-silent/cuda-version
#if CUDART_VERSION < 9000
#define OLD_SHUFFLES
#endif
// want: cuda-silent/cuda-version
#if __CUDACC_VER_MAJOR__ >= 11
#define HAS_BF16
#endif
// ok: cuda-silent/cuda-version
#if MY_CUDA_VERSION_MINIMUM >= 11000
#define MINIMUM
#endif

static __device__ uint32_t vote(bool p) {
    // want: cuda-silent/lane-mask-return
    return __ballot(p);
}

int pick(int device) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, device);
    // want: cuda-silent/capability
    if (prop.major < 8 || (prop.major == 8 && prop.minor < 6)) return -1;
    // want: cuda-silent/capability
    const int sm = 10 * prop.major + prop.minor;
    // ok: cuda-silent/capability
    std::string label = std::to_string(prop.major) + "." + std::to_string(prop.minor);
    // ok: cuda-silent/capability
    bool big = prop.sharedMemPerBlock >= 96 * 1024;
    // want: cuda-silent/warp-arithmetic
    int warps = prop.maxThreadsPerMultiProcessor / 32;
    // ok: cuda-silent/warp-arithmetic
    int rounded = prop.maxThreadsPerMultiProcessor / prop.warpSize;
    return sm + warps + rounded + big + label.size();
}

constexpr int kStages = 4;
constexpr int kTileBytes = 128 * 64 * 2;

void start(float *x, int *n, cudaStream_t stream) {
    // want: cuda-silent/shared-memory
    gemm<<<dim3(8, 8), 256, kStages * kTileBytes * 2, stream>>>(x);
    // ok: cuda-silent/shared-memory
    gemm<<<dim3(8, 8), 256, kStages * kTileBytes, stream>>>(x);
    // want: cuda-silent/shared-memory
    gemm<<<1, 256, 96 << 10>>>(x);
    // want: cuda-silent/shared-memory-attribute
    cudaFuncSetAttribute((const void *)gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, kTileBytes);
    // want: cuda-silent/managed-memory
    cudaMallocManaged((void **)&n, sizeof(int));
    // want: cuda-silent/launch-size
    fill<<<dim3(65536, 128), 1024>>>(x);
    // ok: cuda-silent/launch-size
    fill<<<dim3(65535, 2), 256>>>(x);
}

__device__ float tricks(float v, const int *p) {
    float r;
    // want: cuda-ptx/inline
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
    int loaded;
    // want: cuda-ptx/inline
    __asm__ __volatile__("ld.global.nc.L1::no_allocate.b32 %0, [%1];" : "=r"(loaded) : "l"(p));
    // want: cuda-ptx/inline
    asm volatile("bar.sync 1, 64;" ::: "memory");
    // want: cuda-ptx/inline
    asm volatile("griddepcontrol.wait;");
    // ok: cuda-ptx/inline
    asm volatile("" ::: "memory");
    // ok: cuda-ptx/inline
    const char *text = "asm volatile(\"membar.gl;\")";
    // want: cuda-silent/float8-limit
    const float inverse = 1.0f / 448.0f;
    return r + loaded + inverse + text[0];
}

__global__ void halves(__nv_bfloat16 *sum, double *total) {
    // want: cuda-silent/float-atomic
    atomicAdd(total, 1.0);
}

__device__ void tail(volatile int *data, int tid) {
    // want: cuda-silent/warp-synchronous
    if (tid < 16) data[tid] += data[tid + 16];
    if (tid < 8) data[tid] += data[tid + 8];
}

void quantized() {
    // ok: cuda-silent/wmma-tile
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> acc;
    // want: cuda-silent/float8
    cublasLtMatrixLayoutCreate(&layout, CUDA_R_8F_E4M3, 16, 16, 16);
}
