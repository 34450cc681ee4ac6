// target: rocm
// select: cuda-silent,cuda-ptx
// Guards: is this device code, which architecture, which toolkit.
#include <cuda_runtime.h>

// want: cuda-silent/device-guard
#ifdef __CUDA_ARCH__
#define HD_FAST 1
#else
#define HD_FAST 0
#endif

// want: cuda-silent/arch-number
#if __CUDA_ARCH__ >= 700
#define HAS_NANOSLEEP
#endif

// want: cuda-silent/arch-defined
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
static __device__ double atomicAdd(double *p, double v);
#endif

// want: cuda-silent/arch-defined
#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 530)
#define HAS_HALF
#endif

// want: cuda-silent/arch-number
#if __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ <= 890
#define AMPERE
#endif

// want: cuda-silent/arch-number
#if 900 <= __CUDA_ARCH__
#define HOPPER
#endif

// want: cuda-silent/arch-number
#if __CUDA_ARCH__ == 750
#define TURING
#endif

__host__ __device__ inline float reciprocal_root(float v) {
// want: cuda-silent/device-guard
#if defined(__CUDA_ARCH__)
    return rsqrtf(v);
#else
    return 1.0f / sqrtf(v);
#endif
}

__host__ __device__ inline int on_device() {
// want: cuda-silent/device-guard
#ifndef __CUDA_ARCH__
    return 0;
#else
    return 1;
#endif
}

__host__ __device__ inline int on_host() {
// want: cuda-silent/device-guard
#if !defined(__CUDA_ARCH__)
    return 1;
#else
    return 0;
#endif
}

__host__ __device__ inline int truth() {
// want: cuda-silent/device-guard
#if __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}

__host__ __device__ inline int with_flag() {
// want: cuda-silent/device-guard
#if defined(USE_FAST) && defined(__CUDA_ARCH__)
    return 1;
#else
    return 0;
#endif
}

// ok: cuda-silent/device-guard
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ON_DEVICE 1
#endif

// ok: cuda-silent/arch-number
#if defined(__HIP_PLATFORM_AMD__) || __CUDA_ARCH__ >= 700
#define MODERN 1
#endif

#ifdef __HIP_PLATFORM_AMD__
#define SLEEP(n)
#else
// ok: cuda-silent/arch-number
#if __CUDA_ARCH__ >= 700
#define SLEEP(n) __nanosleep(n)
#endif
#endif

#ifndef USE_ROCM
// ok: cuda-silent/device-guard
#ifdef __CUDA_ARCH__
#define DEVICE_PASS
#endif
#endif

// want: cuda-silent/cuda-version
#if CUDA_VERSION >= 11000
#include <cuda_bf16.h>
#endif

// want: cuda-silent/cuda-version-defined
#if defined(CUDART_VERSION) && CUDART_VERSION < 9000
#define OLD
#endif

// want: cuda-silent/cuda-version
#if (__CUDACC_VER_MAJOR__ >= 12)
#define TWELVE
#endif

// want: cuda-silent/cuda-version
#if CUDA_VERSION < 12080 || CUDA_VERSION > 13000
#define NO_FP4
#endif

// ok: cuda-silent/cuda-version
#if defined(USE_ROCM) || CUDA_VERSION >= 11000
#define BF16 1
#endif

// ok: cuda-silent/cuda-version
#if MY_CUDA_VERSION >= 2
#define NEWER
#endif

// ok: cuda-silent/cuda-version
#if __cplusplus >= 201703L && _MSC_VER > 1900
#define SEVENTEEN
#endif

__device__ int fast_path() {
    // want: cuda-silent/arch-number
    if (__CUDA_ARCH__ >= 800) return 1;
    // ok: cuda-silent/arch-number
    return 0; // as __CUDA_ARCH__ >= 800 would say
}

// want: cuda-silent/arch-number
template <typename T, bool Fast = (__CUDA_ARCH__ >= 900)> struct Policy {};

const char *notes() {
    // ok: cuda-silent/arch-number, cuda-silent/cuda-version
    return "__CUDA_ARCH__ >= 800, CUDA_VERSION >= 11000";
}
