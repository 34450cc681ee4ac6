// SPDX-License-Identifier: Apache-2.0
// cuDNN's layers without weights: activation, softmax, pooling, normalization across channels,
// dropout. Each element of a result is computed by itself from what it depends on, so that one
// source is a loop on the CPU and a kernel in SYCL.
#ifndef CUDA_MORPH_CPU_DNN_LAYERS_HPP
#define CUDA_MORPH_CPU_DNN_LAYERS_HPP

// ---- activation ----

inline cmDnnStatus_t cmDnnCreateActivationDescriptor(cmDnnActivationDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyActivationDescriptor(cmDnnActivationDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetActivationDescriptor(cmDnnActivationDescriptor_t it,
                                                  cmDnnActivationMode_t mode,
                                                  cmDnnNanPropagation_t nan, double coefficient) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    it->mode = mode, it->nan = nan, it->coefficient = coefficient;
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetActivationDescriptor(cmDnnActivationDescriptor_t it,
                                                  cmDnnActivationMode_t *mode,
                                                  cmDnnNanPropagation_t *nan,
                                                  double *coefficient) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(mode, it->mode), cm::dnn::tell(nan, it->nan);
    cm::dnn::tell(coefficient, it->coefficient);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnSetActivationDescriptorSwishBeta(cmDnnActivationDescriptor_t it,
                                                           double beta) {
    return cm::library::set(it, &cm::dnn::activation::swish_beta, beta, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnGetActivationDescriptorSwishBeta(cmDnnActivationDescriptor_t it,
                                                           double *beta) {
    return cm::library::get(it, &cm::dnn::activation::swish_beta, beta, CM_DNN_STATUS_BAD_PARAM);
}

namespace cm {
namespace dnn {

template <class R> struct activating {
    cmDnnActivationMode_t mode;
    bool spread; // NaN
    R coefficient, swish_beta;

    explicit activating(const activation &a)
        : mode(a.mode), spread(a.nan == CM_DNN_PROPAGATE_NAN),
          coefficient(static_cast<R>(a.coefficient)), swish_beta(static_cast<R>(a.swish_beta)) {}
    static R sigmoid(R x) { return R(1) / (R(1) + exp(-x)); }

    R forward(R x) const {
        switch (mode) {
        case CM_DNN_ACTIVATION_SIGMOID:
            return sigmoid(x);
        case CM_DNN_ACTIVATION_RELU:
            return x > R(0) || (x != x && spread) ? x : R(0);
        case CM_DNN_ACTIVATION_TANH:
            return tanh(x);
        case CM_DNN_ACTIVATION_CLIPPED_RELU:
            if (x != x) return spread ? x : R(0);
            return x <= R(0) ? R(0) : x > coefficient ? coefficient : x;
        case CM_DNN_ACTIVATION_ELU:
            return x >= R(0) ? x : coefficient * (exp(x) - R(1));
        case CM_DNN_ACTIVATION_SWISH:
            return x * sigmoid(swish_beta * x);
        default:
            return x;
        }
    }
    // What the slope at x is, where forward(x) is y.
    R slope(R x, R y) const {
        switch (mode) {
        case CM_DNN_ACTIVATION_SIGMOID:
            return y * (R(1) - y);
        case CM_DNN_ACTIVATION_RELU:
            return x > R(0) ? R(1) : R(0);
        case CM_DNN_ACTIVATION_TANH:
            return R(1) - y * y;
        case CM_DNN_ACTIVATION_CLIPPED_RELU:
            return x > R(0) && x <= coefficient ? R(1) : R(0);
        case CM_DNN_ACTIVATION_ELU:
            return y >= R(0) ? R(1) : y + coefficient;
        case CM_DNN_ACTIVATION_SWISH: {
            const R s = sigmoid(swish_beta * x);
            return s * (R(1) + swish_beta * x * (R(1) - s));
        }
        default:
            return R(1);
        }
    }
};

} // namespace dnn
} // namespace cm

inline cmDnnStatus_t cmDnnActivationForward(cmDnnHandle_t h, cmDnnActivationDescriptor_t it,
                                            const void *alpha, cmDnnTensorDescriptor_t xt,
                                            const void *x, const void *beta,
                                            cmDnnTensorDescriptor_t yt, void *y) {
    if (!it || !xt || !yt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(yt->type, [&](auto zero) {
        using R = decltype(zero);
        const cm::dnn::activating<R> f(*it);
        return cm::dnn::each_element(h, cm::dnn::blending<R>(*yt, alpha, beta), *xt, x, *yt, y,
                                     [=](R v) { return f.forward(v); });
    });
}
inline cmDnnStatus_t cmDnnActivationBackward(cmDnnHandle_t h, cmDnnActivationDescriptor_t it,
                                             const void *alpha, cmDnnTensorDescriptor_t yt,
                                             const void *y, cmDnnTensorDescriptor_t dyt,
                                             const void *dy, cmDnnTensorDescriptor_t xt,
                                             const void *x, const void *beta,
                                             cmDnnTensorDescriptor_t dxt, void *dx) {
    if (!it || !xt || !yt || !dyt || !dxt) return CM_DNN_STATUS_BAD_PARAM;
    if (!xt->same_size(*dxt) || !yt->same_size(*dxt) || !dyt->same_size(*dxt))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(dxt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const activating<R> f(*it);
        const blend<R> mix = blending<R>(*dxt, alpha, beta);
        const tensor tx = *xt, ty = *yt, tdy = *dyt, to = *dxt;
        const numbers<R> in = see<R>(x, tx), made = see<R>(y, ty), grown = see<R>(dy, tdy),
                         out = see<R>(dx, to);
        return run(h, to.count(), [=](int64_t i) {
            const R s = f.slope(in.get(tx.place(i)), made.get(ty.place(i)));
            mix.put(out, to.place(i), grown.get(tdy.place(i)) * s);
        });
    });
}

// ---- softmax ----

namespace cm {
namespace dnn {

// What is summed over: for each index of `outer` the elements of `along`.
struct softmax_ranges {
    tensor outer, along;
    softmax_ranges(const tensor &t, cmDnnSoftmaxMode_t mode) : outer(t), along(t) {
        const bool all = mode == CM_DNN_SOFTMAX_MODE_INSTANCE;
        for (int d = 0; d < t.rank; d++) (d == 0 || (d > 1 && !all) ? along : outer).dim[d] = 1;
    }
};

} // namespace dnn
} // namespace cm

inline cmDnnStatus_t cmDnnSoftmaxForward(cmDnnHandle_t h, cmDnnSoftmaxAlgorithm_t algorithm,
                                         cmDnnSoftmaxMode_t mode, const void *alpha,
                                         cmDnnTensorDescriptor_t xt, const void *x,
                                         const void *beta, cmDnnTensorDescriptor_t yt, void *y) {
    if (!xt || !yt || !xt->same_size(*yt)) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(yt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*yt, alpha, beta);
        const softmax_ranges from(*xt, mode), to(*yt, mode);
        const numbers<R> in = see<R>(x, *xt), out = see<R>(y, *yt);
        return run(h, from.outer.count(), [=](int64_t i) {
            const int64_t xs = from.outer.place(i), ys = to.outer.place(i);
            const int64_t n = from.along.count();
            R most = algorithm == CM_DNN_SOFTMAX_FAST ? R(0) : in.get(xs), sum = 0;
            if (algorithm != CM_DNN_SOFTMAX_FAST)
                for (int64_t j = 1; j < n; j++)
                    most = fmax(most, in.get(xs + from.along.place(j)));
            for (int64_t j = 0; j < n; j++) sum += exp(in.get(xs + from.along.place(j)) - most);
            const R rest = log(sum);
            for (int64_t j = 0; j < n; j++) {
                const R v = in.get(xs + from.along.place(j)) - most;
                mix.put(out, ys + to.along.place(j),
                        algorithm == CM_DNN_SOFTMAX_LOG ? v - rest : exp(v) / sum);
            }
        });
    });
}
inline cmDnnStatus_t cmDnnSoftmaxBackward(cmDnnHandle_t h, cmDnnSoftmaxAlgorithm_t algorithm,
                                          cmDnnSoftmaxMode_t mode, const void *alpha,
                                          cmDnnTensorDescriptor_t yt, const void *y,
                                          cmDnnTensorDescriptor_t dyt, const void *dy,
                                          const void *beta, cmDnnTensorDescriptor_t dxt,
                                          void *dx) {
    if (!yt || !dyt || !dxt || !yt->same_size(*dxt) || !dyt->same_size(*dxt))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(dxt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*dxt, alpha, beta);
        const softmax_ranges made(*yt, mode), grown(*dyt, mode), to(*dxt, mode);
        const numbers<R> p = see<R>(y, *yt), g = see<R>(dy, *dyt), out = see<R>(dx, *dxt);
        const bool logs = algorithm == CM_DNN_SOFTMAX_LOG;
        return run(h, to.outer.count(), [=](int64_t i) {
            const int64_t ys = made.outer.place(i), gs = grown.outer.place(i),
                          xs = to.outer.place(i), n = to.along.count();
            R sum = 0;
            for (int64_t j = 0; j < n; j++) {
                const R d = g.get(gs + grown.along.place(j));
                sum += logs ? d : d * p.get(ys + made.along.place(j));
            }
            for (int64_t j = 0; j < n; j++) {
                const R d = g.get(gs + grown.along.place(j)), v = p.get(ys + made.along.place(j));
                mix.put(out, xs + to.along.place(j), logs ? d - exp(v) * sum : v * (d - sum));
            }
        });
    });
}

