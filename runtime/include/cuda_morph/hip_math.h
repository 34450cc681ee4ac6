/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_math.h - CUDA's overloads of mathematical functions that HIP lacks, and device
 * functions that CUDA had until 12, for ported programs.
 *
 * Header-only, C++11; C and other compilers than HIP's find nothing here. CUDA has sincos() and
 * sincospi() of a float, too; HIP's take addresses of doubles alone. They are templates, so that
 * one of the program's own comes first.
 *
 * On the host CUDA has functions that the C library lacks, rsqrt() and normcdf(); those of HIP are
 * for the device alone. They are templates of the host, so that the program's own come first.
 *
 * saturate(), mul24(), float_as_int() and their like were CUDA's beside __saturatef() and so on.
 * Programs give functions of their own these names. So the arguments here are classes that are
 * made of a number: whatever takes the number itself comes first.
 */
#ifndef CUDA_MORPH_HIP_MATH_H
#define CUDA_MORPH_HIP_MATH_H

#if defined(__cplusplus) && defined(__HIPCC__)
#include <hip/hip_runtime.h>
#include <cmath>
#include <type_traits>

template <int = 0> __host__ __device__ inline void sincos(float x, float *sine, float *cosine) {
    sincosf(x, sine, cosine);
}
template <int = 0> __device__ inline void sincospi(float x, float *sine, float *cosine) {
    sincospif(x, sine, cosine);
}

namespace cm {
namespace detail {

/* A number of type T that is made of any number; of integers only those as wide and signed. */
template <class T> struct number {
    T value;
    template <class From, class = typename std::enable_if<std::is_arithmetic<From>::value>::type>
    __device__ number(From x) : value(static_cast<T>(x)) {}
};
template <class T> struct integer {
    T value;
    template <class From, class = typename std::enable_if<
                              std::is_integral<From>::value &&
                              std::is_same<decltype(+From()), decltype(+T())>::value>::type>
    __device__ integer(From x) : value(static_cast<T>(x)) {}
};
using whole = integer<int>;
using natural = integer<unsigned>;
using long_whole = integer<long long>;
using long_natural = integer<unsigned long long>;

} // namespace detail
} // namespace cm

/** What __saturatef() and so on do; a function's two arguments count as one type, unsigned where
 *  one of them is. */
__device__ inline float saturate(cm::detail::number<float> x) { return __saturatef(x.value); }
__device__ inline int mul24(cm::detail::number<int> x, cm::detail::number<int> y) {
    return __mul24(x.value, y.value);
}
__device__ inline unsigned umul24(cm::detail::number<unsigned> x, cm::detail::number<unsigned> y) {
    return __umul24(x.value, y.value);
}
__device__ inline int mulhi(cm::detail::whole x, cm::detail::whole y) {
    return __mulhi(x.value, y.value);
}
__device__ inline unsigned mulhi(cm::detail::natural x, cm::detail::natural y) {
    return __umulhi(x.value, y.value);
}
__device__ inline unsigned mulhi(cm::detail::whole x, cm::detail::natural y) {
    return __umulhi(static_cast<unsigned>(x.value), y.value);
}
__device__ inline unsigned mulhi(cm::detail::natural x, cm::detail::whole y) {
    return __umulhi(x.value, static_cast<unsigned>(y.value));
}
__device__ inline long long mul64hi(cm::detail::long_whole x, cm::detail::long_whole y) {
    return __mul64hi(x.value, y.value);
}
/** As that of signed numbers. */
__device__ inline unsigned long long mul64hi(cm::detail::long_natural x,
                                             cm::detail::long_natural y) {
    return __umul64hi(x.value, y.value);
}
__device__ inline int float_as_int(cm::detail::number<float> x) { return __float_as_int(x.value); }
__device__ inline unsigned float_as_uint(cm::detail::number<float> x) {
    return __float_as_uint(x.value);
}
__device__ inline float int_as_float(cm::detail::number<int> x) { return __int_as_float(x.value); }
__device__ inline float uint_as_float(cm::detail::number<unsigned> x) {
    return __uint_as_float(x.value);
}
__device__ inline int float2int(cm::detail::number<float> x) { return __float2int_rz(x.value); }
__device__ inline unsigned float2uint(cm::detail::number<float> x) {
    return __float2uint_rz(x.value);
}
__device__ inline float int2float(cm::detail::number<int> x) { return __int2float_rn(x.value); }
__device__ inline float uint2float(cm::detail::number<unsigned> x) {
    return __uint2float_rn(x.value);
}

