/* SPDX-License-Identifier: Apache-2.0 */
// cuRAND's generators for kernels: XORWOW and Philox4x32-10, with the sequences that its
// documentation defines (Marsaglia 2003; Salmon et al. 2011), and the distributions over them.
#ifndef CUDA_MORPH_CURAND_KERNEL_H
#define CUDA_MORPH_CURAND_KERNEL_H

extern "C++" { // it may be included within extern "C"

#ifdef CUDA_MORPH_SYCL_HPP
#include <cuda_morph/sycl.hpp> // there the kernel language is SYCL
#else
#include <cuda_morph/cuda.h>
#endif
#include <memory>

struct curandStateXORWOW {
    unsigned d, v[5];
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
};
struct curandStatePhilox4_32_10 {
    uint4 counter, output;
    uint2 key;
    unsigned used;
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

namespace cm {
namespace detail {

// ---- XORWOW: the five words are stepped by a linear map, so a jump is a power of its matrix ----

struct xorwow_vector {
    unsigned w[5];
};
struct xorwow_matrix {
    xorwow_vector column[160];
};

inline xorwow_vector apply(const xorwow_matrix &m, const xorwow_vector &v) {
    xorwow_vector r{};
    for (int i = 0; i < 160; i++)
        if (v.w[i / 32] >> i % 32 & 1)
            for (int k = 0; k < 5; k++) r.w[k] ^= m.column[i].w[k];
    return r;
}

inline void xorwow_step(unsigned (&v)[5]) {
    const unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

// The matrices of 2^0, 2^1 ... steps; a sequence is 2^67 steps long.
inline const xorwow_matrix *xorwow_powers() {
    enum { COUNT = 67 + 64 };
    static const std::unique_ptr<xorwow_matrix[]> powers = [] {
        std::unique_ptr<xorwow_matrix[]> p(new xorwow_matrix[COUNT]);
        for (int i = 0; i < 160; i++) {
            xorwow_vector v{};
            v.w[i / 32] = 1u << i % 32;
            xorwow_step(v.w);
            p[0].column[i] = v;
        }
        for (int n = 1; n < COUNT; n++)
            for (int i = 0; i < 160; i++) p[n].column[i] = apply(p[n - 1], p[n - 1].column[i]);
        return p;
    }();
    return powers.get();
}

#ifdef __SYCL_DEVICE_ONLY__ // where no table can be made: the matrices are squared one by one
inline void xorwow_jump(curandStateXORWOW *s, unsigned long long n, int power) {
    xorwow_vector v;
    xorwow_matrix m, square;
    for (int i = 0; i < 160; i++) {
        xorwow_vector unit{};
        unit.w[i / 32] = 1u << i % 32;
        xorwow_step(unit.w);
        m.column[i] = unit;
    }
    for (int i = 0; i < 5; i++) v.w[i] = s->v[i];
    for (; n; power--) {
        if (power <= 0 && (n & 1)) v = apply(m, v);
        if (power <= 0) n >>= 1;
        for (int i = 0; i < 160; i++) square.column[i] = apply(m, m.column[i]);
        m = square;
    }
    for (int i = 0; i < 5; i++) s->v[i] = v.w[i];
}
#else
inline void xorwow_jump(curandStateXORWOW *s, unsigned long long n, int power) {
    xorwow_vector v;
    memcpy(v.w, s->v, sizeof v.w);
    for (; n; n >>= 1, power++)
        if (n & 1) v = apply(xorwow_powers()[power], v);
    memcpy(s->v, v.w, sizeof v.w);
}
#endif

// ---- Philox ----

inline uint4 philox(uint4 c, uint2 k) {
    for (int round = 0; round < 10; round++) {
        const unsigned h0 = __umulhi(0xd2511f53u, c.x), l0 = 0xd2511f53u * c.x,
                       h1 = __umulhi(0xcd9e8d57u, c.z), l1 = 0xcd9e8d57u * c.z;
        c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}

inline void philox_add(uint4 &c, unsigned long long n) {
    const unsigned long long low = (static_cast<unsigned long long>(c.y) << 32 | c.x) + n;
    const bool carry = low < n;
    c.x = static_cast<unsigned>(low), c.y = static_cast<unsigned>(low >> 32);
    if (carry && !++c.z) ++c.w;
}

inline float2 box_muller(unsigned x, unsigned y) {
    constexpr float unit = 2.3283064e-10f, turn = unit * 6.2831855f;
    const float u = static_cast<float>(x) * unit + unit / 2,
                v = static_cast<float>(y) * turn + turn / 2, s = sqrtf(-2.0f * logf(u));
    return make_float2(sinf(v) * s, cosf(v) * s);
}
inline double2 box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
    constexpr double unit = 1.1102230246251565e-16;
    const unsigned long long zx = x0 ^ static_cast<unsigned long long>(x1) << 21,
                             zy = y0 ^ static_cast<unsigned long long>(y1) << 21;
    const double u = static_cast<double>(zx) * unit + unit / 2,
                 v = static_cast<double>(zy) * (unit * 2) + unit, s = ::sqrt(-2.0 * ::log(u));
    return make_double2(sinpi(v) * s, cospi(v) * s);
}
inline float unit_float(unsigned x) {
    return static_cast<float>(x) * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
inline double unit_double(unsigned x, unsigned y) {
    const unsigned long long z = x ^ static_cast<unsigned long long>(y) << 21;
    return static_cast<double>(z) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}

} // namespace detail
} // namespace cm

inline void skipahead(unsigned long long n, curandStateXORWOW *s) {
    cm::detail::xorwow_jump(s, n, 0);
    s->d += 362437u * static_cast<unsigned>(n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) {
    cm::detail::xorwow_jump(s, n, 67);
}
inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStateXORWOW *s) {
    const unsigned s0 = static_cast<unsigned>(seed) ^ 0xaad26b49u,
                   s1 = static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu, t0 = 1099087573u * s0,
                   t1 = 2591861531u * s1;
    *s = curandStateXORWOW{};
    s->d = 6615241u + t1 + t0;
    s->v[0] = 123456789u + t0;
    s->v[1] = 362436069u ^ t0;
    s->v[2] = 521288629u + t1;
    s->v[3] = 88675123u ^ t1;
    s->v[4] = 5783321u + t0;
    skipahead_sequence(sequence, s);
    skipahead(offset, s);
}
inline unsigned curand(curandStateXORWOW *s) {
    cm::detail::xorwow_step(s->v);
    s->d += 362437u;
    return s->v[4] + s->d;
}

inline void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
    s->used += static_cast<unsigned>(n & 3);
    n /= 4;
    if (s->used > 3) n++, s->used -= 4;
    cm::detail::philox_add(s->counter, n);
    s->output = cm::detail::philox(s->counter, s->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s) {
    const unsigned long long high =
        (static_cast<unsigned long long>(s->counter.w) << 32 | s->counter.z) + n;
    s->counter.z = static_cast<unsigned>(high), s->counter.w = static_cast<unsigned>(high >> 32);
    s->output = cm::detail::philox(s->counter, s->key);
}
inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStatePhilox4_32_10 *s) {
    *s = curandStatePhilox4_32_10{};
    s->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
    skipahead_sequence(sequence, s);
    skipahead(offset, s);
}
inline unsigned curand(curandStatePhilox4_32_10 *s) {
    const unsigned word[4] = {s->output.x, s->output.y, s->output.z, s->output.w},
                   result = word[s->used++];
    if (s->used == 4) {
        s->used = 0;
        cm::detail::philox_add(s->counter, 1);
        s->output = cm::detail::philox(s->counter, s->key);
    }
    return result;
}
inline uint4 curand4(curandStatePhilox4_32_10 *s) {
    const uint4 a = s->output;
    cm::detail::philox_add(s->counter, 1);
    const uint4 b = s->output = cm::detail::philox(s->counter, s->key);
    switch (s->used) {
    case 0:
        return a;
    case 1:
        return make_uint4(a.y, a.z, a.w, b.x);
    case 2:
        return make_uint4(a.z, a.w, b.x, b.y);
    default:
        return make_uint4(a.w, b.x, b.y, b.z);
    }
}

#include <cuda_morph/cpu/random.hpp>

template <class S> inline float curand_uniform(S *s) { return cm::detail::unit_float(curand(s)); }
template <class S> inline double curand_uniform_double(S *s) {
    constexpr double unit = 2.3283064365386963e-10;
    return curand(s) * unit + unit;
}
inline double curand_uniform_double(curandStateXORWOW *s) {
    const unsigned x = curand(s), y = curand(s);
    return cm::detail::unit_double(x, y);
}
inline float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
    using cm::detail::unit_float;
    const uint4 x = curand4(s);
    return make_float4(unit_float(x.x), unit_float(x.y), unit_float(x.z), unit_float(x.w));
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
    const uint4 x = curand4(s);
    return make_double2(cm::detail::unit_double(x.x, x.y), cm::detail::unit_double(x.z, x.w));
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10 *s) {
    const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}

template <class S> inline float2 curand_normal2(S *s) {
    const unsigned x = curand(s), y = curand(s);
    return cm::detail::box_muller(x, y);
}
// Numbers come in pairs: the second one is kept for the next call.
template <class S> inline float curand_normal(S *s) {
    if (s->has_normal) {
        s->has_normal = 0;
        return s->normal;
    }
    const float2 v = curand_normal2(s);
    s->normal = v.y;
    s->has_normal = 1;
    return v.x;
}
inline float4 curand_normal4(curandStatePhilox4_32_10 *s) {
    const uint4 x = curand4(s);
    const float2 a = cm::detail::box_muller(x.x, x.y), b = cm::detail::box_muller(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
template <class S> inline double2 curand_normal2_double(S *s) {
    const unsigned x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
    return cm::detail::box_muller_double(x0, x1, y0, y1);
}
inline double2 curand_normal2_double(curandStatePhilox4_32_10 *s) {
    const uint4 x = curand4(s);
    return cm::detail::box_muller_double(x.x, x.y, x.z, x.w);
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10 *s) {
    const double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}
template <class S> inline double curand_normal_double(S *s) {
    if (s->has_normal_double) {
        s->has_normal_double = 0;
        return s->normal_double;
    }
    const double2 v = curand_normal2_double(s);
    s->normal_double = v.y;
    s->has_normal_double = 1;
    return v.x;
}
template <class S> inline float curand_log_normal(S *s, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(s));
}
template <class S> inline double curand_log_normal_double(S *s, double mean, double deviation) {
    return ::exp(mean + deviation * curand_normal_double(s));
}
template <class S> inline float2 curand_log_normal2(S *s, float mean, float deviation) {
    const float2 v = curand_normal2(s);
    return make_float2(expf(mean + deviation * v.x), expf(mean + deviation * v.y));
}
template <class S> inline double2 curand_log_normal2_double(S *s, double mean, double deviation) {
    const double2 v = curand_normal2_double(s);
    return make_double2(::exp(mean + deviation * v.x), ::exp(mean + deviation * v.y));
}
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10 *s, double mean,
                                         double deviation) {
    const double4 v = curand_normal4_double(s);
    return make_double4(::exp(mean + deviation * v.x), ::exp(mean + deviation * v.y),
                        ::exp(mean + deviation * v.z), ::exp(mean + deviation * v.w));
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10 *s, float mean, float deviation) {
    const float4 v = curand_normal4(s);
    return make_float4(expf(mean + deviation * v.x), expf(mean + deviation * v.y),
                       expf(mean + deviation * v.z), expf(mean + deviation * v.w));
}
inline uint4 curand_poisson4(curandStatePhilox4_32_10 *s, double lambda) {
    const unsigned a = curand_poisson(s, lambda), b = curand_poisson(s, lambda),
                   c = curand_poisson(s, lambda), d = curand_poisson(s, lambda);
    return make_uint4(a, b, c, d);
}

} // extern "C++"

#endif
