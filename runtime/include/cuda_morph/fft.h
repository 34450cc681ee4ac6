/* SPDX-License-Identifier: Apache-2.0 */
// cuFFT over FFTW 3, which is opened when the first transform runs (Debian: libfftw3-single3,
// libfftw3-double3; or libfftw3-dev). cufftExecC2C() is cmFftExecC2C(), with the same arguments.
// One, two and three dimensions, batches and strides (cufftPlanMany), all six kinds; transforms
// run in the order of the plan's stream. An out-of-place C2R may overwrite its input.
#ifndef CUDA_MORPH_FFT_H
#define CUDA_MORPH_FFT_H

#include <cuda_morph/complex.h>
#include <cuda_morph/cpu/library.hpp>
#include <map>
#include <memory>
#include <mutex>

#define _CUFFT_H_
#define CM_FFT_FORWARD (-1)
#define CM_FFT_INVERSE 1
#define CM_FFT_VERSION 11200

using cmFftHandle = int;
using cmFftReal = float;
using cmFftDoubleReal = double;
using cmFftComplex = cuComplex;
using cmFftDoubleComplex = cuDoubleComplex;

typedef enum cmFftResult_t {
    CM_FFT_SUCCESS = 0,
    CM_FFT_INVALID_PLAN = 1,
    CM_FFT_ALLOC_FAILED = 2,
    CM_FFT_INVALID_TYPE = 3,
    CM_FFT_INVALID_VALUE = 4,
    CM_FFT_INTERNAL_ERROR = 5,
    CM_FFT_EXEC_FAILED = 6,
    CM_FFT_SETUP_FAILED = 7,
    CM_FFT_INVALID_SIZE = 8,
    CM_FFT_UNALIGNED_DATA = 9,
    CM_FFT_INCOMPLETE_PARAMETER_LIST = 10,
    CM_FFT_INVALID_DEVICE = 11,
    CM_FFT_PARSE_ERROR = 12,
    CM_FFT_NO_WORKSPACE = 13,
    CM_FFT_NOT_IMPLEMENTED = 14,
    CM_FFT_LICENSE_ERROR = 15,
    CM_FFT_NOT_SUPPORTED = 16,
    CM_FFT_MISSING_DEPENDENCY = 17,
    CM_FFT_NVRTC_FAILURE = 18,
    CM_FFT_NVJITLINK_FAILURE = 19,
    CM_FFT_NVSHMEM_FAILURE = 20
} cmFftResult;
typedef enum cmFftType_t {
    CM_FFT_C2C = 0x29,
    CM_FFT_R2C = 0x2a,
    CM_FFT_C2R = 0x2c,
    CM_FFT_Z2Z = 0x69,
    CM_FFT_D2Z = 0x6a,
    CM_FFT_Z2D = 0x6c
} cmFftType;
enum cmFftCompatibility { CM_FFT_COMPATIBILITY_FFTW_PADDING = 1 };

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

struct layout {
    int rank = 0, n[3] = {}, batch = 1;
    bool given = false; // the strides below count
    int inembed[3] = {}, istride = 1, idist = 0, onembed[3] = {}, ostride = 1, odist = 0;
    cmFftType type = CM_FFT_C2C;
};

// A plan of cuFFT's: FFTW's plans for both directions, in place or not, made when first used.
struct transform {
    layout shape;
    fftw::plan plans[2][2] = {};

    bool twice() const { return shape.type >= CM_FFT_Z2Z; }
    ~transform() {
        std::lock_guard<std::mutex> lock(planning());
        for (auto &pair : plans)
            for (fftw::plan p : pair)
                if (p) fftw::get(twice()).destroy(p);
    }
    fftw::plan plan(void *in, void *out, int sign) {
        enum { ESTIMATE = 1 << 6, UNALIGNED = 1 << 1, PRESERVE_INPUT = 1 << 4 };
        const bool inside = in == out;
        fftw::plan &p = plans[sign > 0][inside];
        std::lock_guard<std::mutex> lock(planning());
        if (p) return p;
        const fftw &f = fftw::get(twice());
        if (!f.dft) return nullptr;
        const layout &s = shape;
        int whole = 1;
        for (int i = 0; i + 1 < s.rank; i++) whole *= s.n[i];
        const int last = s.n[s.rank - 1], half = whole * (last / 2 + 1),
                  real = inside ? 2 * half : whole * last, full = whole * last;
        const int kind = s.type & 15; // 9: complex, 10: from real, 12: to real
        const int id = s.given      ? s.idist
                       : kind == 9  ? full
                       : kind == 10 ? real
                                    : half,
                  od = s.given      ? s.odist
                       : kind == 9  ? full
                       : kind == 10 ? half
                                    : real;
        const int *const ie = s.given ? s.inembed : nullptr, *const oe =
                                                                 s.given ? s.onembed : nullptr;
        const unsigned flags = ESTIMATE | UNALIGNED;
        if (kind == 9)
            p = f.dft(s.rank, s.n, s.batch, in, ie, s.istride, id, out, oe, s.ostride, od, sign,
                      flags);
        else if (kind == 10)
            p = f.r2c(s.rank, s.n, s.batch, in, ie, s.istride, id, out, oe, s.ostride, od, flags);
        else
            p = f.c2r(s.rank, s.n, s.batch, in, ie, s.istride, id, out, oe, s.ostride, od,
                      !inside && s.rank == 1 ? flags | PRESERVE_INPUT : flags);
        return p;
    }
};

