// SPDX-License-Identifier: Apache-2.0
// cuSPARSE's functions: part of sparse.h.
#ifndef CUDA_MORPH_CPU_SPARSE_FUNCTIONS_HPP
#define CUDA_MORPH_CPU_SPARSE_FUNCTIONS_HPP

inline cmSparseStatus_t cmSparseCreate(cmSparseHandle_t *h) {
    if (!h) return CM_SPARSE_STATUS_INVALID_VALUE;
    *h = new cmSparseContext{nullptr, CM_SPARSE_POINTER_MODE_HOST};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroy(cmSparseHandle_t h) {
    return cm::library::destroy(h, CM_SPARSE_STATUS_NOT_INITIALIZED);
}
inline cmSparseStatus_t cmSparseSetStream(cmSparseHandle_t h, cmStream_t stream) {
    return cm::library::set(h, &cmSparseContext::stream, stream,
                            CM_SPARSE_STATUS_NOT_INITIALIZED);
}
inline cmSparseStatus_t cmSparseGetStream(cmSparseHandle_t h, cmStream_t *stream) {
    return cm::library::get(h, &cmSparseContext::stream, stream,
                            CM_SPARSE_STATUS_NOT_INITIALIZED);
}
inline cmSparseStatus_t cmSparseSetPointerMode(cmSparseHandle_t h, cmSparsePointerMode_t mode) {
    return cm::library::set(h, &cmSparseContext::mode, mode, CM_SPARSE_STATUS_NOT_INITIALIZED);
}
inline cmSparseStatus_t cmSparseGetPointerMode(cmSparseHandle_t h, cmSparsePointerMode_t *mode) {
    return cm::library::get(h, &cmSparseContext::mode, mode, CM_SPARSE_STATUS_NOT_INITIALIZED);
}
inline cmSparseStatus_t cmSparseGetVersion(cmSparseHandle_t, int *version) {
    *version = CM_SPARSE_VERSION;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseGetProperty(cmLibraryPropertyType which, int *value) {
    *value = cm::library::property(which);
    return CM_SPARSE_STATUS_SUCCESS;
}
inline const char *cmSparseGetErrorName(cmSparseStatus_t status) {
    static const char *const names[] = {"CUSPARSE_STATUS_SUCCESS",
                                        "CUSPARSE_STATUS_NOT_INITIALIZED",
                                        "CUSPARSE_STATUS_ALLOC_FAILED",
                                        "CUSPARSE_STATUS_INVALID_VALUE",
                                        "CUSPARSE_STATUS_ARCH_MISMATCH",
                                        "CUSPARSE_STATUS_MAPPING_ERROR",
                                        "CUSPARSE_STATUS_EXECUTION_FAILED",
                                        "CUSPARSE_STATUS_INTERNAL_ERROR",
                                        "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                        "CUSPARSE_STATUS_ZERO_PIVOT",
                                        "CUSPARSE_STATUS_NOT_SUPPORTED",
                                        "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
    return status >= 0 && status <= 11 ? names[status] : "unknown status";
}
inline const char *cmSparseGetErrorString(cmSparseStatus_t status) {
    return cmSparseGetErrorName(status);
}

// ---- matrices and vectors of the generic interface ----

inline cmSparseStatus_t cmSparseCreateCsr(cmSparseSpMatDescr_t *a, int64_t rows, int64_t cols,
                                          int64_t nnz, void *offsets, void *columns, void *values,
                                          cmSparseIndexType_t offset_type,
                                          cmSparseIndexType_t index_type, cmSparseIndexBase_t base,
                                          cmDataType type) {
    if (!a || rows < 0 || cols < 0 || nnz < 0) return CM_SPARSE_STATUS_INVALID_VALUE;
    *a = new cmSparseSpMatDescr{CM_SPARSE_FORMAT_CSR,
                                rows,
                                cols,
                                nnz,
                                offsets,
                                columns,
                                values,
                                offset_type,
                                index_type,
                                base,
                                type,
                                CM_SPARSE_FILL_MODE_LOWER,
                                CM_SPARSE_DIAG_TYPE_NON_UNIT};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCreateCsc(cmSparseSpMatDescr_t *a, int64_t rows, int64_t cols,
                                          int64_t nnz, void *offsets, void *row_indices,
                                          void *values, cmSparseIndexType_t offset_type,
                                          cmSparseIndexType_t index_type, cmSparseIndexBase_t base,
                                          cmDataType type) {
    const cmSparseStatus_t status = cmSparseCreateCsr(a, rows, cols, nnz, offsets, row_indices,
                                                      values, offset_type, index_type, base, type);
    if (!status) (*a)->format = CM_SPARSE_FORMAT_CSC;
    return status;
}
inline cmSparseStatus_t cmSparseCreateCoo(cmSparseSpMatDescr_t *a, int64_t rows, int64_t cols,
                                          int64_t nnz, void *row_indices, void *columns,
                                          void *values, cmSparseIndexType_t index_type,
                                          cmSparseIndexBase_t base, cmDataType type) {
    const cmSparseStatus_t status = cmSparseCreateCsr(a, rows, cols, nnz, row_indices, columns,
                                                      values, index_type, index_type, base, type);
    if (!status) (*a)->format = CM_SPARSE_FORMAT_COO;
    return status;
}
inline cmSparseStatus_t cmSparseDestroySpMat(cmSparseConstSpMatDescr_t a) {
    delete a;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpMatGetSize(cmSparseConstSpMatDescr_t a, int64_t *rows,
                                             int64_t *cols, int64_t *nnz) {
    *rows = a->rows, *cols = a->cols, *nnz = a->nnz;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpMatGetFormat(cmSparseConstSpMatDescr_t a,
                                               cmSparseFormat_t *format) {
    *format = a->format;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpMatGetIndexBase(cmSparseConstSpMatDescr_t a,
                                                  cmSparseIndexBase_t *base) {
    *base = a->base;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpMatGetValues(cmSparseSpMatDescr_t a, void **values) {
    *values = a->values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpMatSetValues(cmSparseSpMatDescr_t a, void *values) {
    a->values = values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpMatSetAttribute(cmSparseSpMatDescr_t a,
                                                  cmSparseSpMatAttribute_t which, void *data,
                                                  size_t size) {
    if (!a || !data || size < sizeof(int)) return CM_SPARSE_STATUS_INVALID_VALUE;
    if (which == CM_SPARSE_SPMAT_FILL_MODE)
        memcpy(&a->fill, data, sizeof a->fill);
    else
        memcpy(&a->diagonal, data, sizeof a->diagonal);
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCsrSetPointers(cmSparseSpMatDescr_t a, void *offsets,
                                               void *columns, void *values) {
    a->offsets = offsets, a->columns = columns, a->values = values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCscSetPointers(cmSparseSpMatDescr_t a, void *offsets, void *rows,
                                               void *values) {
    return cmSparseCsrSetPointers(a, offsets, rows, values);
}
inline cmSparseStatus_t cmSparseCooSetPointers(cmSparseSpMatDescr_t a, void *rows, void *columns,
                                               void *values) {
    return cmSparseCsrSetPointers(a, rows, columns, values);
}
inline cmSparseStatus_t cmSparseCreateDnVec(cmSparseDnVecDescr_t *v, int64_t size, void *values,
                                            cmDataType type) {
    if (!v || size < 0) return CM_SPARSE_STATUS_INVALID_VALUE;
    *v = new cmSparseDnVecDescr{size, values, type};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroyDnVec(cmSparseConstDnVecDescr_t v) {
    delete v;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDnVecGetValues(cmSparseDnVecDescr_t v, void **values) {
    *values = v->values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDnVecSetValues(cmSparseDnVecDescr_t v, void *values) {
    v->values = values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCreateDnMat(cmSparseDnMatDescr_t *m, int64_t rows, int64_t cols,
                                            int64_t ld, void *values, cmDataType type,
                                            cmSparseOrder_t order) {
    if (!m || rows < 0 || cols < 0 || ld < (order == CM_SPARSE_ORDER_COL ? rows : cols))
        return CM_SPARSE_STATUS_INVALID_VALUE;
    *m = new cmSparseDnMatDescr{rows, cols, ld, values, type, order};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroyDnMat(cmSparseConstDnMatDescr_t m) {
    delete m;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDnMatGetValues(cmSparseDnMatDescr_t m, void **values) {
    *values = m->values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDnMatSetValues(cmSparseDnMatDescr_t m, void *values) {
    m->values = values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCreateSpVec(cmSparseSpVecDescr_t *v, int64_t size, int64_t nnz,
                                            void *indices, void *values, cmSparseIndexType_t index,
                                            cmSparseIndexBase_t base, cmDataType type) {
    if (!v || size < 0 || nnz < 0) return CM_SPARSE_STATUS_INVALID_VALUE;
    *v = new cmSparseSpVecDescr{size, nnz, indices, values, index, base, type};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroySpVec(cmSparseConstSpVecDescr_t v) {
    delete v;
    return CM_SPARSE_STATUS_SUCCESS;
}

// ---- products and solutions; none needs a buffer, but programs allocate what they are told ----

inline cmSparseStatus_t cmSparseSpMV_bufferSize(cmSparseHandle_t h, cmSparseOperation_t,
                                                const void *, cmSparseConstSpMatDescr_t,
                                                cmSparseConstDnVecDescr_t, const void *,
                                                cmSparseDnVecDescr_t, cmDataType,
                                                cmSparseSpMVAlg_t, size_t *size) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpMV(cmSparseHandle_t h, cmSparseOperation_t op, const void *alpha,
                                     cmSparseConstSpMatDescr_t a, cmSparseConstDnVecDescr_t x,
                                     const void *beta, cmSparseDnVecDescr_t y, cmDataType compute,
                                     cmSparseSpMVAlg_t, void *) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    const bool straight = op == CM_SPARSE_OPERATION_NON_TRANSPOSE;
    if (!a || !x || !y || x->size != (straight ? a->cols : a->rows) ||
        y->size != (straight ? a->rows : a->cols))
        return CM_SPARSE_STATUS_INVALID_VALUE;
    return cm::sparse::with_type(compute, [&](auto zero) {
        using K = decltype(zero);
        const cm::sparse::scalar<K> s(h, alpha), t(h, beta);
        return cm::sparse::enqueue(h, [=, m = *a, p = *x, q = *y] {
            cm::sparse::spmv<K>(op, s.get(), m, p, t.get(), q);
        });
    });
}
inline cmSparseStatus_t cmSparseSpMV_preprocess(cmSparseHandle_t h, cmSparseOperation_t,
                                                const void *, cmSparseConstSpMatDescr_t,
                                                cmSparseConstDnVecDescr_t, const void *,
                                                cmSparseDnVecDescr_t, cmDataType,
                                                cmSparseSpMVAlg_t, void *) {
    return h ? CM_SPARSE_STATUS_SUCCESS : CM_SPARSE_STATUS_NOT_INITIALIZED;
}
inline cmSparseStatus_t
cmSparseSpMM_bufferSize(cmSparseHandle_t h, cmSparseOperation_t, cmSparseOperation_t, const void *,
                        cmSparseConstSpMatDescr_t, cmSparseConstDnMatDescr_t, const void *,
                        cmSparseDnMatDescr_t, cmDataType, cmSparseSpMMAlg_t, size_t *size) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpMM(cmSparseHandle_t h, cmSparseOperation_t op,
                                     cmSparseOperation_t ob, const void *alpha,
                                     cmSparseConstSpMatDescr_t a, cmSparseConstDnMatDescr_t b,
                                     const void *beta, cmSparseDnMatDescr_t c, cmDataType compute,
                                     cmSparseSpMMAlg_t, void *) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !b || !c) return CM_SPARSE_STATUS_INVALID_VALUE;
    const bool sa = op == CM_SPARSE_OPERATION_NON_TRANSPOSE,
               sb = ob == CM_SPARSE_OPERATION_NON_TRANSPOSE;
    if (c->rows != (sa ? a->rows : a->cols) || c->cols != (sb ? b->cols : b->rows) ||
        (sa ? a->cols : a->rows) != (sb ? b->rows : b->cols))
        return CM_SPARSE_STATUS_INVALID_VALUE;
    return cm::sparse::with_type(compute, [&](auto zero) {
        using K = decltype(zero);
        const cm::sparse::scalar<K> s(h, alpha), t(h, beta);
        return cm::sparse::enqueue(h, [=, m = *a, p = *b, q = *c] {
            cm::sparse::spmm<K>(op, ob, s.get(), m, p, t.get(), q);
        });
    });
}
inline cmSparseStatus_t
cmSparseSpMM_preprocess(cmSparseHandle_t h, cmSparseOperation_t, cmSparseOperation_t, const void *,
                        cmSparseConstSpMatDescr_t, cmSparseConstDnMatDescr_t, const void *,
                        cmSparseDnMatDescr_t, cmDataType, cmSparseSpMMAlg_t, void *) {
    return h ? CM_SPARSE_STATUS_SUCCESS : CM_SPARSE_STATUS_NOT_INITIALIZED;
}
inline cmSparseStatus_t cmSparseSpSV_createDescr(cmSparseSpSVDescr_t *d) {
    *d = new cmSparseSpSVDescr{};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpSV_destroyDescr(cmSparseSpSVDescr_t d) {
    delete d;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpSV_bufferSize(cmSparseHandle_t h, cmSparseOperation_t,
                                                const void *, cmSparseConstSpMatDescr_t,
                                                cmSparseConstDnVecDescr_t, cmSparseDnVecDescr_t,
                                                cmDataType, cmSparseSpSVAlg_t, cmSparseSpSVDescr_t,
                                                size_t *size) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpSV_analysis(cmSparseHandle_t h, cmSparseOperation_t,
                                              const void *, cmSparseConstSpMatDescr_t,
                                              cmSparseConstDnVecDescr_t, cmSparseDnVecDescr_t,
                                              cmDataType, cmSparseSpSVAlg_t, cmSparseSpSVDescr_t,
                                              void *) {
    return h ? CM_SPARSE_STATUS_SUCCESS : CM_SPARSE_STATUS_NOT_INITIALIZED;
}
inline cmSparseStatus_t cmSparseSpSV_solve(cmSparseHandle_t h, cmSparseOperation_t op,
                                           const void *alpha, cmSparseConstSpMatDescr_t a,
                                           cmSparseConstDnVecDescr_t x, cmSparseDnVecDescr_t y,
                                           cmDataType compute, cmSparseSpSVAlg_t,
                                           cmSparseSpSVDescr_t) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !x || !y || a->rows != a->cols || x->size != a->rows || y->size != a->rows)
        return CM_SPARSE_STATUS_INVALID_VALUE;
    return cm::sparse::with_type(compute, [&](auto zero) {
        using K = decltype(zero);
        const cm::sparse::scalar<K> s(h, alpha);
        return cm::sparse::enqueue(
            h, [=, m = *a, p = *x, q = *y] { cm::sparse::spsv<K>(op, s.get(), m, p, q); });
    });
}
inline cmSparseStatus_t cmSparseAxpby(cmSparseHandle_t h, const void *alpha,
                                      cmSparseConstSpVecDescr_t x, const void *beta,
                                      cmSparseDnVecDescr_t y) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    return cm::sparse::with_type(y->type, [&](auto zero) {
        using K = decltype(zero);
        const cm::sparse::scalar<K> s(h, alpha), t(h, beta);
        return cm::sparse::enqueue(h, [=, p = *x, q = *y] {
            K *const to = static_cast<K *>(q.values);
            for (int64_t i = 0; i < q.size; i++) to[i] *= t.get();
            for (int64_t i = 0; i < p.nnz; i++)
                to[cm::sparse::index(p.indices, p.index_type, i) - p.base] +=
                    s.get() * cm::sparse::element<K>::get(p.values, p.type, i);
        });
    });
}
inline cmSparseStatus_t cmSparseGather(cmSparseHandle_t h, cmSparseConstDnVecDescr_t y,
                                       cmSparseSpVecDescr_t x) {
    return cm::sparse::with_type(x->type, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::enqueue(h, [p = *y, q = *x] {
            for (int64_t i = 0; i < q.nnz; i++)
                static_cast<K *>(q.values)[i] = static_cast<const K *>(
                    p.values)[cm::sparse::index(q.indices, q.index_type, i) - q.base];
        });
    });
}
inline cmSparseStatus_t cmSparseScatter(cmSparseHandle_t h, cmSparseConstSpVecDescr_t x,
                                        cmSparseDnVecDescr_t y) {
    return cm::sparse::with_type(x->type, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::enqueue(h, [p = *x, q = *y] {
            for (int64_t i = 0; i < p.nnz; i++)
                static_cast<K *>(
                    q.values)[cm::sparse::index(p.indices, p.index_type, i) - p.base] =
                    static_cast<const K *>(p.values)[i];
        });
    });
}
inline cmSparseStatus_t cmSparseSpVV_bufferSize(cmSparseHandle_t, cmSparseOperation_t,
                                                cmSparseConstSpVecDescr_t,
                                                cmSparseConstDnVecDescr_t, const void *,
                                                cmDataType, size_t *size) {
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpVV(cmSparseHandle_t h, cmSparseOperation_t op,
                                     cmSparseConstSpVecDescr_t x, cmSparseConstDnVecDescr_t y,
                                     void *result, cmDataType compute, void *) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    const cmSparseStatus_t status = cm::sparse::with_type(compute, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::enqueue(h, [=, p = *x, q = *y] {
            K sum(0);
            for (int64_t i = 0; i < p.nnz; i++) {
                const K v = cm::sparse::element<K>::get(p.values, p.type, i);
                const int64_t at = cm::sparse::index(p.indices, p.index_type, i) - p.base;
                sum +=
                    (op == CM_SPARSE_OPERATION_CONJUGATE_TRANSPOSE ? cm::blas::conjugate(v) : v) *
                    cm::sparse::element<K>::get(q.values, q.type, at);
            }
            *static_cast<K *>(result) = sum;
        });
    });
    if (status || h->mode == CM_SPARSE_POINTER_MODE_DEVICE) return status;
    return cmStreamSynchronize(h->stream) ? CM_SPARSE_STATUS_EXECUTION_FAILED : status;
}

// ---- dense and sparse ----

inline cmSparseStatus_t
cmSparseSparseToDense_bufferSize(cmSparseHandle_t, cmSparseConstSpMatDescr_t, cmSparseDnMatDescr_t,
                                 cmSparseSparseToDenseAlg_t, size_t *size) {
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSparseToDense(cmSparseHandle_t h, cmSparseConstSpMatDescr_t a,
                                              cmSparseDnMatDescr_t b, cmSparseSparseToDenseAlg_t,
                                              void *) {
    return cm::sparse::with_type(a->type, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::enqueue(h, [m = *a, d = *b] {
            K *const to = static_cast<K *>(d.values);
            for (int64_t i = 0; i < d.rows; i++)
                for (int64_t j = 0; j < d.cols; j++) to[cm::sparse::place(d, i, j)] = K(0);
            cm::sparse::each<K>(
                m, CM_SPARSE_OPERATION_NON_TRANSPOSE,
                [&](int64_t i, int64_t j, K v) { to[cm::sparse::place(d, i, j)] = v; });
        });
    });
}
inline cmSparseStatus_t
cmSparseDenseToSparse_bufferSize(cmSparseHandle_t, cmSparseConstDnMatDescr_t, cmSparseSpMatDescr_t,
                                 cmSparseDenseToSparseAlg_t, size_t *size) {
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
// Counts, and writes the offsets: the program allocates the rest when it knows how many there are.
inline cmSparseStatus_t cmSparseDenseToSparse_analysis(cmSparseHandle_t h,
                                                       cmSparseConstDnMatDescr_t b,
                                                       cmSparseSpMatDescr_t a,
                                                       cmSparseDenseToSparseAlg_t, void *) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    if (cmStreamSynchronize(h->stream)) return CM_SPARSE_STATUS_EXECUTION_FAILED;
    return cm::sparse::with_type(b->type, [&](auto zero) {
        using K = decltype(zero);
        const bool rows = a->format != CM_SPARSE_FORMAT_CSC;
        int64_t count = 0;
        for (int64_t i = 0; i < (rows ? b->rows : b->cols); i++) {
            if (a->format != CM_SPARSE_FORMAT_COO)
                cm::sparse::set_index(a->offsets, a->offset_type, i, count + a->base);
            for (int64_t j = 0; j < (rows ? b->cols : b->rows); j++)
                count +=
                    static_cast<const K *>(b->values)[rows ? cm::sparse::place(*b, i, j)
                                                           : cm::sparse::place(*b, j, i)] != K(0);
        }
        if (a->format != CM_SPARSE_FORMAT_COO)
            cm::sparse::set_index(a->offsets, a->offset_type, rows ? b->rows : b->cols,
                                  count + a->base);
        a->nnz = count;
        return CM_SPARSE_STATUS_SUCCESS;
    });
}
inline cmSparseStatus_t cmSparseDenseToSparse_convert(cmSparseHandle_t h,
                                                      cmSparseConstDnMatDescr_t b,
                                                      cmSparseSpMatDescr_t a,
                                                      cmSparseDenseToSparseAlg_t, void *) {
    return cm::sparse::with_type(b->type, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::enqueue(h, [d = *b, m = *a] {
            const bool rows = m.format != CM_SPARSE_FORMAT_CSC;
            int64_t at = 0;
            for (int64_t i = 0; i < (rows ? d.rows : d.cols); i++)
                for (int64_t j = 0; j < (rows ? d.cols : d.rows); j++) {
                    const K v = static_cast<const K *>(
                        d.values)[rows ? cm::sparse::place(d, i, j) : cm::sparse::place(d, j, i)];
                    if (v == K(0)) continue;
                    static_cast<K *>(m.values)[at] = v;
                    cm::sparse::set_index(m.columns, m.index_type, at, j + m.base);
                    if (m.format == CM_SPARSE_FORMAT_COO)
                        cm::sparse::set_index(m.offsets, m.index_type, at, i + m.base);
                    at++;
                }
        });
    });
}

// ---- the older interface ----

inline cmSparseStatus_t cmSparseCreateMatDescr(cmSparseMatDescr_t *d) {
    *d = new cmSparseMatDescr{CM_SPARSE_MATRIX_TYPE_GENERAL, CM_SPARSE_INDEX_BASE_ZERO,
                              CM_SPARSE_FILL_MODE_LOWER, CM_SPARSE_DIAG_TYPE_NON_UNIT};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroyMatDescr(cmSparseMatDescr_t d) {
    delete d;
    return CM_SPARSE_STATUS_SUCCESS;
}
#define CM_SPARSE_MEMBER(Name, T, member)                                                         \
    inline cmSparseStatus_t cmSparseSet##Name(cmSparseMatDescr_t d, T v) {                        \
        if (!d) return CM_SPARSE_STATUS_INVALID_VALUE;                                            \
        d->member = v;                                                                            \
        return CM_SPARSE_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline T cmSparseGet##Name(const cmSparseMatDescr *d) { return d->member; }
CM_SPARSE_MEMBER(MatType, cmSparseMatrixType_t, type)
CM_SPARSE_MEMBER(MatIndexBase, cmSparseIndexBase_t, base)
CM_SPARSE_MEMBER(MatFillMode, cmSparseFillMode_t, fill)
CM_SPARSE_MEMBER(MatDiagType, cmSparseDiagType_t, diagonal)
#undef CM_SPARSE_MEMBER
inline cmSparseStatus_t cmSparseXcsr2coo(cmSparseHandle_t h, const int *offsets, int, int rows,
                                         int *out, cmSparseIndexBase_t base) {
    return cm::sparse::enqueue(h, [=] {
        for (int i = 0; i < rows; i++)
            for (int at = offsets[i]; at < offsets[i + 1]; at++) out[at - base] = i + base;
    });
}
inline cmSparseStatus_t cmSparseXcoo2csr(cmSparseHandle_t h, const int *rows_of, int nnz, int rows,
                                         int *out, cmSparseIndexBase_t base) {
    return cm::sparse::enqueue(h, [=] {
        int at = 0;
        for (int i = 0; i <= rows; i++) {
            while (at < nnz && rows_of[at] - base < i) at++;
            out[i] = at + base;
        }
    });
}
inline cmSparseStatus_t cmSparseCsr2cscEx2_bufferSize(cmSparseHandle_t, int, int, int,
                                                      const void *, const int *, const int *,
                                                      void *, int *, int *, cmDataType,
                                                      cmSparseAction_t, cmSparseIndexBase_t,
                                                      cmSparseCsr2CscAlg_t, size_t *size) {
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCsr2cscEx2(cmSparseHandle_t h, int rows, int cols, int nnz,
                                           const void *values, const int *offsets,
                                           const int *columns, void *out, int *out_offsets,
                                           int *out_rows, cmDataType type, cmSparseAction_t action,
                                           cmSparseIndexBase_t base, cmSparseCsr2CscAlg_t,
                                           void *) {
    const size_t size = cm::blas::size_of(type);
    if (!size) return CM_SPARSE_STATUS_NOT_SUPPORTED;
    return cm::sparse::enqueue(h, [=] {
        std::vector<int> next(static_cast<size_t>(cols) + 1);
        for (int at = 0; at < nnz; at++) next[static_cast<size_t>(columns[at] - base) + 1]++;
        for (int j = 0; j < cols; j++) next[static_cast<size_t>(j) + 1] += next[size_t(j)];
        for (int j = 0; j <= cols; j++) out_offsets[j] = next[static_cast<size_t>(j)] + base;
        for (int i = 0; i < rows; i++)
            for (int at = offsets[i] - base; at < offsets[i + 1] - base; at++) {
                const int to = next[static_cast<size_t>(columns[at] - base)]++;
                out_rows[to] = i + base;
                if (action == CM_SPARSE_ACTION_NUMERIC)
                    memcpy(static_cast<char *>(out) + static_cast<size_t>(to) * size,
                           static_cast<const char *>(values) + static_cast<size_t>(at) * size,
                           size);
            }
    });
}

inline cmSparseStatus_t cmSparseCreateCsrilu02Info(csrilu02Info_t *info) {
    *info = new cmSparseCsrilu02Info{-1};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroyCsrilu02Info(csrilu02Info_t info) {
    cmDeviceSynchronize();
    delete info;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseXcsrilu02_zeroPivot(cmSparseHandle_t h, csrilu02Info_t info,
                                                    int *position) {
    if (cmStreamSynchronize(h->stream)) return CM_SPARSE_STATUS_EXECUTION_FAILED;
    *position = info->zero;
    return info->zero < 0 ? CM_SPARSE_STATUS_SUCCESS : CM_SPARSE_STATUS_ZERO_PIVOT;
}
#define CM_SPARSE_ILU(L, P, K)                                                                    \
    inline cmSparseStatus_t cmSparse##L##csrilu02_bufferSize(                                     \
        cmSparseHandle_t, int, int, cmSparseMatDescr_t, P *, const int *, const int *,            \
        csrilu02Info_t, int *size) {                                                              \
        *size = 16;                                                                               \
        return CM_SPARSE_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSparseStatus_t cmSparse##L##csrilu02_analysis(                                       \
        cmSparseHandle_t, int, int, cmSparseMatDescr_t, const P *, const int *, const int *,      \
        csrilu02Info_t, cmSparseSolvePolicy_t, void *) {                                          \
        return CM_SPARSE_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSparseStatus_t cmSparse##L##csrilu02(                                                \
        cmSparseHandle_t h, int n, int, cmSparseMatDescr_t d, P *values, const int *offsets,      \
        const int *columns, csrilu02Info_t info, cmSparseSolvePolicy_t, void *) {                 \
        const int base = d->base;                                                                 \
        return cm::sparse::enqueue(h, [=] {                                                       \
            cm::sparse::csrilu0(n, base, reinterpret_cast<K *>(values), offsets, columns,         \
                                &info->zero);                                                     \
        });                                                                                       \
    }
CM_SPARSE_ILU(S, float, float)
CM_SPARSE_ILU(D, double, double)
CM_SPARSE_ILU(C, cuComplex, std::complex<float>)
CM_SPARSE_ILU(Z, cuDoubleComplex, std::complex<double>)
#undef CM_SPARSE_ILU

#endif
