/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_rounding.h - CUDA's arithmetic with directed rounding (__dadd_rd and its like),
 * which HIP lacks, for ported programs.
 *
 * Header-only, C++11, for host and device. HIP's arithmetic rounds to the nearest. How far that is
 * from the exact result, or at least on which side of it, an expression tells without error: then
 * the result is right, or the number beside it is. Fast mathematics (-ffast-math) takes that away,
 * as it takes correct rounding away at all.
 */
#ifndef CUDA_MORPH_HIP_ROUNDING_H
#define CUDA_MORPH_HIP_ROUNDING_H

#include <hip/hip_runtime.h>
#include <stdint.h>

#define CM_EITHER __host__ __device__ inline

namespace cm {
namespace detail {

enum rounding { down, up, zero };

template <class T> struct format;
template <> struct format<double> {
    typedef uint64_t bits;
    CM_EITHER static double most() { return 1.7976931348623157e308; }
};
template <> struct format<float> {
    typedef uint32_t bits;
    CM_EITHER static float most() { return 3.402823466e38f; }
};

CM_EITHER bool is_negative(double x) { return __builtin_signbit(x) != 0; }
CM_EITHER bool is_negative(float x) { return __builtin_signbit(x) != 0; }
template <class T> CM_EITHER bool is_finite(T x) { return x - x == T(0); }

/* The next number away from zero, or towards it. */
template <class T> CM_EITHER T beside(T x, int step) {
    typename format<T>::bits b;
    __builtin_memcpy(&b, &x, sizeof(b));
    b = static_cast<typename format<T>::bits>(b + static_cast<typename format<T>::bits>(step));
    __builtin_memcpy(&x, &b, sizeof(b));
    return x;
}
template <class T> CM_EITHER T above(T x) {
    if (x == T(0)) return beside(T(0), 1);
    return beside(x, x > T(0) ? 1 : -1);
}
template <class T> CM_EITHER T below(T x) { return -above(-x); }

/* A result of finite numbers to the nearest, and on which side of it the exact one is: negative,
 * it is less. */
template <rounding To, class T, class Side> CM_EITHER T directed(T nearest, Side side) {
    if (!is_finite(nearest)) {
        if (nearest > T(0)) return To == up ? nearest : format<T>::most();
        if (nearest < T(0)) return To == down ? nearest : -format<T>::most();
        return nearest;
    }
    if (side < Side(0) && (To == down || (To == zero && nearest > T(0)))) return below(nearest);
    if (side > Side(0) && (To == up || (To == zero && nearest < T(0)))) return above(nearest);
    return nearest;
}

template <rounding To, class T> CM_EITHER T sum(T x, T y) {
    const T nearest = x + y;
    if (!is_finite(x) || !is_finite(y)) return nearest;
    if (nearest == T(0)) /* exact; of opposites or of zeros */
        return To == down && (x != T(0) || is_negative(x) || is_negative(y)) ? -T(0) : nearest;
    if (!is_finite(nearest)) return directed<To>(nearest, T(0));
    const bool first = __builtin_fabs(x) >= __builtin_fabs(y);
    const T large = first ? x : y, small = first ? y : x;
    return directed<To>(nearest, small - (nearest - large));
}

/* Numbers between a half and one, with exponents: nothing under- or overflows there. */
struct split_number {
    double part;
    int exponent;
    CM_EITHER explicit split_number(double x) : part(0), exponent(0) {
        part = ::frexp(x, &exponent);
    }
};
/* An infinity where it is too large: it is on the right side all the same. */
CM_EITHER double scaled(double x, int exponent) {
    const int half = exponent / 2;
    return ::ldexp(::ldexp(x, half), exponent - half);
}

template <rounding To> CM_EITHER double product(double x, double y) {
    const double nearest = x * y;
    if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0) return nearest;
    if (!is_finite(nearest)) return directed<To>(nearest, 0.0);
    const split_number a(x), b(y);
    const double other = scaled(nearest, -(a.exponent + b.exponent));
    const double side = ::fma(a.part, b.part, -other);
    if (nearest == 0) { /* of which the sign is known alone */
        const bool negative = is_negative(x) != is_negative(y);
        if (negative ? To == down : To == up) return negative ? below(0.0) : above(0.0);
        return nearest;
    }
    return directed<To>(nearest, side);
}
template <rounding To> CM_EITHER float product(float x, float y) {
    const float nearest = x * y;
    const double exact = static_cast<double>(x) * static_cast<double>(y);
    if (!is_finite(x) || !is_finite(y) || exact == 0) return nearest;
    if (!is_finite(nearest)) return directed<To>(nearest, 0.0);
    if (nearest == 0 && exact < 0) return To == down ? below(0.0f) : nearest;
    return directed<To>(nearest, exact - static_cast<double>(nearest));
}

template <rounding To> CM_EITHER double quotient(double x, double y) {
    const double nearest = x / y;
    if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0) return nearest;
    if (!is_finite(nearest)) return directed<To>(nearest, 0.0);
    const split_number a(x), b(y);
    const double other = scaled(nearest, b.exponent - a.exponent);
    double side = ::fma(-other, b.part, a.part);
    if (y < 0) side = -side;
    if (nearest == 0 && is_negative(nearest)) return To == down ? below(0.0) : nearest;
    return directed<To>(nearest, side);
}
template <rounding To> CM_EITHER float quotient(float x, float y) {
    const float nearest = x / y;
    if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0) return nearest;
    if (!is_finite(nearest)) return directed<To>(nearest, 0.0);
    double side = static_cast<double>(x) - static_cast<double>(nearest) * static_cast<double>(y);
    if (y < 0) side = -side;
    if (nearest == 0 && is_negative(nearest)) return To == down ? below(0.0f) : nearest;
    return directed<To>(nearest, side);
}

