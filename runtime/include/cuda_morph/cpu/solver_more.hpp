// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's dense functions that only LAPACK on the host answers: Bunch and Kaufman's factors,
// reductions to bidiagonal and tridiagonal form, part of the eigenvalues, Jacobi's method for two
// matrices, singular values of tall batches, inverses of triangles. Included by solver.h.
#ifndef CUDA_MORPH_CPU_SOLVER_MORE_HPP
#define CUDA_MORPH_CPU_SOLVER_MORE_HPP

typedef enum cmSolverEigRange_t {
    CM_SOLVER_EIG_RANGE_ALL = 1001,
    CM_SOLVER_EIG_RANGE_I = 1002,
    CM_SOLVER_EIG_RANGE_V = 1003
} cmSolverEigRange_t;

namespace cm {
namespace solver {

// Factors of a symmetric matrix, of a complex one, too: nothing is conjugated.
template <class K>
inline cmSolverStatus_t sytrf(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, K *a, int lda,
                              int *pivots, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char part = fill_of(fill);
        with_space<K>([&](K *space, int *size) {
            symmetric<K>("sytrf", &part, &n, a, &lda, pivots, space, size, &problem);
        });
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t sytrs(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, int columns,
                              const K *a, int lda, const int64_t *pivots, K *b, int ldb,
                              int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char part = fill_of(fill);
        std::vector<int> rows(pivots, pivots + n);
        symmetric<K>("sytrs", &part, &n, &columns, a, &lda, rows.data(), b, &ldb, &problem);
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t gebrd(cmSolverDnHandle_t h, int m, int n, K *a, int lda, real_of<K> *d,
                              real_of<K> *e, K *q, K *p, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("gebrd", &m, &n, a, &lda, d, e, q, p, space, size, &problem);
        });
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t orgbr(cmSolverDnHandle_t h, cmBlasSideMode_t side, int m, int n, int k,
                              K *a, int lda, const K *tau, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char which = side == CM_BLAS_SIDE_LEFT ? 'Q' : 'P';
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("orgbr", &which, &m, &n, &k, a, &lda, tau, space, size, &problem);
        });
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t sytrd(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, K *a, int lda,
                              real_of<K> *d, real_of<K> *e, K *tau, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char part = fill_of(fill);
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("sytrd", &part, &n, a, &lda, d, e, tau, space, size, &problem);
        });
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t orgtr(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, K *a, int lda,
                              const K *tau, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char part = fill_of(fill);
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("orgtr", &part, &n, a, &lda, tau, space, size, &problem);
        });
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t ormtr(cmSolverDnHandle_t h, cmBlasSideMode_t side, cmBlasFillMode_t fill,
                              cmBlasOperation_t op, int m, int n, const K *a, int lda,
                              const K *tau, K *c, int ldc, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char where = side == CM_BLAS_SIDE_LEFT ? 'L' : 'R', part = fill_of(fill),
                   how = "NTC"[op];
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("ormtr", &where, &part, &how, &m, &n, a, &lda, tau, c, &ldc, space, size,
                          &problem);
        });
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t trtri(cmSolverDnHandle_t h, cmBlasFillMode_t fill, cmBlasDiagType_t diag,
                              int n, K *a, int lda, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char part = fill_of(fill), ones = diag == CM_BLAS_DIAG_UNIT ? 'U' : 'N';
        subroutine<K>("trtri", &part, &ones, &n, a, &lda, &problem);
        return problem;
    });
}