// ---- pooling ----

inline cmDnnStatus_t cmDnnCreatePoolingDescriptor(cmDnnPoolingDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyPoolingDescriptor(cmDnnPoolingDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetPoolingNdDescriptor(cmDnnPoolingDescriptor_t it,
                                                 cmDnnPoolingMode_t mode,
                                                 cmDnnNanPropagation_t nan, int rank,
                                                 const int *window, const int *padding,
                                                 const int *stride) {
    if (!it || rank < 1 || rank > CM_DNN_DIM_MAX - 2) return CM_DNN_STATUS_BAD_PARAM;
    for (int d = 0; d < rank; d++)
        if (window[d] < 1 || stride[d] < 1 || padding[d] < 0) return CM_DNN_STATUS_BAD_PARAM;
    it->mode = mode, it->nan = nan, it->rank = rank;
    for (int d = 0; d < rank; d++)
        it->window[d] = window[d], it->padding[d] = padding[d], it->stride[d] = stride[d];
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnSetPooling2dDescriptor(cmDnnPoolingDescriptor_t it,
                                                 cmDnnPoolingMode_t mode,
                                                 cmDnnNanPropagation_t nan, int window_h,
                                                 int window_w, int padding_h, int padding_w,
                                                 int stride_h, int stride_w) {
    const int window[] = {window_h, window_w}, padding[] = {padding_h, padding_w},
              stride[] = {stride_h, stride_w};
    return cmDnnSetPoolingNdDescriptor(it, mode, nan, 2, window, padding, stride);
}
inline cmDnnStatus_t cmDnnGetPoolingNdDescriptor(cmDnnPoolingDescriptor_t it, int asked,
                                                 cmDnnPoolingMode_t *mode,
                                                 cmDnnNanPropagation_t *nan, int *rank,
                                                 int *window, int *padding, int *stride) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(mode, it->mode), cm::dnn::tell(nan, it->nan), cm::dnn::tell(rank, it->rank);
    for (int d = 0; d < asked && d < it->rank; d++) {
        if (window) window[d] = it->window[d];
        if (padding) padding[d] = it->padding[d];
        if (stride) stride[d] = it->stride[d];
    }
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetPooling2dDescriptor(cmDnnPoolingDescriptor_t it,
                                                 cmDnnPoolingMode_t *mode,
                                                 cmDnnNanPropagation_t *nan, int *window_h,
                                                 int *window_w, int *padding_h, int *padding_w,
                                                 int *stride_h, int *stride_w) {
    if (!it || it->rank != 2) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(mode, it->mode), cm::dnn::tell(nan, it->nan);
    cm::dnn::tell(window_h, it->window[0]), cm::dnn::tell(window_w, it->window[1]);
    cm::dnn::tell(padding_h, it->padding[0]), cm::dnn::tell(padding_w, it->padding[1]);
    cm::dnn::tell(stride_h, it->stride[0]), cm::dnn::tell(stride_w, it->stride[1]);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetPoolingNdForwardOutputDim(cmDnnPoolingDescriptor_t it,
                                                       cmDnnTensorDescriptor_t xt, int rank,
                                                       int *dim) {
    if (!it || !xt || !dim || xt->rank != it->rank + 2 || rank < xt->rank)
        return CM_DNN_STATUS_BAD_PARAM;
    dim[0] = xt->dim[0], dim[1] = xt->dim[1];
    for (int d = 0; d < it->rank; d++) dim[d + 2] = it->result(d, xt->dim[d + 2]);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetPooling2dForwardOutputDim(cmDnnPoolingDescriptor_t it,
                                                       cmDnnTensorDescriptor_t xt, int *n, int *c,
                                                       int *h, int *w) {
    int dim[4];
    const cmDnnStatus_t status = it && it->rank == 2
                                     ? cmDnnGetPoolingNdForwardOutputDim(it, xt, 4, dim)
                                     : CM_DNN_STATUS_BAD_PARAM;
    if (status) return status;
    cm::dnn::tell(n, dim[0]), cm::dnn::tell(c, dim[1]);
    cm::dnn::tell(h, dim[2]), cm::dnn::tell(w, dim[3]);
    return CM_DNN_STATUS_SUCCESS;
}

namespace cm {
namespace dnn {

// One window of a pooling: the part of it that lies in the tensor.
struct window_part {
    int rank, from[CM_DNN_DIM_MAX - 2], size[CM_DNN_DIM_MAX - 2], whole = 1, inside = 1;

    // `at`: the place of the result, behind its first two dimensions.
    window_part(const pooling &p, const tensor &t, const int *at) : rank(p.rank) {
        for (int d = 0; d < rank; d++) {
            const int first = at[d] * p.stride[d] - p.padding[d];
            int end = first + p.window[d];
            if (end > t.dim[d + 2]) end = t.dim[d + 2];
            from[d] = first < 0 ? 0 : first;
            size[d] = end > from[d] ? end - from[d] : 0;
            inside *= size[d];
            whole *= p.window[d];
        }
    }
    // Where element j of the part lies, from the start of its channel.
    int64_t place(const tensor &t, int j) const {
        int64_t p = 0;
        for (int d = rank - 1; d >= 0; d--) {
            p += static_cast<int64_t>(from[d] + j % size[d]) * t.stride[d + 2];
            j /= size[d];
        }
        return p;
    }
    // Its largest element, the first of equals; `spread`: or the first NaN.
    template <class R>
    int64_t largest(const tensor &t, const numbers<R> &in, int64_t start, bool spread,
                    R *most) const {
        int64_t best = start + place(t, 0);
        *most = in.get(best);
        for (int j = 1; j < inside; j++) {
            if (*most != *most && spread) break;
            const int64_t p = start + place(t, j);
            const R v = in.get(p);
            if (v > *most || (*most != *most && v == v) || (v != v && spread)) *most = v, best = p;
        }
        return best;
    }
};
inline bool takes_largest(const pooling &p) {
    return p.mode == CM_DNN_POOLING_MAX || p.mode == CM_DNN_POOLING_MAX_DETERMINISTIC;
}

} // namespace dnn
} // namespace cm

inline cmDnnStatus_t cmDnnPoolingForward(cmDnnHandle_t h, cmDnnPoolingDescriptor_t it,
                                         const void *alpha, cmDnnTensorDescriptor_t xt,
                                         const void *x, const void *beta,
                                         cmDnnTensorDescriptor_t yt, void *y) {
    if (!it || !xt || !yt || xt->rank != it->rank + 2 || yt->rank != xt->rank)
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(yt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*yt, alpha, beta);
        const pooling p = *it;
        const tensor from = *xt, to = *yt;
        const numbers<R> in = see<R>(x, from), out = see<R>(y, to);
        const bool include = p.mode == CM_DNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
        return run(h, to.count(), [=](int64_t i) {
            int at[CM_DNN_DIM_MAX];
            to.index(i, at);
            const window_part part(p, from, at + 2);
            const int64_t start = static_cast<int64_t>(at[0]) * from.stride[0] +
                                  static_cast<int64_t>(at[1]) * from.stride[1];
            R v = 0;
            if (takes_largest(p)) {
                if (part.inside) part.largest(from, in, start, p.nan == CM_DNN_PROPAGATE_NAN, &v);
            } else {
                for (int j = 0; j < part.inside; j++) v += in.get(start + part.place(from, j));
                const int n = include ? part.whole : part.inside;
                if (n) v /= static_cast<R>(n);
            }
            mix.put(out, to.place(at), v);
        });
    });
}
inline cmDnnStatus_t cmDnnPoolingBackward(cmDnnHandle_t h, cmDnnPoolingDescriptor_t it,
                                          const void *alpha, cmDnnTensorDescriptor_t yt,
                                          const void *, cmDnnTensorDescriptor_t dyt,
                                          const void *dy, cmDnnTensorDescriptor_t xt,
                                          const void *x, const void *beta,
                                          cmDnnTensorDescriptor_t dxt, void *dx) {
    if (!it || !xt || !yt || !dyt || !dxt || xt->rank != it->rank + 2 || !xt->same_size(*dxt) ||
        !yt->same_size(*dyt) || dyt->rank != xt->rank)
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(dxt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*dxt, alpha, beta);
        const pooling p = *it;
        const tensor from = *xt, grown = *dyt, to = *dxt;
        const numbers<R> in = see<R>(x, from), g = see<R>(dy, grown), out = see<R>(dx, to);
        const bool include = p.mode == CM_DNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
        // of each element of x: the windows that it lies in
        return run(h, to.count(), [=](int64_t i) {
            int at[CM_DNN_DIM_MAX], low[CM_DNN_DIM_MAX], count[CM_DNN_DIM_MAX];
            to.index(i, at);
            int windows = 1;
            for (int d = 0; d < p.rank; d++) {
                const int last = (at[d + 2] + p.padding[d]) / p.stride[d];
                const int reach = at[d + 2] + p.padding[d] - p.window[d];
                low[d] = reach < 0 ? 0 : reach / p.stride[d] + 1;
                const int end = last < grown.dim[d + 2] ? last + 1 : grown.dim[d + 2];
                count[d] = end > low[d] ? end - low[d] : 0;
                windows *= count[d];
            }
            const int64_t start = static_cast<int64_t>(at[0]) * from.stride[0] +
                                  static_cast<int64_t>(at[1]) * from.stride[1];
            const int64_t own = from.place(at);
            R sum = 0;
            for (int k = 0; k < windows; k++) {
                int w[CM_DNN_DIM_MAX] = {at[0], at[1]}, rest = k;
                for (int d = p.rank - 1; d >= 0; d--) {
                    w[d + 2] = low[d] + rest % count[d];
                    rest /= count[d];
                }
                const window_part part(p, from, w + 2);
                R most;
                if (!takes_largest(p))
                    sum +=
                        g.get(grown.place(w)) / static_cast<R>(include ? part.whole : part.inside);
                else if (part.largest(from, in, start, p.nan == CM_DNN_PROPAGATE_NAN, &most) ==
                         own)
                    sum += g.get(grown.place(w));
            }
            mix.put(out, to.place(at), sum);
        });
    });
}

// ---- local response normalization, across channels ----

inline cmDnnStatus_t cmDnnCreateLRNDescriptor(cmDnnLRNDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyLRNDescriptor(cmDnnLRNDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetLRNDescriptor(cmDnnLRNDescriptor_t it, unsigned n, double alpha,
                                           double beta, double k) {
    if (!it || n < CM_DNN_LRN_MIN_N || n > CM_DNN_LRN_MAX_N || k < CM_DNN_LRN_MIN_K ||
        beta < CM_DNN_LRN_MIN_BETA)
        return CM_DNN_STATUS_BAD_PARAM;
    *it = {n, alpha, beta, k};
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetLRNDescriptor(cmDnnLRNDescriptor_t it, unsigned *n, double *alpha,
                                           double *beta, double *k) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(n, it->n), cm::dnn::tell(alpha, it->alpha);
    cm::dnn::tell(beta, it->beta), cm::dnn::tell(k, it->k);
    return CM_DNN_STATUS_SUCCESS;
}

namespace cm {
namespace dnn {

template <class R> struct response {
    int n, before, after;
    R alpha, beta, k;
    explicit response(const lrn &l)
        : n(static_cast<int>(l.n)), before((n - 1) / 2), after(n - 1 - before),
          alpha(static_cast<R>(l.alpha)), beta(static_cast<R>(l.beta)), k(static_cast<R>(l.k)) {}
    // What an element of channel c is divided by, but for the power.
    R sum(const numbers<R> &in, const tensor &t, int64_t pixel, int c) const {
        R s = 0;
        for (int j = c - before < 0 ? 0 : c - before; j <= c + after && j < t.dim[1]; j++) {
            const R v = in.get(pixel + static_cast<int64_t>(j) * t.stride[1]);
            s += v * v;
        }
        return k + alpha * s / static_cast<R>(n);
    }
};

} // namespace dnn
} // namespace cm

inline cmDnnStatus_t cmDnnLRNCrossChannelForward(cmDnnHandle_t h, cmDnnLRNDescriptor_t it,
                                                 cmDnnLRNMode_t, const void *alpha,
                                                 cmDnnTensorDescriptor_t xt, const void *x,
                                                 const void *beta, cmDnnTensorDescriptor_t yt,
                                                 void *y) {
    if (!it || !xt || !yt || xt->rank < 2 || !xt->same_size(*yt)) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(yt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*yt, alpha, beta);
        const response<R> r(*it);
        const tensor from = *xt, to = *yt;
        const numbers<R> in = see<R>(x, from), out = see<R>(y, to);
        return run(h, to.count(), [=](int64_t i) {
            int at[CM_DNN_DIM_MAX];
            to.index(i, at);
            const int64_t own = from.place(at),
                          pixel = own - static_cast<int64_t>(at[1]) * from.stride[1];
            mix.put(out, to.place(at), in.get(own) / pow(r.sum(in, from, pixel, at[1]), r.beta));
        });
    });
}
inline cmDnnStatus_t cmDnnLRNCrossChannelBackward(cmDnnHandle_t h, cmDnnLRNDescriptor_t it,
                                                  cmDnnLRNMode_t, const void *alpha,
                                                  cmDnnTensorDescriptor_t, const void *,
                                                  cmDnnTensorDescriptor_t dyt, const void *dy,
                                                  cmDnnTensorDescriptor_t xt, const void *x,
                                                  const void *beta, cmDnnTensorDescriptor_t dxt,
                                                  void *dx) {
    if (!it || !xt || !dyt || !dxt || xt->rank < 2 || !xt->same_size(*dxt) ||
        !dyt->same_size(*dxt))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(dxt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*dxt, alpha, beta);
        const response<R> r(*it);
        const tensor from = *xt, grown = *dyt, to = *dxt;
        const numbers<R> in = see<R>(x, from), g = see<R>(dy, grown), out = see<R>(dx, to);
        return run(h, to.count(), [=](int64_t i) {
            int at[CM_DNN_DIM_MAX];
            to.index(i, at);
            const int c = at[1];
            const int64_t own = from.place(at),
                          pixel = own - static_cast<int64_t>(c) * from.stride[1],
                          there = grown.place(at) - static_cast<int64_t>(c) * grown.stride[1];
            R v = g.get(grown.place(at)) / pow(r.sum(in, from, pixel, c), r.beta), others = 0;
            // the channels whose windows hold this one
            const int low = c - r.after < 0 ? 0 : c - r.after;
            for (int j = low; j <= c + r.before && j < from.dim[1]; j++)
                others += g.get(there + static_cast<int64_t>(j) * grown.stride[1]) *
                          in.get(pixel + static_cast<int64_t>(j) * from.stride[1]) /
                          pow(r.sum(in, from, pixel, j), r.beta + R(1));
            v -= R(2) * r.alpha * r.beta / static_cast<R>(r.n) * in.get(own) * others;
            mix.put(out, to.place(at), v);
        });
    });
}

