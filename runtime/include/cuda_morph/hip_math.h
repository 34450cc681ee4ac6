/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_math.h - CUDA's overloads of mathematical functions that HIP lacks, and device
 * functions that CUDA had until 12, for ported programs.
 *
 * Header-only, C++11; C and other compilers than HIP's find nothing here. CUDA has sincos() and
 * sincospi() of a float, too; HIP's take addresses of doubles alone. They are templates, so that
 * one of the program's own comes first.
 *
 * saturate(), mul24(), float_as_int() and their like were CUDA's beside __saturatef() and so on.
 * Programs give functions of their own these names. So the arguments here are classes that are
 * made of a number: whatever takes the number itself comes first.
 */
#ifndef CUDA_MORPH_HIP_MATH_H
#define CUDA_MORPH_HIP_MATH_H

#if defined(__cplusplus) && defined(__HIPCC__)
#include <hip/hip_runtime.h>
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

#endif
#endif