// Which of the eigenvalues a call asks for: from the least'th to the most'th, counted from 1, or
// those above `low` and up to `high`.
struct range {
    cmSolverEigRange_t kind;
    double low, high;
    int64_t least, most;
};
inline bool fits(const range &asked, int64_t n) {
    if (asked.kind == CM_SOLVER_EIG_RANGE_V) return asked.low < asked.high;
    return asked.kind != CM_SOLVER_EIG_RANGE_I ||
           (asked.least >= 1 && asked.least <= asked.most && asked.most <= n);
}
// Of all n that were computed, keeps these at the beginning of `w` and of the columns of `a`; how
// many there are goes to a variable of the host's, which may be read when this returns.
template <class K, class C>
inline cmSolverStatus_t keep(cmSolverDnHandle_t h, cmSolverStatus_t status, const range &asked,
                             int n, K *a, int64_t lda, real_of<K> *w, C *kept) {
    if (status) return status;
    if (cmStreamSynchronize(h->stream)) return CM_SOLVER_STATUS_EXECUTION_FAILED;
    int64_t first = 0, end = n;
    if (asked.kind == CM_SOLVER_EIG_RANGE_I) first = asked.least - 1, end = asked.most;
    if (asked.kind == CM_SOLVER_EIG_RANGE_V) {
        while (first < n && !(w[first] > asked.low)) first++;
        for (end = first; end < n && w[end] <= asked.high;) end++;
    }
    for (int64_t j = first; j < end && first; j++) {
        w[j - first] = w[j];
        std::copy_n(a + j * lda, n, a + (j - first) * lda);
    }
    *kept = static_cast<C>(end - first);
    return CM_SOLVER_STATUS_SUCCESS;
}
template <class K, class C>
inline cmSolverStatus_t syevdx(cmSolverDnHandle_t h, cmSolverEigMode_t mode, range asked,
                               cmBlasFillMode_t fill, int n, K *a, int lda, C *kept, real_of<K> *w,
                               int *info) {
    if (!fits(asked, n)) return CM_SOLVER_STATUS_INVALID_VALUE;
    return keep(h, syevd(h, mode, fill, n, a, lda, w, info), asked, n, a, lda, w, kept);
}

// The first `rank` of the singular values and vectors of each of a batch's matrices; what the
// others amount to goes to `left`, an array of the host's.
template <class K>
inline cmSolverStatus_t gesvda(cmSolverDnHandle_t h, cmSolverEigMode_t mode, int rank, int m,
                               int n, const K *a, int lda, int64_t step_a, real_of<K> *s,
                               int64_t step_s, K *u, int ldu, int64_t step_u, K *v, int ldv,
                               int64_t step_v, int *infos, double *left, int count) {
    const auto each = [=](int64_t i) {
        std::vector<K> copy(static_cast<size_t>(m) * static_cast<size_t>(n)), all_u(copy.size()),
            vt(static_cast<size_t>(n) * static_cast<size_t>(n));
        std::vector<real_of<K>> values(static_cast<size_t>(n));
        for (int64_t j = 0; j < n; j++)
            std::copy_n(a + i * step_a + j * lda, m, copy.data() + j * m);
        int problem = 0;
        const char job = mode ? 'S' : 'N';
        with_spaces<K>(5 * n, [&](auto... space) {
            subroutine<K>("gesvd", &job, &job, &m, &n, copy.data(), &m, values.data(),
                          all_u.data(), &m, vt.data(), &n, space..., &problem);
        });
        std::copy_n(values.data(), rank, s + i * step_s);
        for (int64_t k = 0; mode && k < rank; k++) {
            std::copy_n(all_u.data() + k * m, m, u + i * step_u + k * ldu);
            for (int64_t j = 0; j < n; j++)
                v[i * step_v + k * ldv + j] =
                    cm::numbers::conjugate(vt[static_cast<size_t>(j * n + k)]);
        }
        double rest = 0;
        for (int k = rank; k < n; k++)
            rest += static_cast<double>(values[static_cast<size_t>(k)]) *
                    static_cast<double>(values[static_cast<size_t>(k)]);
        if (left) left[i] = std::sqrt(rest);
        if (infos) infos[i] = problem;
    };
    const cmSolverStatus_t status = enqueue(h, nullptr, [=] {
        for (int64_t i = 0; i < count; i++) each(i);
        return 0;
    });
    if (!status && left && cmStreamSynchronize(h->stream))
        return CM_SOLVER_STATUS_EXECUTION_FAILED;
    return status;
}

} // namespace solver
} // namespace cm

