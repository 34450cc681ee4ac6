// SPDX-License-Identifier: Apache-2.0
// What all of cuDNN's functions stand on: the numbers of tensors, results that are blended with
// what was there, work for each element; and its functions for tensors as such. Computed is in
// float, for tensors of double and of whole numbers in double.
#ifndef CUDA_MORPH_CPU_DNN_TENSOR_HPP
#define CUDA_MORPH_CPU_DNN_TENSOR_HPP

namespace cm {
namespace dnn {

// The numbers of a tensor, whatever they are kept in; R: float or double.
template <class T, class R> inline T whole(R v) { // to the nearest, within the type's range
    const R low = static_cast<R>(std::numeric_limits<T>::min()),
            high = static_cast<R>(std::numeric_limits<T>::max());
    return v != v      ? T(0)
           : v <= low  ? std::numeric_limits<T>::min()
           : v >= high ? std::numeric_limits<T>::max()
                       : static_cast<T>(rint(v));
}
template <class R> struct numbers {
    void *data;
    cmDnnDataType_t type;

    R get(int64_t i) const {
        switch (type) {
        case CM_DNN_DATA_DOUBLE:
            return static_cast<R>(static_cast<const double *>(data)[i]);
        case CM_DNN_DATA_HALF:
            return static_cast<R>(static_cast<float>(static_cast<const __half *>(data)[i]));
        case CM_DNN_DATA_BFLOAT16:
            return static_cast<R>(static_cast<float>(static_cast<const __nv_bfloat16 *>(data)[i]));
        case CM_DNN_DATA_INT8:
            return static_cast<R>(static_cast<const int8_t *>(data)[i]);
        case CM_DNN_DATA_UINT8:
            return static_cast<R>(static_cast<const uint8_t *>(data)[i]);
        case CM_DNN_DATA_INT32:
            return static_cast<R>(static_cast<const int32_t *>(data)[i]);
        case CM_DNN_DATA_INT64:
            return static_cast<R>(static_cast<const int64_t *>(data)[i]);
        default:
            return static_cast<R>(static_cast<const float *>(data)[i]);
        }
    }
    void put(int64_t i, R v) const {
        switch (type) {
        case CM_DNN_DATA_DOUBLE:
            static_cast<double *>(data)[i] = v;
            break;
        case CM_DNN_DATA_HALF:
            static_cast<__half *>(data)[i] = __half(static_cast<float>(v));
            break;
        case CM_DNN_DATA_BFLOAT16:
            static_cast<__nv_bfloat16 *>(data)[i] = __nv_bfloat16(static_cast<float>(v));
            break;
        case CM_DNN_DATA_INT8:
            static_cast<int8_t *>(data)[i] = whole<int8_t>(v);
            break;
        case CM_DNN_DATA_UINT8:
            static_cast<uint8_t *>(data)[i] = whole<uint8_t>(v);
            break;
        case CM_DNN_DATA_INT32:
            static_cast<int32_t *>(data)[i] = whole<int32_t>(v);
            break;
        case CM_DNN_DATA_INT64:
            static_cast<int64_t *>(data)[i] = whole<int64_t>(v);
            break;
        default:
            static_cast<float *>(data)[i] = static_cast<float>(v);
        }
    }
};
template <class R> inline numbers<R> see(const void *p, const tensor &t) {
    return {const_cast<void *>(p), t.type};
}

// result = alpha * value + beta * what was there, which is not looked at for beta 0.
template <class R> struct blend {
    R alpha, beta;
    bool plain() const { return alpha == R(1) && beta == R(0); }
    void put(const numbers<R> &to, int64_t i, R value) const {
        to.put(i, beta == R(0) ? alpha * value : alpha * value + beta * to.get(i));
    }
};
// The factors are the host's: double for tensors of double, else float.
inline double factor(const tensor &t, const void *p) {
    if (!p) return 0;
    return t.type == CM_DNN_DATA_DOUBLE ? *static_cast<const double *>(p)
                                        : static_cast<double>(*static_cast<const float *>(p));
}
template <class R> inline blend<R> blending(const tensor &t, const void *alpha, const void *beta) {
    return {static_cast<R>(factor(t, alpha)), static_cast<R>(factor(t, beta))};
}

inline bool is_whole(cmDnnDataType_t type) {
    return type == CM_DNN_DATA_INT8 || type == CM_DNN_DATA_UINT8 || type == CM_DNN_DATA_INT32 ||
           type == CM_DNN_DATA_INT64;
}
// use(R()) with the type that a tensor is computed in; whole numbers in double, as a float holds
// 24 bits of them.
template <class Use> inline cmDnnStatus_t computed_in(cmDnnDataType_t type, Use use) {
    return type == CM_DNN_DATA_DOUBLE || is_whole(type) ? use(double()) : use(float());
}
// The type by which products of `in` are summed for a result of `out`.
inline cmDnnDataType_t summed_in(cmDnnDataType_t in, cmDnnDataType_t out) {
    return is_whole(in) ? in : out;
}
// body(i) for i in [0, n), in the order of the handle's stream; no two of them meet.
template <class Body> inline cmDnnStatus_t run(cmDnnHandle_t h, int64_t n, Body body) {
    if (!h) return CM_DNN_STATUS_BAD_PARAM;
    if (!n) return CM_DNN_STATUS_SUCCESS;
    return library::spread(h->stream, n, body) ? CM_DNN_STATUS_EXECUTION_FAILED
                                               : CM_DNN_STATUS_SUCCESS;
}
// y[i] = alpha * value(i-th x) + beta * y[i]
template <class R, class Value>
inline cmDnnStatus_t each_element(cmDnnHandle_t h, const blend<R> &mix, const tensor &xt,
                                  const void *x, const tensor &yt, void *y, Value value) {
    if (!xt.same_size(yt)) return CM_DNN_STATUS_BAD_PARAM;
    const numbers<R> in = see<R>(x, xt), out = see<R>(y, yt);
    if (xt.same_places(yt) && xt.dense())
        return run(h, xt.count(), [=](int64_t i) { mix.put(out, i, value(in.get(i))); });
    return run(h, xt.count(),
               [=](int64_t i) { mix.put(out, yt.place(i), value(in.get(xt.place(i)))); });
}

} // namespace dnn
} // namespace cm

