/* SPDX-License-Identifier: Apache-2.0 */
// cuRAND's host interface: curandGenerateUniform() is cmRandGenerateUniform(), with the same
// arguments. XORWOW and Philox are those of curand_kernel.h: XORWOW in the order that cuRAND
// documents as legacy (4,096 sequences take turns), Philox as one sequence. MRG32k3a and MT19937
// are one sequence each, in the order of the published generator; MTGP32 is answered by MT19937.
// Sobol' has 20 dimensions. Numbers are made in the order of the generator's stream.
#ifndef CUDA_MORPH_RAND_H
#define CUDA_MORPH_RAND_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/curand_kernel.h>
#include <memory>
#include <random>
#include <vector>

#define CURAND_H_
#define CM_RAND_VERSION 10300

typedef enum cmRandStatus {
    CM_RAND_STATUS_SUCCESS = 0,
    CM_RAND_STATUS_VERSION_MISMATCH = 100,
    CM_RAND_STATUS_NOT_INITIALIZED = 101,
    CM_RAND_STATUS_ALLOCATION_FAILED = 102,
    CM_RAND_STATUS_TYPE_ERROR = 103,
    CM_RAND_STATUS_OUT_OF_RANGE = 104,
    CM_RAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CM_RAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CM_RAND_STATUS_LAUNCH_FAILURE = 201,
    CM_RAND_STATUS_PREEXISTING_FAILURE = 202,
    CM_RAND_STATUS_INITIALIZATION_FAILED = 203,
    CM_RAND_STATUS_ARCH_MISMATCH = 204,
    CM_RAND_STATUS_INTERNAL_ERROR = 999
} cmRandStatus_t;
typedef enum cmRandRngType {
    CM_RAND_RNG_TEST = 0,
    CM_RAND_RNG_PSEUDO_DEFAULT = 100,
    CM_RAND_RNG_PSEUDO_XORWOW = 101,
    CM_RAND_RNG_PSEUDO_MRG32K3A = 121,
    CM_RAND_RNG_PSEUDO_MTGP32 = 141,
    CM_RAND_RNG_PSEUDO_MT19937 = 142,
    CM_RAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CM_RAND_RNG_QUASI_DEFAULT = 200,
    CM_RAND_RNG_QUASI_SOBOL32 = 201,
    CM_RAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CM_RAND_RNG_QUASI_SOBOL64 = 203,
    CM_RAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} cmRandRngType_t;
typedef enum cmRandOrdering {
    CM_RAND_ORDERING_PSEUDO_BEST = 100,
    CM_RAND_ORDERING_PSEUDO_DEFAULT = 101,
    CM_RAND_ORDERING_PSEUDO_SEEDED = 102,
    CM_RAND_ORDERING_PSEUDO_LEGACY = 103,
    CM_RAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CM_RAND_ORDERING_QUASI_DEFAULT = 201
} cmRandOrdering_t;
typedef enum cmRandDirectionVectorSet {
    CM_RAND_DIRECTION_VECTORS_32_JOEKUO6 = 101
} cmRandDirectionVectorSet_t;

namespace cm {
namespace rand {

// 32 random bits at a time.
struct source {
    virtual ~source() = default;
    virtual unsigned next() = 0;
    virtual void skip(unsigned long long n) {
        while (n-- > 0) next();
    }
    using result_type = unsigned;
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return 0xffffffffu; }
    unsigned operator()() { return next(); }
};

// Number n is number n / 4096 of sequence n % 4096.
class xorwow : public source {
    std::vector<curandStateXORWOW> states_;
    unsigned long long at_ = 0;

  public:
    explicit xorwow(unsigned long long seed) : states_(4096) {
        curand_init(seed, 0, 0, &states_[0]);
        for (size_t i = 1; i < states_.size(); i++) {
            states_[i] = states_[i - 1];
            skipahead_sequence(1, &states_[i]);
        }
    }
    unsigned next() override { return curand(&states_[at_++ % 4096]); }
    void skip(unsigned long long n) override {
        for (unsigned long long i = 0; i < 4096; i++) {
            const unsigned long long first = (at_ + i) % 4096;
            skipahead(n / 4096 + (i < n % 4096), &states_[first]);
        }
        at_ += n;
    }
};
template <class S> class stateful : public source {
    S state_;

  public:
    explicit stateful(unsigned long long seed) { curand_init(seed, 0, 0, &state_); }
    unsigned next() override { return curand(&state_); }
    void skip(unsigned long long n) override { skipahead(n, &state_); }
};
class twister : public source {
    std::mt19937 engine_;

