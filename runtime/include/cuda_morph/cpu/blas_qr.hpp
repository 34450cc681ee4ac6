// SPDX-License-Identifier: Apache-2.0
// cuBLAS's batches of QR factors, least squares and inverses, products of complex numbers by their
// other names, and what mixes types for vectors. Included by blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_QR_HPP
#define CUDA_MORPH_CPU_BLAS_QR_HPP

namespace cm {
namespace blas {

template <class R> inline R real_part(R v) { return v; }
template <class R> inline R real_part(std::complex<R> v) { return v.real(); }

// x of n numbers becomes beta and v, so that (1 - tau v v') x is beta at its beginning, and 0
// behind; v begins with 1, which is not stored. As LAPACK's larfg.
template <class K> inline K reflector(int n, K *x) {
    using R = decltype(real_part(K()));
    double rest = 0;
    for (int i = 1; i < n; i++) rest += square(x[i]);
    if (rest == 0 && K(real_part(x[0])) == x[0]) return K(0);
    const R size = static_cast<R>(std::sqrt(rest + square(x[0])));
    const R beta = real_part(x[0]) > 0 ? -size : size;
    const K tau = (K(beta) - x[0]) / beta, scale = K(1) / (x[0] - K(beta));
    for (int i = 1; i < n; i++) x[i] *= scale;
    x[0] = K(beta);
    return tau;
}
// c = (1 - tau v v') c for one column; v[0] counts as 1.
template <class K> inline void reflect(int n, const K *v, K tau, K *c) {
    K sum = c[0];
    for (int i = 1; i < n; i++) sum += conjugate(v[i]) * c[i];
    sum *= tau;
    c[0] -= sum;
    for (int i = 1; i < n; i++) c[i] -= v[i] * sum;
}
template <class K> inline void geqrf(int m, int n, K *a, int lda, K *tau) {
    for (int k = 0; k < m && k < n; k++) {
        K *const v = a + k + place(k) * lda;
        tau[k] = reflector(m - k, v);
        for (int j = k + 1; j < n; j++)
            reflect(m - k, v, conjugate(tau[k]), a + k + place(j) * lda);
    }
}
// Least squares, m >= n: x is left in the first n rows of c. Gives the first zero of the diagonal,
// counted from 1.
template <class K> inline int gels(int m, int n, int columns, K *a, int lda, K *c, int ldc) {
    std::vector<K> tau(static_cast<size_t>(n) + 1);
    geqrf(m, n, a, lda, tau.data());
    for (int k = 0; k < n; k++)
        if (a[k + place(k) * lda] == K(0)) return k + 1;
    for (int j = 0; j < columns; j++) {
        K *const b = c + place(j) * ldc;
        for (int k = 0; k < n; k++)
            reflect(m - k, a + k + place(k) * lda, conjugate(tau[static_cast<size_t>(k)]), b + k);
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++) b[i] -= a[i + place(k) * lda] * b[k];
            b[i] /= a[i + place(i) * lda];
        }
    }
    return 0;
}
inline void tell(int *info, int value) {
    if (info) *info = value;
}

} // namespace blas
} // namespace cm

