/* SPDX-License-Identifier: Apache-2.0 */
// cuFFT over FFTW 3, which is opened when the first transform runs (Debian: libfftw3-single3,
// libfftw3-double3; or libfftw3-dev). cufftExecC2C() is cmFftExecC2C(), with the same arguments.
// One, two and three dimensions, batches and strides (cufftPlanMany), all six kinds; transforms
// run in the order of the plan's stream. An out-of-place C2R may overwrite its input. In SYCL the
// transforms are oneMKL's (sycl/fft.hpp).
#ifndef CUDA_MORPH_FFT_H
#define CUDA_MORPH_FFT_H

extern "C++" { // it may be included within extern "C"

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

// The shape of a plan. Forward and inverse are CUDA's signs.
struct layout {
    int rank = 0, n[3] = {}, batch = 1;
    bool given = false; // the strides below count
    int inembed[3] = {}, istride = 1, idist = 0, onembed[3] = {}, ostride = 1, odist = 0;
    cmFftType type = CM_FFT_C2C;

    bool twice() const { return type >= CM_FFT_Z2Z; } // double precision
    int kind() const { return type & 15; }            // 9: complex, 10: from real, 12: to real
    bool complex() const { return kind() == 9; }

    // How many numbers lie between transforms. `inside`: the result takes the input's place.
    int distance(bool in, bool inside) const {
        if (given) return in ? idist : odist;
        int whole = 1;
        for (int i = 0; i + 1 < rank; i++) whole *= n[i];
        return whole * last(in, inside);
    }
    // How many of them the last dimension has there.
    int last(bool in, bool inside) const {
        const int own = n[rank - 1], half = own / 2 + 1;
        if (complex()) return own;
        return (kind() == 10) == in ? (inside ? 2 * half : own) : half;
    }
};

} // namespace fft
} // namespace cm

#ifdef CM_FFT_BY_ONEMKL // sycl/fft.hpp
#include <cuda_morph/sycl/onemkl_fft.hpp>
#else
#include <cuda_morph/cpu/fftw.hpp>
#endif

namespace cm {
namespace fft {

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
    const int kind = s.kind();
    if ((kind != 9 && kind != 10 && kind != 12) || (s.type >> 4 != 2 && s.type >> 4 != 6))
        return CM_FFT_INVALID_TYPE;
    if (!transform::possible(s)) return CM_FFT_SETUP_FAILED;
    std::lock_guard<std::mutex> lock(all().mutex);
    const auto at = all().handles.find(h);
    if (at == all().handles.end() || at->second.work) return CM_FFT_INVALID_PLAN;
    at->second.work = std::make_shared<transform>(s);
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
    if (work->shape().type != type) return CM_FFT_INVALID_TYPE;
    if (!in || !out || (sign != CM_FFT_FORWARD && sign != CM_FFT_INVERSE))
        return CM_FFT_INVALID_VALUE;
    return transform::run(work, stream, in, out, sign) ? CM_FFT_EXEC_FAILED : CM_FFT_SUCCESS;
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
        type = at->second.work->shape().type;
    }
    const bool c2c = type == CM_FFT_C2C || type == CM_FFT_Z2Z;
    const bool inverse = type == CM_FFT_C2R || type == CM_FFT_Z2D;
    return cm::fft::execute(h, type, in, out,
                            c2c       ? sign
                            : inverse ? CM_FFT_INVERSE
                                      : CM_FFT_FORWARD);
}

} // extern "C++"

#endif
