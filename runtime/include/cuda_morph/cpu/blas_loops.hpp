// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions for mixed types on the host: narrow numbers are widened to the type that is
// computed in, multiplied there, and narrowed once at the end. Included by blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_LOOPS_HPP
#define CUDA_MORPH_CPU_BLAS_LOOPS_HPP

namespace cm {
namespace blas {

// The sum of term(i), which the caller may read when the call returns, in host mode.
template <class Term>
inline cmBlasStatus_t summed(cmBlasHandle_t h, place n, Term term, void *result, cmDataType type) {
    const cmBlasStatus_t status = enqueue(h, [=] {
        double sum = 0;
        for (place i = 0; i < n; i++) sum += term(i);
        store(result, type, 0, sum);
    });
    if (status || on_device(h)) return status;
    return cmStreamSynchronize(h->stream) ? CM_BLAS_STATUS_EXECUTION_FAILED : status;
}

// A matrix of some type, widened to K without gaps between its columns.
template <class K>
inline std::vector<K> widened(const void *p, cmDataType type, int rows, int columns, int ld) {
    std::vector<K> v(static_cast<size_t>(rows) * static_cast<size_t>(columns));
    for (place j = 0; j < columns; j++)
        for (place i = 0; i < rows; i++)
            v[static_cast<size_t>(i + j * rows)] = load<K>(p, type, i + j * ld);
    return v;
}

template <class K>
inline void product(const mixed &s, K alpha, const void *a, const void *b, K beta, void *c) {
    const int m = s.m, n = s.n, k = s.k;
    const int ar = s.ta ? k : m, ac = s.ta ? m : k, br = s.tb ? n : k, bc = s.tb ? k : n;
    const std::vector<K> wa = widened<K>(a, s.at, ar, ac, s.lda),
                         wb = widened<K>(b, s.bt, br, bc, s.ldb);
    std::vector<K> wc = beta == K(0) ? std::vector<K>(static_cast<size_t>(m) * size_t(n))
                                     : widened<K>(c, s.ct, m, n, s.ldc);
    gemm<K>(s.ta, s.tb, m, n, k, alpha, wa.data(), ar > 0 ? ar : 1, wb.data(), br > 0 ? br : 1,
            beta, wc.data(), m > 0 ? m : 1);
    for (place j = 0; j < n; j++)
        for (place i = 0; i < m; i++)
            store(c, s.ct, i + j * s.ldc, wc[static_cast<size_t>(i + j * m)]);
}

// locate(i, a, b, c): where the i-th product's matrices are. K: computed in; S: the scalars' type.
template <class K, class S, class Locate>
inline cmBlasStatus_t multiply(cmBlasHandle_t h, const mixed &shape, const void *alpha,
                               const void *beta, int count, Locate locate) {
    const scalar<S> s(h, static_cast<const S *>(alpha)), t(h, static_cast<const S *>(beta));
    return enqueue(h, [=] {
        for (int i = 0; i < count; i++) {
            const void *a, *b;
            void *c;
            locate(i, &a, &b, &c);
            product<K>(shape, static_cast<K>(s.get()), a, b, static_cast<K>(t.get()), c);
        }
    });
}
template <class K, class Locate>
inline cmBlasStatus_t multiply_complex(cmBlasHandle_t h, const mixed &shape, const void *alpha,
                                       const void *beta, int count, Locate locate) {
    const scalar<K> s(h, static_cast<const K *>(alpha)), t(h, static_cast<const K *>(beta));
    return enqueue(h, [=] {
        for (int i = 0; i < count; i++) {
            const void *a, *b;
            void *c;
            locate(i, &a, &b, &c);
            gemm<K>(shape.ta, shape.tb, shape.m, shape.n, shape.k, s.get(), see<K>(a), shape.lda,
                    see<K>(b), shape.ldb, t.get(), see<K>(c), shape.ldc);
        }
    });
}

} // namespace blas
} // namespace cm

#endif