#define CM_BLAS_QR(L, P, K)                                                                       \
    inline cmBlasStatus_t cmBlas##L##geqrfBatched(cmBlasHandle_t h, int m, int n, P *const *a,    \
                                                  int lda, P *const *tau, int *info, int count) { \
        const bool bad = m < 0 || n < 0 || count < 0 || cm::blas::bad_shape(m, lda);              \
        cm::blas::tell(info, bad ? -1 : 0);                                                       \
        if (bad) return CM_BLAS_STATUS_INVALID_VALUE;                                             \
        return cm::blas::each(h, count, [=](ptrdiff_t i) {                                        \
            cm::blas::geqrf(m, n, cm::blas::see<K>(a[i]), lda, cm::blas::see<K>(tau[i]));         \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gelsBatched(                                                 \
        cmBlasHandle_t h, cmBlasOperation_t op, int m, int n, int columns, P *const *a, int lda,  \
        P *const *c, int ldc, int *info, int *infos, int count) {                                 \
        const bool bad = m < n || n < 0 || columns < 0 || count < 0 ||                            \
                         cm::blas::bad_shape(m, lda) || cm::blas::bad_shape(m, ldc);              \
        cm::blas::tell(info, bad ? -1 : 0);                                                       \
        if (bad) return CM_BLAS_STATUS_INVALID_VALUE;                                             \
        if (op != CM_BLAS_OP_N) return CM_BLAS_STATUS_NOT_SUPPORTED; /* as in cuBLAS */           \
        return cm::blas::each(h, count, [=](ptrdiff_t i) {                                        \
            const int problem = cm::blas::gels(m, n, columns, cm::blas::see<K>(a[i]), lda,        \
                                               cm::blas::see<K>(c[i]), ldc);                      \
            if (infos) infos[i] = problem;                                                        \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##matinvBatched(cmBlasHandle_t h, int n, const P *const *a,    \
                                                   int lda, P *const *c, int ldc, int *infos,     \
                                                   int count) {                                   \
        if (n < 0 || n > 32 || count < 0 || cm::blas::bad_shape(n, lda) ||                        \
            cm::blas::bad_shape(n, ldc))                                                          \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        return cm::blas::each(h, count, [=](ptrdiff_t i) {                                        \
            K copy[32 * 32];                                                                      \
            int pivots[32];                                                                       \
            const int side = n > 1 ? n : 1;                                                       \
            for (ptrdiff_t j = 0; j < n; j++)                                                     \
                std::copy_n(cm::blas::see<K>(a[i]) + j * lda, n, copy + j * n);                   \
            infos[i] = cm::blas::getrf(n, copy, side, pivots);                                    \
            if (!infos[i])                                                                        \
                cm::blas::getri(n, static_cast<const K *>(copy), side,                            \
                                static_cast<const int *>(pivots), cm::blas::see<K>(c[i]), ldc);   \
        });                                                                                       \
    }
CM_BLAS_QR(S, float, float)
CM_BLAS_QR(D, double, double)
CM_BLAS_QR(C, cuComplex, std::complex<float>)
CM_BLAS_QR(Z, cuDoubleComplex, std::complex<double>)
#undef CM_BLAS_QR

// gemm3m: the same product by fewer multiplications.
#define CM_BLAS_3M(L, P)                                                                          \
    inline cmBlasStatus_t cmBlas##L##gemm3m(                                                      \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const P *alpha, const P *a, int lda, const P *b, int ldb, const P *beta, P *c, int ldc) { \
        return cmBlas##L##gemm(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);          \
    }
CM_BLAS_3M(C, cuComplex)
CM_BLAS_3M(Z, cuDoubleComplex)
#undef CM_BLAS_3M

// Calls call(a pointer to a number of that type); of half a type it computes in float.
namespace cm {
namespace blas {

template <class Call> inline cmBlasStatus_t of_type(cmDataType type, Call call) {
    switch (type) {
    case CM_R_32F:
        return call(static_cast<float *>(nullptr));
    case CM_R_64F:
        return call(static_cast<double *>(nullptr));
    case CM_C_32F:
        return call(static_cast<std::complex<float> *>(nullptr));
    case CM_C_64F:
        return call(static_cast<std::complex<double> *>(nullptr));
    default:
        return CM_BLAS_STATUS_NOT_SUPPORTED;
    }
}
inline bool is_complex(cmDataType type) { return type == CM_C_32F || type == CM_C_64F; }
inline cmDataType real_kind(cmDataType type) {
    return type == CM_C_32F ? CM_R_32F : type == CM_C_64F ? CM_R_64F : type;
}

} // namespace blas
} // namespace cm

inline cmBlasStatus_t cmBlasNrm2Ex(cmBlasHandle_t h, int n, const void *x, cmDataType type,
                                   int step, void *result, cmDataType of_result, cmDataType) {
    if (of_result != cm::blas::real_kind(type)) return CM_BLAS_STATUS_NOT_SUPPORTED;
    if (type == CM_R_16F || type == CM_R_16BF) { // the square root of a sum of squares, in double
        if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
        if (!result) return CM_BLAS_STATUS_INVALID_VALUE;
        const cmBlasStatus_t status = cm::blas::enqueue(h, [=] {
            double sum = 0;
            for (ptrdiff_t i = 0; i < n && step > 0; i++) {
                const double v = cm::numbers::load<double>(x, type, i * step);
                sum += v * v;
            }
            cm::numbers::store(result, type, 0, std::sqrt(sum));
        });
        if (status || cm::blas::on_device(h)) return status;
        return cmStreamSynchronize(h->stream) ? CM_BLAS_STATUS_EXECUTION_FAILED : status;
    }
    switch (type) {
    case CM_R_32F:
        return cmBlasSnrm2(h, n, static_cast<const float *>(x), step,
                           static_cast<float *>(result));
    case CM_R_64F:
        return cmBlasDnrm2(h, n, static_cast<const double *>(x), step,
                           static_cast<double *>(result));
    case CM_C_32F:
        return cmBlasScnrm2(h, n, static_cast<const cuComplex *>(x), step,
                            static_cast<float *>(result));
    case CM_C_64F:
        return cmBlasDznrm2(h, n, static_cast<const cuDoubleComplex *>(x), step,
                            static_cast<double *>(result));
    default:
        return CM_BLAS_STATUS_NOT_SUPPORTED;
    }
}
// Of real numbers conjugation is nothing; of complex ones all three have to be of one type.
inline cmBlasStatus_t cmBlasDotcEx(cmBlasHandle_t h, int n, const void *x, cmDataType xt, int incx,
                                   const void *y, cmDataType yt, int incy, void *result,
                                   cmDataType rt, cmDataType computed) {
    if (!cm::blas::is_complex(xt))
        return cmBlasDotEx(h, n, x, xt, incx, y, yt, incy, result, rt, computed);
    if (yt != xt || rt != xt) return CM_BLAS_STATUS_NOT_SUPPORTED;
    if (xt == CM_C_32F)
        return cmBlasCdotc(h, n, static_cast<const cuComplex *>(x), incx,
                           static_cast<const cuComplex *>(y), incy,
                           static_cast<cuComplex *>(result));
    return cmBlasZdotc(h, n, static_cast<const cuDoubleComplex *>(x), incx,
                       static_cast<const cuDoubleComplex *>(y), incy,
                       static_cast<cuDoubleComplex *>(result));
}
// cosine and sine are of one type: the vectors', or its real one; of half types they are floats'
// or the same, and what is computed is a double.
inline cmBlasStatus_t cmBlasRotEx(cmBlasHandle_t h, int n, void *x, cmDataType xt, int incx,
                                  void *y, cmDataType yt, int incy, const void *cosine,
                                  const void *sine, cmDataType type, cmDataType) {
    using namespace cm::blas;
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    if (xt != yt) return CM_BLAS_STATUS_NOT_SUPPORTED;
    if (is_complex(xt)) {
        const bool real = type == real_kind(xt);
        if (!real && type != xt) return CM_BLAS_STATUS_NOT_SUPPORTED;
        return of_type(xt, [=](auto *k) {
            using K = std::remove_pointer_t<decltype(k)>;
            using R = decltype(real_part(K()));
            // the cosine of a complex rotation is real: its imaginary part is not read
            const scalar<R> c(h, static_cast<const R *>(cosine));
            const scalar<R> sr(h, static_cast<const R *>(sine));
            const scalar<R> si(h, static_cast<const R *>(sine) + (real ? 0 : 1));
            return enqueue(h, [=] {
                K *p = begin(static_cast<K *>(x), n, incx),
                  *q = begin(static_cast<K *>(y), n, incy);
                K s(sr.get());
                if constexpr (!std::is_same<K, R>::value)
                    if (!real) s = K(sr.get(), si.get());
                for (ptrdiff_t i = 0; i < n; i++) {
                    const K u = p[i * incx], v = q[i * incy];
                    p[i * incx] = c.get() * u + s * v;
                    q[i * incy] = c.get() * v - conjugate(s) * u;
                }
            });
        });
    }
    if (!size_of(xt) || !size_of(type) || is_complex(type)) return CM_BLAS_STATUS_NOT_SUPPORTED;
    const bool late = on_device(h);
    const double c0 = late ? 0 : load<double>(cosine, type, 0),
                 s0 = late ? 0 : load<double>(sine, type, 0);
    const place p = incx < 0 ? place(1 - n) * incx : 0, q = incy < 0 ? place(1 - n) * incy : 0;
    return each(h, n, [=](place i) {
        const double c = late ? load<double>(cosine, type, 0) : c0,
                     s = late ? load<double>(sine, type, 0) : s0;
        const double u = load<double>(x, xt, p + i * incx), v = load<double>(y, yt, q + i * incy);
        store(x, xt, p + i * incx, c * u + s * v);
        store(y, yt, q + i * incy, c * v - s * u);
    });
}
// A complex product; its matrices are of one type.
inline cmBlasStatus_t cmBlasCgemmEx(cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb,
                                    int m, int n, int k, const cuComplex *alpha, const void *a,
                                    cmDataType at, int lda, const void *b, cmDataType bt, int ldb,
                                    const cuComplex *beta, void *c, cmDataType ct, int ldc) {
    return cmBlasGemmEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc,
                        CM_BLAS_COMPUTE_32F, CM_BLAS_GEMM_DEFAULT);
}

#endif