// ---- tensors ----

inline cmDnnStatus_t cmDnnCreateTensorDescriptor(cmDnnTensorDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyTensorDescriptor(cmDnnTensorDescriptor_t t) {
    return cm::dnn::destroy(t);
}
inline cmDnnStatus_t cmDnnSetTensor4dDescriptor(cmDnnTensorDescriptor_t t,
                                                cmDnnTensorFormat_t format, cmDnnDataType_t type,
                                                int n, int c, int h, int w) {
    const int dim[] = {n, c, h, w};
    if (format == CM_DNN_TENSOR_NCHW_VECT_C) return CM_DNN_STATUS_NOT_SUPPORTED;
    return cm::dnn::describe(t, type, 4, dim, nullptr, format == CM_DNN_TENSOR_NHWC);
}
inline cmDnnStatus_t cmDnnSetTensor4dDescriptorEx(cmDnnTensorDescriptor_t t, cmDnnDataType_t type,
                                                  int n, int c, int h, int w, int sn, int sc,
                                                  int sh, int sw) {
    const int dim[] = {n, c, h, w}, stride[] = {sn, sc, sh, sw};
    return cm::dnn::describe(t, type, 4, dim, stride, false);
}
inline cmDnnStatus_t cmDnnGetTensor4dDescriptor(cmDnnTensorDescriptor_t t, cmDnnDataType_t *type,
                                                int *n, int *c, int *h, int *w, int *sn, int *sc,
                                                int *sh, int *sw) {
    if (!t || t->rank != 4) return CM_DNN_STATUS_BAD_PARAM;
    int *const dim[] = {n, c, h, w}, *const stride[] = {sn, sc, sh, sw};
    cm::dnn::tell(type, t->type);
    for (int d = 0; d < 4; d++)
        cm::dnn::tell(dim[d], t->dim[d]), cm::dnn::tell(stride[d], t->stride[d]);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnSetTensorNdDescriptor(cmDnnTensorDescriptor_t t, cmDnnDataType_t type,
                                                int rank, const int *dim, const int *stride) {
    if (!dim || !stride) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::describe(t, type, rank, dim, stride, false);
}
inline cmDnnStatus_t cmDnnSetTensorNdDescriptorEx(cmDnnTensorDescriptor_t t,
                                                  cmDnnTensorFormat_t format, cmDnnDataType_t type,
                                                  int rank, const int *dim) {
    if (!dim) return CM_DNN_STATUS_BAD_PARAM;
    if (format == CM_DNN_TENSOR_NCHW_VECT_C) return CM_DNN_STATUS_NOT_SUPPORTED;
    return cm::dnn::describe(t, type, rank, dim, nullptr, format == CM_DNN_TENSOR_NHWC);
}
inline cmDnnStatus_t cmDnnGetTensorNdDescriptor(cmDnnTensorDescriptor_t t, int asked,
                                                cmDnnDataType_t *type, int *rank, int *dim,
                                                int *stride) {
    if (!t) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(type, t->type), cm::dnn::tell(rank, t->rank);
    for (int d = 0; d < asked && d < t->rank; d++) {
        if (dim) dim[d] = t->dim[d];
        if (stride) stride[d] = t->stride[d];
    }
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetTensorSizeInBytes(cmDnnTensorDescriptor_t t, size_t *size) {
    if (!t || !size) return CM_DNN_STATUS_BAD_PARAM;
    *size = static_cast<size_t>(t->rank ? t->extent() : 0) *
            static_cast<size_t>(cm::dnn::size_of(t->type));
    return CM_DNN_STATUS_SUCCESS;
}

// y = alpha * x + beta * y, between layouts and types.
inline cmDnnStatus_t cmDnnTransformTensor(cmDnnHandle_t h, const void *alpha,
                                          cmDnnTensorDescriptor_t xt, const void *x,
                                          const void *beta, cmDnnTensorDescriptor_t yt, void *y) {
    if (!xt || !yt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(yt->type, [&](auto zero) {
        using R = decltype(zero);
        return cm::dnn::each_element(h, cm::dnn::blending<R>(*yt, alpha, beta), *xt, x, *yt, y,
                                     [](R v) { return v; });
    });
}
// c = alpha * a + beta * c, where dimensions of `a` may be 1.
inline cmDnnStatus_t cmDnnAddTensor(cmDnnHandle_t h, const void *alpha, cmDnnTensorDescriptor_t at,
                                    const void *a, const void *beta, cmDnnTensorDescriptor_t ct,
                                    void *c) {
    if (!at || !ct || !at->spreads_over(*ct)) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(ct->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*ct, alpha, beta);
        const tensor from = *at, to = *ct;
        const numbers<R> in = see<R>(a, from), out = see<R>(c, to);
        return run(h, to.count(), [=](int64_t i) {
            int index[CM_DNN_DIM_MAX];
            to.index(i, index);
            mix.put(out, to.place(index), in.get(from.place(index)));
        });
    });
}
inline cmDnnStatus_t cmDnnSetTensor(cmDnnHandle_t h, cmDnnTensorDescriptor_t yt, void *y,
                                    const void *value) {
    if (!yt || !value) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::computed_in(yt->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const tensor to = *yt;
        const numbers<R> out = see<R>(y, to);
        const R v = see<R>(value, to).get(0); // it has the tensor's type
        return run(h, to.count(), [=](int64_t i) { out.put(to.place(i), v); });
    });
}
inline cmDnnStatus_t cmDnnScaleTensor(cmDnnHandle_t h, cmDnnTensorDescriptor_t yt, void *y,
                                      const void *alpha) {
    return cmDnnTransformTensor(h, alpha, yt, y, nullptr, yt, y);
}

// ---- operations of two tensors ----

inline cmDnnStatus_t cmDnnCreateOpTensorDescriptor(cmDnnOpTensorDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyOpTensorDescriptor(cmDnnOpTensorDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetOpTensorDescriptor(cmDnnOpTensorDescriptor_t it, cmDnnOpTensorOp_t op,
                                                cmDnnDataType_t type, cmDnnNanPropagation_t nan) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    *it = {op, type, nan};
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetOpTensorDescriptor(cmDnnOpTensorDescriptor_t it,
                                                cmDnnOpTensorOp_t *op, cmDnnDataType_t *type,
                                                cmDnnNanPropagation_t *nan) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(op, it->op), cm::dnn::tell(type, it->type), cm::dnn::tell(nan, it->nan);
    return CM_DNN_STATUS_SUCCESS;
}
// c = op(alpha1 * a, alpha2 * b) + beta * c, where dimensions of `b` may be 1.
inline cmDnnStatus_t cmDnnOpTensor(cmDnnHandle_t h, cmDnnOpTensorDescriptor_t it,
                                   const void *alpha1, cmDnnTensorDescriptor_t at, const void *a,
                                   const void *alpha2, cmDnnTensorDescriptor_t bt, const void *b,
                                   const void *beta, cmDnnTensorDescriptor_t ct, void *c) {
    if (!it || !at || !ct || !at->spreads_over(*ct)) return CM_DNN_STATUS_BAD_PARAM;
    const cmDnnOpTensorOp_t op = it->op;
    const bool one = op == CM_DNN_OP_TENSOR_SQRT || op == CM_DNN_OP_TENSOR_NOT; // b is ignored
    if (!one && (!bt || !bt->spreads_over(*ct))) return CM_DNN_STATUS_BAD_PARAM;
    const bool spread = it->nan == CM_DNN_PROPAGATE_NAN;
    return cm::dnn::computed_in(ct->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = {R(1), static_cast<R>(factor(*ct, beta))};
        const tensor from = *at, other = one ? *at : *bt, to = *ct;
        const numbers<R> left = see<R>(a, from), right = see<R>(one ? a : b, other),
                         out = see<R>(c, to);
        const R f = static_cast<R>(factor(to, alpha1)), g = static_cast<R>(factor(to, alpha2));
        return run(h, to.count(), [=](int64_t i) {
            int index[CM_DNN_DIM_MAX];
            to.index(i, index);
            const R x = f * left.get(from.place(index)),
                    y = one ? R(0) : g * right.get(other.place(index));
            R v = x;
            if (op == CM_DNN_OP_TENSOR_ADD) v = x + y;
            if (op == CM_DNN_OP_TENSOR_MUL) v = x * y;
            if (op == CM_DNN_OP_TENSOR_MIN) v = fmin(x, y);
            if (op == CM_DNN_OP_TENSOR_MAX) v = fmax(x, y);
            if (op == CM_DNN_OP_TENSOR_SQRT) v = sqrt(x);
            if (op == CM_DNN_OP_TENSOR_NOT) v = R(1) - x;
            const bool extreme = op == CM_DNN_OP_TENSOR_MIN || op == CM_DNN_OP_TENSOR_MAX;
            if (extreme && spread && (x != x || y != y)) v = x + y;
            mix.put(out, to.place(index), v);
        });
    });
}

// ---- reductions ----

inline cmDnnStatus_t cmDnnCreateReduceTensorDescriptor(cmDnnReduceTensorDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyReduceTensorDescriptor(cmDnnReduceTensorDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetReduceTensorDescriptor(cmDnnReduceTensorDescriptor_t it,
                                                    cmDnnReduceTensorOp_t op, cmDnnDataType_t type,
                                                    cmDnnNanPropagation_t nan,
                                                    cmDnnReduceTensorIndices_t indices,
                                                    cmDnnIndicesType_t width) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    *it = {op, type, nan, indices, width};
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t
cmDnnGetReduceTensorDescriptor(cmDnnReduceTensorDescriptor_t it, cmDnnReduceTensorOp_t *op,
                               cmDnnDataType_t *type, cmDnnNanPropagation_t *nan,
                               cmDnnReduceTensorIndices_t *indices, cmDnnIndicesType_t *width) {
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(op, it->op), cm::dnn::tell(type, it->type), cm::dnn::tell(nan, it->nan);
    cm::dnn::tell(indices, it->indices), cm::dnn::tell(width, it->width);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetReductionIndicesSize(cmDnnHandle_t, cmDnnReduceTensorDescriptor_t it,
                                                  cmDnnTensorDescriptor_t,
                                                  cmDnnTensorDescriptor_t ct, size_t *size) {
    if (!it || !ct || !size) return CM_DNN_STATUS_BAD_PARAM;
    const bool asked = it->indices == CM_DNN_REDUCE_TENSOR_FLATTENED_INDICES;
    *size = asked ? static_cast<size_t>(ct->count()) * sizeof(uint32_t) : 0;
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetReductionWorkspaceSize(cmDnnHandle_t, cmDnnReduceTensorDescriptor_t,
                                                    cmDnnTensorDescriptor_t,
                                                    cmDnnTensorDescriptor_t, size_t *size) {
    if (!size) return CM_DNN_STATUS_BAD_PARAM;
    *size = 0;
    return CM_DNN_STATUS_SUCCESS;
}

namespace cm {
namespace dnn {

// One number of many, taken in one after the other.
template <class R> struct reduction {
    cmDnnReduceTensorOp_t op;
    bool spread; // NaN through minimum and maximum
    R value = 0;
    int64_t at = 0, taken = 0;

    void take(R v, int64_t number) {
        if (op == CM_DNN_REDUCE_TENSOR_AMAX) v = fabs(v);
        const bool extreme = op == CM_DNN_REDUCE_TENSOR_MIN || op == CM_DNN_REDUCE_TENSOR_MAX ||
                             op == CM_DNN_REDUCE_TENSOR_AMAX;
        if (extreme && v != v && !spread && taken) return;
        const bool none = !taken || (extreme && !spread && value != value);
        taken++;
        switch (op) {
        case CM_DNN_REDUCE_TENSOR_MUL_NO_ZEROS:
            value = taken == 1 ? R(1) : value;
            value *= v == R(0) ? R(1) : v;
            break;
        case CM_DNN_REDUCE_TENSOR_MUL:
            value = none ? v : value * v;
            break;
        case CM_DNN_REDUCE_TENSOR_NORM1:
            value += fabs(v);
            break;
        case CM_DNN_REDUCE_TENSOR_NORM2:
            value += v * v;
            break;
        case CM_DNN_REDUCE_TENSOR_MIN:
            if (none || v < value || (v != v && value == value)) value = v, at = number;
            break;
        case CM_DNN_REDUCE_TENSOR_MAX:
        case CM_DNN_REDUCE_TENSOR_AMAX:
            if (none || v > value || (v != v && value == value)) value = v, at = number;
            break;
        default: // sum, average
            value += v;
        }
    }
    R result() const {
        return op == CM_DNN_REDUCE_TENSOR_AVG     ? value / static_cast<R>(taken)
               : op == CM_DNN_REDUCE_TENSOR_NORM2 ? sqrt(value)
                                                  : value;
    }
};

} // namespace dnn
} // namespace cm

// c = alpha * (a, reduced along the dimensions that are 1 in c) + beta * c
inline cmDnnStatus_t cmDnnReduceTensor(cmDnnHandle_t h, cmDnnReduceTensorDescriptor_t it,
                                       void *indices, size_t bytes, void *, size_t,
                                       const void *alpha, cmDnnTensorDescriptor_t at,
                                       const void *a, const void *beta, cmDnnTensorDescriptor_t ct,
                                       void *c) {
    if (!it || !at || !ct || !ct->spreads_over(*at)) return CM_DNN_STATUS_BAD_PARAM;
    const bool extreme = it->op == CM_DNN_REDUCE_TENSOR_MIN ||
                         it->op == CM_DNN_REDUCE_TENSOR_MAX || it->op == CM_DNN_REDUCE_TENSOR_AMAX;
    const bool places = extreme && it->indices == CM_DNN_REDUCE_TENSOR_FLATTENED_INDICES;
    if (places && it->width != CM_DNN_32BIT_INDICES) return CM_DNN_STATUS_NOT_SUPPORTED;
    if (places && bytes < static_cast<size_t>(ct->count()) * sizeof(uint32_t))
        return CM_DNN_STATUS_INVALID_VALUE;
    return cm::dnn::computed_in(at->type, [&](auto zero) {
        using namespace cm::dnn;
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*at, alpha, beta);
        const reduction<R> none = {it->op, it->nan == CM_DNN_PROPAGATE_NAN};
        const tensor from = *at, to = *ct;
        tensor along = from; // what is reduced for one result
        for (int d = 0; d < to.rank; d++)
            if (to.dim[d] > 1) along.dim[d] = 1;
        const numbers<R> in = see<R>(a, from), out = see<R>(c, to);
        uint32_t *const where = places ? static_cast<uint32_t *>(indices) : nullptr;
        return run(h, to.count(), [=](int64_t i) {
            int index[CM_DNN_DIM_MAX];
            to.index(i, index);
            int64_t start = 0;
            for (int d = 0; d < to.rank; d++)
                start += static_cast<int64_t>(index[d]) * from.stride[d];
            reduction<R> r = none;
            const int64_t n = along.count();
            for (int64_t j = 0; j < n; j++) r.take(in.get(start + along.place(j)), j);
            mix.put(out, to.place(index), r.result());
            if (where) where[i] = static_cast<uint32_t>(r.at);
        });
    });
}

#endif
