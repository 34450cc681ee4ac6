/* SPDX-License-Identifier: Apache-2.0 */
// A stand-in for the LAPACK of oneMath, as its specification has it, over the host's: what
// runtime/include/cuda_morph/sycl/onemkl_solver.hpp calls. As there, a call whose info is not 0
// throws it. Included by math.hpp.
#pragma once
#include <complex>
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <type_traits>
#include <vector>

namespace oneapi::math {
enum class job { novec, vec };
enum class jobsvd { vectors, somevec, vectorsina, novec };
namespace lapack {

class exception {
    std::int64_t info_;

  public:
    explicit exception(std::int64_t info) : info_(info) {}
    std::int64_t info() const { return info_; }
};
struct computation_error : exception {
    using exception::exception;
};
struct invalid_argument : exception {
    using exception::exception;
};

using events = std::vector<sycl::event>;
template <class K> struct real_of { using type = K; };
template <class R> struct real_of<std::complex<R>> { using type = R; };
template <class K> constexpr bool is_complex = !std::is_same_v<K, typename real_of<K>::type>;

template <class K, class... A> int fortran(const char *name, A... arguments) {
    static void *const own = dlopen("liblapack.so.3", RTLD_NOW);
    static void *const library = own ? own : dlopen("libopenblas.so.0", RTLD_NOW);
    using R = typename real_of<K>::type;
    const bool twice = std::is_same_v<R, double>;
    char full[16];
    std::snprintf(full, sizeof full, "%c%s_",
                  is_complex<K> ? (twice ? 'z' : 'c')
                  : twice       ? 'd'
                                : 's',
                  name);
    int info = 0;
    reinterpret_cast<void (*)(A..., int *)>(dlsym(library, full))(arguments..., &info);
    return info;
}
// Waits, works on the host, throws.
template <class Work> sycl::event at_once(const events &before, Work work) {
    for (sycl::event e : before) e.wait();
    const int info = work();
    if (info > 0) throw computation_error(info);
    if (info < 0) throw invalid_argument(info);
    return sycl::event();
}
inline char letter(transpose t) {
    return t == transpose::nontrans ? 'N' : t == transpose::trans ? 'T' : 'C';
}
inline char letter(uplo t) { return t == uplo::upper ? 'U' : 'L'; }
inline char letter(side s) { return s == side::left ? 'L' : 'R'; }
inline char letter(job j) { return j == job::vec ? 'V' : 'N'; }
inline char letter(jobsvd j) { return "ASON"[static_cast<int>(j)]; }
inline int small(std::int64_t n) { return static_cast<int>(n); }

// Each needs the same work space here; a call with less is an error of its caller.
template <class... A> std::int64_t enough(A... sizes) {
    std::int64_t sum = 64;
    for (const std::int64_t s : {static_cast<std::int64_t>(sizes)...}) sum += s > 0 ? s : 0;
    return 64 * sum;
}
#define SIZE(name)                                                                                \
    template <class K, class... A>                                                                \
    std::int64_t name##_scratchpad_size(sycl::queue &, A... arguments) {                          \
        return enough(arguments...);                                                              \
    }
SIZE(getrf)
SIZE(getrs)
SIZE(potrf)
SIZE(potrs)
SIZE(potri)
SIZE(geqrf)
SIZE(ormqr)
SIZE(unmqr)
SIZE(orgqr)
SIZE(ungqr)
SIZE(syevd)
SIZE(heevd)
SIZE(sygvd)
SIZE(hegvd)
SIZE(gesvd)
#undef SIZE

template <class K>
sycl::event getrf(sycl::queue &, std::int64_t m, std::int64_t n, K *a, std::int64_t lda,
                  std::int64_t *pivots, K *, std::int64_t, const events &before = {}) {
    return at_once(before, [=] {
        const int rows = small(m), columns = small(n), step = small(lda);
        std::vector<int> found(static_cast<std::size_t>(rows + columns + 1));
        const int info = fortran<K>("getrf", &rows, &columns, a, &step, found.data());
        for (int i = 0; i < rows && i < columns; i++) pivots[i] = found[static_cast<size_t>(i)];
        return info;
    });
}
template <class K>
sycl::event getrs(sycl::queue &, transpose t, std::int64_t n, std::int64_t columns, K *a,
                  std::int64_t lda, std::int64_t *pivots, K *b, std::int64_t ldb, K *,
                  std::int64_t, const events &before = {}) {
    return at_once(before, [=] {
        const int rows = small(n), many = small(columns), step = small(lda), other = small(ldb);
        const char how = letter(t);
        std::vector<int> given(pivots, pivots + n);
        return fortran<K>("getrs", &how, &rows, &many, a, &step, given.data(), b, &other);
    });
}
#define CHOLESKY(name)                                                                            \
    template <class K>                                                                            \
    sycl::event name(sycl::queue &, uplo t, std::int64_t n, K *a, std::int64_t lda, K *,          \
                     std::int64_t, const events &before = {}) {                                   \
        return at_once(before, [=] {                                                              \
            const int rows = small(n), step = small(lda);                                         \
            const char part = letter(t);                                                          \
            return fortran<K>(#name, &part, &rows, a, &step);                                     \
        });                                                                                       \
    }
CHOLESKY(potrf)
CHOLESKY(potri)
#undef CHOLESKY
template <class K>
sycl::event potrs(sycl::queue &, uplo t, std::int64_t n, std::int64_t columns, K *a,
                  std::int64_t lda, K *b, std::int64_t ldb, K *, std::int64_t,
                  const events &before = {}) {
    return at_once(before, [=] {
        const int rows = small(n), many = small(columns), step = small(lda), other = small(ldb);
        const char part = letter(t);
        return fortran<K>("potrs", &part, &rows, &many, a, &step, b, &other);
    });
}
template <class K>
sycl::event geqrf(sycl::queue &, std::int64_t m, std::int64_t n, K *a, std::int64_t lda, K *tau,
                  K *space, std::int64_t size, const events &before = {}) {
    return at_once(before, [=] {
        const int rows = small(m), columns = small(n), step = small(lda), room = small(size);
        return fortran<K>("geqrf", &rows, &columns, a, &step, tau, space, &room);
    });
}
#define ORTHOGONAL(times, itself)                                                                 \
    template <class K>                                                                            \
    sycl::event times(sycl::queue &, side s, transpose t, std::int64_t m, std::int64_t n,         \
                      std::int64_t k, K *a, std::int64_t lda, K *tau, K *c, std::int64_t ldc,     \
                      K *space, std::int64_t size, const events &before = {}) {                   \
        return at_once(before, [=] {                                                              \
            const int rows = small(m), columns = small(n), many = small(k), step = small(lda),    \
                      other = small(ldc), room = small(size);                                     \
            const char where = letter(s), how = letter(t);                                        \
            return fortran<K>(#times, &where, &how, &rows, &columns, &many, a, &step, tau, c,     \
                              &other, space, &room);                                              \
        });                                                                                       \
    }                                                                                             \
    template <class K>                                                                            \
    sycl::event itself(sycl::queue &, std::int64_t m, std::int64_t n, std::int64_t k, K *a,       \
                       std::int64_t lda, K *tau, K *space, std::int64_t size,                     \
                       const events &before = {}) {                                               \
        return at_once(before, [=] {                                                              \
            const int rows = small(m), columns = small(n), many = small(k), step = small(lda),    \
                      room = small(size);                                                         \
            return fortran<K>(#itself, &rows, &columns, &many, a, &step, tau, space, &room);      \
        });                                                                                       \
    }
ORTHOGONAL(ormqr, orgqr)
ORTHOGONAL(unmqr, ungqr)
#undef ORTHOGONAL
// plain, general: LAPACK's names; the complex ones have a real work space more.
#define EIGENVALUES(evd, gvd, plain, general)                                                     \
    template <class K>                                                                            \
    sycl::event evd(sycl::queue &, job j, uplo t, std::int64_t n, K *a, std::int64_t lda,         \
                    typename real_of<K>::type *w, K *space, std::int64_t size,                    \
                    const events &before = {}) {                                                  \
        return at_once(before, [=] {                                                              \
            const int rows = small(n), step = small(lda), room = small(size);                     \
            const char what = letter(j), part = letter(t);                                        \
            std::vector<typename real_of<K>::type> more(static_cast<std::size_t>(3 * n + 1));     \
            if constexpr (is_complex<K>)                                                          \
                return fortran<K>(plain, &what, &part, &rows, a, &step, w, space, &room,          \
                                  more.data());                                                   \
            else                                                                                  \
                return fortran<K>(plain, &what, &part, &rows, a, &step, w, space, &room);         \
        });                                                                                       \
    }                                                                                             \
    template <class K>                                                                            \
    sycl::event gvd(sycl::queue &, std::int64_t type, job j, uplo t, std::int64_t n, K *a,        \
                    std::int64_t lda, K *b, std::int64_t ldb, typename real_of<K>::type *w,       \
                    K *space, std::int64_t size, const events &before = {}) {                     \
        return at_once(before, [=] {                                                              \
            const int kind = small(type), rows = small(n), step = small(lda), other = small(ldb), \
                      room = small(size);                                                         \
            const char what = letter(j), part = letter(t);                                        \
            std::vector<typename real_of<K>::type> more(static_cast<std::size_t>(3 * n + 1));     \
            if constexpr (is_complex<K>)                                                          \
                return fortran<K>(general, &kind, &what, &part, &rows, a, &step, b, &other, w,    \
                                  space, &room, more.data());                                     \
            else                                                                                  \
                return fortran<K>(general, &kind, &what, &part, &rows, a, &step, b, &other, w,    \
                                  space, &room);                                                  \
        });                                                                                       \
    }
EIGENVALUES(syevd, sygvd, "syev", "sygv")
EIGENVALUES(heevd, hegvd, "heev", "hegv")
#undef EIGENVALUES
template <class K>
sycl::event gesvd(sycl::queue &, jobsvd ju, jobsvd jv, std::int64_t m, std::int64_t n, K *a,
                  std::int64_t lda, typename real_of<K>::type *s, K *u, std::int64_t ldu, K *vt,
                  std::int64_t ldvt, K *space, std::int64_t size, const events &before = {}) {
    return at_once(before, [=] {
        const int rows = small(m), columns = small(n), step = small(lda), of_u = small(ldu),
                  of_v = small(ldvt), room = small(size);
        const char left = letter(ju), right = letter(jv);
        std::vector<typename real_of<K>::type> more(static_cast<std::size_t>(5 * (m + n) + 1));
        if constexpr (is_complex<K>)
            return fortran<K>("gesvd", &left, &right, &rows, &columns, a, &step, s, u, &of_u, vt,
                              &of_v, space, &room, more.data());
        else
            return fortran<K>("gesvd", &left, &right, &rows, &columns, a, &step, s, u, &of_u, vt,
                              &of_v, space, &room);
    });
}

} // namespace lapack
} // namespace oneapi::math