template <rounding To> CM_EITHER double root(double x) {
    const double nearest = ::sqrt(x);
    if (!(x > 0) || !is_finite(x)) return nearest;
    split_number a(x);
    if (a.exponent & 1) {
        a.part *= 2;
        a.exponent--;
    }
    const double other = scaled(nearest, -a.exponent / 2);
    return directed<To>(nearest, ::fma(-other, other, a.part));
}
template <rounding To> CM_EITHER float root(float x) {
    const float nearest = ::sqrtf(x);
    if (!(x > 0) || !is_finite(x)) return nearest;
    const double other = static_cast<double>(nearest);
    return directed<To>(nearest, static_cast<double>(x) - other * other);
}

template <rounding To> CM_EITHER float fused(float x, float y, float z) {
    const float nearest = ::fmaf(x, y, z);
    const double exact = static_cast<double>(x) * static_cast<double>(y), other = z;
    if (!is_finite(x) || !is_finite(y) || !is_finite(z)) return nearest;
    const double near = exact + other;
    if (near == 0)
        return To == down && (exact != 0 || is_negative(exact) || is_negative(other)) ? -0.0f
                                                                                      : nearest;
    if (!is_finite(nearest)) return directed<To>(nearest, 0.0);
    const bool first = __builtin_fabs(exact) >= __builtin_fabs(other);
    const double large = first ? exact : other, small = first ? other : exact;
    const double rest = small - (near - large);
    if (nearest == 0 && near < 0) return To == down ? below(0.0f) : nearest;
    return directed<To>(nearest, (near - static_cast<double>(nearest)) + rest);
}

} // namespace detail
} // namespace cm

