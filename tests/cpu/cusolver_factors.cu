// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's factors that have to be put together from parts: symmetric indefinite ones, bidiagonal
// and tridiagonal form, part of the eigenvalues, tall batches, inverses of triangles. Each is
// multiplied out on the host and compared with the matrix that it was made of.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <vector>

static int failures = 0;
static void check(bool good, const char *what, const char *type) {
    if (good) return;
    printf("FAIL: %s of %s\n", what, type);
    failures++;
}

template <class K> struct of;
template <> struct of<float> {
    using given = float;
    using real = float;
    static const char *name() { return "S"; }
    static constexpr auto sytrf_size = cusolverDnSsytrf_bufferSize;
    static constexpr auto sytrf = cusolverDnSsytrf;
    static constexpr auto gebrd_size = cusolverDnSgebrd_bufferSize;
    static constexpr auto gebrd = cusolverDnSgebrd;
    static constexpr auto q_size = cusolverDnSorgbr_bufferSize;
    static constexpr auto q = cusolverDnSorgbr;
    static constexpr auto tridiagonal_size = cusolverDnSsytrd_bufferSize;
    static constexpr auto tridiagonal = cusolverDnSsytrd;
    static constexpr auto of_trd_size = cusolverDnSorgtr_bufferSize;
    static constexpr auto of_trd = cusolverDnSorgtr;
    static constexpr auto times_trd_size = cusolverDnSormtr_bufferSize;
    static constexpr auto times_trd = cusolverDnSormtr;
    static constexpr auto some_size = cusolverDnSsyevdx_bufferSize;
    static constexpr auto some = cusolverDnSsyevdx;
    static constexpr auto some_of_two_size = cusolverDnSsygvdx_bufferSize;
    static constexpr auto some_of_two = cusolverDnSsygvdx;
    static constexpr auto jacobi_size = cusolverDnSsygvj_bufferSize;
    static constexpr auto jacobi = cusolverDnSsygvj;
    static constexpr auto tall_size = cusolverDnSgesvdaStridedBatched_bufferSize;
    static constexpr auto tall = cusolverDnSgesvdaStridedBatched;
};
template <> struct of<double> {
    using given = double;
    using real = double;
    static const char *name() { return "D"; }
    static constexpr auto sytrf_size = cusolverDnDsytrf_bufferSize;
    static constexpr auto sytrf = cusolverDnDsytrf;
    static constexpr auto gebrd_size = cusolverDnDgebrd_bufferSize;
    static constexpr auto gebrd = cusolverDnDgebrd;
    static constexpr auto q_size = cusolverDnDorgbr_bufferSize;
    static constexpr auto q = cusolverDnDorgbr;
    static constexpr auto tridiagonal_size = cusolverDnDsytrd_bufferSize;
    static constexpr auto tridiagonal = cusolverDnDsytrd;
    static constexpr auto of_trd_size = cusolverDnDorgtr_bufferSize;
    static constexpr auto of_trd = cusolverDnDorgtr;
    static constexpr auto times_trd_size = cusolverDnDormtr_bufferSize;
    static constexpr auto times_trd = cusolverDnDormtr;
    static constexpr auto some_size = cusolverDnDsyevdx_bufferSize;
    static constexpr auto some = cusolverDnDsyevdx;
    static constexpr auto some_of_two_size = cusolverDnDsygvdx_bufferSize;
    static constexpr auto some_of_two = cusolverDnDsygvdx;
    static constexpr auto jacobi_size = cusolverDnDsygvj_bufferSize;
    static constexpr auto jacobi = cusolverDnDsygvj;
    static constexpr auto tall_size = cusolverDnDgesvdaStridedBatched_bufferSize;
    static constexpr auto tall = cusolverDnDgesvdaStridedBatched;
};
template <> struct of<std::complex<float>> {
    using given = cuComplex;
    using real = float;
    static const char *name() { return "C"; }
    static constexpr auto sytrf_size = cusolverDnCsytrf_bufferSize;
    static constexpr auto sytrf = cusolverDnCsytrf;
    static constexpr auto gebrd_size = cusolverDnCgebrd_bufferSize;
    static constexpr auto gebrd = cusolverDnCgebrd;
    static constexpr auto q_size = cusolverDnCungbr_bufferSize;
    static constexpr auto q = cusolverDnCungbr;
    static constexpr auto tridiagonal_size = cusolverDnChetrd_bufferSize;
    static constexpr auto tridiagonal = cusolverDnChetrd;
    static constexpr auto of_trd_size = cusolverDnCungtr_bufferSize;
    static constexpr auto of_trd = cusolverDnCungtr;
    static constexpr auto times_trd_size = cusolverDnCunmtr_bufferSize;
    static constexpr auto times_trd = cusolverDnCunmtr;
    static constexpr auto some_size = cusolverDnCheevdx_bufferSize;
    static constexpr auto some = cusolverDnCheevdx;
    static constexpr auto some_of_two_size = cusolverDnChegvdx_bufferSize;
    static constexpr auto some_of_two = cusolverDnChegvdx;
    static constexpr auto jacobi_size = cusolverDnChegvj_bufferSize;
    static constexpr auto jacobi = cusolverDnChegvj;
    static constexpr auto tall_size = cusolverDnCgesvdaStridedBatched_bufferSize;
    static constexpr auto tall = cusolverDnCgesvdaStridedBatched;
};
template <> struct of<std::complex<double>> {
    using given = cuDoubleComplex;
    using real = double;
    static const char *name() { return "Z"; }
    static constexpr auto sytrf_size = cusolverDnZsytrf_bufferSize;
    static constexpr auto sytrf = cusolverDnZsytrf;
    static constexpr auto gebrd_size = cusolverDnZgebrd_bufferSize;
    static constexpr auto gebrd = cusolverDnZgebrd;
    static constexpr auto q_size = cusolverDnZungbr_bufferSize;
    static constexpr auto q = cusolverDnZungbr;
    static constexpr auto tridiagonal_size = cusolverDnZhetrd_bufferSize;
    static constexpr auto tridiagonal = cusolverDnZhetrd;
    static constexpr auto of_trd_size = cusolverDnZungtr_bufferSize;
    static constexpr auto of_trd = cusolverDnZungtr;
    static constexpr auto times_trd_size = cusolverDnZunmtr_bufferSize;
    static constexpr auto times_trd = cusolverDnZunmtr;
    static constexpr auto some_size = cusolverDnZheevdx_bufferSize;
    static constexpr auto some = cusolverDnZheevdx;
    static constexpr auto some_of_two_size = cusolverDnZhegvdx_bufferSize;
    static constexpr auto some_of_two = cusolverDnZhegvdx;
    static constexpr auto jacobi_size = cusolverDnZhegvj_bufferSize;
    static constexpr auto jacobi = cusolverDnZhegvj;
    static constexpr auto tall_size = cusolverDnZgesvdaStridedBatched_bufferSize;
    static constexpr auto tall = cusolverDnZgesvdaStridedBatched;
};

