// SPDX-License-Identifier: Apache-2.0
// What solver.h asks for, over LAPACK, which is opened when it is first used: each function is a
// subroutine of LAPACK's by its name, in the order of the handle's stream. Matrices lie in
// columns; `info` (NULL: nobody asks) gets LAPACK's. Included by solver.h.
#ifndef CUDA_MORPH_CPU_LAPACK_HPP
#define CUDA_MORPH_CPU_LAPACK_HPP

namespace cm {
namespace solver {

inline void *lapack() {
    static void *const handle =
        cm::library::open({"liblapack.so.3", "libopenblas.so.0", "liblapack.dylib"}, "liblapack3");
    return handle;
}
inline bool is_there() { return lapack() != nullptr; }

// A subroutine of LAPACK's for the type K by its name there: "sytrf" is ssytrf_, dsytrf_, csytrf_
// or zsytrf_.
template <class K, class... A> inline void symmetric(const char *name, A... arguments) {
    char full[32];
    const char letter = std::is_same<K, float>::value                 ? 's'
                        : std::is_same<K, double>::value              ? 'd'
                        : std::is_same<K, std::complex<float>>::value ? 'c'
                                                                      : 'z';
    snprintf(full, sizeof full, "%c%s_", letter, name);
    const auto f = cm::library::symbol<void (*)(A...)>(lapack(), full);
    if (f) f(arguments...);
}
// The same, where "sy" and "or" at its begin are "he" and "un" of a complex type.
template <class K, class... A> inline void subroutine(const char *name, A... arguments) {
    const bool sy = !strncmp(name, "sy", 2), or_ = !strncmp(name, "or", 2);
    if (!is_complex<K>::value || (!sy && !or_)) return symmetric<K>(name, arguments...);
    symmetric<K>((std::string(sy ? "he" : "un") + (name + 2)).c_str(), arguments...);
}
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
// work() in the order of the stream; it gives LAPACK's info.
template <class Work> inline cmSolverStatus_t enqueue(cmSolverDnHandle_t h, int *info, Work work) {
    if (h && !is_there()) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    const auto whole = [=] {
        const int problem = work();
        if (info) *info = problem;
    };
    return cm::library::enqueue(h, whole, CM_SOLVER_STATUS_NOT_INITIALIZED,
                                CM_SOLVER_STATUS_EXECUTION_FAILED);
}
inline char fill_of(cmBlasFillMode_t fill) { return fill == CM_BLAS_FILL_MODE_UPPER ? 'U' : 'L'; }
inline char mode_of(cmSolverEigMode_t mode) { return mode ? 'V' : 'N'; }

// P: int, or the 64-bit interface's int64_t. pivots NULL: without pivoting.
template <class K, class P>
inline cmSolverStatus_t getrf(cmSolverDnHandle_t h, int m, int n, K *a, int lda, P *pivots,
                              int *info) {
    return enqueue(h, info, [=] {
        if (!pivots) return cm::blas::getrf<K>(n, a, lda, nullptr);
        int problem = 0;
        std::vector<int> rows(static_cast<size_t>(m < n ? m : n) + 1);
        subroutine<K>("getrf", &m, &n, a, &lda, rows.data(), &problem);
        for (int i = 0; i < m && i < n; i++) pivots[i] = rows[static_cast<size_t>(i)];
        return problem;
    });
}
template <class K, class P>
inline cmSolverStatus_t getrs(cmSolverDnHandle_t h, cmBlasOperation_t op, int n, int columns,
                              const K *a, int lda, const P *pivots, K *b, int ldb, int *info) {
    return enqueue(h, info, [=] {
        std::vector<int> rows;
        for (int i = 0; pivots && i < n; i++) rows.push_back(static_cast<int>(pivots[i]));
        cm::blas::getrs(op, n, columns, a, lda, pivots ? rows.data() : nullptr, b, ldb);
        return 0;
    });
}
// One of LAPACK's subroutines of a symmetric matrix alone, of which it reads one half.
template <class K>
inline cmSolverStatus_t of_half(const char *name, cmSolverDnHandle_t h, cmBlasFillMode_t fill,
                                int n, K *a, int lda, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char part = fill_of(fill);
        subroutine<K>(name, &part, &n, a, &lda, &problem);
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t potrf(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, K *a, int lda,
                              int *info) {
    return of_half("potrf", h, fill, n, a, lda, info);
}
template <class K>
inline cmSolverStatus_t potri(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, K *a, int lda,
                              int *info) {
    return of_half("potri", h, fill, n, a, lda, info);
}
template <class K>
inline cmSolverStatus_t potrs(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, int columns,
                              const K *a, int lda, K *b, int ldb, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char part = fill_of(fill);
        subroutine<K>("potrs", &part, &n, &columns, a, &lda, b, &ldb, &problem);
        return problem;
    });
}
template <class K>
inline cmSolverStatus_t geqrf(cmSolverDnHandle_t h, int m, int n, K *a, int lda, K *tau,
                              int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("geqrf", &m, &n, a, &lda, tau, space, size, &problem);
        });
        return problem;
    });
}
// ormqr, unmqr: Q times c.
template <class K>
inline cmSolverStatus_t ormqr(cmSolverDnHandle_t h, cmBlasSideMode_t side, cmBlasOperation_t op,
                              int m, int n, int k, const K *a, int lda, const K *tau, K *c,
                              int ldc, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char where = side == CM_BLAS_SIDE_LEFT ? 'L' : 'R', how = "NTC"[op];
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("ormqr", &where, &how, &m, &n, &k, a, &lda, tau, c, &ldc, space, size,
                          &problem);
        });
        return problem;
    });
}
// orgqr, ungqr: Q itself.
template <class K>
inline cmSolverStatus_t orgqr(cmSolverDnHandle_t h, int m, int n, int k, K *a, int lda,
                              const K *tau, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        with_space<K>([&](K *space, int *size) {
            subroutine<K>("orgqr", &m, &n, &k, a, &lda, tau, space, size, &problem);
        });
        return problem;
    });
}
// Calls call(size, work space ..): complex types have a real work space more.
template <class K, class Call> inline void with_spaces(int reals, Call call) {
    std::vector<real_of<K>> more(static_cast<size_t>(reals > 1 ? reals : 1));
    with_space<K>([&](K *space, int *size) {
        if constexpr (is_complex<K>::value)
            call(space, size, more.data());
        else
            call(space, size);
    });
}
// syev, heev: eigenvalues, and in `a` the vectors where they are asked for.
template <class K>
inline cmSolverStatus_t syevd(cmSolverDnHandle_t h, cmSolverEigMode_t mode, cmBlasFillMode_t fill,
                              int n, K *a, int lda, real_of<K> *w, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char job = mode_of(mode), part = fill_of(fill);
        with_spaces<K>(3 * n - 2, [&](auto... space) {
            subroutine<K>("syev", &job, &part, &n, a, &lda, w, space..., &problem);
        });
        return problem;
    });
}
// sygv, hegv: of two matrices; `b` gets its Cholesky factor.
template <class K>
inline cmSolverStatus_t sygvd(cmSolverDnHandle_t h, cmSolverEigType_t type, cmSolverEigMode_t mode,
                              cmBlasFillMode_t fill, int n, K *a, int lda, K *b, int ldb,
                              real_of<K> *w, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const int kind = type;
        const char job = mode_of(mode), part = fill_of(fill);
        with_spaces<K>(3 * n - 2, [&](auto... space) {
            subroutine<K>("sygv", &kind, &job, &part, &n, a, &lda, b, &ldb, w, space..., &problem);
        });
        return problem;
    });
}
// Singular values; ju, jv: LAPACK's letters. `vt` is V transposed (and conjugated).
template <class K>
inline cmSolverStatus_t gesvd(cmSolverDnHandle_t h, char ju, char jv, int m, int n, K *a, int lda,
                              real_of<K> *s, K *u, int ldu, K *vt, int ldvt, int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        with_spaces<K>(5 * (m < n ? m : n), [&](auto... space) {
            subroutine<K>("gesvd", &ju, &jv, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, space...,
                          &problem);
        });
        return problem;
    });
}
// The same with V in the place of its transpose, and A of any shape, as cuSOLVER's gesvdj.
// econ: only the first min(m, n) columns of U and V.
template <class K>
inline cmSolverStatus_t gesvdj(cmSolverDnHandle_t h, cmSolverEigMode_t mode, bool econ, int m,
                               int n, K *a, int lda, real_of<K> *s, K *u, int ldu, K *v, int ldv,
                               int *info) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const int least = m < n ? m : n, rows = econ ? least : n;
        const char job = !mode ? 'N' : econ ? 'S' : 'A';
        std::vector<K> vt(mode ? static_cast<size_t>(rows) * static_cast<size_t>(n) + 1 : 1);
        const int ldvt = rows > 1 ? rows : 1;
        with_spaces<K>(5 * least, [&](auto... space) {
            subroutine<K>("gesvd", &job, &job, &m, &n, a, &lda, s, u, &ldu, vt.data(), &ldvt,
                          space..., &problem);
        });
        for (int64_t j = 0; mode && j < n; j++)
            for (int64_t i = 0; i < rows; i++)
                v[j + i * ldv] = cm::numbers::conjugate(vt[static_cast<size_t>(i + j * ldvt)]);
        return problem;
    });
}
// Batches by arrays of pointers, which lie on the device; potrf has an info for each matrix.
template <class K>
inline cmSolverStatus_t potrf_batch(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n,
                                    K *const *a, int lda, int *infos, int count) {
    return enqueue(h, nullptr, [=] {
        const char part = fill_of(fill);
        for (int i = 0; i < count; i++) subroutine<K>("potrf", &part, &n, a[i], &lda, infos + i);
        return 0;
    });
}
template <class K>
inline cmSolverStatus_t potrs_batch(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n,
                                    int columns, K *const *a, int lda, K *const *b, int ldb,
                                    int *info, int count) {
    return enqueue(h, info, [=] {
        int problem = 0;
        const char part = fill_of(fill);
        for (int i = 0; i < count; i++)
            subroutine<K>("potrs", &part, &n, &columns, a[i], &lda, b[i], &ldb, &problem);
        return problem;
    });
}

} // namespace solver
} // namespace cm

#endif
