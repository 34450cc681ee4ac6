// SPDX-License-Identifier: Apache-2.0
// The product of two sparse matrices in CSR: part of sparse.h. Each row's products are put into
// the order of their columns and added up; the program learns how many are left, allocates the
// result, and has it copied.
#ifndef CUDA_MORPH_CPU_SPARSE_GEMM_HPP
#define CUDA_MORPH_CPU_SPARSE_GEMM_HPP

namespace cm {
namespace sparse {

inline void forget(cmSparseSpGEMMDescr *d) {
    cmFree(d->starts);
    cmFree(d->offsets);
    cmFree(d->columns);
    cmFree(d->values);
    *d = cmSparseSpGEMMDescr();
}
// counts[i + 1] becomes the sum of those up to it; they lie in managed memory, and nobody writes.
inline int64_t sum_up(int64_t *counts, int64_t n) {
    counts[0] = 0;
    for (int64_t i = 0; i < n; i++) counts[i + 1] += counts[i];
    return counts[n];
}

// One row of A B: its products, by their columns. Returns how many are left.
template <class K>
inline int64_t row_of_product(const cmSparseSpMatDescr &a, const cmSparseSpMatDescr &b, int64_t i,
                              int64_t *columns, K *values) {
    constexpr cmSparseOperation_t straight = CM_SPARSE_OPERATION_NON_TRANSPOSE;
    int64_t n = 0, left = 0;
    const span l = line(a, i);
    for (int64_t at = l.begin; at < l.end; at++) {
        const entry<K> e = entry_at<K>(a, straight, i, at);
        const span other = line(b, e.j);
        for (int64_t to = other.begin; to < other.end; to++, n++) {
            const entry<K> f = entry_at<K>(b, straight, e.j, to);
            columns[n] = f.j;
            values[n] = e.value * f.value;
        }
    }
    sort(
        n, [=](int64_t p, int64_t q) { return columns[p] < columns[q]; },
        [=](int64_t p, int64_t q) {
            exchange(columns[p], columns[q]);
            exchange(values[p], values[q]);
        });
    for (int64_t p = 0; p < n; p++) {
        if (left && columns[left - 1] == columns[p]) {
            values[left - 1] += values[p];
            continue;
        }
        columns[left] = columns[p];
        values[left++] = values[p];
    }
    return left;
}

// How many products each row has, and so where they will lie.
inline cmSparseStatus_t count_products(cmSparseHandle_t h, const cmSparseSpMatDescr &a,
                                       const cmSparseSpMatDescr &b, cmSparseSpGEMMDescr *d) {
    const size_t bytes = (static_cast<size_t>(a.rows) + 1) * sizeof(int64_t);
    forget(d);
    d->rows = a.rows;
    if (cmMallocManaged(&d->starts, bytes)) return CM_SPARSE_STATUS_ALLOC_FAILED;
    int64_t *const starts = d->starts;
    cmSparseStatus_t status = each(h, a.rows, [=](int64_t i) {
        const span l = line(a, i);
        int64_t n = 0;
        for (int64_t at = l.begin; at < l.end; at++) {
            const span other = line(b, index(a.columns, a.index_type, at) - a.base);
            n += other.end - other.begin;
        }
        starts[i + 1] = n;
    });
    if (!status) status = wait_for(h);
    if (!status) sum_up(starts, a.rows);
    return status;
}
template <class K>
inline cmSparseStatus_t product(cmSparseHandle_t h, const cmSparseSpMatDescr &a,
                                const cmSparseSpMatDescr &b, cmSparseSpGEMMDescr *d) {
    cmSparseStatus_t status = count_products(h, a, b, d);
    if (status) return status;
    const size_t room = static_cast<size_t>(d->starts[a.rows]);
    K *values = nullptr;
    if (cmMallocManaged(&d->offsets, (static_cast<size_t>(a.rows) + 1) * sizeof(int64_t)) ||
        cmMalloc(&d->columns, (room + 1) * sizeof(int64_t)) ||
        cmMalloc(&values, (room + 1) * sizeof(K)))
        return CM_SPARSE_STATUS_ALLOC_FAILED;
    d->values = values;
    int64_t *const starts = d->starts, *const offsets = d->offsets, *const columns = d->columns;
    status = each(h, a.rows, [=](int64_t i) {
        offsets[i + 1] = row_of_product<K>(a, b, i, columns + starts[i], values + starts[i]);
    });
    if (!status) status = wait_for(h);
    if (!status) d->nnz = sum_up(offsets, a.rows);
    return status;
}
// The product, times alpha, into C, whose old values, times beta, lie at the same places.
template <class K>
inline cmSparseStatus_t copy_product(cmSparseHandle_t h, const void *alpha, const void *beta,
                                     const cmSparseSpMatDescr &c, const cmSparseSpGEMMDescr &d) {
    const scalar<K> s(h, alpha), t(h, beta);
    return each(h, d.rows + 1, [=](int64_t i) {
        set_index(c.offsets, c.offset_type, i, d.offsets[i] + c.base);
        if (i == d.rows) return;
        for (int64_t n = 0; n < d.offsets[i + 1] - d.offsets[i]; n++) {
            const int64_t at = d.offsets[i] + n, from = d.starts[i] + n;
            const K factor = t.get();
            const K old = factor == K(0) ? K(0) : element<K>::get(c.values, c.type, at);
            set_index(c.columns, c.index_type, at, d.columns[from] + c.base);
            element<K>::set(c.values, c.type, at,
                            s.get() * static_cast<const K *>(d.values)[from] + kept(factor, old));
        }
    });
}

// Why there is no such product, or success.
inline cmSparseStatus_t bad_product(cmSparseOperation_t oa, cmSparseOperation_t ob,
                                    cmSparseConstSpMatDescr_t a, cmSparseConstSpMatDescr_t b,
                                    cmSparseSpMatDescr_t c, cmSparseSpGEMMDescr_t d) {
    if (!a || !b || !c || !d || a->cols != b->rows || c->rows != a->rows || c->cols != b->cols)
        return CM_SPARSE_STATUS_INVALID_VALUE;
    const bool straight =
        oa == CM_SPARSE_OPERATION_NON_TRANSPOSE && ob == CM_SPARSE_OPERATION_NON_TRANSPOSE;
    const bool rows = a->format == CM_SPARSE_FORMAT_CSR && b->format == CM_SPARSE_FORMAT_CSR &&
                      c->format == CM_SPARSE_FORMAT_CSR;
    return straight && rows ? CM_SPARSE_STATUS_SUCCESS : CM_SPARSE_STATUS_NOT_SUPPORTED;
}

} // namespace sparse
} // namespace cm

