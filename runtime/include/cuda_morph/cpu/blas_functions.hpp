// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions, one of each for S, D, C and Z: what blas.h declares, over blas_core.hpp.
// L: the letter; l: the same, small; P: the type of the caller's numbers; K: that of the loops.
#ifndef CUDA_MORPH_CPU_BLAS_FUNCTIONS_HPP
#define CUDA_MORPH_CPU_BLAS_FUNCTIONS_HPP

// ---- vectors ----

#define CM_BLAS_VECTORS(L, l, P, K, LR, R)                                                        \
    inline cmBlasStatus_t cmBlas##L##axpy(cmBlasHandle_t h, int n, const P *alpha, const P *x,    \
                                          int incx, P *y, int incy) {                             \
        const cm::blas::scalar<K> a(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            const K *p = cm::blas::begin(cm::blas::see<K>(x), n, incx);                           \
            K *q = cm::blas::begin(cm::blas::see<K>(y), n, incy);                                 \
            const K factor = a.get();                                                             \
            for (ptrdiff_t i = 0; i < n; i++) q[i * incy] += factor * p[i * incx];                \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##copy(cmBlasHandle_t h, int n, const P *x, int incx, P *y,    \
                                          int incy) {                                             \
        return cm::blas::enqueue(h, [=] {                                                         \
            const P *p = cm::blas::begin(x, n, incx);                                             \
            P *q = cm::blas::begin(y, n, incy);                                                   \
            for (ptrdiff_t i = 0; i < n; i++) q[i * incy] = p[i * incx];                          \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##swap(cmBlasHandle_t h, int n, P *x, int incx, P *y,          \
                                          int incy) {                                             \
        return cm::blas::enqueue(h, [=] {                                                         \
            P *p = cm::blas::begin(x, n, incx), *q = cm::blas::begin(y, n, incy);                 \
            for (ptrdiff_t i = 0; i < n; i++) std::swap(p[i * incx], q[i * incy]);                \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##scal(cmBlasHandle_t h, int n, const P *alpha, P *x,          \
                                          int incx) {                                             \
        const cm::blas::scalar<K> a(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            K *p = cm::blas::see<K>(x);                                                           \
            const K factor = a.get();                                                             \
            for (ptrdiff_t i = 0; i < n && incx > 0; i++) p[i * incx] *= factor;                  \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##LR##nrm2(cmBlasHandle_t h, int n, const P *x, int incx,         \
                                           R *result) {                                           \
        return cm::blas::answer(h, result, [=] {                                                  \
            const K *p = cm::blas::see<K>(x);                                                     \
            double sum = 0, top = 0;                                                              \
            for (ptrdiff_t i = 0; i < n && incx > 0; i++)                                         \
                top = std::fmax(top, cm::blas::size1(p[i * incx]));                               \
            for (ptrdiff_t i = 0; i < n && incx > 0 && top > 0; i++)                              \
                sum += cm::blas::square(p[i * incx] / static_cast<R>(top));                       \
            return static_cast<R>(top * std::sqrt(sum));                                          \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##LR##asum(cmBlasHandle_t h, int n, const P *x, int incx,         \
                                           R *result) {                                           \
        return cm::blas::answer(h, result, [=] {                                                  \
            const K *p = cm::blas::see<K>(x);                                                     \
            double sum = 0;                                                                       \
            for (ptrdiff_t i = 0; i < n && incx > 0; i++) sum += cm::blas::size1(p[i * incx]);    \
            return static_cast<R>(sum);                                                           \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlasI##l##amax(cmBlasHandle_t h, int n, const P *x, int incx,         \
                                           int *result) {                                         \
        return cm::blas::answer(                                                                  \
            h, result, [=] { return cm::blas::extreme(cm::blas::see<K>(x), n, incx, true); });    \
    }                                                                                             \
    inline cmBlasStatus_t cmBlasI##l##amin(cmBlasHandle_t h, int n, const P *x, int incx,         \
                                           int *result) {                                         \
        return cm::blas::answer(                                                                  \
            h, result, [=] { return cm::blas::extreme(cm::blas::see<K>(x), n, incx, false); });   \
    }

// W: the type to sum in.
#define CM_BLAS_DOT(NAME, P, K, W, CONJ)                                                          \
    inline cmBlasStatus_t cmBlas##NAME(cmBlasHandle_t h, int n, const P *x, int incx, const P *y, \
                                       int incy, P *result) {                                     \
        return cm::blas::answer(h, cm::blas::see<K>(result), [=] {                                \
            const K *p = cm::blas::begin(cm::blas::see<K>(x), n, incx),                           \
                    *q = cm::blas::begin(cm::blas::see<K>(y), n, incy);                           \
            W sum(0);                                                                             \
            for (ptrdiff_t i = 0; i < n; i++) sum += W(CONJ(p[i * incx])) * W(q[i * incy]);       \
            return static_cast<K>(sum);                                                           \
        });                                                                                       \
    }

#define CM_BLAS_ROTATIONS(L, R)                                                                   \
    inline cmBlasStatus_t cmBlas##L##rot(cmBlasHandle_t h, int n, R *x, int incx, R *y, int incy, \
                                         const R *cosine, const R *sine) {                        \
        const cm::blas::scalar<R> a(h, cosine), b(h, sine);                                       \
        return cm::blas::enqueue(h, [=] {                                                         \
            R *p = cm::blas::begin(x, n, incx), *q = cm::blas::begin(y, n, incy);                 \
            for (ptrdiff_t i = 0; i < n; i++) {                                                   \
                const R u = p[i * incx], v = q[i * incy];                                         \
                p[i * incx] = a.get() * u + b.get() * v;                                          \
                q[i * incy] = a.get() * v - b.get() * u;                                          \
            }                                                                                     \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##rotg(cmBlasHandle_t h, R *a, R *b, R *c, R *s) {             \
        const cmBlasStatus_t status = cm::blas::enqueue(h, [=] {                                  \
            const bool first = std::fabs(*a) > std::fabs(*b);                                     \
            const R r = std::copysign(std::hypot(*a, *b), first ? *a : *b);                       \
            *c = r == R(0) ? R(1) : *a / r, *s = r == R(0) ? R(0) : *b / r;                       \
            *b = first ? *s : *c != R(0) ? 1 / *c : R(1);                                         \
            *a = r;                                                                               \
        });                                                                                       \
        if (status || cm::blas::on_device(h)) return status;                                      \
        return cmStreamSynchronize(h->stream) ? CM_BLAS_STATUS_EXECUTION_FAILED : status;         \
    }

// ---- matrices and vectors ----

#define CM_BLAS_MATRICES_1(L, P, K)                                                               \
    inline cmBlasStatus_t cmBlas##L##gemvStridedBatched(                                          \
        cmBlasHandle_t h, cmBlasOperation_t op, int m, int n, const P *alpha, const P *a,         \
        int lda, long long as, const P *x, int incx, long long xs, const P *beta, P *y, int incy, \
        long long ys, int count) {                                                                \
        if (m < 0 || n < 0 || !incx || !incy || count < 0 || cm::blas::bad_shape(m, lda))         \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            for (int i = 0; i < count; i++)                                                       \
                cm::blas::gemv(op, m, n, s.get(), cm::blas::see<K>(a + i * as), lda,              \
                               cm::blas::see<K>(x + i * xs), incx, t.get(),                       \
                               cm::blas::see<K>(y + i * ys), incy);                               \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemv(cmBlasHandle_t h, cmBlasOperation_t op, int m, int n,   \
                                          const P *alpha, const P *a, int lda, const P *x,        \
                                          int incx, const P *beta, P *y, int incy) {              \
        return cmBlas##L##gemvStridedBatched(h, op, m, n, alpha, a, lda, 0, x, incx, 0, beta, y,  \
                                             incy, 0, 1);                                         \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##trmv(cmBlasHandle_t h, cmBlasFillMode_t uplo,                \
                                          cmBlasOperation_t op, cmBlasDiagType_t diag, int n,     \
                                          const P *a, int lda, P *x, int incx) {                  \
        if (n < 0 || !incx || cm::blas::bad_shape(n, lda)) return CM_BLAS_STATUS_INVALID_VALUE;   \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::trmv({uplo == 1, diag == 1, op}, n, cm::blas::see<K>(a), lda,               \
                           cm::blas::begin(cm::blas::see<K>(x), n, incx), incx);                  \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##trsv(cmBlasHandle_t h, cmBlasFillMode_t uplo,                \
                                          cmBlasOperation_t op, cmBlasDiagType_t diag, int n,     \
                                          const P *a, int lda, P *x, int incx) {                  \
        if (n < 0 || !incx || cm::blas::bad_shape(n, lda)) return CM_BLAS_STATUS_INVALID_VALUE;   \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::trsv({uplo == 1, diag == 1, op}, n, cm::blas::see<K>(a), lda,               \
                           cm::blas::begin(cm::blas::see<K>(x), n, incx), incx);                  \
        });                                                                                       \
    }

#define CM_BLAS_GER(NAME, P, K, CONJ)                                                             \
    inline cmBlasStatus_t cmBlas##NAME(cmBlasHandle_t h, int m, int n, const P *alpha,            \
                                       const P *x, int incx, const P *y, int incy, P *a,          \
                                       int lda) {                                                 \
        if (m < 0 || n < 0 || !incx || !incy || cm::blas::bad_shape(m, lda))                      \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            const K *p = cm::blas::begin(cm::blas::see<K>(x), m, incx),                           \
                    *q = cm::blas::begin(cm::blas::see<K>(y), n, incy);                           \
            K *to = cm::blas::see<K>(a);                                                          \
            for (ptrdiff_t j = 0; j < n; j++)                                                     \
                for (ptrdiff_t i = 0; i < m; i++)                                                 \
                    to[i + j * lda] += s.get() * p[i * incx] * CONJ(q[j * incy]);                 \
        });                                                                                       \
    }

// An update of C by two matrices: cm::blas::what does it.
#define CM_BLAS_OF_TWO(name, what, P, K, A, AK, hermitian)                                        \
    inline cmBlasStatus_t cmBlas##name(                                                           \
        cmBlasHandle_t h, cmBlasFillMode_t uplo, cmBlasOperation_t op, int n, int k,              \
        const P *alpha, const P *a, int lda, const P *b, int ldb, const A *beta, P *c, int ldc) { \
        if (n < 0 || k < 0 || cm::blas::bad_shape(op ? k : n, lda) ||                             \
            cm::blas::bad_shape(op ? k : n, ldb) || cm::blas::bad_shape(n, ldc))                  \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha);                                                    \
        const cm::blas::scalar<AK> t(h, beta);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::what<K>(uplo == 1, hermitian, op != 0, n, k, s.get(), cm::blas::see<K>(a),  \
                              lda, cm::blas::see<K>(b), ldb, K(t.get()), cm::blas::see<K>(c),     \
                              ldc);                                                               \
        });                                                                                       \
    }
