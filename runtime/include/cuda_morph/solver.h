/* SPDX-License-Identifier: Apache-2.0 */
// cuSOLVER's dense functions over LAPACK, which is opened when first used (Debian: liblapack3 or
// libopenblas0): LU, Cholesky, QR, eigenvalues of symmetric and Hermitian matrices, and singular
// values; by Jacobi's names, in batches and by the 64-bit interface, too. cusolverDnDgetrf() is
// cmSolverDnDgetrf(), with the same arguments. A device's workspace is asked for and not used. In
// SYCL LAPACK is oneMKL's (sycl/solver.hpp). Not here: cusolverSp, cusolverRf.
#ifndef CUDA_MORPH_SOLVER_H
#define CUDA_MORPH_SOLVER_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/blas.h>

#define CUSOLVERDN_H_
#define CUSOLVER_COMMON_H_
#define CM_SOLVER_VERSION 11600

typedef enum cmSolverStatus_t {
    CM_SOLVER_STATUS_SUCCESS = 0,
    CM_SOLVER_STATUS_NOT_INITIALIZED = 1,
    CM_SOLVER_STATUS_ALLOC_FAILED = 2,
    CM_SOLVER_STATUS_INVALID_VALUE = 3,
    CM_SOLVER_STATUS_ARCH_MISMATCH = 4,
    CM_SOLVER_STATUS_MAPPING_ERROR = 5,
    CM_SOLVER_STATUS_EXECUTION_FAILED = 6,
    CM_SOLVER_STATUS_INTERNAL_ERROR = 7,
    CM_SOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CM_SOLVER_STATUS_NOT_SUPPORTED = 9,
    CM_SOLVER_STATUS_ZERO_PIVOT = 10,
    CM_SOLVER_STATUS_INVALID_LICENSE = 11
} cmSolverStatus_t;
typedef enum cmSolverEigMode_t {
    CM_SOLVER_EIG_MODE_NOVECTOR = 0,
    CM_SOLVER_EIG_MODE_VECTOR = 1
} cmSolverEigMode_t;
typedef enum cmSolverEigType_t {
    CM_SOLVER_EIG_TYPE_1 = 1,
    CM_SOLVER_EIG_TYPE_2 = 2,
    CM_SOLVER_EIG_TYPE_3 = 3
} cmSolverEigType_t;

// What Jacobi's methods and the 64-bit interface take; nothing of it changes what is done.
struct cmSolverJacobi {
    double tolerance;
    int sweeps, sorted;
};
using cmSolverSyevjInfo_t = cmSolverJacobi *;
struct cmSolverJacobiValues : cmSolverJacobi {};
using cmSolverGesvdjInfo_t = cmSolverJacobiValues *;
struct cmSolverDnParams {
    int options;
};
using cmSolverDnParams_t = cmSolverDnParams *;
typedef enum cmSolverDnFunction_t {
    CM_SOLVER_DN_GETRF = 0,
    CM_SOLVER_DN_POTRF = 1,
    CM_SOLVER_DN_SYEVBATCHED = 2
} cmSolverDnFunction_t;
typedef enum cmSolverAlgMode_t {
    CM_SOLVER_ALG_0 = 0,
    CM_SOLVER_ALG_1 = 1,
    CM_SOLVER_ALG_2 = 2
} cmSolverAlgMode_t;

struct cmSolverDnContext {
    cmStream_t stream;
};
using cmSolverDnHandle_t = cmSolverDnContext *;

namespace cm {
namespace solver {
template <class K> struct parts { using real = K; };
template <class R> struct parts<std::complex<R>> { using real = R; };
template <class K> using real_of = typename parts<K>::real;
template <class K> using is_complex = std::bool_constant<!std::is_same<K, real_of<K>>::value>;
} // namespace solver
} // namespace cm

#ifdef CM_SOLVER_BY_ONEMKL // sycl/solver.hpp
#include <cuda_morph/sycl/onemkl_solver.hpp>
#else
#include <cuda_morph/cpu/lapack.hpp>
#endif