// ---- dropout: which elements stay is drawn anew, so other ones than on a GPU ----

inline cmDnnStatus_t cmDnnCreateDropoutDescriptor(cmDnnDropoutDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyDropoutDescriptor(cmDnnDropoutDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnDropoutGetStatesSize(cmDnnHandle_t, size_t *size) {
    if (!size) return CM_DNN_STATUS_BAD_PARAM;
    *size = 2 * sizeof(uint64_t); // the seed, and how many were drawn
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnDropoutGetReserveSpaceSize(cmDnnTensorDescriptor_t xt, size_t *size) {
    if (!xt || !size) return CM_DNN_STATUS_BAD_PARAM;
    *size = static_cast<size_t>(xt->count());
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnRestoreDropoutDescriptor(cmDnnDropoutDescriptor_t it, cmDnnHandle_t,
                                                   float rate, void *states, size_t size,
                                                   unsigned long long seed) {
    if (!it || rate < 0 || rate > 1) return CM_DNN_STATUS_BAD_PARAM;
    if (states && size < 2 * sizeof(uint64_t)) return CM_DNN_STATUS_INVALID_VALUE;
    *it = {rate, static_cast<uint64_t *>(states), seed};
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnSetDropoutDescriptor(cmDnnDropoutDescriptor_t it, cmDnnHandle_t h,
                                               float rate, void *states, size_t size,
                                               unsigned long long seed) {
    const cmDnnStatus_t status = cmDnnRestoreDropoutDescriptor(it, h, rate, states, size, seed);
    if (status || !states) return status;
    uint64_t *const s = it->states;
    return cm::dnn::run(h, 1, [=](int64_t) { s[0] = seed, s[1] = 0; });
}
inline cmDnnStatus_t cmDnnGetDropoutDescriptor(cmDnnDropoutDescriptor_t it, cmDnnHandle_t,
                                               float *rate, void **states,
                                               unsigned long long *seed) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(rate, it->rate), cm::dnn::tell(seed, it->seed);
    if (states) *states = it->states;
    return CM_DNN_STATUS_SUCCESS;
}

namespace cm {
namespace dnn {

// A number in [0, 1) for each counter: SplitMix64 (Steele, Lea, Flood, 2014).
inline float drawn(uint64_t seed, uint64_t counter) {
    uint64_t z = seed + (counter + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<float>((z ^ (z >> 31)) >> 40) / 16777216.0f;
}

} // namespace dnn
} // namespace cm

inline cmDnnStatus_t cmDnnDropoutForward(cmDnnHandle_t h, cmDnnDropoutDescriptor_t it,
                                         cmDnnTensorDescriptor_t xt, const void *x,
                                         cmDnnTensorDescriptor_t yt, void *y, void *reserve,
                                         size_t size) {
    if (!it || !xt || !yt || !reserve || !xt->same_size(*yt) ||
        size < static_cast<size_t>(xt->count()) || (!it->states && it->rate > 0))
        return CM_DNN_STATUS_BAD_PARAM;
    const cmDnnStatus_t status = cm::dnn::computed_in(yt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const tensor from = *xt, to = *yt;
        const numbers<R> in = see<R>(x, from), out = see<R>(y, to);
        const float rate = it->rate;
        const R larger = rate < 1 ? R(1) / (R(1) - static_cast<R>(rate)) : R(0);
        uint64_t *const s = it->states;
        auto *const stays = static_cast<unsigned char *>(reserve);
        return run(h, to.count(), [=](int64_t i) {
            stays[i] = rate <= 0 || drawn(s[0], s[1] + static_cast<uint64_t>(i)) >= rate;
            out.put(to.place(i), stays[i] ? in.get(from.place(i)) * larger : R(0));
        });
    });
    if (status || !it->states) return status;
    uint64_t *const s = it->states;
    const auto n = static_cast<uint64_t>(xt->count());
    return cm::dnn::run(h, 1, [=](int64_t) { s[1] += n; });
}
inline cmDnnStatus_t cmDnnDropoutBackward(cmDnnHandle_t h, cmDnnDropoutDescriptor_t it,
                                          cmDnnTensorDescriptor_t dyt, const void *dy,
                                          cmDnnTensorDescriptor_t dxt, void *dx, void *reserve,
                                          size_t size) {
    if (!it || !dyt || !dxt || !reserve || !dyt->same_size(*dxt) ||
        size < static_cast<size_t>(dxt->count()))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(dxt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const tensor from = *dyt, to = *dxt;
        const numbers<R> in = see<R>(dy, from), out = see<R>(dx, to);
        const R larger = it->rate < 1 ? R(1) / (R(1) - static_cast<R>(it->rate)) : R(0);
        const auto *const stays = static_cast<const unsigned char *>(reserve);
        return run(h, to.count(), [=](int64_t i) {
            out.put(to.place(i), stays[i] ? in.get(from.place(i)) * larger : R(0));
        });
    });
}

#endif