/* CUDA's names, with cm_ in place of the two underscores: down, up, towards zero. */
CM_EITHER double cm_dadd_rd(double x, double y) { return cm::detail::sum<cm::detail::down>(x, y); }
CM_EITHER double cm_dadd_ru(double x, double y) { return cm::detail::sum<cm::detail::up>(x, y); }
CM_EITHER double cm_dadd_rz(double x, double y) { return cm::detail::sum<cm::detail::zero>(x, y); }
CM_EITHER double cm_dsub_rd(double x, double y) {
    return cm::detail::sum<cm::detail::down>(x, -y);
}
CM_EITHER double cm_dsub_ru(double x, double y) { return cm::detail::sum<cm::detail::up>(x, -y); }
CM_EITHER double cm_dsub_rz(double x, double y) {
    return cm::detail::sum<cm::detail::zero>(x, -y);
}
CM_EITHER double cm_dmul_rd(double x, double y) {
    return cm::detail::product<cm::detail::down>(x, y);
}
CM_EITHER double cm_dmul_ru(double x, double y) {
    return cm::detail::product<cm::detail::up>(x, y);
}
CM_EITHER double cm_dmul_rz(double x, double y) {
    return cm::detail::product<cm::detail::zero>(x, y);
}
CM_EITHER double cm_ddiv_rd(double x, double y) {
    return cm::detail::quotient<cm::detail::down>(x, y);
}
CM_EITHER double cm_ddiv_ru(double x, double y) {
    return cm::detail::quotient<cm::detail::up>(x, y);
}
CM_EITHER double cm_ddiv_rz(double x, double y) {
    return cm::detail::quotient<cm::detail::zero>(x, y);
}
CM_EITHER double cm_drcp_rd(double x) { return cm::detail::quotient<cm::detail::down>(1.0, x); }
CM_EITHER double cm_drcp_ru(double x) { return cm::detail::quotient<cm::detail::up>(1.0, x); }
CM_EITHER double cm_drcp_rz(double x) { return cm::detail::quotient<cm::detail::zero>(1.0, x); }
CM_EITHER double cm_dsqrt_rd(double x) { return cm::detail::root<cm::detail::down>(x); }
CM_EITHER double cm_dsqrt_ru(double x) { return cm::detail::root<cm::detail::up>(x); }
CM_EITHER double cm_dsqrt_rz(double x) { return cm::detail::root<cm::detail::zero>(x); }
CM_EITHER float cm_fadd_rd(float x, float y) { return cm::detail::sum<cm::detail::down>(x, y); }
CM_EITHER float cm_fadd_ru(float x, float y) { return cm::detail::sum<cm::detail::up>(x, y); }
CM_EITHER float cm_fadd_rz(float x, float y) { return cm::detail::sum<cm::detail::zero>(x, y); }
CM_EITHER float cm_fsub_rd(float x, float y) { return cm::detail::sum<cm::detail::down>(x, -y); }
CM_EITHER float cm_fsub_ru(float x, float y) { return cm::detail::sum<cm::detail::up>(x, -y); }
CM_EITHER float cm_fsub_rz(float x, float y) { return cm::detail::sum<cm::detail::zero>(x, -y); }
CM_EITHER float cm_fmul_rd(float x, float y) {
    return cm::detail::product<cm::detail::down>(x, y);
}
CM_EITHER float cm_fmul_ru(float x, float y) { return cm::detail::product<cm::detail::up>(x, y); }
CM_EITHER float cm_fmul_rz(float x, float y) {
    return cm::detail::product<cm::detail::zero>(x, y);
}
CM_EITHER float cm_fdiv_rd(float x, float y) {
    return cm::detail::quotient<cm::detail::down>(x, y);
}
CM_EITHER float cm_fdiv_ru(float x, float y) { return cm::detail::quotient<cm::detail::up>(x, y); }
CM_EITHER float cm_fdiv_rz(float x, float y) {
    return cm::detail::quotient<cm::detail::zero>(x, y);
}
CM_EITHER float cm_frcp_rd(float x) { return cm::detail::quotient<cm::detail::down>(1.0f, x); }
CM_EITHER float cm_frcp_ru(float x) { return cm::detail::quotient<cm::detail::up>(1.0f, x); }
CM_EITHER float cm_frcp_rz(float x) { return cm::detail::quotient<cm::detail::zero>(1.0f, x); }
CM_EITHER float cm_fsqrt_rd(float x) { return cm::detail::root<cm::detail::down>(x); }
CM_EITHER float cm_fsqrt_ru(float x) { return cm::detail::root<cm::detail::up>(x); }
CM_EITHER float cm_fsqrt_rz(float x) { return cm::detail::root<cm::detail::zero>(x); }
CM_EITHER float cm_fmaf_rd(float x, float y, float z) {
    return cm::detail::fused<cm::detail::down>(x, y, z);
}
CM_EITHER float cm_fmaf_ru(float x, float y, float z) {
    return cm::detail::fused<cm::detail::up>(x, y, z);
}
CM_EITHER float cm_fmaf_rz(float x, float y, float z) {
    return cm::detail::fused<cm::detail::zero>(x, y, z);
}

#undef CM_EITHER

#endif
