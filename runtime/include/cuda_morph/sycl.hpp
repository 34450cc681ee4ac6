// SPDX-License-Identifier: Apache-2.0
// What CUDA C++ that was ported to SYCL 2020 includes: the host's part of CUDA's runtime over
// queues and unified shared memory, and what kernels use besides SYCL's own. Header-only; DPC++
// and AdaptiveCpp (--acpp-targets=omp.library-only) take it. docs/sycl.md says what maps to what.
#ifndef CUDA_MORPH_SYCL_HPP
#define CUDA_MORPH_SYCL_HPP

#include <assert.h>
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

#include <cuda_morph/sycl/item.hpp>

#include <cuda_morph/sycl/array.hpp>
#include <cuda_morph/sycl/atomic.hpp>
#include <cuda_morph/sycl/host.hpp>
#include <cuda_morph/sycl/launch.hpp>
#include <cuda_morph/sycl/memory.hpp>
#include <cuda_morph/sycl/queue.hpp>
#include <cuda_morph/sycl/warp.hpp>

#include <cuda_morph/cpu/math.hpp>
#include <cuda_morph/cpu/math_special.hpp>
#include <cuda_morph/cpu/rounding.hpp>
#include <cuda_morph/cpu/simd.hpp>

namespace cm {
// Output of kernels.
#if defined(CM_SYCL_GROUP_PER_THREAD)
using ::printf;
#else
using sycl::ext::oneapi::experimental::printf;
#endif
} // namespace cm

#endif