struct handle {
    cmStream_t stream = nullptr;
    std::shared_ptr<transform> work;
};
struct table {
    std::mutex mutex;
    std::map<int, handle> handles;
    int next = 1;
};
inline table &all() {
    static table t;
    return t;
}

inline cmFftResult create(cmFftHandle *h) {
    if (!h) return CM_FFT_INVALID_VALUE;
    std::lock_guard<std::mutex> lock(all().mutex);
    all().handles[ *h = all().next++];
    return CM_FFT_SUCCESS;
}

inline cmFftResult make(cmFftHandle h, const layout &s, size_t *size) {
    for (int i = 0; i < s.rank; i++)
        if (s.n[i] < 1) return CM_FFT_INVALID_SIZE;
    if (s.rank < 1 || s.rank > 3 || s.batch < 1) return CM_FFT_INVALID_SIZE;
    const int kind = s.type & 15;
    if ((kind != 9 && kind != 10 && kind != 12) || (s.type >> 4 != 2 && s.type >> 4 != 6))
        return CM_FFT_INVALID_TYPE;
    if (!fftw::get(s.type >= CM_FFT_Z2Z).dft) return CM_FFT_SETUP_FAILED;
    std::lock_guard<std::mutex> lock(all().mutex);
    const auto at = all().handles.find(h);
    if (at == all().handles.end() || at->second.work) return CM_FFT_INVALID_PLAN;
    at->second.work = std::make_shared<transform>();
    at->second.work->shape = s;
    if (size) *size = 0;
    return CM_FFT_SUCCESS;
}

inline layout simple(int rank, int nx, int ny, int nz, cmFftType type, int batch) {
    layout s;
    s.rank = rank, s.n[0] = nx, s.n[1] = ny, s.n[2] = nz, s.type = type, s.batch = batch;
    return s;
}

template <class I>
inline bool many(layout *s, int rank, const I *n, const I *inembed, I istride, I idist,
                 const I *onembed, I ostride, I odist, cmFftType type, I batch) {
    if (rank < 1 || rank > 3 || !n || batch > 0x7fffffff) return false;
    s->rank = rank, s->type = type, s->batch = static_cast<int>(batch);
    s->given = inembed && onembed;
    for (int i = 0; i < rank; i++) {
        if (n[i] > 0x7fffffff) return false;
        s->n[i] = static_cast<int>(n[i]);
        if (!s->given) continue;
        s->inembed[i] = static_cast<int>(inembed[i]), s->onembed[i] = static_cast<int>(onembed[i]);
    }
    if (!s->given) return true;
    if (idist > 0x7fffffff || odist > 0x7fffffff) return false;
    s->istride = static_cast<int>(istride), s->idist = static_cast<int>(idist);
    s->ostride = static_cast<int>(ostride), s->odist = static_cast<int>(odist);
    return true;
}

inline cmFftResult execute(cmFftHandle h, cmFftType type, void *in, void *out, int sign) {
    std::shared_ptr<transform> work;
    cmStream_t stream;
    {
        std::lock_guard<std::mutex> lock(all().mutex);
        const auto at = all().handles.find(h);
        if (at == all().handles.end() || !at->second.work) return CM_FFT_INVALID_PLAN;
        work = at->second.work, stream = at->second.stream;
    }
    if (work->shape.type != type) return CM_FFT_INVALID_TYPE;
    if (!in || !out || (sign != CM_FFT_FORWARD && sign != CM_FFT_INVERSE))
        return CM_FFT_INVALID_VALUE;
    const fftw::plan plan = work->plan(in, out, sign);
    if (!plan) return CM_FFT_EXEC_FAILED;
    const fftw &f = fftw::get(work->twice());
    const int kind = type & 15;
    const auto run = kind == 9 ? f.execute_dft : kind == 10 ? f.execute_r2c : f.execute_c2r;
    return cm::library::enqueue(stream, [=] { (void)work, run(plan, in, out); })
               ? CM_FFT_EXEC_FAILED
               : CM_FFT_SUCCESS;
}

