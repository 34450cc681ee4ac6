// SPDX-License-Identifier: Apache-2.0
// cuSPARSE in SYCL: kernels, the same for each device. oneMKL has these functions under names that
// change with its releases, and other ones in oneMath.
#ifndef CUDA_MORPH_SYCL_SPARSE_HPP
#define CUDA_MORPH_SYCL_SPARSE_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>

#include <cuda_morph/sparse.h>

} // extern "C++"

#endif
