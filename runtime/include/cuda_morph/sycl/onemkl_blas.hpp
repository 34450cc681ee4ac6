// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions over oneMKL's, one of each for S, D, C and Z. Included by blas.h.
// L: the letter; P: the type of the caller's numbers; K: oneMKL's; R: the real one.
#ifndef CUDA_MORPH_SYCL_ONEMKL_BLAS_HPP
#define CUDA_MORPH_SYCL_ONEMKL_BLAS_HPP

#include <cuda_morph/sycl/onemkl.hpp>

namespace cm {
namespace blas {
namespace column = mkl::blas::column_major;
using onemkl::events;
using onemkl::put;

inline mkl::transpose transpose(int op) {
    return op == CM_BLAS_OP_N   ? mkl::transpose::nontrans
           : op == CM_BLAS_OP_T ? mkl::transpose::trans
                                : mkl::transpose::conjtrans;
}
inline mkl::uplo triangle(int fill) {
    return fill == CM_BLAS_FILL_MODE_UPPER ? mkl::uplo::upper : mkl::uplo::lower;
}
inline mkl::diag diagonal(int unit) {
    return unit == CM_BLAS_DIAG_UNIT ? mkl::diag::unit : mkl::diag::nonunit;
}
inline mkl::side side(int right) {
    return right == CM_BLAS_SIDE_RIGHT ? mkl::side::right : mkl::side::left;
}

template <class Call> cmBlasStatus_t command(cmBlasHandle_t h, Call call) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    return put(h->stream, call) ? CM_BLAS_STATUS_EXECUTION_FAILED : CM_BLAS_STATUS_SUCCESS;
}
// The same for a call that gives a number of type T: it goes to `result`, on the host or there.
template <class T, class Out, class Call>
cmBlasStatus_t asked(cmBlasHandle_t h, Out *result, Call call) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    if (!result) return CM_BLAS_STATUS_INVALID_VALUE;
    T *place = nullptr;
    if (cmMallocManaged(&place, sizeof *place)) return CM_BLAS_STATUS_ALLOC_FAILED;
    cmError_t error =
        put(h->stream, [=](sycl::queue &q, const events &e) { return call(q, place, e); });
    if (!error) error = cmStreamSynchronize(h->stream);
    if (!error) cm::library::store(result, static_cast<Out>(*place));
    cmFree(place);
    return error ? CM_BLAS_STATUS_EXECUTION_FAILED : CM_BLAS_STATUS_SUCCESS;
}

} // namespace blas
} // namespace cm

