// SPDX-License-Identifier: Apache-2.0
// cuDNN in SYCL: kernels, an item for each number of a result, the same for each device. Recurrent
// networks are not here.
#ifndef CUDA_MORPH_SYCL_DNN_HPP
#define CUDA_MORPH_SYCL_DNN_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>

#include <cuda_morph/dnn.h>

} // extern "C++"

#endif
