// SPDX-License-Identifier: Apache-2.0
// cuBLAS as it was before handles: cublasInit(), letters for flags, factors by value, results
// returned, and an error that is asked for afterwards. All of it is one handle's, which there is
// from the first call on. Included by blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_LEGACY_HPP
#define CUDA_MORPH_CPU_BLAS_LEGACY_HPP

namespace cm {
namespace blas {

struct legacy {
    cmBlasHandle_t handle = nullptr;
    cmBlasStatus_t error = CM_BLAS_STATUS_SUCCESS;
    static legacy &state() {
        static thread_local legacy it;
        if (!it.handle) cmBlasCreate(&it.handle);
        return it;
    }
    static void note(cmBlasStatus_t status) {
        if (status) state().error = status;
    }
    ~legacy() { delete handle; }
};
// A letter for whatever flag a function asks for.
struct flag {
    char letter;
    flag(char c) : letter(static_cast<char>(c & ~0x20)) {}
    operator cmBlasOperation_t() const {
        return letter == 'N' ? CM_BLAS_OP_N : letter == 'T' ? CM_BLAS_OP_T : CM_BLAS_OP_C;
    }
    operator cmBlasFillMode_t() const {
        return letter == 'U' ? CM_BLAS_FILL_MODE_UPPER : CM_BLAS_FILL_MODE_LOWER;
    }
    operator cmBlasSideMode_t() const {
        return letter == 'R' ? CM_BLAS_SIDE_RIGHT : CM_BLAS_SIDE_LEFT;
    }
    operator cmBlasDiagType_t() const {
        return letter == 'U' ? CM_BLAS_DIAG_UNIT : CM_BLAS_DIAG_NON_UNIT;
    }
};

} // namespace blas
} // namespace cm

