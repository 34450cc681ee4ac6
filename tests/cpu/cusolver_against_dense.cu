// cuSOLVER's dense functions in their four types, by Jacobi's names, in batches and by the 64-bit
// interface: what each gives is put back together and compared with the matrix that it got.
// sycl, onemkl: oneMKL's LAPACK is another engine of the same names.
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

// The host's view of a type, and cuSOLVER's functions for it.
template <class T> struct of;
template <> struct of<float> {
    using given = float;
    using real = float;
    static const char *name() { return "S"; }
    static cudaDataType kind() { return CUDA_R_32F; }
    static cudaDataType real_kind() { return CUDA_R_32F; }
    static constexpr auto getrf_size = cusolverDnSgetrf_bufferSize;
    static constexpr auto getrf = cusolverDnSgetrf;
    static constexpr auto getrs = cusolverDnSgetrs;
    static constexpr auto potrf_size = cusolverDnSpotrf_bufferSize;
    static constexpr auto potrf = cusolverDnSpotrf;
    static constexpr auto potrs = cusolverDnSpotrs;
    static constexpr auto potri_size = cusolverDnSpotri_bufferSize;
    static constexpr auto potri = cusolverDnSpotri;
    static constexpr auto potrf_batched = cusolverDnSpotrfBatched;
    static constexpr auto potrs_batched = cusolverDnSpotrsBatched;
    static constexpr auto geqrf_size = cusolverDnSgeqrf_bufferSize;
    static constexpr auto geqrf = cusolverDnSgeqrf;
    static constexpr auto q_times_size = cusolverDnSormqr_bufferSize;
    static constexpr auto q_times = cusolverDnSormqr;
    static constexpr auto q_size = cusolverDnSorgqr_bufferSize;
    static constexpr auto q = cusolverDnSorgqr;
    static constexpr auto eigen_size = cusolverDnSsyevd_bufferSize;
    static constexpr auto eigen = cusolverDnSsyevd;
    static constexpr auto jacobi_size = cusolverDnSsyevj_bufferSize;
    static constexpr auto jacobi = cusolverDnSsyevj;
    static constexpr auto jacobi_batched_size = cusolverDnSsyevjBatched_bufferSize;
    static constexpr auto jacobi_batched = cusolverDnSsyevjBatched;
    static constexpr auto general_size = cusolverDnSsygvd_bufferSize;
    static constexpr auto general = cusolverDnSsygvd;
    static constexpr auto svd_size = cusolverDnSgesvd_bufferSize;
    static constexpr auto svd = cusolverDnSgesvd;
    static constexpr auto svdj_size = cusolverDnSgesvdj_bufferSize;
    static constexpr auto svdj = cusolverDnSgesvdj;
    static constexpr auto svdj_batched_size = cusolverDnSgesvdjBatched_bufferSize;
    static constexpr auto svdj_batched = cusolverDnSgesvdjBatched;
};
template <> struct of<double> {
    using given = double;
    using real = double;
    static const char *name() { return "D"; }
    static cudaDataType kind() { return CUDA_R_64F; }
    static cudaDataType real_kind() { return CUDA_R_64F; }
    static constexpr auto getrf_size = cusolverDnDgetrf_bufferSize;
    static constexpr auto getrf = cusolverDnDgetrf;
    static constexpr auto getrs = cusolverDnDgetrs;
    static constexpr auto potrf_size = cusolverDnDpotrf_bufferSize;
    static constexpr auto potrf = cusolverDnDpotrf;
    static constexpr auto potrs = cusolverDnDpotrs;
    static constexpr auto potri_size = cusolverDnDpotri_bufferSize;
    static constexpr auto potri = cusolverDnDpotri;
    static constexpr auto potrf_batched = cusolverDnDpotrfBatched;
    static constexpr auto potrs_batched = cusolverDnDpotrsBatched;
    static constexpr auto geqrf_size = cusolverDnDgeqrf_bufferSize;
    static constexpr auto geqrf = cusolverDnDgeqrf;
    static constexpr auto q_times_size = cusolverDnDormqr_bufferSize;
    static constexpr auto q_times = cusolverDnDormqr;
    static constexpr auto q_size = cusolverDnDorgqr_bufferSize;
    static constexpr auto q = cusolverDnDorgqr;
    static constexpr auto eigen_size = cusolverDnDsyevd_bufferSize;
    static constexpr auto eigen = cusolverDnDsyevd;
    static constexpr auto jacobi_size = cusolverDnDsyevj_bufferSize;
    static constexpr auto jacobi = cusolverDnDsyevj;
    static constexpr auto jacobi_batched_size = cusolverDnDsyevjBatched_bufferSize;
    static constexpr auto jacobi_batched = cusolverDnDsyevjBatched;
    static constexpr auto general_size = cusolverDnDsygvd_bufferSize;
    static constexpr auto general = cusolverDnDsygvd;
    static constexpr auto svd_size = cusolverDnDgesvd_bufferSize;
    static constexpr auto svd = cusolverDnDgesvd;
    static constexpr auto svdj_size = cusolverDnDgesvdj_bufferSize;
    static constexpr auto svdj = cusolverDnDgesvdj;
    static constexpr auto svdj_batched_size = cusolverDnDgesvdjBatched_bufferSize;
    static constexpr auto svdj_batched = cusolverDnDgesvdjBatched;
};
template <> struct of<std::complex<float>> {
    using given = cuComplex;
    using real = float;
    static const char *name() { return "C"; }
    static cudaDataType kind() { return CUDA_C_32F; }
    static cudaDataType real_kind() { return CUDA_R_32F; }
    static constexpr auto getrf_size = cusolverDnCgetrf_bufferSize;
    static constexpr auto getrf = cusolverDnCgetrf;
    static constexpr auto getrs = cusolverDnCgetrs;
    static constexpr auto potrf_size = cusolverDnCpotrf_bufferSize;
    static constexpr auto potrf = cusolverDnCpotrf;
    static constexpr auto potrs = cusolverDnCpotrs;
    static constexpr auto potri_size = cusolverDnCpotri_bufferSize;
    static constexpr auto potri = cusolverDnCpotri;
    static constexpr auto potrf_batched = cusolverDnCpotrfBatched;
    static constexpr auto potrs_batched = cusolverDnCpotrsBatched;
    static constexpr auto geqrf_size = cusolverDnCgeqrf_bufferSize;
    static constexpr auto geqrf = cusolverDnCgeqrf;
    static constexpr auto q_times_size = cusolverDnCunmqr_bufferSize;
    static constexpr auto q_times = cusolverDnCunmqr;
    static constexpr auto q_size = cusolverDnCungqr_bufferSize;
    static constexpr auto q = cusolverDnCungqr;
    static constexpr auto eigen_size = cusolverDnCheevd_bufferSize;
    static constexpr auto eigen = cusolverDnCheevd;
    static constexpr auto jacobi_size = cusolverDnCheevj_bufferSize;
    static constexpr auto jacobi = cusolverDnCheevj;
    static constexpr auto jacobi_batched_size = cusolverDnCheevjBatched_bufferSize;
    static constexpr auto jacobi_batched = cusolverDnCheevjBatched;
    static constexpr auto general_size = cusolverDnChegvd_bufferSize;
    static constexpr auto general = cusolverDnChegvd;
    static constexpr auto svd_size = cusolverDnCgesvd_bufferSize;
    static constexpr auto svd = cusolverDnCgesvd;
    static constexpr auto svdj_size = cusolverDnCgesvdj_bufferSize;
    static constexpr auto svdj = cusolverDnCgesvdj;
    static constexpr auto svdj_batched_size = cusolverDnCgesvdjBatched_bufferSize;
    static constexpr auto svdj_batched = cusolverDnCgesvdjBatched;
};
template <> struct of<std::complex<double>> {
    using given = cuDoubleComplex;
    using real = double;
    static const char *name() { return "Z"; }
    static cudaDataType kind() { return CUDA_C_64F; }
    static cudaDataType real_kind() { return CUDA_R_64F; }
    static constexpr auto getrf_size = cusolverDnZgetrf_bufferSize;
    static constexpr auto getrf = cusolverDnZgetrf;
    static constexpr auto getrs = cusolverDnZgetrs;
    static constexpr auto potrf_size = cusolverDnZpotrf_bufferSize;
    static constexpr auto potrf = cusolverDnZpotrf;
    static constexpr auto potrs = cusolverDnZpotrs;
    static constexpr auto potri_size = cusolverDnZpotri_bufferSize;
    static constexpr auto potri = cusolverDnZpotri;
    static constexpr auto potrf_batched = cusolverDnZpotrfBatched;
    static constexpr auto potrs_batched = cusolverDnZpotrsBatched;
    static constexpr auto geqrf_size = cusolverDnZgeqrf_bufferSize;
    static constexpr auto geqrf = cusolverDnZgeqrf;
    static constexpr auto q_times_size = cusolverDnZunmqr_bufferSize;
    static constexpr auto q_times = cusolverDnZunmqr;
    static constexpr auto q_size = cusolverDnZungqr_bufferSize;
    static constexpr auto q = cusolverDnZungqr;
    static constexpr auto eigen_size = cusolverDnZheevd_bufferSize;
    static constexpr auto eigen = cusolverDnZheevd;
    static constexpr auto jacobi_size = cusolverDnZheevj_bufferSize;
    static constexpr auto jacobi = cusolverDnZheevj;
    static constexpr auto jacobi_batched_size = cusolverDnZheevjBatched_bufferSize;
    static constexpr auto jacobi_batched = cusolverDnZheevjBatched;
    static constexpr auto general_size = cusolverDnZhegvd_bufferSize;
    static constexpr auto general = cusolverDnZhegvd;
    static constexpr auto svd_size = cusolverDnZgesvd_bufferSize;
    static constexpr auto svd = cusolverDnZgesvd;
    static constexpr auto svdj_size = cusolverDnZgesvdj_bufferSize;
    static constexpr auto svdj = cusolverDnZgesvdj;
    static constexpr auto svdj_batched_size = cusolverDnZgesvdjBatched_bufferSize;
    static constexpr auto svdj_batched = cusolverDnZgesvdjBatched;
};

