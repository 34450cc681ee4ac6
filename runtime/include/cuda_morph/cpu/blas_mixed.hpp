// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions for mixed types: gemmEx() and its kin, Hgemm. Narrow numbers are widened to
// the type that is computed in, multiplied there, and narrowed once at the end.
#ifndef CUDA_MORPH_CPU_BLAS_MIXED_HPP
#define CUDA_MORPH_CPU_BLAS_MIXED_HPP

namespace cm {
namespace blas {

inline size_t size_of(cmDataType type) {
    switch (type) {
    case CM_R_8I:
    case CM_R_8U:
        return 1;
    case CM_R_16F:
    case CM_R_16BF:
        return 2;
    case CM_R_32F:
    case CM_R_32I:
        return 4;
    case CM_R_64F:
    case CM_C_32F:
        return 8;
    case CM_C_64F:
        return 16;
    default:
        return 0; // not one of ours
    }
}
template <class K> inline K load(const void *p, cmDataType type, place i) {
    switch (type) {
    case CM_R_8I:
        return static_cast<K>(static_cast<const signed char *>(p)[i]);
    case CM_R_8U:
        return static_cast<K>(static_cast<const unsigned char *>(p)[i]);
    case CM_R_16F:
        return static_cast<K>(static_cast<float>(static_cast<const __half *>(p)[i]));
    case CM_R_16BF:
        return static_cast<K>(static_cast<float>(static_cast<const __nv_bfloat16 *>(p)[i]));
    case CM_R_32I:
        return static_cast<K>(static_cast<const int *>(p)[i]);
    case CM_R_64F:
        return static_cast<K>(static_cast<const double *>(p)[i]);
    default:
        return static_cast<K>(static_cast<const float *>(p)[i]);
    }
}
template <class K> inline void store(void *p, cmDataType type, place i, K v) {
    switch (type) {
    case CM_R_8I:
        static_cast<signed char *>(p)[i] = static_cast<signed char>(v);
        break;
    case CM_R_8U:
        static_cast<unsigned char *>(p)[i] = static_cast<unsigned char>(v);
        break;
    case CM_R_16F:
        static_cast<__half *>(p)[i] = __half(static_cast<float>(v));
        break;
    case CM_R_16BF:
        static_cast<__nv_bfloat16 *>(p)[i] = __nv_bfloat16(static_cast<float>(v));
        break;
    case CM_R_32I:
        static_cast<int *>(p)[i] = static_cast<int>(v);
        break;
    case CM_R_64F:
        static_cast<double *>(p)[i] = static_cast<double>(v);
        break;
    default:
        static_cast<float *>(p)[i] = static_cast<float>(v);
    }
}

// A matrix of some type, widened to K without gaps between its columns.
template <class K>
inline std::vector<K> widened(const void *p, cmDataType type, int rows, int columns, int ld) {
    std::vector<K> v(static_cast<size_t>(rows) * static_cast<size_t>(columns));
    for (place j = 0; j < columns; j++)
        for (place i = 0; i < rows; i++)
            v[static_cast<size_t>(i + j * rows)] = load<K>(p, type, i + j * ld);
    return v;
}

struct mixed {
    int ta, tb, m, n, k;
    cmDataType at, bt, ct;
    int lda, ldb, ldc;

