// SPDX-License-Identifier: Apache-2.0
// cuDNN's descriptors: what a caller sets once and hands on by pointer.
#ifndef CUDA_MORPH_CPU_DNN_DESCRIPTORS_HPP
#define CUDA_MORPH_CPU_DNN_DESCRIPTORS_HPP

namespace cm {
namespace dnn {

// Where a tensor's elements lie. Row-major by `dim`; strides in elements.
struct tensor {
    cmDnnDataType_t type = CM_DNN_DATA_FLOAT;
    int rank = 0, dim[CM_DNN_DIM_MAX] = {}, stride[CM_DNN_DIM_MAX] = {};

    int64_t count() const {
        int64_t n = 1;
        for (int d = 0; d < rank; d++) n *= dim[d];
        return n;
    }
    // From the first element to behind the last.
    int64_t extent() const {
        int64_t n = 1;
        for (int d = 0; d < rank; d++) n += static_cast<int64_t>(dim[d] - 1) * stride[d];
        return n;
    }
    bool dense() const { return extent() == count(); }
    // Element number i of the row-major order: its index, and its place.
    void index(int64_t i, int *at) const {
        for (int d = rank - 1; d >= 0; d--) {
            at[d] = static_cast<int>(i % dim[d]);
            i /= dim[d];
        }
    }
    int64_t place(const int *at) const {
        int64_t p = 0;
        for (int d = 0; d < rank; d++)
            if (dim[d] > 1) p += static_cast<int64_t>(at[d]) * stride[d]; // 1: broadcast
        return p;
    }
    int64_t place(int64_t i) const {
        int64_t p = 0;
        for (int d = rank - 1; d >= 0; d--) {
            p += i % dim[d] * stride[d];
            i /= dim[d];
        }
        return p;
    }
    bool same_size(const tensor &o) const {
        bool same = rank == o.rank;
        for (int d = 0; same && d < rank; d++) same = dim[d] == o.dim[d];
        return same;
    }
    bool same_places(const tensor &o) const {
        bool same = same_size(o);
        for (int d = 0; same && d < rank; d++) same = stride[d] == o.stride[d];
        return same;
    }
    // Does it have this size, or 1 in place of any dimension of it?
    bool spreads_over(const tensor &o) const {
        bool does = rank == o.rank;
        for (int d = 0; does && d < rank; d++) does = dim[d] == o.dim[d] || dim[d] == 1;
        return does;
    }
    // How many elements each index of the first two dimensions has.
    int64_t inner() const {
        int64_t n = 1;
        for (int d = 2; d < rank; d++) n *= dim[d];
        return n;
    }
};

inline int size_of(cmDnnDataType_t type) {
    switch (type) {
    case CM_DNN_DATA_DOUBLE:
    case CM_DNN_DATA_INT64:
        return 8;
    case CM_DNN_DATA_FLOAT:
    case CM_DNN_DATA_INT32:
        return 4;
    case CM_DNN_DATA_HALF:
    case CM_DNN_DATA_BFLOAT16:
        return 2;
    case CM_DNN_DATA_INT8:
    case CM_DNN_DATA_UINT8:
        return 1;
    default: // vectors of bytes
        return 0;
    }
}

// Strides of a whole tensor; `last`: channels are innermost.
inline void pack(tensor *t, bool last) {
    int next = 1;
    if (last && t->rank > 1) t->stride[1] = 1, next = t->dim[1];
    for (int d = t->rank - 1; d >= 0; d--) {
        if (last && d == 1) continue;
        t->stride[d] = next;
        next *= t->dim[d];
    }
}
inline cmDnnStatus_t describe(tensor *t, cmDnnDataType_t type, int rank, const int *dim,
                              const int *stride, bool last) {
    if (!t || rank < 1 || rank > CM_DNN_DIM_MAX) return CM_DNN_STATUS_BAD_PARAM;
    if (!size_of(type)) return CM_DNN_STATUS_NOT_SUPPORTED;
    for (int d = 0; d < rank; d++)
        if (dim[d] < 1) return CM_DNN_STATUS_BAD_PARAM;
    t->type = type, t->rank = rank;
    for (int d = 0; d < rank; d++) t->dim[d] = dim[d], t->stride[d] = stride ? stride[d] : 0;
    if (!stride) pack(t, last);
    return CM_DNN_STATUS_SUCCESS;
}

struct filter : tensor {
    cmDnnTensorFormat_t format = CM_DNN_TENSOR_NCHW;
};
struct operation {
    cmDnnOpTensorOp_t op;
    cmDnnDataType_t type;
    cmDnnNanPropagation_t nan;
};
struct reducing {
    cmDnnReduceTensorOp_t op;
    cmDnnDataType_t type;
    cmDnnNanPropagation_t nan;
    cmDnnReduceTensorIndices_t indices;
    cmDnnIndicesType_t width;
};
struct activation {
    cmDnnActivationMode_t mode = CM_DNN_ACTIVATION_IDENTITY;
    cmDnnNanPropagation_t nan = CM_DNN_NOT_PROPAGATE_NAN;
    double coefficient = 0, swish_beta = 1;
};
// What slides over a tensor's dimensions of space.
struct sliding {
    int rank = 0, padding[CM_DNN_DIM_MAX - 2] = {}, stride[CM_DNN_DIM_MAX - 2] = {};
};
struct pooling : sliding {
    cmDnnPoolingMode_t mode;
    cmDnnNanPropagation_t nan;
    int window[CM_DNN_DIM_MAX - 2];
    int result(int d, int size) const {
        return 1 + (size + 2 * padding[d] - window[d]) / stride[d];
    }
};
struct convolution : sliding {
    cmDnnConvolutionMode_t mode;
    cmDnnDataType_t type;
    cmDnnMathType_t math = CM_DNN_DEFAULT_MATH;
    int dilation[CM_DNN_DIM_MAX - 2] = {}, groups = 1;
    int result(int d, int size, int filter) const {
        return 1 + (size + 2 * padding[d] - ((filter - 1) * dilation[d] + 1)) / stride[d];
    }
};
struct lrn {
    unsigned n = 5;
    double alpha = 1e-4, beta = 0.75, k = 2;
};
struct dropping {
    float rate;
    uint64_t *states;
    unsigned long long seed;
};

template <class T> inline cmDnnStatus_t create(T **made) {
    if (!made) return CM_DNN_STATUS_BAD_PARAM;
    *made = new T();
    return CM_DNN_STATUS_SUCCESS;
}
template <class T> inline cmDnnStatus_t destroy(T *it) {
    delete it;
    return CM_DNN_STATUS_SUCCESS;
}
// What a caller asks for, if it does.
template <class T, class V> inline void tell(T *where, V value) {
    if (where) *where = static_cast<T>(value);
}

} // namespace dnn
} // namespace cm

