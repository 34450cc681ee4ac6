/* SPDX-License-Identifier: Apache-2.0 */
// Floating-point numbers of 8 bits: what cuda_fp8.h offers. E4M3 and E5M2 are those of the Open
// Compute Project; numbers are rounded to nearest, ties to even, and computed with as float.
#ifndef CUDA_MORPH_FP8_H
#define CUDA_MORPH_FP8_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/bf16.h>
#include <cuda_morph/fp16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace cm {
namespace detail {

// E4M3 has no infinities, and one NaN of either sign; E5M2 has both, like a short half.
inline unsigned char to_fp8(double x, bool saturate, __nv_fp8_interpretation_t how) {
    const int mantissa = how == __NV_E4M3 ? 3 : 2, bias = how == __NV_E4M3 ? 7 : 15;
    const unsigned largest = how == __NV_E4M3 ? 0x7e : 0x7b,
                   beyond = how == __NV_E4M3 ? 0x7f : 0x7c;
    const unsigned sign = std::signbit(x) ? 0x80 : 0;
    const double a = std::fabs(x);
    if (x != x) return 0x7f;
    if (a == 0) return static_cast<unsigned char>(sign);
    double code = largest + 1;
    if (a < 65536) {
        int e;
        std::frexp(a, &e); // a = f * 2^e, 0.5 <= f < 1
        e = e - 1 < 1 - bias ? 1 - bias : e - 1;
        // The leading one, where there is one, adds itself to the exponent.
        code = std::nearbyint(std::ldexp(a, mantissa - e)) +
               std::ldexp(double(e - (1 - bias)), mantissa);
    }
    const unsigned bits = code <= largest ? static_cast<unsigned>(code)
                          : saturate      ? largest
                                          : beyond;
    return static_cast<unsigned char>(sign | bits);
}

inline float from_fp8(unsigned char code, __nv_fp8_interpretation_t how) {
    const int mantissa = how == __NV_E4M3 ? 3 : 2, bias = how == __NV_E4M3 ? 7 : 15;
    const int e = (code & 0x7f) >> mantissa, m = code & ((1 << mantissa) - 1);
    float a = e ? std::ldexp(float(m + (1 << mantissa)), e - bias - mantissa)
                : std::ldexp(float(m), 1 - bias - mantissa);
    if (how == __NV_E4M3 ? (code & 0x7f) == 0x7f : e == 31 && m) a = as<float>(0x7fffffffu);
    if (how == __NV_E5M2 && e == 31 && !m) a = as<float>(0x7f800000u);
    return code & 0x80 ? -a : a;
}

template <__nv_fp8_interpretation_t How> struct fp8 {
    __nv_fp8_storage_t __x;

    fp8() = default;
    template <class T, class = decltype(static_cast<double>(std::declval<T>()))>
    explicit fp8(T x) : __x(to_fp8(static_cast<double>(x), true, How)) {}
    template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
    explicit operator T() const {
        return static_cast<T>(from_fp8(__x, How));
    }
    template <class F> explicit operator small<F>() const { return small<F>(from_fp8(__x, How)); }
};

template <__nv_fp8_interpretation_t How> struct alignas(2) fp8x2 {
    __nv_fp8x2_storage_t __x;

    fp8x2() = default;
    explicit fp8x2(double2 v) : __x(pack(v.x, v.y)) {}
    explicit fp8x2(float2 v) : __x(pack(v.x, v.y)) {}
    template <class F> explicit fp8x2(small2<F> v) : __x(pack(float(v.x), float(v.y))) {}
    explicit operator float2() const {
        return {from_fp8(__x & 0xff, How), from_fp8(static_cast<unsigned char>(__x >> 8), How)};
    }
    template <class F> explicit operator small2<F>() const {
        const float2 v(*this);
        return {small<F>(v.x), small<F>(v.y)};
    }
    static unsigned short pack(double x, double y) {
        return static_cast<unsigned short>(to_fp8(x, true, How) | to_fp8(y, true, How) << 8);
    }
};

template <__nv_fp8_interpretation_t How> struct alignas(4) fp8x4 {
    __nv_fp8x4_storage_t __x;

    fp8x4() = default;
    explicit fp8x4(double4 v) : fp8x4(fp8x2<How>(double2{v.x, v.y}), double2{v.z, v.w}) {}
    explicit fp8x4(float4 v) : fp8x4(fp8x2<How>(float2{v.x, v.y}), float2{v.z, v.w}) {}
    template <class F> fp8x4(small2<F> low, small2<F> high) : fp8x4(fp8x2<How>(low), high) {}
    explicit operator float4() const {
        const float2 low(half(0)), high(half(16));
        return {low.x, low.y, high.x, high.y};
    }

  private:
    template <class V>
    fp8x4(fp8x2<How> low, V high)
        : __x(low.__x | static_cast<unsigned>(fp8x2<How>(high).__x) << 16) {}
    fp8x2<How> half(int from) const {
        fp8x2<How> part;
        part.__x = static_cast<unsigned short>(__x >> from);
        return part;
    }
};

} // namespace detail
} // namespace cm

using __nv_fp8_e4m3 = cm::detail::fp8<__NV_E4M3>;
using __nv_fp8_e5m2 = cm::detail::fp8<__NV_E5M2>;
using __nv_fp8x2_e4m3 = cm::detail::fp8x2<__NV_E4M3>;
using __nv_fp8x2_e5m2 = cm::detail::fp8x2<__NV_E5M2>;
using __nv_fp8x4_e4m3 = cm::detail::fp8x4<__NV_E4M3>;
using __nv_fp8x4_e5m2 = cm::detail::fp8x4<__NV_E5M2>;

// ---- conversions of storage ----

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t how) {
    return cm::detail::to_fp8(x, saturate == __NV_SATFINITE, how);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t how) {
    return __nv_cvt_double_to_fp8(x, saturate, how);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t how) {
    return __nv_cvt_float_to_fp8(float(__half(x)), saturate, how);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                      __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t how) {
    return __nv_cvt_float_to_fp8(float(__nv_bfloat16(x)), saturate, how);
}
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 v, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t how) {
    return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(v.x, saturate, how) |
                                             __nv_cvt_double_to_fp8(v.y, saturate, how) << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t how) {
    return __nv_cvt_double2_to_fp8x2(double2{v.x, v.y}, saturate, how);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t how) {
    return __half(cm::detail::from_fp8(x, how));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                              __nv_fp8_interpretation_t how) {
    const __half_raw low = __nv_cvt_fp8_to_halfraw(x & 0xff, how),
                     high = __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x >> 8), how);
    return {low.x, high.x};
}

} // extern "C++"

#endif
