// SPDX-License-Identifier: Apache-2.0
// cuBLASLt in SYCL: a kernel, an item for each number of a product, its epilogue included.
#ifndef CUDA_MORPH_SYCL_BLASLT_HPP
#define CUDA_MORPH_SYCL_BLASLT_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl/blas.hpp>

#include <cuda_morph/blaslt.h>

} // extern "C++"

#endif
