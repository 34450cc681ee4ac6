// SPDX-License-Identifier: Apache-2.0
// CUDA's mathematical functions and integer intrinsics. Single-precision functions of the C
// library keep their names; those that only CUDA has are here. Fast forms (__expf ...) are exact.
#ifndef CUDA_MORPH_CPU_MATH_HPP
#define CUDA_MORPH_CPU_MATH_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdint.h>
#include <string.h>
#ifdef CUDA_MORPH_SYCL_HPP // there the kernel language is SYCL
#include <cuda_morph/types.h>
#include <type_traits>
#else
#include <cuda_morph/cpu/kernel.hpp>
#endif

// CUDA has these at global scope, for all pairs of arithmetic types; the result is of the type
// that the two have in common.
#define CM_PAIR(A, B)                                                                             \
    template <class A, class B,                                                                   \
              class =                                                                             \
                  std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value>>
CM_PAIR(A, B) constexpr std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point<T>::value)
        return __builtin_isnan(T(a)) ? T(b) : T(b) < T(a) ? T(b) : T(a);
    else
        return T(b) < T(a) ? T(b) : T(a);
}
CM_PAIR(A, B) constexpr std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point<T>::value)
        return __builtin_isnan(T(a)) ? T(b) : T(a) < T(b) ? T(b) : T(a);
    else
        return T(a) < T(b) ? T(b) : T(a);
}
#undef CM_PAIR
// A class that is a number (PyTorch's Half): CUDA's overload for float is the one that takes it.
#define CM_NUMBERS(A, B)                                                                          \
    template <class A, class B,                                                                   \
              class = std::enable_if_t<(std::is_class<A>::value || std::is_class<B>::value) &&    \
                                       std::is_convertible<A, float>::value &&                    \
                                       std::is_convertible<B, float>::value>,                     \
              class = void>
CM_NUMBERS(A, B) float min(A a, B b) { return min(static_cast<float>(a), static_cast<float>(b)); }
CM_NUMBERS(A, B) float max(A a, B b) { return max(static_cast<float>(a), static_cast<float>(b)); }
#undef CM_NUMBERS
template <class = void> inline unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
template <class = void> inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
template <class = void>
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return b < a ? b : a;
}
template <class = void>
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return a < b ? b : a;
}
template <class = void> inline long long llmin(long long a, long long b) { return b < a ? b : a; }
template <class = void> inline long long llmax(long long a, long long b) { return a < b ? b : a; }

using std::abs;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

// A template, so that a program's own one, for compilers without CUDA, may stand beside it.
template <class = void> inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
extern "C" inline double rsqrt(double x) { return 1.0 / ::sqrt(x); } // C23 has it
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
inline float fdividef(float x, float y) { return x / y; }
inline float fdivide(float x, float y) { return x / y; }
inline float saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float __saturatef(float x) { return saturatef(x); }
extern "C" { // C23 has them
inline double sinpi(double x) { return ::sin(std::remainder(x, 2.0) * 3.14159265358979323846); }
inline double cospi(double x) { return ::cos(std::remainder(x, 2.0) * 3.14159265358979323846); }
inline float sinpif(float x) { return static_cast<float>(sinpi(x)); }
inline float cospif(float x) { return static_cast<float>(cospi(x)); }
}
inline void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
// What the argument of erfc() loses in rounding is made good by its slope there.
inline double normcdf(double x) {
    const double root = -0.70710678118654752440, rest = 4.833646656726456726e-17;
    const double y = x * root, lost = ::fma(x, root, -y) + x * rest;
    const double slope = -1.12837916709551257390 * ::exp(-y * y); // 0 where y is huge
    return 0.5 * (::erfc(y) + (slope == 0 ? 0 : slope * lost));
}
inline float normcdff(float x) { return static_cast<float>(normcdf(x)); }
inline float erfcxf(float x) { return static_cast<float>(::exp(double(x) * x) * ::erfc(x)); }
inline double erfcx(double x) { return ::exp(x * x) * ::erfc(x); }
inline float norm3df(float a, float b, float c) {
    return static_cast<float>(::sqrt(double(a) * a + double(b) * b + double(c) * c));
}
inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
inline float norm4df(float a, float b, float c, float d) {
    const double squares = double(a) * a + double(b) * b + double(c) * c + double(d) * d;
    return static_cast<float>(::sqrt(squares));
}
inline float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
inline double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
inline float exp10(float x) { return ::exp10f(x); }

