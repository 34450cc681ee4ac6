// SPDX-License-Identifier: Apache-2.0
// cuBLAS in SYCL: oneMKL's (oneMath's) functions on the handle's queue. Where the device is the
// host's processor (AdaptiveCpp's omp.library-only), they are libcmrt's, unless
// CUDA_MORPH_SYCL_ONEMKL is defined. The functions that both have are ported, no others.
#ifndef CUDA_MORPH_SYCL_BLAS_HPP
#define CUDA_MORPH_SYCL_BLAS_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>

#if !defined(CM_SYCL_GROUP_PER_THREAD) || defined(CUDA_MORPH_SYCL_ONEMKL)
#define CM_BLAS_BY_ONEMKL
#endif
#include <cuda_morph/blas.h>

} // extern "C++"

#endif
