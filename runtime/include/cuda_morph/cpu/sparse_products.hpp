// SPDX-License-Identifier: Apache-2.0
// cuSPARSE's products and solutions: part of sparse.h. None needs a buffer, but programs allocate
// what they are told.
#ifndef CUDA_MORPH_CPU_SPARSE_PRODUCTS_HPP
#define CUDA_MORPH_CPU_SPARSE_PRODUCTS_HPP

namespace cm {
namespace sparse {

// beta times what was there, which is not looked at where beta is 0.
template <class K> inline K kept(K beta, K old) { return beta == K(0) ? K(0) : beta * old; }

// C = alpha op(A) op(B) + beta C, for a batch of them. Where A's lines are rows of op(A) each
// element of C is a sum of its own; else the lines' parts are added to C.
template <class K>
inline cmSparseStatus_t multiply(cmSparseHandle_t h, cmSparseOperation_t op,
                                 cmSparseOperation_t ob, const void *alpha,
                                 const cmSparseSpMatDescr &a, const cmSparseDnMatDescr &b,
                                 const void *beta, const cmSparseDnMatDescr &c) {
    const scalar<K> s(h, alpha), t(h, beta);
    const int64_t size = c.rows * c.cols;
    if (has_rows(a, op) && a.format != CM_SPARSE_FORMAT_COO)
        return each(h, c.batch * size, [=](int64_t n) {
            const cmSparseSpMatDescr p = of_batch(a, n / size);
            const cmSparseDnMatDescr q = of_batch(b, n / size), to = of_batch(c, n / size);
            const int64_t i = n % size / c.cols, j = n % c.cols, at_c = place(to, i, j);
            const span l = line(p, i);
            K sum(0);
            for (int64_t at = l.begin; at < l.end; at++) {
                const entry<K> e = entry_at<K>(p, op, i, at);
                sum += e.value * element_of<K>(q, ob, e.j, j);
            }
            const K old = t.get() == K(0) ? K(0) : element<K>::get(to.values, to.type, at_c);
            element<K>::set(to.values, to.type, at_c, s.get() * sum + kept(t.get(), old));
        });
    const bool narrow = c.type != element<K>::type; // no number to add to: each asks all entries
    const cmSparseStatus_t status = each(h, c.batch * size, [=](int64_t n) {
        const cmSparseDnMatDescr to = of_batch(c, n / size);
        const int64_t i = n % size / c.cols, j = n % c.cols, at_c = place(to, i, j);
        const K old = t.get() == K(0) ? K(0) : element<K>::get(to.values, to.type, at_c);
        K sum(0);
        const cmSparseSpMatDescr p = of_batch(a, n / size);
        const cmSparseDnMatDescr q = of_batch(b, n / size);
        for (int64_t l = 0; narrow && l < lines(p); l++)
            for (int64_t at = line(p, l).begin; at < line(p, l).end; at++) {
                const entry<K> e = entry_at<K>(p, op, l, at);
                if (e.i == i) sum += e.value * element_of<K>(q, ob, e.j, j);
            }
        element<K>::set(to.values, to.type, at_c, s.get() * sum + kept(t.get(), old));
    });
    if (status || narrow) return status;
    const int64_t count = lines(a), parts = count * c.cols;
    return each(h, c.batch * parts, [=](int64_t n) {
        const cmSparseSpMatDescr p = of_batch(a, n / parts);
        const cmSparseDnMatDescr q = of_batch(b, n / parts), to = of_batch(c, n / parts);
        const int64_t own = n % parts / c.cols, j = n % c.cols;
        const span l = line(p, own);
        for (int64_t at = l.begin; at < l.end; at++) {
            const entry<K> e = entry_at<K>(p, op, own, at);
            cm::library::add(static_cast<K *>(to.values) + place(to, e.i, j),
                             s.get() * e.value * element_of<K>(q, ob, e.j, j));
        }
    });
}
// op(A) X = alpha op(B), for a triangle of A.
template <class K>
inline cmSparseStatus_t
solve_all(cmSparseHandle_t h, cmSparseOperation_t op, cmSparseOperation_t ob, const void *alpha,
          const cmSparseSpMatDescr &a, const cmSparseDnMatDescr &b, const cmSparseDnMatDescr &x) {
    const scalar<K> s(h, alpha);
    return each(h, x.cols, [=](int64_t j) { solve<K>(op, s.get(), a, b, ob, x, j); });
}

// work(to) makes one number, which the caller may read when the call returns, in host mode.
template <class K, class Work>
inline cmSparseStatus_t answer(cmSparseHandle_t h, K *result, Work work) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    if (!result) return CM_SPARSE_STATUS_INVALID_VALUE;
    if (h->mode == CM_SPARSE_POINTER_MODE_DEVICE)
        return each(h, 1, [=](int64_t) { work(result); });
    K *made = nullptr;
    if (cmMallocManaged(&made, sizeof *made)) return CM_SPARSE_STATUS_ALLOC_FAILED;
    cmSparseStatus_t status = each(h, 1, [=](int64_t) { work(made); });
    if (!status) status = wait_for(h);
    if (!status) cm::library::store(result, *made);
    cmFree(made);
    return status;
}

} // namespace sparse
} // namespace cm

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
        return cm::sparse::multiply<decltype(zero)>(h, op, CM_SPARSE_OPERATION_NON_TRANSPOSE,
                                                    alpha, *a, cm::sparse::as_matrix(*x), beta,
                                                    cm::sparse::as_matrix(*y));
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
        return cm::sparse::multiply<decltype(zero)>(h, op, ob, alpha, *a, *b, beta, *c);
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
        return cm::sparse::solve_all<decltype(zero)>(h, op, CM_SPARSE_OPERATION_NON_TRANSPOSE,
                                                     alpha, *a, cm::sparse::as_matrix(*x),
                                                     cm::sparse::as_matrix(*y));
    });
}
inline cmSparseStatus_t cmSparseSpSM_createDescr(cmSparseSpSMDescr_t *d) {
    *d = new cmSparseSpSMDescr{};
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpSM_destroyDescr(cmSparseSpSMDescr_t d) {
    delete d;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t
cmSparseSpSM_bufferSize(cmSparseHandle_t h, cmSparseOperation_t, cmSparseOperation_t, const void *,
                        cmSparseConstSpMatDescr_t, cmSparseConstDnMatDescr_t, cmSparseDnMatDescr_t,
                        cmDataType, cmSparseSpSMAlg_t, cmSparseSpSMDescr_t, size_t *size) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSpSM_analysis(cmSparseHandle_t h, cmSparseOperation_t,
                                              cmSparseOperation_t, const void *,
                                              cmSparseConstSpMatDescr_t, cmSparseConstDnMatDescr_t,
                                              cmSparseDnMatDescr_t, cmDataType, cmSparseSpSMAlg_t,
                                              cmSparseSpSMDescr_t, void *) {
    return h ? CM_SPARSE_STATUS_SUCCESS : CM_SPARSE_STATUS_NOT_INITIALIZED;
}
inline cmSparseStatus_t cmSparseSpSM_solve(cmSparseHandle_t h, cmSparseOperation_t op,
                                           cmSparseOperation_t ob, const void *alpha,
                                           cmSparseConstSpMatDescr_t a,
                                           cmSparseConstDnMatDescr_t b, cmSparseDnMatDescr_t c,
                                           cmDataType compute, cmSparseSpSMAlg_t,
                                           cmSparseSpSMDescr_t) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    const bool straight = ob == CM_SPARSE_OPERATION_NON_TRANSPOSE;
    if (!a || !b || !c || a->rows != a->cols || c->rows != a->rows ||
        (straight ? b->rows : b->cols) != c->rows || (straight ? b->cols : b->rows) != c->cols)
        return CM_SPARSE_STATUS_INVALID_VALUE;
    return cm::sparse::with_type(compute, [&](auto zero) {
        return cm::sparse::solve_all<decltype(zero)>(h, op, ob, alpha, *a, *b, *c);
    });
}

// ---- products of dense matrices where a sparse one has entries ----

inline cmSparseStatus_t cmSparseSDDMM_bufferSize(cmSparseHandle_t h, cmSparseOperation_t,
                                                 cmSparseOperation_t, const void *,
                                                 cmSparseConstDnMatDescr_t,
                                                 cmSparseConstDnMatDescr_t, const void *,
                                                 cmSparseSpMatDescr_t, cmDataType,
                                                 cmSparseSDDMMAlg_t, size_t *size) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseSDDMM_preprocess(cmSparseHandle_t h, cmSparseOperation_t,
                                                 cmSparseOperation_t, const void *,
                                                 cmSparseConstDnMatDescr_t,
                                                 cmSparseConstDnMatDescr_t, const void *,
                                                 cmSparseSpMatDescr_t, cmDataType,
                                                 cmSparseSDDMMAlg_t, void *) {
    return h ? CM_SPARSE_STATUS_SUCCESS : CM_SPARSE_STATUS_NOT_INITIALIZED;
}
inline cmSparseStatus_t cmSparseSDDMM(cmSparseHandle_t h, cmSparseOperation_t oa,
                                      cmSparseOperation_t ob, const void *alpha,
                                      cmSparseConstDnMatDescr_t a, cmSparseConstDnMatDescr_t b,
                                      const void *beta, cmSparseSpMatDescr_t c, cmDataType compute,
                                      cmSparseSDDMMAlg_t, void *) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !b || !c) return CM_SPARSE_STATUS_INVALID_VALUE;
    const bool sa = oa == CM_SPARSE_OPERATION_NON_TRANSPOSE,
               sb = ob == CM_SPARSE_OPERATION_NON_TRANSPOSE;
    const int64_t inner = sa ? a->cols : a->rows;
    if ((sa ? a->rows : a->cols) != c->rows || (sb ? b->cols : b->rows) != c->cols ||
        (sb ? b->rows : b->cols) != inner)
        return CM_SPARSE_STATUS_INVALID_VALUE;
    return cm::sparse::with_type(compute, [&](auto zero) {
        using K = decltype(zero);
        const cm::sparse::scalar<K> s(h, alpha), t(h, beta);
        const int64_t count = cm::sparse::lines(*c);
        return cm::sparse::each(h, count * c->batch, [=, m = *a, q = *b, to = *c](int64_t n) {
            const auto p = cm::sparse::of_batch(m, n / count),
                       r = cm::sparse::of_batch(q, n / count);
            const auto d = cm::sparse::of_batch(to, n / count);
            const cm::sparse::span l = cm::sparse::line(d, n % count);
            for (int64_t at = l.begin; at < l.end; at++) {
                const auto e =
                    cm::sparse::entry_at<K>(d, CM_SPARSE_OPERATION_NON_TRANSPOSE, n % count, at);
                K sum(0);
                for (int64_t k = 0; k < inner; k++)
                    sum += cm::sparse::element_of<K>(p, oa, e.i, k) *
                           cm::sparse::element_of<K>(r, ob, k, e.j);
                cm::sparse::element<K>::set(d.values, d.type, at,
                                            s.get() * sum + cm::sparse::kept(t.get(), e.value));
            }
        });
    });
}

