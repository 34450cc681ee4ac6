// SPDX-License-Identifier: Apache-2.0
// PyTorch's handle of cuBLAS for the calling thread, bound to its current stream, as
// at::cuda::getCurrentCUDABlasHandle() gives it. Behind aten.h, or sycl/aten.hpp.
#ifndef CUDA_MORPH_ATEN_BLAS_H
#define CUDA_MORPH_ATEN_BLAS_H

#ifdef CUDA_MORPH_SYCL_HPP
#include <cuda_morph/sycl/aten.hpp>
#include <cuda_morph/sycl/blas.hpp>
#else
#include <cuda_morph/aten.h>
#include <cuda_morph/blas.h>
#endif

namespace cm {

// It lives to the program's end.
inline cmBlasHandle_t getCurrentBlasHandle() {
    static thread_local cmBlasHandle_t handle;
    if (!handle) TORCH_CHECK(!cmBlasCreate(&handle), "no handle of cuBLAS");
    cmBlasSetStream(handle, torch_detail::current_stream());
    return handle;
}

} // namespace cm

#endif
