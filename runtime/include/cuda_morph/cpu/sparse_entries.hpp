// SPDX-License-Identifier: Apache-2.0
// The entries of sparse.h's matrices, and the mathematics of one line of them: what a loop's turn
// or a work-item does. No memory is allocated here.
#ifndef CUDA_MORPH_CPU_SPARSE_ENTRIES_HPP
#define CUDA_MORPH_CPU_SPARSE_ENTRIES_HPP

namespace cm {
namespace sparse {

using cm::numbers::conjugate;

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
inline void *moved(void *p, size_t size, int64_t by) {
    return static_cast<char *>(p) + static_cast<int64_t>(size) * by;
}
inline size_t size_of(cmSparseIndexType_t type) {
    return type == CM_SPARSE_INDEX_64I ? 8 : type == CM_SPARSE_INDEX_16U ? 2 : 4;
}

// Values of any type as K; complex ones as they are.
template <class K> struct element {
    static constexpr cmDataType type = std::is_same<K, int>::value      ? CM_R_32I
                                       : std::is_same<K, double>::value ? CM_R_64F
                                                                        : CM_R_32F;
    static K get(const void *p, cmDataType of, int64_t i) {
        return cm::numbers::load<K>(p, of, static_cast<ptrdiff_t>(i));
    }
    static void set(void *p, cmDataType of, int64_t i, K v) {
        cm::numbers::store(p, of, static_cast<ptrdiff_t>(i), v);
    }
};
template <class R> struct element<std::complex<R>> {
    static constexpr cmDataType type = std::is_same<R, double>::value ? CM_C_64F : CM_C_32F;
    static std::complex<R> get(const void *p, cmDataType, int64_t i) {
        return static_cast<const std::complex<R> *>(p)[i];
    }
    static void set(void *p, cmDataType, int64_t i, std::complex<R> v) {
        static_cast<std::complex<R> *>(p)[i] = v;
    }
};

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

// ---- dense ----

inline int64_t place(const cmSparseDnMatDescr &m, int64_t i, int64_t j) {
    return m.order == CM_SPARSE_ORDER_COL ? i + j * m.ld : i * m.ld + j;
}
inline cmSparseDnMatDescr as_matrix(const cmSparseDnVecDescr &v) {
    return {v.size, 1, v.size, v.values, v.type, CM_SPARSE_ORDER_COL};
}
// One of a batch.
inline cmSparseDnMatDescr of_batch(cmSparseDnMatDescr m, int64_t n) {
    m.values = moved(m.values, cm::numbers::size_of(m.type), n * m.stride);
    return m;
}
// Element (i, j) of op(B).
template <class K>
inline K element_of(const cmSparseDnMatDescr &b, cmSparseOperation_t op, int64_t i, int64_t j) {
    if (op == CM_SPARSE_OPERATION_NON_TRANSPOSE)
        return element<K>::get(b.values, b.type, place(b, i, j));
    const K v = element<K>::get(b.values, b.type, place(b, j, i));
    return op == CM_SPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(v) : v;
}

// ---- sparse: lines are the rows of CSR, the columns of CSC, and of COO each entry is one ----

struct span {
    int64_t begin, end;
};
template <class K> struct entry {
    int64_t i, j;
    K value;
};

inline cmSparseSpMatDescr of_batch(cmSparseSpMatDescr a, int64_t n) {
    const bool coo = a.format == CM_SPARSE_FORMAT_COO;
    a.offsets = moved(a.offsets, size_of(a.offset_type), n * (coo ? a.stride : a.offset_stride));
    a.columns = moved(a.columns, size_of(a.index_type), n * a.stride);
    a.values = moved(a.values, cm::numbers::size_of(a.type), n * a.stride);
    return a;
}
inline int64_t lines(const cmSparseSpMatDescr &a) {
    return a.format == CM_SPARSE_FORMAT_COO   ? a.nnz
           : a.format == CM_SPARSE_FORMAT_CSR ? a.rows
                                              : a.cols;
}
inline span line(const cmSparseSpMatDescr &a, int64_t l) {
    if (a.format == CM_SPARSE_FORMAT_COO) return {l, l + 1};
    return {index(a.offsets, a.offset_type, l) - a.base,
            index(a.offsets, a.offset_type, l + 1) - a.base};
}
// The first of COO's entries, in the order of rows, whose row is `row` or beyond.
inline int64_t first_of_row(const cmSparseSpMatDescr &a, int64_t row) {
    int64_t low = 0, high = a.nnz;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (index(a.offsets, a.index_type, middle) - a.base < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
// Row l, or column l of CSC; COO's entries have to be in the order of rows.
inline span whole_line(const cmSparseSpMatDescr &a, int64_t l) {
    if (a.format != CM_SPARSE_FORMAT_COO) return line(a, l);
    return {first_of_row(a, l), first_of_row(a, l + 1)};
}
// An entry of op(A): that at `at` in line l of A.
template <class K>
inline entry<K> entry_at(const cmSparseSpMatDescr &a, cmSparseOperation_t op, int64_t l,
                         int64_t at) {
    int64_t i = l, j = index(a.columns, a.index_type, at) - a.base;
    if (a.format == CM_SPARSE_FORMAT_COO) i = index(a.offsets, a.index_type, at) - a.base;
    const K v = element<K>::get(a.values, a.type, at);
    if ((a.format == CM_SPARSE_FORMAT_CSC) == (op == CM_SPARSE_OPERATION_NON_TRANSPOSE)) {
        const int64_t other = i;
        i = j, j = other;
    }
    return {i, j, op == CM_SPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(v) : v};
}
// Are the lines of A, whole ones, the rows of op(A)?
inline bool has_rows(const cmSparseSpMatDescr &a, cmSparseOperation_t op) {
    return (a.format != CM_SPARSE_FORMAT_CSC) == (op == CM_SPARSE_OPERATION_NON_TRANSPOSE);
}

// Column j of op(A) x = alpha b, for a triangle of A: row after row.
template <class K>
inline void solve(cmSparseOperation_t op, K alpha, const cmSparseSpMatDescr &a,
                  const cmSparseDnMatDescr &b, cmSparseOperation_t ob, const cmSparseDnMatDescr &x,
                  int64_t column) {
    const bool upper =
        (a.fill == CM_SPARSE_FILL_MODE_UPPER) == (op == CM_SPARSE_OPERATION_NON_TRANSPOSE);
    const bool unit = a.diagonal == CM_SPARSE_DIAG_TYPE_UNIT, rows = has_rows(a, op);
    const auto get = [&](int64_t i) {
        return element<K>::get(x.values, x.type, place(x, i, column));
    };
    const auto set = [&](int64_t i, K v) {
        element<K>::set(x.values, x.type, place(x, i, column), v);
    };
    for (int64_t i = 0; i < a.rows && !rows; i++) set(i, alpha * element_of<K>(b, ob, i, column));
    for (int64_t n = 0; n < a.rows; n++) {
        const int64_t i = upper ? a.rows - 1 - n : n;
        const span l = whole_line(a, i);
        K diagonal(1), sum = rows ? alpha * element_of<K>(b, ob, i, column) : get(i);
        for (int64_t at = l.begin; at < l.end; at++) {
            const entry<K> e = entry_at<K>(a, op, i, at);
            if (e.i == e.j && !unit) diagonal = e.value;
            if (rows && (upper ? e.j > e.i : e.j < e.i)) sum -= e.value * get(e.j);
        }
        const K found = sum / diagonal;
        set(i, found);
        for (int64_t at = l.begin; at < l.end && !rows; at++) {
            const entry<K> e = entry_at<K>(a, op, i, at);
            if (upper ? e.i < i : e.i > i) set(e.i, get(e.i) - e.value * found);
        }
    }
}

// Puts n things into order, in their place: a heap, unless they are.
template <class Less, class Swap> inline void sort(int64_t n, Less less, Swap swap) {
    int64_t sorted = 1;
    while (sorted < n && !less(sorted, sorted - 1)) sorted++;
    if (sorted >= n) return;
    const auto sift = [&](int64_t from, int64_t end) {
        for (int64_t at = from; 2 * at + 1 < end;) {
            int64_t child = 2 * at + 1;
            if (child + 1 < end && less(child, child + 1)) child++;
            if (!less(at, child)) return;
            swap(at, child);
            at = child;
        }
    };
    for (int64_t i = n / 2; i-- > 0;) sift(i, n);
    for (int64_t end = n - 1; end > 0; end--) {
        swap(0, end);
        sift(0, end);
    }
}
template <class T> inline void exchange(T &a, T &b) {
    const T old = a;
    a = b;
    b = old;
}

// Incomplete LU without fill-in, in the place of a CSR matrix whose rows are sorted. `space`: room
// for 2n numbers.
template <class K>
inline void csrilu0(int n, int base, K *values, const int *offsets, const int *columns, int *space,
                    int *zero) {
    int *const where = space, *const diagonal = space + n;
    *zero = -1;
    for (int i = 0; i < n; i++) where[i] = diagonal[i] = -1;
    for (int i = 0; i < n; i++) {
        const int begin = offsets[i] - base, end = offsets[i + 1] - base;
        for (int at = begin; at < end; at++) where[columns[at] - base] = at;
        for (int at = begin; at < end && columns[at] - base < i; at++) {
            const int k = columns[at] - base, pivot = diagonal[k];
            if (pivot < 0) continue;
            const K factor = values[at] /= values[pivot];
            for (int p = pivot + 1; p < offsets[k + 1] - base; p++) {
                const int to = where[columns[p] - base];
                if (to >= 0) values[to] -= factor * values[p];
            }
        }
        diagonal[i] = where[i];
        const int own = diagonal[i];
        if ((own < 0 || values[own] == K(0)) && *zero < 0) *zero = i + base;
        for (int at = begin; at < end; at++) where[columns[at] - base] = -1;
    }
}

} // namespace sparse
} // namespace cm

#endif
