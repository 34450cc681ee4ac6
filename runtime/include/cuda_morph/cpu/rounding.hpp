// SPDX-License-Identifier: Apache-2.0
// Arithmetic that rounds down, up or towards zero (__fadd_rd, __dmul_ru, __fsqrt_rz ...). The
// machine's mode stays as it is: what rounding to nearest left out is exactly known (Dekker,
// Knuth), and its sign says whether the neighbour is the right one. So do conversions to a
// narrower type (__int2float_rz, __double2float_rd ...).
#ifndef CUDA_MORPH_CPU_ROUNDING_HPP
#define CUDA_MORPH_CPU_ROUNDING_HPP

#include <cmath>
#include <limits>

namespace cm {
namespace detail {

enum direction { DOWN, UP, ZERO };

// r is near the exact result, which is larger where `left` is positive, smaller where negative.
template <class T> inline T directed(T r, T left, direction d, bool finite) {
    const T infinity = std::numeric_limits<T>::infinity();
    if (std::isnan(r)) return r;
    if (std::isinf(r)) { // an overflow stops at the largest number, unless it rounds outwards
        const bool outwards = r > 0 ? d == UP : d == DOWN;
        return !finite || outwards ? r : std::copysign(std::numeric_limits<T>::max(), r);
    }
    const bool negative = r < 0 || (r == 0 && std::signbit(r));
    if (d == ZERO) d = negative ? UP : DOWN;
    if (d == DOWN && left < 0) return std::nextafter(r, -infinity);
    if (d == UP && left > 0) return std::nextafter(r, infinity);
    return r;
}
template <class T> inline T add(T a, T b, direction d) {
    volatile T r = a + b, other = r - a, rest = r - other;
    volatile T left = (b - other) + (a - rest);
    return directed<T>(r, left, d, std::isfinite(a) && std::isfinite(b));
}
template <class T> inline T multiply(T a, T b, direction d) {
    volatile T r = a * b;
    const T left = std::fma(a, b, -static_cast<T>(r));
    return directed<T>(r, left, d, std::isfinite(a) && std::isfinite(b));
}
template <class T> inline T divide(T a, T b, direction d) {
    volatile T r = a / b;
    const T left = std::fma(-static_cast<T>(r), b, a);
    return directed<T>(r, b < 0 ? -left : left, d, std::isfinite(a) && b != 0);
}
template <class T> inline T root(T a, direction d) {
    volatile T r = std::sqrt(a);
    return directed<T>(r, std::fma(-static_cast<T>(r), static_cast<T>(r), a), d, true);
}

// x as a T: float, where T and x are floating, or an integer of up to 64 bits.
template <class T> inline T converted(double x, direction d) {
    const T r = static_cast<T>(x);
    const double left = x - static_cast<double>(r);
    return directed<T>(r, left > 0 ? 1 : left < 0 ? -1 : 0, d, std::isfinite(x));
}
template <class T, class I> inline T converted_integer(I x, direction d) {
    const T r = static_cast<T>(x);
    const __int128 left = static_cast<__int128>(x) - static_cast<__int128>(r);
    return directed<T>(r, left > 0 ? 1 : left < 0 ? -1 : 0, d, true);
}

} // namespace detail
} // namespace cm

#define CM_DIRECTED(f, T, way, direction)                                                         \
    inline T __##f##add_##way(T a, T b) { return cm::detail::add<T>(a, b, direction); }           \
    inline T __##f##sub_##way(T a, T b) { return cm::detail::add<T>(a, -b, direction); }          \
    inline T __##f##mul_##way(T a, T b) { return cm::detail::multiply<T>(a, b, direction); }      \
    inline T __##f##div_##way(T a, T b) { return cm::detail::divide<T>(a, b, direction); }        \
    inline T __##f##rcp_##way(T a) { return cm::detail::divide<T>(1, a, direction); }             \
    inline T __##f##sqrt_##way(T a) { return cm::detail::root<T>(a, direction); }
CM_DIRECTED(f, float, rd, cm::detail::DOWN)
CM_DIRECTED(f, float, ru, cm::detail::UP)
CM_DIRECTED(f, float, rz, cm::detail::ZERO)
CM_DIRECTED(d, double, rd, cm::detail::DOWN)
CM_DIRECTED(d, double, ru, cm::detail::UP)
CM_DIRECTED(d, double, rz, cm::detail::ZERO)
#undef CM_DIRECTED

inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline float __double2float_rd(double x) {
    return cm::detail::converted<float>(x, cm::detail::DOWN);
}
inline float __double2float_ru(double x) {
    return cm::detail::converted<float>(x, cm::detail::UP);
}
inline float __double2float_rz(double x) {
    return cm::detail::converted<float>(x, cm::detail::ZERO);
}
#define CM_FROM_INTEGER(from, I, to, T)                                                           \
    inline T __##from##2##to##_rn(I x) { return static_cast<T>(x); }                              \
    inline T __##from##2##to##_rd(I x) {                                                          \
        return cm::detail::converted_integer<T>(x, cm::detail::DOWN);                             \
    }                                                                                             \
    inline T __##from##2##to##_ru(I x) {                                                          \
        return cm::detail::converted_integer<T>(x, cm::detail::UP);                               \
    }                                                                                             \
    inline T __##from##2##to##_rz(I x) {                                                          \
        return cm::detail::converted_integer<T>(x, cm::detail::ZERO);                             \
    }
CM_FROM_INTEGER(int, int, float, float)
CM_FROM_INTEGER(uint, unsigned, float, float)
CM_FROM_INTEGER(ll, long long, float, float)
CM_FROM_INTEGER(ull, unsigned long long, float, float)
CM_FROM_INTEGER(ll, long long, double, double)
CM_FROM_INTEGER(ull, unsigned long long, double, double)
#undef CM_FROM_INTEGER
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

#endif
