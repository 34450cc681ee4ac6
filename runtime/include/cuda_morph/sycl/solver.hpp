// SPDX-License-Identifier: Apache-2.0
// cuSOLVER in SYCL: oneMKL's (oneMath's) LAPACK. Where the device is the host's processor
// (AdaptiveCpp's omp.library-only), it is libcmrt's, over the host's LAPACK, unless
// CUDA_MORPH_SYCL_ONEMKL is defined.
#ifndef CUDA_MORPH_SYCL_SOLVER_HPP
#define CUDA_MORPH_SYCL_SOLVER_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl/blas.hpp>

#if !defined(CM_SYCL_GROUP_PER_THREAD) || defined(CUDA_MORPH_SYCL_ONEMKL)
#define CM_SOLVER_BY_ONEMKL
#endif
#include <cuda_morph/solver.h>

} // extern "C++"

#endif