inline cmSolverStatus_t cmSolverDnCreate(cmSolverDnHandle_t *h) {
    if (!h) return CM_SOLVER_STATUS_INVALID_VALUE;
    if (!cm::solver::is_there()) return CM_SOLVER_STATUS_NOT_INITIALIZED;
    *h = new cmSolverDnContext{nullptr};
    return CM_SOLVER_STATUS_SUCCESS;
}
inline cmSolverStatus_t cmSolverDnDestroy(cmSolverDnHandle_t h) {
    return cm::library::destroy(h, CM_SOLVER_STATUS_NOT_INITIALIZED);
}
inline cmSolverStatus_t cmSolverDnSetStream(cmSolverDnHandle_t h, cmStream_t stream) {
    return cm::library::set(h, &cmSolverDnContext::stream, stream,
                            CM_SOLVER_STATUS_NOT_INITIALIZED);
}
inline cmSolverStatus_t cmSolverDnGetStream(cmSolverDnHandle_t h, cmStream_t *stream) {
    return cm::library::get(h, &cmSolverDnContext::stream, stream,
                            CM_SOLVER_STATUS_NOT_INITIALIZED);
}
inline cmSolverStatus_t cmSolverGetVersion(int *version) {
    *version = CM_SOLVER_VERSION;
    return CM_SOLVER_STATUS_SUCCESS;
}
inline cmSolverStatus_t cmSolverGetProperty(cmLibraryPropertyType which, int *value) {
    *value = cm::library::property(which);
    return CM_SOLVER_STATUS_SUCCESS;
}

// L: what the method is for.
#define CM_SOLVER_JACOBI(L, ev)                                                                   \
    inline cmSolverStatus_t cmSolverDnCreate##L##Info(cmSolver##L##Info_t *made) {                \
        if (!made) return CM_SOLVER_STATUS_INVALID_VALUE;                                         \
        *made = new std::remove_pointer_t<cmSolver##L##Info_t>();                                 \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDnDestroy##L##Info(cmSolver##L##Info_t it) {                  \
        delete it;                                                                                \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDnX##ev##SetTolerance(cmSolver##L##Info_t it, double value) { \
        if (it) it->tolerance = value;                                                            \
        return it ? CM_SOLVER_STATUS_SUCCESS : CM_SOLVER_STATUS_INVALID_VALUE;                    \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDnX##ev##SetMaxSweeps(cmSolver##L##Info_t it, int most) {     \
        if (it) it->sweeps = most;                                                                \
        return it ? CM_SOLVER_STATUS_SUCCESS : CM_SOLVER_STATUS_INVALID_VALUE;                    \
    }                                                                                             \
    /* they ascend or descend as LAPACK has them, either way */                                   \
    inline cmSolverStatus_t cmSolverDnX##ev##SetSortEig(cmSolver##L##Info_t it, int sorted) {     \
        if (it) it->sorted = sorted;                                                              \
        return it ? CM_SOLVER_STATUS_SUCCESS : CM_SOLVER_STATUS_INVALID_VALUE;                    \
    }
CM_SOLVER_JACOBI(Syevj, syevj)
CM_SOLVER_JACOBI(Gesvdj, gesvdj)
#undef CM_SOLVER_JACOBI

namespace cm {
namespace solver {
// The size of a work space: never 0, as programs allocate it.
inline cmSolverStatus_t room(bool good, long long numbers, int *size) {
    if (!good) return CM_SOLVER_STATUS_INVALID_VALUE;
    *size = numbers < 1 ? 1 : numbers > 0x7fffffff ? 0x7fffffff : static_cast<int>(numbers);
    return CM_SOLVER_STATUS_SUCCESS;
}
// Can a matrix of n rows lie in columns of lda numbers?
inline bool fits(int n, int lda) { return n >= 0 && lda >= (n > 1 ? n : 1); }
} // namespace solver
} // namespace cm

