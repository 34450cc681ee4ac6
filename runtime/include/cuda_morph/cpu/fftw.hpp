// SPDX-License-Identifier: Apache-2.0
// The transforms of fft.h over FFTW 3, which is opened when the first one is planned.
#ifndef CUDA_MORPH_CPU_FFTW_HPP
#define CUDA_MORPH_CPU_FFTW_HPP

namespace cm {
namespace fft {

// FFTW's functions for one precision.
struct fftw {
    using plan = void *;
    plan (*dft)(int, const int *, int, void *, const int *, int, int, void *, const int *, int,
                int, int, unsigned);
    plan (*r2c)(int, const int *, int, void *, const int *, int, int, void *, const int *, int,
                int, unsigned);
    plan (*c2r)(int, const int *, int, void *, const int *, int, int, void *, const int *, int,
                int, unsigned);
    void (*execute_dft)(plan, void *, void *);
    void (*execute_r2c)(plan, void *, void *);
    void (*execute_c2r)(plan, void *, void *);
    void (*destroy)(plan);

    template <class F> static void find(void *library, bool twice, const char *what, F *f) {
        char name[64];
        snprintf(name, sizeof name, "fftw%s_%s", twice ? "" : "f", what);
        *f = cm::library::symbol<F>(library, name);
    }
    explicit fftw(bool twice) {
        void *const library =
            twice ? cm::library::open({"libfftw3.so.3", "libfftw3.dylib"}, "libfftw3-double3")
                  : cm::library::open({"libfftw3f.so.3", "libfftw3f.dylib"}, "libfftw3-single3");
        find(library, twice, "plan_many_dft", &dft);
        find(library, twice, "plan_many_dft_r2c", &r2c);
        find(library, twice, "plan_many_dft_c2r", &c2r);
        find(library, twice, "execute_dft", &execute_dft);
        find(library, twice, "execute_dft_r2c", &execute_r2c);
        find(library, twice, "execute_dft_c2r", &execute_c2r);
        find(library, twice, "destroy_plan", &destroy);
    }
    static const fftw &get(bool twice) {
        static const fftw one(false), two(true);
        return twice ? two : one;
    }
};

inline std::mutex &planning() { // FFTW's planner knows no threads
    static std::mutex m;
    return m;
}

// A plan of cuFFT's: FFTW's plans for both directions, in place or not, made when first used.
class transform {
    const layout shape_;
    fftw::plan plans_[2][2] = {};

    fftw::plan plan(void *in, void *out, int sign) {
        enum { ESTIMATE = 1 << 6, UNALIGNED = 1 << 1, PRESERVE_INPUT = 1 << 4 };
        const bool inside = in == out;
        fftw::plan &p = plans_[sign > 0][inside];
        std::lock_guard<std::mutex> lock(planning());
        if (p) return p;
        const fftw &f = fftw::get(shape_.twice());
        if (!f.dft) return nullptr;
        const layout &s = shape_;
        const int id = s.distance(true, inside), od = s.distance(false, inside);
        const int *const ie = s.given ? s.inembed : nullptr, *const oe =
                                                                 s.given ? s.onembed : nullptr;
        const unsigned flags = ESTIMATE | UNALIGNED;
        if (s.complex())
            p = f.dft(s.rank, s.n, s.batch, in, ie, s.istride, id, out, oe, s.ostride, od, sign,
                      flags);
        else if (s.kind() == 10)
            p = f.r2c(s.rank, s.n, s.batch, in, ie, s.istride, id, out, oe, s.ostride, od, flags);
        else
            p = f.c2r(s.rank, s.n, s.batch, in, ie, s.istride, id, out, oe, s.ostride, od,
                      !inside && s.rank == 1 ? flags | PRESERVE_INPUT : flags);
        return p;
    }

  public:
    explicit transform(const layout &shape) : shape_(shape) {}
    ~transform() {
        std::lock_guard<std::mutex> lock(planning());
        for (auto &pair : plans_)
            for (fftw::plan p : pair)
                if (p) fftw::get(shape_.twice()).destroy(p);
    }
    const layout &shape() const { return shape_; }
    static bool possible(const layout &s) { return fftw::get(s.twice()).dft != nullptr; }
    static cmError_t run(const std::shared_ptr<transform> &work, cmStream_t stream, void *in,
                         void *out, int sign) {
        const fftw::plan plan = work->plan(in, out, sign);
        if (!plan) return cmErrorNotSupported;
        const fftw &f = fftw::get(work->shape_.twice());
        const auto execute = work->shape_.complex()      ? f.execute_dft
                             : work->shape_.kind() == 10 ? f.execute_r2c
                                                         : f.execute_c2r;
        return cm::library::enqueue(stream, [=] { (void)work, execute(plan, in, out); });
    }
};

} // namespace fft
} // namespace cm

#endif
