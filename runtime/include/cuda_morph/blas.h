/* SPDX-License-Identifier: Apache-2.0 */
// cuBLAS: levels 1, 2 and 3 for dense matrices in float, double and their complex numbers, with
// batched and strided forms, extensions (geam, dgmm), small LU, and the Ex functions that mix
// types. cublasSgemm() is cmBlasSgemm(), with the same arguments; matrices are column-major. Calls
// return at once and run in the order of the handle's stream, but those whose result is a host
// variable.
#ifndef CUDA_MORPH_BLAS_H
#define CUDA_MORPH_BLAS_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/bf16.h>
#include <cuda_morph/complex.h>
#include <cuda_morph/fp16.h>
#ifdef CM_BLAS_BY_ONEMKL // sycl/blas.hpp
#include <complex>
#include <cuda_morph/cpu/library.hpp>
#else
#include <cuda_morph/cpu/blas_core.hpp>
#endif

/* Programs ask for these to learn whether cuBLAS is declared. */
#define CUBLAS_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#define CUBLASAPI
#define CUBLAS_VERSION 120400

typedef enum cmBlasStatus_t {
    CM_BLAS_STATUS_SUCCESS = 0,
    CM_BLAS_STATUS_NOT_INITIALIZED = 1,
    CM_BLAS_STATUS_ALLOC_FAILED = 3,
    CM_BLAS_STATUS_INVALID_VALUE = 7,
    CM_BLAS_STATUS_ARCH_MISMATCH = 8,
    CM_BLAS_STATUS_MAPPING_ERROR = 11,
    CM_BLAS_STATUS_EXECUTION_FAILED = 13,
    CM_BLAS_STATUS_INTERNAL_ERROR = 14,
    CM_BLAS_STATUS_NOT_SUPPORTED = 15,
    CM_BLAS_STATUS_LICENSE_ERROR = 16
} cmBlasStatus_t;
typedef enum cmBlasOperation_t {
    CM_BLAS_OP_N = 0,
    CM_BLAS_OP_T = 1,
    CM_BLAS_OP_C = 2,
    CM_BLAS_OP_HERMITAN = 2
} cmBlasOperation_t;
typedef enum cmBlasPointerMode_t {
    CM_BLAS_POINTER_MODE_HOST = 0,
    CM_BLAS_POINTER_MODE_DEVICE = 1
} cmBlasPointerMode_t;
typedef enum cmBlasFillMode_t {
    CM_BLAS_FILL_MODE_LOWER = 0,
    CM_BLAS_FILL_MODE_UPPER = 1,
    CM_BLAS_FILL_MODE_FULL = 2
} cmBlasFillMode_t;
typedef enum cmBlasDiagType_t {
    CM_BLAS_DIAG_NON_UNIT = 0,
    CM_BLAS_DIAG_UNIT = 1
} cmBlasDiagType_t;
typedef enum cmBlasSideMode_t { CM_BLAS_SIDE_LEFT = 0, CM_BLAS_SIDE_RIGHT = 1 } cmBlasSideMode_t;
typedef enum cmBlasAtomicsMode_t {
    CM_BLAS_ATOMICS_NOT_ALLOWED = 0,
    CM_BLAS_ATOMICS_ALLOWED = 1
} cmBlasAtomicsMode_t;
typedef enum cmBlasMath_t {
    CM_BLAS_DEFAULT_MATH = 0,
    CM_BLAS_TENSOR_OP_MATH = 1,
    CM_BLAS_PEDANTIC_MATH = 2,
    CM_BLAS_TF32_TENSOR_OP_MATH = 3,
    CM_BLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cmBlasMath_t;
typedef enum cmBlasGemmAlgo_t {
    CM_BLAS_GEMM_DFALT = -1,
    CM_BLAS_GEMM_DEFAULT = -1,
    CM_BLAS_GEMM_ALGO0 = 0,
    CM_BLAS_GEMM_ALGO1 = 1,
    CM_BLAS_GEMM_ALGO2 = 2,
    CM_BLAS_GEMM_ALGO3 = 3,
    CM_BLAS_GEMM_ALGO4 = 4,
    CM_BLAS_GEMM_DFALT_TENSOR_OP = 99,
    CM_BLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CM_BLAS_GEMM_ALGO0_TENSOR_OP = 100
} cmBlasGemmAlgo_t;
typedef enum cmBlasComputeType_t {
    CM_BLAS_COMPUTE_16F = 64,
    CM_BLAS_COMPUTE_16F_PEDANTIC = 65,
    CM_BLAS_COMPUTE_32F = 68,
    CM_BLAS_COMPUTE_32F_PEDANTIC = 69,
    CM_BLAS_COMPUTE_64F = 70,
    CM_BLAS_COMPUTE_64F_PEDANTIC = 71,
    CM_BLAS_COMPUTE_32I = 72,
    CM_BLAS_COMPUTE_32I_PEDANTIC = 73,
    CM_BLAS_COMPUTE_32F_FAST_16F = 74,
    CM_BLAS_COMPUTE_32F_FAST_16BF = 75,
    CM_BLAS_COMPUTE_32F_FAST_TF32 = 77
} cmBlasComputeType_t;

struct cmBlasContext {
    cmStream_t stream;
    cmBlasPointerMode_t mode;
    cmBlasMath_t math;
    cmBlasAtomicsMode_t atomics;
};
using cmBlasHandle_t = cmBlasContext *;

namespace cm {
namespace blas {

template <class Work> inline cmBlasStatus_t enqueue(cmBlasHandle_t h, Work work) {
    return cm::library::enqueue(h, work, CM_BLAS_STATUS_NOT_INITIALIZED,
                                CM_BLAS_STATUS_EXECUTION_FAILED);
}

inline bool on_device(cmBlasHandle_t h) { return h && h->mode == CM_BLAS_POINTER_MODE_DEVICE; }
template <class T> class scalar : public cm::library::scalar<T> {
  public:
    template <class P>
    scalar(cmBlasHandle_t h, const P *p)
        : cm::library::scalar<T>(on_device(h), reinterpret_cast<const T *>(p)) {}
};

// Where a result goes; the caller may read it when the call returns, in host mode.
template <class T, class Work>
inline cmBlasStatus_t answer(cmBlasHandle_t h, T *result, Work work) {
    if (h && !result) return CM_BLAS_STATUS_INVALID_VALUE;
    const cmBlasStatus_t status = enqueue(h, [=] { *result = work(); });
    if (status || on_device(h)) return status;
    return cmStreamSynchronize(h->stream) ? CM_BLAS_STATUS_EXECUTION_FAILED : status;
}

inline bool bad_shape(int rows, int leading) { return leading < (rows > 1 ? rows : 1); }

// CUDA's complex numbers are seen as the standard library's, which have the same layout.
template <class K> inline const K *see(const void *p) { return static_cast<const K *>(p); }
template <class K> inline K *see(void *p) { return static_cast<K *>(p); }

} // namespace blas
} // namespace cm

inline cmBlasStatus_t cmBlasCreate(cmBlasHandle_t *h) {
    if (!h) return CM_BLAS_STATUS_INVALID_VALUE;
    *h = new (std::nothrow) cmBlasContext{nullptr, CM_BLAS_POINTER_MODE_HOST, CM_BLAS_DEFAULT_MATH,
                                          CM_BLAS_ATOMICS_NOT_ALLOWED};
    return *h ? CM_BLAS_STATUS_SUCCESS : CM_BLAS_STATUS_ALLOC_FAILED;
}
inline cmBlasStatus_t cmBlasDestroy(cmBlasHandle_t h) {
    return cm::library::destroy(h, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasSetStream(cmBlasHandle_t h, cmStream_t stream) {
    return cm::library::set(h, &cmBlasContext::stream, stream, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasGetStream(cmBlasHandle_t h, cmStream_t *stream) {
    return cm::library::get(h, &cmBlasContext::stream, stream, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasSetPointerMode(cmBlasHandle_t h, cmBlasPointerMode_t mode) {
    return cm::library::set(h, &cmBlasContext::mode, mode, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasGetPointerMode(cmBlasHandle_t h, cmBlasPointerMode_t *mode) {
    return cm::library::get(h, &cmBlasContext::mode, mode, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasSetVector(int n, int size, const void *from, int from_step, void *to,
                                      int to_step) {
    if (n < 0 || size <= 0 || from_step <= 0 || to_step <= 0) return CM_BLAS_STATUS_INVALID_VALUE;
    const size_t bytes = static_cast<size_t>(size), fp = bytes * static_cast<size_t>(from_step),
                 tp = bytes * static_cast<size_t>(to_step);
    return cmMemcpy2D(to, tp, from, fp, bytes, static_cast<size_t>(n), cmMemcpyDefault)
               ? CM_BLAS_STATUS_MAPPING_ERROR
               : CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetVector(int n, int size, const void *from, int from_step, void *to,
                                      int to_step) {
    return cmBlasSetVector(n, size, from, from_step, to, to_step);
}
inline cmBlasStatus_t cmBlasSetMatrix(int rows, int columns, int size, const void *from, int lda,
                                      void *to, int ldb) {
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows)
        return CM_BLAS_STATUS_INVALID_VALUE;
    const size_t bytes = static_cast<size_t>(size);
    return cmMemcpy2D(to, bytes * static_cast<size_t>(ldb), from, bytes * static_cast<size_t>(lda),
                      bytes * static_cast<size_t>(rows), static_cast<size_t>(columns),
                      cmMemcpyDefault)
               ? CM_BLAS_STATUS_MAPPING_ERROR
               : CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetMatrix(int rows, int columns, int size, const void *from, int lda,
                                      void *to, int ldb) {
    return cmBlasSetMatrix(rows, columns, size, from, lda, to, ldb);
}
inline cmBlasStatus_t cmBlasSetVectorAsync(int n, int size, const void *from, int from_step,
                                           void *to, int to_step, cmStream_t stream) {
    if (n < 0 || size <= 0 || from_step <= 0 || to_step <= 0) return CM_BLAS_STATUS_INVALID_VALUE;
    const size_t bytes = static_cast<size_t>(size), fp = bytes * static_cast<size_t>(from_step),
                 tp = bytes * static_cast<size_t>(to_step);
    return cmMemcpy2DAsync(to, tp, from, fp, bytes, static_cast<size_t>(n), cmMemcpyDefault,
                           stream)
               ? CM_BLAS_STATUS_MAPPING_ERROR
               : CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetVectorAsync(int n, int size, const void *from, int from_step,
                                           void *to, int to_step, cmStream_t stream) {
    return cmBlasSetVectorAsync(n, size, from, from_step, to, to_step, stream);
}
inline cmBlasStatus_t cmBlasSetMatrixAsync(int rows, int columns, int size, const void *from,
                                           int lda, void *to, int ldb, cmStream_t stream) {
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows)
        return CM_BLAS_STATUS_INVALID_VALUE;
    const size_t bytes = static_cast<size_t>(size);
    return cmMemcpy2DAsync(to, bytes * static_cast<size_t>(ldb), from,
                           bytes * static_cast<size_t>(lda), bytes * static_cast<size_t>(rows),
                           static_cast<size_t>(columns), cmMemcpyDefault, stream)
               ? CM_BLAS_STATUS_MAPPING_ERROR
               : CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetMatrixAsync(int rows, int columns, int size, const void *from,
                                           int lda, void *to, int ldb, cmStream_t stream) {
    return cmBlasSetMatrixAsync(rows, columns, size, from, lda, to, ldb, stream);
}
inline cmBlasStatus_t cmBlasSetMathMode(cmBlasHandle_t h, cmBlasMath_t mode) {
    return cm::library::set(h, &cmBlasContext::math, mode, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasGetMathMode(cmBlasHandle_t h, cmBlasMath_t *mode) {
    return cm::library::get(h, &cmBlasContext::math, mode, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasSetAtomicsMode(cmBlasHandle_t h, cmBlasAtomicsMode_t mode) {
    return cm::library::set(h, &cmBlasContext::atomics, mode, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasGetAtomicsMode(cmBlasHandle_t h, cmBlasAtomicsMode_t *mode) {
    return cm::library::get(h, &cmBlasContext::atomics, mode, CM_BLAS_STATUS_NOT_INITIALIZED);
}
inline cmBlasStatus_t cmBlasSetWorkspace(cmBlasHandle_t h, void *, size_t) {
    return h ? CM_BLAS_STATUS_SUCCESS : CM_BLAS_STATUS_NOT_INITIALIZED;
}
inline cmBlasStatus_t cmBlasGetVersion(cmBlasHandle_t, int *version) {
    if (!version) return CM_BLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetProperty(cmLibraryPropertyType which, int *value) {
    if (!value) return CM_BLAS_STATUS_INVALID_VALUE;
    *value = cm::library::property(which);
    return CM_BLAS_STATUS_SUCCESS;
}
inline const char *cmBlasGetStatusName(cmBlasStatus_t status) {
    switch (status) {
#define CM_BLAS_NAME(name)                                                                        \
    case CM_BLAS_STATUS_##name:                                                                   \
        return "CM_BLAS_STATUS_" #name;
        CM_BLAS_NAME(SUCCESS)
        CM_BLAS_NAME(NOT_INITIALIZED)
        CM_BLAS_NAME(ALLOC_FAILED)
        CM_BLAS_NAME(INVALID_VALUE)
        CM_BLAS_NAME(ARCH_MISMATCH)
        CM_BLAS_NAME(MAPPING_ERROR)
        CM_BLAS_NAME(EXECUTION_FAILED)
        CM_BLAS_NAME(INTERNAL_ERROR)
        CM_BLAS_NAME(NOT_SUPPORTED)
        CM_BLAS_NAME(LICENSE_ERROR)
#undef CM_BLAS_NAME
    }
    return "unknown status";
}
inline const char *cmBlasGetStatusString(cmBlasStatus_t status) {
    return cmBlasGetStatusName(status);
}

#include <cuda_morph/cpu/blas_types.hpp>

namespace cm {
namespace blas {

// body(i) for i in [0, n), in the handle's stream.
template <class Body> inline cmBlasStatus_t each(cmBlasHandle_t h, int64_t n, Body body) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    return n > 0 && cm::library::each(h->stream, n, body) ? CM_BLAS_STATUS_EXECUTION_FAILED
                                                          : CM_BLAS_STATUS_SUCCESS;
}

} // namespace blas
} // namespace cm

#ifdef CM_BLAS_BY_ONEMKL
#include <cuda_morph/sycl/onemkl_blas.hpp>

#include <cuda_morph/sycl/blas_kernels.hpp>
#else
#include <cuda_morph/cpu/blas_functions.hpp>

#include <cuda_morph/cpu/blas_loops.hpp>

#include <cuda_morph/cpu/blas_stored.hpp>

#include <cuda_morph/cpu/blas_rotations.hpp>
#endif

#include <cuda_morph/cpu/blas_batched.hpp>
#include <cuda_morph/cpu/blas_mixed.hpp>
#ifndef CM_BLAS_BY_ONEMKL
#include <cuda_morph/cpu/blas_qr.hpp>

#include <cuda_morph/cpu/blas_legacy.hpp>
#endif

} // extern "C++"

#endif
