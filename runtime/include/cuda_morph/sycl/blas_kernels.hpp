// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions for mixed types in SYCL: a work-item for each element of a product. oneMKL
// has some of these types, under other names with each release; these are right for all of them,
// and slower. Included by blas.h.
#ifndef CUDA_MORPH_SYCL_BLAS_KERNELS_HPP
#define CUDA_MORPH_SYCL_BLAS_KERNELS_HPP

namespace cm {
namespace blas {

// The sum of term(i), which the caller may read when the call returns, in host mode: of up to
// `most` parts, which one work-item adds up.
template <class Term>
inline cmBlasStatus_t summed(cmBlasHandle_t h, place n, Term term, void *result, cmDataType type) {
    constexpr place most = 1024;
    const bool there = on_device(h);
    double *sums = nullptr;
    if (cmMallocManaged(&sums, (most + 1) * sizeof *sums)) return CM_BLAS_STATUS_ALLOC_FAILED;
    cmBlasStatus_t status = each(h, most, [=](place part) {
        double sum = 0;
        for (place i = part; i < n; i += most) sum += term(i);
        sums[part] = sum;
    });
    if (!status)
        status = each(h, 1, [=](place) {
            double sum = 0;
            for (place i = 0; i < most; i++) sum += sums[i];
            sums[most] = sum;
            if (there) store(result, type, 0, sum);
        });
    if (!status && cmStreamSynchronize(h->stream)) status = CM_BLAS_STATUS_EXECUTION_FAILED;
    if (!status && !there) store(result, type, 0, sums[most]);
    cmFree(sums);
    return status;
}

// Element (i, j) of op(A).
template <class K>
inline K element(const void *a, cmDataType t, int ld, int op, place i, place j) {
    return load<K>(a, t, op == CM_BLAS_OP_N ? i + j * ld : j + i * ld);
}
template <class K> inline K complex_element(const void *a, int ld, int op, place i, place j) {
    const K v = static_cast<const K *>(a)[op == CM_BLAS_OP_N ? i + j * ld : j + i * ld];
    return op == CM_BLAS_OP_C ? K(v.real(), -v.imag()) : v;
}

// locate(i, a, b, c): where the i-th product's matrices are. K: computed in; S: the scalars' type.
template <class K, class S, class Locate>
inline cmBlasStatus_t multiply(cmBlasHandle_t h, const mixed &s, const void *alpha,
                               const void *beta, int count, Locate locate) {
    const scalar<S> by(h, static_cast<const S *>(alpha)), and_by(h, static_cast<const S *>(beta));
    return each(h, place(s.m) * s.n * count, [=](place at) {
        const place i = at % s.m, j = at / s.m % s.n;
        const void *a, *b;
        void *c;
        locate(static_cast<int>(at / s.m / s.n), &a, &b, &c);
        K sum(0);
        for (place l = 0; l < s.k; l++)
            sum += element<K>(a, s.at, s.lda, s.ta, i, l) * element<K>(b, s.bt, s.ldb, s.tb, l, j);
        const K factor = static_cast<K>(and_by.get());
        const K old = factor == K(0) ? K(0) : factor * load<K>(c, s.ct, i + j * s.ldc);
        store(c, s.ct, i + j * s.ldc, static_cast<K>(by.get()) * sum + old);
    });
}
template <class K, class Locate>
inline cmBlasStatus_t multiply_complex(cmBlasHandle_t h, const mixed &s, const void *alpha,
                                       const void *beta, int count, Locate locate) {
    const scalar<K> by(h, static_cast<const K *>(alpha)), and_by(h, static_cast<const K *>(beta));
    return each(h, place(s.m) * s.n * count, [=](place at) {
        const place i = at % s.m, j = at / s.m % s.n;
        const void *a, *b;
        void *c;
        locate(static_cast<int>(at / s.m / s.n), &a, &b, &c);
        K sum(0);
        for (place l = 0; l < s.k; l++)
            sum += complex_element<K>(a, s.lda, s.ta, i, l) *
                   complex_element<K>(b, s.ldb, s.tb, l, j);
        K &to = static_cast<K *>(c)[i + j * s.ldc];
        const K factor = and_by.get();
        to = by.get() * sum + (factor == K(0) ? K(0) : factor * to);
    });
}

} // namespace blas
} // namespace cm

#define CM_BATCHED(L, P, T, multiplied)                                                           \
    inline cmBlasStatus_t cmBlas##L##gemmBatched(                                                 \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const P *alpha, const P *const *a, int lda, const P *const *b, int ldb, const P *beta,    \
        P *const *c, int ldc, int count) {                                                        \
        const cm::blas::mixed shape =                                                             \
            cm::blas::shape_of(ta, tb, m, n, k, T, lda, T, ldb, T, ldc);                          \
        if (shape.bad() || count < 0) return CM_BLAS_STATUS_INVALID_VALUE;                        \
        return multiplied(h, shape, alpha, beta, count,                                           \
                          [=](int i, const void **p, const void **q, void **r) {                  \
                              *p = a[i], *q = b[i], *r = c[i];                                    \
                          });                                                                     \
    }
CM_BATCHED(S, float, CM_R_32F, (cm::blas::multiply<float, float>))
CM_BATCHED(D, double, CM_R_64F, (cm::blas::multiply<double, double>))
CM_BATCHED(C, cuComplex, CM_C_32F, (cm::blas::multiply_complex<std::complex<float>>))
CM_BATCHED(Z, cuDoubleComplex, CM_C_64F, (cm::blas::multiply_complex<std::complex<double>>))
#undef CM_BATCHED

#endif