extern "C" { // as glibc declares them
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline void __sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
inline float __tanhf(float x) { return tanhf(x); }
} // extern "C"
inline float __fdividef(float x, float y) { return x / y; }

// Arithmetic whose rounding is to nearest, the default of the machine; never contracted to FMA.
#define CM_ROUND(name, T, expression)                                                             \
    inline T name(T a, T b) {                                                                     \
        volatile T r = expression;                                                                \
        return r;                                                                                 \
    }
CM_ROUND(__fadd_rn, float, a + b)
CM_ROUND(__fsub_rn, float, a - b)
CM_ROUND(__fmul_rn, float, a *b)
CM_ROUND(__fdiv_rn, float, a / b)
CM_ROUND(__dadd_rn, double, a + b)
CM_ROUND(__dsub_rn, double, a - b)
CM_ROUND(__dmul_rn, double, a *b)
CM_ROUND(__ddiv_rn, double, a / b)
#undef CM_ROUND
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }
inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline double __dsqrt_rn(double a) { return ::sqrt(a); }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline double __drcp_rn(double a) { return 1.0 / a; }
inline float __frsqrt_rn(float a) { return rsqrtf(a); }

namespace cm {
namespace detail {
template <class To, class From> inline To as(From from) {
    static_assert(sizeof(To) == sizeof(From), "only the same number of bits");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
// Conversions to integers saturate, and NaN becomes 0, as on the device.
template <class To, class From> inline To saturated(From x) {
    if (x != x) return 0;
    if (x <= static_cast<From>(std::numeric_limits<To>::min()))
        return std::numeric_limits<To>::min();
    if (x >= static_cast<From>(std::numeric_limits<To>::max()))
        return std::numeric_limits<To>::max();
    return static_cast<To>(x);
}
} // namespace detail
} // namespace cm

inline int __float_as_int(float x) { return cm::detail::as<int>(x); }
inline unsigned __float_as_uint(float x) { return cm::detail::as<unsigned>(x); }
inline float __int_as_float(int x) { return cm::detail::as<float>(x); }
inline float __uint_as_float(unsigned x) { return cm::detail::as<float>(x); }
inline long long __double_as_longlong(double x) { return cm::detail::as<long long>(x); }
inline double __longlong_as_double(long long x) { return cm::detail::as<double>(x); }
inline int __double2hiint(double x) {
    return static_cast<int>(cm::detail::as<unsigned long long>(x) >> 32);
}
inline int __double2loint(double x) {
    return static_cast<int>(cm::detail::as<unsigned long long>(x));
}
inline double __hiloint2double(int high, int low) {
    return cm::detail::as<double>(static_cast<unsigned long long>(static_cast<unsigned>(high))
                                      << 32 |
                                  static_cast<unsigned>(low));
}

#define CM_TO_INTEGER(from, F, to, T)                                                             \
    inline T __##from##2##to##_rn(F x) { return cm::detail::saturated<T>(std::nearbyint(x)); }    \
    inline T __##from##2##to##_rz(F x) { return cm::detail::saturated<T>(std::trunc(x)); }        \
    inline T __##from##2##to##_ru(F x) { return cm::detail::saturated<T>(std::ceil(x)); }         \
    inline T __##from##2##to##_rd(F x) { return cm::detail::saturated<T>(std::floor(x)); }
CM_TO_INTEGER(float, float, int, int)
CM_TO_INTEGER(float, float, uint, unsigned)
CM_TO_INTEGER(float, float, ll, long long)
CM_TO_INTEGER(float, float, ull, unsigned long long)
CM_TO_INTEGER(double, double, int, int)
CM_TO_INTEGER(double, double, uint, unsigned)
CM_TO_INTEGER(double, double, ll, long long)
CM_TO_INTEGER(double, double, ull, unsigned long long)
#undef CM_TO_INTEGER

// ---- integers ----

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __clzll(long long x) {
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __mul24(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a << 8 >> 8) *
                            static_cast<unsigned>(b << 8 >> 8));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline unsigned __sad(int a, int b, unsigned c) {
    return c + (a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
                      : static_cast<unsigned>(a) - static_cast<unsigned>(b));
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a < b ? b - a : a - b); }
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
inline unsigned __uhadd(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned s = selector >> 4 * i & 7; // prmt's sign, bit 3, is the instruction's alone
        result |= (static_cast<unsigned>(bytes >> 8 * s) & 0xff) << 8 * i;
    }
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    by &= 31;
    return by ? high << by | low >> (32 - by) : high;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    by &= 31;
    return by ? low >> by | high << (32 - by) : low;
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}
inline int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; i++)
        c += static_cast<signed char>(a >> 8 * i) * static_cast<signed char>(b >> 8 * i);
    return c;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; i++) c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
    return c;
}
// Two numbers of 16 bits with two of the four bytes.
namespace cm {
namespace detail {
template <class Half, class Byte, class T> inline T dot2(T a, T b, T c, int first) {
    return c + static_cast<Half>(a) * static_cast<Byte>(b >> first) +
           static_cast<Half>(a >> 16) * static_cast<Byte>(b >> (first + 8));
}
template <class T, class V> inline T packed(V v) { // short2, char4 ... in a word
    static_assert(sizeof(V) == sizeof(T), "a word");
    return as<T>(v);
}
} // namespace detail
} // namespace cm
#define CM_DOT2(name, first)                                                                      \
    inline int name(int a, int b, int c) {                                                        \
        return cm::detail::dot2<short, signed char>(a, b, c, first);                              \
    }                                                                                             \
    inline unsigned name(unsigned a, unsigned b, unsigned c) {                                    \
        return cm::detail::dot2<unsigned short, unsigned char>(a, b, c, first);                   \
    }                                                                                             \
    inline int name(short2 a, char4 b, int c) {                                                   \
        return name(cm::detail::packed<int>(a), cm::detail::packed<int>(b), c);                   \
    }                                                                                             \
    inline unsigned name(ushort2 a, uchar4 b, unsigned c) {                                       \
        return name(cm::detail::packed<unsigned>(a), cm::detail::packed<unsigned>(b), c);         \
    }
