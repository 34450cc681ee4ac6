/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_blas.h - hipBLAS's functions for half precision, with CUDA's type of it.
 *
 * Licensed under the Apache License, Version 2.0; see LICENSE in the project's root.
 *
 * Header-only, C++11. hipBLAS declares its hipblasHalf as uint16_t unless HIPBLAS_USE_HIP_HALF is
 * defined before its header is included for the first time; cublasHgemm and its kin take __half.
 * These overloads take __half, too, and are not there where the type is the same anyway.
 */
#ifndef CUDA_MORPH_HIP_BLAS_H
#define CUDA_MORPH_HIP_BLAS_H

#include <type_traits>

#include <hip/hip_fp16.h>
#include <hipblas/hipblas.h>

namespace cm {
namespace detail {

/* hipblasStatus_t, where H is __half and hipblasHalf is not. */
template <class H>
using for_half = typename std::enable_if<std::is_same<H, __half>::value &&
                                             !std::is_same<hipblasHalf, __half>::value,
                                         hipblasStatus_t>::type;

inline const hipblasHalf *bits(const __half *p) {
    return reinterpret_cast<const hipblasHalf *>(p);
}
inline hipblasHalf *bits(__half *p) { return reinterpret_cast<hipblasHalf *>(p); }
inline const hipblasHalf *const *bits(const __half *const *p) {
    return reinterpret_cast<const hipblasHalf *const *>(p);
}
inline hipblasHalf *const *bits(__half *const *p) {
    return reinterpret_cast<hipblasHalf *const *>(p);
}

} // namespace detail
} // namespace cm

template <class H>
inline cm::detail::for_half<H> hipblasHgemm(hipblasHandle_t handle, hipblasOperation_t trans_a,
                                            hipblasOperation_t trans_b, int m, int n, int k,
                                            const H *alpha, const H *a, int lda, const H *b,
                                            int ldb, const H *beta, H *c, int ldc) {
    using cm::detail::bits;
    return hipblasHgemm(handle, trans_a, trans_b, m, n, k, bits(alpha), bits(a), lda, bits(b), ldb,
                        bits(beta), bits(c), ldc);
}

template <class H>
inline cm::detail::for_half<H>
hipblasHgemmBatched(hipblasHandle_t handle, hipblasOperation_t trans_a, hipblasOperation_t trans_b,
                    int m, int n, int k, const H *alpha, const H *const *a, int lda,
                    const H *const *b, int ldb, const H *beta, H *const *c, int ldc, int count) {
    using cm::detail::bits;
    return hipblasHgemmBatched(handle, trans_a, trans_b, m, n, k, bits(alpha), bits(a), lda,
                               bits(b), ldb, bits(beta), bits(c), ldc, count);
}

template <class H>
inline cm::detail::for_half<H> hipblasHgemmStridedBatched(
    hipblasHandle_t handle, hipblasOperation_t trans_a, hipblasOperation_t trans_b, int m, int n,
    int k, const H *alpha, const H *a, int lda, long long stride_a, const H *b, int ldb,
    long long stride_b, const H *beta, H *c, int ldc, long long stride_c, int count) {
    using cm::detail::bits;
    return hipblasHgemmStridedBatched(handle, trans_a, trans_b, m, n, k, bits(alpha), bits(a), lda,
                                      stride_a, bits(b), ldb, stride_b, bits(beta), bits(c), ldc,
                                      stride_c, count);
}

#endif
