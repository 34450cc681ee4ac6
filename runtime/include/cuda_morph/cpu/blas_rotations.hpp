// SPDX-License-Identifier: Apache-2.0
// cuBLAS's rotations of complex numbers, and modified ones (rotm, rotmg). Included by blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_ROTATIONS_HPP
#define CUDA_MORPH_CPU_BLAS_ROTATIONS_HPP

namespace cm {
namespace blas {

// What a function changes where the caller's scalars are: they are there when it returns, in host
// mode.
template <class Work> inline cmBlasStatus_t change(cmBlasHandle_t h, Work work) {
    const cmBlasStatus_t status = enqueue(h, work);
    if (status || on_device(h)) return status;
    return cmStreamSynchronize(h->stream) ? CM_BLAS_STATUS_EXECUTION_FAILED : status;
}

// As in BLAS: s = conj(a) b / (|a| r), and a becomes r, its phase kept.
template <class R>
inline void rotg(std::complex<R> &a, std::complex<R> b, R &c, std::complex<R> &s) {
    const R size = std::abs(a);
    if (size == R(0)) {
        c = 0, s = 1, a = b;
        return;
    }
    const R norm = std::hypot(size, std::abs(b));
    const std::complex<R> phase = a / size;
    c = size / norm, s = phase * std::conj(b) / norm, a = phase * norm;
}

// The four factors that a flag of rotm's stands for.
template <class R> struct modified {
    R h11, h21, h12, h22;
    explicit modified(const R *p) : h11(p[1]), h21(p[2]), h12(p[3]), h22(p[4]) {
        if (p[0] == R(-2)) h11 = h22 = 1, h21 = h12 = 0;
        if (p[0] == R(0)) h11 = h22 = 1;
        if (p[0] == R(1)) h12 = 1, h21 = -1;
    }
};

// The reference's rotmg: d1 and d2 are scaled until they are neither large nor small.
template <class R> inline void rotmg(R &d1, R &d2, R &x1, R y1, R *param) {
    const R gam = 4096, most = gam * gam, least = 1 / most;
    R flag, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
    const R p2 = d2 * y1, p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
    const auto nothing = [&] { flag = -1, h11 = h12 = h21 = h22 = 0, d1 = d2 = x1 = 0; };
    const auto full = [&] {
        if (flag == R(0)) h11 = 1, h22 = 1;
        if (flag > R(0)) h21 = -1, h12 = 1;
        flag = -1;
    };
    if (d1 < 0) {
        nothing();
    } else if (p2 == 0) {
        param[0] = -2;
        return;
    } else if (std::fabs(q1) > std::fabs(q2)) {
        h21 = -y1 / x1, h12 = p2 / p1;
        const R u = 1 - h12 * h21;
        flag = 0;
        if (u > 0)
            d1 /= u, d2 /= u, x1 *= u;
        else
            nothing();
    } else if (q2 < 0) {
        nothing();
    } else {
        flag = 1, h11 = p1 / p2, h22 = x1 / y1;
        const R u = 1 + h11 * h22, t = d2 / u;
        d2 = d1 / u, d1 = t, x1 = y1 * u;
    }
    while (d1 != 0 && (d1 <= least || d1 >= most)) {
        full();
        const R by = d1 <= least ? gam : 1 / gam;
        d1 *= by * by, x1 /= by, h11 /= by, h12 /= by;
    }
    while (d2 != 0 && (std::fabs(d2) <= least || std::fabs(d2) >= most)) {
        full();
        const R by = std::fabs(d2) <= least ? gam : 1 / gam;
        d2 *= by * by, h21 /= by, h22 /= by;
    }
    if (flag < 0) param[1] = h11, param[2] = h21, param[3] = h12, param[4] = h22;
    if (flag == 0) param[2] = h21, param[3] = h12;
    if (flag > 0) param[1] = h11, param[4] = h22;
    param[0] = flag;
}

} // namespace blas
} // namespace cm

#define CM_BLAS_MODIFIED(L, R)                                                                    \
    inline cmBlasStatus_t cmBlas##L##rotm(cmBlasHandle_t h, int n, R *x, int incx, R *y,          \
                                          int incy, const R *param) {                             \
        const bool late = cm::blas::on_device(h);                                                 \
        R now[5] = {};                                                                            \
        for (int i = 0; i < 5 && !late; i++) now[i] = param[i];                                   \
        return cm::blas::enqueue(h, [=] {                                                         \
            const cm::blas::modified<R> f(late ? param : now);                                    \
            R *p = cm::blas::begin(x, n, incx), *q = cm::blas::begin(y, n, incy);                 \
            for (ptrdiff_t i = 0; i < n; i++) {                                                   \
                const R u = p[i * incx], v = q[i * incy];                                         \
                p[i * incx] = u * f.h11 + v * f.h12;                                              \
                q[i * incy] = u * f.h21 + v * f.h22;                                              \
            }                                                                                     \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##rotmg(cmBlasHandle_t h, R *d1, R *d2, R *x1, const R *y1,    \
                                           R *param) {                                            \
        return cm::blas::change(h, [=] { cm::blas::rotmg(*d1, *d2, *x1, *y1, param); });          \
    }

// The sine is real or complex: S, SK.
#define CM_BLAS_ROTATE(NAME, P, K, R, S, SK)                                                      \
    inline cmBlasStatus_t cmBlas##NAME(cmBlasHandle_t h, int n, P *x, int incx, P *y, int incy,   \
                                       const R *cosine, const S *sine) {                          \
        const cm::blas::scalar<R> a(h, cosine);                                                   \
        const cm::blas::scalar<SK> b(h, sine);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            K *p = cm::blas::begin(cm::blas::see<K>(x), n, incx),                                 \
              *q = cm::blas::begin(cm::blas::see<K>(y), n, incy);                                 \
            const K s(b.get());                                                                   \
            for (ptrdiff_t i = 0; i < n; i++) {                                                   \
                const K u = p[i * incx], v = q[i * incy];                                         \
                p[i * incx] = a.get() * u + s * v;                                                \
                q[i * incy] = a.get() * v - std::conj(s) * u;                                     \
            }                                                                                     \
        });                                                                                       \
    }
#define CM_BLAS_ROTATE_MAKE(L, P, R)                                                              \
    inline cmBlasStatus_t cmBlas##L##rotg(cmBlasHandle_t h, P *a, P *b, R *c, P *s) {             \
        return cm::blas::change(h, [=] {                                                          \
            using K = std::complex<R>;                                                            \
            cm::blas::rotg<R>(*cm::blas::see<K>(a), *cm::blas::see<K>(b), *c,                     \
                              *cm::blas::see<K>(s));                                              \
        });                                                                                       \
    }

CM_BLAS_MODIFIED(S, float)
CM_BLAS_MODIFIED(D, double)
CM_BLAS_ROTATE(Crot, cuComplex, std::complex<float>, float, cuComplex, std::complex<float>)
CM_BLAS_ROTATE(Csrot, cuComplex, std::complex<float>, float, float, float)
CM_BLAS_ROTATE(Zrot, cuDoubleComplex, std::complex<double>, double, cuDoubleComplex,
               std::complex<double>)
CM_BLAS_ROTATE(Zdrot, cuDoubleComplex, std::complex<double>, double, double, double)
CM_BLAS_ROTATE_MAKE(C, cuComplex, float)
CM_BLAS_ROTATE_MAKE(Z, cuDoubleComplex, double)
#undef CM_BLAS_MODIFIED
#undef CM_BLAS_ROTATE
#undef CM_BLAS_ROTATE_MAKE

#endif
