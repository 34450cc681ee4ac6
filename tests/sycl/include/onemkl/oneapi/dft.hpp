/* SPDX-License-Identifier: Apache-2.0 */
// What runtime/include/cuda_morph/sycl/onemkl_fft.hpp calls of oneMKL's transforms, by the sums
// that define them: to test how plans of cuFFT's become descriptors.
#pragma once
#include <cmath>
#include <complex>
#include <cstdarg>
#include <cstdint>
#include <sycl/sycl.hpp>
#include <vector>

namespace oneapi::math::dft {
enum class precision { SINGLE, DOUBLE };
enum class domain { REAL, COMPLEX };
enum class config_value { INPLACE, NOT_INPLACE };
enum class config_param {
    PLACEMENT,
    NUMBER_OF_TRANSFORMS,
    FWD_DISTANCE,
    BWD_DISTANCE,
    FWD_STRIDES,
    BWD_STRIDES
};

template <precision P, domain K> class descriptor {
  public:
    using real = std::conditional_t<P == precision::SINGLE, float, double>;
    using complex = std::complex<real>;
    std::vector<std::int64_t> n, strides[2]; // of the forward side and the other
    std::int64_t batch = 1, distance[2] = {};
    sycl::queue *queue = nullptr;

    explicit descriptor(std::vector<std::int64_t> lengths) : n(std::move(lengths)) {}
    void set_value(config_param which, ...) {
        va_list rest;
        va_start(rest, which);
        if (which == config_param::PLACEMENT) {
            (void)va_arg(rest, int);
        } else if (which >= config_param::FWD_STRIDES) {
            const std::int64_t *const from = va_arg(rest, const std::int64_t *);
            strides[which == config_param::BWD_STRIDES].assign(from, from + n.size() + 1);
        } else {
            const std::int64_t value = va_arg(rest, std::int64_t);
            if (which == config_param::NUMBER_OF_TRANSFORMS) batch = value;
            if (which == config_param::FWD_DISTANCE) distance[0] = value;
            if (which == config_param::BWD_DISTANCE) distance[1] = value;
        }
        va_end(rest);
    }
    void commit(sycl::queue &q) { queue = &q; }

    std::int64_t place(int side, std::int64_t transform, const std::vector<std::int64_t> &at) const {
        std::int64_t sum = strides[side][0] + transform * distance[side];
        for (std::size_t i = 0; i < n.size(); i++) sum += at[i] * strides[side][i + 1];
        return sum;
    }
    // f(index) for each index of a transform.
    template <class F> void each(F f) const {
        std::vector<std::int64_t> at(n.size());
        for (;;) {
            f(at);
            std::size_t i = n.size();
            while (i > 0 && ++at[i - 1] == n[i - 1]) at[--i] = 0;
            if (!i) return;
        }
    }
    template <class From, class To> void run(const From *in, To *out, bool inverse) const {
        for (std::int64_t t = 0; t < batch; t++) {
            std::vector<std::complex<double>> values, results;
            each([&](const std::vector<std::int64_t> &at) {
                values.push_back(read(in, t, at, inverse));
            });
            each([&](const std::vector<std::int64_t> &to) {
                std::complex<double> sum;
                std::size_t i = 0;
                each([&](const std::vector<std::int64_t> &at) {
                    double turns = 0;
                    for (std::size_t d = 0; d < n.size(); d++)
                        turns += double(at[d] * to[d] % n[d]) / double(n[d]);
                    sum += values[i++] * std::polar(1.0, (inverse ? 2 : -2) * M_PI * turns);
                });
                results.push_back(sum);
            });
            std::size_t i = 0;
            each([&](const std::vector<std::int64_t> &at) {
                const std::complex<double> v = results[i++];
                if (K == domain::REAL && !inverse && at.back() > n.back() / 2) return;
                write(out + place(!inverse, t, at), v);
            });
        }
    }
    static void write(real *to, std::complex<double> v) { *to = static_cast<real>(v.real()); }
    static void write(complex *to, std::complex<double> v) { *to = complex(v); }
    template <class From>
    std::complex<double> read(const From *in, std::int64_t t, std::vector<std::int64_t> at,
                              bool inverse) const {
        if (K == domain::COMPLEX || !inverse || at.back() <= n.back() / 2)
            return std::complex<double>(in[place(inverse, t, at)]);
        for (std::size_t i = 0; i < n.size(); i++) at[i] = (n[i] - at[i]) % n[i];
        return std::conj(std::complex<double>(in[place(inverse, t, at)]));
    }
};

template <precision P, domain K, class From, class To>
sycl::event compute(descriptor<P, K> &d, From *in, To *out, bool inverse,
                    const std::vector<sycl::event> &before) {
    return d.queue->submit([&](sycl::handler &h) {
        h.depends_on(before);
        const descriptor<P, K> *const of = &d;
        h.single_task([=] { of->run(in, out, inverse); });
    });
}
// In place: the real side's numbers, or the other's, are the same memory.
template <precision P, domain K, class T>
sycl::event compute_forward(descriptor<P, K> &d, T *p, const std::vector<sycl::event> &before) {
    using complex = typename descriptor<P, K>::complex;
    return compute(d, p, reinterpret_cast<complex *>(p), false, before);
}
template <precision P, domain K, class T>
sycl::event compute_backward(descriptor<P, K> &d, T *p, const std::vector<sycl::event> &before) {
    using complex = typename descriptor<P, K>::complex;
    return compute(d, reinterpret_cast<complex *>(p), p, true, before);
}
template <precision P, domain K, class From, class To>
sycl::event compute_forward(descriptor<P, K> &d, From *in, To *out,
                            const std::vector<sycl::event> &before) {
    return compute(d, in, out, false, before);
}
template <precision P, domain K, class From, class To>
sycl::event compute_backward(descriptor<P, K> &d, From *in, To *out,
                             const std::vector<sycl::event> &before) {
    return compute(d, in, out, true, before);
}
} // namespace oneapi::math::dft