namespace cm {
namespace host {

/* sin(pi x) and cos(pi x) with the argument reduced before pi comes in. */
inline double sinpi(double x) {
    double r = std::fmod(x, 2);
    if (std::fabs(r) > 0.5 && std::fabs(r) <= 1.5) r = (r > 0 ? 1 : -1) - r;
    if (std::fabs(r) > 1.5) r -= r > 0 ? 2 : -2;
    return r == std::floor(r) ? 0 * x : std::sin(r * 3.141592653589793238);
}
inline double cospi(double x) {
    double r = std::fabs(std::fmod(x, 2));
    if (r > 1) r = 2 - r;
    if (r == 0.5) return 0;
    return r < 0.25   ? std::cos(r * 3.141592653589793238)
           : r > 0.75 ? -std::cos((1 - r) * 3.141592653589793238)
                      : std::sin((0.5 - r) * 3.141592653589793238);
}
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.707106781186547524); }
inline double rhypot(double x, double y) { return 1 / std::hypot(x, y); }
inline double norm3d(double x, double y, double z) { return std::hypot(std::hypot(x, y), z); }
inline double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
inline double norm4d(double x, double y, double z, double w) {
    return std::hypot(std::hypot(x, y), std::hypot(z, w));
}
inline double rnorm4d(double x, double y, double z, double w) { return 1 / norm4d(x, y, z, w); }

} // namespace host
} // namespace cm

#define CM_HOST_MATH(name, parameters, arguments)                                                 \
    template <int = 0> __host__ inline double name(CM_##parameters(double)) {                     \
        return cm::host::name arguments;                                                          \
    }                                                                                             \
    template <int = 0> __host__ inline float name(CM_##parameters(float)) {                       \
        return static_cast<float>(cm::host::name arguments);                                      \
    }                                                                                             \
    template <int = 0> __host__ inline float name##f(CM_##parameters(float)) {                    \
        return static_cast<float>(cm::host::name arguments);                                      \
    }
#define CM_ONE(T) T x
#define CM_TWO(T) T x, T y
#define CM_THREE(T) T x, T y, T z
#define CM_FOUR(T) T x, T y, T z, T w
#define CM_HOST_MATH_ONE(name)                                                                    \
    CM_HOST_MATH(name, ONE, (x))                                                                  \
    template <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>        \
    __host__ inline double name(T x) {                                                            \
        return cm::host::name(static_cast<double>(x));                                            \
    }
CM_HOST_MATH_ONE(sinpi)
CM_HOST_MATH_ONE(cospi)
CM_HOST_MATH_ONE(rcbrt)
CM_HOST_MATH_ONE(rsqrt)
CM_HOST_MATH_ONE(normcdf)
CM_HOST_MATH(rhypot, TWO, (x, y))
CM_HOST_MATH(norm3d, THREE, (x, y, z))
CM_HOST_MATH(rnorm3d, THREE, (x, y, z))
CM_HOST_MATH(norm4d, FOUR, (x, y, z, w))
CM_HOST_MATH(rnorm4d, FOUR, (x, y, z, w))
#undef CM_HOST_MATH_ONE
#undef CM_HOST_MATH
#undef CM_ONE
#undef CM_TWO
#undef CM_THREE
#undef CM_FOUR

#endif
#endif
