// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's 64-bit interface: cusolverDnXgetrf() and its kin, which take the types of numbers as
// values. Matrices have to fit in 32 bits, as LAPACK counts; the numbers are computed with as they
// lie, so that all types that a call names have to be of one precision. Included by solver.h.
#ifndef CUDA_MORPH_CPU_SOLVER_SIZED_HPP
#define CUDA_MORPH_CPU_SOLVER_SIZED_HPP

namespace cm {
namespace solver {

// Calls call(a pointer to a number of that type).
template <class Call> inline cmSolverStatus_t typed(cmDataType type, Call call) {
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
        return CM_SOLVER_STATUS_NOT_SUPPORTED;
    }
}
inline cmDataType real_type(cmDataType type) {
    return type == CM_C_32F ? CM_R_32F : type == CM_C_64F ? CM_R_64F : type;
}
inline bool small(std::initializer_list<int64_t> sizes) {
    for (const int64_t size : sizes)
        if (size < 0 || size > 0x7fffffff) return false;
    return true;
}
inline cmSolverStatus_t no_room(size_t *device, size_t *host) {
    *device = *host = 0;
    return CM_SOLVER_STATUS_SUCCESS;
}

} // namespace solver
} // namespace cm

inline cmSolverStatus_t cmSolverDnCreateParams(cmSolverDnParams_t *made) {
    if (!made) return CM_SOLVER_STATUS_INVALID_VALUE;
    *made = new cmSolverDnParams();
    return CM_SOLVER_STATUS_SUCCESS;
}
inline cmSolverStatus_t cmSolverDnDestroyParams(cmSolverDnParams_t params) {
    delete params;
    return CM_SOLVER_STATUS_SUCCESS;
}
inline cmSolverStatus_t cmSolverDnSetAdvOptions(cmSolverDnParams_t params, cmSolverDnFunction_t,
                                                cmSolverAlgMode_t) {
    return params ? CM_SOLVER_STATUS_SUCCESS : CM_SOLVER_STATUS_INVALID_VALUE;
}