// What is left beside the diagonal after Jacobi's sweeps, and how many there were: LAPACK's method
// has converged when it returns.
#define CM_SOLVER_SWEEPS(L, ev)                                                                   \
    inline cmSolverStatus_t cmSolverDnX##ev##GetResidual(                                         \
        cmSolverDnHandle_t, cmSolver##L##Info_t it, double *residual) {                           \
        if (!it || !residual) return CM_SOLVER_STATUS_INVALID_VALUE;                              \
        *residual = 0;                                                                            \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDnX##ev##GetSweeps(cmSolverDnHandle_t,                        \
                                                       cmSolver##L##Info_t it, int *sweeps) {     \
        if (!it || !sweeps) return CM_SOLVER_STATUS_INVALID_VALUE;                                \
        *sweeps = 1;                                                                              \
        return CM_SOLVER_STATUS_SUCCESS;                                                          \
    }
CM_SOLVER_SWEEPS(Syevj, syevj)
CM_SOLVER_SWEEPS(Gesvdj, gesvdj)
#undef CM_SOLVER_SWEEPS

// L: the letter; P: the caller's type; K: LAPACK's; R: that of its parts; ev, gv, trd, gbr, gtr,
// mtr: what cuSOLVER calls the functions of symmetric (Hermitian) and orthogonal (unitary) ones.
#define CM_SOLVER_TYPE(L, P, K, R, ev, gv, trd, gbr, gtr, mtr)                                    \
    inline cmSolverStatus_t cmSolverDn##L##sytrf_bufferSize(cmSolverDnHandle_t, int n, P *,       \
                                                            int lda, int *size) {                 \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##sytrf(cmSolverDnHandle_t h, cmBlasFillMode_t fill,     \
                                                 int n, P *a, int lda, int *pivots, P *, int,     \
                                                 int *info) {                                     \
        if (!cm::solver::fits(n, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        if (!pivots) return CM_SOLVER_STATUS_NOT_SUPPORTED; /* without pivoting */                \
        return cm::solver::sytrf(h, fill, n, cm::blas::see<K>(a), lda, pivots, info);             \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gebrd_bufferSize(cmSolverDnHandle_t, int m, int n,     \
                                                            int *size) {                          \
        return cm::solver::room(m >= n && n >= 0, 1LL * m + n, size);                             \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gebrd(cmSolverDnHandle_t h, int m, int n, P *a,        \
                                                 int lda, R *d, R *e, P *q, P *p, P *, int,       \
                                                 int *info) {                                     \
        if (m < n || n < 0 || !cm::solver::fits(m, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;   \
        return cm::solver::gebrd(h, m, n, cm::blas::see<K>(a), lda, d, e, cm::blas::see<K>(q),    \
                                 cm::blas::see<K>(p), info);                                      \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gbr##_bufferSize(cmSolverDnHandle_t, cmBlasSideMode_t, \
                                                            int m, int n, int, const P *,         \
                                                            int lda, const P *, int *size) {      \
        return cm::solver::room(n >= 0 && cm::solver::fits(m, lda), 1LL * m + n, size);           \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gbr(cmSolverDnHandle_t h, cmBlasSideMode_t side,       \
                                               int m, int n, int k, P *a, int lda, const P *tau,  \
                                               P *, int, int *info) {                             \
        if (n < 0 || !cm::solver::fits(m, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;            \
        return cm::solver::orgbr(h, side, m, n, k, cm::blas::see<K>(a), lda,                      \
                                 cm::blas::see<K>(tau), info);                                    \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##trd##_bufferSize(cmSolverDnHandle_t, cmBlasFillMode_t, \
                                                            int n, const P *, int lda, const R *, \
                                                            const R *, const P *, int *size) {    \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##trd(cmSolverDnHandle_t h, cmBlasFillMode_t fill,       \
                                               int n, P *a, int lda, R *d, R *e, P *tau, P *,     \
                                               int, int *info) {                                  \
        if (!cm::solver::fits(n, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        return cm::solver::sytrd(h, fill, n, cm::blas::see<K>(a), lda, d, e,                      \
                                 cm::blas::see<K>(tau), info);                                    \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gtr##_bufferSize(                                      \
        cmSolverDnHandle_t, cmBlasFillMode_t, int n, const P *, int lda, const P *, int *size) {  \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gtr(cmSolverDnHandle_t h, cmBlasFillMode_t fill,       \
                                               int n, P *a, int lda, const P *tau, P *, int,      \
                                               int *info) {                                       \
        if (!cm::solver::fits(n, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        return cm::solver::orgtr(h, fill, n, cm::blas::see<K>(a), lda, cm::blas::see<K>(tau),     \
                                 info);                                                           \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##mtr##_bufferSize(                                      \
        cmSolverDnHandle_t, cmBlasSideMode_t, cmBlasFillMode_t, cmBlasOperation_t, int m, int n,  \
        const P *, int, const P *, const P *, int ldc, int *size) {                               \
        return cm::solver::room(n >= 0 && cm::solver::fits(m, ldc), 1LL * m + n, size);           \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##mtr(                                                   \
        cmSolverDnHandle_t h, cmBlasSideMode_t side, cmBlasFillMode_t fill, cmBlasOperation_t op, \
        int m, int n, P *a, int lda, P *tau, P *c, int ldc, P *, int, int *info) {                \
        if (m < 0 || n < 0 || !cm::solver::fits(m, ldc)) return CM_SOLVER_STATUS_INVALID_VALUE;   \
        if (!cm::solver::fits(side == CM_BLAS_SIDE_LEFT ? m : n, lda))                            \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        return cm::solver::ormtr(h, side, fill, op, m, n, cm::blas::see<K>(a), lda,               \
                                 cm::blas::see<K>(tau), cm::blas::see<K>(c), ldc, info);          \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev##dx_bufferSize(                                     \
        cmSolverDnHandle_t, cmSolverEigMode_t, cmSolverEigRange_t, cmBlasFillMode_t, int n,       \
        const P *, int lda, R, R, int, int, int *, const R *, int *size) {                        \
        return cm::solver::room(cm::solver::fits(n, lda), n, size);                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##ev##dx(                                                \
        cmSolverDnHandle_t h, cmSolverEigMode_t mode, cmSolverEigRange_t kind,                    \
        cmBlasFillMode_t fill, int n, P *a, int lda, R low, R high, int least, int most,          \
        int *kept, R *w, P *, int, int *info) {                                                   \
        if (!cm::solver::fits(n, lda)) return CM_SOLVER_STATUS_INVALID_VALUE;                     \
        return cm::solver::syevdx(h, mode, {kind, low, high, least, most}, fill, n,               \
                                  cm::blas::see<K>(a), lda, kept, w, info);                       \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gv##dx_bufferSize(                                     \
        cmSolverDnHandle_t, cmSolverEigType_t, cmSolverEigMode_t, cmSolverEigRange_t,             \
        cmBlasFillMode_t, int n, const P *, int lda, const P *, int ldb, R, R, int, int, int *,   \
        const R *, int *size) {                                                                   \
        return cm::solver::room(cm::solver::fits(n, lda) && cm::solver::fits(n, ldb), n, size);   \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gv##dx(                                                \
        cmSolverDnHandle_t h, cmSolverEigType_t type, cmSolverEigMode_t mode,                     \
        cmSolverEigRange_t kind, cmBlasFillMode_t fill, int n, P *a, int lda, P *b, int ldb,      \
        R low, R high, int least, int most, int *kept, R *w, P *, int, int *info) {               \
        const cm::solver::range asked{kind, low, high, least, most};                              \
        if (!cm::solver::fits(n, lda) || !cm::solver::fits(n, ldb) ||                             \
            !cm::solver::fits(asked, n))                                                          \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        K *const matrix = cm::blas::see<K>(a);                                                    \
        return cm::solver::keep(h,                                                                \
                                cm::solver::sygvd(h, type, mode, fill, n, matrix, lda,            \
                                                  cm::blas::see<K>(b), ldb, w, info),             \
                                asked, n, matrix, lda, w, kept);                                  \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gv##j_bufferSize(                                      \
        cmSolverDnHandle_t, cmSolverEigType_t, cmSolverEigMode_t, cmBlasFillMode_t, int n,        \
        const P *, int lda, const P *, int ldb, const R *, int *size, cmSolverSyevjInfo_t) {      \
        return cm::solver::room(cm::solver::fits(n, lda) && cm::solver::fits(n, ldb), n, size);   \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gv##j(cmSolverDnHandle_t h, cmSolverEigType_t type,    \
                                                 cmSolverEigMode_t mode, cmBlasFillMode_t fill,   \
                                                 int n, P *a, int lda, P *b, int ldb, R *w, P *,  \
                                                 int, int *info, cmSolverSyevjInfo_t) {           \
        return cmSolverDn##L##gv##d(h, type, mode, fill, n, a, lda, b, ldb, w, nullptr, 0, info); \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvdaStridedBatched_bufferSize(                       \
        cmSolverDnHandle_t, cmSolverEigMode_t, int rank, int m, int n, const P *, int lda,        \
        long long, const R *, long long, const P *, int, long long, const P *, int, long long,    \
        int *size, int) {                                                                         \
        return cm::solver::room(m >= n && n >= rank && rank >= 0 && cm::solver::fits(m, lda),     \
                                1LL * m + n, size);                                               \
    }                                                                                             \
    inline cmSolverStatus_t cmSolverDn##L##gesvdaStridedBatched(                                  \
        cmSolverDnHandle_t h, cmSolverEigMode_t mode, int rank, int m, int n, const P *a,         \
        int lda, long long step_a, R *s, long long step_s, P *u, int ldu, long long step_u, P *v, \
        int ldv, long long step_v, P *, int, int *infos, double *left, int count) {               \
        if (m < n || n < rank || rank < 0 || !cm::solver::fits(m, lda) || count < 0)              \
            return CM_SOLVER_STATUS_INVALID_VALUE;                                                \
        return cm::solver::gesvda(h, mode, rank, m, n, cm::blas::see<K>(a), lda, step_a, s,       \
                                  step_s, cm::blas::see<K>(u), ldu, step_u, cm::blas::see<K>(v),  \
                                  ldv, step_v, infos, left, count);                               \
    }

CM_SOLVER_TYPE(S, float, float, float, syev, sygv, sytrd, orgbr, orgtr, ormtr)
CM_SOLVER_TYPE(D, double, double, double, syev, sygv, sytrd, orgbr, orgtr, ormtr)
CM_SOLVER_TYPE(C, cuComplex, std::complex<float>, float, heev, hegv, hetrd, ungbr, ungtr, unmtr)
CM_SOLVER_TYPE(Z, cuDoubleComplex, std::complex<double>, double, heev, hegv, hetrd, ungbr, ungtr,
               unmtr)
#undef CM_SOLVER_TYPE

// Of the 64-bit interface: a triangle's inverse, what sytrf's factors solve, part of the
// eigenvalues, and eigenvalues of a batch whose matrices lie one behind the other.
inline cmSolverStatus_t cmSolverDnXtrtri_bufferSize(cmSolverDnHandle_t, cmBlasFillMode_t,
                                                    cmBlasDiagType_t, int64_t, cmDataType, void *,
                                                    int64_t, size_t *device, size_t *host) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXtrtri(cmSolverDnHandle_t h, cmBlasFillMode_t fill,
                                         cmBlasDiagType_t diag, int64_t n, cmDataType type,
                                         void *a, int64_t lda, void *, size_t, void *, size_t,
                                         int *info) {
    if (!cm::solver::small({n, lda}) || lda < (n > 1 ? n : 1))
        return CM_SOLVER_STATUS_INVALID_VALUE;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::trtri(h, fill, diag, static_cast<int>(n), static_cast<K *>(a),
                                 static_cast<int>(lda), info);
    });
}
inline cmSolverStatus_t cmSolverDnXsytrs_bufferSize(cmSolverDnHandle_t, cmBlasFillMode_t, int64_t,
                                                    int64_t, cmDataType, const void *, int64_t,
                                                    const int64_t *, cmDataType, void *, int64_t,
                                                    size_t *device, size_t *host) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXsytrs(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int64_t n,
                                         int64_t columns, cmDataType type, const void *a,
                                         int64_t lda, const int64_t *pivots, cmDataType type_of_b,
                                         void *b, int64_t ldb, void *, size_t, void *, size_t,
                                         int *info) {
    if (!cm::solver::small({n, columns, lda, ldb}) || lda < (n > 1 ? n : 1) || ldb < n)
        return CM_SOLVER_STATUS_INVALID_VALUE;
    if (type_of_b != type || !pivots) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        return cm::solver::sytrs(h, fill, static_cast<int>(n), static_cast<int>(columns),
                                 static_cast<const K *>(a), static_cast<int>(lda), pivots,
                                 static_cast<K *>(b), static_cast<int>(ldb), info);
    });
}
inline cmSolverStatus_t
cmSolverDnXsyevdx_bufferSize(cmSolverDnHandle_t, cmSolverDnParams_t, cmSolverEigMode_t,
                             cmSolverEigRange_t, cmBlasFillMode_t, int64_t, cmDataType,
                             const void *, int64_t, void *, void *, int64_t, int64_t, int64_t *,
                             cmDataType, const void *, cmDataType, size_t *device, size_t *host) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXsyevdx(cmSolverDnHandle_t h, cmSolverDnParams_t,
                                          cmSolverEigMode_t mode, cmSolverEigRange_t kind,
                                          cmBlasFillMode_t fill, int64_t n, cmDataType type,
                                          void *a, int64_t lda, void *low, void *high,
                                          int64_t least, int64_t most, int64_t *kept,
                                          cmDataType type_of_w, void *w, cmDataType computed,
                                          void *, size_t, void *, size_t, int *info) {
    if (!cm::solver::small({n, lda}) || lda < (n > 1 ? n : 1))
        return CM_SOLVER_STATUS_INVALID_VALUE;
    if (computed != type || type_of_w != cm::solver::real_type(type))
        return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return cm::solver::typed(type, [=](auto *k) {
        using K = std::remove_pointer_t<decltype(k)>;
        using R = cm::solver::real_of<K>;
        cm::solver::range asked{kind, 0, 0, least, most};
        if (kind == CM_SOLVER_EIG_RANGE_V) {
            if (!low || !high) return CM_SOLVER_STATUS_INVALID_VALUE;
            asked.low = *static_cast<R *>(low);
            asked.high = *static_cast<R *>(high);
        }
        return cm::solver::syevdx(h, mode, asked, fill, static_cast<int>(n), static_cast<K *>(a),
                                  static_cast<int>(lda), kept, static_cast<R *>(w), info);
    });
}
inline cmSolverStatus_t cmSolverDnXsyevBatched_bufferSize(cmSolverDnHandle_t, cmSolverDnParams_t,
                                                          cmSolverEigMode_t, cmBlasFillMode_t,
                                                          int64_t, cmDataType, const void *,
                                                          int64_t, cmDataType, const void *,
                                                          cmDataType, size_t *device, size_t *host,
                                                          int64_t) {
    return cm::solver::no_room(device, host);
}
inline cmSolverStatus_t cmSolverDnXsyevBatched(cmSolverDnHandle_t h, cmSolverDnParams_t params,
                                               cmSolverEigMode_t mode, cmBlasFillMode_t fill,
                                               int64_t n, cmDataType type, void *a, int64_t lda,
                                               cmDataType type_of_w, void *w, cmDataType computed,
                                               void *, size_t, void *, size_t, int *infos,
                                               int64_t count) {
    const auto one = [=](int64_t i) {
        return cm::solver::typed(type, [=](auto *k) {
            using K = std::remove_pointer_t<decltype(k)>;
            using R = cm::solver::real_of<K>;
            return cmSolverDnXsyevd(h, params, mode, fill, n, type,
                                    static_cast<K *>(a) + i * lda * n, lda, type_of_w,
                                    static_cast<R *>(w) + i * n, computed, nullptr, 0, nullptr, 0,
                                    infos ? infos + i : nullptr);
        });
    };
    cmSolverStatus_t status = CM_SOLVER_STATUS_SUCCESS;
    for (int64_t i = 0; i < count && !status; i++) status = one(i);
    return status;
}

#endif