// A new handle with this shape.
inline cmFftResult plan(cmFftHandle *h, const layout &s) {
    cmFftResult result = create(h);
    if (result) return result;
    result = make(*h, s, nullptr);
    if (!result) return result;
    std::lock_guard<std::mutex> lock(all().mutex);
    all().handles.erase(*h);
    return result;
}

} // namespace fft
} // namespace cm

inline cmFftResult cmFftCreate(cmFftHandle *h) { return cm::fft::create(h); }
inline cmFftResult cmFftDestroy(cmFftHandle h) {
    std::lock_guard<std::mutex> lock(cm::fft::all().mutex);
    return cm::fft::all().handles.erase(h) ? CM_FFT_SUCCESS : CM_FFT_INVALID_PLAN;
}
inline cmFftResult cmFftPlan1d(cmFftHandle *h, int nx, cmFftType type, int batch) {
    return cm::fft::plan(h, cm::fft::simple(1, nx, 1, 1, type, batch));
}
inline cmFftResult cmFftPlan2d(cmFftHandle *h, int nx, int ny, cmFftType type) {
    return cm::fft::plan(h, cm::fft::simple(2, nx, ny, 1, type, 1));
}
inline cmFftResult cmFftPlan3d(cmFftHandle *h, int nx, int ny, int nz, cmFftType type) {
    return cm::fft::plan(h, cm::fft::simple(3, nx, ny, nz, type, 1));
}
inline cmFftResult cmFftPlanMany(cmFftHandle *h, int rank, int *n, int *inembed, int istride,
                                 int idist, int *onembed, int ostride, int odist, cmFftType type,
                                 int batch) {
    cm::fft::layout s;
    if (!cm::fft::many<int>(&s, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                            batch))
        return CM_FFT_INVALID_SIZE;
    return cm::fft::plan(h, s);
}
inline cmFftResult cmFftMakePlan1d(cmFftHandle h, int nx, cmFftType type, int batch,
                                   size_t *size) {
    return cm::fft::make(h, cm::fft::simple(1, nx, 1, 1, type, batch), size);
}
inline cmFftResult cmFftMakePlan2d(cmFftHandle h, int nx, int ny, cmFftType type, size_t *size) {
    return cm::fft::make(h, cm::fft::simple(2, nx, ny, 1, type, 1), size);
}
inline cmFftResult cmFftMakePlan3d(cmFftHandle h, int nx, int ny, int nz, cmFftType type,
                                   size_t *size) {
    return cm::fft::make(h, cm::fft::simple(3, nx, ny, nz, type, 1), size);
}
inline cmFftResult cmFftMakePlanMany(cmFftHandle h, int rank, int *n, int *inembed, int istride,
                                     int idist, int *onembed, int ostride, int odist,
                                     cmFftType type, int batch, size_t *size) {
    cm::fft::layout s;
    if (!cm::fft::many<int>(&s, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                            batch))
        return CM_FFT_INVALID_SIZE;
    return cm::fft::make(h, s, size);
}
inline cmFftResult cmFftMakePlanMany64(cmFftHandle h, int rank, long long *n, long long *inembed,
                                       long long istride, long long idist, long long *onembed,
                                       long long ostride, long long odist, cmFftType type,
                                       long long batch, size_t *size) {
    cm::fft::layout s;
    if (!cm::fft::many<long long>(&s, rank, n, inembed, istride, idist, onembed, ostride, odist,
                                  type, batch))
        return CM_FFT_INVALID_SIZE;
    return cm::fft::make(h, s, size);
}
// The Xt interface names the types of both sides; those of half and bfloat16 are not here.
inline cmFftResult cmFftXtMakePlanMany(cmFftHandle h, int rank, long long *n, long long *inembed,
                                       long long istride, long long idist, cmDataType in,
                                       long long *onembed, long long ostride, long long odist,
                                       cmDataType out, long long batch, size_t *size, cmDataType) {
    static const struct {
        cmDataType in, out;
        cmFftType type;
    } known[] = {{CM_C_32F, CM_C_32F, CM_FFT_C2C}, {CM_R_32F, CM_C_32F, CM_FFT_R2C},
                 {CM_C_32F, CM_R_32F, CM_FFT_C2R}, {CM_C_64F, CM_C_64F, CM_FFT_Z2Z},
                 {CM_R_64F, CM_C_64F, CM_FFT_D2Z}, {CM_C_64F, CM_R_64F, CM_FFT_Z2D}};
    for (const auto &k : known)
        if (k.in == in && k.out == out)
            return cmFftMakePlanMany64(h, rank, n, inembed, istride, idist, onembed, ostride,
                                       odist, k.type, batch, size);
    return CM_FFT_NOT_SUPPORTED;
}
// FFTW keeps its own work areas: none is asked of the caller.
inline cmFftResult cmFftGetSize(cmFftHandle, size_t *size) {
    if (!size) return CM_FFT_INVALID_VALUE;
    *size = 0;
    return CM_FFT_SUCCESS;
}
inline cmFftResult cmFftEstimate1d(int, cmFftType, int, size_t *size) {
    return cmFftGetSize(0, size);
}
inline cmFftResult cmFftEstimate2d(int, int, cmFftType, size_t *size) {
    return cmFftGetSize(0, size);
}
inline cmFftResult cmFftEstimate3d(int, int, int, cmFftType, size_t *size) {
    return cmFftGetSize(0, size);
}
inline cmFftResult cmFftSetStream(cmFftHandle h, cmStream_t stream) {
    std::lock_guard<std::mutex> lock(cm::fft::all().mutex);
    const auto at = cm::fft::all().handles.find(h);
    if (at == cm::fft::all().handles.end()) return CM_FFT_INVALID_PLAN;
    at->second.stream = stream;
    return CM_FFT_SUCCESS;
}
inline cmFftResult cmFftSetAutoAllocation(cmFftHandle, int) { return CM_FFT_SUCCESS; }
inline cmFftResult cmFftSetWorkArea(cmFftHandle, void *) { return CM_FFT_SUCCESS; }
inline cmFftResult cmFftGetVersion(int *version) {
    if (!version) return CM_FFT_INVALID_VALUE;
    *version = CM_FFT_VERSION;
    return CM_FFT_SUCCESS;
}
inline cmFftResult cmFftGetProperty(cmLibraryPropertyType which, int *value) {
    if (!value) return CM_FFT_INVALID_VALUE;
    *value = cm::library::property(which);
    return CM_FFT_SUCCESS;
}