// L: the letter; P: the caller's type; K: LAPACK's; ev, gv, mqr, gqr: what cuSOLVER calls
// functions for eigenvalues and for orthogonal matrices.
#define CM_SOLVER_TYPE(L, P, K, ev, gv, mqr, gqr)                                                 \
    inline cmSolverStatus_t cmSolverDn##L##getrf_bufferSize(cmSolverDnHandle_t, int m, int n,     \
                                                            P *, int lda, int *size) {            \
        return cm::solver::room(n >= 0 && cm::solver::fits(m, lda), 1LL * m * n, size);           \
    }                                                                                             \
    /* pivots NULL: without pivoting */                                                           \
    inline cmSolverStatus_t cmSolverDn##L##getrf(cmSolverDnHandle_t h, int m, int n, P *a,        \
                                                 int lda, P *, int *pivots, int *info) {          \
        if (n < 0 || !cm::solver::fits(m, lda) || (!pivots && m != n))                            \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        return cm::solver::getrf(h, m, n, cm::blas::see<K>(a), lda, pivots, info);                \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##getrs(cmSolverDnHandle_t h, cmBlasOperation_t op,      \
                                                 int n, int columns, const P *a, int lda,         \
                                                 const int *pivots, P *b, int ldb, int *info) {   \
        if (columns < 0 || !cm::solver::fits(n, lda) || ldb < n)                                  \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        return cm::solver::getrs(h, op, n, columns, cm::blas::see<K>(a), lda, pivots,             \
                                 cm::blas::see<K>(b), ldb, info);                                 \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potrf_bufferSize(cmSolverDnHandle_t, cmBlasFillMode_t, \
                                                            int n, P *, int lda, int *size) {     \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potrf(cmSolverDnHandle_t h, cmBlasFillMode_t fill,     \
                                                 int n, P *a, int lda, P *, int, int *info) {     \
        if (!cm::solver::fits(n, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        return cm::solver::potrf(h, fill, n, cm::blas::see<K>(a), lda, info);                     \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potrs(cmSolverDnHandle_t h, cmBlasFillMode_t fill,     \
                                                 int n, int columns, const P *a, int lda, P *b,   \
                                                 int ldb, int *info) {                            \
        if (columns < 0 || !cm::solver::fits(n, lda) || ldb < n)                                  \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        return cm::solver::potrs(h, fill, n, columns, cm::blas::see<K>(a), lda,                   \
                                 cm::blas::see<K>(b), ldb, info);                                 \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potri_bufferSize(cmSolverDnHandle_t, cmBlasFillMode_t, \
                                                            int n, P *, int lda, int *size) {     \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potri(cmSolverDnHandle_t h, cmBlasFillMode_t fill,     \
                                                 int n, P *a, int lda, P *, int, int *info) {     \
        if (!cm::solver::fits(n, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        return cm::solver::potri(h, fill, n, cm::blas::see<K>(a), lda, info);                     \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potrfBatched(cmSolverDnHandle_t h,                     \
                                                        cmBlasFillMode_t fill, int n, P *a[],     \
                                                        int lda, int *infos, int count) {         \
        if (!cm::solver::fits(n, lda) || count < 0) return CM_SOLVER_STATUS_INVALID_VALUE;        \
        return cm::solver::potrf_batch(h, fill, n, reinterpret_cast<K *const *>(a), lda, infos,   \
                                       count);                                                    \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potrsBatched(                                          \
        cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, int columns, P *a[], int lda, P *b[], \
        int ldb, int *info, int count) {                                                          \
        if (columns < 0 || !cm::solver::fits(n, lda) || ldb < n || count < 0)                     \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        return cm::solver::potrs_batch(h, fill, n, columns, reinterpret_cast<K *const *>(a), lda, \
                                       reinterpret_cast<K *const *>(b), ldb, info, count);        \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##geqrf_bufferSize(cmSolverDnHandle_t, int m, int n,     \
                                                            P *, int lda, int *size) {            \
        return cm::solver::room(n >= 0 && cm::solver::fits(m, lda), n, size);                     \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##geqrf(cmSolverDnHandle_t h, int m, int n, P *a,        \
                                                 int lda, P *tau, P *, int, int *info) {          \
        if (n < 0 || !cm::solver::fits(m, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;            \
        return cm::solver::geqrf(h, m, n, cm::blas::see<K>(a), lda, cm::blas::see<K>(tau), info); \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##mqr##_bufferSize(                                      \
        cmSolverDnHandle_t, cmBlasSideMode_t, cmBlasOperation_t, int, int n, int, const P *, int, \
        const P *, const P *, int, int *size) {                                                   \
        return cm::solver::room(true, n, size);                                                   \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##mqr(                                                   \
        cmSolverDnHandle_t h, cmBlasSideMode_t side, cmBlasOperation_t op, int m, int n, int k,   \
        const P *a, int lda, const P *tau, P *c, int ldc, P *, int, int *info) {                  \
        return cm::solver::ormqr(h, side, op, m, n, k, cm::blas::see<K>(a), lda,                  \
                                 cm::blas::see<K>(tau), cm::blas::see<K>(c), ldc, info);          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gqr##_bufferSize(                                      \
        cmSolverDnHandle_t, int, int n, int, const P *, int, const P *, int *size) {              \
        return cm::solver::room(true, n, size);                                                   \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gqr(cmSolverDnHandle_t h, int m, int n, int k, P *a,   \
                                               int lda, const P *tau, P *, int, int *info) {      \
        return cm::solver::orgqr(h, m, n, k, cm::blas::see<K>(a), lda, cm::blas::see<K>(tau),     \
                                 info);                                                           \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev##d_bufferSize(                                      \
        cmSolverDnHandle_t, cmSolverEigMode_t, cmBlasFillMode_t, int n, const P *, int lda,       \
        const cm::solver::real_of<K> *, int *size) {                                              \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev##d(                                                 \
        cmSolverDnHandle_t h, cmSolverEigMode_t mode, cmBlasFillMode_t fill, int n, P *a,         \
        int lda, cm::solver::real_of<K> *w, P *, int, int *info) {                                \
        if (!cm::solver::fits(n, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        return cm::solver::syevd(h, mode, fill, n, cm::blas::see<K>(a), lda, w, info);            \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gv##d_bufferSize(                                      \
        cmSolverDnHandle_t, cmSolverEigType_t, cmSolverEigMode_t, cmBlasFillMode_t, int n,        \
        const P *, int lda, const P *, int ldb, const cm::solver::real_of<K> *, int *size) {      \
        return cm::solver::room(cm::solver::fits(n, lda) && cm::solver::fits(n, ldb), n, size);   \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gv##d(                                                 \
        cmSolverDnHandle_t h, cmSolverEigType_t type, cmSolverEigMode_t mode,                     \
        cmBlasFillMode_t fill, int n, P *a, int lda, P *b, int ldb, cm::solver::real_of<K> *w,    \
        P *, int, int *info) {                                                                    \
        if (!cm::solver::fits(n, lda) || !cm::solver::fits(n, ldb))                               \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        return cm::solver::sygvd(h, type, mode, fill, n, cm::blas::see<K>(a), lda,                \
                                 cm::blas::see<K>(b), ldb, w, info);                              \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvd_bufferSize(cmSolverDnHandle_t, int m, int n,     \
                                                            int *size) {                          \
        return cm::solver::room(m >= n && n >= 0, 1LL * m + n, size);                             \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvd(                                                 \
        cmSolverDnHandle_t h, signed char ju, signed char jv, int m, int n, P *a, int lda,        \
        cm::solver::real_of<K> *s, P *u, int ldu, P *vt, int ldvt, P *, int,                      \
        cm::solver::real_of<K> *, int *info) {                                                    \
        if (m < n || n < 0) return CM_SOLVER_STATUS_INVALID_VALUE; /* as in cuSOLVER */           \
        return cm::solver::gesvd(h, static_cast<char>(ju), static_cast<char>(jv), m, n,           \
                                 cm::blas::see<K>(a), lda, s, cm::blas::see<K>(u), ldu,           \
                                 cm::blas::see<K>(vt), ldvt, info);                               \
    }                                                                                             \
    /* Jacobi's method is LAPACK's; tolerance and sweeps are taken, and of no consequence. */     \
    inline cmSolverStatus_t cmSolverDn##L##ev##j_bufferSize(                                      \
        cmSolverDnHandle_t, cmSolverEigMode_t, cmBlasFillMode_t, int n, const P *, int lda,       \
        const cm::solver::real_of<K> *, int *size, cmSolverSyevjInfo_t) {                         \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev##j(                                                 \
        cmSolverDnHandle_t h, cmSolverEigMode_t mode, cmBlasFillMode_t fill, int n, P *a,         \
        int lda, cm::solver::real_of<K> *w, P *, int, int *info, cmSolverSyevjInfo_t) {           \
        if (!cm::solver::fits(n, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        return cm::solver::syevd(h, mode, fill, n, cm::blas::see<K>(a), lda, w, info);            \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev##jBatched_bufferSize(                               \
        cmSolverDnHandle_t, cmSolverEigMode_t, cmBlasFillMode_t, int n, const P *, int lda,       \
        const cm::solver::real_of<K> *, int *size, cmSolverSyevjInfo_t, int) {                    \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev##jBatched(                                          \
        cmSolverDnHandle_t h, cmSolverEigMode_t mode, cmBlasFillMode_t fill, int n, P *a,         \
        int lda, cm::solver::real_of<K> *w, P *, int, int *infos, cmSolverSyevjInfo_t,            \
        int count) {                                                                              \
        if (!cm::solver::fits(n, lda) || count < 0) return CM_SOLVER_STATUS_INVALID_VALUE;        \
        cmSolverStatus_t status = CM_SOLVER_STATUS_SUCCESS;                                       \
        for (int64_t i = 0; i < count && !status; i++)                                            \
            status = cm::solver::syevd(h, mode, fill, n, cm::blas::see<K>(a) + i * lda * n, lda,  \
                                       w + i * n, infos + i);                                     \
        return status;                                                                            \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvdj_bufferSize(                                     \
        cmSolverDnHandle_t, cmSolverEigMode_t, int, int m, int n, const P *, int lda,             \
        const cm::solver::real_of<K> *, const P *, int, const P *, int, int *size,                \
        cmSolverGesvdjInfo_t) {                                                                   \
        return cm::solver::room(n >= 0 && cm::solver::fits(m, lda), 1LL * m + n, size);           \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvdj(                                                \
        cmSolverDnHandle_t h, cmSolverEigMode_t mode, int econ, int m, int n, P *a, int lda,      \
        cm::solver::real_of<K> *s, P *u, int ldu, P *v, int ldv, P *, int, int *info,             \
        cmSolverGesvdjInfo_t) {                                                                   \
        if (n < 0 || !cm::solver::fits(m, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;            \
        return cm::solver::gesvdj(h, mode, econ != 0, m, n, cm::blas::see<K>(a), lda, s,          \
                                  cm::blas::see<K>(u), ldu, cm::blas::see<K>(v), ldv, info);      \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvdjBatched_bufferSize(                              \
        cmSolverDnHandle_t, cmSolverEigMode_t, int m, int n, const P *, int lda,                  \
        const cm::solver::real_of<K> *, const P *, int, const P *, int, int *size,                \
        cmSolverGesvdjInfo_t, int) {                                                              \
        return cm::solver::room(n >= 0 && cm::solver::fits(m, lda), 1LL * m + n, size);           \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvdjBatched(                                         \
        cmSolverDnHandle_t h, cmSolverEigMode_t mode, int m, int n, P *a, int lda,                \
        cm::solver::real_of<K> *s, P *u, int ldu, P *v, int ldv, P *, int, int *infos,            \
        cmSolverGesvdjInfo_t, int count) {                                                        \
        if (n < 0 || !cm::solver::fits(m, lda) || count < 0)                                      \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        cmSolverStatus_t status = CM_SOLVER_STATUS_SUCCESS;                                       \
        for (int64_t i = 0; i < count && !status; i++)                                            \
            status = cm::solver::gesvdj(                                                          \
                h, mode, false, m, n, cm::blas::see<K>(a) + i * lda * n, lda,                     \
                s + i * (m < n ? m : n), mode ? cm::blas::see<K>(u) + i * ldu * m : nullptr, ldu, \
                mode ? cm::blas::see<K>(v) + i * ldv * n : nullptr, ldv, infos + i);              \
        return status;                                                                            \
    }

CM_SOLVER_TYPE(S, float, float, syev, sygv, ormqr, orgqr)
CM_SOLVER_TYPE(D, double, double, syev, sygv, ormqr, orgqr)
CM_SOLVER_TYPE(C, cuComplex, std::complex<float>, heev, hegv, unmqr, ungqr)
CM_SOLVER_TYPE(Z, cuDoubleComplex, std::complex<double>, heev, hegv, unmqr, ungqr)
#undef CM_SOLVER_TYPE

#include <cuda_morph/cpu/solver_sized.hpp>
#ifndef CM_SOLVER_BY_ONEMKL
#include <cuda_morph/cpu/solver_more.hpp>
#endif

} // extern "C++"

#endif
