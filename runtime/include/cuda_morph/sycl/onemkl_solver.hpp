// SPDX-License-Identifier: Apache-2.0
// What solver.h asks for, over oneMKL's LAPACK: as cpu/lapack.hpp, each call by oneMKL's name. A
// call waits for its result, as oneMKL tells LAPACK's info by an exception; so none of them can be
// captured into a graph (CM_SOLVER_STATUS_NOT_SUPPORTED). Included by solver.h.
#ifndef CUDA_MORPH_SYCL_ONEMKL_SOLVER_HPP
#define CUDA_MORPH_SYCL_ONEMKL_SOLVER_HPP

#include <cuda_morph/cpu/numbers.hpp>
#include <cuda_morph/sycl/onemkl.hpp>

namespace cm {
namespace solver {
namespace lapack = mkl::lapack;
using cm::blas::side;
using cm::blas::transpose;
using cm::blas::triangle;
using onemkl::events;

inline bool is_there() { return true; }

// Device memory until the call has ended.
class memory {
    sycl::queue &queue_;
    std::vector<void *> all_;

  public:
    explicit memory(sycl::queue &queue) : queue_(queue) {}
    memory(const memory &) = delete;
    memory &operator=(const memory &) = delete;
    ~memory() {
        for (void *p : all_) sycl::free(p, queue_.get_context());
    }
    template <class T> T *get(std::int64_t n) {
        void *const p = sycl::malloc_device(static_cast<std::size_t>(n > 0 ? n : 1) * sizeof(T),
                                            queue_.get_device(), queue_.get_context());
        if (!p) throw std::bad_alloc();
        all_.push_back(p);
        return static_cast<T *>(p);
    }
};

// call(queue, memory, what to wait for) gives the event of its last part.
template <class Call> inline cmSolverStatus_t run(cmSolverDnHandle_t h, int *info, Call call) {
    if (!h) return CM_SOLVER_STATUS_NOT_INITIALIZED;
    if (cm::detail::is_captured(h->stream)) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    std::int64_t problem = 0;
    std::unique_ptr<memory> room;
    sycl::event done;
    cmError_t error = onemkl::put(h->stream, [&](sycl::queue &q, const events &before) {
        room = std::make_unique<memory>(q);
        try {
            done = call(q, *room, before);
        } catch (const lapack::exception &e) {
            problem = e.info();
        }
        return done;
    });
    if (!error) error = cmStreamSynchronize(h->stream);
    if (error) return CM_SOLVER_STATUS_EXECUTION_FAILED;
    if (info) cm::library::store(info, static_cast<int>(problem));
    return problem < 0 ? CM_SOLVER_STATUS_INVALID_VALUE : CM_SOLVER_STATUS_SUCCESS;
}
inline mkl::job job(cmSolverEigMode_t mode) { return mode ? mkl::job::vec : mkl::job::novec; }
inline mkl::jobsvd part(char letter) {
    return letter == 'A'   ? mkl::jobsvd::vectors
           : letter == 'S' ? mkl::jobsvd::somevec
           : letter == 'O' ? mkl::jobsvd::vectorsina
                           : mkl::jobsvd::novec;
}
template <class K> inline K *changed(const K *p) { return const_cast<K *>(p); } // it is not
// to[i] = from[i], as numbers of another size.
template <class To, class From>
inline sycl::event converted(sycl::queue &q, To *to, const From *from, int n,
                             const events &before) {
    return q.submit([&](sycl::handler &h) {
        h.depends_on(before);
        h.parallel_for(sycl::range<1>(static_cast<std::size_t>(n > 0 ? n : 1)),
                       [=](sycl::id<1> i) {
                           if (static_cast<int>(i[0]) < n) to[i[0]] = static_cast<To>(from[i[0]]);
                       });
    });
}

template <class K, class P>
inline cmSolverStatus_t getrf(cmSolverDnHandle_t h, int m, int n, K *a, int lda, P *pivots,
                              int *info) {
    if (!pivots) return CM_SOLVER_STATUS_NOT_SUPPORTED; // LU without pivoting
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const int least = m < n ? m : n;
        std::int64_t *const rows = room.get<std::int64_t>(least);
        const std::int64_t size = lapack::getrf_scratchpad_size<K>(q, m, n, lda);
        sycl::event last;
        try {
            last = lapack::getrf(q, m, n, a, lda, rows, room.get<K>(size), size, before);
        } catch (const lapack::computation_error &) { // singular: the factors are there
            converted(q, pivots, rows, least, {}).wait();
            throw;
        }
        return converted(q, pivots, rows, least, {last});
    });
}
template <class K, class P>
inline cmSolverStatus_t getrs(cmSolverDnHandle_t h, cmBlasOperation_t op, int n, int columns,
                              const K *a, int lda, const P *pivots, K *b, int ldb, int *info) {
    if (!pivots) return CM_SOLVER_STATUS_NOT_SUPPORTED;
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        std::int64_t *const rows = room.get<std::int64_t>(n);
        const sycl::event first = converted(q, rows, pivots, n, before);
        const std::int64_t size =
            lapack::getrs_scratchpad_size<K>(q, transpose(op), n, columns, lda, ldb);
        return lapack::getrs(q, transpose(op), n, columns, changed(a), lda, rows, b, ldb,
                             room.get<K>(size), size, {first});
    });
}
template <class K>
inline cmSolverStatus_t potrf(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, K *a, int lda,
                              int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const std::int64_t size = lapack::potrf_scratchpad_size<K>(q, triangle(fill), n, lda);
        return lapack::potrf(q, triangle(fill), n, a, lda, room.get<K>(size), size, before);
    });
}
template <class K>
inline cmSolverStatus_t potrs(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, int columns,
                              const K *a, int lda, K *b, int ldb, int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const std::int64_t size =
            lapack::potrs_scratchpad_size<K>(q, triangle(fill), n, columns, lda, ldb);
        return lapack::potrs(q, triangle(fill), n, columns, changed(a), lda, b, ldb,
                             room.get<K>(size), size, before);
    });
}
template <class K>
inline cmSolverStatus_t potri(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n, K *a, int lda,
                              int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const std::int64_t size = lapack::potri_scratchpad_size<K>(q, triangle(fill), n, lda);
        return lapack::potri(q, triangle(fill), n, a, lda, room.get<K>(size), size, before);
    });
}
template <class K>
inline cmSolverStatus_t geqrf(cmSolverDnHandle_t h, int m, int n, K *a, int lda, K *tau,
                              int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const std::int64_t size = lapack::geqrf_scratchpad_size<K>(q, m, n, lda);
        return lapack::geqrf(q, m, n, a, lda, tau, room.get<K>(size), size, before);
    });
}
template <class K>
inline cmSolverStatus_t ormqr(cmSolverDnHandle_t h, cmBlasSideMode_t where, cmBlasOperation_t op,
                              int m, int n, int k, const K *a, int lda, const K *tau, K *c,
                              int ldc, int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const mkl::side s = side(where);
        const mkl::transpose t = transpose(op);
        if constexpr (is_complex<K>::value) {
            const std::int64_t size = lapack::unmqr_scratchpad_size<K>(q, s, t, m, n, k, lda, ldc);
            return lapack::unmqr(q, s, t, m, n, k, changed(a), lda, changed(tau), c, ldc,
                                 room.get<K>(size), size, before);
        } else {
            const std::int64_t size = lapack::ormqr_scratchpad_size<K>(q, s, t, m, n, k, lda, ldc);
            return lapack::ormqr(q, s, t, m, n, k, changed(a), lda, changed(tau), c, ldc,
                                 room.get<K>(size), size, before);
        }
    });
}
template <class K>
inline cmSolverStatus_t orgqr(cmSolverDnHandle_t h, int m, int n, int k, K *a, int lda,
                              const K *tau, int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        if constexpr (is_complex<K>::value) {
            const std::int64_t size = lapack::ungqr_scratchpad_size<K>(q, m, n, k, lda);
            return lapack::ungqr(q, m, n, k, a, lda, changed(tau), room.get<K>(size), size,
                                 before);
        } else {
            const std::int64_t size = lapack::orgqr_scratchpad_size<K>(q, m, n, k, lda);
            return lapack::orgqr(q, m, n, k, a, lda, changed(tau), room.get<K>(size), size,
                                 before);
        }
    });
}
template <class K>
inline cmSolverStatus_t syevd(cmSolverDnHandle_t h, cmSolverEigMode_t mode, cmBlasFillMode_t fill,
                              int n, K *a, int lda, real_of<K> *w, int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const mkl::job j = job(mode);
        const mkl::uplo t = triangle(fill);
        if constexpr (is_complex<K>::value) {
            const std::int64_t size = lapack::heevd_scratchpad_size<K>(q, j, t, n, lda);
            return lapack::heevd(q, j, t, n, a, lda, w, room.get<K>(size), size, before);
        } else {
            const std::int64_t size = lapack::syevd_scratchpad_size<K>(q, j, t, n, lda);
            return lapack::syevd(q, j, t, n, a, lda, w, room.get<K>(size), size, before);
        }
    });
}
template <class K>
inline cmSolverStatus_t sygvd(cmSolverDnHandle_t h, cmSolverEigType_t type, cmSolverEigMode_t mode,
                              cmBlasFillMode_t fill, int n, K *a, int lda, K *b, int ldb,
                              real_of<K> *w, int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const std::int64_t kind = type;
        const mkl::job j = job(mode);
        const mkl::uplo t = triangle(fill);
        if constexpr (is_complex<K>::value) {
            const std::int64_t size = lapack::hegvd_scratchpad_size<K>(q, kind, j, t, n, lda, ldb);
            return lapack::hegvd(q, kind, j, t, n, a, lda, b, ldb, w, room.get<K>(size), size,
                                 before);
        } else {
            const std::int64_t size = lapack::sygvd_scratchpad_size<K>(q, kind, j, t, n, lda, ldb);
            return lapack::sygvd(q, kind, j, t, n, a, lda, b, ldb, w, room.get<K>(size), size,
                                 before);
        }
    });
}
template <class K>
inline cmSolverStatus_t gesvd(cmSolverDnHandle_t h, char ju, char jv, int m, int n, K *a, int lda,
                              real_of<K> *s, K *u, int ldu, K *vt, int ldvt, int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const std::int64_t size =
            lapack::gesvd_scratchpad_size<K>(q, part(ju), part(jv), m, n, lda, ldu, ldvt);
        return lapack::gesvd(q, part(ju), part(jv), m, n, a, lda, s, u, ldu, vt, ldvt,
                             room.get<K>(size), size, before);
    });
}
template <class K>
inline cmSolverStatus_t gesvdj(cmSolverDnHandle_t h, cmSolverEigMode_t mode, bool econ, int m,
                               int n, K *a, int lda, real_of<K> *s, K *u, int ldu, K *v, int ldv,
                               int *info) {
    return run(h, info, [=](sycl::queue &q, memory &room, const events &before) {
        const std::int64_t rows = econ && m < n ? m : n, leading = rows > 1 ? rows : 1;
        const mkl::jobsvd j = part(!mode ? 'N' : econ ? 'S' : 'A');
        K *const vt = room.get<K>(mode ? rows * n : 1);
        const std::int64_t size =
            lapack::gesvd_scratchpad_size<K>(q, j, j, m, n, lda, ldu, leading);
        const sycl::event first = lapack::gesvd(q, j, j, m, n, a, lda, s, u, ldu, vt, leading,
                                                room.get<K>(size), size, before);
        if (!mode || !n) return first;
        return q.submit([&](sycl::handler &hand) {
            hand.depends_on(first);
            hand.parallel_for(sycl::range<1>(static_cast<std::size_t>(rows * n)),
                              [=](sycl::id<1> at) {
                                  const std::int64_t i = static_cast<std::int64_t>(at[0]) % rows,
                                                     k = static_cast<std::int64_t>(at[0]) / rows;
                                  v[k + i * ldv] = cm::numbers::conjugate(vt[i + k * leading]);
                              });
        });
    });
}
// The pointers of a batch, on the host: work in front of this call may write them.
template <class K>
inline bool fetched(cmSolverDnHandle_t h, K *const *all, int count, std::vector<K *> *out) {
    out->resize(static_cast<std::size_t>(count));
    return !cmStreamSynchronize(h->stream) &&
           !cmMemcpy(out->data(), all, out->size() * sizeof(K *), cmMemcpyDefault);
}
template <class K>
inline cmSolverStatus_t potrf_batch(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n,
                                    K *const *a, int lda, int *infos, int count) {
    std::vector<K *> as;
    if (!h) return CM_SOLVER_STATUS_NOT_INITIALIZED;
    if (!fetched(h, a, count, &as)) return CM_SOLVER_STATUS_EXECUTION_FAILED;
    cmSolverStatus_t status = CM_SOLVER_STATUS_SUCCESS;
    for (std::size_t i = 0; i < as.size() && !status; i++)
        status = potrf(h, fill, n, as[i], lda, infos + i);
    return status;
}
template <class K>
inline cmSolverStatus_t potrs_batch(cmSolverDnHandle_t h, cmBlasFillMode_t fill, int n,
                                    int columns, K *const *a, int lda, K *const *b, int ldb,
                                    int *info, int count) {
    std::vector<K *> as, bs;
    if (!h) return CM_SOLVER_STATUS_NOT_INITIALIZED;
    if (!fetched(h, a, count, &as) || !fetched(h, b, count, &bs))
        return CM_SOLVER_STATUS_EXECUTION_FAILED;
    cmSolverStatus_t status = CM_SOLVER_STATUS_SUCCESS;
    for (std::size_t i = 0; i < as.size() && !status; i++)
        status = potrs(h, fill, n, columns, as[i], lda, bs[i], ldb, info);
    return status;
}

} // namespace solver
} // namespace cm

#endif
