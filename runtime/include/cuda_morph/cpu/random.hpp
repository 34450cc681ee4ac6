// SPDX-License-Identifier: Apache-2.0
// The rarer generators of cuRAND, for kernels and for the host: MRG32k3a (L'Ecuyer 1999) and
// Sobol' sequences with the direction numbers of Joe and Kuo (new-joe-kuo-6, 20 dimensions), and
// Poisson numbers. Included by curand_kernel.h.
#ifndef CUDA_MORPH_CPU_RANDOM_HPP
#define CUDA_MORPH_CPU_RANDOM_HPP

#include <random>

struct curandStateMRG32k3a {
    double s1[3], s2[3];
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
};
struct curandStateSobol32 {
    unsigned i, x, direction[32];
};
using curandStateMRG32k3a_t = curandStateMRG32k3a;
using curandStateSobol32_t = curandStateSobol32;
typedef unsigned curandDirectionVectors32_t[32];

namespace cm {
namespace detail {

// 3 x 3 matrices modulo m: jumps of MRG32k3a.
struct mrg_matrix {
    unsigned long long v[3][3];
};
inline mrg_matrix multiply(const mrg_matrix &a, const mrg_matrix &b, unsigned long long m) {
    mrg_matrix r{};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) r.v[i][j] = (r.v[i][j] + a.v[i][k] * b.v[k][j] % m) % m;
    return r;
}
// Applies the n-th power of the step's matrix, squared `doublings` times before.
inline void mrg_jump(double (&s)[3], mrg_matrix step, unsigned long long m, unsigned long long n,
                     int doublings) {
    while (doublings-- > 0) step = multiply(step, step, m);
    for (; n; n >>= 1, step = multiply(step, step, m)) {
        if (!(n & 1)) continue;
        unsigned long long r[3] = {};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                r[i] = (r[i] + step.v[i][k] * static_cast<unsigned long long>(s[k]) % m) % m;
        for (int i = 0; i < 3; i++) s[i] = static_cast<double>(r[i]);
    }
}
constexpr unsigned long long mrg_m1 = 4294967087ull, mrg_m2 = 4294944443ull;
inline void mrg_skip(curandStateMRG32k3a *s, unsigned long long n, int doublings) {
    mrg_jump(s->s1, {{{0, 1, 0}, {0, 0, 1}, {mrg_m1 - 810728, 1403580, 0}}}, mrg_m1, n, doublings);
    mrg_jump(s->s2, {{{0, 1, 0}, {0, 0, 1}, {mrg_m2 - 1370589, 0, 527612}}}, mrg_m2, n, doublings);
}

// The direction numbers of a dimension from 0 on; false beyond those that are here.
inline bool sobol_directions(unsigned dimension, unsigned (&v)[32]) {
    static const struct {
        unsigned char degree, coefficients, m[7];
    } rows[] = {{1, 0, {1}},
                {2, 1, {1, 3}},
                {3, 1, {1, 3, 1}},
                {3, 2, {1, 1, 1}},
                {4, 1, {1, 1, 3, 3}},
                {4, 4, {1, 3, 5, 13}},
                {5, 2, {1, 1, 5, 5, 17}},
                {5, 4, {1, 1, 5, 5, 5}},
                {5, 7, {1, 1, 7, 11, 19}},
                {5, 11, {1, 1, 5, 1, 1}},
                {5, 13, {1, 1, 1, 3, 11}},
                {5, 14, {1, 3, 5, 5, 31}},
                {6, 1, {1, 3, 3, 9, 7, 49}},
                {6, 13, {1, 1, 1, 15, 21, 21}},
                {6, 16, {1, 3, 1, 13, 27, 49}},
                {6, 19, {1, 1, 1, 15, 7, 5}},
                {6, 22, {1, 3, 1, 15, 13, 25}},
                {6, 25, {1, 1, 5, 5, 19, 61}},
                {7, 1, {1, 3, 7, 11, 23, 15, 103}}};
    if (dimension > sizeof rows / sizeof *rows) return false;
    if (!dimension) {
        for (int i = 0; i < 32; i++) v[i] = 1u << (31 - i);
        return true;
    }
    const auto &row = rows[dimension - 1];
    const int s = row.degree;
    for (int i = 0; i < 32; i++) {
        if (i < s) {
            v[i] = static_cast<unsigned>(row.m[i]) << (31 - i);
            continue;
        }
        v[i] = v[i - s] ^ v[i - s] >> s;
        for (int k = 1; k < s; k++)
            if (row.coefficients >> (s - 1 - k) & 1) v[i] ^= v[i - k];
    }
    return true;
}

// A generator as the standard library's distributions want it.
template <class S> struct bits {
    using result_type = unsigned;
    S *state;
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return 0xffffffffu; }
    unsigned operator()() { return curand(state); }
};

} // namespace detail
} // namespace cm

