// What cuda_morph/hip_rounding.h computes, against the processor's own directed rounding: numbers
// of all sizes, at random and at the ends.
#include <cfenv>
#include <cmath>
#include <cuda_morph/hip_rounding.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

static int passed, failed;

template <class T> static bool same(T a, T b) {
    return (a != a && b != b) || memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T> static void check(T ours, T right, const char *what, T x, T y, T z) {
    if (same(ours, right)) {
        passed++;
    } else if (failed++ < 20) {
        fprintf(stderr, "%s(%a, %a, %a) is %a, not %a\n", what, static_cast<double>(x),
                static_cast<double>(y), static_cast<double>(z), static_cast<double>(ours),
                static_cast<double>(right));
    }
}

// The expression by the processor, in one direction.
#define RIGHT(direction, type, expression)                                                        \
    [&] {                                                                                         \
        fesetround(direction);                                                                    \
        volatile type a = x, b = y, c = z;                                                        \
        (void)b, (void)c;                                                                         \
        volatile type result = expression;                                                        \
        fesetround(FE_TONEAREST);                                                                 \
        return static_cast<type>(result);                                                         \
    }()
#define ONE(type, name, call, expression)                                                         \
    check<type>(cm_##name##_rd call, RIGHT(FE_DOWNWARD, type, expression), #name "_rd", x, y, z); \
    check<type>(cm_##name##_ru call, RIGHT(FE_UPWARD, type, expression), #name "_ru", x, y, z);   \
    check<type>(cm_##name##_rz call, RIGHT(FE_TOWARDZERO, type, expression), #name "_rz", x, y, z)

static void doubles(double x, double y, double z) {
    ONE(double, dadd, (x, y), a + b);
    ONE(double, dsub, (x, y), a - b);
    ONE(double, dmul, (x, y), a *b);
    ONE(double, ddiv, (x, y), a / b);
    ONE(double, drcp, (x), 1.0 / a);
    ONE(double, dsqrt, (x), sqrt(a));
}
static void floats(float x, float y, float z) {
    ONE(float, fadd, (x, y), a + b);
    ONE(float, fsub, (x, y), a - b);
    ONE(float, fmul, (x, y), a *b);
    ONE(float, fdiv, (x, y), a / b);
    ONE(float, frcp, (x), 1.0f / a);
    ONE(float, fsqrt, (x), sqrtf(a));
    ONE(float, fmaf, (x, y, z), fmaf(a, b, c));
}

static uint64_t state = 88172645463325252ull;
static uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

// Any bits; bits with few ones; a neighbour of the last number or its opposite; the ends.
template <class T, class Bits> static T number() {
    static T last = 1;
    const T ends[] = {0,
                      -T(0),
                      1,
                      -1,
                      2,
                      std::nextafter(T(0), T(1)),
                      std::nextafter(T(1), T(2)),
                      T(INFINITY),
                      -T(INFINITY),
                      T(NAN),
                      sizeof(T) == 4 ? T(3.402823466e38f) : T(1.7976931348623157e308),
                      sizeof(T) == 4 ? T(1.17549435e-38f) : T(2.2250738585072014e-308)};
    Bits b = static_cast<Bits>(next());
    switch (next() % 6) {
    case 0:
        return last = ends[next() % (sizeof(ends) / sizeof(*ends))];
    case 1:
        return last = -std::nextafter(last, T(next() % 2 ? 10 : -10));
    case 2:
        b &= static_cast<Bits>(next()) & static_cast<Bits>(next());
        break;
    case 3:
        return last = static_cast<T>(static_cast<int>(next() % 2000) - 1000) / 8;
    default:
        break;
    }
    memcpy(&last, &b, sizeof(b));
    return last;
}

int main() {
    for (int i = 0; i < 300000; i++) {
        doubles(number<double, uint64_t>(), number<double, uint64_t>(), 0);
        floats(number<float, uint32_t>(), number<float, uint32_t>(), number<float, uint32_t>());
    }
    printf("rounding: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