#define CM_ONEMKL(L, LR, l, P, K, R)                                                              \
    inline cmBlasStatus_t cmBlas##L##axpy(cmBlasHandle_t h, int n, const P *alpha, const P *x,    \
                                          int incx, P *y, int incy) {                             \
        const K a = cm::blas::scalar<K>(h, alpha).get();                                          \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::axpy(q, n, a, cm::blas::see<K>(x), incx,                     \
                                          cm::blas::see<K>(y), incy, e);                          \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##scal(cmBlasHandle_t h, int n, const P *alpha, P *x,          \
                                          int incx) {                                             \
        const K a = cm::blas::scalar<K>(h, alpha).get();                                          \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::scal(q, n, a, cm::blas::see<K>(x), incx, e);                 \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##copy(cmBlasHandle_t h, int n, const P *x, int incx, P *y,    \
                                          int incy) {                                             \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::copy(q, n, cm::blas::see<K>(x), incx, cm::blas::see<K>(y),   \
                                          incy, e);                                               \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##swap(cmBlasHandle_t h, int n, P *x, int incx, P *y,          \
                                          int incy) {                                             \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::swap(q, n, cm::blas::see<K>(x), incx, cm::blas::see<K>(y),   \
                                          incy, e);                                               \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##LR##nrm2(cmBlasHandle_t h, int n, const P *x, int incx,         \
                                           R *result) {                                           \
        return cm::blas::asked<R>(                                                                \
            h, result, [=](sycl::queue &q, R *to, const cm::blas::events &e) {                    \
                return cm::blas::column::nrm2(q, n, cm::blas::see<K>(x), incx, to, e);            \
            });                                                                                   \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##LR##asum(cmBlasHandle_t h, int n, const P *x, int incx,         \
                                           R *result) {                                           \
        return cm::blas::asked<R>(                                                                \
            h, result, [=](sycl::queue &q, R *to, const cm::blas::events &e) {                    \
                return cm::blas::column::asum(q, n, cm::blas::see<K>(x), incx, to, e);            \
            });                                                                                   \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemv(cmBlasHandle_t h, cmBlasOperation_t op, int m, int n,   \
                                          const P *alpha, const P *a, int lda, const P *x,        \
                                          int incx, const P *beta, P *y, int incy) {              \
        const K s = cm::blas::scalar<K>(h, alpha).get(), t = cm::blas::scalar<K>(h, beta).get();  \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::gemv(q, cm::blas::transpose(op), m, n, s,                    \
                                          cm::blas::see<K>(a), lda, cm::blas::see<K>(x), incx, t, \
                                          cm::blas::see<K>(y), incy, e);                          \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##trsv(cmBlasHandle_t h, cmBlasFillMode_t fill,                \
                                          cmBlasOperation_t op, cmBlasDiagType_t unit, int n,     \
                                          const P *a, int lda, P *x, int incx) {                  \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::trsv(q, cm::blas::triangle(fill), cm::blas::transpose(op),   \
                                          cm::blas::diagonal(unit), n, cm::blas::see<K>(a), lda,  \
                                          cm::blas::see<K>(x), incx, e);                          \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemm(                                                        \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const P *alpha, const P *a, int lda, const P *b, int ldb, const P *beta, P *c, int ldc) { \
        const K s = cm::blas::scalar<K>(h, alpha).get(), t = cm::blas::scalar<K>(h, beta).get();  \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::gemm(q, cm::blas::transpose(ta), cm::blas::transpose(tb), m, \
                                          n, k, s, cm::blas::see<K>(a), lda, cm::blas::see<K>(b), \
                                          ldb, t, cm::blas::see<K>(c), ldc, e);                   \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemmStridedBatched(                                          \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const P *alpha, const P *a, int lda, long long as, const P *b, int ldb, long long bs,     \
        const P *beta, P *c, int ldc, long long cs, int count) {                                  \
        const K s = cm::blas::scalar<K>(h, alpha).get(), t = cm::blas::scalar<K>(h, beta).get();  \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::gemm_batch(                                                  \
                q, cm::blas::transpose(ta), cm::blas::transpose(tb), m, n, k, s,                  \
                cm::blas::see<K>(a), lda, as, cm::blas::see<K>(b), ldb, bs, t,                    \
                cm::blas::see<K>(c), ldc, cs, count, e);                                          \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##symm(                                                        \
        cmBlasHandle_t h, cmBlasSideMode_t right, cmBlasFillMode_t fill, int m, int n,            \
        const P *alpha, const P *a, int lda, const P *b, int ldb, const P *beta, P *c, int ldc) { \
        const K s = cm::blas::scalar<K>(h, alpha).get(), t = cm::blas::scalar<K>(h, beta).get();  \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::symm(q, cm::blas::side(right), cm::blas::triangle(fill), m,  \
                                          n, s, cm::blas::see<K>(a), lda, cm::blas::see<K>(b),    \
                                          ldb, t, cm::blas::see<K>(c), ldc, e);                   \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##syrk(cmBlasHandle_t h, cmBlasFillMode_t fill,                \
                                          cmBlasOperation_t op, int n, int k, const P *alpha,     \
                                          const P *a, int lda, const P *beta, P *c, int ldc) {    \
        const K s = cm::blas::scalar<K>(h, alpha).get(), t = cm::blas::scalar<K>(h, beta).get();  \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::syrk(q, cm::blas::triangle(fill), cm::blas::transpose(op),   \
                                          n, k, s, cm::blas::see<K>(a), lda, t,                   \
                                          cm::blas::see<K>(c), ldc, e);                           \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##trsm(cmBlasHandle_t h, cmBlasSideMode_t right,               \
                                          cmBlasFillMode_t fill, cmBlasOperation_t op,            \
                                          cmBlasDiagType_t unit, int m, int n, const P *alpha,    \
                                          const P *a, int lda, P *b, int ldb) {                   \
        const K s = cm::blas::scalar<K>(h, alpha).get();                                          \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::trsm(q, cm::blas::side(right), cm::blas::triangle(fill),     \
                                          cm::blas::transpose(op), cm::blas::diagonal(unit), m,   \
                                          n, s, cm::blas::see<K>(a), lda, cm::blas::see<K>(b),    \
                                          ldb, e);                                                \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##geam(                                                        \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n,               \
        const P *alpha, const P *a, int lda, const P *beta, const P *b, int ldb, P *c, int ldc) { \
        const K s = cm::blas::scalar<K>(h, alpha).get(), t = cm::blas::scalar<K>(h, beta).get();  \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::omatadd(q, cm::blas::transpose(ta), cm::blas::transpose(tb), \
                                             m, n, s, cm::blas::see<K>(a), lda, t,                \
                                             cm::blas::see<K>(b), ldb, cm::blas::see<K>(c), ldc,  \
                                             e);                                                  \
        });                                                                                       \
    }                                                                                             \
    /* oneMKL counts from 0 */                                                                    \
    inline cmBlasStatus_t cmBlasI##l##amax(cmBlasHandle_t h, int n, const P *x, int incx,         \
                                           int *result) {                                         \
        return cm::blas::asked<std::int64_t>(                                                     \
            h, result, [=](sycl::queue &q, std::int64_t *to, const cm::blas::events &e) {         \
                const sycl::event found =                                                         \
                    cm::blas::column::iamax(q, n, cm::blas::see<K>(x), incx, to, e);              \
                return q.submit([&](sycl::handler &c) {                                           \
                    c.depends_on(found);                                                          \
                    c.single_task([=] { *to += n > 0 && incx > 0; });                             \
                });                                                                               \
            });                                                                                   \
    }                                                                                             \
    inline cmBlasStatus_t cmBlasI##l##amin(cmBlasHandle_t h, int n, const P *x, int incx,         \
                                           int *result) {                                         \
        return cm::blas::asked<std::int64_t>(                                                     \
            h, result, [=](sycl::queue &q, std::int64_t *to, const cm::blas::events &e) {         \
                const sycl::event found =                                                         \
                    cm::blas::column::iamin(q, n, cm::blas::see<K>(x), incx, to, e);              \
                return q.submit([&](sycl::handler &c) {                                           \
                    c.depends_on(found);                                                          \
                    c.single_task([=] { *to += n > 0 && incx > 0; });                             \
                });                                                                               \
            });                                                                                   \
    }