inline unsigned curand(curandStateMRG32k3a *s) {
    constexpr double m1 = 4294967087.0, m2 = 4294944443.0;
    const double p = fmod(1403580.0 * s->s1[1] - 810728.0 * s->s1[0], m1),
                 q = fmod(527612.0 * s->s2[2] - 1370589.0 * s->s2[0], m2);
    s->s1[0] = s->s1[1], s->s1[1] = s->s1[2], s->s1[2] = p < 0 ? p + m1 : p;
    s->s2[0] = s->s2[1], s->s2[1] = s->s2[2], s->s2[2] = q < 0 ? q + m2 : q;
    const double z = s->s1[2] - s->s2[2];
    return static_cast<unsigned>(z <= 0 ? z + m1 : z);
}
inline void skipahead(unsigned long long n, curandStateMRG32k3a *s) {
    cm::detail::mrg_skip(s, n, 0);
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *s) {
    cm::detail::mrg_skip(s, n, 76);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *s) {
    cm::detail::mrg_skip(s, n, 127);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateMRG32k3a *s) {
    *s = curandStateMRG32k3a{};
    const unsigned x1 = static_cast<unsigned>(seed) ^ 0x55555555u,
                   x2 = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaau;
    const auto mixed = [](unsigned x, unsigned long long m) {
        return static_cast<double>(static_cast<unsigned long long>(x) * 12345u % m);
    };
    constexpr auto m1 = cm::detail::mrg_m1, m2 = cm::detail::mrg_m2;
    for (int i = 0; i < 3; i++) s->s1[i] = s->s2[i] = 12345.0;
    if (seed) {
        s->s1[0] = mixed(x1, m1), s->s1[1] = mixed(x2, m1), s->s1[2] = mixed(x1, m1);
        s->s2[0] = mixed(x2, m2), s->s2[1] = mixed(x1, m2), s->s2[2] = mixed(x2, m2);
    }
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
}

// Point number n is the sum of the directions that n's Gray code names.
inline void skipahead(unsigned n, curandStateSobol32 *s) {
    s->i += n;
    s->x = 0;
    const unsigned gray = s->i ^ s->i >> 1;
    for (int k = 0; k < 32; k++)
        if (gray >> k & 1) s->x ^= s->direction[k];
}
inline void curand_init(const unsigned *directions, unsigned offset, curandStateSobol32 *s) {
    s->i = 0;
    memcpy(s->direction, directions, sizeof s->direction);
    skipahead(offset, s);
}
inline unsigned curand(curandStateSobol32 *s) {
    const unsigned now = s->x;
    if (~s->i) s->x ^= s->direction[__builtin_ctz(~s->i)];
    s->i++;
    return now;
}

template <class S> inline unsigned curand_poisson(S *s, double lambda) {
    if (!(lambda > 0)) return 0;
    cm::detail::bits<S> source{s};
    return std::poisson_distribution<unsigned>(lambda)(source);
}

#endif
