// SPDX-License-Identifier: Apache-2.0
// What CUDA C++ that was ported to SYCL 2020 includes: the host's part of CUDA's runtime over
// queues and unified shared memory, and what kernels use besides SYCL's own. Header-only; DPC++
// and AdaptiveCpp (--acpp-targets=omp.library-only) take it. docs/sycl.md says what maps to what.
#ifndef CUDA_MORPH_SYCL_HPP
#define CUDA_MORPH_SYCL_HPP

extern "C++" { // it may be included within extern "C"

#include <assert.h>
#include <chrono>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What programs ask for to learn what is declared, and for which devices code is compiled.
#define CUDART_VERSION 12040
#define CUDART_CB
#define CM_CUDA_ARCH 800
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))

#include <cuda_morph/sycl/item.hpp>

// Functions that another file defines have it; what has none links them by itself, or not at all.
#ifndef SYCL_EXTERNAL
#define SYCL_EXTERNAL
#endif

#include <cuda_morph/sycl/array.hpp>
#include <cuda_morph/sycl/atomic.hpp>
#include <cuda_morph/sycl/graph.hpp>
#include <cuda_morph/sycl/host.hpp>
#include <cuda_morph/sycl/launch.hpp>
#include <cuda_morph/sycl/managed.hpp>
#include <cuda_morph/sycl/memory.hpp>
#include <cuda_morph/sycl/pointers.hpp>
#include <cuda_morph/sycl/queue.hpp>
#include <cuda_morph/sycl/warp.hpp>

#include <cuda_morph/cpu/math.hpp>
#include <cuda_morph/cpu/math_special.hpp>
#include <cuda_morph/cpu/rounding.hpp>
#include <cuda_morph/cpu/simd.hpp>
#include <cuda_morph/ptx.h>

// ---- what kernels ask the device for besides ----

// The end of a kernel that has found something wrong; the host learns of it where the device
// tells.
inline void __trap() { assert(!"__trap()"); }
inline void __brkpt() {}
inline void __nanosleep(unsigned) {} // between none and twice as long: none

namespace cm {
namespace detail {
#ifdef CM_SYCL_GROUP_PER_THREAD
inline long long ticks() { // of a clock with the rate that cmDevAttrClockRate tells
    static const double rate = [] {
        int kHz = 0;
        cmDeviceGetAttribute(&kHz, cmDevAttrClockRate, 0);
        return kHz > 0 ? kHz / 1e6 : 1.0;
    }();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<long long>(
        rate *
        static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
}
#endif
} // namespace detail
} // namespace cm
inline long long clock64() {
#if defined(CM_SYCL_GROUP_PER_THREAD)
    return cm::detail::ticks();
#elif defined(SYCL_EXT_ONEAPI_CLOCK)
    namespace ask = sycl::ext::oneapi::experimental;
    return static_cast<long long>(ask::clock<ask::clock_scope::sub_group>());
#else
    assert(!"clock64() needs sycl_ext_oneapi_clock");
    return 0;
#endif
}

namespace cm {
// Output of kernels.
#if defined(CM_SYCL_GROUP_PER_THREAD)
using ::printf;
#else
using sycl::ext::oneapi::experimental::printf;
#endif
} // namespace cm

} // extern "C++"

// What PyTorch's build compiles uses PyTorch's context and streams, each file of it.
#if defined(TORCH_EXTENSION_NAME) && __has_include(<c10/xpu/XPUStream.h>)
#include <cuda_morph/sycl/aten.hpp>
#endif

#endif
