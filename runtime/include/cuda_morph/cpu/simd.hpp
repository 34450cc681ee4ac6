// SPDX-License-Identifier: Apache-2.0
// Integers of 8 and 16 bits, four or two in a word (__vadd4, __vmaxs2 ...): the
// SIMD intrinsics of CUDA's math API (parts.hpp), and those of dynamic
// programming.
#ifndef CUDA_MORPH_CPU_SIMD_HPP
#define CUDA_MORPH_CPU_SIMD_HPP

#define CM_PARTS_HELPER inline
#define CM_PARTS_FUNCTION(name) inline unsigned __##name
#include "../parts.hpp"
#undef CM_PARTS_FUNCTION
#undef CM_PARTS_HELPER

// ---- DPX: minima and maxima of three, of sums, and with the answer which one it was ----

namespace cm {
namespace detail {
// For one number of 32 bits, or for two of 16: the low one first.
template <class T, class F> inline T dpx(T a, T b, T c, F f) { return f(a, b, c); }
template <class Part, class F> inline unsigned dpx2(unsigned a, unsigned b, unsigned c, F f) {
    const auto part = [&](int at) {
        const Part made =
            f(static_cast<Part>(a >> at), static_cast<Part>(b >> at), static_cast<Part>(c >> at));
        return static_cast<unsigned>(static_cast<unsigned short>(made));
    };
    return part(0) | part(16) << 16;
}
template <class T> inline T dpx_max(T a, T b) { return a < b ? b : a; }
template <class T> inline T dpx_min(T a, T b) { return b < a ? b : a; }
// Sums wrap.
template <class T> inline T dpx_sum(T a, T b) {
    return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
} // namespace detail
} // namespace cm

#define CM_DPX(which, suffix, W, call, P)                                                         \
    inline W __vi##which##3_##suffix(W a, W b, W c) {                                             \
        return ::cm::detail::call(a, b, c, [](P x, P y, P z) {                                    \
            return ::cm::detail::dpx_##which(::cm::detail::dpx_##which(x, y), z);                 \
        });                                                                                       \
    }                                                                                             \
    inline W __viadd##which##_##suffix(W a, W b, W c) {                                           \
        return ::cm::detail::call(a, b, c, [](P x, P y, P z) {                                    \
            return ::cm::detail::dpx_##which(::cm::detail::dpx_sum(x, y), z);                     \
        });                                                                                       \
    }
// What is below zero becomes zero.
#define CM_DPX_RELU(which, suffix, W, call, P)                                                    \
    inline W __vi##which##3_##suffix##_relu(W a, W b, W c) {                                      \
        return ::cm::detail::call(__vi##which##3_##suffix(a, b, c), W(0), W(0),                   \
                                  [](P x, P y, P) { return ::cm::detail::dpx_max(x, y); });       \
    }                                                                                             \
    inline W __viadd##which##_##suffix##_relu(W a, W b, W c) {                                    \
        return ::cm::detail::call(__viadd##which##_##suffix(a, b, c), W(0), W(0),                 \
                                  [](P x, P y, P) { return ::cm::detail::dpx_max(x, y); });       \
    }                                                                                             \
    inline W __vi##which##_##suffix##_relu(W a, W b) {                                            \
        return __vi##which##3_##suffix##_relu(a, b, b);                                           \
    }
#define CM_DPX_WHICH(which, relation, T, suffix)                                                  \
    inline T __vib##which##_##suffix(T a, T b, bool *first) {                                     \
        *first = a relation b;                                                                    \
        return ::cm::detail::dpx_##which(a, b);                                                   \
    }
#define CM_DPX_WHICH2(which, relation, P, suffix)                                                 \
    inline unsigned __vib##which##_##suffix(unsigned a, unsigned b, bool *high, bool *low) {      \
        *high = static_cast<P>(a >> 16) relation static_cast<P>(b >> 16);                         \
        *low = static_cast<P>(a) relation static_cast<P>(b);                                      \
        return ::cm::detail::dpx2<P>(                                                             \
            a, b, 0, [](P x, P y, P) { return ::cm::detail::dpx_##which(x, y); });                \
    }
#define CM_DPX_ALL(which, relation)                                                               \
    CM_DPX(which, s32, int, dpx<int>, int)                                                        \
    CM_DPX(which, u32, unsigned, dpx<unsigned>, unsigned)                                         \
    CM_DPX(which, s16x2, unsigned, dpx2<short>, short)                                            \
    CM_DPX(which, u16x2, unsigned, dpx2<unsigned short>, unsigned short)                          \
    CM_DPX_RELU(which, s32, int, dpx<int>, int)                                                   \
    CM_DPX_RELU(which, s16x2, unsigned, dpx2<short>, short)                                       \
    CM_DPX_WHICH(which, relation, int, s32)                                                       \
    CM_DPX_WHICH(which, relation, unsigned, u32)                                                  \
    CM_DPX_WHICH2(which, relation, short, s16x2)                                                  \
    CM_DPX_WHICH2(which, relation, unsigned short, u16x2)
CM_DPX_ALL(max, >=)
CM_DPX_ALL(min, <=)
#undef CM_DPX_ALL
#undef CM_DPX_WHICH2
#undef CM_DPX_WHICH
#undef CM_DPX_RELU
#undef CM_DPX

#endif
