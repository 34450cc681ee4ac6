// SPDX-License-Identifier: Apache-2.0
// PyTorch's handle of cuSPARSE for the calling thread, bound to its current stream, as
// at::cuda::getCurrentCUDASparseHandle() gives it. Behind aten.h, or sycl/aten.hpp.
#ifndef CUDA_MORPH_ATEN_SPARSE_H
#define CUDA_MORPH_ATEN_SPARSE_H

#ifdef CUDA_MORPH_SYCL_HPP
#include <cuda_morph/sycl/aten.hpp>
#include <cuda_morph/sycl/sparse.hpp>
#else
#include <cuda_morph/aten.h>
#include <cuda_morph/sparse.h>
#endif

namespace cm {

// It lives to the program's end.
inline cmSparseHandle_t getCurrentSparseHandle() {
    static thread_local cmSparseHandle_t handle;
    if (!handle) TORCH_CHECK(!cmSparseCreate(&handle), "no handle of cuSPARSE");
    cmSparseSetStream(handle, torch_detail::current_stream());
    return handle;
}

} // namespace cm

#endif
