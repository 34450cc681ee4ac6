/* SPDX-License-Identifier: Apache-2.0 */
// cuSOLVER's dense functions over LAPACK, which is opened when first used (Debian: liblapack3 or
// libopenblas0): LU, Cholesky, QR, eigenvalues of symmetric and Hermitian matrices, and singular
// values. cusolverDnDgetrf() is cmSolverDnDgetrf(), with the same arguments. A device's workspace
// is asked for and not used. Not here: cusolverSp, cusolverRf, the 64-bit X functions.
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

struct cmSolverDnContext {
    cmStream_t stream;
};
using cmSolverDnHandle_t = cmSolverDnContext *;

namespace cm {
namespace solver {

inline void *lapack() {
    static void *const handle =
        cm::library::open({"liblapack.so.3", "libopenblas.so.0", "liblapack.dylib"}, "liblapack3");
    return handle;
}
// A subroutine of LAPACK's for the type K: "getrf" is sgetrf_, dgetrf_, cgetrf_ or zgetrf_.
template <class K> inline char letter() {
    return std::is_same<K, float>::value                 ? 's'
           : std::is_same<K, double>::value              ? 'd'
           : std::is_same<K, std::complex<float>>::value ? 'c'
                                                         : 'z';
}
template <class K, class... A> inline bool subroutine(const char *name, A... arguments) {
    char full[32];
    snprintf(full, sizeof full, "%c%s_", letter<K>(), name);
    const auto f = cm::library::symbol<void (*)(A...)>(lapack(), full);
    if (f) f(arguments...);
    return f != nullptr;
}
template <class Work> inline cmSolverStatus_t enqueue(cmSolverDnHandle_t h, Work work) {
    if (h && !lapack()) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::library::enqueue(h, work, CM_SOLVER_STATUS_NOT_INITIALIZED,
                                CM_SOLVER_STATUS_EXECUTION_FAILED);
}
template <class K> struct is_complex : std::false_type {};
template <class R> struct is_complex<std::complex<R>> : std::true_type {};

// Runs call(work, size) twice: LAPACK first says how much work space it wants.
template <class K, class Call> inline void with_space(Call call) {
    K wanted(0);
    int size = -1;
    call(&wanted, &size);
    size = static_cast<int>(std::real(wanted));
    if (size < 1) size = 1;
    std::vector<K> space(static_cast<size_t>(size));
    call(space.data(), &size);
}

template <class K>
inline int eigenvalues(char job, char fill, int n, K *a, int lda, cm::blas::real_of<K> *w) {
    using R = cm::blas::real_of<K>;
    int info = 0;
    if constexpr (is_complex<K>::value) {
        std::vector<R> more(static_cast<size_t>(n > 1 ? 3 * n - 2 : 1));
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("heev", &job, &fill, &n, a, &lda, w, space, size, more.data(), &info);
        });
    } else {
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("syev", &job, &fill, &n, a, &lda, w, space, size, &info);
        });
    }
    return info;
}
template <class K>
inline int singular_values(char ju, char jv, int m, int n, K *a, int lda, cm::blas::real_of<K> *s,
                           K *u, int ldu, K *vt, int ldvt) {
    using R = cm::blas::real_of<K>;
    int info = 0;
    std::vector<R> more(static_cast<size_t>(5 * (m < n ? m : n) + 1));
    with_space<K>([&](K *space, int *size) {
        if constexpr (is_complex<K>::value)
            subroutine<K>("gesvd", &ju, &jv, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, space, size,
                          more.data(), &info);
        else
            subroutine<K>("gesvd", &ju, &jv, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, space, size,
                          &info);
    });
    return info;
}
inline char fill_of(cmBlasFillMode_t fill) { return fill == CM_BLAS_FILL_MODE_UPPER ? 'U' : 'L'; }
inline char op_of(cmBlasOperation_t op) { return "NTC"[op]; }

} // namespace solver
} // namespace cm