  public:
    explicit twister(unsigned long long seed) : engine_(static_cast<unsigned>(seed)) {}
    unsigned next() override { return static_cast<unsigned>(engine_()); }
    void skip(unsigned long long n) override { engine_.discard(n); }
};

// The output of one call: dimensions of a Sobol' sequence one after the other, `each` of each.
class sobol : public source {
    std::vector<curandStateSobol32> states_;
    unsigned long long each_ = 0, at_ = 0;

  public:
    explicit sobol(unsigned dimensions) : states_(dimensions) {
        for (unsigned d = 0; d < dimensions; d++) {
            unsigned v[32] = {};
            cm::detail::sobol_directions(d, v);
            curand_init(v, 0, &states_[d]);
        }
    }
    void begin(unsigned long long n) { each_ = n / states_.size(), at_ = 0; }
    unsigned next() override { return curand(&states_[each_ ? at_++ / each_ : 0]); }
    void skip(unsigned long long n) override {
        for (auto &s : states_) skipahead(static_cast<unsigned>(n), &s);
    }
};

inline double normal_quantile(double p) { // Hastings' approximation, refined
    const double q = p < 0.5 ? p : 1 - p, t = ::sqrt(-2 * ::log(q));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 3; i++) { // Newton's method on the tail
        const double e = 0.5 * ::erfc(x / 1.4142135623730951) - q;
        x += e * 2.5066282746310002 * ::exp(x * x / 2);
    }
    return p < 0.5 ? -x : x;
}

} // namespace rand
} // namespace cm

struct cmRandGenerator_st {
    cmRandRngType_t type;
    bool host;
    cmStream_t stream = nullptr;
    unsigned long long seed = 0, offset = 0;
    unsigned dimensions = 1;
    std::shared_ptr<cm::rand::source> state; // made again after a new seed or offset
};
using cmRandGenerator_t = cmRandGenerator_st *;

