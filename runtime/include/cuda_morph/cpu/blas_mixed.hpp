// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions for mixed types: gemmEx() and its kin, Hgemm. What computes is in
// blas_loops.hpp, or for SYCL in sycl/blas_kernels.hpp.
#ifndef CUDA_MORPH_CPU_BLAS_MIXED_HPP
#define CUDA_MORPH_CPU_BLAS_MIXED_HPP

namespace cm {
namespace blas {

template <class Locate>
inline cmBlasStatus_t dispatch(cmBlasHandle_t h, kind in, const mixed &shape, const void *alpha,
                               const void *beta, int count, Locate locate) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    if (shape.bad() || count < 0) return CM_BLAS_STATUS_INVALID_VALUE;
    if (!size_of(shape.at) || !size_of(shape.bt) || !size_of(shape.ct))
        return CM_BLAS_STATUS_NOT_SUPPORTED;
    const bool complex = shape.at == CM_C_32F || shape.at == CM_C_64F;
    if (complex && (shape.at != shape.bt || shape.at != shape.ct))
        return CM_BLAS_STATUS_NOT_SUPPORTED;
    switch (in) {
    case of_float:
        return multiply<float, float>(h, shape, alpha, beta, count, locate);
    case of_half: // summed in float, as hardware does at its best
        return multiply<float, __half>(h, shape, alpha, beta, count, locate);
    case of_double:
        return multiply<double, double>(h, shape, alpha, beta, count, locate);
    case of_integer:
        return multiply<int, int>(h, shape, alpha, beta, count, locate);
    case of_complex:
        return multiply_complex<std::complex<float>>(h, shape, alpha, beta, count, locate);
    case of_double_complex:
        return multiply_complex<std::complex<double>>(h, shape, alpha, beta, count, locate);
    default:
        return CM_BLAS_STATUS_NOT_SUPPORTED;
    }
}

} // namespace blas
} // namespace cm