template <class K> static constexpr bool is_complex = sizeof(K) != sizeof(typename of<K>::real);
template <class K> static constexpr cudaDataType kind_of =
    is_complex<K> ? (sizeof(K) == 8 ? CUDA_C_32F : CUDA_C_64F)
                  : (sizeof(K) == 4 ? CUDA_R_32F : CUDA_R_64F);

static unsigned state = 4711;
static double random_number() {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0 * 2 - 1;
}
static void fill(float *v) { *v = (float)random_number(); }
static void fill(double *v) { *v = random_number(); }
template <class R> void fill(std::complex<R> *v) {
    const R a = (R)random_number(), b = (R)random_number();
    *v = std::complex<R>(a, b);
}
static float other(float v) { return v; }
static double other(double v) { return v; }
template <class R> std::complex<R> other(std::complex<R> v) { return std::conj(v); }

// A matrix in columns.
template <class K> struct matrix {
    int m, n;
    std::vector<K> v;
    matrix(int m, int n) : m(m), n(n), v(m * n) {}
    K &operator()(int i, int j) { return v[i + j * m]; }
    const K &operator()(int i, int j) const { return v[i + j * m]; }
    static matrix any(int m, int n) {
        matrix a(m, n);
        for (K &x : a.v) fill(&x);
        return a;
    }
    matrix transpose() const {
        matrix r(n, m);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) r(j, i) = (*this)(i, j);
        return r;
    }
    matrix adjoint() const {
        matrix r = transpose();
        for (K &x : r.v) x = other(x);
        return r;
    }
    matrix columns(int count) const {
        matrix r(m, count);
        r.v.assign(v.begin(), v.begin() + m * count);
        return r;
    }
    friend matrix operator*(const matrix &a, const matrix &b) {
        matrix r(a.m, b.n);
        for (int i = 0; i < a.m; i++)
            for (int j = 0; j < b.n; j++)
                for (int k = 0; k < a.n; k++) r(i, j) += a(i, k) * b(k, j);
        return r;
    }
    friend matrix operator+(matrix a, const matrix &b) {
        for (size_t i = 0; i < a.v.size(); i++) a.v[i] += b.v[i];
        return a;
    }
};
template <class K> matrix<K> one(int n) {
    matrix<K> r(n, n);
    for (int i = 0; i < n; i++) r(i, i) = K(1);
    return r;
}
template <class K> bool close(const matrix<K> &a, const matrix<K> &b) {
    const double least = sizeof(typename of<K>::real) == 4 ? 3e-4 : 1e-11;
    for (size_t i = 0; i < a.v.size(); i++)
        if (!(std::abs(a.v[i] - b.v[i]) <= least * (10 + std::abs(a.v[i])))) return false;
    return a.m == b.m && a.n == b.n;
}
template <class T> struct device {
    T *p;
    explicit device(size_t n) { cudaMalloc((void **)&p, (n ? n : 1) * sizeof(T)); }
    template <class H> explicit device(const std::vector<H> &h) : device(h.size()) {
        cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~device() { cudaFree(p); }
    template <class H> void get(std::vector<H> &h) {
        cudaMemcpy(h.data(), p, h.size() * sizeof(T), cudaMemcpyDeviceToHost);
    }
};
static int value(device<int> &d) {
    std::vector<int> v(1);
    d.get(v);
    return v[0];
}

// P' A P = L D L' (A lower): the product with LAPACK's exchanges and blocks of 1 x 1 and 2 x 2.
template <class K> matrix<K> from_factors(const matrix<K> &packed, const std::vector<int> &pivots) {
    const int n = packed.m;
    matrix<K> all = one<K>(n), d(n, n); // all: the product of P and L, block by block
    for (int k = 0; k < n;) {
        const int wide = pivots[k] > 0 ? 1 : 2;
        matrix<K> swap = one<K>(n), l = one<K>(n);
        const int a = k + wide - 1, b = (wide == 1 ? pivots[k] : -pivots[k]) - 1;
        if (a != b) swap(a, a) = swap(b, b) = K(0), swap(a, b) = swap(b, a) = K(1);
        for (int j = k; j < k + wide; j++)
            for (int i = k + wide; i < n; i++) l(i, j) = packed(i, j);
        for (int j = k; j < k + wide; j++)
            for (int i = j; i < k + wide; i++) d(i, j) = d(j, i) = packed(i, j);
        all = all * swap * l;
        k += wide;
    }
    return all * d * all.transpose();
}

template <class K> void run(cusolverDnHandle_t h) {
    using F = of<K>;
    using T = typename F::given;
    using R = typename F::real;
    const char *name = F::name();
    const auto ok = CUSOLVER_STATUS_SUCCESS;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
    const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
    const int n = 7, m = 10, columns = 3;
    device<int> info(8);
    int size = 0;

    { // symmetric and indefinite, of complex numbers, too: with zeros in the diagonal
        matrix<K> a = matrix<K>::any(n, n);
        a = a + a.transpose();
        for (int i = 0; i < n; i++) a(i, i) = K(0);
        matrix<K> packed(n, n);
        std::vector<int> rows(n);
        device<T> da(a.v);
        device<int> pivots(n);
        check(F::sytrf_size(h, n, da.p, n, &size) == ok && size > 0, "sytrf's size", name);
        device<T> work(size);
        check(F::sytrf(h, lower, n, da.p, n, pivots.p, work.p, size, info.p) == ok, "sytrf", name);
        da.get(packed.v), pivots.get(rows);
        check(value(info) == 0 && close(from_factors(packed, rows), a), "sytrf's result", name);
        const matrix<K> x = matrix<K>::any(n, columns);
        matrix<K> b = a * x;
        device<T> db(b.v);
        device<int64_t> wide(std::vector<int64_t>(rows.begin(), rows.end()));
        size_t on_device = 9, on_host = 9;
        check(cusolverDnXsytrs_bufferSize(h, lower, n, columns, kind_of<K>, da.p, n, wide.p,
                                          kind_of<K>, db.p, n, &on_device, &on_host) == ok,
              "Xsytrs' size", name);
        device<char> room(on_device);
        std::vector<char> more(on_host + 1);
        check(cusolverDnXsytrs(h, lower, n, columns, kind_of<K>, da.p, n, wide.p, kind_of<K>, db.p,
                               n, room.p, on_device, more.data(), on_host, info.p) == ok,
              "Xsytrs", name);
        db.get(b.v);
        check(close(b, x), "Xsytrs' result", name);
    }
    { // Q B P' is A
        const matrix<K> a = matrix<K>::any(m, n);
        std::vector<R> d(n), e(n);
        device<T> da(a.v), tau_q(n), tau_p(n);
        device<R> dd(n), de(n);
        check(F::gebrd_size(h, m, n, &size) == ok && size > 0, "gebrd's size", name);
        check(F::gebrd_size(h, n, m, &size) != ok, "gebrd of a wide matrix", name);
        device<T> work(size);
        check(F::gebrd(h, m, n, da.p, m, dd.p, de.p, tau_q.p, tau_p.p, work.p, size, info.p) == ok,
              "gebrd", name);
        dd.get(d), de.get(e);
        matrix<K> b(n, n), q(m, n), p(n, n), packed(m, n);
        for (int i = 0; i < n; i++) {
            b(i, i) = K(d[i]);
            if (i + 1 < n) b(i, i + 1) = K(e[i]);
        }
        da.get(packed.v);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) p(i, j) = packed(i, j);
        device<T> dp(p.v);
        check(F::q_size(h, CUBLAS_SIDE_LEFT, m, n, n, da.p, m, tau_q.p, &size) == ok,
              "orgbr's size", name);
        device<T> more(size);
        check(F::q(h, CUBLAS_SIDE_LEFT, m, n, n, da.p, m, tau_q.p, more.p, size, info.p) == ok,
              "orgbr of Q", name);
        check(F::q(h, CUBLAS_SIDE_RIGHT, n, n, m, dp.p, n, tau_p.p, more.p, size, info.p) == ok,
              "orgbr of P", name);
        da.get(q.v), dp.get(p.v);
        check(close(q * b * p, a), "gebrd's result", name);
    }
    for (const cublasFillMode_t part : {lower, upper}) { // Q T Q' is A
        matrix<K> a = matrix<K>::any(n, n), c = matrix<K>::any(n, columns);
        a = a + a.adjoint();
        std::vector<R> d(n), e(n - 1);
        device<T> da(a.v), tau(n), dc(c.v);
        device<R> dd(n), de(n - 1);
        check(F::tridiagonal_size(h, part, n, da.p, n, dd.p, de.p, tau.p, &size) == ok, "sytrd's size",
              name);
        device<T> work(size);
        check(F::tridiagonal(h, part, n, da.p, n, dd.p, de.p, tau.p, work.p, size, info.p) == ok,
              "sytrd", name);
        check(F::times_trd_size(h, CUBLAS_SIDE_LEFT, part, CUBLAS_OP_N, n, columns, da.p, n, tau.p,
                                dc.p, n, &size) == ok,
              "ormtr's size", name);
        device<T> more(size);
        check(F::times_trd(h, CUBLAS_SIDE_LEFT, part, CUBLAS_OP_N, n, columns, da.p, n, tau.p,
                           dc.p, n, more.p, size, info.p) == ok,
              "ormtr", name);
        check(F::of_trd_size(h, part, n, da.p, n, tau.p, &size) == ok, "orgtr's size", name);
        device<T> last(size);
        check(F::of_trd(h, part, n, da.p, n, tau.p, last.p, size, info.p) == ok, "orgtr", name);
        matrix<K> q(n, n), t(n, n), product(n, columns);
        da.get(q.v), dc.get(product.v), dd.get(d), de.get(e);
        for (int i = 0; i < n; i++) {
            t(i, i) = K(d[i]);
            if (i + 1 < n) t(i, i + 1) = t(i + 1, i) = K(e[i]);
        }
        check(close(q * t * q.adjoint(), a), "sytrd's result", name);
        check(close(product, q * c), "ormtr's result", name);
    }
    { // some of the eigenvalues: by number, by size, all; of one and of two matrices
        matrix<K> a = matrix<K>::any(n, n), g = matrix<K>::any(n, n);
        a = a + a.adjoint();
        const matrix<K> b = g.adjoint() * g + one<K>(n);
        std::vector<R> all(n);
        for (const bool two : {false, true})
            for (const cusolverEigRange_t kind :
                 {CUSOLVER_EIG_RANGE_ALL, CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
                device<T> da(a.v), db(b.v);
                device<R> dw(n);
                int kept = -1;
                // above the first, up to the fourth, of those that are known since the first round
                const R low = (all[0] + all[1]) / 2, high = (all[3] + all[4]) / 2;
                if (two) {
                    F::some_of_two_size(h, CUSOLVER_EIG_TYPE_1, vectors, kind, lower, n, da.p, n,
                                        db.p, n, low, high, 2, 4, &kept, dw.p, &size);
                    device<T> work(size);
                    check(F::some_of_two(h, CUSOLVER_EIG_TYPE_1, vectors, kind, lower, n, da.p, n,
                                         db.p, n, low, high, 2, 4, &kept, dw.p, work.p, size,
                                         info.p) == ok,
                          "sygvdx", name);
                } else {
                    F::some_size(h, vectors, kind, lower, n, da.p, n, low, high, 2, 4, &kept, dw.p,
                                 &size);
                    device<T> work(size);
                    check(F::some(h, vectors, kind, lower, n, da.p, n, low, high, 2, 4, &kept,
                                  dw.p, work.p, size, info.p) == ok,
                          "syevdx", name);
                }
                std::vector<R> w(n);
                matrix<K> v(n, n);
                da.get(v.v), dw.get(w);
                if (kind == CUSOLVER_EIG_RANGE_ALL) all = w;
                check(kept == (kind == CUSOLVER_EIG_RANGE_ALL ? n : 3), "how many", name);
                if (kept != 3 && kept != n) continue;
                check(std::abs(w[0] - all[kept == 3]) < 1e-4, "which of them", name);
                v = v.columns(kept);
                matrix<K> values(kept, kept);
                for (int i = 0; i < kept; i++) values(i, i) = K(w[i]);
                check(close(a * v, two ? b * v * values : v * values), "some eigenvectors", name);
            }
        int kept;
        device<T> da(a.v), db(b.v);
        device<R> dw(n);
        check(F::some(h, vectors, CUSOLVER_EIG_RANGE_I, lower, n, da.p, n, 0, 0, 3, n + 1, &kept,
                      dw.p, nullptr, 0, info.p) == CUSOLVER_STATUS_INVALID_VALUE,
              "a range beyond the last", name);
        syevjInfo_t how;
        cusolverDnCreateSyevjInfo(&how);
        F::jacobi_size(h, CUSOLVER_EIG_TYPE_1, vectors, lower, n, da.p, n, db.p, n, dw.p, &size,
                       how);
        device<T> work(size);
        check(F::jacobi(h, CUSOLVER_EIG_TYPE_1, vectors, lower, n, da.p, n, db.p, n, dw.p, work.p,
                        size, info.p, how) == ok,
              "sygvj", name);
        double rest = -1;
        int sweeps = -1;
        check(cusolverDnXsyevjGetResidual(h, how, &rest) == ok && rest >= 0 && rest < 1e-3 &&
                  cusolverDnXsyevjGetSweeps(h, how, &sweeps) == ok && sweeps >= 0,
              "what is told of the sweeps", name);
        cusolverDnDestroySyevjInfo(how);
        matrix<K> v(n, n), values(n, n);
        std::vector<R> w(n);
        da.get(v.v), dw.get(w);
        for (int i = 0; i < n; i++) values(i, i) = K(w[i]);
        check(close(a * v, b * v * values), "sygvj's result", name);
    }
    { // two tall matrices: all of their singular values, and the first three
        const matrix<K> a = matrix<K>::any(m, n), b = matrix<K>::any(m, n);
        std::vector<K> both(a.v);
        both.insert(both.end(), b.v.begin(), b.v.end());
        double square = 0; // of the second
        for (const K &x : b.v) square += std::norm(x);
        for (const int rank : {n, 3}) {
            device<T> d(both), du(2 * m * n), dv(2 * n * n);
            device<R> ds(2 * n);
            double left[2] = {-1, -1};
            check(F::tall_size(h, vectors, rank, m, n, d.p, m, m * n, ds.p, n, du.p, m, m * n,
                               dv.p, n, n * n, &size, 2) == ok,
                  "gesvda's size", name);
            device<T> work(size);
            check(F::tall(h, vectors, rank, m, n, d.p, m, m * n, ds.p, n, du.p, m, m * n, dv.p, n,
                          n * n, work.p, size, info.p, left, 2) == ok,
                  "gesvda", name);
            std::vector<K> u(2 * m * n), v(2 * n * n);
            std::vector<R> s(2 * n);
            du.get(u), dv.get(v), ds.get(s);
            matrix<K> u2(m, rank), v2(n, rank), s2(rank, rank);
            u2.v.assign(u.begin() + m * n, u.begin() + m * n + m * rank);
            v2.v.assign(v.begin() + n * n, v.begin() + n * n + n * rank);
            double kept = 0;
            for (int i = 0; i < rank; i++) {
                s2(i, i) = K(s[n + i]);
                kept += (double)s[n + i] * s[n + i];
            }
            if (rank == n) check(close(u2 * s2 * v2.adjoint(), b), "gesvda's result", name);
            check(close(b * v2, u2 * s2), "gesvda's vectors", name);
            check(std::abs(kept + left[1] * left[1] - square) < 1e-4 * square, "what is left",
                  name);
        }
    }
    for (const bool ones : {false, true}) { // a triangle's inverse; the other half stays
        matrix<K> a = matrix<K>::any(n, n), inverse(n, n), l = one<K>(n);
        for (int i = 0; i < n; i++) a(i, i) += K(3);
        for (int j = 0; j < n; j++)
            for (int i = j + ones; i < n; i++) l(i, j) = a(i, j);
        device<T> da(a.v);
        const cublasDiagType_t diag = ones ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        size_t on_device = 9, on_host = 9;
        check(cusolverDnXtrtri_bufferSize(h, lower, diag, n, kind_of<K>, da.p, n, &on_device,
                                          &on_host) == ok,
              "Xtrtri's size", name);
        device<char> room(on_device);
        std::vector<char> more(on_host + 1);
        check(cusolverDnXtrtri(h, lower, diag, n, kind_of<K>, da.p, n, room.p, on_device,
                               more.data(), on_host, info.p) == ok,
              "Xtrtri", name);
        da.get(inverse.v);
        check(inverse(0, 1) == a(0, 1), "the other half", name);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < j; i++) inverse(i, j) = K(0);
            if (ones) inverse(j, j) = K(1);
        }
        check(close(l * inverse, one<K>(n)), "Xtrtri's result", name);
    }
    { // the 64-bit interface: the third and fourth eigenvalue
        matrix<K> a = matrix<K>::any(n, n), v(n, n), values(2, 2);
        a = a + a.adjoint();
        const cudaDataType real = sizeof(R) == 4 ? CUDA_R_32F : CUDA_R_64F;
        device<T> da(a.v);
        device<R> dw(n);
        std::vector<R> w(n);
        size_t on_device = 9, on_host = 9;
        int64_t kept = -1;
        check(cusolverDnXsyevdx_bufferSize(h, nullptr, vectors, CUSOLVER_EIG_RANGE_I, upper, n,
                                           kind_of<K>, da.p, n, nullptr, nullptr, 3, 4, &kept,
                                           real, dw.p, kind_of<K>, &on_device, &on_host) == ok,
              "Xsyevdx' size", name);
        device<char> room(on_device);
        std::vector<char> more(on_host + 1);
        check(cusolverDnXsyevdx(h, nullptr, vectors, CUSOLVER_EIG_RANGE_I, upper, n, kind_of<K>,
                                da.p, n, nullptr, nullptr, 3, 4, &kept, real, dw.p, kind_of<K>,
                                room.p, on_device, more.data(), on_host, info.p) == ok,
              "Xsyevdx", name);
        da.get(v.v), dw.get(w);
        values(0, 0) = K(w[0]), values(1, 1) = K(w[1]);
        v = v.columns(2);
        check(kept == 2 && close(a * v, v * values), "Xsyevdx' result", name);
    }
}

int main() {
    cusolverDnHandle_t h;
    if (cusolverDnCreate(&h) != CUSOLVER_STATUS_SUCCESS) return 1;
    run<float>(h);
    run<double>(h);
    run<std::complex<float>>(h);
    run<std::complex<double>>(h);
    cusolverDnDestroy(h);
    if (!failures) printf("PASS\n");
    return failures != 0;
}
