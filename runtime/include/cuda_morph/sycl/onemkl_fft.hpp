// SPDX-License-Identifier: Apache-2.0
// The transforms of fft.h over oneMKL's. Included by fft.h.
#ifndef CUDA_MORPH_SYCL_ONEMKL_FFT_HPP
#define CUDA_MORPH_SYCL_ONEMKL_FFT_HPP

#include <cuda_morph/sycl/onemkl.hpp>
#include <tuple>

namespace cm {
namespace fft {
namespace dft = mkl::dft;

// Releases since 2024.1 take strides as vectors; those before, and oneMath, as an array.
template <class D, class = void> struct takes_vectors : std::false_type {};
template <class D>
struct takes_vectors<
    D, std::void_t<
           decltype(static_cast<void (D::*)(dft::config_param, const std::vector<std::int64_t> &)>(
               &D::set_value))>> : std::true_type {};

// A descriptor of oneMKL's that is committed to a queue. Its forward side is what a forward
// transform reads; an inverse one reads the other.
template <dft::precision P, dft::domain K> class committed {
    using descriptor = dft::descriptor<P, K>;
    using real = std::conditional_t<P == dft::precision::SINGLE, float, double>;
    using forward = std::conditional_t<K == dft::domain::REAL, real, std::complex<real>>;
    descriptor it_;

    static std::vector<std::int64_t> lengths(const layout &s) {
        return std::vector<std::int64_t>(s.n, s.n + s.rank);
    }
    static void set_strides(descriptor &d, dft::config_param which, const layout &s, bool in,
                            bool inside) {
        std::vector<std::int64_t> strides(static_cast<std::size_t>(s.rank) + 1);
        std::int64_t step = s.given ? (in ? s.istride : s.ostride) : 1;
        for (int i = s.rank - 1; i >= 0; i--) {
            strides[static_cast<std::size_t>(i) + 1] = step;
            step *= s.given           ? (in ? s.inembed : s.onembed)[i]
                    : i == s.rank - 1 ? s.last(in, inside)
                                      : s.n[i];
        }
        if constexpr (takes_vectors<descriptor>::value)
            d.set_value(which, strides);
        else
            d.set_value(which, strides.data());
    }

  public:
    committed(const layout &s, bool inverse, bool inside, sycl::queue &queue) : it_(lengths(s)) {
        const bool in = !inverse; // is the forward side the input?
        it_.set_value(dft::config_param::PLACEMENT,
                      inside ? dft::config_value::INPLACE : dft::config_value::NOT_INPLACE);
        it_.set_value(dft::config_param::NUMBER_OF_TRANSFORMS, std::int64_t(s.batch));
        it_.set_value(dft::config_param::FWD_DISTANCE, std::int64_t(s.distance(in, inside)));
        it_.set_value(dft::config_param::BWD_DISTANCE, std::int64_t(s.distance(!in, inside)));
        set_strides(it_, dft::config_param::FWD_STRIDES, s, in, inside);
        set_strides(it_, dft::config_param::BWD_STRIDES, s, !in, inside);
        it_.commit(queue);
    }
    sycl::event run(void *in, void *out, bool inverse, const onemkl::events &before) {
        using backward = std::complex<real>;
        if (in == out) {
            forward *const p = static_cast<forward *>(in);
            return inverse ? dft::compute_backward(it_, p, before)
                           : dft::compute_forward(it_, p, before);
        }
        return inverse ? dft::compute_backward(it_, static_cast<backward *>(in),
                                               static_cast<forward *>(out), before)
                       : dft::compute_forward(it_, static_cast<forward *>(in),
                                              static_cast<backward *>(out), before);
    }
};

// A plan of cuFFT's: descriptors for the directions, in place or not, and the streams that it was
// used in, made when first used.
class transform {
    using key = std::tuple<bool, bool, unsigned long long>; // inverse, in place, the stream
    template <dft::precision P, dft::domain K>
    using table = std::map<key, std::unique_ptr<committed<P, K>>>;

    const layout shape_;
    table<dft::precision::SINGLE, dft::domain::COMPLEX> c_;
    table<dft::precision::SINGLE, dft::domain::REAL> s_;
    table<dft::precision::DOUBLE, dft::domain::COMPLEX> z_;
    table<dft::precision::DOUBLE, dft::domain::REAL> d_;

    template <dft::precision P, dft::domain K>
    sycl::event run(table<P, K> &made, sycl::queue &queue, const key &which, void *in, void *out,
                    const onemkl::events &before) {
        const bool inverse = std::get<0>(which);
        std::unique_ptr<committed<P, K>> &one = made[which];
        if (!one)
            one = std::make_unique<committed<P, K>>(shape_, inverse, std::get<1>(which), queue);
        return one->run(in, out, inverse, before);
    }

  public:
    explicit transform(const layout &shape) : shape_(shape) {}
    const layout &shape() const { return shape_; }
    static bool possible(const layout &) { return true; }
    static cmError_t run(const std::shared_ptr<transform> &work, cmStream_t stream, void *in,
                         void *out, int sign) {
        return onemkl::put(stream, [=](cmStream_st &s, const onemkl::events &before) {
            const key which{sign == CM_FFT_INVERSE, in == out, s.number};
            transform &t = *work;
            if (t.shape_.twice())
                return t.shape_.complex() ? t.run(t.z_, s.queue, which, in, out, before)
                                          : t.run(t.d_, s.queue, which, in, out, before);
            return t.shape_.complex() ? t.run(t.c_, s.queue, which, in, out, before)
                                      : t.run(t.s_, s.queue, which, in, out, before);
        });
    }
};

} // namespace fft
} // namespace cm

#endif
