// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA's math API that the C library does not have: norms of vectors, inverses of the
// error function and of the normal distribution, modified Bessel functions, multiply-add with a
// direction. In double they are good to a few units in the last place; float goes through double,
// and is correctly rounded but for rare ties.
#ifndef CUDA_MORPH_CPU_MATH_SPECIAL_HPP
#define CUDA_MORPH_CPU_MATH_SPECIAL_HPP

#include <cuda_morph/cpu/math.hpp>
#include <cuda_morph/cpu/rounding.hpp>

namespace cm {
namespace detail {

// The root of a sum of squares, none of which overflows or is lost.
template <class T> inline double length(int n, const T *p) {
    double most = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        const double size = std::fabs(static_cast<double>(p[i]));
        if (std::isinf(size)) return size;
        most = size > most || std::isnan(size) ? size : most;
    }
    if (!(most > 0)) return most;
    for (int i = 0; i < n; i++) {
        const double part = static_cast<double>(p[i]) / most;
        sum += part * part;
    }
    return most * std::sqrt(sum);
}
template <class... T> inline double length_of(T... v) {
    const double all[] = {static_cast<double>(v)...};
    return length(static_cast<int>(sizeof...(v)), all);
}

// erfc(x) = y. From a bound for small y by Halley's steps, which triple the digits.
inline double inverse_erfc(double y) {
    if (!(y >= 0 && y <= 2)) return std::numeric_limits<double>::quiet_NaN();
    if (y == 0 || y == 2) return y == 0 ? HUGE_VAL : -HUGE_VAL;
    if (y > 1) return -inverse_erfc(2 - y);
    const double w = -std::log(y * (2 - y));
    double x = std::sqrt(w > 5 ? w - 0.5 * std::log(w) : w) * 0.886226925452758;
    if (w > 5) x = std::sqrt(w - 0.5 * std::log(3.14159265358979 * w));
    for (int i = 0; i < 6; i++) {
        const double left = std::erfc(x) - y;
        const double slope = 1.1283791670955126 * std::exp(-x * x);
        if (!(slope > 0)) break;
        const double step = left / (slope - x * left);
        x += step;
        if (std::fabs(step) <= 1e-16 * std::fabs(x)) break;
    }
    return x;
}
// Near 0 erfc has lost the digits of x.
inline double inverse_erf(double y) {
    if (std::fabs(y) > 0.5) return y > 0 ? inverse_erfc(1 - y) : -inverse_erfc(1 + y);
    double x = y * 0.886226925452758;
    for (int i = 0; i < 6; i++) {
        const double left = std::erf(x) - y;
        const double step = left / (1.1283791670955126 * std::exp(-x * x) + x * left);
        x -= step;
        if (std::fabs(step) <= 1e-17 * std::fabs(x)) break;
    }
    return x;
}

// I_n for n = 0 and 1: a series of positive terms; far from 0 that in 1/x.
inline double bessel_i(int n, double x) {
    const double size = std::fabs(x);
    if (std::isnan(x)) return x;
    double sum = 1, term = 1;
    if (size > 30) {
        for (int k = 1; k < 60 && std::fabs(term) > 1e-17; k++) {
            const double odd = 2 * k - 1;
            term *= (odd * odd - 4 * n * n) / (8 * k * size);
            sum += term;
        }
        // In halves: exp() overflows before the result does.
        const double half = std::exp(size / 2);
        sum *= half / std::sqrt(6.283185307179586 * size) * half;
    } else {
        for (int k = 1; term > sum * 1e-17; k++) {
            term *= size / 2 * (size / 2) / (k * (k + n));
            sum += term;
        }
        if (n) sum *= size / 2;
    }
    return n && x < 0 ? -sum : sum;
}

// a * b + c, where what fma() left out is exactly known (Boldo, Muller).
template <class T> inline T multiply_add(T a, T b, T c, direction d) {
    volatile T r = std::fma(a, b, c);
    const bool finite = std::isfinite(a) && std::isfinite(b) && std::isfinite(c);
    if (!finite || std::isinf(static_cast<T>(r))) return directed<T>(r, 0, d, finite);
    const auto two_sum = [](T x, T y, T &rest) {
        volatile T sum = x + y, back = sum - x, other = sum - back;
        rest = (y - back) + (x - other);
        return static_cast<T>(sum);
    };
    volatile T product = a * b;
    T low, high;
    const T rest = std::fma(a, b, -static_cast<T>(product));
    const T part = two_sum(c, rest, low);
    const T whole = two_sum(product, part, high);
    volatile T left = (whole - r) + high;
    return directed<T>(r, left + low, d, finite);
}

} // namespace detail
} // namespace cm

