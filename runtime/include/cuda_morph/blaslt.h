/* SPDX-License-Identifier: Apache-2.0 */
// cuBLASLt over the loops of blas.h: products of matrices in column order, described piece by
// piece, in batches, with bias, ReLU and GELU (the approximation by tanh) as epilogues, and GELU's
// input kept beside it (AUX). One algorithm is offered for what is supported, and none for the
// rest: cublasLtMatmulAlgoGetHeuristic() then says CUBLAS_STATUS_NOT_SUPPORTED.
#ifndef CUDA_MORPH_BLASLT_H
#define CUDA_MORPH_BLASLT_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/blas.h>

using cmBlasLtHandle_t = cmBlasContext *;

typedef enum cmBlasLtMatmulDescAttributes_t {
    CM_BLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
    CM_BLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CM_BLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CM_BLASLT_MATMUL_DESC_TRANSA = 3,
    CM_BLASLT_MATMUL_DESC_TRANSB = 4,
    CM_BLASLT_MATMUL_DESC_TRANSC = 5,
    CM_BLASLT_MATMUL_DESC_EPILOGUE = 7,
    CM_BLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CM_BLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CM_BLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CM_BLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cmBlasLtMatmulDescAttributes_t;
typedef enum cmBlasLtMatrixLayoutAttribute_t {
    CM_BLASLT_MATRIX_LAYOUT_TYPE = 0,
    CM_BLASLT_MATRIX_LAYOUT_ORDER = 1,
    CM_BLASLT_MATRIX_LAYOUT_ROWS = 2,
    CM_BLASLT_MATRIX_LAYOUT_COLS = 3,
    CM_BLASLT_MATRIX_LAYOUT_LD = 4,
    CM_BLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CM_BLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} cmBlasLtMatrixLayoutAttribute_t;
typedef enum cmBlasLtMatmulPreferenceAttributes_t {
    CM_BLASLT_MATMUL_PREF_SEARCH_MODE = 0,
    CM_BLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
} cmBlasLtMatmulPreferenceAttributes_t;
typedef enum cmBlasLtEpilogue_t {
    CM_BLASLT_EPILOGUE_DEFAULT = 1,
    CM_BLASLT_EPILOGUE_RELU = 2,
    CM_BLASLT_EPILOGUE_BIAS = 4,
    CM_BLASLT_EPILOGUE_RELU_BIAS = 6,
    CM_BLASLT_EPILOGUE_GELU = 32,
    CM_BLASLT_EPILOGUE_GELU_BIAS = 36,
    CM_BLASLT_EPILOGUE_GELU_AUX = 160,
    CM_BLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CM_BLASLT_EPILOGUE_DGELU = 192,
    CM_BLASLT_EPILOGUE_BGRADA = 256,
    CM_BLASLT_EPILOGUE_BGRADB = 512
} cmBlasLtEpilogue_t;
typedef enum cmBlasLtOrder_t { CM_BLASLT_ORDER_COL = 0, CM_BLASLT_ORDER_ROW = 1 } cmBlasLtOrder_t;

struct cmBlasLtMatmulDescOpaque_t {
    cmBlasComputeType_t compute;
    cmDataType scale;
    int32_t pointer_mode;
    cmBlasOperation_t ta, tb, tc;
    cmBlasLtEpilogue_t epilogue;
    void *bias, *aux;
    int64_t aux_ld;
    cmDataType bias_type;
    bool has_bias_type;
};
struct cmBlasLtMatrixLayoutOpaque_t {
    cmDataType type;
    uint64_t rows, cols;
    int64_t ld, offset;
    int32_t batch;
    cmBlasLtOrder_t order;
};
struct cmBlasLtMatmulPreferenceOpaque_t {
    uint64_t workspace;
};
struct cmBlasLtMatmulAlgo_t {
    uint64_t data[8];
};
struct cmBlasLtMatmulHeuristicResult_t {
    cmBlasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cmBlasStatus_t state;
    float wavesCount;
    int reserved[4];
};
using cmBlasLtMatmulDesc_t = cmBlasLtMatmulDescOpaque_t *;
using cmBlasLtMatrixLayout_t = cmBlasLtMatrixLayoutOpaque_t *;
using cmBlasLtMatmulPreference_t = cmBlasLtMatmulPreferenceOpaque_t *;

inline cmBlasStatus_t cmBlasLtCreate(cmBlasLtHandle_t *h) { return cmBlasCreate(h); }
inline cmBlasStatus_t cmBlasLtDestroy(cmBlasLtHandle_t h) { return cmBlasDestroy(h); }

// The forms that end in Init are for descriptions that the program keeps by value.
inline cmBlasStatus_t cmBlasLtMatmulDescInit(cmBlasLtMatmulDesc_t d, cmBlasComputeType_t compute,
                                             cmDataType scale) {
    *d = cmBlasLtMatmulDescOpaque_t{compute,
                                    scale,
                                    CM_BLAS_POINTER_MODE_HOST,
                                    CM_BLAS_OP_N,
                                    CM_BLAS_OP_N,
                                    CM_BLAS_OP_N,
                                    CM_BLASLT_EPILOGUE_DEFAULT,
                                    nullptr,
                                    nullptr,
                                    0,
                                    CM_R_32F,
                                    false};
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasLtMatmulDescCreate(cmBlasLtMatmulDesc_t *d,
                                               cmBlasComputeType_t compute, cmDataType scale) {
    *d = new cmBlasLtMatmulDescOpaque_t;
    return cmBlasLtMatmulDescInit(*d, compute, scale);
}
inline cmBlasStatus_t cmBlasLtMatmulDescDestroy(cmBlasLtMatmulDesc_t d) {
    delete d;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasLtMatmulDescSetAttribute(cmBlasLtMatmulDesc_t d,
                                                     cmBlasLtMatmulDescAttributes_t which,
                                                     const void *value, size_t size) {
    const auto set = [&](auto *member) {
        if (size < sizeof *member) return CM_BLAS_STATUS_INVALID_VALUE;
        memcpy(member, value, sizeof *member);
        return CM_BLAS_STATUS_SUCCESS;
    };
    if (!d || !value) return CM_BLAS_STATUS_INVALID_VALUE;
    switch (which) {
    case CM_BLASLT_MATMUL_DESC_COMPUTE_TYPE:
        return set(&d->compute);
    case CM_BLASLT_MATMUL_DESC_SCALE_TYPE:
        return set(&d->scale);
    case CM_BLASLT_MATMUL_DESC_POINTER_MODE:
        return set(&d->pointer_mode);
    case CM_BLASLT_MATMUL_DESC_TRANSA:
        return set(&d->ta);
    case CM_BLASLT_MATMUL_DESC_TRANSB:
        return set(&d->tb);
    case CM_BLASLT_MATMUL_DESC_TRANSC:
        return set(&d->tc);
    case CM_BLASLT_MATMUL_DESC_EPILOGUE:
        return set(&d->epilogue);
    case CM_BLASLT_MATMUL_DESC_BIAS_POINTER:
        return set(&d->bias);
    case CM_BLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
        return set(&d->aux);
    case CM_BLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
        return set(&d->aux_ld);
    case CM_BLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
        d->has_bias_type = true;
        return set(&d->bias_type);
    }
    return CM_BLAS_STATUS_NOT_SUPPORTED;
}
inline cmBlasStatus_t cmBlasLtMatrixLayoutInit(cmBlasLtMatrixLayout_t l, cmDataType type,
                                               uint64_t rows, uint64_t cols, int64_t ld) {
    *l = cmBlasLtMatrixLayoutOpaque_t{type, rows, cols, ld, 0, 1, CM_BLASLT_ORDER_COL};
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasLtMatrixLayoutCreate(cmBlasLtMatrixLayout_t *l, cmDataType type,
                                                 uint64_t rows, uint64_t cols, int64_t ld) {
    *l = new cmBlasLtMatrixLayoutOpaque_t;
    return cmBlasLtMatrixLayoutInit(*l, type, rows, cols, ld);
}
inline cmBlasStatus_t cmBlasLtMatrixLayoutDestroy(cmBlasLtMatrixLayout_t l) {
    delete l;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasLtMatrixLayoutSetAttribute(cmBlasLtMatrixLayout_t l,
                                                       cmBlasLtMatrixLayoutAttribute_t which,
                                                       const void *value, size_t size) {
    const auto set = [&](auto *member) {
        if (size < sizeof *member) return CM_BLAS_STATUS_INVALID_VALUE;
        memcpy(member, value, sizeof *member);
        return CM_BLAS_STATUS_SUCCESS;
    };
    if (!l || !value) return CM_BLAS_STATUS_INVALID_VALUE;
    switch (which) {
    case CM_BLASLT_MATRIX_LAYOUT_TYPE:
        return set(&l->type);
    case CM_BLASLT_MATRIX_LAYOUT_ORDER:
        return set(&l->order);
    case CM_BLASLT_MATRIX_LAYOUT_ROWS:
        return set(&l->rows);
    case CM_BLASLT_MATRIX_LAYOUT_COLS:
        return set(&l->cols);
    case CM_BLASLT_MATRIX_LAYOUT_LD:
        return set(&l->ld);
    case CM_BLASLT_MATRIX_LAYOUT_BATCH_COUNT:
        return set(&l->batch);
    case CM_BLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
        return set(&l->offset);
    }
    return CM_BLAS_STATUS_NOT_SUPPORTED;
}
inline cmBlasStatus_t cmBlasLtMatmulPreferenceInit(cmBlasLtMatmulPreference_t p) {
    p->workspace = 0;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasLtMatmulPreferenceCreate(cmBlasLtMatmulPreference_t *p) {
    *p = new cmBlasLtMatmulPreferenceOpaque_t{0};
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasLtMatmulPreferenceDestroy(cmBlasLtMatmulPreference_t p) {
    delete p;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t
cmBlasLtMatmulPreferenceSetAttribute(cmBlasLtMatmulPreference_t p,
                                     cmBlasLtMatmulPreferenceAttributes_t which, const void *value,
                                     size_t size) {
    if (!p || !value) return CM_BLAS_STATUS_INVALID_VALUE;
    if (which == CM_BLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES && size >= sizeof p->workspace)
        memcpy(&p->workspace, value, sizeof p->workspace);
    return CM_BLAS_STATUS_SUCCESS;
}

namespace cm {
namespace blas {

inline bool lt_supported(const cmBlasLtMatmulDescOpaque_t &d,
                         const cmBlasLtMatrixLayoutOpaque_t &a,
                         const cmBlasLtMatrixLayoutOpaque_t &b,
                         const cmBlasLtMatrixLayoutOpaque_t &c,
                         const cmBlasLtMatrixLayoutOpaque_t &to) {
    enum { KNOWN = 1 | 2 | 4 | 32 | 128 };
    const cmBlasLtMatrixLayoutOpaque_t *const all[] = {&a, &b, &c, &to};
    for (const auto *l : all)
        if (l->order != CM_BLASLT_ORDER_COL || !size_of(l->type) || l->type == CM_C_32F ||
            l->type == CM_C_64F)
            return false;
    return d.tc == CM_BLAS_OP_N && !(d.epilogue & ~KNOWN) &&
           d.epilogue != CM_BLASLT_EPILOGUE_DGELU;
}

// What becomes of number (i, j) of the result before it is narrowed.
template <class K>
inline K lt_finished(const cmBlasLtMatmulDescOpaque_t &d, cmDataType type, place i, place j, K x) {
    if (d.epilogue & 4) x += load<K>(d.bias, d.has_bias_type ? d.bias_type : type, i);
    if (d.epilogue & 128) store(d.aux, type, i + j * static_cast<place>(d.aux_ld), x);
    if (d.epilogue & 2) x = x > K(0) ? x : K(0);
    if (!(d.epilogue & 32)) return x;
    const double y = static_cast<double>(x),
                 inner = 0.7978845608028654 * (y + 0.044715 * y * y * y);
    return static_cast<K>(0.5 * y * (1 + std::tanh(inner)));
}
inline char *lt_matrix(const void *p, const cmBlasLtMatrixLayoutOpaque_t &l, place i) {
    return static_cast<char *>(const_cast<void *>(p)) +
           i * l.offset * static_cast<place>(size_of(l.type));
}

template <class K, class S>
inline cmBlasStatus_t lt_matmul(const cmBlasLtMatmulDescOpaque_t &d, const void *alpha,
                                const void *a, const cmBlasLtMatrixLayoutOpaque_t &la,
                                const void *b, const cmBlasLtMatrixLayoutOpaque_t &lb,
                                const void *beta, const void *c,
                                const cmBlasLtMatrixLayoutOpaque_t &lc, void *to,
                                const cmBlasLtMatrixLayoutOpaque_t &lt, cmStream_t stream) {
    const bool late = d.pointer_mode == CM_BLAS_POINTER_MODE_DEVICE;
    const cm::library::scalar<S> s(late, static_cast<const S *>(alpha)),
        t(late, static_cast<const S *>(beta));
    const int m = static_cast<int>(lt.rows), n = static_cast<int>(lt.cols),
              k = static_cast<int>(d.ta ? la.rows : la.cols);
#ifdef CM_BLAS_BY_ONEMKL // an item for each number
    const cmError_t error =
        m && n
            ? cm::library::each(
                  stream, place(m) * n * lt.batch,
                  [=](place at) {
                      const place i = at % m, j = at / m % n, which = at / m / n;
                      const char *const p = lt_matrix(a, la, which), *const q =
                                                                         lt_matrix(b, lb, which);
                      K sum(0);
                      for (place l = 0; l < k; l++)
                          sum += element<K>(p, la.type, int(la.ld), d.ta, i, l) *
                                 element<K>(q, lb.type, int(lb.ld), d.tb, l, j);
                      const K factor = static_cast<K>(t.get());
                      const K old = factor == K(0) ? K(0)
                                                   : factor * load<K>(lt_matrix(c, lc, which),
                                                                      lc.type, i + j * lc.ld);
                      store(lt_matrix(to, lt, which), lt.type, i + j * lt.ld,
                            lt_finished(d, lt.type, i, j,
                                        static_cast<K>(static_cast<K>(s.get()) * sum + old)));
                  })
            : cmSuccess;
#else
    const cmError_t error = cm::library::enqueue(stream, [=] {
        for (int i = 0; i < lt.batch; i++) {
            const auto wa = widened<K>(lt_matrix(a, la, i), la.type, int(la.rows), int(la.cols),
                                       int(la.ld)),
                       wb = widened<K>(lt_matrix(b, lb, i), lb.type, int(lb.rows), int(lb.cols),
                                       int(lb.ld));
            const K factor = static_cast<K>(t.get());
            std::vector<K> v = factor == K(0)
                                   ? std::vector<K>(size_t(m) * size_t(n))
                                   : widened<K>(lt_matrix(c, lc, i), lc.type, m, n, int(lc.ld));
            gemm<K>(d.ta, d.tb, m, n, k, static_cast<K>(s.get()), wa.data(),
                    int(la.rows ? la.rows : 1), wb.data(), int(lb.rows ? lb.rows : 1), factor,
                    v.data(), m ? m : 1);
            char *const out = lt_matrix(to, lt, i);
            for (place y = 0; y < n; y++)
                for (place x = 0; x < m; x++)
                    store(out, lt.type, x + y * static_cast<place>(lt.ld),
                          lt_finished(d, lt.type, x, y, v[static_cast<size_t>(x + y * m)]));
        }
    });
#endif
    return error ? CM_BLAS_STATUS_EXECUTION_FAILED : CM_BLAS_STATUS_SUCCESS;
}

} // namespace blas
} // namespace cm

inline cmBlasStatus_t cmBlasLtMatmulAlgoGetHeuristic(
    cmBlasLtHandle_t h, cmBlasLtMatmulDesc_t d, cmBlasLtMatrixLayout_t a, cmBlasLtMatrixLayout_t b,
    cmBlasLtMatrixLayout_t c, cmBlasLtMatrixLayout_t to, cmBlasLtMatmulPreference_t, int wanted,
    cmBlasLtMatmulHeuristicResult_t *results, int *count) {
    if (!h || !d || !a || !b || !c || !to || wanted < 1 || !results || !count)
        return CM_BLAS_STATUS_INVALID_VALUE;
    *count = cm::blas::lt_supported(*d, *a, *b, *c, *to) ? 1 : 0;
    if (!*count) return CM_BLAS_STATUS_NOT_SUPPORTED;
    *results = cmBlasLtMatmulHeuristicResult_t{};
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasLtMatmul(cmBlasLtHandle_t h, cmBlasLtMatmulDesc_t d, const void *alpha,
                                     const void *a, cmBlasLtMatrixLayout_t la, const void *b,
                                     cmBlasLtMatrixLayout_t lb, const void *beta, const void *c,
                                     cmBlasLtMatrixLayout_t lc, void *to,
                                     cmBlasLtMatrixLayout_t lt, const cmBlasLtMatmulAlgo_t *,
                                     void *, size_t, cmStream_t stream) {
    using namespace cm::blas;
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    if (!d || !alpha || !beta || !la || !lb || !lc || !lt) return CM_BLAS_STATUS_INVALID_VALUE;
    if (!lt_supported(*d, *la, *lb, *lc, *lt)) return CM_BLAS_STATUS_NOT_SUPPORTED;
    const uint64_t m = d->ta ? la->cols : la->rows, k = d->ta ? la->rows : la->cols,
                   n = d->tb ? lb->rows : lb->cols;
    if (lt->rows != m || lt->cols != n || k != (d->tb ? lb->cols : lb->rows) ||
        ((d->epilogue & 4) && !d->bias) || ((d->epilogue & 128) && !d->aux))
        return CM_BLAS_STATUS_INVALID_VALUE;
    switch (d->scale) {
    case CM_R_64F:
        return lt_matmul<double, double>(*d, alpha, a, *la, b, *lb, beta, c, *lc, to, *lt, stream);
    case CM_R_32I:
        return lt_matmul<int, int>(*d, alpha, a, *la, b, *lb, beta, c, *lc, to, *lt, stream);
    case CM_R_16F:
        return lt_matmul<float, __half>(*d, alpha, a, *la, b, *lb, beta, c, *lc, to, *lt, stream);
    case CM_R_32F:
        return lt_matmul<float, float>(*d, alpha, a, *la, b, *lb, beta, c, *lc, to, *lt, stream);
    default:
        return CM_BLAS_STATUS_NOT_SUPPORTED;
    }
}

} // extern "C++"

#endif
