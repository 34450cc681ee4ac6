// SPDX-License-Identifier: Apache-2.0
// What PyTorch has for CUDA's compilers alone, over libcmrt's names: for the two headers that
// stand for PyTorch's, aten.h and sycl/aten.hpp, which include the runtime before.
#ifndef CUDA_MORPH_ATEN_COMMON_H
#define CUDA_MORPH_ATEN_COMMON_H

#include <ATen/ATen.h>

namespace cm {
namespace torch_detail {

inline void check(cmError_t error, const char *file, int line) {
    if (error == cmSuccess) return;
    cmGetLastError();
    TORCH_CHECK(false, "CUDA error: ", cmGetErrorString(error), " at ", file, ":", line);
}

} // namespace torch_detail
} // namespace cm

// c10/cuda/CUDAException.h
#define C10_CUDA_CHECK(...) ::cm::torch_detail::check((__VA_ARGS__), __FILE__, __LINE__)
#define C10_CUDA_CHECK_WARN(...)                                                                  \
    do {                                                                                          \
        const cmError_t cm_error = (__VA_ARGS__);                                                 \
        if (cm_error != cmSuccess) TORCH_WARN("CUDA warning: ", cmGetErrorString(cm_error));      \
    } while (0)
#define C10_CUDA_ERROR_HANDLED(...) (__VA_ARGS__)
#define C10_CUDA_IGNORE_ERROR(...) ((void)(__VA_ARGS__), (void)cmGetLastError())
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cmGetLastError())
#define AT_CUDA_CHECK(...) C10_CUDA_CHECK(__VA_ARGS__)
#define TORCH_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_KERNEL_LAUNCH_CHECK()

// THC/THC.h, which PyTorch no longer has
#define THCudaCheck(...) C10_CUDA_CHECK(__VA_ARGS__)
template <class T> T THCCeilDiv(T a, T b) { return (a + b - 1) / b; }

// ATen/core/TensorAccessor.h
#if !defined(__CUDACC__) && !defined(__HIPCC__)
namespace at {
template <class T> struct RestrictPtrTraits {
    typedef T *__restrict__ PtrType;
};
} // namespace at
#endif

// c10/macros/Macros.h
#ifndef C10_WARP_SIZE
#define C10_WARP_SIZE 32
#endif
#ifndef C10_LAUNCH_BOUNDS_1
#define C10_LAUNCH_BOUNDS_0
#define C10_LAUNCH_BOUNDS_1(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks)
#endif

#endif