namespace cm {
namespace rand {

inline bool quasi(const cmRandGenerator_st *g) { return g->type >= CM_RAND_RNG_QUASI_DEFAULT; }

inline std::shared_ptr<source> make(const cmRandGenerator_st *g) {
    std::shared_ptr<source> s;
    switch (g->type) {
    case CM_RAND_RNG_PSEUDO_PHILOX4_32_10:
        s = std::make_shared<stateful<curandStatePhilox4_32_10>>(g->seed);
        break;
    case CM_RAND_RNG_PSEUDO_MRG32K3A:
        s = std::make_shared<stateful<curandStateMRG32k3a>>(g->seed);
        break;
    case CM_RAND_RNG_PSEUDO_MT19937:
    case CM_RAND_RNG_PSEUDO_MTGP32:
        s = std::make_shared<twister>(g->seed);
        break;
    case CM_RAND_RNG_QUASI_DEFAULT:
    case CM_RAND_RNG_QUASI_SOBOL32:
        s = std::make_shared<sobol>(g->dimensions);
        break;
    default:
        s = std::make_shared<xorwow>(g->seed);
    }
    if (g->offset) s->skip(g->offset);
    return s;
}

inline cmRandStatus_t create(cmRandGenerator_t *g, cmRandRngType_t type, bool host) {
    if (!g) return CM_RAND_STATUS_NOT_INITIALIZED;
    switch (type) {
    case CM_RAND_RNG_PSEUDO_DEFAULT:
    case CM_RAND_RNG_PSEUDO_XORWOW:
    case CM_RAND_RNG_PSEUDO_MRG32K3A:
    case CM_RAND_RNG_PSEUDO_MTGP32:
    case CM_RAND_RNG_PSEUDO_MT19937:
    case CM_RAND_RNG_PSEUDO_PHILOX4_32_10:
    case CM_RAND_RNG_QUASI_DEFAULT:
    case CM_RAND_RNG_QUASI_SOBOL32:
        break;
    default: // scrambled and 64-bit Sobol' sequences need tables that are not here
        return CM_RAND_STATUS_TYPE_ERROR;
    }
    *g = new (std::nothrow) cmRandGenerator_st{type, host, nullptr, 0, 0, 1, nullptr};
    return *g ? CM_RAND_STATUS_SUCCESS : CM_RAND_STATUS_ALLOCATION_FAILED;
}

// Fills `out` by with(source, out); the caller's memory when it is a generator of the host's.
template <class T, class Fill>
inline cmRandStatus_t fill(cmRandGenerator_t g, T *out, size_t n, Fill with) {
    if (!g) return CM_RAND_STATUS_NOT_INITIALIZED;
    if (quasi(g) && n % g->dimensions) return CM_RAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (!g->state) g->state = make(g);
    const std::shared_ptr<source> state = g->state;
    const bool points = quasi(g);
    const auto work = [=](T *to) {
        if (points) static_cast<sobol &>(*state).begin(n);
        with(*state, to);
    };
    if (g->host) {
        work(out);
        return CM_RAND_STATUS_SUCCESS;
    }
    return cm::library::produce(g->stream, out, n, work) ? CM_RAND_STATUS_LAUNCH_FAILURE
                                                         : CM_RAND_STATUS_SUCCESS;
}

template <class T> inline T unit(source &s) {
    if (sizeof(T) == sizeof(float)) return static_cast<T>(cm::detail::unit_float(s.next()));
    const unsigned x = s.next(), y = s.next();
    return static_cast<T>(cm::detail::unit_double(x, y));
}

// Normal numbers, and exp() of them.
template <class T>
inline cmRandStatus_t normal(cmRandGenerator_t g, T *out, size_t n, T mean, T deviation,
                             bool log) {
    if (g && !quasi(g) && n % 2) return CM_RAND_STATUS_LENGTH_NOT_MULTIPLE;
    const bool points = g && quasi(g);
    return fill(g, out, n, [=](source &s, T *to) {
        for (size_t i = 0; i < n; i += points ? 1 : 2) {
            T v[2] = {};
            if (points) {
                v[0] = static_cast<T>(normal_quantile((s.next() + 0.5) * 0x1p-32));
            } else if (sizeof(T) == sizeof(float)) {
                const unsigned x = s.next(), y = s.next();
                const float2 pair = cm::detail::box_muller(x, y);
                v[0] = static_cast<T>(pair.x), v[1] = static_cast<T>(pair.y);
            } else {
                const unsigned x0 = s.next(), x1 = s.next(), y0 = s.next(), y1 = s.next();
                const double2 pair = cm::detail::box_muller_double(x0, x1, y0, y1);
                v[0] = static_cast<T>(pair.x), v[1] = static_cast<T>(pair.y);
            }
            for (size_t k = 0; k < (points ? 1u : 2u); k++) {
                const T value = mean + deviation * v[k];
                to[i + k] = log ? std::exp(value) : value;
            }
        }
    });
}

} // namespace rand
} // namespace cm

