// Arithmetic that rounds down, up or towards zero (__fadd_rd, __dmul_ru, __fsqrt_rz ...). The
// machine's mode stays as it is: what rounding to nearest left out is exactly known (Dekker,
// Knuth), and its sign says whether the neighbour is the right one.
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

#endif
