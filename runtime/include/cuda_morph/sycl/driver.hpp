// SPDX-License-Identifier: Apache-2.0
// CUDA's driver API over SYCL, without modules: devices, contexts, memory, streams, events.
#ifndef CUDA_MORPH_SYCL_DRIVER_HPP
#define CUDA_MORPH_SYCL_DRIVER_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>

#define CM_DRV_VERSION CUDART_VERSION

#include <cuda_morph/cpu/driver_core.hpp>

#include <cuda_morph/cpu/driver_memory.hpp>

#include <cuda_morph/cpu/driver_copy.hpp>

} // extern "C++"

#endif