// ---- sparse vectors ----

inline cmSparseStatus_t cmSparseAxpby(cmSparseHandle_t h, const void *alpha,
                                      cmSparseConstSpVecDescr_t x, const void *beta,
                                      cmSparseDnVecDescr_t y) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    return cm::sparse::with_type(y->type, [&](auto zero) {
        using K = decltype(zero);
        const cm::sparse::scalar<K> s(h, alpha), t(h, beta);
        const cmSparseStatus_t status = cm::sparse::each(
            h, y->size, [=, q = *y](int64_t i) { static_cast<K *>(q.values)[i] *= t.get(); });
        if (status) return status;
        return cm::sparse::each(h, x->nnz, [=, p = *x, q = *y](int64_t i) {
            static_cast<K *>(q.values)[cm::sparse::index(p.indices, p.index_type, i) - p.base] +=
                s.get() * cm::sparse::element<K>::get(p.values, p.type, i);
        });
    });
}
inline cmSparseStatus_t cmSparseGather(cmSparseHandle_t h, cmSparseConstDnVecDescr_t y,
                                       cmSparseSpVecDescr_t x) {
    return cm::sparse::with_type(x->type, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::each(h, x->nnz, [p = *y, q = *x](int64_t i) {
            static_cast<K *>(q.values)[i] = static_cast<const K *>(
                p.values)[cm::sparse::index(q.indices, q.index_type, i) - q.base];
        });
    });
}
inline cmSparseStatus_t cmSparseScatter(cmSparseHandle_t h, cmSparseConstSpVecDescr_t x,
                                        cmSparseDnVecDescr_t y) {
    return cm::sparse::with_type(x->type, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::each(h, x->nnz, [p = *x, q = *y](int64_t i) {
            static_cast<K *>(q.values)[cm::sparse::index(p.indices, p.index_type, i) - p.base] =
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
    return cm::sparse::with_type(compute, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::answer<K>(h, static_cast<K *>(result), [=, p = *x, q = *y](K *to) {
            K sum(0);
            for (int64_t i = 0; i < p.nnz; i++) {
                const K v = cm::sparse::element<K>::get(p.values, p.type, i);
                const int64_t at = cm::sparse::index(p.indices, p.index_type, i) - p.base;
                sum += (op == CM_SPARSE_OPERATION_CONJUGATE_TRANSPOSE ? cm::sparse::conjugate(v)
                                                                      : v) *
                       cm::sparse::element<K>::get(q.values, q.type, at);
            }
            *to = sum;
        });
    });
}

#endif