inline cmSolverStatus_t cmSolverDnCreate(cmSolverDnHandle_t *h) {
    if (!h) return CM_SOLVER_STATUS_INVALID_VALUE;
    if (!cm::solver::lapack()) return CM_SOLVER_STATUS_NOT_INITIALIZED;
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

// L: the letter; P: the caller's type; K: LAPACK's. ev, q: what the names of eigenvalues and of
// orthogonal matrices begin with.
#define CM_SOLVER_TYPE(L, P, K, ev, mqr, gqr, mqr_name, gqr_name)                                 \
    inline cmSolverStatus_t cmSolverDn##L##getrf_bufferSize(cmSolverDnHandle_t, int m, int n,     \
                                                            P *, int lda, int *size) {            \
        if (m < 0 || n < 0 || lda < m) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        *size = m * n > 0 ? m * n : 1;                                                            \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    /* pivots NULL: without pivoting */                                                           \
    inline cmSolverStatus_t cmSolverDn##L##getrf(cmSolverDnHandle_t h, int m, int n, P *a,        \
                                                 int lda, P *, int *pivots, int *info) {          \
        if (m < 0 || n < 0 || lda < (m > 1 ? m : 1) || (!pivots && m != n))                       \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        return cm::solver::enqueue(h, [=] {                                                       \
            K *const k = reinterpret_cast<K *>(a);                                                \
            if (!pivots)                                                                          \
                *info = cm::blas::getrf<K>(n, k, lda, nullptr);                                   \
            else                                                                                  \
                cm::solver::subroutine<K>("getrf", &m, &n, k, &lda, pivots, info);                \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##getrs(cmSolverDnHandle_t h, cmBlasOperation_t op,      \
                                                 int n, int columns, const P *a, int lda,         \
                                                 const int *pivots, P *b, int ldb, int *info) {   \
        if (n < 0 || columns < 0 || lda < n || ldb < n) return CM_SOLVER_STATUS_INVALID_VALUE;    \
        return cm::solver::enqueue(h, [=] {                                                       \
            cm::blas::getrs(op, n, columns, reinterpret_cast<const K *>(a), lda, pivots,          \
                            reinterpret_cast<K *>(b), ldb);                                       \
            if (info) *info = 0;                                                                  \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potrf_bufferSize(cmSolverDnHandle_t, cmBlasFillMode_t, \
                                                            int n, P *, int, int *size) {         \
        *size = n > 0 ? n : 1;                                                                    \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potrf(cmSolverDnHandle_t h, cmBlasFillMode_t uplo,     \
                                                 int n, P *a, int lda, P *, int, int *info) {     \
        if (n < 0 || lda < (n > 1 ? n : 1)) return CM_SOLVER_STATUS_INVALID_VALUE;                \
        return cm::solver::enqueue(h, [=] {                                                       \
            const char fill = cm::solver::fill_of(uplo);                                          \
            cm::solver::subroutine<K>("potrf", &fill, &n, reinterpret_cast<K *>(a), &lda, info);  \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potrs(cmSolverDnHandle_t h, cmBlasFillMode_t uplo,     \
                                                 int n, int columns, const P *a, int lda, P *b,   \
                                                 int ldb, int *info) {                            \
        if (n < 0 || columns < 0 || lda < n || ldb < n) return CM_SOLVER_STATUS_INVALID_VALUE;    \
        return cm::solver::enqueue(h, [=] {                                                       \
            const char fill = cm::solver::fill_of(uplo);                                          \
            cm::solver::subroutine<K>("potrs", &fill, &n, &columns,                               \
                                      reinterpret_cast<const K *>(a), &lda,                       \
                                      reinterpret_cast<K *>(b), &ldb, info);                      \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potri_bufferSize(cmSolverDnHandle_t, cmBlasFillMode_t, \
                                                            int n, P *, int, int *size) {         \
        *size = n > 0 ? n : 1;                                                                    \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##potri(cmSolverDnHandle_t h, cmBlasFillMode_t uplo,     \
                                                 int n, P *a, int lda, P *, int, int *info) {     \
        return cm::solver::enqueue(h, [=] {                                                       \
            const char fill = cm::solver::fill_of(uplo);                                          \
            cm::solver::subroutine<K>("potri", &fill, &n, reinterpret_cast<K *>(a), &lda, info);  \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##geqrf_bufferSize(cmSolverDnHandle_t, int, int n, P *,  \
                                                            int, int *size) {                     \
        *size = n > 0 ? n : 1;                                                                    \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##geqrf(cmSolverDnHandle_t h, int m, int n, P *a,        \
                                                 int lda, P *tau, P *, int, int *info) {          \
        if (m < 0 || n < 0 || lda < (m > 1 ? m : 1)) return CM_SOLVER_STATUS_INVALID_VALUE;       \
        return cm::solver::enqueue(h, [=] {                                                       \
            cm::solver::with_space<K>([&](K *space, int *size) {                                  \
                cm::solver::subroutine<K>("geqrf", &m, &n, reinterpret_cast<K *>(a), &lda,        \
                                          reinterpret_cast<K *>(tau), space, size, info);         \
            });                                                                                   \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##mqr##_bufferSize(                                      \
        cmSolverDnHandle_t, cmBlasSideMode_t, cmBlasOperation_t, int, int n, int, const P *, int, \
        const P *, const P *, int, int *size) {                                                   \
        *size = n > 0 ? n : 1;                                                                    \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##mqr(                                                   \
        cmSolverDnHandle_t h, cmBlasSideMode_t side, cmBlasOperation_t op, int m, int n, int k,   \
        const P *a, int lda, const P *tau, P *c, int ldc, P *, int, int *info) {                  \
        return cm::solver::enqueue(h, [=] {                                                       \
            const char where = side == CM_BLAS_SIDE_LEFT ? 'L' : 'R',                             \
                       how = cm::solver::op_of(op);                                               \
            cm::solver::with_space<K>([&](K *space, int *size) {                                  \
                cm::solver::subroutine<K>(mqr_name, &where, &how, &m, &n, &k,                     \
                                          reinterpret_cast<const K *>(a), &lda,                   \
                                          reinterpret_cast<const K *>(tau),                       \
                                          reinterpret_cast<K *>(c), &ldc, space, size, info);     \
            });                                                                                   \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gqr##_bufferSize(                                      \
        cmSolverDnHandle_t, int, int n, int, const P *, int, const P *, int *size) {              \
        *size = n > 0 ? n : 1;                                                                    \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gqr(cmSolverDnHandle_t h, int m, int n, int k, P *a,   \
                                               int lda, const P *tau, P *, int, int *info) {      \
        return cm::solver::enqueue(h, [=] {                                                       \
            cm::solver::with_space<K>([&](K *space, int *size) {                                  \
                cm::solver::subroutine<K>(gqr_name, &m, &n, &k, reinterpret_cast<K *>(a), &lda,   \
                                          reinterpret_cast<const K *>(tau), space, size, info);   \
            });                                                                                   \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev##_bufferSize(                                       \
        cmSolverDnHandle_t, cmSolverEigMode_t, cmBlasFillMode_t, int n, const P *, int,           \
        const cm::blas::real_of<K> *, int *size) {                                                \
        *size = n > 0 ? n : 1;                                                                    \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev(cmSolverDnHandle_t h, cmSolverEigMode_t mode,       \
                                              cmBlasFillMode_t uplo, int n, P *a, int lda,        \
                                              cm::blas::real_of<K> *w, P *, int, int *info) {     \
        if (n < 0 || lda < (n > 1 ? n : 1)) return CM_SOLVER_STATUS_INVALID_VALUE;                \
        return cm::solver::enqueue(h, [=] {                                                       \
            *info = cm::solver::eigenvalues<K>(mode == CM_SOLVER_EIG_MODE_VECTOR ? 'V' : 'N',     \
                                               cm::solver::fill_of(uplo), n,                      \
                                               reinterpret_cast<K *>(a), lda, w);                 \
        });                                                                                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvd_bufferSize(cmSolverDnHandle_t, int m, int n,     \
                                                            int *size) {                          \
        *size = m + n > 0 ? m + n : 1;                                                            \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvd(                                                 \
        cmSolverDnHandle_t h, signed char ju, signed char jv, int m, int n, P *a, int lda,        \
        cm::blas::real_of<K> *s, P *u, int ldu, P *vt, int ldvt, P *, int,                        \
        cm::blas::real_of<K> *, int *info) {                                                      \
        if (m < n || n < 0) return CM_SOLVER_STATUS_INVALID_VALUE; /* as in cuSOLVER */           \
        return cm::solver::enqueue(h, [=] {                                                       \
            *info = cm::solver::singular_values<K>(                                               \
                static_cast<char>(ju), static_cast<char>(jv), m, n, reinterpret_cast<K *>(a),     \
                lda, s, reinterpret_cast<K *>(u), ldu, reinterpret_cast<K *>(vt), ldvt);          \
        });                                                                                       \
    }

CM_SOLVER_TYPE(S, float, float, syevd, ormqr, orgqr, "ormqr", "orgqr")
CM_SOLVER_TYPE(D, double, double, syevd, ormqr, orgqr, "ormqr", "orgqr")
CM_SOLVER_TYPE(C, cuComplex, std::complex<float>, heevd, unmqr, ungqr, "unmqr", "ungqr")
CM_SOLVER_TYPE(Z, cuDoubleComplex, std::complex<double>, heevd, unmqr, ungqr, "unmqr", "ungqr")
#undef CM_SOLVER_TYPE

} // extern "C++"

#endif