inline cmFftResult cmFftExecC2C(cmFftHandle h, cmFftComplex *in, cmFftComplex *out, int sign) {
    return cm::fft::execute(h, CM_FFT_C2C, in, out, sign);
}
inline cmFftResult cmFftExecZ2Z(cmFftHandle h, cmFftDoubleComplex *in, cmFftDoubleComplex *out,
                                int sign) {
    return cm::fft::execute(h, CM_FFT_Z2Z, in, out, sign);
}
inline cmFftResult cmFftExecR2C(cmFftHandle h, cmFftReal *in, cmFftComplex *out) {
    return cm::fft::execute(h, CM_FFT_R2C, in, out, CM_FFT_FORWARD);
}
inline cmFftResult cmFftExecD2Z(cmFftHandle h, cmFftDoubleReal *in, cmFftDoubleComplex *out) {
    return cm::fft::execute(h, CM_FFT_D2Z, in, out, CM_FFT_FORWARD);
}
inline cmFftResult cmFftExecC2R(cmFftHandle h, cmFftComplex *in, cmFftReal *out) {
    return cm::fft::execute(h, CM_FFT_C2R, in, out, CM_FFT_INVERSE);
}
inline cmFftResult cmFftExecZ2D(cmFftHandle h, cmFftDoubleComplex *in, cmFftDoubleReal *out) {
    return cm::fft::execute(h, CM_FFT_Z2D, in, out, CM_FFT_INVERSE);
}
inline cmFftResult cmFftXtExec(cmFftHandle h, void *in, void *out, int sign) {
    cmFftType type;
    {
        std::lock_guard<std::mutex> lock(cm::fft::all().mutex);
        const auto at = cm::fft::all().handles.find(h);
        if (at == cm::fft::all().handles.end() || !at->second.work) return CM_FFT_INVALID_PLAN;
        type = at->second.work->shape.type;
    }
    const bool c2c = type == CM_FFT_C2C || type == CM_FFT_Z2Z;
    const bool inverse = type == CM_FFT_C2R || type == CM_FFT_Z2D;
    return cm::fft::execute(h, type, in, out,
                            c2c       ? sign
                            : inverse ? CM_FFT_INVERSE
                                      : CM_FFT_FORWARD);
}

#endif
