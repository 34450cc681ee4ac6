// SPDX-License-Identifier: Apache-2.0
// Integers of 8 and 16 bits, four or two in a word: the arithmetic of CUDA's SIMD intrinsics
// (__vadd4, __vmaxs2 ...), and of those for dynamic programming (__vimax3_s32), for the processor
// (cpu/simd.hpp) and for HIP (hip_simd.h), which say before they include it what a function of
// theirs looks like: CM_PARTS_NAME(name), with the name behind its underscores, and
// CM_PARTS_HELPER, the specifiers. S and U in what follows are the signed and the unsigned type of
// one part.
#ifndef CUDA_MORPH_PARTS_HPP
#define CUDA_MORPH_PARTS_HPP

namespace cm {
namespace detail {

// Of each pair of parts what f makes of them, cut to the part's size.
template <class Part, class F> CM_PARTS_HELPER unsigned parts(unsigned a, unsigned b, F f) {
    constexpr unsigned bits = 8 * sizeof(Part), mask = (1u << bits) - 1;
    unsigned result = 0;
    for (unsigned at = 0; at < 32; at += bits)
        result |= (static_cast<unsigned>(f(static_cast<int>(static_cast<Part>(a >> at)),
                                           static_cast<int>(static_cast<Part>(b >> at)))) &
                   mask)
                  << at;
    return result;
}
template <class Part, class F> CM_PARTS_HELPER unsigned parts_sum(unsigned a, unsigned b, F f) {
    unsigned sum = 0;
    for (unsigned at = 0; at < 32; at += 8 * sizeof(Part))
        sum += static_cast<unsigned>(f(static_cast<int>(static_cast<Part>(a >> at)),
                                       static_cast<int>(static_cast<Part>(b >> at))));
    return sum;
}
template <class Part> CM_PARTS_HELPER int part_saturated(int x) {
    const int least = static_cast<Part>(-1) < 0 ? -(1 << (8 * sizeof(Part) - 1)) : 0;
    const int most = least + (1 << 8 * sizeof(Part)) - 1;
    return x < least ? least : x > most ? most : x;
}
CM_PARTS_HELPER int part_distance(int a, int b) { return a < b ? b - a : a - b; }

} // namespace detail
} // namespace cm

#define CM_PARTS_FUNCTION(name) CM_PARTS_HELPER unsigned CM_PARTS_NAME(name)
#define CM_PARTS(name, Part, expression)                                                          \
    CM_PARTS_FUNCTION(name)(unsigned x, unsigned y) {                                             \
        return ::cm::detail::parts<Part>(x, y, [](int a, int b) {                                 \
            (void)b;                                                                              \
            return expression;                                                                    \
        });                                                                                       \
    }
#define CM_PARTS_OF_ONE(name, Part, expression)                                                   \
    CM_PARTS_FUNCTION(name)(unsigned x) {                                                         \
        return ::cm::detail::parts<Part>(x, 0, [](int a, int) { return expression; });            \
    }