// SY: symmetric or HE: Hermitian; A: the type of alpha in the update of rank 1, AK: in the loops.
#define CM_BLAS_SYMMETRIC(mv, r, r2, rk, r2k, rkx, mm, P, K, A, AK, hermitian)                    \
    inline cmBlasStatus_t cmBlas##mv(cmBlasHandle_t h, cmBlasFillMode_t uplo, int n,              \
                                     const P *alpha, const P *a, int lda, const P *x, int incx,   \
                                     const P *beta, P *y, int incy) {                             \
        if (n < 0 || !incx || !incy || cm::blas::bad_shape(n, lda))                               \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::symv(uplo == 1, hermitian, n, s.get(), cm::blas::see<K>(a), lda,            \
                           cm::blas::see<K>(x), incx, t.get(), cm::blas::see<K>(y), incy);        \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##r(cmBlasHandle_t h, cmBlasFillMode_t uplo, int n,               \
                                    const A *alpha, const P *x, int incx, P *a, int lda) {        \
        if (n < 0 || !incx || cm::blas::bad_shape(n, lda)) return CM_BLAS_STATUS_INVALID_VALUE;   \
        const cm::blas::scalar<AK> s(h, alpha);                                                   \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::syr<K>(uplo == 1, hermitian, n, K(s.get()), cm::blas::see<K>(x), incx,      \
                             nullptr, 1, cm::blas::see<K>(a), lda);                               \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##r2(cmBlasHandle_t h, cmBlasFillMode_t uplo, int n,              \
                                     const P *alpha, const P *x, int incx, const P *y, int incy,  \
                                     P *a, int lda) {                                             \
        if (n < 0 || !incx || !incy || cm::blas::bad_shape(n, lda))                               \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::syr<K>(uplo == 1, hermitian, n, s.get(), cm::blas::see<K>(x), incx,         \
                             cm::blas::see<K>(y), incy, cm::blas::see<K>(a), lda);                \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##rk(cmBlasHandle_t h, cmBlasFillMode_t uplo,                     \
                                     cmBlasOperation_t op, int n, int k, const A *alpha,          \
                                     const P *a, int lda, const A *beta, P *c, int ldc) {         \
        if (n < 0 || k < 0 || cm::blas::bad_shape(op ? k : n, lda) ||                             \
            cm::blas::bad_shape(n, ldc))                                                          \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<AK> s(h, alpha), t(h, beta);                                       \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::syrk<K>(uplo == 1, hermitian, op != 0, n, k, K(s.get()),                    \
                              cm::blas::see<K>(a), lda, nullptr, 1, K(t.get()),                   \
                              cm::blas::see<K>(c), ldc);                                          \
        });                                                                                       \
    }                                                                                             \
    CM_BLAS_OF_TWO(r2k, syrk, P, K, A, AK, hermitian)                                             \
    CM_BLAS_OF_TWO(rkx, syrkx, P, K, A, AK, hermitian)                                            \
    inline cmBlasStatus_t cmBlas##mm(                                                             \
        cmBlasHandle_t h, cmBlasSideMode_t side, cmBlasFillMode_t uplo, int m, int n,             \
        const P *alpha, const P *a, int lda, const P *b, int ldb, const P *beta, P *c, int ldc) { \
        if (m < 0 || n < 0 || cm::blas::bad_shape(side ? n : m, lda) ||                           \
            cm::blas::bad_shape(m, ldb) || cm::blas::bad_shape(m, ldc))                           \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::symm(side == 0, uplo == 1, hermitian, m, n, s.get(), cm::blas::see<K>(a),   \
                           lda, cm::blas::see<K>(b), ldb, t.get(), cm::blas::see<K>(c), ldc);     \
        });                                                                                       \
    }