using cmDnnTensorDescriptor_t = cm::dnn::tensor *;
using cmDnnFilterDescriptor_t = cm::dnn::filter *;
using cmDnnOpTensorDescriptor_t = cm::dnn::operation *;
using cmDnnReduceTensorDescriptor_t = cm::dnn::reducing *;
using cmDnnActivationDescriptor_t = cm::dnn::activation *;
using cmDnnPoolingDescriptor_t = cm::dnn::pooling *;
using cmDnnConvolutionDescriptor_t = cm::dnn::convolution *;
using cmDnnLRNDescriptor_t = cm::dnn::lrn *;
using cmDnnDropoutDescriptor_t = cm::dnn::dropping *;

inline cmDnnStatus_t cmDnnCreate(cmDnnHandle_t *h) {
    if (!h) return CM_DNN_STATUS_BAD_PARAM;
    *h = new cmDnnContext{nullptr};
    return CM_DNN_STATUS_SUCCESS;
}
inline cmDnnStatus_t cmDnnDestroy(cmDnnHandle_t h) {
    return cm::library::destroy(h, CM_DNN_STATUS_NOT_INITIALIZED);
}
inline cmDnnStatus_t cmDnnSetStream(cmDnnHandle_t h, cmStream_t stream) {
    return cm::library::set(h, &cmDnnContext::stream, stream, CM_DNN_STATUS_BAD_PARAM);
}
inline cmDnnStatus_t cmDnnGetStream(cmDnnHandle_t h, cmStream_t *stream) {
    return cm::library::get(h, &cmDnnContext::stream, stream, CM_DNN_STATUS_BAD_PARAM);
}
inline size_t cmDnnGetVersion() { return CM_DNN_VERSION; }
inline size_t cmDnnGetCudartVersion() { return CUDART_VERSION; }
inline size_t cmDnnGetMaxDeviceVersion() { return CM_DNN_VERSION; }
// The parts of the library are one.
inline cmDnnStatus_t cmDnnOpsVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnOpsInferVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnOpsTrainVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnCnnVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnCnnInferVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnCnnTrainVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnAdvVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnAdvInferVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnAdvTrainVersionCheck() { return CM_DNN_STATUS_SUCCESS; }
inline cmDnnStatus_t cmDnnGetProperty(cmLibraryPropertyType which, int *value) {
    *value = which == MAJOR_VERSION   ? CM_DNN_MAJOR
             : which == MINOR_VERSION ? CM_DNN_MINOR
                                      : CM_DNN_PATCHLEVEL;
    return CM_DNN_STATUS_SUCCESS;
}
inline const char *cmDnnGetErrorString(cmDnnStatus_t status) {
    static const char *const names[] = {"CUDNN_STATUS_SUCCESS",
                                        "CUDNN_STATUS_NOT_INITIALIZED",
                                        "CUDNN_STATUS_ALLOC_FAILED",
                                        "CUDNN_STATUS_BAD_PARAM",
                                        "CUDNN_STATUS_INTERNAL_ERROR",
                                        "CUDNN_STATUS_INVALID_VALUE",
                                        "CUDNN_STATUS_ARCH_MISMATCH",
                                        "CUDNN_STATUS_MAPPING_ERROR",
                                        "CUDNN_STATUS_EXECUTION_FAILED",
                                        "CUDNN_STATUS_NOT_SUPPORTED",
                                        "CUDNN_STATUS_LICENSE_ERROR",
                                        "CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING",
                                        "CUDNN_STATUS_RUNTIME_IN_PROGRESS",
                                        "CUDNN_STATUS_RUNTIME_FP_OVERFLOW",
                                        "CUDNN_STATUS_VERSION_MISMATCH"};
    const auto n = static_cast<size_t>(status);
    return n < sizeof names / sizeof *names ? names[n] : "CUDNN_UNKNOWN_STATUS";
}

#endif