static unsigned state = 12345;
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
    matrix(int m, int n) : m(m), n(n), v(m * n > 0 ? m * n : 1) {}
    K &operator()(int i, int j) { return v[i + j * m]; }
    const K &operator()(int i, int j) const { return v[i + j * m]; }
    static matrix any(int m, int n) {
        matrix a(m, n);
        for (K &x : a.v) fill(&x);
        return a;
    }
    matrix adjoint() const {
        matrix r(n, m);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) r(j, i) = other((*this)(i, j));
        return r;
    }
    static matrix positive(int n) { // and Hermitian
        const matrix a = any(n, n);
        matrix r = a.adjoint() * a;
        for (int i = 0; i < n; i++) r(i, i) += K(1);
        return r;
    }
    friend matrix operator*(const matrix &a, const matrix &b) {
        matrix r(a.m, b.n);
        for (int i = 0; i < a.m; i++)
            for (int j = 0; j < b.n; j++) {
                K sum(0);
                for (int k = 0; k < a.n; k++) sum += a(i, k) * b(k, j);
                r(i, j) = sum;
            }
        return r;
    }
};
template <class K> bool close(const matrix<K> &a, const matrix<K> &b) {
    const double least = sizeof(typename of<K>::real) == 4 ? 2e-4 : 1e-11;
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            if (!(std::abs(a(i, j) - b(i, j)) <= least * (10 + std::abs(a(i, j))))) return false;
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

template <class K> void run(cusolverDnHandle_t h) {
    using F = of<K>;
    using T = typename F::given;
    using R = typename F::real;
    const char *name = F::name();
    const auto ok = CUSOLVER_STATUS_SUCCESS;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
    const int n = 7, m = 10, columns = 3;
    device<int> info(8);
    int size = 0;

    { // LU: solved with the matrix, and with its adjoint
        const matrix<K> a = matrix<K>::any(n, n), x = matrix<K>::any(n, columns);
        for (const bool turned : {false, true}) {
            matrix<K> b = turned ? a.adjoint() * x : a * x;
            device<T> da(a.v), db(b.v);
            device<int> pivots(n);
            check(F::getrf_size(h, n, n, da.p, n, &size) == ok && size > 0, "getrf's size", name);
            device<T> work(size);
            check(F::getrf(h, n, n, da.p, n, work.p, pivots.p, info.p) == ok, "getrf", name);
            check(value(info) == 0, "getrf's info", name);
            check(F::getrs(h, turned ? CUBLAS_OP_C : CUBLAS_OP_N, n, columns, da.p, n, pivots.p,
                           db.p, n, info.p) == ok,
                  "getrs", name);
            db.get(b.v);
            check(close(b, x), "getrs' result", name);
        }
        matrix<K> zero(n, n);
        device<T> dz(zero.v), work(n * n);
        device<int> pivots(n);
        check(F::getrf(h, n, n, dz.p, n, work.p, pivots.p, info.p) == ok, "getrf of 0", name);
        check(value(info) == 1, "getrf's info of a singular matrix", name);
        check(F::getrf(h, n, n, dz.p, n - 1, work.p, pivots.p, info.p) != ok, "getrf, lda", name);
    }
    for (const cublasFillMode_t part : {lower, upper}) { // Cholesky
        const matrix<K> a = matrix<K>::positive(n), x = matrix<K>::any(n, columns);
        matrix<K> b = a * x, inverse(n, n), one(n, n);
        device<T> da(a.v), db(b.v);
        check(F::potrf_size(h, part, n, da.p, n, &size) == ok && size > 0, "potrf's size", name);
        device<T> work(size);
        check(F::potrf(h, part, n, da.p, n, work.p, size, info.p) == ok, "potrf", name);
        check(value(info) == 0, "potrf's info", name);
        check(F::potrs(h, part, n, columns, da.p, n, db.p, n, info.p) == ok, "potrs", name);
        db.get(b.v);
        check(close(b, x), "potrs' result", name);
        check(F::potri_size(h, part, n, da.p, n, &size) == ok && size > 0, "potri's size", name);
        device<T> more(size);
        check(F::potri(h, part, n, da.p, n, more.p, size, info.p) == ok, "potri", name);
        da.get(inverse.v);
        for (int i = 0; i < n; i++) {
            one(i, i) = K(1);
            for (int j = 0; j < i; j++)
                if (part == lower)
                    inverse(j, i) = other(inverse(i, j));
                else
                    inverse(i, j) = other(inverse(j, i));
        }
        check(close(a * inverse, one), "potri's result", name);
        matrix<K> bad(n, n);
        bad(0, 0) = K(1);
        device<T> db2(bad.v);
        check(F::potrf(h, part, n, db2.p, n, work.p, size, info.p) == ok && value(info) == 2,
              "potrf's info of a matrix that is not positive", name);
    }
    { // batches by pointers
        const matrix<K> a = matrix<K>::positive(n), c = matrix<K>::positive(n),
                        x = matrix<K>::any(n, 1);
        matrix<K> b = a * x, d = c * x;
        device<T> da(a.v), dc(c.v), db(b.v), dd(d.v);
        device<T *> as(std::vector<T *>{da.p, dc.p}), bs(std::vector<T *>{db.p, dd.p});
        check(F::potrf_batched(h, lower, n, as.p, n, info.p, 2) == ok, "potrfBatched", name);
        std::vector<int> infos(2);
        info.get(infos);
        check(infos[0] == 0 && infos[1] == 0, "potrfBatched's infos", name);
        check(F::potrs_batched(h, lower, n, 1, as.p, n, bs.p, n, info.p, 2) == ok, "potrsBatched",
              name);
        db.get(b.v), dd.get(d.v);
        check(close(b, x) && close(d, x), "potrsBatched's result", name);
    }
    { // QR: Q R is A; Q' times A is R
        const matrix<K> a = matrix<K>::any(m, n);
        matrix<K> q(m, n), r(n, n), packed(m, n), turned(m, n);
        device<T> da(a.v), dc(a.v), tau(n);
        check(F::geqrf_size(h, m, n, da.p, m, &size) == ok && size > 0, "geqrf's size", name);
        device<T> work(size);
        check(F::geqrf(h, m, n, da.p, m, tau.p, work.p, size, info.p) == ok, "geqrf", name);
        da.get(packed.v);
        for (int j = 0; j < n; j++)
            for (int i = 0; i <= j; i++) r(i, j) = packed(i, j);
        check(F::q_times_size(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, m, n, n, da.p, m, tau.p, dc.p, m,
                              &size) == ok,
              "ormqr's size", name);
        device<T> more(size);
        // a real matrix' adjoint is its transpose
        const cublasOperation_t adjoint = sizeof(K) == sizeof(R) ? CUBLAS_OP_T : CUBLAS_OP_C;
        check(F::q_times(h, CUBLAS_SIDE_LEFT, adjoint, m, n, n, da.p, m, tau.p, dc.p, m, more.p,
                         size, info.p) == ok,
              "ormqr", name);
        dc.get(turned.v);
        bool good = true;
        matrix<K> top(n, n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                if (i < n)
                    top(i, j) = turned(i, j);
                else
                    good = good && std::abs(turned(i, j)) < 1e-3;
        check(good && close(top, r), "ormqr's result", name);
        check(F::q_size(h, m, n, n, da.p, m, tau.p, &size) == ok, "orgqr's size", name);
        device<T> last(size);
        check(F::q(h, m, n, n, da.p, m, tau.p, last.p, size, info.p) == ok, "orgqr", name);
        da.get(q.v);
        check(close(q * r, a), "orgqr's result", name);
    }
    { // eigenvalues: A V = V W
        const matrix<K> a = matrix<K>::positive(n);
        for (const bool jacobi : {false, true}) {
            matrix<K> v(n, n), w(n, n);
            std::vector<R> values(n);
            device<T> da(a.v);
            device<R> dw(n);
            if (jacobi) {
                syevjInfo_t how;
                check(cusolverDnCreateSyevjInfo(&how) == ok, "CreateSyevjInfo", name);
                cusolverDnXsyevjSetTolerance(how, 1e-7);
                cusolverDnXsyevjSetMaxSweeps(how, 20);
                cusolverDnXsyevjSetSortEig(how, 1);
                F::jacobi_size(h, CUSOLVER_EIG_MODE_VECTOR, lower, n, da.p, n, dw.p, &size, how);
                device<T> work(size);
                check(F::jacobi(h, CUSOLVER_EIG_MODE_VECTOR, lower, n, da.p, n, dw.p, work.p, size,
                                info.p, how) == ok,
                      "syevj", name);
                cusolverDnDestroySyevjInfo(how);
            } else {
                F::eigen_size(h, CUSOLVER_EIG_MODE_VECTOR, lower, n, da.p, n, dw.p, &size);
                device<T> work(size);
                check(F::eigen(h, CUSOLVER_EIG_MODE_VECTOR, lower, n, da.p, n, dw.p, work.p, size,
                               info.p) == ok,
                      "syevd", name);
            }
            da.get(v.v), dw.get(values);
            for (int i = 0; i < n; i++) w(i, i) = K(values[i]);
            check(value(info) == 0 && close(a * v, v * w), "eigenvectors", name);
            for (int i = 1; i < n; i++) check(values[i - 1] <= values[i], "the order", name);
        }
        // two matrices: A V = B V W
        const matrix<K> b = matrix<K>::positive(n);
        matrix<K> v(n, n), w(n, n);
        std::vector<R> values(n);
        device<T> da(a.v), db(b.v);
        device<R> dw(n);
        F::general_size(h, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, lower, n, da.p, n, db.p,
                        n, dw.p, &size);
        device<T> work(size);
        check(F::general(h, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, lower, n, da.p, n, db.p,
                         n, dw.p, work.p, size, info.p) == ok,
              "sygvd", name);
        da.get(v.v), dw.get(values);
        for (int i = 0; i < n; i++) w(i, i) = K(values[i]);
        check(value(info) == 0 && close(a * v, b * (v * w)), "sygvd's result", name);
    }
    { // a batch of eigenvalues, one after another in memory
        const matrix<K> a = matrix<K>::positive(n), b = matrix<K>::positive(n);
        std::vector<K> both(a.v);
        both.insert(both.end(), b.v.begin(), b.v.end());
        std::vector<R> values(2 * n);
        device<T> d(both);
        device<R> dw(2 * n);
        syevjInfo_t how;
        cusolverDnCreateSyevjInfo(&how);
        F::jacobi_batched_size(h, CUSOLVER_EIG_MODE_VECTOR, upper, n, d.p, n, dw.p, &size, how, 2);
        device<T> work(size);
        check(F::jacobi_batched(h, CUSOLVER_EIG_MODE_VECTOR, upper, n, d.p, n, dw.p, work.p, size,
                                info.p, how, 2) == ok,
              "syevjBatched", name);
        cusolverDnDestroySyevjInfo(how);
        d.get(both), dw.get(values);
        matrix<K> v(n, n), w(n, n);
        std::copy(both.begin() + n * n, both.end(), v.v.begin());
        for (int i = 0; i < n; i++) w(i, i) = K(values[n + i]);
        check(close(b * v, v * w), "syevjBatched's result", name);
    }
    { // singular values: U S V' is A
        const matrix<K> a = matrix<K>::any(m, n);
        matrix<K> u(m, m), vt(n, n), s(m, n);
        std::vector<R> values(n);
        device<T> da(a.v), du(m * m), dv(n * n);
        device<R> ds(n), rest(n);
        check(F::svd_size(h, m, n, &size) == ok && size > 0, "gesvd's size", name);
        device<T> work(size);
        check(F::svd(h, 'A', 'A', m, n, da.p, m, ds.p, du.p, m, dv.p, n, work.p, size, rest.p,
                     info.p) == ok,
              "gesvd", name);
        du.get(u.v), dv.get(vt.v), ds.get(values);
        for (int i = 0; i < n; i++) s(i, i) = K(values[i]);
        check(value(info) == 0 && close(u * s * vt, a), "gesvd's result", name);
        check(F::svd(h, 'N', 'N', n, m, da.p, n, ds.p, du.p, n, dv.p, m, work.p, size, rest.p,
                     info.p) != ok,
              "gesvd of a flat matrix", name);
    }
    for (const bool flat : {false, true})
        for (const int econ : {0, 1}) {
            const int rows = flat ? n : m, cols = flat ? m : n, least = n;
            const int of_u = econ ? least : rows, of_v = econ ? least : cols;
            const matrix<K> a = matrix<K>::any(rows, cols);
            matrix<K> u(rows, of_u), v(cols, of_v), s(of_u, of_v);
            std::vector<R> values(least);
            device<T> da(a.v), du(u.v.size()), dv(v.v.size());
            device<R> ds(least);
            gesvdjInfo_t how;
            check(cusolverDnCreateGesvdjInfo(&how) == ok, "CreateGesvdjInfo", name);
            cusolverDnXgesvdjSetTolerance(how, 1e-7);
            cusolverDnXgesvdjSetMaxSweeps(how, 20);
            F::svdj_size(h, CUSOLVER_EIG_MODE_VECTOR, econ, rows, cols, da.p, rows, ds.p, du.p,
                         rows, dv.p, cols, &size, how);
            device<T> work(size);
            check(F::svdj(h, CUSOLVER_EIG_MODE_VECTOR, econ, rows, cols, da.p, rows, ds.p, du.p,
                          rows, dv.p, cols, work.p, size, info.p, how) == ok,
                  "gesvdj", name);
            du.get(u.v), dv.get(v.v), ds.get(values);
            for (int i = 0; i < least; i++) s(i, i) = K(values[i]);
            check(value(info) == 0 && close(u * s * v.adjoint(), a), "gesvdj's result", name);
            // the values alone, of two matrices
            std::vector<K> both(a.v);
            both.insert(both.end(), a.v.begin(), a.v.end());
            std::vector<R> twice(2 * least);
            device<T> d2(both);
            device<R> ds2(2 * least);
            F::svdj_batched_size(h, CUSOLVER_EIG_MODE_NOVECTOR, rows, cols, d2.p, rows, ds2.p,
                                 nullptr, rows, nullptr, cols, &size, how, 2);
            device<T> more(size);
            check(F::svdj_batched(h, CUSOLVER_EIG_MODE_NOVECTOR, rows, cols, d2.p, rows, ds2.p,
                                  nullptr, rows, nullptr, cols, more.p, size, info.p, how,
                                  2) == ok,
                  "gesvdjBatched", name);
            ds2.get(twice);
            for (int i = 0; i < 2 * least; i++)
                check(std::abs(twice[i] - values[i % least]) < 1e-3, "gesvdjBatched's", name);
            cusolverDnDestroyGesvdjInfo(how);
        }
    { // the 64-bit interface
        cusolverDnParams_t params;
        size_t on_device = 0, on_host = 0;
        const cudaDataType t = F::kind(), real = F::real_kind();
        check(cusolverDnCreateParams(&params) == ok, "CreateParams", name);
        check(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0) == ok,
              "SetAdvOptions", name);
        const matrix<K> a = matrix<K>::positive(n), x = matrix<K>::any(n, columns);
        matrix<K> b = a * x;
        {
            device<T> da(a.v), db(b.v);
            device<int64_t> pivots(n);
            check(cusolverDnXgetrf_bufferSize(h, params, n, n, t, da.p, n, t, &on_device,
                                              &on_host) == ok,
                  "Xgetrf's size", name);
            device<char> work(on_device);
            std::vector<char> host(on_host);
            check(cusolverDnXgetrf(h, params, n, n, t, da.p, n, pivots.p, t, work.p, on_device,
                                   host.data(), on_host, info.p) == ok,
                  "Xgetrf", name);
            check(cusolverDnXgetrs(h, params, CUBLAS_OP_N, n, columns, t, da.p, n, pivots.p, t,
                                   db.p, n, info.p) == ok,
                  "Xgetrs", name);
            db.get(b.v);
            check(close(b, x), "Xgetrs' result", name);
        }
        b = a * x;
        {
            device<T> da(a.v), db(b.v);
            check(cusolverDnXpotrf_bufferSize(h, params, lower, n, t, da.p, n, t, &on_device,
                                              &on_host) == ok,
                  "Xpotrf's size", name);
            device<char> work(on_device);
            std::vector<char> host(on_host);
            check(cusolverDnXpotrf(h, params, lower, n, t, da.p, n, t, work.p, on_device,
                                   host.data(), on_host, info.p) == ok,
                  "Xpotrf", name);
            check(cusolverDnXpotrs(h, params, lower, n, columns, t, da.p, n, t, db.p, n, info.p) ==
                      ok,
                  "Xpotrs", name);
            db.get(b.v);
            check(close(b, x), "Xpotrs' result", name);
        }
        {
            matrix<K> v(n, n), w(n, n);
            std::vector<R> values(n);
            device<T> da(a.v);
            device<R> dw(n);
            check(cusolverDnXsyevd_bufferSize(h, params, CUSOLVER_EIG_MODE_VECTOR, lower, n, t,
                                              da.p, n, real, dw.p, t, &on_device, &on_host) == ok,
                  "Xsyevd's size", name);
            device<char> work(on_device);
            std::vector<char> host(on_host);
            check(cusolverDnXsyevd(h, params, CUSOLVER_EIG_MODE_VECTOR, lower, n, t, da.p, n, real,
                                   dw.p, t, work.p, on_device, host.data(), on_host, info.p) == ok,
                  "Xsyevd", name);
            da.get(v.v), dw.get(values);
            for (int i = 0; i < n; i++) w(i, i) = K(values[i]);
            check(close(a * v, v * w), "Xsyevd's result", name);
        }
        {
            const matrix<K> tall = matrix<K>::any(m, n);
            matrix<K> u(m, m), vt(n, n), s(m, n), packed(m, n);
            std::vector<R> values(n);
            device<T> da(tall.v), du(m * m), dv(n * n), again(tall.v), tau(n);
            device<R> ds(n);
            check(cusolverDnXgesvd_bufferSize(h, params, 'A', 'A', m, n, t, da.p, m, real, ds.p, t,
                                              du.p, m, t, dv.p, n, t, &on_device, &on_host) == ok,
                  "Xgesvd's size", name);
            device<char> work(on_device);
            std::vector<char> host(on_host);
            check(cusolverDnXgesvd(h, params, 'A', 'A', m, n, t, da.p, m, real, ds.p, t, du.p, m,
                                   t, dv.p, n, t, work.p, on_device, host.data(), on_host,
                                   info.p) == ok,
                  "Xgesvd", name);
            du.get(u.v), dv.get(vt.v), ds.get(values);
            for (int i = 0; i < n; i++) s(i, i) = K(values[i]);
            check(close(u * s * vt, tall), "Xgesvd's result", name);
            check(cusolverDnXgeqrf_bufferSize(h, params, m, n, t, again.p, m, t, tau.p, t,
                                              &on_device, &on_host) == ok,
                  "Xgeqrf's size", name);
            device<char> more(on_device);
            std::vector<char> beside(on_host);
            check(cusolverDnXgeqrf(h, params, m, n, t, again.p, m, t, tau.p, t, more.p, on_device,
                                   beside.data(), on_host, info.p) == ok,
                  "Xgeqrf", name);
            again.get(packed.v); // A'A is R'R
            matrix<K> r(n, n);
            for (int j = 0; j < n; j++)
                for (int i = 0; i <= j; i++) r(i, j) = packed(i, j);
            check(close(r.adjoint() * r, tall.adjoint() * tall), "Xgeqrf's result", name);
        }
        cusolverDnDestroyParams(params);
    }
}

int main() {
    cusolverDnHandle_t h = nullptr;
    cudaStream_t stream;
    check(cusolverDnCreate(&h) == CUSOLVER_STATUS_SUCCESS, "cusolverDnCreate", "handles");
    cudaStreamCreate(&stream);
    for (const bool in_stream : {false, true}) {
        cusolverDnSetStream(h, in_stream ? stream : nullptr);
        run<float>(h);
        run<double>(h);
        run<std::complex<float>>(h);
        run<std::complex<double>>(h);
    }
    cusolverDnDestroy(h);
    cudaStreamDestroy(stream);
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures ? 1 : 0;
}