// ---- matrices and matrices ----

#define CM_BLAS_MATRICES_2(L, P, K)                                                               \
    inline cmBlasStatus_t cmBlas##L##gemmStridedBatched(                                          \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const P *alpha, const P *a, int lda, long long as, const P *b, int ldb, long long bs,     \
        const P *beta, P *c, int ldc, long long cs, int count) {                                  \
        if (m < 0 || n < 0 || k < 0 || count < 0 || cm::blas::bad_shape(ta ? k : m, lda) ||       \
            cm::blas::bad_shape(tb ? n : k, ldb) || cm::blas::bad_shape(m, ldc))                  \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            for (int i = 0; i < count; i++)                                                       \
                cm::blas::gemm<K>(ta, tb, m, n, k, s.get(), cm::blas::see<K>(a + i * as), lda,    \
                                  cm::blas::see<K>(b + i * bs), ldb, t.get(),                     \
                                  cm::blas::see<K>(c + i * cs), ldc);                             \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemm(                                                        \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const P *alpha, const P *a, int lda, const P *b, int ldb, const P *beta, P *c, int ldc) { \
        return cmBlas##L##gemmStridedBatched(h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0,     \
                                             beta, c, ldc, 0, 1);                                 \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemmBatched(                                                 \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const P *alpha, const P *const *a, int lda, const P *const *b, int ldb, const P *beta,    \
        P *const *c, int ldc, int count) {                                                        \
        if (m < 0 || n < 0 || k < 0 || count < 0 || cm::blas::bad_shape(ta ? k : m, lda) ||       \
            cm::blas::bad_shape(tb ? n : k, ldb) || cm::blas::bad_shape(m, ldc))                  \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            for (int i = 0; i < count; i++)                                                       \
                cm::blas::gemm<K>(ta, tb, m, n, k, s.get(), cm::blas::see<K>(a[i]), lda,          \
                                  cm::blas::see<K>(b[i]), ldb, t.get(), cm::blas::see<K>(c[i]),   \
                                  ldc);                                                           \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##trsm(cmBlasHandle_t h, cmBlasSideMode_t side,                \
                                          cmBlasFillMode_t uplo, cmBlasOperation_t op,            \
                                          cmBlasDiagType_t diag, int m, int n, const P *alpha,    \
                                          const P *a, int lda, P *b, int ldb) {                   \
        if (m < 0 || n < 0 || cm::blas::bad_shape(side ? n : m, lda) ||                           \
            cm::blas::bad_shape(m, ldb))                                                          \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::trsm(side == 0, {uplo == 1, diag == 1, op}, m, n, s.get(),                  \
                           cm::blas::see<K>(a), lda, cm::blas::see<K>(b), ldb);                   \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##trsmBatched(                                                 \
        cmBlasHandle_t h, cmBlasSideMode_t side, cmBlasFillMode_t uplo, cmBlasOperation_t op,     \
        cmBlasDiagType_t diag, int m, int n, const P *alpha, const P *const *a, int lda,          \
        P *const *b, int ldb, int count) {                                                        \
        if (m < 0 || n < 0 || count < 0 || cm::blas::bad_shape(side ? n : m, lda) ||              \
            cm::blas::bad_shape(m, ldb))                                                          \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            for (int i = 0; i < count; i++)                                                       \
                cm::blas::trsm(side == 0, {uplo == 1, diag == 1, op}, m, n, s.get(),              \
                               cm::blas::see<K>(a[i]), lda, cm::blas::see<K>(b[i]), ldb);         \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##trmm(                                                        \
        cmBlasHandle_t h, cmBlasSideMode_t side, cmBlasFillMode_t uplo, cmBlasOperation_t op,     \
        cmBlasDiagType_t diag, int m, int n, const P *alpha, const P *a, int lda, const P *b,     \
        int ldb, P *c, int ldc) {                                                                 \
        if (m < 0 || n < 0 || cm::blas::bad_shape(side ? n : m, lda) ||                           \
            cm::blas::bad_shape(m, ldb) || cm::blas::bad_shape(m, ldc))                           \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            cm::blas::trmm(side == 0, {uplo == 1, diag == 1, op}, m, n, s.get(),                  \
                           cm::blas::see<K>(a), lda, cm::blas::see<K>(b), ldb,                    \
                           cm::blas::see<K>(c), ldc);                                             \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##geam(                                                        \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n,               \
        const P *alpha, const P *a, int lda, const P *beta, const P *b, int ldb, P *c, int ldc) { \
        if (m < 0 || n < 0 || cm::blas::bad_shape(ta ? n : m, lda) ||                             \
            cm::blas::bad_shape(tb ? n : m, ldb) || cm::blas::bad_shape(m, ldc))                  \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<K> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            const K *p = cm::blas::see<K>(a), *q = cm::blas::see<K>(b), x = s.get(), y = t.get(); \
            for (ptrdiff_t j = 0; j < n; j++)                                                     \
                for (ptrdiff_t i = 0; i < m; i++)                                                 \
                    cm::blas::see<K>(c)[i + j * ldc] =                                            \
                        (x == K(0) ? K(0) : x * cm::blas::get(p, lda, ta, i, j)) +                \
                        (y == K(0) ? K(0) : y * cm::blas::get(q, ldb, tb, i, j));                 \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##dgmm(cmBlasHandle_t h, cmBlasSideMode_t side, int m, int n,  \
                                          const P *a, int lda, const P *x, int incx, P *c,        \
                                          int ldc) {                                              \
        if (m < 0 || n < 0 || cm::blas::bad_shape(m, lda) || cm::blas::bad_shape(m, ldc))         \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        return cm::blas::enqueue(h, [=] {                                                         \
            const K *p = cm::blas::begin(cm::blas::see<K>(x), side ? n : m, incx);                \
            for (ptrdiff_t j = 0; j < n; j++)                                                     \
                for (ptrdiff_t i = 0; i < m; i++)                                                 \
                    cm::blas::see<K>(c)[i + j * ldc] =                                            \
                        cm::blas::see<K>(a)[i + j * lda] * p[(side ? j : i) * incx];              \
        });                                                                                       \
    }

#define CM_BLAS_TYPE(L, l, P, K, LR, R)                                                           \
    CM_BLAS_VECTORS(L, l, P, K, LR, R)                                                            \
    CM_BLAS_MATRICES_1(L, P, K)                                                                   \
    CM_BLAS_SYMMETRIC(L##symv, L##syr, L##syr2, L##syrk, L##syr2k, L##syrkx, L##symm, P, K, P, K, \
                      false)                                                                      \
    CM_BLAS_MATRICES_2(L, P, K)

CM_BLAS_TYPE(S, s, float, float, S, float)
CM_BLAS_TYPE(D, d, double, double, D, double)
CM_BLAS_TYPE(C, c, cuComplex, std::complex<float>, Sc, float)
CM_BLAS_TYPE(Z, z, cuDoubleComplex, std::complex<double>, Dz, double)
CM_BLAS_DOT(Sdot, float, float, double, )
CM_BLAS_DOT(Ddot, double, double, double, )
CM_BLAS_DOT(Cdotu, cuComplex, std::complex<float>, std::complex<double>, )
CM_BLAS_DOT(Cdotc, cuComplex, std::complex<float>, std::complex<double>, std::conj)
CM_BLAS_DOT(Zdotu, cuDoubleComplex, std::complex<double>, std::complex<double>, )
CM_BLAS_DOT(Zdotc, cuDoubleComplex, std::complex<double>, std::complex<double>, std::conj)
CM_BLAS_ROTATIONS(S, float)
CM_BLAS_ROTATIONS(D, double)
CM_BLAS_GER(Sger, float, float, )
CM_BLAS_GER(Dger, double, double, )
CM_BLAS_GER(Cgeru, cuComplex, std::complex<float>, )
CM_BLAS_GER(Cgerc, cuComplex, std::complex<float>, std::conj)
CM_BLAS_GER(Zgeru, cuDoubleComplex, std::complex<double>, )
CM_BLAS_GER(Zgerc, cuDoubleComplex, std::complex<double>, std::conj)
CM_BLAS_SYMMETRIC(Chemv, Cher, Cher2, Cherk, Cher2k, Cherkx, Chemm, cuComplex, std::complex<float>,
                  float, float, true)
CM_BLAS_SYMMETRIC(Zhemv, Zher, Zher2, Zherk, Zher2k, Zherkx, Zhemm, cuDoubleComplex,
                  std::complex<double>, double, double, true)
#undef CM_BLAS_TYPE
#undef CM_BLAS_VECTORS
#undef CM_BLAS_MATRICES_1
#undef CM_BLAS_MATRICES_2
#undef CM_BLAS_SYMMETRIC
#undef CM_BLAS_OF_TWO
#undef CM_BLAS_DOT
#undef CM_BLAS_ROTATIONS
#undef CM_BLAS_GER

inline cmBlasStatus_t cmBlasCsscal(cmBlasHandle_t h, int n, const float *alpha, cuComplex *x,
                                   int incx) {
    const cm::blas::scalar<float> a(h, alpha);
    return cm::blas::enqueue(h, [=] {
        for (ptrdiff_t i = 0; i < n && incx > 0; i++)
            x[i * incx].x *= a.get(), x[i * incx].y *= a.get();
    });
}
inline cmBlasStatus_t cmBlasZdscal(cmBlasHandle_t h, int n, const double *alpha,
                                   cuDoubleComplex *x, int incx) {
    const cm::blas::scalar<double> a(h, alpha);
    return cm::blas::enqueue(h, [=] {
        for (ptrdiff_t i = 0; i < n && incx > 0; i++)
            x[i * incx].x *= a.get(), x[i * incx].y *= a.get();
    });
}

#endif