inline cmSolverStatus_t cmSolverDnXgetrf_bufferSize(cmSolverDnHandle_t, cmSolverDnParams_t,
                                                    int64_t, int64_t, cmDataType, const void *,
                                                    int64_t, cmDataType, size_t *device,
                                                    size_t *host) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXgetrf(cmSolverDnHandle_t h, cmSolverDnParams_t, int64_t m,
                                         int64_t n, cmDataType type, void *a, int64_t lda,
                                         int64_t *pivots, cmDataType computed, void *, size_t,
                                         void *, size_t, int *info) {
    if (!cm::solver::small({m, n, lda}) || lda < (m > 1 ? m : 1) || (!pivots && m != n))
        return CM_SOLVER_STATUS_INVALID_VALUE;
    if (computed != type) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::getrf(h, static_cast<int>(m), static_cast<int>(n), static_cast<K *>(a),
                                 static_cast<int>(lda), pivots, info);
    });
}
inline cmSolverStatus_t cmSolverDnXgetrs(cmSolverDnHandle_t h, cmSolverDnParams_t,
                                         cmBlasOperation_t op, int64_t n, int64_t columns,
                                         cmDataType type, const void *a, int64_t lda,
                                         const int64_t *pivots, cmDataType type_of_b, void *b,
                                         int64_t ldb, int *info) {
    if (!cm::solver::small({n, columns, lda, ldb}) || lda < (n > 1 ? n : 1) || ldb < n)
        return CM_SOLVER_STATUS_INVALID_VALUE;
    if (type_of_b != type) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::getrs(h, op, static_cast<int>(n), static_cast<int>(columns),
                                 static_cast<const K *>(a), static_cast<int>(lda), pivots,
                                 static_cast<K *>(b), static_cast<int>(ldb), info);
    });
}
inline cmSolverStatus_t cmSolverDnXpotrf_bufferSize(cmSolverDnHandle_t, cmSolverDnParams_t,
                                                    cmBlasFillMode_t, int64_t, cmDataType,
                                                    const void *, int64_t, cmDataType,
                                                    size_t *device, size_t *host) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXpotrf(cmSolverDnHandle_t h, cmSolverDnParams_t,
                                         cmBlasFillMode_t fill, int64_t n, cmDataType type,
                                         void *a, int64_t lda, cmDataType computed, void *, size_t,
                                         void *, size_t, int *info) {
    if (!cm::solver::small({n, lda}) || lda < (n > 1 ? n : 1))
        return CM_SOLVER_STATUS_INVALID_VALUE;
    if (computed != type) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::potrf(h, fill, static_cast<int>(n), static_cast<K *>(a),
                                 static_cast<int>(lda), info);
    });
}
inline cmSolverStatus_t cmSolverDnXpotrs(cmSolverDnHandle_t h, cmSolverDnParams_t,
                                         cmBlasFillMode_t fill, int64_t n, int64_t columns,
                                         cmDataType type, const void *a, int64_t lda,
                                         cmDataType type_of_b, void *b, int64_t ldb, int *info) {
    if (!cm::solver::small({n, columns, lda, ldb}) || lda < (n > 1 ? n : 1) || ldb < n)
        return CM_SOLVER_STATUS_INVALID_VALUE;
    if (type_of_b != type) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::potrs(h, fill, static_cast<int>(n), static_cast<int>(columns),
                                 static_cast<const K *>(a), static_cast<int>(lda),
                                 static_cast<K *>(b), static_cast<int>(ldb), info);
    });
}
inline cmSolverStatus_t cmSolverDnXgeqrf_bufferSize(cmSolverDnHandle_t, cmSolverDnParams_t,
                                                    int64_t, int64_t, cmDataType, const void *,
                                                    int64_t, cmDataType, const void *, cmDataType,
                                                    size_t *device, size_t *host) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXgeqrf(cmSolverDnHandle_t h, cmSolverDnParams_t, int64_t m,
                                         int64_t n, cmDataType type, void *a, int64_t lda,
                                         cmDataType type_of_tau, void *tau, cmDataType computed,
                                         void *, size_t, void *, size_t, int *info) {
    if (!cm::solver::small({m, n, lda}) || lda < (m > 1 ? m : 1))
        return CM_SOLVER_STATUS_INVALID_VALUE;
    if (computed != type || type_of_tau != type) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::geqrf(h, static_cast<int>(m), static_cast<int>(n), static_cast<K *>(a),
                                 static_cast<int>(lda), static_cast<K *>(tau), info);
    });
}
inline cmSolverStatus_t cmSolverDnXsyevd_bufferSize(cmSolverDnHandle_t, cmSolverDnParams_t,
                                                    cmSolverEigMode_t, cmBlasFillMode_t, int64_t,
                                                    cmDataType, const void *, int64_t, cmDataType,
                                                    const void *, cmDataType, size_t *device,
                                                    size_t *host) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXsyevd(cmSolverDnHandle_t h, cmSolverDnParams_t,
                                         cmSolverEigMode_t mode, cmBlasFillMode_t fill, int64_t n,
                                         cmDataType type, void *a, int64_t lda,
                                         cmDataType type_of_w, void *w, cmDataType computed,
                                         void *, size_t, void *, size_t, int *info) {
    if (!cm::solver::small({n, lda}) || lda < (n > 1 ? n : 1))
        return CM_SOLVER_STATUS_INVALID_VALUE;
    if (computed != type || type_of_w != cm::solver::real_type(type))
        return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::syevd(h, mode, fill, static_cast<int>(n), static_cast<K *>(a),
                                 static_cast<int>(lda), static_cast<cm::solver::real_of<K> *>(w),
                                 info);
    });
}
inline cmSolverStatus_t cmSolverDnXgesvd_bufferSize(cmSolverDnHandle_t, cmSolverDnParams_t,
                                                    signed char, signed char, int64_t, int64_t,
                                                    cmDataType, const void *, int64_t, cmDataType,
                                                    const void *, cmDataType, const void *,
                                                    int64_t, cmDataType, const void *, int64_t,
                                                    cmDataType, size_t *device, size_t *host) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXgesvd(cmSolverDnHandle_t h, cmSolverDnParams_t, signed char ju,
                                         signed char jv, int64_t m, int64_t n, cmDataType type,
                                         void *a, int64_t lda, cmDataType type_of_s, void *s,
                                         cmDataType type_of_u, void *u, int64_t ldu,
                                         cmDataType type_of_vt, void *vt, int64_t ldvt,
                                         cmDataType computed, void *, size_t, void *, size_t,
                                         int *info) {
    if (!cm::solver::small({m, n, lda, ldu, ldvt}) || m < n) return CM_SOLVER_STATUS_INVALID_VALUE;
    if (computed != type || type_of_u != type || type_of_vt != type ||
        type_of_s != cm::solver::real_type(type))
        return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::gesvd(h, static_cast<char>(ju), static_cast<char>(jv),
                                 static_cast<int>(m), static_cast<int>(n), static_cast<K *>(a),
                                 static_cast<int>(lda), static_cast<cm::solver::real_of<K> *>(s),
                                 static_cast<K *>(u), static_cast<int>(ldu), static_cast<K *>(vt),
                                 static_cast<int>(ldvt), info);
    });
}

#endif