inline cmRandStatus_t cmRandCreateGenerator(cmRandGenerator_t *g, cmRandRngType_t type) {
    return cm::rand::create(g, type, false);
}
inline cmRandStatus_t cmRandCreateGeneratorHost(cmRandGenerator_t *g, cmRandRngType_t type) {
    return cm::rand::create(g, type, true);
}
inline cmRandStatus_t cmRandDestroyGenerator(cmRandGenerator_t g) {
    if (!g) return CM_RAND_STATUS_NOT_INITIALIZED;
    delete g;
    return CM_RAND_STATUS_SUCCESS;
}
inline cmRandStatus_t cmRandGetVersion(int *version) {
    *version = CM_RAND_VERSION;
    return CM_RAND_STATUS_SUCCESS;
}
inline cmRandStatus_t cmRandGetProperty(cmLibraryPropertyType which, int *value) {
    *value = cm::library::property(which);
    return CM_RAND_STATUS_SUCCESS;
}
inline cmRandStatus_t cmRandSetStream(cmRandGenerator_t g, cmStream_t stream) {
    return cm::library::set(g, &cmRandGenerator_st::stream, stream,
                            CM_RAND_STATUS_NOT_INITIALIZED);
}
inline cmRandStatus_t cmRandSetPseudoRandomGeneratorSeed(cmRandGenerator_t g,
                                                         unsigned long long seed) {
    if (!g) return CM_RAND_STATUS_NOT_INITIALIZED;
    if (cm::rand::quasi(g)) return CM_RAND_STATUS_TYPE_ERROR;
    g->seed = seed;
    g->state.reset();
    return CM_RAND_STATUS_SUCCESS;
}
inline cmRandStatus_t cmRandSetGeneratorOffset(cmRandGenerator_t g, unsigned long long offset) {
    if (!g) return CM_RAND_STATUS_NOT_INITIALIZED;
    g->offset = offset;
    g->state.reset();
    return CM_RAND_STATUS_SUCCESS;
}
inline cmRandStatus_t cmRandSetGeneratorOrdering(cmRandGenerator_t g, cmRandOrdering_t) {
    return g ? CM_RAND_STATUS_SUCCESS : CM_RAND_STATUS_NOT_INITIALIZED;
}
inline cmRandStatus_t cmRandSetQuasiRandomGeneratorDimensions(cmRandGenerator_t g, unsigned n) {
    unsigned v[32];
    if (!g) return CM_RAND_STATUS_NOT_INITIALIZED;
    if (!cm::rand::quasi(g)) return CM_RAND_STATUS_TYPE_ERROR;
    if (!n || !cm::detail::sobol_directions(n - 1, v)) return CM_RAND_STATUS_OUT_OF_RANGE;
    g->dimensions = n;
    g->state.reset();
    return CM_RAND_STATUS_SUCCESS;
}
inline cmRandStatus_t cmRandGenerateSeeds(cmRandGenerator_t g) {
    if (!g) return CM_RAND_STATUS_NOT_INITIALIZED;
    if (!g->state) g->state = cm::rand::make(g);
    return CM_RAND_STATUS_SUCCESS;
}
inline cmRandStatus_t cmRandGenerate(cmRandGenerator_t g, unsigned *out, size_t n) {
    return cm::rand::fill(g, out, n, [=](cm::rand::source &s, unsigned *to) {
        for (size_t i = 0; i < n; i++) to[i] = s.next();
    });
}
inline cmRandStatus_t cmRandGenerateUniform(cmRandGenerator_t g, float *out, size_t n) {
    return cm::rand::fill(g, out, n, [=](cm::rand::source &s, float *to) {
        for (size_t i = 0; i < n; i++) to[i] = cm::rand::unit<float>(s);
    });
}
inline cmRandStatus_t cmRandGenerateUniformDouble(cmRandGenerator_t g, double *out, size_t n) {
    const bool points = g && cm::rand::quasi(g);
    return cm::rand::fill(g, out, n, [=](cm::rand::source &s, double *to) {
        for (size_t i = 0; i < n; i++)
            to[i] = points ? (s.next() + 1.0) * 0x1p-32 : cm::rand::unit<double>(s);
    });
}
inline cmRandStatus_t cmRandGenerateNormal(cmRandGenerator_t g, float *out, size_t n, float mean,
                                           float deviation) {
    return cm::rand::normal(g, out, n, mean, deviation, false);
}
inline cmRandStatus_t cmRandGenerateNormalDouble(cmRandGenerator_t g, double *out, size_t n,
                                                 double mean, double deviation) {
    return cm::rand::normal(g, out, n, mean, deviation, false);
}
inline cmRandStatus_t cmRandGenerateLogNormal(cmRandGenerator_t g, float *out, size_t n,
                                              float mean, float deviation) {
    return cm::rand::normal(g, out, n, mean, deviation, true);
}
inline cmRandStatus_t cmRandGenerateLogNormalDouble(cmRandGenerator_t g, double *out, size_t n,
                                                    double mean, double deviation) {
    return cm::rand::normal(g, out, n, mean, deviation, true);
}
inline cmRandStatus_t cmRandGeneratePoisson(cmRandGenerator_t g, unsigned *out, size_t n,
                                            double lambda) {
    if (!(lambda > 0)) return CM_RAND_STATUS_OUT_OF_RANGE;
    return cm::rand::fill(g, out, n, [=](cm::rand::source &s, unsigned *to) {
        std::poisson_distribution<unsigned> poisson(lambda);
        for (size_t i = 0; i < n; i++) to[i] = poisson(s);
    });
}
inline cmRandStatus_t cmRandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                  cmRandDirectionVectorSet_t) {
    static curandDirectionVectors32_t table[20];
    static const bool filled = [] {
        for (unsigned d = 0; d < 20; d++) cm::detail::sobol_directions(d, table[d]);
        return true;
    }();
    if (!vectors || !filled) return CM_RAND_STATUS_OUT_OF_RANGE;
    *vectors = table;
    return CM_RAND_STATUS_SUCCESS;
}

} // extern "C++"

#endif