inline cmBlasStatus_t cmBlasInit() {
    return cm::blas::legacy::state().handle ? CM_BLAS_STATUS_SUCCESS : CM_BLAS_STATUS_ALLOC_FAILED;
}
inline cmBlasStatus_t cmBlasShutdown() {
    return cmDeviceSynchronize() ? CM_BLAS_STATUS_INTERNAL_ERROR : CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetError() {
    return std::exchange(cm::blas::legacy::state().error, CM_BLAS_STATUS_SUCCESS);
}
inline cmBlasStatus_t cmBlasSetKernelStream(cmStream_t stream) {
    return cmBlasSetStream(cm::blas::legacy::state().handle, stream);
}
inline cmBlasStatus_t cmBlasAlloc(int n, int size, void **made) {
    if (n <= 0 || size <= 0) return CM_BLAS_STATUS_INVALID_VALUE;
    return cmMalloc(made, static_cast<size_t>(n) * static_cast<size_t>(size))
               ? CM_BLAS_STATUS_ALLOC_FAILED
               : CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasFree(const void *p) {
    return cmFree(const_cast<void *>(p)) ? CM_BLAS_STATUS_INTERNAL_ERROR : CM_BLAS_STATUS_SUCCESS;
}

// P: the type of the numbers; R: that of their parts; F: a flag.
#define CM_BLAS_OLD(name, parameters, ...)                                                        \
    inline void cmBlas##name parameters {                                                         \
        cm::blas::legacy::note(cmBlas##name(cm::blas::legacy::state().handle, __VA_ARGS__));      \
    }
#define CM_BLAS_OLD_ANSWER(T, name, parameters, ...)                                              \
    inline T cmBlas##name parameters {                                                            \
        T result{};                                                                               \
        cm::blas::legacy::note(                                                                   \
            cmBlas##name(cm::blas::legacy::state().handle, __VA_ARGS__, &result));                \
        return result;                                                                            \
    }
#define CM_BLAS_OLD_TYPE(L, l, P, LR, R)                                                          \
    CM_BLAS_OLD(L##axpy, (int n, P alpha, const P *x, int incx, P *y, int incy), n, &alpha, x,    \
                incx, y, incy)                                                                    \
    CM_BLAS_OLD(L##copy, (int n, const P *x, int incx, P *y, int incy), n, x, incx, y, incy)      \
    CM_BLAS_OLD(L##swap, (int n, P *x, int incx, P *y, int incy), n, x, incx, y, incy)            \
    CM_BLAS_OLD(L##scal, (int n, P alpha, P *x, int incx), n, &alpha, x, incx)                    \
    CM_BLAS_OLD_ANSWER(int, I##l##amax, (int n, const P *x, int incx), n, x, incx)                \
    CM_BLAS_OLD_ANSWER(int, I##l##amin, (int n, const P *x, int incx), n, x, incx)                \
    CM_BLAS_OLD_ANSWER(R, LR##nrm2, (int n, const P *x, int incx), n, x, incx)                    \
    CM_BLAS_OLD_ANSWER(R, LR##asum, (int n, const P *x, int incx), n, x, incx)                    \
    CM_BLAS_OLD(L##gemv,                                                                          \
                (cm::blas::flag t, int m, int n, P alpha, const P *a, int lda, const P *x,        \
                 int incx, P beta, P *y, int incy),                                               \
                t, m, n, &alpha, a, lda, x, incx, &beta, y, incy)                                 \
    CM_BLAS_OLD(L##gbmv,                                                                          \
                (cm::blas::flag t, int m, int n, int kl, int ku, P alpha, const P *a, int lda,    \
                 const P *x, int incx, P beta, P *y, int incy),                                   \
                t, m, n, kl, ku, &alpha, a, lda, x, incx, &beta, y, incy)                         \
    CM_BLAS_OLD(L##trmv,                                                                          \
                (cm::blas::flag u, cm::blas::flag t, cm::blas::flag d, int n, const P *a,         \
                 int lda, P *x, int incx),                                                        \
                u, t, d, n, a, lda, x, incx)                                                      \
    CM_BLAS_OLD(L##trsv,                                                                          \
                (cm::blas::flag u, cm::blas::flag t, cm::blas::flag d, int n, const P *a,         \
                 int lda, P *x, int incx),                                                        \
                u, t, d, n, a, lda, x, incx)                                                      \
    CM_BLAS_OLD(L##tbmv,                                                                          \
                (cm::blas::flag u, cm::blas::flag t, cm::blas::flag d, int n, int k, const P *a,  \
                 int lda, P *x, int incx),                                                        \
                u, t, d, n, k, a, lda, x, incx)                                                   \
    CM_BLAS_OLD(L##tbsv,                                                                          \
                (cm::blas::flag u, cm::blas::flag t, cm::blas::flag d, int n, int k, const P *a,  \
                 int lda, P *x, int incx),                                                        \
                u, t, d, n, k, a, lda, x, incx)                                                   \
    CM_BLAS_OLD(L##tpmv,                                                                          \
                (cm::blas::flag u, cm::blas::flag t, cm::blas::flag d, int n, const P *a, P *x,   \
                 int incx),                                                                       \
                u, t, d, n, a, x, incx)                                                           \
    CM_BLAS_OLD(L##tpsv,                                                                          \
                (cm::blas::flag u, cm::blas::flag t, cm::blas::flag d, int n, const P *a, P *x,   \
                 int incx),                                                                       \
                u, t, d, n, a, x, incx)                                                           \
    CM_BLAS_OLD(L##gemm,                                                                          \
                (cm::blas::flag ta, cm::blas::flag tb, int m, int n, int k, P alpha, const P *a,  \
                 int lda, const P *b, int ldb, P beta, P *c, int ldc),                            \
                ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)                           \
    CM_BLAS_OLD(L##syrk,                                                                          \
                (cm::blas::flag u, cm::blas::flag t, int n, int k, P alpha, const P *a, int lda,  \
                 P beta, P *c, int ldc),                                                          \
                u, t, n, k, &alpha, a, lda, &beta, c, ldc)                                        \
    CM_BLAS_OLD(L##syr2k,                                                                         \
                (cm::blas::flag u, cm::blas::flag t, int n, int k, P alpha, const P *a, int lda,  \
                 const P *b, int ldb, P beta, P *c, int ldc),                                     \
                u, t, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)                                \
    CM_BLAS_OLD(L##symm,                                                                          \
                (cm::blas::flag s, cm::blas::flag u, int m, int n, P alpha, const P *a, int lda,  \
                 const P *b, int ldb, P beta, P *c, int ldc),                                     \
                s, u, m, n, &alpha, a, lda, b, ldb, &beta, c, ldc)                                \
    CM_BLAS_OLD(L##trsm,                                                                          \
                (cm::blas::flag s, cm::blas::flag u, cm::blas::flag t, cm::blas::flag d, int m,   \
                 int n, P alpha, const P *a, int lda, P *b, int ldb),                             \
                s, u, t, d, m, n, &alpha, a, lda, b, ldb)                                         \
    CM_BLAS_OLD(L##trmm,                                                                          \
                (cm::blas::flag s, cm::blas::flag u, cm::blas::flag t, cm::blas::flag d, int m,   \
                 int n, P alpha, const P *a, int lda, P *b, int ldb),                             \
                s, u, t, d, m, n, &alpha, a, lda, b, ldb, b, ldb)
#define CM_BLAS_OLD_REAL(L, P)                                                                    \
    CM_BLAS_OLD_ANSWER(P, L##dot, (int n, const P *x, int incx, const P *y, int incy), n, x,      \
                       incx, y, incy)                                                             \
    CM_BLAS_OLD(L##rot, (int n, P *x, int incx, P *y, int incy, P c, P s), n, x, incx, y, incy,   \
                &c, &s)                                                                           \
    CM_BLAS_OLD(L##rotg, (P * a, P * b, P * c, P * s), a, b, c, s)                                \
    CM_BLAS_OLD(L##rotm, (int n, P *x, int incx, P *y, int incy, const P *how), n, x, incx, y,    \
                incy, how)                                                                        \
    CM_BLAS_OLD(L##rotmg, (P * d1, P * d2, P * x1, const P *y1, P *how), d1, d2, x1, y1, how)     \
    CM_BLAS_OLD(L##symv,                                                                          \
                (cm::blas::flag u, int n, P alpha, const P *a, int lda, const P *x, int incx,     \
                 P beta, P *y, int incy),                                                         \
                u, n, &alpha, a, lda, x, incx, &beta, y, incy)                                    \
    CM_BLAS_OLD(L##sbmv,                                                                          \
                (cm::blas::flag u, int n, int k, P alpha, const P *a, int lda, const P *x,        \
                 int incx, P beta, P *y, int incy),                                               \
                u, n, k, &alpha, a, lda, x, incx, &beta, y, incy)                                 \
    CM_BLAS_OLD(L##spmv,                                                                          \
                (cm::blas::flag u, int n, P alpha, const P *a, const P *x, int incx, P beta,      \
                 P *y, int incy),                                                                 \
                u, n, &alpha, a, x, incx, &beta, y, incy)                                         \
    CM_BLAS_OLD(                                                                                  \
        L##ger,                                                                                   \
        (int m, int n, P alpha, const P *x, int incx, const P *y, int incy, P *a, int lda), m, n, \
        &alpha, x, incx, y, incy, a, lda)                                                         \
    CM_BLAS_OLD(L##syr, (cm::blas::flag u, int n, P alpha, const P *x, int incx, P *a, int lda),  \
                u, n, &alpha, x, incx, a, lda)                                                    \
    CM_BLAS_OLD(L##spr, (cm::blas::flag u, int n, P alpha, const P *x, int incx, P *a), u, n,     \
                &alpha, x, incx, a)                                                               \
    CM_BLAS_OLD(L##syr2,                                                                          \
                (cm::blas::flag u, int n, P alpha, const P *x, int incx, const P *y, int incy,    \
                 P *a, int lda),                                                                  \
                u, n, &alpha, x, incx, y, incy, a, lda)                                           \
    CM_BLAS_OLD(                                                                                  \
        L##spr2,                                                                                  \
        (cm::blas::flag u, int n, P alpha, const P *x, int incx, const P *y, int incy, P *a), u,  \
        n, &alpha, x, incx, y, incy, a)
#define CM_BLAS_OLD_COMPLEX(L, P, R, LS)                                                          \
    CM_BLAS_OLD(L##rot, (int n, P *x, int incx, P *y, int incy, R c, P s), n, x, incx, y, incy,   \
                &c, &s)                                                                           \
    CM_BLAS_OLD(LS##rot, (int n, P *x, int incx, P *y, int incy, R c, R s), n, x, incx, y, incy,  \
                &c, &s)                                                                           \
    CM_BLAS_OLD(L##rotg, (P * a, P b, R * c, P * s), a, &b, c, s)                                 \
    CM_BLAS_OLD_ANSWER(P, L##dotu, (int n, const P *x, int incx, const P *y, int incy), n, x,     \
                       incx, y, incy)                                                             \
    CM_BLAS_OLD_ANSWER(P, L##dotc, (int n, const P *x, int incx, const P *y, int incy), n, x,     \
                       incx, y, incy)                                                             \
    CM_BLAS_OLD(LS##scal, (int n, R alpha, P *x, int incx), n, &alpha, x, incx)                   \
    CM_BLAS_OLD(                                                                                  \
        L##geru,                                                                                  \
        (int m, int n, P alpha, const P *x, int incx, const P *y, int incy, P *a, int lda), m, n, \
        &alpha, x, incx, y, incy, a, lda)                                                         \
    CM_BLAS_OLD(                                                                                  \
        L##gerc,                                                                                  \
        (int m, int n, P alpha, const P *x, int incx, const P *y, int incy, P *a, int lda), m, n, \
        &alpha, x, incx, y, incy, a, lda)                                                         \
    CM_BLAS_OLD(L##hemv,                                                                          \
                (cm::blas::flag u, int n, P alpha, const P *a, int lda, const P *x, int incx,     \
                 P beta, P *y, int incy),                                                         \
                u, n, &alpha, a, lda, x, incx, &beta, y, incy)                                    \
    CM_BLAS_OLD(L##hbmv,                                                                          \
                (cm::blas::flag u, int n, int k, P alpha, const P *a, int lda, const P *x,        \
                 int incx, P beta, P *y, int incy),                                               \
                u, n, k, &alpha, a, lda, x, incx, &beta, y, incy)                                 \
    CM_BLAS_OLD(L##hpmv,                                                                          \
                (cm::blas::flag u, int n, P alpha, const P *a, const P *x, int incx, P beta,      \
                 P *y, int incy),                                                                 \
                u, n, &alpha, a, x, incx, &beta, y, incy)                                         \
    CM_BLAS_OLD(L##her, (cm::blas::flag u, int n, R alpha, const P *x, int incx, P *a, int lda),  \
                u, n, &alpha, x, incx, a, lda)                                                    \
    CM_BLAS_OLD(L##hpr, (cm::blas::flag u, int n, R alpha, const P *x, int incx, P *a), u, n,     \
                &alpha, x, incx, a)                                                               \
    CM_BLAS_OLD(L##her2,                                                                          \
                (cm::blas::flag u, int n, P alpha, const P *x, int incx, const P *y, int incy,    \
                 P *a, int lda),                                                                  \
                u, n, &alpha, x, incx, y, incy, a, lda)                                           \
    CM_BLAS_OLD(                                                                                  \
        L##hpr2,                                                                                  \
        (cm::blas::flag u, int n, P alpha, const P *x, int incx, const P *y, int incy, P *a), u,  \
        n, &alpha, x, incx, y, incy, a)                                                           \
    CM_BLAS_OLD(L##hemm,                                                                          \
                (cm::blas::flag s, cm::blas::flag u, int m, int n, P alpha, const P *a, int lda,  \
                 const P *b, int ldb, P beta, P *c, int ldc),                                     \
                s, u, m, n, &alpha, a, lda, b, ldb, &beta, c, ldc)                                \
    CM_BLAS_OLD(L##herk,                                                                          \
                (cm::blas::flag u, cm::blas::flag t, int n, int k, R alpha, const P *a, int lda,  \
                 R beta, P *c, int ldc),                                                          \
                u, t, n, k, &alpha, a, lda, &beta, c, ldc)                                        \
    CM_BLAS_OLD(L##her2k,                                                                         \
                (cm::blas::flag u, cm::blas::flag t, int n, int k, P alpha, const P *a, int lda,  \
                 const P *b, int ldb, R beta, P *c, int ldc),                                     \
                u, t, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)
CM_BLAS_OLD_TYPE(S, s, float, S, float)
CM_BLAS_OLD_TYPE(D, d, double, D, double)
CM_BLAS_OLD_TYPE(C, c, cuComplex, Sc, float)
CM_BLAS_OLD_TYPE(Z, z, cuDoubleComplex, Dz, double)
CM_BLAS_OLD_REAL(S, float)
CM_BLAS_OLD_REAL(D, double)
CM_BLAS_OLD_COMPLEX(C, cuComplex, float, Cs)
CM_BLAS_OLD_COMPLEX(Z, cuDoubleComplex, double, Zd)
#undef CM_BLAS_OLD_TYPE
#undef CM_BLAS_OLD_REAL
#undef CM_BLAS_OLD_COMPLEX
#undef CM_BLAS_OLD
#undef CM_BLAS_OLD_ANSWER

#endif
