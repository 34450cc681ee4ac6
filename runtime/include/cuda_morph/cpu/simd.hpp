// SPDX-License-Identifier: Apache-2.0
// Integers of 8 and 16 bits, four or two in a word (__vadd4, __vmaxs2 ...): the
// SIMD intrinsics of CUDA's math API. S and U in what follows are the signed
// and the unsigned type of one part.
#ifndef CUDA_MORPH_CPU_SIMD_HPP
#define CUDA_MORPH_CPU_SIMD_HPP

namespace cm {
namespace detail {

// Of each pair of parts what f makes of them, cut to the part's size.
template <class Part, class F> inline unsigned parts(unsigned a, unsigned b, F f) {
    constexpr unsigned bits = 8 * sizeof(Part), mask = (1u << bits) - 1;
    unsigned result = 0;
    for (unsigned at = 0; at < 32; at += bits)
        result |= (static_cast<unsigned>(f(static_cast<int>(static_cast<Part>(a >> at)),
                                           static_cast<int>(static_cast<Part>(b >> at)))) &
                   mask)
                  << at;
    return result;
}
template <class Part, class F> inline unsigned parts_sum(unsigned a, unsigned b, F f) {
    unsigned sum = 0;
    for (unsigned at = 0; at < 32; at += 8 * sizeof(Part))
        sum += static_cast<unsigned>(f(static_cast<int>(static_cast<Part>(a >> at)),
                                       static_cast<int>(static_cast<Part>(b >> at))));
    return sum;
}
template <class Part> inline int part_saturated(int x) {
    const int least = static_cast<Part>(-1) < 0 ? -(1 << (8 * sizeof(Part) - 1)) : 0;
    const int most = least + (1 << 8 * sizeof(Part)) - 1;
    return x < least ? least : x > most ? most : x;
}
inline int part_distance(int a, int b) { return a < b ? b - a : a - b; }

} // namespace detail
} // namespace cm

#define CM_PARTS(name, Part, expression)                                                          \
    inline unsigned name(unsigned x, unsigned y) {                                                \
        return ::cm::detail::parts<Part>(x, y, [](int a, int b) {                                 \
            (void)b;                                                                              \
            return expression;                                                                    \
        });                                                                                       \
    }
#define CM_PARTS_OF_ONE(name, Part, expression)                                                   \
    inline unsigned name(unsigned x) {                                                            \
        return ::cm::detail::parts<Part>(x, 0, [](int a, int) { return expression; });            \
    }
#define CM_PARTS_COMPARED(relation, sign, n, Part, operation)                                     \
    CM_PARTS(__vcmp##relation##sign##n, Part, a operation b ? -1 : 0)                             \
    CM_PARTS(__vset##relation##sign##n, Part, a operation b ? 1 : 0)

#define CM_PARTS_ALL(n, S, U)                                                                     \
    CM_PARTS_OF_ONE(__vabs##n, S, a < 0 ? -a : a)                                                 \
    CM_PARTS_OF_ONE(__vabsss##n, S, ::cm::detail::part_saturated<S>(a < 0 ? -a : a))              \
    CM_PARTS_OF_ONE(__vneg##n, S, -a)                                                             \
    CM_PARTS_OF_ONE(__vnegss##n, S, ::cm::detail::part_saturated<S>(-a))                          \
    CM_PARTS(__vabsdiffs##n, S, ::cm::detail::part_distance(a, b))                                \
    CM_PARTS(__vabsdiffu##n, U, ::cm::detail::part_distance(a, b))                                \
    CM_PARTS(__vadd##n, U, a + b)                                                                 \
    CM_PARTS(__vaddss##n, S, ::cm::detail::part_saturated<S>(a + b))                              \
    CM_PARTS(__vaddus##n, U, ::cm::detail::part_saturated<U>(a + b))                              \
    CM_PARTS(__vsub##n, U, a - b)                                                                 \
    CM_PARTS(__vsubss##n, S, ::cm::detail::part_saturated<S>(a - b))                              \
    CM_PARTS(__vsubus##n, U, ::cm::detail::part_saturated<U>(a - b))                              \
    CM_PARTS(__vavgs##n, S, (a + b + (a + b >= 0)) >> 1)                                          \
    CM_PARTS(__vavgu##n, U, (a + b + 1) >> 1)                                                     \
    CM_PARTS(__vhaddu##n, U, (a + b) >> 1)                                                        \
    CM_PARTS(__vmaxs##n, S, a < b ? b : a)                                                        \
    CM_PARTS(__vmaxu##n, U, a < b ? b : a)                                                        \
    CM_PARTS(__vmins##n, S, b < a ? b : a)                                                        \
    CM_PARTS(__vminu##n, U, b < a ? b : a)                                                        \
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
    inline unsigned __vsads##n(unsigned a, unsigned b) {                                          \
        return ::cm::detail::parts_sum<S>(a, b, ::cm::detail::part_distance);                     \
    }                                                                                             \
    inline unsigned __vsadu##n(unsigned a, unsigned b) {                                          \
        return ::cm::detail::parts_sum<U>(a, b, ::cm::detail::part_distance);                     \
    }
CM_PARTS_ALL(2, short, unsigned short)
CM_PARTS_ALL(4, signed char, unsigned char)
#undef CM_PARTS_ALL
#undef CM_PARTS_COMPARED
#undef CM_PARTS_OF_ONE
#undef CM_PARTS

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
