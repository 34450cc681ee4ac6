// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions for matrices that are kept in part: banded and packed ones. Each is unfolded
// into a full matrix, on which the loops of blas_core.hpp run; that costs n * n elements. Included
// by blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_STORED_HPP
#define CUDA_MORPH_CPU_BLAS_STORED_HPP

namespace cm {
namespace blas {

// A matrix whose element (i, j) is at where(i, j); where that is negative it is 0.
template <class K, class Where>
inline std::vector<K> unfolded(int rows, int columns, const K *a, Where where) {
    std::vector<K> full(static_cast<size_t>(rows) * static_cast<size_t>(columns));
    for (place j = 0; j < columns; j++)
        for (place i = 0; i < rows; i++) {
            const place at = where(i, j);
            if (at >= 0) full[static_cast<size_t>(i + j * rows)] = a[at];
        }
    return full;
}

// Diagonals are rows of the array, columns stay columns.
struct band {
    int below, above, lda;
    place operator()(place i, place j) const {
        return i - j <= below && j - i <= above ? above + i - j + j * lda : -1;
    }
};
// The columns of one triangle, one behind the other.
struct packed {
    bool upper;
    int n;
    place operator()(place i, place j) const {
        if (upper) return i <= j ? i + j * (j + 1) / 2 : -1;
        return i >= j ? i + j * (2 * place(n) - j - 1) / 2 : -1;
    }
};

inline int leading(int rows) { return rows > 1 ? rows : 1; }
inline band triangle_band(bool upper, int k, int lda) {
    return {upper ? 0 : k, upper ? k : 0, lda};
}

} // namespace blas
} // namespace cm

#define CM_BLAS_BAND(L, P, K)                                                                     \
    inline cmBlasStatus_t cmBlas##L##gbmv(cmBlasHandle_t h, cmBlasOperation_t op, int m, int n,   \
                                          int kl, int ku, const P *alpha, const P *a, int lda,    \
                                          const P *x, int incx, const P *beta, P *y, int incy) {  \
        if (m < 0 || n < 0 || kl < 0 || ku < 0 || !incx || !incy || lda < kl + ku + 1)            \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            const auto full =                                                                     \
                cm::blas::unfolded(m, n, cm::blas::see<K>(a), cm::blas::band{kl, ku, lda});       \
            cm::blas::gemv(op, m, n, s.get(), full.data(), cm::blas::leading(m),                  \
                           cm::blas::see<K>(x), incx, t.get(), cm::blas::see<K>(y), incy);        \
        });                                                                                       \
    }

// NAME(tb): with k diagonals beside the main one; NAME(tp): packed.
#define CM_BLAS_TRIANGLE(L, f, P, K)                                                              \
    inline cmBlasStatus_t cmBlas##L##tb##f(cmBlasHandle_t h, cmBlasFillMode_t uplo,               \
                                           cmBlasOperation_t op, cmBlasDiagType_t diag, int n,    \
                                           int k, const P *a, int lda, P *x, int incx) {          \
        if (n < 0 || k < 0 || !incx || lda < k + 1) return CM_BLAS_STATUS_INVALID_VALUE;          \
        return cm::blas::enqueue(h, [=] {                                                         \
            const auto full = cm::blas::unfolded(n, n, cm::blas::see<K>(a),                       \
                                                 cm::blas::triangle_band(uplo == 1, k, lda));     \
            cm::blas::tr##f({uplo == 1, diag == 1, op}, n, full.data(), cm::blas::leading(n),     \
                            cm::blas::begin(cm::blas::see<K>(x), n, incx), incx);                 \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##tp##f(cmBlasHandle_t h, cmBlasFillMode_t uplo,               \
                                           cmBlasOperation_t op, cmBlasDiagType_t diag, int n,    \
                                           const P *a, P *x, int incx) {                          \
        if (n < 0 || !incx) return CM_BLAS_STATUS_INVALID_VALUE;                                  \
        return cm::blas::enqueue(h, [=] {                                                         \
            const auto full =                                                                     \
                cm::blas::unfolded(n, n, cm::blas::see<K>(a), cm::blas::packed{uplo == 1, n});    \
            cm::blas::tr##f({uplo == 1, diag == 1, op}, n, full.data(), cm::blas::leading(n),     \
                            cm::blas::begin(cm::blas::see<K>(x), n, incx), incx);                 \
        });                                                                                       \
    }

