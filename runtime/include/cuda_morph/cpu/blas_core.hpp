// SPDX-License-Identifier: Apache-2.0
// The mathematics of blas.h: column-major matrices of float, double and their complex numbers.
// Products of matrices go to the machine's BLAS where it has one (OpenBLAS, or Debian's libblas3),
// which is opened when first needed; everything else, and those products where it has none, are
// the loops below.
#ifndef CUDA_MORPH_CPU_BLAS_CORE_HPP
#define CUDA_MORPH_CPU_BLAS_CORE_HPP

#include <cmath>
#include <complex>
#include <cuda_morph/cpu/blas_small.hpp>
#include <cuda_morph/cpu/library.hpp>
#include <vector>

namespace cm {
namespace blas {

template <class K> struct parts { using real = K; };
template <class R> struct parts<std::complex<R>> { using real = R; };
template <class K> using real_of = typename parts<K>::real;

template <class K> inline double square(K v) { return double(v) * double(v); }
template <class R> inline double square(std::complex<R> v) {
    return std::norm(std::complex<double>(v));
}
// The place of the largest (or least) element by size1, counted from 1; of equals the first; 0 for
// an empty vector.
template <class K> inline int extreme(const K *p, int n, int stride, bool largest) {
    place at = n > 0 && stride > 0 ? 1 : 0;
    for (place i = 1; i < n && stride > 0; i++) {
        const double now = size1(p[i * stride]), best = size1(p[(at - 1) * stride]);
        if (largest ? now > best : now < best) at = i + 1;
    }
    return static_cast<int>(at);
}

// Of a symmetric (Hermitian) matrix of which one triangle is kept.
template <class K>
inline K get_symmetric(const K *a, int lda, bool upper, bool hermitian, place i, place j) {
    const bool kept = upper ? i <= j : i >= j;
    const K v = kept ? a[i + j * lda] : a[j + i * lda];
    if (!hermitian) return v;
    if (i == j) return K(std::real(v));
    return kept ? v : conjugate(v);
}

// With a negative step a vector is read from its end.
template <class K> inline K *begin(K *x, int n, int step) {
    return step < 0 ? x + static_cast<place>(1 - n) * step : x;
}
// beta * c, where beta 0 means that c is not read.
template <class K> inline K scaled(K beta, K c) { return beta == K(0) ? K(0) : beta * c; }

// ---- the machine's BLAS ----

template <class K>
using gemm_function = void (*)(const char *, const char *, const int *, const int *, const int *,
                               const K *, const K *, const int *, const K *, const int *,
                               const K *, K *, const int *);
inline void *machine() {
    static void *const handle =
        cm::library::open({"libopenblas.so.0", "libblas.so.3", "libopenblas.dylib"}, nullptr);
    return handle;
}
template <class K> inline gemm_function<K> machine_gemm() { return nullptr; }
template <> inline gemm_function<float> machine_gemm<float>() {
    static const auto f = cm::library::symbol<gemm_function<float>>(machine(), "sgemm_");
    return f;
}
template <> inline gemm_function<double> machine_gemm<double>() {
    static const auto f = cm::library::symbol<gemm_function<double>>(machine(), "dgemm_");
    return f;
}
template <> inline gemm_function<std::complex<float>> machine_gemm<std::complex<float>>() {
    using function = gemm_function<std::complex<float>>;
    static const auto f = cm::library::symbol<function>(machine(), "cgemm_");
    return f;
}
template <> inline gemm_function<std::complex<double>> machine_gemm<std::complex<double>>() {
    using function = gemm_function<std::complex<double>>;
    static const auto f = cm::library::symbol<function>(machine(), "zgemm_");
    return f;
}

template <class K>
inline void gemm(int ta, int tb, int m, int n, int k, K alpha, const K *a, int lda, const K *b,
                 int ldb, K beta, K *c, int ldc) {
    if (const auto f = place(m) * n * k > 4096 ? machine_gemm<K>() : nullptr) {
        static const char letter[] = "NTC";
        f(&letter[ta], &letter[tb], &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
        return;
    }
    for (place j = 0; j < n; j++) {
        K *const column = c + j * ldc;
        for (place i = 0; i < m; i++) column[i] = scaled(beta, column[i]);
        for (place l = 0; l < k && alpha != K(0); l++) {
            const K factor = alpha * get(b, ldb, tb, l, j);
            if (ta == N)
                for (place i = 0; i < m; i++) column[i] += factor * a[i + l * lda];
            else
                for (place i = 0; i < m; i++) column[i] += factor * get(a, lda, ta, i, l);
        }
    }
}

// ---- matrix times vector, and updates of rank 1 and 2 ----

template <class K>
inline void gemv(int op, int m, int n, K alpha, const K *a, int lda, const K *x, int incx, K beta,
                 K *y, int incy) {
    const place rows = op ? n : m, columns = op ? m : n;
    const K *const p = begin(x, int(columns), incx);
    K *const q = begin(y, int(rows), incy);
    for (place i = 0; i < rows; i++) {
        K sum(0);
        for (place j = 0; j < columns; j++) sum += get(a, lda, op, i, j) * p[j * incx];
        q[i * incy] = alpha * sum + scaled(beta, q[i * incy]);
    }
}
template <class K>
inline void symv(bool upper, bool hermitian, int n, K alpha, const K *a, int lda, const K *x,
                 int incx, K beta, K *y, int incy) {
    const K *const p = begin(x, n, incx);
    K *const q = begin(y, n, incy);
    for (place i = 0; i < n; i++) {
        K sum(0);
        for (place j = 0; j < n; j++)
            sum += get_symmetric(a, lda, upper, hermitian, i, j) * p[j * incx];
        q[i * incy] = alpha * sum + scaled(beta, q[i * incy]);
    }
}
// y NULL: the update of rank 1 with x and itself; else that of rank 2.
template <class K>
inline void syr(bool upper, bool hermitian, int n, K alpha, const K *x, int incx, const K *y,
                int incy, K *a, int lda) {
    const K *const p = begin(x, n, incx), *const q = y ? begin(y, n, incy) : nullptr;
    const auto other = [=](K v) { return hermitian ? conjugate(v) : v; };
    for (place j = 0; j < n; j++)
        for (place i = upper ? 0 : j; i < (upper ? j + 1 : n); i++) {
            K &to = a[i + j * lda];
            if (q)
                to += alpha * p[i * incx] * other(q[j * incy]) +
                      other(alpha) * q[i * incy] * other(p[j * incx]);
            else
                to += alpha * p[i * incx] * other(p[j * incx]);
            if (hermitian && i == j) to = K(std::real(to));
        }
}

// ---- triangular matrices ----

// b = op(A) b, for a vector with a step.
template <class K> inline void trmv(triangle t, int n, const K *a, int lda, K *b, place step) {
    for (place k = 0; k < n; k++) {
        const place i = t.above() ? k : n - 1 - k;
        K sum(0);
        for (place j = t.above() ? i : 0; j < (t.above() ? n : i + 1); j++)
            sum += t.at(a, lda, i, j) * b[j * step];
        b[i * step] = sum;
    }
}
// The same for rows: x op(A) = b is op(A)^T x^T = b^T. `transposed` swaps rows and columns.
template <class K>
inline void row_product(triangle t, bool solve, int n, const K *a, int lda, K *b, place step) {
    for (place k = 0; k < n; k++) {
        const place j = (t.above() != solve) ? n - 1 - k : k;
        K sum = solve ? b[j * step] : K(0);
        const place from = t.above() ? 0 : (solve ? j + 1 : j),
                    to = t.above() ? (solve ? j : j + 1) : n;
        for (place i = from; i < to; i++) {
            const K term = b[i * step] * t.at(a, lda, i, j);
            sum = solve ? sum - term : sum + term;
        }
        b[j * step] = solve && !t.unit ? sum / t.at(a, lda, j, j) : sum;
    }
}
template <class K>
inline void trsm(bool left, triangle t, int m, int n, K alpha, const K *a, int lda, K *b,
                 int ldb) {
    for (place j = 0; j < n; j++)
        for (place i = 0; i < m; i++) b[i + j * ldb] = scaled(alpha, b[i + j * ldb]);
    if (alpha == K(0)) return;
    if (left)
        for (place j = 0; j < n; j++) trsv(t, m, a, lda, b + j * ldb, 1);
    else
        for (place i = 0; i < m; i++) row_product(t, true, n, a, lda, b + i, ldb);
}
template <class K>
inline void trmm(bool left, triangle t, int m, int n, K alpha, const K *a, int lda, const K *b,
                 int ldb, K *c, int ldc) {
    for (place j = 0; j < n; j++)
        for (place i = 0; i < m; i++) c[i + j * ldc] = scaled(alpha, b[i + j * ldb]);
    if (left)
        for (place j = 0; j < n; j++) trmv(t, m, a, lda, c + j * ldc, 1);
    else
        for (place i = 0; i < m; i++) row_product(t, false, n, a, lda, c + i, ldc);
}

// ---- symmetric products ----

template <class K>
inline void symm(bool left, bool upper, bool hermitian, int m, int n, K alpha, const K *a, int lda,
                 const K *b, int ldb, K beta, K *c, int ldc) {
    const int size = left ? m : n;
    std::vector<K> full(static_cast<size_t>(size) * static_cast<size_t>(size));
    for (place j = 0; j < size; j++)
        for (place i = 0; i < size; i++)
            full[static_cast<size_t>(i + j * size)] =
                get_symmetric(a, lda, upper, hermitian, i, j);
    if (left)
        gemm<K>(N, N, m, n, m, alpha, full.data(), m > 0 ? m : 1, b, ldb, beta, c, ldc);
    else
        gemm<K>(N, N, m, n, n, alpha, b, ldb, full.data(), n > 0 ? n : 1, beta, c, ldc);
}
// C's triangle = sum(i, j) + beta C
template <class K, class Sum>
inline void triangle(bool upper, bool hermitian, int n, K beta, K *c, int ldc, Sum sum) {
    for (place j = 0; j < n; j++)
        for (place i = upper ? 0 : j; i < (upper ? j + 1 : n); i++) {
            K &to = c[i + j * ldc];
            to = sum(i, j) + scaled(beta, to);
            if (hermitian && i == j) to = K(std::real(to));
        }
}
// Row i of op(A), element l; and what stands in its transpose.
template <class K> struct rows {
    bool hermitian, transposed;
    K other(K v) const { return hermitian ? conjugate(v) : v; }
    K operator()(const K *x, int ld, place i, place l) const {
        return transposed ? other(x[l + i * ld]) : x[i + l * ld];
    }
};
// C's triangle = alpha op(A) op(B)^T (+ the same with A and B exchanged, where B is given) + beta
// C
template <class K>
inline void syrk(bool upper, bool hermitian, bool transposed, int n, int k, K alpha, const K *a,
                 int lda, const K *b, int ldb, K beta, K *c, int ldc) {
    const rows<K> row = {hermitian, transposed};
    triangle(upper, hermitian, n, beta, c, ldc, [=](place i, place j) {
        K sum(0);
        for (place l = 0; l < k; l++) {
            if (b)
                sum += alpha * row(a, lda, i, l) * row.other(row(b, ldb, j, l)) +
                       row.other(alpha) * row(b, ldb, i, l) * row.other(row(a, lda, j, l));
            else
                sum += alpha * row(a, lda, i, l) * row.other(row(a, lda, j, l));
        }
        return sum;
    });
}
// C's triangle = alpha op(A) op(B)^T + beta C, which the caller knows to be symmetric
template <class K>
inline void syrkx(bool upper, bool hermitian, bool transposed, int n, int k, K alpha, const K *a,
                  int lda, const K *b, int ldb, K beta, K *c, int ldc) {
    const rows<K> row = {hermitian, transposed};
    triangle(upper, hermitian, n, beta, c, ldc, [=](place i, place j) {
        K sum(0);
        for (place l = 0; l < k; l++) sum += row(a, lda, i, l) * row.other(row(b, ldb, j, l));
        return alpha * sum;
    });
}

} // namespace blas
} // namespace cm

#endif
