// SPDX-License-Identifier: Apache-2.0
// cuBLAS's factorisations of many small matrices, and what is solved with them. Included by
// blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_BATCHED_HPP
#define CUDA_MORPH_CPU_BLAS_BATCHED_HPP

#include <cuda_morph/cpu/blas_small.hpp>

#define CM_BLAS_LU(L, P, K)                                                                       \
    inline cmBlasStatus_t cmBlas##L##getrfBatched(cmBlasHandle_t h, int n, P *const *a, int lda,  \
                                                  int *pivots, int *info, int count) {            \
        if (n < 0 || count < 0 || cm::blas::bad_shape(n, lda))                                    \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        return cm::blas::each(h, count, [=](ptrdiff_t i) {                                        \
            info[i] = cm::blas::getrf(n, cm::blas::see<K>(a[i]), lda,                             \
                                      pivots ? pivots + i * n : nullptr);                         \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##getrsBatched(                                                \
        cmBlasHandle_t h, cmBlasOperation_t op, int n, int columns, const P *const *a, int lda,   \
        const int *pivots, P *const *b, int ldb, int *info, int count) {                          \
        if (n < 0 || columns < 0 || cm::blas::bad_shape(n, lda) || cm::blas::bad_shape(n, ldb))   \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        if (info) *info = 0;                                                                      \
        return cm::blas::each(h, count, [=](ptrdiff_t i) {                                        \
            cm::blas::getrs(op, n, columns, cm::blas::see<K>(a[i]), lda,                          \
                            pivots ? pivots + i *n : nullptr, cm::blas::see<K>(b[i]), ldb);       \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##getriBatched(cmBlasHandle_t h, int n, const P *const *a,     \
                                                  int lda, const int *pivots, P *const *c,        \
                                                  int ldc, int *info, int count) {                \
        if (n < 0 || cm::blas::bad_shape(n, lda) || cm::blas::bad_shape(n, ldc))                  \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        return cm::blas::each(h, count, [=](ptrdiff_t i) {                                        \
            info[i] =                                                                             \
                cm::blas::getri(n, cm::blas::see<K>(a[i]), lda,                                   \
                                pivots ? pivots + i * n : nullptr, cm::blas::see<K>(c[i]), ldc);  \
        });                                                                                       \
    }

CM_BLAS_LU(S, float, float)
CM_BLAS_LU(D, double, double)
CM_BLAS_LU(C, cuComplex, std::complex<float>)
CM_BLAS_LU(Z, cuDoubleComplex, std::complex<double>)
#undef CM_BLAS_LU

#endif
