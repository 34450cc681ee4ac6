// SPDX-License-Identifier: Apache-2.0
// The mathematics of sparse.h.
#ifndef CUDA_MORPH_CPU_SPARSE_CORE_HPP
#define CUDA_MORPH_CPU_SPARSE_CORE_HPP

namespace cm {
namespace sparse {

using cm::blas::conjugate;

template <class Work> inline cmSparseStatus_t enqueue(cmSparseHandle_t h, Work work) {
    return cm::library::enqueue(h, work, CM_SPARSE_STATUS_NOT_INITIALIZED,
                                CM_SPARSE_STATUS_EXECUTION_FAILED);
}

inline int64_t index(const void *p, cmSparseIndexType_t type, int64_t i) {
    return type == CM_SPARSE_INDEX_64I   ? static_cast<const int64_t *>(p)[i]
           : type == CM_SPARSE_INDEX_16U ? static_cast<const uint16_t *>(p)[i]
                                         : static_cast<const int32_t *>(p)[i];
}
inline void set_index(void *p, cmSparseIndexType_t type, int64_t i, int64_t v) {
    if (type == CM_SPARSE_INDEX_64I)
        static_cast<int64_t *>(p)[i] = v;
    else if (type == CM_SPARSE_INDEX_16U)
        static_cast<uint16_t *>(p)[i] = static_cast<uint16_t>(v);
    else
        static_cast<int32_t *>(p)[i] = static_cast<int32_t>(v);
}

// Values of any type as K; complex ones as they are.
template <class K> struct element {
    static K get(const void *p, cmDataType type, int64_t i) {
        return cm::blas::load<K>(p, type, static_cast<ptrdiff_t>(i));
    }
    static void set(void *p, cmDataType type, int64_t i, K v) {
        cm::blas::store(p, type, static_cast<ptrdiff_t>(i), v);
    }
};
template <class R> struct element<std::complex<R>> {
    static std::complex<R> get(const void *p, cmDataType, int64_t i) {
        return static_cast<const std::complex<R> *>(p)[i];
    }
    static void set(void *p, cmDataType, int64_t i, std::complex<R> v) {
        static_cast<std::complex<R> *>(p)[i] = v;
    }
};

// f(row, column, value) for each element that is kept, of op(A).
template <class K, class F>
inline void each(const cmSparseSpMatDescr &a, cmSparseOperation_t op, F f) {
    const int64_t base = a.base;
    const auto give = [&](int64_t i, int64_t j, int64_t at) {
        const K v = element<K>::get(a.values, a.type, at);
        if (op == CM_SPARSE_OPERATION_NON_TRANSPOSE)
            f(i, j, v);
        else
            f(j, i, op == CM_SPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(v) : v);
    };
    if (a.format == CM_SPARSE_FORMAT_COO) {
        for (int64_t at = 0; at < a.nnz; at++)
            give(index(a.offsets, a.index_type, at) - base,
                 index(a.columns, a.index_type, at) - base, at);
        return;
    }
    const bool rows = a.format == CM_SPARSE_FORMAT_CSR;
    for (int64_t line = 0; line < (rows ? a.rows : a.cols); line++) {
        const int64_t end = index(a.offsets, a.offset_type, line + 1) - base;
        for (int64_t at = index(a.offsets, a.offset_type, line) - base; at < end; at++) {
            const int64_t other = index(a.columns, a.index_type, at) - base;
            rows ? give(line, other, at) : give(other, line, at);
        }
    }
}

// Calls work(K()) with the type to compute in.
template <class Work> inline cmSparseStatus_t with_type(cmDataType type, Work work) {
    switch (type) {
    case CM_R_32F:
        return work(float());
    case CM_R_64F:
        return work(double());
    case CM_C_32F:
        return work(std::complex<float>());
    case CM_C_64F:
        return work(std::complex<double>());
    case CM_R_32I:
        return work(int());
    default:
        return CM_SPARSE_STATUS_NOT_SUPPORTED;
    }
}
template <class K> struct scalar : cm::library::scalar<K> {
    scalar(cmSparseHandle_t h, const void *p)
        : cm::library::scalar<K>(h && h->mode == CM_SPARSE_POINTER_MODE_DEVICE,
                                 static_cast<const K *>(p)) {}
};

template <class K>
inline void spmv(cmSparseOperation_t op, K alpha, const cmSparseSpMatDescr &a,
                 const cmSparseDnVecDescr &x, K beta, const cmSparseDnVecDescr &y) {
    std::vector<K> sum(static_cast<size_t>(y.size));
    each<K>(a, op, [&](int64_t i, int64_t j, K v) {
        sum[static_cast<size_t>(i)] += v * element<K>::get(x.values, x.type, j);
    });
    for (int64_t i = 0; i < y.size; i++) {
        const K old = beta == K(0) ? K(0) : beta * element<K>::get(y.values, y.type, i);
        element<K>::set(y.values, y.type, i, alpha * sum[static_cast<size_t>(i)] + old);
    }
}

inline int64_t place(const cmSparseDnMatDescr &m, int64_t i, int64_t j) {
    return m.order == CM_SPARSE_ORDER_COL ? i + j * m.ld : i * m.ld + j;
}
template <class K>
inline void spmm(cmSparseOperation_t op, cmSparseOperation_t ob, K alpha,
                 const cmSparseSpMatDescr &a, const cmSparseDnMatDescr &b, K beta,
                 const cmSparseDnMatDescr &c) {
    std::vector<K> sum(static_cast<size_t>(c.rows * c.cols));
    each<K>(a, op, [&](int64_t i, int64_t k, K v) {
        for (int64_t j = 0; j < c.cols; j++) {
            const bool straight = ob == CM_SPARSE_OPERATION_NON_TRANSPOSE;
            K w = element<K>::get(b.values, b.type, straight ? place(b, k, j) : place(b, j, k));
            if (ob == CM_SPARSE_OPERATION_CONJUGATE_TRANSPOSE) w = conjugate(w);
            sum[static_cast<size_t>(i * c.cols + j)] += v * w;
        }
    });
    for (int64_t i = 0; i < c.rows; i++)
        for (int64_t j = 0; j < c.cols; j++) {
            const int64_t at = place(c, i, j);
            const K old = beta == K(0) ? K(0) : beta * element<K>::get(c.values, c.type, at);
            element<K>::set(c.values, c.type, at,
                            alpha * sum[static_cast<size_t>(i * c.cols + j)] + old);
        }
}

// op(A) y = alpha x for a triangle of A.
template <class K>
inline void spsv(cmSparseOperation_t op, K alpha, const cmSparseSpMatDescr &a,
                 const cmSparseDnVecDescr &x, const cmSparseDnVecDescr &y) {
    struct entry {
        int64_t column;
        K value;
    };
    const bool upper =
        (a.fill == CM_SPARSE_FILL_MODE_UPPER) == (op == CM_SPARSE_OPERATION_NON_TRANSPOSE);
    std::vector<std::vector<entry>> rows(static_cast<size_t>(a.rows));
    std::vector<K> diagonal(static_cast<size_t>(a.rows), K(1));
    each<K>(a, op, [&](int64_t i, int64_t j, K v) {
        if (i == j && a.diagonal == CM_SPARSE_DIAG_TYPE_NON_UNIT)
            diagonal[static_cast<size_t>(i)] = v;
        if (upper ? j > i : j < i) rows[static_cast<size_t>(i)].push_back({j, v});
    });
    for (int64_t n = 0; n < a.rows; n++) {
        const int64_t i = upper ? a.rows - 1 - n : n;
        K sum = alpha * element<K>::get(x.values, x.type, i);
        for (const entry &e : rows[static_cast<size_t>(i)])
            sum -= e.value * element<K>::get(y.values, y.type, e.column);
        element<K>::set(y.values, y.type, i, sum / diagonal[static_cast<size_t>(i)]);
    }
}

// Incomplete LU without fill-in, in the place of a CSR matrix whose rows are sorted.
template <class K>
inline void csrilu0(int n, int base, K *values, const int *offsets, const int *columns,
                    int *zero) {
    std::vector<int> where(static_cast<size_t>(n), -1), diagonal(static_cast<size_t>(n), -1);
    *zero = -1;
    for (int i = 0; i < n; i++) {
        const int begin = offsets[i] - base, end = offsets[i + 1] - base;
        for (int at = begin; at < end; at++) where[static_cast<size_t>(columns[at] - base)] = at;
        for (int at = begin; at < end && columns[at] - base < i; at++) {
            const int k = columns[at] - base, pivot = diagonal[static_cast<size_t>(k)];
            if (pivot < 0) continue;
            const K factor = values[at] /= values[pivot];
            for (int p = pivot + 1; p < offsets[k + 1] - base; p++) {
                const int to = where[static_cast<size_t>(columns[p] - base)];
                if (to >= 0) values[to] -= factor * values[p];
            }
        }
        diagonal[static_cast<size_t>(i)] = where[static_cast<size_t>(i)];
        const int own = diagonal[static_cast<size_t>(i)];
        if ((own < 0 || values[own] == K(0)) && *zero < 0) *zero = i + base;
        for (int at = begin; at < end; at++) where[static_cast<size_t>(columns[at] - base)] = -1;
    }
}

} // namespace sparse
} // namespace cm

#endif