    bool bad() const {
        return m < 0 || n < 0 || k < 0 || bad_shape(ta ? k : m, lda) ||
               bad_shape(tb ? n : k, ldb) || bad_shape(m, ldc);
    }
    template <class K>
    void multiply(K alpha, const void *a, const void *b, K beta, void *c) const {
        const int ar = ta ? k : m, ac = ta ? m : k, br = tb ? n : k, bc = tb ? k : n;
        const std::vector<K> wa = widened<K>(a, at, ar, ac, lda),
                             wb = widened<K>(b, bt, br, bc, ldb);
        std::vector<K> wc = beta == K(0) ? std::vector<K>(static_cast<size_t>(m) * size_t(n))
                                         : widened<K>(c, ct, m, n, ldc);
        gemm<K>(ta, tb, m, n, k, alpha, wa.data(), ar > 0 ? ar : 1, wb.data(), br > 0 ? br : 1,
                beta, wc.data(), m > 0 ? m : 1);
        for (place j = 0; j < n; j++)
            for (place i = 0; i < m; i++)
                store(c, ct, i + j * ldc, wc[static_cast<size_t>(i + j * m)]);
    }
};

enum kind { WRONG, FLOAT, DOUBLE, INTEGER, HALF, COMPLEX, DOUBLE_COMPLEX };
inline kind kind_of(cmBlasComputeType_t type, cmDataType c) {
    switch (type) {
    case CM_BLAS_COMPUTE_16F:
    case CM_BLAS_COMPUTE_16F_PEDANTIC:
        return HALF;
    case CM_BLAS_COMPUTE_32I:
    case CM_BLAS_COMPUTE_32I_PEDANTIC:
        return INTEGER;
    case CM_BLAS_COMPUTE_64F:
    case CM_BLAS_COMPUTE_64F_PEDANTIC:
        return c == CM_C_64F ? DOUBLE_COMPLEX : DOUBLE;
    default:
        return c == CM_C_32F ? COMPLEX : FLOAT;
    }
}
inline kind kind_of(cmDataType type, cmDataType) { // how older programs name it
    switch (type) {
    case CM_R_16F:
        return HALF;
    case CM_R_32I:
        return INTEGER;
    case CM_R_64F:
        return DOUBLE;
    case CM_R_32F:
        return FLOAT;
    case CM_C_32F:
        return COMPLEX;
    case CM_C_64F:
        return DOUBLE_COMPLEX;
    default:
        return WRONG;
    }
}

// locate(i, a, b, c): where the i-th product's matrices are. K: computed in; S: the scalars' type.
template <class K, class S, class Locate>
inline cmBlasStatus_t multiply(cmBlasHandle_t h, const mixed &shape, const void *alpha,
                               const void *beta, int count, Locate locate) {
    const scalar<S> s(h, static_cast<const S *>(alpha)), t(h, static_cast<const S *>(beta));
    return enqueue(h, [=] {
        for (int i = 0; i < count; i++) {
            const void *a, *b;
            void *c;
            locate(i, &a, &b, &c);
            shape.multiply<K>(static_cast<K>(s.get()), a, b, static_cast<K>(t.get()), c);
        }
    });
}
template <class K, class Locate>
inline cmBlasStatus_t multiply_complex(cmBlasHandle_t h, const mixed &shape, const void *alpha,
                                       const void *beta, int count, Locate locate) {
    const scalar<K> s(h, static_cast<const K *>(alpha)), t(h, static_cast<const K *>(beta));
    return enqueue(h, [=] {
        for (int i = 0; i < count; i++) {
            const void *a, *b;
            void *c;
            locate(i, &a, &b, &c);
            gemm<K>(shape.ta, shape.tb, shape.m, shape.n, shape.k, s.get(), see<K>(a), shape.lda,
                    see<K>(b), shape.ldb, t.get(), see<K>(c), shape.ldc);
        }
    });
}
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
    case FLOAT:
        return multiply<float, float>(h, shape, alpha, beta, count, locate);
    case HALF: // summed in float, as hardware does at its best
        return multiply<float, __half>(h, shape, alpha, beta, count, locate);
    case DOUBLE:
        return multiply<double, double>(h, shape, alpha, beta, count, locate);
    case INTEGER:
        return multiply<int, int>(h, shape, alpha, beta, count, locate);
    case COMPLEX:
        return multiply_complex<std::complex<float>>(h, shape, alpha, beta, count, locate);
    case DOUBLE_COMPLEX:
        return multiply_complex<std::complex<double>>(h, shape, alpha, beta, count, locate);
    default:
        return CM_BLAS_STATUS_NOT_SUPPORTED;
    }
}

inline mixed shape_of(cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,
                      cmDataType at, int lda, cmDataType bt, int ldb, cmDataType ct, int ldc) {
    return {ta, tb, m, n, k, at, bt, ct, lda, ldb, ldc};
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
    return enqueue(h, [=] {
        const double factor = late ? load<double>(alpha, alpha_t, 0) : now;
        const place from = incx < 0 ? place(1 - n) * incx : 0,
                    to = incy < 0 ? place(1 - n) * incy : 0;
        for (place i = 0; i < n; i++)
            store(y, yt, to + i * incy,
                  load<double>(y, yt, to + i * incy) +
                      factor * load<double>(x, xt, from + i * incx));
    });
}
inline cmBlasStatus_t cmBlasScalEx(cmBlasHandle_t h, int n, const void *alpha, cmDataType alpha_t,
                                   void *x, cmDataType xt, int incx, cmDataType) {
    using namespace cm::blas;
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    if (!size_of(xt) || xt == CM_C_32F || xt == CM_C_64F) return CM_BLAS_STATUS_NOT_SUPPORTED;
    const bool late = on_device(h);
    const double now = late ? 0 : load<double>(alpha, alpha_t, 0);
    return enqueue(h, [=] {
        const double factor = late ? load<double>(alpha, alpha_t, 0) : now;
        for (place i = 0; i < n && incx > 0; i++)
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
    const cmBlasStatus_t status = enqueue(h, [=] {
        const place p = incx < 0 ? place(1 - n) * incx : 0, q = incy < 0 ? place(1 - n) * incy : 0;
        double sum = 0;
        for (place i = 0; i < n; i++)
            sum += load<double>(x, xt, p + i * incx) * load<double>(y, yt, q + i * incy);
        store(result, rt, 0, sum);
    });
    if (status || on_device(h)) return status;
    return cmStreamSynchronize(h->stream) ? CM_BLAS_STATUS_EXECUTION_FAILED : status;
}

#endif