#define CM_ONEMKL_DOT(L, name, P, K)                                                              \
    inline cmBlasStatus_t cmBlas##L##name(cmBlasHandle_t h, int n, const P *x, int incx,          \
                                          const P *y, int incy, P *result) {                      \
        return cm::blas::asked<K>(                                                                \
            h, cm::blas::see<K>(result), [=](sycl::queue &q, K *to, const cm::blas::events &e) {  \
                return cm::blas::column::name(q, n, cm::blas::see<K>(x), incx,                    \
                                              cm::blas::see<K>(y), incy, to, e);                  \
            });                                                                                   \
    }
#define CM_ONEMKL_GER(L, name, P, K)                                                              \
    inline cmBlasStatus_t cmBlas##L##name(cmBlasHandle_t h, int m, int n, const P *alpha,         \
                                          const P *x, int incx, const P *y, int incy, P *a,       \
                                          int lda) {                                              \
        const K s = cm::blas::scalar<K>(h, alpha).get();                                          \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::name(q, m, n, s, cm::blas::see<K>(x), incx,                  \
                                          cm::blas::see<K>(y), incy, cm::blas::see<K>(a), lda,    \
                                          e);                                                     \
        });                                                                                       \
    }
#define CM_ONEMKL_SYMV(L, name, P, K)                                                             \
    inline cmBlasStatus_t cmBlas##L##name(cmBlasHandle_t h, cmBlasFillMode_t fill, int n,         \
                                          const P *alpha, const P *a, int lda, const P *x,        \
                                          int incx, const P *beta, P *y, int incy) {              \
        const K s = cm::blas::scalar<K>(h, alpha).get(), t = cm::blas::scalar<K>(h, beta).get();  \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::name(q, cm::blas::triangle(fill), n, s, cm::blas::see<K>(a), \
                                          lda, cm::blas::see<K>(x), incx, t, cm::blas::see<K>(y), \
                                          incy, e);                                               \
        });                                                                                       \
    }

#define CM_ONEMKL_ROT(L, R)                                                                       \
    inline cmBlasStatus_t cmBlas##L##rot(cmBlasHandle_t h, int n, R *x, int incx, R *y, int incy, \
                                         const R *cosine, const R *sine) {                        \
        const R a = cm::blas::scalar<R>(h, cosine).get(), b = cm::blas::scalar<R>(h, sine).get(); \
        return cm::blas::command(h, [=](sycl::queue &q, const cm::blas::events &e) {              \
            return cm::blas::column::rot(q, n, x, incx, y, incy, a, b, e);                        \
        });                                                                                       \
    }

CM_ONEMKL_ROT(S, float)
CM_ONEMKL_ROT(D, double)
CM_ONEMKL(S, S, s, float, float, float)
CM_ONEMKL(D, D, d, double, double, double)
CM_ONEMKL(C, Sc, c, cuComplex, std::complex<float>, float)
CM_ONEMKL(Z, Dz, z, cuDoubleComplex, std::complex<double>, double)
CM_ONEMKL_DOT(S, dot, float, float)
CM_ONEMKL_DOT(D, dot, double, double)
CM_ONEMKL_DOT(C, dotu, cuComplex, std::complex<float>)
CM_ONEMKL_DOT(C, dotc, cuComplex, std::complex<float>)
CM_ONEMKL_DOT(Z, dotu, cuDoubleComplex, std::complex<double>)
CM_ONEMKL_DOT(Z, dotc, cuDoubleComplex, std::complex<double>)
CM_ONEMKL_GER(S, ger, float, float)
CM_ONEMKL_GER(D, ger, double, double)
CM_ONEMKL_GER(C, geru, cuComplex, std::complex<float>)
CM_ONEMKL_GER(C, gerc, cuComplex, std::complex<float>)
CM_ONEMKL_GER(Z, geru, cuDoubleComplex, std::complex<double>)
CM_ONEMKL_GER(Z, gerc, cuDoubleComplex, std::complex<double>)
CM_ONEMKL_SYMV(S, symv, float, float)
CM_ONEMKL_SYMV(D, symv, double, double)
CM_ONEMKL_SYMV(C, hemv, cuComplex, std::complex<float>)
CM_ONEMKL_SYMV(Z, hemv, cuDoubleComplex, std::complex<double>)
#undef CM_ONEMKL
#undef CM_ONEMKL_ROT
#undef CM_ONEMKL_DOT
#undef CM_ONEMKL_GER
#undef CM_ONEMKL_SYMV

#endif