// ---- norms ----

inline double norm(int n, const double *p) { return cm::detail::length(n, p); }
inline float normf(int n, const float *p) { return static_cast<float>(cm::detail::length(n, p)); }
inline double rnorm(int n, const double *p) { return 1 / norm(n, p); }
inline float rnormf(int n, const float *p) {
    return static_cast<float>(1 / cm::detail::length(n, p));
}
inline double norm4d(double a, double b, double c, double d) {
    return cm::detail::length_of(a, b, c, d);
}
inline double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
inline float rnorm4df(float a, float b, float c, float d) {
    return static_cast<float>(1 / cm::detail::length_of(a, b, c, d));
}

// ---- functions of one number: for double, for float under its own name, and overloaded ----

#define CM_SPECIAL(name, ...)                                                                     \
    inline double name(double x) { return __VA_ARGS__; }                                          \
    inline float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); }    \
    inline float name(float x) { return name##f(x); }
CM_SPECIAL(erfinv, cm::detail::inverse_erf(x))
CM_SPECIAL(erfcinv, cm::detail::inverse_erfc(x))
CM_SPECIAL(normcdfinv, -1.4142135623730951 * cm::detail::inverse_erfc(2 * x))
CM_SPECIAL(cyl_bessel_i0, cm::detail::bessel_i(0, x))
CM_SPECIAL(cyl_bessel_i1, cm::detail::bessel_i(1, x))
#undef CM_SPECIAL

// ---- multiply-add, and pairs of floats ----

#define CM_PAIR(way)                                                                              \
    inline float2 __fadd2_##way(float2 a, float2 b) {                                             \
        return float2{__fadd_##way(a.x, b.x), __fadd_##way(a.y, b.y)};                            \
    }                                                                                             \
    inline float2 __fmul2_##way(float2 a, float2 b) {                                             \
        return float2{__fmul_##way(a.x, b.x), __fmul_##way(a.y, b.y)};                            \
    }                                                                                             \
    inline float2 __ffma2_##way(float2 a, float2 b, float2 c) {                                   \
        return float2{__fmaf_##way(a.x, b.x, c.x), __fmaf_##way(a.y, b.y, c.y)};                  \
    }
#define CM_MULTIPLY_ADD(way, direction)                                                           \
    inline float __fmaf_##way(float a, float b, float c) {                                        \
        return cm::detail::multiply_add(a, b, c, cm::detail::direction);                          \
    }                                                                                             \
    inline float __fmaf_ieee_##way(float a, float b, float c) { return __fmaf_##way(a, b, c); }   \
    inline double __fma_##way(double a, double b, double c) {                                     \
        return cm::detail::multiply_add(a, b, c, cm::detail::direction);                          \
    }                                                                                             \
    CM_PAIR(way)
CM_PAIR(rn)
CM_MULTIPLY_ADD(rd, DOWN)
CM_MULTIPLY_ADD(ru, UP)
CM_MULTIPLY_ADD(rz, ZERO)
#undef CM_MULTIPLY_ADD
#undef CM_PAIR
inline float __fmaf_ieee_rn(float a, float b, float c) { return __fmaf_rn(a, b, c); }

#endif