// Compute: cublasComputeType_t, or a cudaDataType in older programs.
template <class Compute>
inline cmBlasStatus_t
cmBlasGemmStridedBatchedEx(cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m,
                           int n, int k, const void *alpha, const void *a, cmDataType at, int lda,
                           long long as, const void *b, cmDataType bt, int ldb, long long bs,
                           const void *beta, void *c, cmDataType ct, int ldc, long long cs,
                           int count, Compute compute, cmBlasGemmAlgo_t) {
    using namespace cm::blas;
    const long long sa = as * static_cast<long long>(size_of(at)),
                    sb = bs * static_cast<long long>(size_of(bt)),
                    sc = cs * static_cast<long long>(size_of(ct));
    return dispatch(h, kind_of(compute, ct), shape_of(ta, tb, m, n, k, at, lda, bt, ldb, ct, ldc),
                    alpha, beta, count, [=](int i, const void **p, const void **q, void **r) {
                        *p = static_cast<const char *>(a) + i * sa;
                        *q = static_cast<const char *>(b) + i * sb;
                        *r = static_cast<char *>(c) + i * sc;
                    });
}
template <class Compute>
inline cmBlasStatus_t
cmBlasGemmBatchedEx(cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n,
                    int k, const void *alpha, const void *const *a, cmDataType at, int lda,
                    const void *const *b, cmDataType bt, int ldb, const void *beta, void *const *c,
                    cmDataType ct, int ldc, int count, Compute compute, cmBlasGemmAlgo_t) {
    using namespace cm::blas;
    return dispatch(h, kind_of(compute, ct), shape_of(ta, tb, m, n, k, at, lda, bt, ldb, ct, ldc),
                    alpha, beta, count, [=](int i, const void **p, const void **q, void **r) {
                        *p = a[i], *q = b[i], *r = c[i];
                    });
}
template <class Compute>
inline cmBlasStatus_t cmBlasGemmEx(cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb,
                                   int m, int n, int k, const void *alpha, const void *a,
                                   cmDataType at, int lda, const void *b, cmDataType bt, int ldb,
                                   const void *beta, void *c, cmDataType ct, int ldc,
                                   Compute compute, cmBlasGemmAlgo_t algorithm) {
    return cmBlasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, at, lda, 0, b, bt, ldb, 0,
                                      beta, c, ct, ldc, 0, 1, compute, algorithm);
}
inline cmBlasStatus_t cmBlasSgemmEx(cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb,
                                    int m, int n, int k, const float *alpha, const void *a,
                                    cmDataType at, int lda, const void *b, cmDataType bt, int ldb,
                                    const float *beta, void *c, cmDataType ct, int ldc) {
    return cmBlasGemmEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc,
                        CM_BLAS_COMPUTE_32F, CM_BLAS_GEMM_DEFAULT);
}
inline cmBlasStatus_t cmBlasHgemmStridedBatched(cmBlasHandle_t h, cmBlasOperation_t ta,
                                                cmBlasOperation_t tb, int m, int n, int k,
                                                const __half *alpha, const __half *a, int lda,
                                                long long as, const __half *b, int ldb,
                                                long long bs, const __half *beta, __half *c,
                                                int ldc, long long cs, int count) {
    return cmBlasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, CM_R_16F, lda, as, b, CM_R_16F,
                                      ldb, bs, beta, c, CM_R_16F, ldc, cs, count,
                                      CM_BLAS_COMPUTE_16F, CM_BLAS_GEMM_DEFAULT);
}
inline cmBlasStatus_t cmBlasHgemm(cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb,
                                  int m, int n, int k, const __half *alpha, const __half *a,
                                  int lda, const __half *b, int ldb, const __half *beta, __half *c,
                                  int ldc) {
    return cmBlasHgemmStridedBatched(h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc,
                                     0, 1);
}
inline cmBlasStatus_t cmBlasHgemmBatched(cmBlasHandle_t h, cmBlasOperation_t ta,
                                         cmBlasOperation_t tb, int m, int n, int k,
                                         const __half *alpha, const __half *const *a, int lda,
                                         const __half *const *b, int ldb, const __half *beta,
                                         __half *const *c, int ldc, int count) {
    return cmBlasGemmBatchedEx(h, ta, tb, m, n, k, alpha, reinterpret_cast<const void *const *>(a),
                               CM_R_16F, lda, reinterpret_cast<const void *const *>(b), CM_R_16F,
                               ldb, beta, reinterpret_cast<void *const *>(c), CM_R_16F, ldc, count,
                               CM_BLAS_COMPUTE_16F, CM_BLAS_GEMM_DEFAULT);
}
// Vectors of any type, computed in double.
inline cmBlasStatus_t cmBlasAxpyEx(cmBlasHandle_t h, int n, const void *alpha, cmDataType alpha_t,
                                   const void *x, cmDataType xt, int incx, void *y, cmDataType yt,
                                   int incy, cmDataType) {
    using namespace cm::blas;
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    if (!size_of(xt) || !size_of(yt) || alpha_t == CM_C_32F || alpha_t == CM_C_64F)
        return CM_BLAS_STATUS_NOT_SUPPORTED;
    const bool late = on_device(h);
    const double now = late ? 0 : load<double>(alpha, alpha_t, 0);
    const place from = incx < 0 ? place(1 - n) * incx : 0, to = incy < 0 ? place(1 - n) * incy : 0;
    return each(h, n, [=](place i) {
        const double factor = late ? load<double>(alpha, alpha_t, 0) : now;
        store(y, yt, to + i * incy,
              load<double>(y, yt, to + i * incy) + factor * load<double>(x, xt, from + i * incx));
    });
}
inline cmBlasStatus_t cmBlasScalEx(cmBlasHandle_t h, int n, const void *alpha, cmDataType alpha_t,
                                   void *x, cmDataType xt, int incx, cmDataType) {
    using namespace cm::blas;
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    if (!size_of(xt) || xt == CM_C_32F || xt == CM_C_64F) return CM_BLAS_STATUS_NOT_SUPPORTED;
    const bool late = on_device(h);
    const double now = late ? 0 : load<double>(alpha, alpha_t, 0);
    return each(h, incx > 0 ? n : 0, [=](place i) {
        const double factor = late ? load<double>(alpha, alpha_t, 0) : now;
        store(x, xt, i * incx, factor * load<double>(x, xt, i * incx));
    });
}
inline cmBlasStatus_t cmBlasDotEx(cmBlasHandle_t h, int n, const void *x, cmDataType xt, int incx,
                                  const void *y, cmDataType yt, int incy, void *result,
                                  cmDataType rt, cmDataType) {
    using namespace cm::blas;
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    if (!result) return CM_BLAS_STATUS_INVALID_VALUE;
    for (cmDataType t : {xt, yt, rt})
        if (!size_of(t) || t == CM_C_32F || t == CM_C_64F) return CM_BLAS_STATUS_NOT_SUPPORTED;
    const place p = incx < 0 ? place(1 - n) * incx : 0, q = incy < 0 ? place(1 - n) * incy : 0;
    return summed(
        h, n,
        [=](place i) {
            return load<double>(x, xt, p + i * incx) * load<double>(y, yt, q + i * incy);
        },
        result, rt);
}

#endif