CM_DOT2(__dp2a_lo, 0)
CM_DOT2(__dp2a_hi, 16)
#undef CM_DOT2
inline int __dp4a(char4 a, char4 b, int c) {
    return __dp4a(cm::detail::packed<int>(a), cm::detail::packed<int>(b), c);
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return __dp4a(cm::detail::packed<unsigned>(a), cm::detail::packed<unsigned>(b), c);
}
// The place of the n-th bit that is set, from `base` upwards, or downwards for a negative n.
inline unsigned __fns(unsigned mask, unsigned base, int n) {
    const int step = n < 0 ? -1 : 1;
    int left = n < 0 ? -n : n ? n : 1;
    for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
        if (mask >> i & 1 && --left == 0) return static_cast<unsigned>(i);
        if (n == 0) break;
    }
    return ~0u;
}
inline unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
inline unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
inline unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

// ---- loads and stores with a hint for the cache ----

#define CM_LOAD(name)                                                                             \
    template <class T> inline T name(const T *p) { return *p; }
CM_LOAD(__ldg)
CM_LOAD(__ldcg)
CM_LOAD(__ldca)
CM_LOAD(__ldcs)
CM_LOAD(__ldlu)
CM_LOAD(__ldcv)
#undef CM_LOAD
#define CM_STORE(name)                                                                            \
    template <class T> inline void name(T *p, T value) { *p = value; }
CM_STORE(__stwb)
CM_STORE(__stcg)
CM_STORE(__stcs)
CM_STORE(__stwt)
#undef CM_STORE
inline size_t __cvta_generic_to_shared(const void *p) { return reinterpret_cast<size_t>(p); }
inline unsigned __isGlobal(const void *) { return 1; }
inline unsigned __isShared(const void *) { return 0; }
inline unsigned __isLocal(const void *) { return 0; }
inline unsigned __isConstant(const void *) { return 0; }

#endif