#define CM_PARTS_COMPARED(relation, sign, n, Part, operation)                                     \
    CM_PARTS(vcmp##relation##sign##n, Part, a operation b ? -1 : 0)                               \
    CM_PARTS(vset##relation##sign##n, Part, a operation b ? 1 : 0)

#define CM_PARTS_ALL(n, S, U)                                                                     \
    CM_PARTS_OF_ONE(vabs##n, S, a < 0 ? -a : a)                                                   \
    CM_PARTS_OF_ONE(vabsss##n, S, ::cm::detail::part_saturated<S>(a < 0 ? -a : a))                \
    CM_PARTS_OF_ONE(vneg##n, S, -a)                                                               \
    CM_PARTS_OF_ONE(vnegss##n, S, ::cm::detail::part_saturated<S>(-a))                            \
    CM_PARTS(vabsdiffs##n, S, ::cm::detail::part_distance(a, b))                                  \
    CM_PARTS(vabsdiffu##n, U, ::cm::detail::part_distance(a, b))                                  \
    CM_PARTS(vadd##n, U, a + b)                                                                   \
    CM_PARTS(vaddss##n, S, ::cm::detail::part_saturated<S>(a + b))                                \
    CM_PARTS(vaddus##n, U, ::cm::detail::part_saturated<U>(a + b))                                \
    CM_PARTS(vsub##n, U, a - b)                                                                   \
    CM_PARTS(vsubss##n, S, ::cm::detail::part_saturated<S>(a - b))                                \
    CM_PARTS(vsubus##n, U, ::cm::detail::part_saturated<U>(a - b))                                \
    CM_PARTS(vavgs##n, S, (a + b + (a + b >= 0)) >> 1)                                            \
    CM_PARTS(vavgu##n, U, (a + b + 1) >> 1)                                                       \
    CM_PARTS(vhaddu##n, U, (a + b) >> 1)                                                          \
    CM_PARTS(vmaxs##n, S, a < b ? b : a)                                                          \
    CM_PARTS(vmaxu##n, U, a < b ? b : a)                                                          \
    CM_PARTS(vmins##n, S, b < a ? b : a)                                                          \
    CM_PARTS(vminu##n, U, b < a ? b : a)                                                          \
    CM_PARTS_COMPARED(eq, , n, U, ==)                                                             \
    CM_PARTS_COMPARED(ne, , n, U, !=)                                                             \
    CM_PARTS_COMPARED(ge, s, n, S, >=)                                                            \
    CM_PARTS_COMPARED(ge, u, n, U, >=)                                                            \
    CM_PARTS_COMPARED(gt, s, n, S, >)                                                             \
    CM_PARTS_COMPARED(gt, u, n, U, >)                                                             \
    CM_PARTS_COMPARED(le, s, n, S, <=)                                                            \
    CM_PARTS_COMPARED(le, u, n, U, <=)                                                            \
    CM_PARTS_COMPARED(lt, s, n, S, <)                                                             \
    CM_PARTS_COMPARED(lt, u, n, U, <)                                                             \
    CM_PARTS_FUNCTION(vsads##n)(unsigned a, unsigned b) {                                         \
        return ::cm::detail::parts_sum<S>(a, b, ::cm::detail::part_distance);                     \
    }                                                                                             \
    CM_PARTS_FUNCTION(vsadu##n)(unsigned a, unsigned b) {                                         \
        return ::cm::detail::parts_sum<U>(a, b, ::cm::detail::part_distance);                     \
    }
CM_PARTS_ALL(2, short, unsigned short)
CM_PARTS_ALL(4, signed char, unsigned char)
#undef CM_PARTS_ALL
#undef CM_PARTS_COMPARED
#undef CM_PARTS_OF_ONE
#undef CM_PARTS
#undef CM_PARTS_FUNCTION

// ---- DPX: minima and maxima of three, of sums, and with the answer which one it was ----

namespace cm {
namespace detail {
// For one number of 32 bits, or for two of 16: the low one first.
template <class T, class F> CM_PARTS_HELPER T dpx(T a, T b, T c, F f) { return f(a, b, c); }
template <class Part, class F>
CM_PARTS_HELPER unsigned dpx2(unsigned a, unsigned b, unsigned c, F f) {
    const auto part = [&](int at) {
        const Part made =
            f(static_cast<Part>(a >> at), static_cast<Part>(b >> at), static_cast<Part>(c >> at));
        return static_cast<unsigned>(static_cast<unsigned short>(made));
    };
    return part(0) | part(16) << 16;
}
template <class T> CM_PARTS_HELPER T dpx_max(T a, T b) { return a < b ? b : a; }
template <class T> CM_PARTS_HELPER T dpx_min(T a, T b) { return b < a ? b : a; }
// Sums wrap.
template <class T> CM_PARTS_HELPER T dpx_sum(T a, T b) {
    return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
} // namespace detail
} // namespace cm

#define CM_DPX(which, suffix, W, call, P)                                                         \
    CM_PARTS_HELPER W CM_PARTS_NAME(vi##which##3_##suffix)(W a, W b, W c) {                       \
        return ::cm::detail::call(a, b, c, [](P x, P y, P z) {                                    \
            return ::cm::detail::dpx_##which(::cm::detail::dpx_##which(x, y), z);                 \
        });                                                                                       \
    }                                                                                             \
    CM_PARTS_HELPER W CM_PARTS_NAME(viadd##which##_##suffix)(W a, W b, W c) {                     \
        return ::cm::detail::call(a, b, c, [](P x, P y, P z) {                                    \
            return ::cm::detail::dpx_##which(::cm::detail::dpx_sum(x, y), z);                     \
        });                                                                                       \
    }
// What is below zero becomes zero.
#define CM_DPX_RELU(which, suffix, W, call, P)                                                    \
    CM_PARTS_HELPER W CM_PARTS_NAME(vi##which##3_##suffix##_relu)(W a, W b, W c) {                \
        return ::cm::detail::call(CM_PARTS_NAME(vi##which##3_##suffix)(a, b, c), W(0), W(0),      \
                                  [](P x, P y, P) { return ::cm::detail::dpx_max(x, y); });       \
    }                                                                                             \
    CM_PARTS_HELPER W CM_PARTS_NAME(viadd##which##_##suffix##_relu)(W a, W b, W c) {              \
        return ::cm::detail::call(CM_PARTS_NAME(viadd##which##_##suffix)(a, b, c), W(0), W(0),    \
                                  [](P x, P y, P) { return ::cm::detail::dpx_max(x, y); });       \
    }                                                                                             \
    CM_PARTS_HELPER W CM_PARTS_NAME(vi##which##_##suffix##_relu)(W a, W b) {                      \
        return CM_PARTS_NAME(vi##which##3_##suffix##_relu)(a, b, b);                              \
    }
#define CM_DPX_WHICH(which, relation, T, suffix)                                                  \
    CM_PARTS_HELPER T CM_PARTS_NAME(vib##which##_##suffix)(T a, T b, bool *first) {               \
        *first = a relation b;                                                                    \
        return ::cm::detail::dpx_##which(a, b);                                                   \
    }
#define CM_DPX_WHICH2(which, relation, P, suffix)                                                 \
    CM_PARTS_HELPER unsigned CM_PARTS_NAME(vib##which##_##suffix)(unsigned a, unsigned b,         \
                                                                  bool *high, bool *low) {        \
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
