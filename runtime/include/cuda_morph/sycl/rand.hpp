// SPDX-License-Identifier: Apache-2.0
// cuRAND's host interface in SYCL. The generators are libcmrt's, which give the numbers that
// cuRAND documents: they run on the host, and what they make is copied to the device.
#ifndef CUDA_MORPH_SYCL_RAND_HPP
#define CUDA_MORPH_SYCL_RAND_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>

#include <cuda_morph/rand.h>

} // extern "C++"

#endif