// Symmetric or Hermitian; A: the type of alpha in the update of rank 1, AK: in the loops.
#define CM_BLAS_HALF(bmv, pmv, pr, pr2, P, K, A, AK, hermitian)                                   \
    inline cmBlasStatus_t cmBlas##bmv(cmBlasHandle_t h, cmBlasFillMode_t uplo, int n, int k,      \
                                      const P *alpha, const P *a, int lda, const P *x, int incx,  \
                                      const P *beta, P *y, int incy) {                            \
        if (n < 0 || k < 0 || !incx || !incy || lda < k + 1) return CM_BLAS_STATUS_INVALID_VALUE; \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            const auto full = cm::blas::unfolded(n, n, cm::blas::see<K>(a),                       \
                                                 cm::blas::triangle_band(uplo == 1, k, lda));     \
            cm::blas::symv(uplo == 1, hermitian, n, s.get(), full.data(), cm::blas::leading(n),   \
                           cm::blas::see<K>(x), incx, t.get(), cm::blas::see<K>(y), incy);        \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##pmv(cmBlasHandle_t h, cmBlasFillMode_t uplo, int n,             \
                                      const P *alpha, const P *a, const P *x, int incx,           \
                                      const P *beta, P *y, int incy) {                            \
        if (n < 0 || !incx || !incy) return CM_BLAS_STATUS_INVALID_VALUE;                         \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            const auto full =                                                                     \
                cm::blas::unfolded(n, n, cm::blas::see<K>(a), cm::blas::packed{uplo == 1, n});    \
            cm::blas::symv(uplo == 1, hermitian, n, s.get(), full.data(), cm::blas::leading(n),   \
                           cm::blas::see<K>(x), incx, t.get(), cm::blas::see<K>(y), incy);        \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##pr(cmBlasHandle_t h, cmBlasFillMode_t uplo, int n,              \
                                     const A *alpha, const P *x, int incx, P *a) {                \
        if (n < 0 || !incx) return CM_BLAS_STATUS_INVALID_VALUE;                                  \
        const cm::blas::scalar<AK> s(h, alpha);                                                   \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::packed_syr<K>(uplo == 1, hermitian, n, K(s.get()), cm::blas::see<K>(x),     \
                                    incx, nullptr, 1, cm::blas::see<K>(a));                       \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##pr2(cmBlasHandle_t h, cmBlasFillMode_t uplo, int n,             \
                                      const P *alpha, const P *x, int incx, const P *y, int incy, \
                                      P *a) {                                                     \
        if (n < 0 || !incx || !incy) return CM_BLAS_STATUS_INVALID_VALUE;                         \
        const cm::blas::scalar<K> s(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::packed_syr<K>(uplo == 1, hermitian, n, s.get(), cm::blas::see<K>(x), incx,  \
                                    cm::blas::see<K>(y), incy, cm::blas::see<K>(a));              \
        });                                                                                       \
    }

namespace cm {
namespace blas {

template <class K>
inline void packed_syr(bool upper, bool hermitian, int n, K alpha, const K *x, int incx,
                       const K *y, int incy, K *a) {
    const packed where{upper, n};
    std::vector<K> full = unfolded(n, n, static_cast<const K *>(a), where);
    syr<K>(upper, hermitian, n, alpha, x, incx, y, incy, full.data(), leading(n));
    for (place j = 0; j < n; j++)
        for (place i = 0; i < n; i++)
            if (where(i, j) >= 0) a[where(i, j)] = full[static_cast<size_t>(i + j * n)];
}

} // namespace blas
} // namespace cm

#define CM_BLAS_STORED(L, P, K)                                                                   \
    CM_BLAS_BAND(L, P, K) CM_BLAS_TRIANGLE(L, mv, P, K) CM_BLAS_TRIANGLE(L, sv, P, K)

CM_BLAS_STORED(S, float, float)
CM_BLAS_STORED(D, double, double)
CM_BLAS_STORED(C, cuComplex, std::complex<float>)
CM_BLAS_STORED(Z, cuDoubleComplex, std::complex<double>)
CM_BLAS_HALF(Ssbmv, Sspmv, Sspr, Sspr2, float, float, float, float, false)
CM_BLAS_HALF(Dsbmv, Dspmv, Dspr, Dspr2, double, double, double, double, false)
CM_BLAS_HALF(Chbmv, Chpmv, Chpr, Chpr2, cuComplex, std::complex<float>, float, float, true)
CM_BLAS_HALF(Zhbmv, Zhpmv, Zhpr, Zhpr2, cuDoubleComplex, std::complex<double>, double, double,
             true)
#undef CM_BLAS_STORED
#undef CM_BLAS_BAND
#undef CM_BLAS_TRIANGLE
#undef CM_BLAS_HALF

#endif
