// SPDX-License-Identifier: Apache-2.0
// cuSPARSE's handle, matrices and vectors: part of sparse.h.
#ifndef CUDA_MORPH_CPU_SPARSE_MATRICES_HPP
#define CUDA_MORPH_CPU_SPARSE_MATRICES_HPP

inline cmSparseStatus_t cmSparseCreate(cmSparseHandle_t *h) {
    if (!h) return CM_SPARSE_STATUS_INVALID_VALUE;
    *h = new cmSparseContext{nullptr, CM_SPARSE_POINTER_MODE_HOST};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroy(cmSparseHandle_t h) {
    return cm::library::destroy(h, CM_SPARSE_STATUS_NOT_INITIALIZED);
}
inline cmSparseStatus_t cmSparseSetStream(cmSparseHandle_t h, cmStream_t stream) {
    return cm::library::set(h, &cmSparseContext::stream, stream, CM_SPARSE_STATUS_NOT_INITIALIZED);
}
inline cmSparseStatus_t cmSparseGetStream(cmSparseHandle_t h, cmStream_t *stream) {
    return cm::library::get(h, &cmSparseContext::stream, stream, CM_SPARSE_STATUS_NOT_INITIALIZED);
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
    *a = new cmSparseSpMatDescr{
        CM_SPARSE_FORMAT_CSR, rows,       cols, nnz, offsets, columns, values,
        offset_type,          index_type, base, type};
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
inline cmSparseStatus_t cmSparseCreateConstCsr(cmSparseConstSpMatDescr_t *a, int64_t rows,
                                               int64_t cols, int64_t nnz, const void *offsets,
                                               const void *columns, const void *values,
                                               cmSparseIndexType_t offset_type,
                                               cmSparseIndexType_t index_type,
                                               cmSparseIndexBase_t base, cmDataType type) {
    return cmSparseCreateCsr(const_cast<cmSparseSpMatDescr_t *>(a), rows, cols, nnz,
                             const_cast<void *>(offsets), const_cast<void *>(columns),
                             const_cast<void *>(values), offset_type, index_type, base, type);
}
inline cmSparseStatus_t cmSparseCreateConstCsc(cmSparseConstSpMatDescr_t *a, int64_t rows,
                                               int64_t cols, int64_t nnz, const void *offsets,
                                               const void *row_indices, const void *values,
                                               cmSparseIndexType_t offset_type,
                                               cmSparseIndexType_t index_type,
                                               cmSparseIndexBase_t base, cmDataType type) {
    return cmSparseCreateCsc(const_cast<cmSparseSpMatDescr_t *>(a), rows, cols, nnz,
                             const_cast<void *>(offsets), const_cast<void *>(row_indices),
                             const_cast<void *>(values), offset_type, index_type, base, type);
}
inline cmSparseStatus_t cmSparseCreateConstCoo(cmSparseConstSpMatDescr_t *a, int64_t rows,
                                               int64_t cols, int64_t nnz, const void *row_indices,
                                               const void *columns, const void *values,
                                               cmSparseIndexType_t index_type,
                                               cmSparseIndexBase_t base, cmDataType type) {
    return cmSparseCreateCoo(const_cast<cmSparseSpMatDescr_t *>(a), rows, cols, nnz,
                             const_cast<void *>(row_indices), const_cast<void *>(columns),
                             const_cast<void *>(values), index_type, base, type);
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
inline cmSparseStatus_t cmSparseSpMatGetAttribute(cmSparseConstSpMatDescr_t a,
                                                  cmSparseSpMatAttribute_t which, void *data,
                                                  size_t size) {
    if (!a || !data || size < sizeof(int)) return CM_SPARSE_STATUS_INVALID_VALUE;
    if (which == CM_SPARSE_SPMAT_FILL_MODE)
        memcpy(data, &a->fill, sizeof a->fill);
    else
        memcpy(data, &a->diagonal, sizeof a->diagonal);
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCsrGet(cmSparseConstSpMatDescr_t a, int64_t *rows, int64_t *cols,
                                       int64_t *nnz, void **offsets, void **columns, void **values,
                                       cmSparseIndexType_t *offset_type,
                                       cmSparseIndexType_t *index_type, cmSparseIndexBase_t *base,
                                       cmDataType *type) {
    *rows = a->rows, *cols = a->cols, *nnz = a->nnz;
    *offsets = a->offsets, *columns = a->columns, *values = a->values;
    *offset_type = a->offset_type, *index_type = a->index_type;
    *base = a->base, *type = a->type;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCscGet(cmSparseConstSpMatDescr_t a, int64_t *rows, int64_t *cols,
                                       int64_t *nnz, void **offsets, void **row_indices,
                                       void **values, cmSparseIndexType_t *offset_type,
                                       cmSparseIndexType_t *index_type, cmSparseIndexBase_t *base,
                                       cmDataType *type) {
    return cmSparseCsrGet(a, rows, cols, nnz, offsets, row_indices, values, offset_type,
                          index_type, base, type);
}
inline cmSparseStatus_t cmSparseCooGet(cmSparseConstSpMatDescr_t a, int64_t *rows, int64_t *cols,
                                       int64_t *nnz, void **row_indices, void **columns,
                                       void **values, cmSparseIndexType_t *index_type,
                                       cmSparseIndexBase_t *base, cmDataType *type) {
    return cmSparseCsrGet(a, rows, cols, nnz, row_indices, columns, values, index_type, index_type,
                          base, type);
}
inline cmSparseStatus_t cmSparseCsrSetStridedBatch(cmSparseSpMatDescr_t a, int count,
                                                   int64_t offset_stride, int64_t stride) {
    if (!a || count < 1) return CM_SPARSE_STATUS_INVALID_VALUE;
    a->batch = count, a->offset_stride = offset_stride, a->stride = stride;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseCooSetStridedBatch(cmSparseSpMatDescr_t a, int count,
                                                   int64_t stride) {
    return cmSparseCsrSetStridedBatch(a, count, stride, stride);
}
inline cmSparseStatus_t cmSparseSpMatGetStridedBatch(cmSparseConstSpMatDescr_t a, int *count) {
    *count = a->batch;
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
inline cmSparseStatus_t cmSparseCreateConstDnVec(cmSparseConstDnVecDescr_t *v, int64_t size,
                                                 const void *values, cmDataType type) {
    return cmSparseCreateDnVec(const_cast<cmSparseDnVecDescr_t *>(v), size,
                               const_cast<void *>(values), type);
}
inline cmSparseStatus_t cmSparseDnVecGet(cmSparseConstDnVecDescr_t v, int64_t *size, void **values,
                                         cmDataType *type) {
    *size = v->size, *values = v->values, *type = v->type;
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
inline cmSparseStatus_t cmSparseCreateConstDnMat(cmSparseConstDnMatDescr_t *m, int64_t rows,
                                                 int64_t cols, int64_t ld, const void *values,
                                                 cmDataType type, cmSparseOrder_t order) {
    return cmSparseCreateDnMat(const_cast<cmSparseDnMatDescr_t *>(m), rows, cols, ld,
                               const_cast<void *>(values), type, order);
}
inline cmSparseStatus_t cmSparseDnMatGet(cmSparseConstDnMatDescr_t m, int64_t *rows, int64_t *cols,
                                         int64_t *ld, void **values, cmDataType *type,
                                         cmSparseOrder_t *order) {
    *rows = m->rows, *cols = m->cols, *ld = m->ld;
    *values = m->values, *type = m->type, *order = m->order;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDnMatSetStridedBatch(cmSparseDnMatDescr_t m, int count,
                                                     int64_t stride) {
    if (!m || count < 1) return CM_SPARSE_STATUS_INVALID_VALUE;
    m->batch = count, m->stride = stride;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDnMatGetStridedBatch(cmSparseConstDnMatDescr_t m, int *count,
                                                     int64_t *stride) {
    *count = m->batch, *stride = m->stride;
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
inline cmSparseStatus_t cmSparseCreateConstSpVec(cmSparseConstSpVecDescr_t *v, int64_t size,
                                                 int64_t nnz, const void *indices,
                                                 const void *values, cmSparseIndexType_t index,
                                                 cmSparseIndexBase_t base, cmDataType type) {
    return cmSparseCreateSpVec(const_cast<cmSparseSpVecDescr_t *>(v), size, nnz,
                               const_cast<void *>(indices), const_cast<void *>(values), index,
                               base, type);
}
inline cmSparseStatus_t cmSparseSpVecGet(cmSparseConstSpVecDescr_t v, int64_t *size, int64_t *nnz,
                                         void **indices, void **values, cmSparseIndexType_t *index,
                                         cmSparseIndexBase_t *base, cmDataType *type) {
    *size = v->size, *nnz = v->nnz, *indices = v->indices, *values = v->values;
    *index = v->index_type, *base = v->base, *type = v->type;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpVecGetIndexBase(cmSparseConstSpVecDescr_t v,
                                                  cmSparseIndexBase_t *base) {
    *base = v->base;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpVecGetValues(cmSparseSpVecDescr_t v, void **values) {
    *values = v->values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpVecSetValues(cmSparseSpVecDescr_t v, void *values) {
    v->values = values;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroySpVec(cmSparseConstSpVecDescr_t v) {
    delete v;
    return CM_SPARSE_STATUS_SUCCESS;
}

#endif
