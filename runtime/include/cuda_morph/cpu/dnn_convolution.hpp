// SPDX-License-Identifier: Apache-2.0
// cuDNN's convolutions: forward, and the slopes of data, filter and bias, with groups, dilation
// and one to three dimensions of space. Each element of a result is summed by itself; on the CPU
// oneDNN does it, where it is there and float will do (dnn_onednn.hpp). All of cuDNN's algorithms
// are this one and need no work space.
#ifndef CUDA_MORPH_CPU_DNN_CONVOLUTION_HPP
#define CUDA_MORPH_CPU_DNN_CONVOLUTION_HPP

// ---- filters ----

inline cmDnnStatus_t cmDnnCreateFilterDescriptor(cmDnnFilterDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyFilterDescriptor(cmDnnFilterDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetFilterNdDescriptor(cmDnnFilterDescriptor_t it, cmDnnDataType_t type,
                                                cmDnnTensorFormat_t format, int rank,
                                                const int *dim) {
    if (!it || !dim) return CM_DNN_STATUS_BAD_PARAM;
    if (format == CM_DNN_TENSOR_NCHW_VECT_C) return CM_DNN_STATUS_NOT_SUPPORTED;
    it->format = format;
    return cm::dnn::describe(it, type, rank, dim, nullptr, format == CM_DNN_TENSOR_NHWC);
}
inline cmDnnStatus_t cmDnnSetFilter4dDescriptor(cmDnnFilterDescriptor_t it, cmDnnDataType_t type,
                                                cmDnnTensorFormat_t format, int k, int c, int h,
                                                int w) {
    const int dim[] = {k, c, h, w};
    return cmDnnSetFilterNdDescriptor(it, type, format, 4, dim);
}
inline cmDnnStatus_t cmDnnGetFilterNdDescriptor(cmDnnFilterDescriptor_t it, int asked,
                                                cmDnnDataType_t *type, cmDnnTensorFormat_t *format,
                                                int *rank, int *dim) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(type, it->type), cm::dnn::tell(format, it->format);
    cm::dnn::tell(rank, it->rank);
    for (int d = 0; dim && d < asked && d < it->rank; d++) dim[d] = it->dim[d];
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetFilter4dDescriptor(cmDnnFilterDescriptor_t it, cmDnnDataType_t *type,
                                                cmDnnTensorFormat_t *format, int *k, int *c,
                                                int *h, int *w) {
    if (!it || it->rank != 4) return CM_DNN_STATUS_BAD_PARAM;
    int *const dim[] = {k, c, h, w};
    for (int d = 0; d < 4; d++) cm::dnn::tell(dim[d], it->dim[d]);
    return cmDnnGetFilterNdDescriptor(it, 0, type, format, nullptr, nullptr);
}
inline cmDnnStatus_t cmDnnGetFilterSizeInBytes(cmDnnFilterDescriptor_t it, size_t *size) {
    return cmDnnGetTensorSizeInBytes(it, size);
}

// ---- descriptors of convolutions ----

inline cmDnnStatus_t cmDnnCreateConvolutionDescriptor(cmDnnConvolutionDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyConvolutionDescriptor(cmDnnConvolutionDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetConvolutionNdDescriptor(cmDnnConvolutionDescriptor_t it, int rank,
                                                     const int *padding, const int *stride,
                                                     const int *dilation,
                                                     cmDnnConvolutionMode_t mode,
                                                     cmDnnDataType_t type) {
    if (!it || rank < 1 || rank > CM_DNN_DIM_MAX - 2) return CM_DNN_STATUS_BAD_PARAM;
    if (rank > 3) return CM_DNN_STATUS_NOT_SUPPORTED;
    for (int d = 0; d < rank; d++)
        if (padding[d] < 0 || stride[d] < 1 || dilation[d] < 1) return CM_DNN_STATUS_BAD_PARAM;
    it->rank = rank, it->mode = mode, it->type = type;
    for (int d = 0; d < rank; d++)
        it->padding[d] = padding[d], it->stride[d] = stride[d], it->dilation[d] = dilation[d];
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnSetConvolution2dDescriptor(cmDnnConvolutionDescriptor_t it,
                                                     int padding_h, int padding_w, int stride_h,
                                                     int stride_w, int dilation_h, int dilation_w,
                                                     cmDnnConvolutionMode_t mode,
                                                     cmDnnDataType_t type = CM_DNN_DATA_FLOAT) {
    const int padding[] = {padding_h, padding_w}, stride[] = {stride_h, stride_w},
              dilation[] = {dilation_h, dilation_w};
    return cmDnnSetConvolutionNdDescriptor(it, 2, padding, stride, dilation, mode, type);
}
inline cmDnnStatus_t cmDnnGetConvolutionNdDescriptor(cmDnnConvolutionDescriptor_t it, int asked,
                                                     int *rank, int *padding, int *stride,
                                                     int *dilation, cmDnnConvolutionMode_t *mode,
                                                     cmDnnDataType_t *type) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(rank, it->rank), cm::dnn::tell(mode, it->mode), cm::dnn::tell(type, it->type);
    for (int d = 0; d < asked && d < it->rank; d++) {
        if (padding) padding[d] = it->padding[d];
        if (stride) stride[d] = it->stride[d];
        if (dilation) dilation[d] = it->dilation[d];
    }
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetConvolution2dDescriptor(cmDnnConvolutionDescriptor_t it,
                                                     int *padding_h, int *padding_w, int *stride_h,
                                                     int *stride_w, int *dilation_h,
                                                     int *dilation_w, cmDnnConvolutionMode_t *mode,
                                                     cmDnnDataType_t *type) {
    if (!it || it->rank != 2) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(padding_h, it->padding[0]), cm::dnn::tell(padding_w, it->padding[1]);
    cm::dnn::tell(stride_h, it->stride[0]), cm::dnn::tell(stride_w, it->stride[1]);
    cm::dnn::tell(dilation_h, it->dilation[0]), cm::dnn::tell(dilation_w, it->dilation[1]);
    cm::dnn::tell(mode, it->mode), cm::dnn::tell(type, it->type);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnSetConvolutionMathType(cmDnnConvolutionDescriptor_t it,
                                                 cmDnnMathType_t math) {
    return cm::library::set(it, &cm::dnn::convolution::math, math, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnGetConvolutionMathType(cmDnnConvolutionDescriptor_t it,
                                                 cmDnnMathType_t *math) {
    return cm::library::get(it, &cm::dnn::convolution::math, math, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnSetConvolutionGroupCount(cmDnnConvolutionDescriptor_t it, int groups) {
    if (groups < 1) return CM_DNN_STATUS_BAD_PARAM;
    return cm::library::set(it, &cm::dnn::convolution::groups, groups, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnGetConvolutionGroupCount(cmDnnConvolutionDescriptor_t it, int *groups) {
    return cm::library::get(it, &cm::dnn::convolution::groups, groups, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnGetConvolutionNdForwardOutputDim(cmDnnConvolutionDescriptor_t it,
                                                           cmDnnTensorDescriptor_t xt,
                                                           cmDnnFilterDescriptor_t wt, int rank,
                                                           int *dim) {
    if (!it || !xt || !wt || !dim || xt->rank != it->rank + 2 || wt->rank != xt->rank ||
        rank < xt->rank || xt->dim[1] != wt->dim[1] * it->groups)
        return CM_DNN_STATUS_BAD_PARAM;
    dim[0] = xt->dim[0], dim[1] = wt->dim[0];
    for (int d = 0; d < it->rank; d++) dim[d + 2] = it->result(d, xt->dim[d + 2], wt->dim[d + 2]);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetConvolution2dForwardOutputDim(cmDnnConvolutionDescriptor_t it,
                                                           cmDnnTensorDescriptor_t xt,
                                                           cmDnnFilterDescriptor_t wt, int *n,
                                                           int *c, int *h, int *w) {
    int dim[4];
    const cmDnnStatus_t status = it && it->rank == 2
                                     ? cmDnnGetConvolutionNdForwardOutputDim(it, xt, wt, 4, dim)
                                     : CM_DNN_STATUS_BAD_PARAM;
    if (status) return status;
    cm::dnn::tell(n, dim[0]), cm::dnn::tell(c, dim[1]);
    cm::dnn::tell(h, dim[2]), cm::dnn::tell(w, dim[3]);
    return CM_DNN_STATUS_SUCCESS;
}

namespace cm {
namespace dnn {

// A tensor or a filter with three dimensions of space, of which the first may be 1.
struct volume {
    int n, c, size[3];
    int64_t sn, sc, step[3];

    explicit volume(const tensor &t) : n(t.dim[0]), c(t.dim[1]), sn(t.stride[0]), sc(t.stride[1]) {
        for (int d = 0; d < 3; d++) {
            const int at = t.rank - 3 + d;
            size[d] = at < 2 ? 1 : t.dim[at];
            step[d] = at < 2 ? 0 : t.stride[at];
        }
    }
    int64_t count() const { return static_cast<int64_t>(n) * c * size[0] * size[1] * size[2]; }
    int64_t extent() const {
        int64_t last = (n - 1) * sn + (c - 1) * sc;
        for (int d = 0; d < 3; d++) last += (size[d] - 1) * step[d];
        return last + 1;
    }
    int64_t place(int a, int b, const int *s) const {
        return a * sn + b * sc + s[0] * step[0] + s[1] * step[1] + s[2] * step[2];
    }
    // Element i of the row-major order.
    void index(int64_t i, int *a, int *b, int *s) const {
        for (int d = 2; d >= 0; d--) {
            s[d] = static_cast<int>(i % size[d]);
            i /= size[d];
        }
        *b = static_cast<int>(i % c);
        *a = static_cast<int>(i / c);
    }
};

// What of a convolution is computed: its result, or the slope of its data or filter.
enum class convolves { forward, data, weight };

struct convolving {
    volume x, w, y;
    int groups, padding[3], stride[3], dilation[3];
    bool turned; // a convolution as mathematics has it: the filter is turned around

    convolving(const convolution &it, const tensor &xt, const tensor &wt, const tensor &yt)
        : x(xt), w(wt), y(yt), groups(it.groups), turned(it.mode == CM_DNN_CONVOLUTION) {
        for (int d = 0; d < 3; d++) {
            const int at = it.rank - 3 + d;
            padding[d] = at < 0 ? 0 : it.padding[at];
            stride[d] = at < 0 ? 1 : it.stride[at];
            dilation[d] = at < 0 ? 1 : it.dilation[at];
        }
    }
    const volume &result(convolves what) const {
        return what == convolves::forward ? y : what == convolves::data ? x : w;
    }
    // Element i of it; what is computed is not read.
    template <class R>
    R element(convolves what, const numbers<R> &xs, const numbers<R> &ws, const numbers<R> &ys,
              int64_t i) const {
        return what == convolves::forward ? forward(xs, ws, i)
               : what == convolves::data  ? data(ys, ws, i)
                                          : weight(xs, ys, i);
    }
    int tap(int d, int f) const { return turned ? w.size[d] - 1 - f : f; }

    // An element of y.
    template <class R> R forward(const numbers<R> &in, const numbers<R> &filter, int64_t i) const {
        int n, k, o[3], f[3], p[3], t[3];
        y.index(i, &n, &k, o);
        const int first = k / (w.n / groups) * w.c; // of the channels of its group
        R sum = 0;
        for (f[0] = 0; f[0] < w.size[0]; f[0]++)
            for (f[1] = 0; f[1] < w.size[1]; f[1]++)
                for (f[2] = 0; f[2] < w.size[2]; f[2]++) {
                    bool inside = true;
                    for (int d = 0; d < 3; d++) {
                        p[d] = o[d] * stride[d] - padding[d] + f[d] * dilation[d];
                        inside = inside && p[d] >= 0 && p[d] < x.size[d];
                        t[d] = tap(d, f[d]);
                    }
                    if (!inside) continue;
                    const int64_t from = x.place(n, first, p), by = w.place(k, 0, t);
                    for (int c = 0; c < w.c; c++)
                        sum += in.get(from + c * x.sc) * filter.get(by + c * w.sc);
                }
        return sum;
    }
    // An element of dx.
    template <class R> R data(const numbers<R> &grown, const numbers<R> &filter, int64_t i) const {
        int n, c, p[3], f[3], o[3], t[3];
        x.index(i, &n, &c, p);
        const int many = w.n / groups, first = c / w.c * many;
        R sum = 0;
        for (f[0] = 0; f[0] < w.size[0]; f[0]++)
            for (f[1] = 0; f[1] < w.size[1]; f[1]++)
                for (f[2] = 0; f[2] < w.size[2]; f[2]++) {
                    bool inside = true;
                    for (int d = 0; d < 3; d++) {
                        const int v = p[d] + padding[d] - f[d] * dilation[d];
                        o[d] = v / stride[d];
                        inside = inside && v >= 0 && v % stride[d] == 0 && o[d] < y.size[d];
                        t[d] = tap(d, f[d]);
                    }
                    if (!inside) continue;
                    const int64_t from = y.place(n, first, o), by = w.place(first, c % w.c, t);
                    for (int k = 0; k < many; k++)
                        sum += grown.get(from + k * y.sc) * filter.get(by + k * w.sn);
                }
        return sum;
    }
    // An element of dw.
    template <class R> R weight(const numbers<R> &in, const numbers<R> &grown, int64_t i) const {
        int k, c, t[3], o[3], p[3], low[3], end[3];
        w.index(i, &k, &c, t);
        const int channel = k / (w.n / groups) * w.c + c;
        for (int d = 0; d < 3; d++) { // the results that the tap takes part in
            const int shift = tap(d, t[d]) * dilation[d] - padding[d];
            low[d] = shift < 0 ? (-shift + stride[d] - 1) / stride[d] : 0;
            const int last = x.size[d] - 1 - shift;
            end[d] = last < 0 ? 0 : last / stride[d] + 1;
            if (end[d] > y.size[d]) end[d] = y.size[d];
            t[d] = shift;
        }
        R sum = 0;
        for (int n = 0; n < y.n; n++)
            for (o[0] = low[0]; o[0] < end[0]; o[0]++)
                for (o[1] = low[1]; o[1] < end[1]; o[1]++)
                    for (o[2] = low[2]; o[2] < end[2]; o[2]++) {
                        for (int d = 0; d < 3; d++) p[d] = o[d] * stride[d] + t[d];
                        sum += in.get(x.place(n, channel, p)) * grown.get(y.place(n, k, o));
                    }
        return sum;
    }
};

// Do they belong together?
inline bool fit(const convolution *it, const tensor *xt, const filter *wt, const tensor *yt) {
    int dim[CM_DNN_DIM_MAX];
    if (!it || !xt || !wt || !yt || yt->rank != xt->rank ||
        cmDnnGetConvolutionNdForwardOutputDim(const_cast<convolution *>(it),
                                              const_cast<tensor *>(xt), const_cast<filter *>(wt),
                                              CM_DNN_DIM_MAX, dim))
        return false;
    for (int d = 0; d < yt->rank; d++)
        if (dim[d] != yt->dim[d]) return false;
    return wt->dim[0] % it->groups == 0;
}

} // namespace dnn
} // namespace cm

#ifdef CUDA_MORPH_SYCL_HPP
namespace cm {
namespace dnn {
template <class... Any> inline bool by_onednn(Any &&...) { return false; }
} // namespace dnn
} // namespace cm
#else
#include <cuda_morph/cpu/dnn_onednn.hpp>
#endif

namespace cm {
namespace dnn {

// put(i, v) takes element i of the result; `plain`: it stores it as it is.
template <class R, class Put>
inline cmDnnStatus_t convolve(cmDnnHandle_t h, convolves what, const convolving &c,
                              const numbers<R> &x, const numbers<R> &w, const numbers<R> &y,
                              bool plain, Put put) {
    cmDnnStatus_t status = CM_DNN_STATUS_SUCCESS;
    if (by_onednn(h, what, c, x, w, y, plain, put, &status)) return status;
    return run(h, c.result(what).count(), [=](int64_t i) { put(i, c.element(what, x, w, y, i)); });
}
inline cmDnnStatus_t convolve(cmDnnHandle_t h, convolves what, const convolution *it,
                              const tensor *xt, const void *x, const filter *wt, const void *w,
                              const tensor *yt, const void *y, const void *alpha,
                              const void *beta) {
    if (!fit(it, xt, wt, yt)) return CM_DNN_STATUS_BAD_PARAM;
    const tensor &made = what == convolves::forward ? *yt
                         : what == convolves::data  ? *xt
                                                    : static_cast<const tensor &>(*wt);
    return computed_in(summed_in(xt->type, made.type), [&](auto zero) {
        using R = decltype(zero);
        const blend<R> mix = blending<R>(made, alpha, beta);
        const numbers<R> xs = see<R>(x, *xt), ws = see<R>(w, *wt), ys = see<R>(y, *yt),
                         out = what == convolves::forward ? ys
                               : what == convolves::data  ? xs
                                                          : ws;
        const convolving c(*it, *xt, *wt, *yt);
        const volume to = c.result(what);
        return convolve(h, what, c, xs, ws, ys, mix.plain(), [=](int64_t i, R v) {
            int m, k, s[3];
            to.index(i, &m, &k, s);
            mix.put(out, to.place(m, k, s), v);
        });
    });
}

} // namespace dnn
} // namespace cm

inline cmDnnStatus_t
cmDnnConvolutionForward(cmDnnHandle_t h, const void *alpha, cmDnnTensorDescriptor_t xt,
                        const void *x, cmDnnFilterDescriptor_t wt, const void *w,
                        cmDnnConvolutionDescriptor_t it, cmDnnConvolutionFwdAlgo_t, void *, size_t,
                        const void *beta, cmDnnTensorDescriptor_t yt, void *y) {
    return cm::dnn::convolve(h, cm::dnn::convolves::forward, it, xt, x, wt, w, yt, y, alpha, beta);
}
inline cmDnnStatus_t cmDnnConvolutionBackwardData(cmDnnHandle_t h, const void *alpha,
                                                  cmDnnFilterDescriptor_t wt, const void *w,
                                                  cmDnnTensorDescriptor_t dyt, const void *dy,
                                                  cmDnnConvolutionDescriptor_t it,
                                                  cmDnnConvolutionBwdDataAlgo_t, void *, size_t,
                                                  const void *beta, cmDnnTensorDescriptor_t dxt,
                                                  void *dx) {
    return cm::dnn::convolve(h, cm::dnn::convolves::data, it, dxt, dx, wt, w, dyt, dy, alpha,
                             beta);
}
inline cmDnnStatus_t cmDnnConvolutionBackwardFilter(cmDnnHandle_t h, const void *alpha,
                                                    cmDnnTensorDescriptor_t xt, const void *x,
                                                    cmDnnTensorDescriptor_t dyt, const void *dy,
                                                    cmDnnConvolutionDescriptor_t it,
                                                    cmDnnConvolutionBwdFilterAlgo_t, void *,
                                                    size_t, const void *beta,
                                                    cmDnnFilterDescriptor_t dwt, void *dw) {
    return cm::dnn::convolve(h, cm::dnn::convolves::weight, it, xt, x, dwt, dw, dyt, dy, alpha,
                             beta);
}
// db = alpha * (dy, summed over all but its channels) + beta * db
inline cmDnnStatus_t cmDnnConvolutionBackwardBias(cmDnnHandle_t h, const void *alpha,
                                                  cmDnnTensorDescriptor_t dyt, const void *dy,
                                                  const void *beta, cmDnnTensorDescriptor_t dbt,
                                                  void *db) {
    if (!dyt || !dbt || dyt->rank < 2 || dbt->count() != dyt->dim[1])
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(dbt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*dbt, alpha, beta);
        const tensor to = *dbt;
        tensor along = *dyt;
        const int step = along.stride[1];
        along.dim[1] = 1;
        const numbers<R> grown = see<R>(dy, *dyt), out = see<R>(db, to);
        return run(h, to.count(), [=](int64_t c) {
            R sum = 0;
            const int64_t n = along.count();
            for (int64_t j = 0; j < n; j++) sum += grown.get(c * step + along.place(j));
            mix.put(out, to.place(c), sum);
        });
    });
}
// y = activation(alpha1 * convolution + alpha2 * z + bias); z may be y.
inline cmDnnStatus_t cmDnnConvolutionBiasActivationForward(
    cmDnnHandle_t h, const void *alpha1, cmDnnTensorDescriptor_t xt, const void *x,
    cmDnnFilterDescriptor_t wt, const void *w, cmDnnConvolutionDescriptor_t it,
    cmDnnConvolutionFwdAlgo_t, void *, size_t, const void *alpha2, cmDnnTensorDescriptor_t zt,
    const void *z, cmDnnTensorDescriptor_t bt, const void *b, cmDnnActivationDescriptor_t act,
    cmDnnTensorDescriptor_t yt, void *y) {
    if (!cm::dnn::fit(it, xt, wt, yt) || !bt || bt->count() != yt->dim[1] || !act ||
        (cm::dnn::factor(*yt, alpha2) != 0 && (!zt || !zt->same_size(*yt))))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(cm::dnn::summed_in(xt->type, yt->type), [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> both = blending<R>(*yt, alpha1, alpha2);
        const tensor added = both.beta == R(0) ? *yt : *zt, bias_at = *bt;
        const numbers<R> in = see<R>(x, *xt), filter = see<R>(w, *wt), out = see<R>(y, *yt),
                         more = see<R>(z, added), bias = see<R>(b, bias_at);
        const activating<R> f(*act);
        const convolving c(*it, *xt, *wt, *yt);
        const volume zv(added);
        const auto put = [=](int64_t i, R sum) {
            int n, k, o[3];
            c.y.index(i, &n, &k, o);
            R v = both.alpha * sum + bias.get(bias_at.place(k));
            if (both.beta != R(0)) v += both.beta * more.get(zv.place(n, k, o));
            out.put(c.y.place(n, k, o), f.forward(v));
        };
        return convolve(h, convolves::forward, c, in, filter, out, false, put);
    });
}
// Each column of the result is what one element of the output sees of x.
inline cmDnnStatus_t cmDnnIm2Col(cmDnnHandle_t h, cmDnnTensorDescriptor_t xt, const void *x,
                                 cmDnnFilterDescriptor_t wt, cmDnnConvolutionDescriptor_t it,
                                 void *columns) {
    int dim[CM_DNN_DIM_MAX];
    if (cmDnnGetConvolutionNdForwardOutputDim(it, xt, wt, CM_DNN_DIM_MAX, dim))
        return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tensor result;
    if (cm::dnn::describe(&result, xt->type, xt->rank, dim, nullptr, false))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(xt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const convolving c(*it, *xt, *wt, result);
        const numbers<R> in = see<R>(x, *xt), out = see<R>(columns, *xt);
        const int64_t pixels =
                          static_cast<int64_t>(c.y.n) * c.y.size[0] * c.y.size[1] * c.y.size[2],
                      taps = static_cast<int64_t>(c.w.size[0]) * c.w.size[1] * c.w.size[2];
        return run(h, c.w.c * taps * pixels, [=](int64_t i) {
            int64_t pixel = i % pixels, row = i / pixels;
            int p[3];
            bool inside = true;
            for (int d = 2; d >= 0; d--) {
                const int o = static_cast<int>(pixel % c.y.size[d]),
                          f = static_cast<int>(row % c.w.size[d]);
                pixel /= c.y.size[d], row /= c.w.size[d];
                p[d] = o * c.stride[d] - c.padding[d] + c.tap(d, f) * c.dilation[d];
                inside = inside && p[d] >= 0 && p[d] < c.x.size[d];
            }
            const int n = static_cast<int>(pixel), channel = static_cast<int>(row);
            out.put(i, inside ? in.get(c.x.place(n, channel, p)) : R(0));
        });
    });
}

// ---- which algorithm: all are one ----

namespace cm {
namespace dnn {

// All algorithms of a kind as equally good, the ones that programs expect in front.
template <class Perf, class Algorithm>
inline cmDnnStatus_t propose(std::initializer_list<Algorithm> all, int asked, int *given,
                             Perf *perf) {
    if (!given || !perf || asked < 1) return CM_DNN_STATUS_BAD_PARAM;
    *given = 0;
    for (const Algorithm a : all) {
        if (*given == asked) break;
        Perf &p = perf[(*given)++];
        p = Perf();
        p.algo = a, p.status = CM_DNN_STATUS_SUCCESS, p.time = 1e-3f * static_cast<float>(*given);
        p.determinism = CM_DNN_DETERMINISTIC, p.mathType = CM_DNN_DEFAULT_MATH;
    }
    return CM_DNN_STATUS_SUCCESS;
}
template <class Algorithm> inline cmDnnStatus_t choose(Algorithm one, Algorithm *chosen) {
    if (!chosen) return CM_DNN_STATUS_BAD_PARAM;
    *chosen = one;
    return CM_DNN_STATUS_SUCCESS;
}

} // namespace dnn
} // namespace cm

// KIND: what the names hold; A, B: the two descriptors before the convolution's, C the one behind.
#define CM_DNN_ALGORITHMS(Kind, Fwd, KIND, A, B, C, first, ...)                                   \
    struct cmDnnConvolution##Fwd##AlgoPerf_t {                                                    \
        cmDnnConvolution##Fwd##Algo_t algo;                                                       \
        cmDnnStatus_t status;                                                                     \
        float time;                                                                               \
        size_t memory;                                                                            \
        cmDnnDeterminism_t determinism;                                                           \
        cmDnnMathType_t mathType;                                                                 \
        int reserved[3];                                                                          \
    };                                                                                            \
    inline cmDnnStatus_t cmDnnGetConvolution##Kind##AlgorithmMaxCount(cmDnnHandle_t,              \
                                                                      int *count) {               \
        if (!count) return CM_DNN_STATUS_BAD_PARAM;                                               \
        *count = CM_DNN_CONVOLUTION_##KIND##_ALGO_COUNT;                                          \
        return CM_DNN_STATUS_SUCCESS;                                                             \
    }                                                                                             \
    inline cmDnnStatus_t cmDnnGetConvolution##Kind##Algorithm_v7(                                 \
        cmDnnHandle_t, A, B, cmDnnConvolutionDescriptor_t, C, int asked, int *given,              \
        cmDnnConvolution##Fwd##AlgoPerf_t *perf) {                                                \
        return cm::dnn::propose({first, __VA_ARGS__}, asked, given, perf);                        \
    }                                                                                             \
    inline cmDnnStatus_t cmDnnFindConvolution##Kind##Algorithm(                                   \
        cmDnnHandle_t, A, B, cmDnnConvolutionDescriptor_t, C, int asked, int *given,              \
        cmDnnConvolution##Fwd##AlgoPerf_t *perf) {                                                \
        return cm::dnn::propose({first, __VA_ARGS__}, asked, given, perf);                        \
    }                                                                                             \
    inline cmDnnStatus_t cmDnnFindConvolution##Kind##AlgorithmEx(                                 \
        cmDnnHandle_t, A, const void *, B, const void *, cmDnnConvolutionDescriptor_t, C, void *, \
        int asked, int *given, cmDnnConvolution##Fwd##AlgoPerf_t *perf, void *, size_t) {         \
        return cm::dnn::propose({first, __VA_ARGS__}, asked, given, perf);                        \
    }                                                                                             \
    inline cmDnnStatus_t cmDnnGetConvolution##Kind##Algorithm(                                    \
        cmDnnHandle_t, A, B, cmDnnConvolutionDescriptor_t, C,                                     \
        cmDnnConvolution##Fwd##Preference_t, size_t, cmDnnConvolution##Fwd##Algo_t *chosen) {     \
        return cm::dnn::choose(first, chosen);                                                    \
    }                                                                                             \
    inline cmDnnStatus_t cmDnnGetConvolution##Kind##WorkspaceSize(                                \
        cmDnnHandle_t, A, B, cmDnnConvolutionDescriptor_t, C, cmDnnConvolution##Fwd##Algo_t,      \
        size_t *size) {                                                                           \
        return cm::dnn::no_space(size);                                                           \
    }
CM_DNN_ALGORITHMS(Forward, Fwd, FWD, cmDnnTensorDescriptor_t, cmDnnFilterDescriptor_t,
                  cmDnnTensorDescriptor_t, CM_DNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
                  CM_DNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, CM_DNN_CONVOLUTION_FWD_ALGO_GEMM,
                  CM_DNN_CONVOLUTION_FWD_ALGO_DIRECT, CM_DNN_CONVOLUTION_FWD_ALGO_FFT,
                  CM_DNN_CONVOLUTION_FWD_ALGO_FFT_TILING, CM_DNN_CONVOLUTION_FWD_ALGO_WINOGRAD,
                  CM_DNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED)
CM_DNN_ALGORITHMS(BackwardData, BwdData, BWD_DATA, cmDnnFilterDescriptor_t,
                  cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t,
                  CM_DNN_CONVOLUTION_BWD_DATA_ALGO_1, CM_DNN_CONVOLUTION_BWD_DATA_ALGO_0,
                  CM_DNN_CONVOLUTION_BWD_DATA_ALGO_FFT,
                  CM_DNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING,
                  CM_DNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD,
                  CM_DNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED)
CM_DNN_ALGORITHMS(BackwardFilter, BwdFilter, BWD_FILTER, cmDnnTensorDescriptor_t,
                  cmDnnTensorDescriptor_t, cmDnnFilterDescriptor_t,
                  CM_DNN_CONVOLUTION_BWD_FILTER_ALGO_1, CM_DNN_CONVOLUTION_BWD_FILTER_ALGO_0,
                  CM_DNN_CONVOLUTION_BWD_FILTER_ALGO_3, CM_DNN_CONVOLUTION_BWD_FILTER_ALGO_FFT,
                  CM_DNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING,
                  CM_DNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED)
#undef CM_DNN_ALGORITHMS

#endif
