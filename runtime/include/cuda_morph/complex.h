/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers: what cuComplex.h offers, for C and C++. */
#ifndef CUDA_MORPH_COMPLEX_H
#define CUDA_MORPH_COMPLEX_H

#ifdef __cplusplus
extern "C++" { /* it may be included within extern "C" */
#endif

#include <cuda_morph/vector_types.h>
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* T: the type; R: of its parts; f: what the names of both kinds end with; m: the math function. */
#define CM_COMPLEX(T, R, f, make, m)                                                              \
    static inline T make(R x, R y) {                                                              \
        T z;                                                                                      \
        z.x = x, z.y = y;                                                                         \
        return z;                                                                                 \
    }                                                                                             \
    static inline R cuCreal##f(T z) { return z.x; }                                               \
    static inline R cuCimag##f(T z) { return z.y; }                                               \
    static inline T cuConj##f(T z) { return make(z.x, -z.y); }                                    \
    static inline T cuCadd##f(T a, T b) { return make(a.x + b.x, a.y + b.y); }                    \
    static inline T cuCsub##f(T a, T b) { return make(a.x - b.x, a.y - b.y); }                    \
    static inline T cuCmul##f(T a, T b) {                                                         \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                \
    }                                                                                             \
    static inline T cuCfma##f(T a, T b, T c) { return cuCadd##f(cuCmul##f(a, b), c); }            \
    static inline R cuCabs##f(T z) { return m(z.x, z.y); }                                        \
    /* Scaled, so that large numbers do not overflow on the way. */                               \
    static inline T cuCdiv##f(T a, T b) {                                                         \
        const R ax = b.x < 0 ? -b.x : b.x, ay = b.y < 0 ? -b.y : b.y, s = 1 / (ax + ay);          \
        const R px = a.x * s, py = a.y * s, qx = b.x * s, qy = b.y * s;                           \
        const R d = 1 / (qx * qx + qy * qy);                                                      \
        return make((px * qx + py * qy) * d, (py * qx - px * qy) * d);                            \
    }

CM_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, hypotf)
CM_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, hypot)

static inline cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
    return make_cuDoubleComplex(z.x, z.y);
}

#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif
