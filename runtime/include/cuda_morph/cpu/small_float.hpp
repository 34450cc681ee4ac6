// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers of 16 bits: storage as such, arithmetic in float, rounded once.
#ifndef CUDA_MORPH_CPU_SMALL_FLOAT_HPP
#define CUDA_MORPH_CPU_SMALL_FLOAT_HPP

#include <cmath>
#if defined(CUDA_MORPH_SYCL_STAND_IN) || defined(SYCL_LANGUAGE_VERSION) || defined(__ACPP__)
#include <cuda_morph/sycl.hpp> // there the kernel language is SYCL
#else
#include <cuda_morph/cuda.h>
#endif

namespace cm {

enum class rounding { nearest, zero, up, down };

namespace detail {

// From double to a format with these numbers of bits, by the IEEE 754 rules.
template <int Exponent, int Mantissa>
inline unsigned short narrow(double x, rounding mode = rounding::nearest) {
    const unsigned sign = std::signbit(x) ? 0x8000u : 0;
    const int bias = (1 << (Exponent - 1)) - 1;
    const unsigned infinity = ((1u << Exponent) - 1) << Mantissa;
    if (x != x) return static_cast<unsigned short>(0x7fff);
    double a = std::fabs(x);
    if (a == 0 || std::isinf(a))
        return static_cast<unsigned short>(sign | (a == 0 ? 0 : infinity));
    int e;
    std::frexp(a, &e); // a = f * 2^e, 0.5 <= f < 1
    e = e - 1 < 1 - bias ? 1 - bias : e - 1;
    const double scaled = std::ldexp(a, Mantissa - e); // in units of the last place
    double whole = std::floor(scaled);
    const double rest = scaled - whole;
    const bool away = (mode == rounding::up && !sign) || (mode == rounding::down && sign);
    if (mode == rounding::nearest ? rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) == 1.0)
                                  : away && rest > 0)
        whole += 1;
    // The leading one, where there is one, adds itself to the exponent.
    const double bits = whole + std::ldexp(double(e - (1 - bias)), Mantissa);
    if (bits >= infinity) {
        const bool largest =
            mode == rounding::zero || ((mode == rounding::up || mode == rounding::down) && !away);
        return static_cast<unsigned short>(sign | (largest ? infinity - 1 : infinity));
    }
    return static_cast<unsigned short>(sign | static_cast<unsigned>(bits));
}

struct half_format {
    static unsigned short from(double x, rounding mode = rounding::nearest) {
        return narrow<5, 10>(x, mode);
    }
    static unsigned short from_float(float x) {
        const unsigned b = as<unsigned>(x), sign = b >> 16 & 0x8000u, a = b & 0x7fffffffu;
        if (a > 0x7f800000u) return 0x7fff;
        if (a >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);
        if (a < 0x38800000u) return narrow<5, 10>(x);
        const unsigned r = a - 0x38000000u + 0xfffu + (a >> 13 & 1);
        return static_cast<unsigned short>(sign | r >> 13);
    }
    static float to(unsigned short h) {
        const unsigned sign = (h & 0x8000u) << 16, e = h >> 10 & 31, m = h & 1023;
        if (e == 31) return as<float>(sign | 0x7f800000u | m << 13);
        if (e) return as<float>(sign | (e + 112) << 23 | m << 13);
        const float f = static_cast<float>(m) * 5.9604644775390625e-8f; // 2^-24
        return sign ? -f : f;
    }
};

struct bfloat_format {
    static unsigned short from(double x, rounding mode = rounding::nearest) {
        return narrow<8, 7>(x, mode);
    }
    static unsigned short from_float(float x) {
        const unsigned b = as<unsigned>(x);
        if ((b & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
        return static_cast<unsigned short>((b + 0x7fffu + (b >> 16 & 1)) >> 16);
    }
    static float to(unsigned short h) { return as<float>(static_cast<unsigned>(h) << 16); }
};

template <class Format> struct storage { unsigned short x; };
template <class Format> struct storage2 { unsigned short x, y; };

template <class Format> struct CM_ALIGNED(2) small {
    unsigned short bits;

    small() = default;
    small(storage<Format> r) : bits(r.x) {}
    operator storage<Format>() const { return {bits}; }
    small(float x) : bits(Format::from_float(x)) {}
    small(double x) : bits(Format::from(x)) {}
    template <class I, class = std::enable_if_t<std::is_integral<I>::value>>
    small(I x) : bits(Format::from(static_cast<double>(x))) {}
    static small raw(unsigned b) {
        small s;
        s.bits = static_cast<unsigned short>(b);
        return s;
    }
    static small rounded(double x, rounding mode) { return raw(Format::from(x, mode)); }
    operator float() const { return Format::to(bits); }

    small operator-() const { return raw(bits ^ 0x8000u); }
    small operator+() const { return *this; }
    friend small operator+(small a, small b) { return small(float(a) + float(b)); }
    friend small operator-(small a, small b) { return small(float(a) - float(b)); }
    friend small operator*(small a, small b) { return small(float(a) * float(b)); }
    friend small operator/(small a, small b) { return small(float(a) / float(b)); }
    friend bool operator==(small a, small b) { return float(a) == float(b); }
    friend bool operator!=(small a, small b) { return float(a) != float(b); }
    friend bool operator<(small a, small b) { return float(a) < float(b); }
    friend bool operator>(small a, small b) { return float(a) > float(b); }
    friend bool operator<=(small a, small b) { return float(a) <= float(b); }
    friend bool operator>=(small a, small b) { return float(a) >= float(b); }
    small &operator+=(small b) { return *this = *this + b; }
    small &operator-=(small b) { return *this = *this - b; }
    small &operator*=(small b) { return *this = *this * b; }
    small &operator/=(small b) { return *this = *this / b; }
    small &operator++() { return *this = *this + small(1.0f); }
    small &operator--() { return *this = *this - small(1.0f); }
};

template <class Format> struct CM_ALIGNED(4) small2 {
    small<Format> x, y;

    small2() = default;
    small2(small<Format> a, small<Format> b) : x(a), y(b) {}
    small2(storage2<Format> r) : x(storage<Format>{r.x}), y(storage<Format>{r.y}) {}
    operator storage2<Format>() const { return {x.bits, y.bits}; }
    friend small2 operator+(small2 a, small2 b) { return {a.x + b.x, a.y + b.y}; }
    friend small2 operator-(small2 a, small2 b) { return {a.x - b.x, a.y - b.y}; }
    friend small2 operator*(small2 a, small2 b) { return {a.x * b.x, a.y * b.y}; }
    friend small2 operator/(small2 a, small2 b) { return {a.x / b.x, a.y / b.y}; }
    small2 operator-() const { return {-x, -y}; }
    small2 &operator+=(small2 b) { return *this = *this + b; }
    small2 &operator-=(small2 b) { return *this = *this - b; }
    small2 &operator*=(small2 b) { return *this = *this * b; }
    friend bool operator==(small2 a, small2 b) { return a.x == b.x && a.y == b.y; }
};

} // namespace detail
} // namespace cm

// ---- arithmetic, for one and for two numbers, of both formats ----

#define CM_S ::cm::detail::small<F>
#define CM_S2 ::cm::detail::small2<F>

#define CM_BINARY(name, expression)                                                               \
    template <class F> inline CM_S name(CM_S a, CM_S b) { return expression; }                    \
    template <class F> inline CM_S name(::cm::detail::storage<F> a, CM_S b) {                     \
        return name(CM_S(a), b);                                                                  \
    }                                                                                             \
    template <class F> inline CM_S2 name##2(CM_S2 a, CM_S2 b) {                                   \
        return {name(a.x, b.x), name(a.y, b.y)};                                                  \
    }
CM_BINARY(__hadd, a + b)
CM_BINARY(__hsub, a - b)
CM_BINARY(__hmul, a *b)
CM_BINARY(__hadd_rn, a + b)
CM_BINARY(__hsub_rn, a - b)
CM_BINARY(__hmul_rn, a *b)
CM_BINARY(__hadd_sat, CM_S(saturatef(float(a) + float(b))))
CM_BINARY(__hsub_sat, CM_S(saturatef(float(a) - float(b))))
CM_BINARY(__hmul_sat, CM_S(saturatef(float(a) * float(b))))
CM_BINARY(__hmax, a != a ? b : b != b ? a : float(a) < float(b) ? b : a)
CM_BINARY(__hmin, a != a ? b : b != b ? a : float(b) < float(a) ? b : a)
CM_BINARY(__hmax_nan, a != a || b != b ? CM_S::raw(0x7fff) : float(a) < float(b) ? b : a)
CM_BINARY(__hmin_nan, a != a || b != b ? CM_S::raw(0x7fff) : float(b) < float(a) ? b : a)
#undef CM_BINARY
#define CM_BINARY2(name, one)                                                                     \
    template <class F> inline CM_S2 name(CM_S2 a, CM_S2 b) {                                      \
        return {one(a.x, b.x), one(a.y, b.y)};                                                    \
    }
CM_BINARY2(__hadd2_rn, __hadd)
CM_BINARY2(__hsub2_rn, __hsub)
CM_BINARY2(__hmul2_rn, __hmul)
CM_BINARY2(__hadd2_sat, __hadd_sat)
CM_BINARY2(__hsub2_sat, __hsub_sat)
CM_BINARY2(__hmul2_sat, __hmul_sat)
CM_BINARY2(__hmax2_nan, __hmax_nan)
CM_BINARY2(__hmin2_nan, __hmin_nan)
#undef CM_BINARY2
template <class F> inline CM_S __hdiv(CM_S a, CM_S b) { return a / b; }
template <class F> inline CM_S2 __h2div(CM_S2 a, CM_S2 b) { return a / b; }
// The product is exact in double, and the sum nearly always: one rounding.
template <class F> inline CM_S __hfma(CM_S a, CM_S b, CM_S c) {
    return CM_S(double(float(a)) * double(float(b)) + double(float(c)));
}
template <class F> inline CM_S2 __hfma2(CM_S2 a, CM_S2 b, CM_S2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
template <class F> inline CM_S __hfma_relu(CM_S a, CM_S b, CM_S c) {
    const CM_S r = __hfma(a, b, c);
    return r != r ? CM_S::raw(0x7fff) : float(r) > 0 ? r : CM_S(0.0f);
}
template <class F> inline CM_S2 __hfma2_relu(CM_S2 a, CM_S2 b, CM_S2 c) {
    return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}
template <class F> inline CM_S __hfma_sat(CM_S a, CM_S b, CM_S c) {
    return CM_S(saturatef(float(__hfma(a, b, c))));
}
template <class F> inline CM_S2 __hfma2_sat(CM_S2 a, CM_S2 b, CM_S2 c) {
    return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}
// Of complex numbers: a * b + c.
template <class F> inline CM_S2 __hcmadd(CM_S2 a, CM_S2 b, CM_S2 c) {
    return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

// Without a NaN the u forms are the same; with one they are true, and the others false.
#define CM_COMPARE(of, expression)                                                                \
    template <class F> inline bool __h##of(CM_S l, CM_S r) {                                      \
        const float a = l, b = r;                                                                 \
        return expression;                                                                        \
    }                                                                                             \
    template <class F> inline CM_S2 __h##of##2(CM_S2 a, CM_S2 b) {                                \
        return {CM_S(__h##of(a.x, b.x) ? 1.0f : 0.0f), CM_S(__h##of(a.y, b.y) ? 1.0f : 0.0f)};    \
    }                                                                                             \
    template <class F> inline unsigned __h##of##2_mask(CM_S2 a, CM_S2 b) {                        \
        return (__h##of(a.x, b.x) ? 0xffffu : 0) | (__h##of(a.y, b.y) ? 0xffff0000u : 0);         \
    }                                                                                             \
    template <class F> inline bool __hb##of##2(CM_S2 a, CM_S2 b) {                                \
        return __h##of(a.x, b.x) && __h##of(a.y, b.y);                                            \
    }
CM_COMPARE(eq, a == b)
CM_COMPARE(ne, a<b || a> b)
CM_COMPARE(lt, a < b)
CM_COMPARE(le, a <= b)
CM_COMPARE(gt, a > b)
CM_COMPARE(ge, a >= b)
CM_COMPARE(equ, !(a < b || a > b))
CM_COMPARE(neu, a != b)
CM_COMPARE(ltu, !(a >= b))
CM_COMPARE(leu, !(a > b))
CM_COMPARE(gtu, !(a <= b))
CM_COMPARE(geu, !(a < b))
#undef CM_COMPARE
template <class F> inline CM_S2 __hisnan2(CM_S2 a) {
    return {CM_S(a.x != a.x ? 1.0f : 0.0f), CM_S(a.y != a.y ? 1.0f : 0.0f)};
}

#define CM_UNARY(name, name2, expression)                                                         \
    template <class F> inline CM_S name(CM_S h) {                                                 \
        const float a = h;                                                                        \
        return CM_S(expression);                                                                  \
    }                                                                                             \
    template <class F> inline CM_S2 name2(CM_S2 h) { return {name(h.x), name(h.y)}; }
CM_UNARY(__hneg, __hneg2, -a)
CM_UNARY(__habs, __habs2, fabsf(a))
CM_UNARY(hsqrt, h2sqrt, sqrtf(a))
CM_UNARY(hrsqrt, h2rsqrt, 1.0f / sqrtf(a))
CM_UNARY(hrcp, h2rcp, 1.0f / a)
CM_UNARY(hexp, h2exp, expf(a))
CM_UNARY(hexp2, h2exp2, exp2f(a))
CM_UNARY(hexp10, h2exp10, exp10f(a))
CM_UNARY(hlog, h2log, logf(a))
CM_UNARY(hlog2, h2log2, log2f(a))
CM_UNARY(hlog10, h2log10, log10f(a))
CM_UNARY(hsin, h2sin, sinf(a))
CM_UNARY(hcos, h2cos, cosf(a))
CM_UNARY(htanh, h2tanh, tanhf(a))
CM_UNARY(hfloor, h2floor, floorf(a))
CM_UNARY(hceil, h2ceil, ceilf(a))
CM_UNARY(htrunc, h2trunc, truncf(a))
CM_UNARY(hrint, h2rint, rintf(a))
#undef CM_UNARY
template <class F> inline bool __hisnan(CM_S a) { return float(a) != float(a); }
template <class F> inline int __hisinf(CM_S a) {
    return std::isinf(float(a)) ? (float(a) < 0 ? -1 : 1) : 0;
}

// ---- atomics ----

#ifdef CUDA_MORPH_SYCL_HPP
#define CM_SUMS(suffix, scope)                                                                    \
    template <class F> inline CM_S atomicAdd##suffix(CM_S *p, CM_S v) {                           \
        return ::cm::detail::update_in_word<scope>(p, [v](CM_S old) { return old + v; });         \
    }                                                                                             \
    template <class F> inline CM_S2 atomicAdd##suffix(CM_S2 *p, CM_S2 v) {                        \
        return ::cm::detail::update_in_word<scope>(p, [v](CM_S2 old) { return old + v; });        \
    }
CM_SUMS(, ::sycl::memory_scope::device)
CM_SUMS(_block, ::sycl::memory_scope::work_group)
CM_SUMS(_system, ::sycl::memory_scope::system)
#undef CM_SUMS
#else
template <class F> inline CM_S atomicAdd(CM_S *p, CM_S v) {
    return ::cm::detail::exchange_by(p, [v](CM_S old) { return old + v; });
}
template <class F> inline CM_S2 atomicAdd(CM_S2 *p, CM_S2 v) {
    return ::cm::detail::exchange_by(p, [v](CM_S2 old) { return old + v; });
}
#endif

#undef CM_S
#undef CM_S2

// ---- the functions that carry the format's name in theirs: T, T2, and the word for it ----

#define CM_SMALL_FLOAT(T, T2, word, word2)                                                        \
    inline T __float2##word(float x) { return T(x); }                                             \
    inline T __float2##word##_rn(float x) { return T(x); }                                        \
    inline T __float2##word##_rz(float x) { return T::rounded(x, cm::rounding::zero); }           \
    inline T __float2##word##_ru(float x) { return T::rounded(x, cm::rounding::up); }             \
    inline T __float2##word##_rd(float x) { return T::rounded(x, cm::rounding::down); }           \
    inline T __double2##word(double x) { return T(x); }                                           \
    inline float __##word##2float(T x) { return x; }                                              \
    CM_SMALL_INTEGER(T, word, int, int)                                                           \
    CM_SMALL_INTEGER(T, word, uint, unsigned)                                                     \
    CM_SMALL_INTEGER(T, word, short, short)                                                       \
    CM_SMALL_INTEGER(T, word, ushort, unsigned short)                                             \
    CM_SMALL_INTEGER(T, word, ll, long long)                                                      \
    CM_SMALL_INTEGER(T, word, ull, unsigned long long)                                            \
    inline signed char __##word##2char_rz(T x) {                                                  \
        return cm::detail::saturated<signed char>(std::trunc(float(x)));                          \
    }                                                                                             \
    inline unsigned char __##word##2uchar_rz(T x) {                                               \
        return cm::detail::saturated<unsigned char>(std::trunc(float(x)));                        \
    }                                                                                             \
    inline unsigned short __##word##_as_ushort(T x) { return x.bits; }                            \
    inline short __##word##_as_short(T x) { return static_cast<short>(x.bits); }                  \
    inline T __ushort_as_##word(unsigned short x) { return T::raw(x); }                           \
    inline T __short_as_##word(short x) { return T::raw(static_cast<unsigned short>(x)); }        \
    inline T2 __float2##word2##_rn(float x) { return {T(x), T(x)}; }                              \
    inline T2 __floats2##word2##_rn(float x, float y) { return {T(x), T(y)}; }                    \
    inline T2 __float22##word2##_rn(float2 v) { return {T(v.x), T(v.y)}; }                        \
    inline float2 __##word2##2float2(T2 v) { return make_float2(v.x, v.y); }                      \
    inline float __low2float(T2 v) { return v.x; }                                                \
    inline float __high2float(T2 v) { return v.y; }                                               \
    inline T __low2##word(T2 v) { return v.x; }                                                   \
    inline T __high2##word(T2 v) { return v.y; }                                                  \
    inline T2 __low2##word2(T2 v) { return {v.x, v.x}; }                                          \
    inline T2 __high2##word2(T2 v) { return {v.y, v.y}; }                                         \
    inline T2 __lows2##word2(T2 a, T2 b) { return {a.x, b.x}; }                                   \
    inline T2 __highs2##word2(T2 a, T2 b) { return {a.y, b.y}; }                                  \
    inline T2 __lowhigh2highlow(T2 v) { return {v.y, v.x}; }

#define CM_SMALL_INTEGER(T, word, name, I)                                                        \
    inline T __##name##2##word##_rn(I x) { return T(x); }                                         \
    inline T __##name##2##word##_rz(I x) {                                                        \
        return T::rounded(static_cast<double>(x), cm::rounding::zero);                            \
    }                                                                                             \
    inline T __##name##2##word##_ru(I x) {                                                        \
        return T::rounded(static_cast<double>(x), cm::rounding::up);                              \
    }                                                                                             \
    inline T __##name##2##word##_rd(I x) {                                                        \
        return T::rounded(static_cast<double>(x), cm::rounding::down);                            \
    }                                                                                             \
    inline I __##word##2##name##_rn(T x) {                                                        \
        return cm::detail::saturated<I>(std::nearbyint(float(x)));                                \
    }                                                                                             \
    inline I __##word##2##name##_rz(T x) {                                                        \
        return cm::detail::saturated<I>(std::trunc(float(x)));                                    \
    }                                                                                             \
    inline I __##word##2##name##_ru(T x) {                                                        \
        return cm::detail::saturated<I>(std::ceil(float(x)));                                     \
    }                                                                                             \
    inline I __##word##2##name##_rd(T x) { return cm::detail::saturated<I>(std::floor(float(x))); }

#endif
