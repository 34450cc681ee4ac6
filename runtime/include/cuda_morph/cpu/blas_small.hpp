// SPDX-License-Identifier: Apache-2.0
// Small dense systems, for cuBLAS's batched functions: what one turn of a loop or one work-item
// does. Part of blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_SMALL_HPP
#define CUDA_MORPH_CPU_BLAS_SMALL_HPP

#include <cmath>
#include <cuda_morph/cpu/numbers.hpp>

namespace cm {
namespace blas {

using numbers::conjugate;
using place = ptrdiff_t;
enum { N = 0, T = 1, C = 2 }; // cublasOperation_t

template <class K> inline double size1(K v) { // cuBLAS measures complex numbers so
    return std::fabs(static_cast<double>(v));
}
template <class R> inline double size1(std::complex<R> v) {
    return std::fabs(double(v.real())) + std::fabs(double(v.imag()));
}

// Element (i, j) of op(A).
template <class K> inline K get(const K *a, int lda, int op, place i, place j) {
    if (op == N) return a[i + j * lda];
    const K v = a[j + i * lda];
    return op == C ? conjugate(v) : v;
}

struct triangle {
    bool upper, unit;
    int op;
    template <class K> K at(const K *a, int lda, place i, place j) const {
        if (i == j && unit) return K(1);
        const bool above = (op == N) == upper; // is op(A) upper triangular?
        return (above ? i <= j : i >= j) ? get(a, lda, op, i, j) : K(0);
    }
    bool above() const { return (op == N) == upper; }
};

// op(A) x = b, in b's place.
template <class K> inline void trsv(triangle t, int n, const K *a, int lda, K *b, place step) {
    for (place k = 0; k < n; k++) {
        const place i = t.above() ? n - 1 - k : k;
        K sum = b[i * step];
        for (place j = t.above() ? i + 1 : 0; j < (t.above() ? n : i); j++)
            sum -= t.at(a, lda, i, j) * b[j * step];
        b[i * step] = t.unit ? sum : sum / t.at(a, lda, i, i);
    }
}

// LU with the pivots' rows counted from 1; NULL: without pivoting. Returns 0, or the number of the
// first pivot that is 0.
template <class K> inline int getrf(int n, K *a, int lda, int *pivots) {
    int problem = 0;
    for (place k = 0; k < n; k++) {
        place best = k;
        for (place i = k + 1; pivots && i < n; i++)
            if (size1(a[i + k * lda]) > size1(a[best + k * lda])) best = i;
        if (pivots) pivots[k] = static_cast<int>(best) + 1;
        if (a[best + k * lda] == K(0)) {
            if (!problem) problem = static_cast<int>(k) + 1;
            continue;
        }
        for (place j = 0; best != k && j < n; j++) std::swap(a[k + j * lda], a[best + j * lda]);
        for (place i = k + 1; i < n; i++) {
            const K factor = a[i + k * lda] /= a[k + k * lda];
            for (place j = k + 1; j < n; j++) a[i + j * lda] -= factor * a[k + j * lda];
        }
    }
    return problem;
}
template <class K>
inline void getrs(int op, int n, int columns, const K *a, int lda, const int *pivots, K *b,
                  int ldb) {
    const triangle lower{false, true, op}, upper{true, false, op};
    for (place j = 0; j < columns; j++) {
        K *const x = b + j * ldb;
        for (place i = 0; op == N && pivots && i < n; i++) std::swap(x[i], x[pivots[i] - 1]);
        trsv(op == N ? lower : upper, n, a, lda, x, 1);
        trsv(op == N ? upper : lower, n, a, lda, x, 1);
        for (place i = n - 1; op != N && pivots && i >= 0; i--) std::swap(x[i], x[pivots[i] - 1]);
    }
}
template <class K>
inline int getri(int n, const K *a, int lda, const int *pivots, K *inverse, int ldc) {
    for (place i = 0; i < n; i++)
        if (a[i + i * lda] == K(0)) return static_cast<int>(i) + 1;
    for (place j = 0; j < n; j++)
        for (place i = 0; i < n; i++) inverse[i + j * ldc] = K(i == j ? 1 : 0);
    getrs(N, n, n, a, lda, pivots, inverse, ldc);
    return 0;
}

} // namespace blas
} // namespace cm

#endif