inline cmSparseStatus_t cmSparseSpGEMM_createDescr(cmSparseSpGEMMDescr_t *d) {
    *d = new cmSparseSpGEMMDescr();
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpGEMM_destroyDescr(cmSparseSpGEMMDescr_t d) {
    if (!d) return CM_SPARSE_STATUS_INVALID_VALUE;
    cmDeviceSynchronize(); // a copy may be under way
    cm::sparse::forget(d);
    delete d;
    return CM_SPARSE_STATUS_SUCCESS;
}
// Without a buffer it says how large that has to be.
inline cmSparseStatus_t cmSparseSpGEMM_workEstimation(
    cmSparseHandle_t h, cmSparseOperation_t oa, cmSparseOperation_t ob, const void *,
    cmSparseConstSpMatDescr_t a, cmSparseConstSpMatDescr_t b, const void *, cmSparseSpMatDescr_t c,
    cmDataType, cmSparseSpGEMMAlg_t, cmSparseSpGEMMDescr_t d, size_t *size, void *buffer) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    const cmSparseStatus_t bad = cm::sparse::bad_product(oa, ob, a, b, c, d);
    if (bad || buffer) return bad ? bad : cm::sparse::count_products(h, *a, *b, d);
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t
cmSparseSpGEMM_estimateMemory(cmSparseHandle_t h, cmSparseOperation_t, cmSparseOperation_t,
                              const void *, cmSparseConstSpMatDescr_t, cmSparseConstSpMatDescr_t,
                              const void *, cmSparseSpMatDescr_t, cmDataType, cmSparseSpGEMMAlg_t,
                              cmSparseSpGEMMDescr_t, float, size_t *size, void *, size_t *next) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    *size = 16;
    if (next) *next = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
// Without a buffer it says how large that has to be.
inline cmSparseStatus_t
cmSparseSpGEMM_compute(cmSparseHandle_t h, cmSparseOperation_t oa, cmSparseOperation_t ob,
                       const void *, cmSparseConstSpMatDescr_t a, cmSparseConstSpMatDescr_t b,
                       const void *, cmSparseSpMatDescr_t c, cmDataType compute,
                       cmSparseSpGEMMAlg_t, cmSparseSpGEMMDescr_t d, size_t *size, void *buffer) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    const cmSparseStatus_t bad = cm::sparse::bad_product(oa, ob, a, b, c, d);
    if (bad) return bad;
    if (!buffer) {
        *size = 16;
        return CM_SPARSE_STATUS_SUCCESS;
    }
    const cmSparseStatus_t status = cm::sparse::with_type(
        compute, [&](auto zero) { return cm::sparse::product<decltype(zero)>(h, *a, *b, d); });
    if (!status) c->nnz = d->nnz;
    return status;
}
inline cmSparseStatus_t cmSparseSpGEMM_getNumProducts(cmSparseSpGEMMDescr_t d, int64_t *products) {
    if (!d || !d->starts) return CM_SPARSE_STATUS_INVALID_VALUE;
    *products = d->starts[d->rows];
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpGEMM_copy(cmSparseHandle_t h, cmSparseOperation_t,
                                            cmSparseOperation_t, const void *alpha,
                                            cmSparseConstSpMatDescr_t, cmSparseConstSpMatDescr_t,
                                            const void *beta, cmSparseSpMatDescr_t c,
                                            cmDataType compute, cmSparseSpGEMMAlg_t,
                                            cmSparseSpGEMMDescr_t d) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    if (!c || !d || !d->offsets || c->rows != d->rows) return CM_SPARSE_STATUS_INVALID_VALUE;
    return cm::sparse::with_type(compute, [&](auto zero) {
        return cm::sparse::copy_product<decltype(zero)>(h, alpha, beta, *c, *d);
    });
}

#endif
