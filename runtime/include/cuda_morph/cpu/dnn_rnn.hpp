// SPDX-License-Identifier: Apache-2.0
// cuDNN's interfaces to recurrent networks: that of cuDNN 8, with descriptors of a batch's
// sequences, and the two before it (a tensor's descriptor for each step; the Ex functions). Not
// here: projections, clipping and searches for algorithms.
#ifndef CUDA_MORPH_CPU_DNN_RNN_HPP
#define CUDA_MORPH_CPU_DNN_RNN_HPP

#include <algorithm>
#include <vector>

#include <cuda_morph/cpu/dnn_rnn_engine.hpp>

using cmDnnRNNDescriptor_t = cm::dnn::recurrent *;
using cmDnnRNNDataDescriptor_t = cm::dnn::sequences *;
using cmDnnRNNPaddingMode_t = unsigned;
struct cmDnnPersistentRNNPlan {};
using cmDnnPersistentRNNPlan_t = cmDnnPersistentRNNPlan *;

inline cmDnnStatus_t cmDnnCreateRNNDescriptor(cmDnnRNNDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyRNNDescriptor(cmDnnRNNDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetRNNDescriptor_v8(cmDnnRNNDescriptor_t it, cmDnnRNNAlgo_t algorithm,
                                              cmDnnRNNMode_t mode, cmDnnRNNBiasMode_t bias,
                                              cmDnnDirectionMode_t direction,
                                              cmDnnRNNInputMode_t input, cmDnnDataType_t type,
                                              cmDnnDataType_t precision, cmDnnMathType_t math,
                                              int32_t input_size, int32_t hidden,
                                              int32_t projected, int32_t layers,
                                              cmDnnDropoutDescriptor_t drop, uint32_t flags) {
    if (!it || hidden < 1 || layers < 1) return CM_DNN_STATUS_BAD_PARAM;
    if (projected != hidden && projected != 0) return CM_DNN_STATUS_NOT_SUPPORTED;
    it->algorithm = algorithm, it->mode = mode, it->bias = bias, it->direction = direction;
    it->input = input, it->type = type, it->precision = precision, it->math = math;
    it->input_size = input_size, it->hidden = hidden, it->layers = layers, it->drop = drop;
    it->padded = flags;
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetRNNDescriptor_v8(cmDnnRNNDescriptor_t it, cmDnnRNNAlgo_t *algorithm,
                                              cmDnnRNNMode_t *mode, cmDnnRNNBiasMode_t *bias,
                                              cmDnnDirectionMode_t *direction,
                                              cmDnnRNNInputMode_t *input, cmDnnDataType_t *type,
                                              cmDnnDataType_t *precision, cmDnnMathType_t *math,
                                              int32_t *input_size, int32_t *hidden,
                                              int32_t *projected, int32_t *layers,
                                              cmDnnDropoutDescriptor_t *drop, uint32_t *flags) {
    using cm::dnn::tell;
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    tell(algorithm, it->algorithm), tell(mode, it->mode), tell(bias, it->bias);
    tell(direction, it->direction), tell(input, it->input), tell(type, it->type);
    tell(precision, it->precision), tell(math, it->math), tell(input_size, it->input_size);
    tell(hidden, it->hidden), tell(projected, it->hidden), tell(layers, it->layers);
    tell(drop, it->drop), tell(flags, it->padded);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnSetRNNDescriptor_v6(cmDnnHandle_t, cmDnnRNNDescriptor_t it, int hidden,
                                              int layers, cmDnnDropoutDescriptor_t drop,
                                              cmDnnRNNInputMode_t input,
                                              cmDnnDirectionMode_t direction, cmDnnRNNMode_t mode,
                                              cmDnnRNNAlgo_t algorithm, cmDnnDataType_t type) {
    return cmDnnSetRNNDescriptor_v8(it, algorithm, mode, CM_DNN_RNN_DOUBLE_BIAS, direction, input,
                                    type, type, CM_DNN_DEFAULT_MATH, 0, hidden, hidden, layers,
                                    drop, CM_DNN_RNN_PADDED_IO_DISABLED);
}
// cuDNN 7's name; that of cuDNN 5 had the arguments of the next.
inline cmDnnStatus_t cmDnnSetRNNDescriptor(cmDnnHandle_t h, cmDnnRNNDescriptor_t it, int hidden,
                                           int layers, cmDnnDropoutDescriptor_t drop,
                                           cmDnnRNNInputMode_t input,
                                           cmDnnDirectionMode_t direction, cmDnnRNNMode_t mode,
                                           cmDnnRNNAlgo_t algorithm, cmDnnDataType_t type) {
    return cmDnnSetRNNDescriptor_v6(h, it, hidden, layers, drop, input, direction, mode, algorithm,
                                    type);
}
inline cmDnnStatus_t cmDnnSetRNNDescriptor_v5(cmDnnRNNDescriptor_t it, int hidden, int layers,
                                              cmDnnDropoutDescriptor_t drop,
                                              cmDnnRNNInputMode_t input,
                                              cmDnnDirectionMode_t direction, cmDnnRNNMode_t mode,
                                              cmDnnDataType_t type) {
    return cmDnnSetRNNDescriptor_v6(nullptr, it, hidden, layers, drop, input, direction, mode,
                                    CM_DNN_RNN_ALGO_STANDARD, type);
}
inline cmDnnStatus_t cmDnnGetRNNDescriptor_v6(cmDnnHandle_t, cmDnnRNNDescriptor_t it, int *hidden,
                                              int *layers, cmDnnDropoutDescriptor_t *drop,
                                              cmDnnRNNInputMode_t *input,
                                              cmDnnDirectionMode_t *direction,
                                              cmDnnRNNMode_t *mode, cmDnnRNNAlgo_t *algorithm,
                                              cmDnnDataType_t *type) {
    return cmDnnGetRNNDescriptor_v8(it, algorithm, mode, nullptr, direction, input, nullptr, type,
                                    nullptr, nullptr, hidden, nullptr, layers, drop, nullptr);
}
inline cmDnnStatus_t cmDnnSetRNNMatrixMathType(cmDnnRNNDescriptor_t it, cmDnnMathType_t math) {
    return cm::library::set(it, &cm::dnn::recurrent::math, math, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnGetRNNMatrixMathType(cmDnnRNNDescriptor_t it, cmDnnMathType_t *math) {
    return cm::library::get(it, &cm::dnn::recurrent::math, math, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnSetRNNBiasMode(cmDnnRNNDescriptor_t it, cmDnnRNNBiasMode_t bias) {
    return cm::library::set(it, &cm::dnn::recurrent::bias, bias, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnGetRNNBiasMode(cmDnnRNNDescriptor_t it, cmDnnRNNBiasMode_t *bias) {
    return cm::library::get(it, &cm::dnn::recurrent::bias, bias, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnSetRNNPaddingMode(cmDnnRNNDescriptor_t it, unsigned padded) {
    return cm::library::set(it, &cm::dnn::recurrent::padded, padded, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnGetRNNPaddingMode(cmDnnRNNDescriptor_t it, unsigned *padded) {
    return cm::library::get(it, &cm::dnn::recurrent::padded, padded, CM_DNN_STATUS_BAD_PARAM);
}
// Plans of persistent kernels: there is nothing to plan.
inline cmDnnStatus_t cmDnnCreatePersistentRNNPlan(cmDnnRNNDescriptor_t, int, cmDnnDataType_t,
                                                  cmDnnPersistentRNNPlan_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnSetPersistentRNNPlan(cmDnnRNNDescriptor_t it, cmDnnPersistentRNNPlan_t) {
    return it ? CM_DNN_STATUS_SUCCESS : CM_DNN_STATUS_BAD_PARAM;
}
inline cmDnnStatus_t cmDnnDestroyPersistentRNNPlan(cmDnnPersistentRNNPlan_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnBuildRNNDynamic(cmDnnHandle_t, cmDnnRNNDescriptor_t it, int) {
    return it ? CM_DNN_STATUS_SUCCESS : CM_DNN_STATUS_BAD_PARAM;
}

// ---- the sequences of a batch ----

inline cmDnnStatus_t cmDnnCreateRNNDataDescriptor(cmDnnRNNDataDescriptor_t *made) {
    return cm::dnn::create(made);
}
inline cmDnnStatus_t cmDnnDestroyRNNDataDescriptor(cmDnnRNNDataDescriptor_t it) {
    return cm::dnn::destroy(it);
}
inline cmDnnStatus_t cmDnnSetRNNDataDescriptor(cmDnnRNNDataDescriptor_t it, cmDnnDataType_t type,
                                               cmDnnRNNDataLayout_t layout, int longest, int batch,
                                               int vector, const int *lengths, void *fill) {
    if (!it || longest < 1 || batch < 1 || vector < 1 || !lengths) return CM_DNN_STATUS_BAD_PARAM;
    if (!cm::dnn::size_of(type)) return CM_DNN_STATUS_NOT_SUPPORTED;
    const bool packed = layout == CM_DNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
    for (int n = 0; n < batch; n++)
        if (lengths[n] < 0 || lengths[n] > longest || (packed && n && lengths[n] > lengths[n - 1]))
            return CM_DNN_STATUS_BAD_PARAM;
    it->type = type, it->layout = layout, it->longest = longest, it->batch = batch;
    it->vector = vector, it->length.assign(lengths, lengths + batch);
    it->fill = fill ? cm::dnn::numbers<double>{fill, type}.get(0) : 0;
    it->packed();
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetRNNDataDescriptor(cmDnnRNNDataDescriptor_t it, cmDnnDataType_t *type,
                                               cmDnnRNNDataLayout_t *layout, int *longest,
                                               int *batch, int *vector, int asked, int *lengths,
                                               void *fill) {
    using cm::dnn::tell;
    if (!it) return CM_DNN_STATUS_BAD_PARAM;
    tell(type, it->type), tell(layout, it->layout), tell(longest, it->longest);
    tell(batch, it->batch), tell(vector, it->vector);
    for (int n = 0; lengths && n < asked && n < it->batch; n++)
        lengths[n] = it->length[static_cast<size_t>(n)];
    if (fill) cm::dnn::numbers<double>{fill, it->type}.put(0, it->fill);
    return CM_DNN_STATUS_SUCCESS;
}

namespace cm {
namespace dnn {

// Sequences by a tensor's descriptor for each step, as before cuDNN 7: sorted, packed.
inline bool stepwise(const cmDnnTensorDescriptor_t *steps, int count, sequences *made) {
    if (!steps || count < 1 || !steps[0] || steps[0]->rank < 2) return false;
    made->type = steps[0]->type, made->longest = count, made->batch = steps[0]->dim[0];
    made->vector = steps[0]->dim[1];
    made->length.assign(static_cast<size_t>(made->batch), 0);
    for (int t = 0; t < count; t++) {
        if (!steps[t] || steps[t]->dim[0] > made->batch) return false;
        for (int n = 0; n < steps[t]->dim[0]; n++) made->length[static_cast<size_t>(n)] = t + 1;
    }
    made->packed();
    return true;
}
inline bool fit(const recurrent *it, const sequences &x, const sequences &y) {
    return it && it->layers && x.vector > 0 && y.vector == it->width() && x.batch == y.batch &&
           x.longest == y.longest && x.length == y.length &&
           (it->input == CM_DNN_LINEAR_INPUT || x.vector == it->hidden);
}
template <class R> inline size_t reserve_bytes(const recurrent &it, const sequences &x) {
    return static_cast<size_t>(network<R>(it, x, x).reserved()) * sizeof(R);
}
inline size_t reserve_bytes(const recurrent &it, const sequences &x) {
    return x.type == CM_DNN_DATA_DOUBLE ? reserve_bytes<double>(it, x)
                                        : reserve_bytes<float>(it, x);
}

// What the three interfaces hand on.
struct running {
    const recurrent *net;
    sequences x, y;
    const void *xp, *hx, *cx, *w;
    void *yp, *hy, *cy, *reserve;
    size_t reserve_size;
    bool training;
};
inline cmDnnStatus_t go(cmDnnHandle_t h, const running &r) {
    if (!h || !fit(r.net, r.x, r.y) || !r.w) return CM_DNN_STATUS_BAD_PARAM;
    if (r.training && (!r.reserve || r.reserve_size < reserve_bytes(*r.net, r.x)))
        return CM_DNN_STATUS_BAD_PARAM;
    return computed_in(r.x.type, [&](auto zero) {
        using R = decltype(zero);
        network<R> net(*r.net, r.x, r.y);
        net.reserve = r.training ? static_cast<R *>(r.reserve) : nullptr;
        const running how = r;
        return library::enqueue(h->stream,
                                [=] {
                                    network<R> n = net;
                                    std::vector<R> kept;
                                    if (!n.reserve) {
                                        kept.resize(static_cast<size_t>(n.reserved()));
                                        n.reserve = kept.data();
                                    }
                                    const auto at = [&](const void *p, cmDnnDataType_t type) {
                                        return numbers<R>{const_cast<void *>(p), type};
                                    };
                                    const cmDnnDataType_t t = how.x.type;
                                    n.forward(at(how.xp, t), at(how.w, t), at(how.hx, t),
                                              at(how.cx, t), at(how.yp, how.y.type), at(how.hy, t),
                                              at(how.cy, t), how.training);
                                })
                   ? CM_DNN_STATUS_EXECUTION_FAILED
                   : CM_DNN_STATUS_SUCCESS;
    });
}
struct running_back {
    const recurrent *net;
    sequences x, y;
    const void *dy, *dhy, *dcy, *w, *hx, *cx;
    void *dx, *dhx, *dcx, *reserve;
    size_t reserve_size;
};
inline cmDnnStatus_t go_back(cmDnnHandle_t h, const running_back &r) {
    if (!h || !fit(r.net, r.x, r.y) || !r.w || !r.dy || !r.reserve ||
        r.reserve_size < reserve_bytes(*r.net, r.x))
        return CM_DNN_STATUS_BAD_PARAM;
    return computed_in(r.x.type, [&](auto zero) {
        using R = decltype(zero);
        network<R> net(*r.net, r.x, r.y);
        net.reserve = static_cast<R *>(r.reserve);
        const running_back how = r;
        const auto work = [=] {
            const cmDnnDataType_t t = how.x.type;
            const auto at = [&](const void *p) { return numbers<R>{const_cast<void *>(p), t}; };
            net.backward(at(how.dy), at(how.dhy), at(how.dcy), at(how.w), at(how.hx), at(how.cx),
                         at(how.dx), at(how.dhx), at(how.dcx));
        };
        return library::enqueue(h->stream, work) ? CM_DNN_STATUS_EXECUTION_FAILED
                                                 : CM_DNN_STATUS_SUCCESS;
    });
}
inline cmDnnStatus_t weigh(cmDnnHandle_t h, const recurrent *it, const sequences &x,
                           const void *xp, const void *hx, void *dw, const void *reserve,
                           size_t size, bool anew) {
    if (!h || !it || !it->layers || !dw || !reserve || size < reserve_bytes(*it, x))
        return CM_DNN_STATUS_BAD_PARAM;
    return computed_in(x.type, [&](auto zero) {
        using R = decltype(zero);
        network<R> net(*it, x, x);
        net.reserve = static_cast<R *>(const_cast<void *>(reserve));
        const auto work = [=] {
            const auto at = [&](const void *p) {
                return numbers<R>{const_cast<void *>(p), x.type};
            };
            for (int64_t i = 0, n = anew ? net.weights.count() : 0; i < n; i++)
                at(dw).put(i, R(0));
            net.weigh(at(xp), at(hx), at(dw));
        };
        return library::enqueue(h->stream, work) ? CM_DNN_STATUS_EXECUTION_FAILED
                                                 : CM_DNN_STATUS_SUCCESS;
    });
}

} // namespace dnn
} // namespace cm

// ---- cuDNN 8's interface ----

inline cmDnnStatus_t cmDnnGetRNNWeightSpaceSize(cmDnnHandle_t, cmDnnRNNDescriptor_t it,
                                                size_t *size) {
    if (!it || !size || it->input_size < 1) return CM_DNN_STATUS_BAD_PARAM;
    *size = static_cast<size_t>(cm::dnn::weighing(*it, it->input_size).count()) *
            static_cast<size_t>(cm::dnn::size_of(it->type));
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetRNNTempSpaceSizes(cmDnnHandle_t, cmDnnRNNDescriptor_t it,
                                               cmDnnForwardMode_t mode, cmDnnRNNDataDescriptor_t x,
                                               size_t *work, size_t *reserve) {
    if (!it || !x) return CM_DNN_STATUS_BAD_PARAM;
    cm::dnn::tell(work, 0);
    cm::dnn::tell(reserve, mode == CM_DNN_FWD_MODE_TRAINING ? cm::dnn::reserve_bytes(*it, *x) : 0);
    return CM_DNN_STATUS_SUCCESS;
}

namespace cm {
namespace dnn {
// Where a linear layer's matrix or bias lies; one that is not there has no address.
inline void *weight_at(const void *start, cmDnnDataType_t type, int64_t at) {
    return at < 0 ? nullptr
                  : const_cast<char *>(static_cast<const char *>(start)) + at * size_of(type);
}
inline bool has_matrix(const weighing &w, int pseudo, int id) {
    return !(w.skips(pseudo / w.net.directions()) && id < w.net.gates());
}
inline bool knows(const recurrent *it, int pseudo, int id) {
    return it && pseudo >= 0 && pseudo < it->layers * it->directions() && id >= 0 &&
           id < 2 * it->gates();
}
} // namespace dnn
} // namespace cm

inline cmDnnStatus_t cmDnnGetRNNWeightParams(cmDnnHandle_t, cmDnnRNNDescriptor_t it,
                                             int32_t pseudo, size_t, const void *space, int32_t id,
                                             cmDnnTensorDescriptor_t mt, void **matrix,
                                             cmDnnTensorDescriptor_t bt, void **bias) {
    using namespace cm::dnn;
    if (!knows(it, pseudo, id) || it->input_size < 1) return CM_DNN_STATUS_BAD_PARAM;
    const weighing w(*it, it->input_size);
    const int columns = id < it->gates() ? w.inputs(pseudo / it->directions()) : it->hidden;
    const int dim[] = {1, it->hidden, columns}, one[] = {1, it->hidden, 1};
    const bool there = has_matrix(w, pseudo, id);
    const int64_t b = w.bias(pseudo, id);
    if (mt) *mt = tensor();
    if (bt) *bt = tensor();
    if (mt && there) describe(mt, it->type, 3, dim, nullptr, false);
    if (bt && b >= 0) describe(bt, it->type, 3, one, nullptr, false);
    if (matrix) *matrix = weight_at(space, it->type, there ? w.matrix(pseudo, id) : -1);
    if (bias) *bias = weight_at(space, it->type, b);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnRNNForward(cmDnnHandle_t h, cmDnnRNNDescriptor_t it,
                                     cmDnnForwardMode_t mode, const int32_t *,
                                     cmDnnRNNDataDescriptor_t xt, const void *x,
                                     cmDnnRNNDataDescriptor_t yt, void *y, cmDnnTensorDescriptor_t,
                                     const void *hx, void *hy, cmDnnTensorDescriptor_t,
                                     const void *cx, void *cy, size_t, const void *w, size_t,
                                     void *, size_t reserve_size, void *reserve) {
    if (!xt || !yt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::go(h, {it, *xt, *yt, x, hx, cx, w, y, hy, cy, reserve, reserve_size,
                           mode == CM_DNN_FWD_MODE_TRAINING});
}
inline cmDnnStatus_t
cmDnnRNNBackwardData_v8(cmDnnHandle_t h, cmDnnRNNDescriptor_t it, const int32_t *,
                        cmDnnRNNDataDescriptor_t yt, const void *, const void *dy,
                        cmDnnRNNDataDescriptor_t xt, void *dx, cmDnnTensorDescriptor_t,
                        const void *hx, const void *dhy, void *dhx, cmDnnTensorDescriptor_t,
                        const void *cx, const void *dcy, void *dcx, size_t, const void *w, size_t,
                        void *, size_t reserve_size, void *reserve) {
    if (!xt || !yt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::go_back(
        h, {it, *xt, *yt, dy, dhy, dcy, w, hx, cx, dx, dhx, dcx, reserve, reserve_size});
}
inline cmDnnStatus_t cmDnnRNNBackwardWeights_v8(cmDnnHandle_t h, cmDnnRNNDescriptor_t it,
                                                cmDnnWgradMode_t mode, const int32_t *,
                                                cmDnnRNNDataDescriptor_t xt, const void *x,
                                                cmDnnTensorDescriptor_t, const void *hx,
                                                cmDnnRNNDataDescriptor_t, const void *, size_t,
                                                void *dw, size_t, void *, size_t reserve_size,
                                                void *reserve) {
    if (!xt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::weigh(h, it, *xt, x, hx, dw, reserve, reserve_size,
                          mode == CM_DNN_WGRAD_MODE_SET);
}

// ---- the interface before: a descriptor for each step ----

inline cmDnnStatus_t cmDnnGetRNNWorkspaceSize(cmDnnHandle_t, cmDnnRNNDescriptor_t it, int,
                                              const cmDnnTensorDescriptor_t *, size_t *size) {
    return it ? cm::dnn::no_space(size) : CM_DNN_STATUS_BAD_PARAM;
}
inline cmDnnStatus_t cmDnnGetRNNTrainingReserveSize(cmDnnHandle_t, cmDnnRNNDescriptor_t it,
                                                    int steps, const cmDnnTensorDescriptor_t *xt,
                                                    size_t *size) {
    cm::dnn::sequences x;
    if (!it || !size || !cm::dnn::stepwise(xt, steps, &x)) return CM_DNN_STATUS_BAD_PARAM;
    *size = cm::dnn::reserve_bytes(*it, x);
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetRNNParamsSize(cmDnnHandle_t, cmDnnRNNDescriptor_t it,
                                           cmDnnTensorDescriptor_t xt, size_t *size,
                                           cmDnnDataType_t type) {
    if (!it || !xt || !size || xt->rank < 2) return CM_DNN_STATUS_BAD_PARAM;
    *size = static_cast<size_t>(cm::dnn::weighing(*it, xt->dim[1]).count()) *
            static_cast<size_t>(cm::dnn::size_of(type));
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetRNNLinLayerMatrixParams(cmDnnHandle_t, cmDnnRNNDescriptor_t it,
                                                     int pseudo, cmDnnTensorDescriptor_t xt,
                                                     cmDnnFilterDescriptor_t wt, const void *w,
                                                     int id, cmDnnFilterDescriptor_t mt,
                                                     void **matrix) {
    using namespace cm::dnn;
    if (!knows(it, pseudo, id) || !xt || !wt || !mt || !matrix) return CM_DNN_STATUS_BAD_PARAM;
    const weighing all(*it, xt->dim[1]);
    const int columns = id < it->gates() ? all.inputs(pseudo / it->directions()) : it->hidden;
    const bool there = has_matrix(all, pseudo, id);
    const int dim[] = {1, it->hidden, columns};
    *matrix = weight_at(w, wt->type, there ? all.matrix(pseudo, id) : -1);
    if (there) return cmDnnSetFilterNdDescriptor(mt, wt->type, CM_DNN_TENSOR_NCHW, 3, dim);
    *mt = filter();
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnGetRNNLinLayerBiasParams(cmDnnHandle_t, cmDnnRNNDescriptor_t it,
                                                   int pseudo, cmDnnTensorDescriptor_t xt,
                                                   cmDnnFilterDescriptor_t wt, const void *w,
                                                   int id, cmDnnFilterDescriptor_t bt,
                                                   void **bias) {
    using namespace cm::dnn;
    if (!knows(it, pseudo, id) || !xt || !wt || !bt || !bias) return CM_DNN_STATUS_BAD_PARAM;
    const weighing all(*it, xt->dim[1]);
    const int64_t at = all.bias(pseudo, id);
    const int dim[] = {1, it->hidden, 1};
    *bias = weight_at(w, wt->type, at);
    if (at >= 0) return cmDnnSetFilterNdDescriptor(bt, wt->type, CM_DNN_TENSOR_NCHW, 3, dim);
    *bt = filter();
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t
cmDnnRNNForwardTraining(cmDnnHandle_t h, cmDnnRNNDescriptor_t it, int steps,
                        const cmDnnTensorDescriptor_t *xt, const void *x, cmDnnTensorDescriptor_t,
                        const void *hx, cmDnnTensorDescriptor_t, const void *cx,
                        cmDnnFilterDescriptor_t, const void *w, const cmDnnTensorDescriptor_t *yt,
                        void *y, cmDnnTensorDescriptor_t, void *hy, cmDnnTensorDescriptor_t,
                        void *cy, void *, size_t, void *reserve, size_t reserve_size) {
    cm::dnn::sequences xs, ys;
    if (!cm::dnn::stepwise(xt, steps, &xs) || !cm::dnn::stepwise(yt, steps, &ys))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::go(h, {it, xs, ys, x, hx, cx, w, y, hy, cy, reserve, reserve_size, true});
}
inline cmDnnStatus_t cmDnnRNNForwardInference(cmDnnHandle_t h, cmDnnRNNDescriptor_t it, int steps,
                                              const cmDnnTensorDescriptor_t *xt, const void *x,
                                              cmDnnTensorDescriptor_t, const void *hx,
                                              cmDnnTensorDescriptor_t, const void *cx,
                                              cmDnnFilterDescriptor_t, const void *w,
                                              const cmDnnTensorDescriptor_t *yt, void *y,
                                              cmDnnTensorDescriptor_t, void *hy,
                                              cmDnnTensorDescriptor_t, void *cy, void *, size_t) {
    cm::dnn::sequences xs, ys;
    if (!cm::dnn::stepwise(xt, steps, &xs) || !cm::dnn::stepwise(yt, steps, &ys))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::go(h, {it, xs, ys, x, hx, cx, w, y, hy, cy, nullptr, 0, false});
}
inline cmDnnStatus_t cmDnnRNNBackwardData(
    cmDnnHandle_t h, cmDnnRNNDescriptor_t it, int steps, const cmDnnTensorDescriptor_t *yt,
    const void *, const cmDnnTensorDescriptor_t *, const void *dy, cmDnnTensorDescriptor_t,
    const void *dhy, cmDnnTensorDescriptor_t, const void *dcy, cmDnnFilterDescriptor_t,
    const void *w, cmDnnTensorDescriptor_t, const void *hx, cmDnnTensorDescriptor_t,
    const void *cx, const cmDnnTensorDescriptor_t *dxt, void *dx, cmDnnTensorDescriptor_t,
    void *dhx, cmDnnTensorDescriptor_t, void *dcx, void *, size_t, void *reserve,
    size_t reserve_size) {
    cm::dnn::sequences xs, ys;
    if (!cm::dnn::stepwise(dxt, steps, &xs) || !cm::dnn::stepwise(yt, steps, &ys))
        return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::go_back(
        h, {it, xs, ys, dy, dhy, dcy, w, hx, cx, dx, dhx, dcx, reserve, reserve_size});
}
inline cmDnnStatus_t cmDnnRNNBackwardWeights(cmDnnHandle_t h, cmDnnRNNDescriptor_t it, int steps,
                                             const cmDnnTensorDescriptor_t *xt, const void *x,
                                             cmDnnTensorDescriptor_t, const void *hx,
                                             const cmDnnTensorDescriptor_t *, const void *,
                                             const void *, size_t, cmDnnFilterDescriptor_t,
                                             void *dw, const void *reserve, size_t reserve_size) {
    cm::dnn::sequences xs;
    if (!cm::dnn::stepwise(xt, steps, &xs)) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::weigh(h, it, xs, x, hx, dw, reserve, reserve_size, false);
}

// ---- the same with descriptors of sequences ----

inline cmDnnStatus_t cmDnnRNNForwardTrainingEx(
    cmDnnHandle_t h, cmDnnRNNDescriptor_t it, cmDnnRNNDataDescriptor_t xt, const void *x,
    cmDnnTensorDescriptor_t, const void *hx, cmDnnTensorDescriptor_t, const void *cx,
    cmDnnFilterDescriptor_t, const void *w, cmDnnRNNDataDescriptor_t yt, void *y,
    cmDnnTensorDescriptor_t, void *hy, cmDnnTensorDescriptor_t, void *cy, cmDnnRNNDataDescriptor_t,
    const void *, cmDnnRNNDataDescriptor_t, void *, cmDnnRNNDataDescriptor_t, void *,
    cmDnnRNNDataDescriptor_t, void *, void *, size_t, void *reserve, size_t reserve_size) {
    if (!xt || !yt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::go(h, {it, *xt, *yt, x, hx, cx, w, y, hy, cy, reserve, reserve_size, true});
}
inline cmDnnStatus_t cmDnnRNNForwardInferenceEx(
    cmDnnHandle_t h, cmDnnRNNDescriptor_t it, cmDnnRNNDataDescriptor_t xt, const void *x,
    cmDnnTensorDescriptor_t, const void *hx, cmDnnTensorDescriptor_t, const void *cx,
    cmDnnFilterDescriptor_t, const void *w, cmDnnRNNDataDescriptor_t yt, void *y,
    cmDnnTensorDescriptor_t, void *hy, cmDnnTensorDescriptor_t, void *cy, cmDnnRNNDataDescriptor_t,
    const void *, cmDnnRNNDataDescriptor_t, void *, cmDnnRNNDataDescriptor_t, void *,
    cmDnnRNNDataDescriptor_t, void *, void *, size_t) {
    if (!xt || !yt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::go(h, {it, *xt, *yt, x, hx, cx, w, y, hy, cy, nullptr, 0, false});
}
inline cmDnnStatus_t cmDnnRNNBackwardDataEx(
    cmDnnHandle_t h, cmDnnRNNDescriptor_t it, cmDnnRNNDataDescriptor_t yt, const void *,
    cmDnnRNNDataDescriptor_t, const void *dy, cmDnnRNNDataDescriptor_t, const void *,
    cmDnnTensorDescriptor_t, const void *dhy, cmDnnTensorDescriptor_t, const void *dcy,
    cmDnnFilterDescriptor_t, const void *w, cmDnnTensorDescriptor_t, const void *hx,
    cmDnnTensorDescriptor_t, const void *cx, cmDnnRNNDataDescriptor_t dxt, void *dx,
    cmDnnTensorDescriptor_t, void *dhx, cmDnnTensorDescriptor_t, void *dcx,
    cmDnnRNNDataDescriptor_t, void *, void *, size_t, void *reserve, size_t reserve_size) {
    if (!dxt || !yt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::go_back(
        h, {it, *dxt, *yt, dy, dhy, dcy, w, hx, cx, dx, dhx, dcx, reserve, reserve_size});
}
inline cmDnnStatus_t cmDnnRNNBackwardWeightsEx(cmDnnHandle_t h, cmDnnRNNDescriptor_t it,
                                               cmDnnRNNDataDescriptor_t xt, const void *x,
                                               cmDnnTensorDescriptor_t, const void *hx,
                                               cmDnnRNNDataDescriptor_t, const void *, void *,
                                               size_t, cmDnnFilterDescriptor_t, void *dw,
                                               void *reserve, size_t reserve_size) {
    if (!xt) return CM_DNN_STATUS_BAD_PARAM;
    return cm::dnn::weigh(h, it, *xt, x, hx, dw, reserve, reserve_size, false);
}

#endif
