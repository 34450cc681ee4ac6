// SPDX-License-Identifier: Apache-2.0
// Dense and sparse matrices made of each other, and cuSPARSE's older interface: part of sparse.h.
#ifndef CUDA_MORPH_CPU_SPARSE_CONVERSIONS_HPP
#define CUDA_MORPH_CPU_SPARSE_CONVERSIONS_HPP

namespace cm {
namespace sparse {

// A dense matrix by the lines of the sparse one that is made of it, and where their offsets go.
struct dense_lines {
    cmSparseDnMatDescr of;
    bool rows;
    int64_t count, each;
    void *offsets;
    cmSparseIndexType_t type;
    cmSparseIndexBase_t base;

    template <class K> K value(int64_t line, int64_t k) const {
        return static_cast<const K *>(of.values)[rows ? place(of, line, k) : place(of, k, line)];
    }
};
inline dense_lines lines_for(const cmSparseSpMatDescr &a, const cmSparseDnMatDescr &b,
                             void *buffer) {
    const bool rows = a.format != CM_SPARSE_FORMAT_CSC, coo = a.format == CM_SPARSE_FORMAT_COO;
    return {b,
            rows,
            rows ? b.rows : b.cols,
            rows ? b.cols : b.rows,
            coo ? buffer : a.offsets,
            coo ? CM_SPARSE_INDEX_64I : a.offset_type,
            a.base};
}
// Offset n + 1 holds line n's count: they become offsets, and the caller learns how many in all.
inline cmSparseStatus_t summed_offsets(cmSparseHandle_t h, const dense_lines &d, int64_t *total) {
    int64_t *sum = nullptr;
    if (cmMallocManaged(&sum, sizeof *sum)) return CM_SPARSE_STATUS_ALLOC_FAILED;
    cmSparseStatus_t status = cm::sparse::each(h, 1, [=](int64_t) {
        int64_t at = d.base;
        set_index(d.offsets, d.type, 0, at);
        for (int64_t n = 0; n < d.count; n++) {
            at += index(d.offsets, d.type, n + 1);
            set_index(d.offsets, d.type, n + 1, at);
        }
        *sum = at - d.base;
    });
    if (!status) status = wait_for(h);
    if (!status) *total = *sum;
    cmFree(sum);
    return status;
}
// Sorts n keys, equal ones by `second`, which may be NULL as `other` may, and moves those along.
inline void sort_by(int *first, int *second, int *other, int64_t n) {
    sort(
        n,
        [=](int64_t p, int64_t q) {
            return first[p] < first[q] ||
                   (second && first[p] == first[q] && second[p] < second[q]);
        },
        [=](int64_t p, int64_t q) {
            exchange(first[p], first[q]);
            if (second) exchange(second[p], second[q]);
            if (other) exchange(other[p], other[q]);
        });
}

} // namespace sparse
} // namespace cm

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
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    return cm::sparse::with_type(a->type, [&](auto zero) {
        using K = decltype(zero);
        const cmSparseStatus_t status =
            cm::sparse::each(h, b->rows * b->cols, [d = *b](int64_t n) {
                static_cast<K *>(d.values)[cm::sparse::place(d, n / d.cols, n % d.cols)] = K(0);
            });
        if (status) return status;
        return cm::sparse::each(h, cm::sparse::lines(*a), [m = *a, d = *b](int64_t n) {
            const cm::sparse::span l = cm::sparse::line(m, n);
            for (int64_t at = l.begin; at < l.end; at++) {
                const auto e =
                    cm::sparse::entry_at<K>(m, CM_SPARSE_OPERATION_NON_TRANSPOSE, n, at);
                static_cast<K *>(d.values)[cm::sparse::place(d, e.i, e.j)] = e.value;
            }
        });
    });
}
// COO has no offsets of its own: they are in the buffer.
inline cmSparseStatus_t
cmSparseDenseToSparse_bufferSize(cmSparseHandle_t h, cmSparseConstDnMatDescr_t b,
                                 cmSparseSpMatDescr_t, cmSparseDenseToSparseAlg_t, size_t *size) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    *size = (static_cast<size_t>(b->rows) + 1) * sizeof(int64_t);
    return CM_SPARSE_STATUS_SUCCESS;
}
// Counts, and writes the offsets: the program allocates the rest when it knows how many there are.
inline cmSparseStatus_t cmSparseDenseToSparse_analysis(cmSparseHandle_t h,
                                                       cmSparseConstDnMatDescr_t b,
                                                       cmSparseSpMatDescr_t a,
                                                       cmSparseDenseToSparseAlg_t, void *buffer) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    const cm::sparse::dense_lines d = cm::sparse::lines_for(*a, *b, buffer);
    if (!d.offsets) return CM_SPARSE_STATUS_INVALID_VALUE;
    const cmSparseStatus_t status = cm::sparse::with_type(b->type, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::each(h, d.count, [=](int64_t n) {
            int64_t found = 0;
            for (int64_t k = 0; k < d.each; k++) found += d.value<K>(n, k) != K(0);
            cm::sparse::set_index(d.offsets, d.type, n + 1, found);
        });
    });
    return status ? status : cm::sparse::summed_offsets(h, d, &a->nnz);
}
inline cmSparseStatus_t cmSparseDenseToSparse_convert(cmSparseHandle_t h,
                                                      cmSparseConstDnMatDescr_t b,
                                                      cmSparseSpMatDescr_t a,
                                                      cmSparseDenseToSparseAlg_t, void *buffer) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    const cm::sparse::dense_lines d = cm::sparse::lines_for(*a, *b, buffer);
    if (!d.offsets) return CM_SPARSE_STATUS_INVALID_VALUE;
    return cm::sparse::with_type(b->type, [&](auto zero) {
        using K = decltype(zero);
        return cm::sparse::each(h, d.count, [=, m = *a](int64_t n) {
            int64_t at = cm::sparse::index(d.offsets, d.type, n) - m.base;
            for (int64_t k = 0; k < d.each; k++) {
                const K v = d.value<K>(n, k);
                if (v == K(0)) continue;
                static_cast<K *>(m.values)[at] = v;
                cm::sparse::set_index(m.columns, m.index_type, at, k + m.base);
                if (m.format == CM_SPARSE_FORMAT_COO)
                    cm::sparse::set_index(m.offsets, m.index_type, at, n + m.base);
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
    return cm::sparse::each(h, rows, [=](int64_t i) {
        for (int at = offsets[i]; at < offsets[i + 1]; at++)
            out[at - base] = static_cast<int>(i) + base;
    });
}
inline cmSparseStatus_t cmSparseXcoo2csr(cmSparseHandle_t h, const int *rows_of, int nnz, int rows,
                                         int *out, cmSparseIndexBase_t base) {
    cmSparseSpMatDescr a{};
    a.nnz = nnz, a.offsets = const_cast<int *>(rows_of), a.base = base;
    a.index_type = CM_SPARSE_INDEX_32I;
    return cm::sparse::each(h, int64_t(rows) + 1, [=](int64_t i) {
        out[i] = static_cast<int>(cm::sparse::first_of_row(a, i)) + base;
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
    const size_t size = cm::numbers::size_of(type);
    if (!size) return CM_SPARSE_STATUS_NOT_SUPPORTED;
    // out_offsets[j + 1] counts column j, is where its next entry goes, and ends as where it ends
    cmSparseStatus_t status =
        cm::sparse::each(h, int64_t(cols) + 1, [=](int64_t j) { out_offsets[j] = 0; });
    if (!status)
        status = cm::sparse::each(h, nnz, [=](int64_t at) {
            cm::library::add(&out_offsets[columns[at] - base + 1], 1);
        });
    if (status) return status;
    return cm::sparse::each(h, 1, [=](int64_t) {
        int begin = 0;
        for (int j = 1; j <= cols; j++) {
            const int count = out_offsets[j];
            out_offsets[j] = begin;
            begin += count;
        }
        for (int i = 0; i < rows; i++)
            for (int at = offsets[i] - base; at < offsets[i + 1] - base; at++) {
                const int to = out_offsets[columns[at] - base + 1]++;
                out_rows[to] = i + base;
                if (action != CM_SPARSE_ACTION_NUMERIC) continue;
                for (size_t byte = 0; byte < size; byte++)
                    static_cast<char *>(out)[static_cast<size_t>(to) * size + byte] =
                        static_cast<const char *>(values)[static_cast<size_t>(at) * size + byte];
            }
        for (int j = 0; j <= cols; j++) out_offsets[j] += base;
    });
}
inline cmSparseStatus_t cmSparseCreateIdentityPermutation(cmSparseHandle_t h, int n, int *p) {
    return cm::sparse::each(h, n, [=](int64_t i) { p[i] = static_cast<int>(i); });
}
inline cmSparseStatus_t cmSparseXcsrsort_bufferSizeExt(cmSparseHandle_t h, int, int, int,
                                                       const int *, const int *, size_t *size) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    *size = 16;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseXcsrsort(cmSparseHandle_t h, int rows, int, int,
                                         cmSparseMatDescr_t d, const int *offsets, int *columns,
                                         int *p, void *) {
    if (!d) return CM_SPARSE_STATUS_INVALID_VALUE;
    const int base = d->base;
    return cm::sparse::each(h, rows, [=](int64_t i) {
        const int begin = offsets[i] - base;
        cm::sparse::sort_by(columns + begin, nullptr, p ? p + begin : nullptr,
                            offsets[i + 1] - offsets[i]);
    });
}
inline cmSparseStatus_t cmSparseXcoosort_bufferSizeExt(cmSparseHandle_t h, int m, int n, int nnz,
                                                       const int *rows, const int *columns,
                                                       size_t *size) {
    return cmSparseXcsrsort_bufferSizeExt(h, m, n, nnz, rows, columns, size);
}
inline cmSparseStatus_t cmSparseXcoosortByRow(cmSparseHandle_t h, int, int, int nnz, int *rows,
                                              int *columns, int *p, void *) {
    return cm::sparse::each(h, 1,
                            [=](int64_t) { cm::sparse::sort_by(rows, columns, p, int64_t(nnz)); });
}
inline cmSparseStatus_t cmSparseXcoosortByColumn(cmSparseHandle_t h, int, int, int nnz, int *rows,
                                                 int *columns, int *p, void *) {
    return cm::sparse::each(h, 1,
                            [=](int64_t) { cm::sparse::sort_by(columns, rows, p, int64_t(nnz)); });
}
#define CM_SPARSE_OLDER(L, P, K)                                                                  \
    inline cmSparseStatus_t cmSparse##L##gthr(cmSparseHandle_t h, int nnz, const P *y, P *x,      \
                                              const int *indices, cmSparseIndexBase_t base) {     \
        return cm::sparse::each(h, nnz, [=](int64_t i) { x[i] = y[indices[i] - base]; });         \
    }                                                                                             \
    inline cmSparseStatus_t cmSparse##L##sctr(cmSparseHandle_t h, int nnz, const P *x,            \
                                              const int *indices, P *y,                           \
                                              cmSparseIndexBase_t base) {                         \
        return cm::sparse::each(h, nnz, [=](int64_t i) { y[indices[i] - base] = x[i]; });         \
    }                                                                                             \
    inline cmSparseStatus_t cmSparse##L##nnz(cmSparseHandle_t h, cmSparseDirection_t direction,   \
                                             int m, int n, cmSparseMatDescr_t, const P *a,        \
                                             int lda, int *counts, int *total) {                  \
        const bool rows = direction == CM_SPARSE_DIRECTION_ROW;                                   \
        const K *const from = reinterpret_cast<const K *>(a);                                     \
        const int lines = rows ? m : n, length = rows ? n : m;                                    \
        const cmSparseStatus_t status = cm::sparse::each(h, lines, [=](int64_t l) {               \
            int found = 0;                                                                        \
            for (int64_t k = 0; k < length; k++)                                                  \
                found += from[rows ? l + k * lda : k + l * lda] != K(0);                          \
            counts[l] = found;                                                                    \
        });                                                                                       \
        if (status) return status;                                                                \
        return cm::sparse::answer<int>(h, total, [=](int *to) {                                   \
            int sum = 0;                                                                          \
            for (int l = 0; l < lines; l++) sum += counts[l];                                     \
            *to = sum;                                                                            \
        });                                                                                       \
    }
CM_SPARSE_OLDER(S, float, float)
CM_SPARSE_OLDER(D, double, double)
CM_SPARSE_OLDER(C, cuComplex, std::complex<float>)
CM_SPARSE_OLDER(Z, cuDoubleComplex, std::complex<double>)
#undef CM_SPARSE_OLDER

inline cmSparseStatus_t cmSparseCreateCsrilu02Info(csrilu02Info_t *info) {
    if (cmMallocManaged(info, sizeof **info)) return CM_SPARSE_STATUS_ALLOC_FAILED;
    (*info)->zero = -1;
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseDestroyCsrilu02Info(csrilu02Info_t info) {
    cmDeviceSynchronize();
    cmFree(info);
    return CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t cmSparseXcsrilu02_zeroPivot(cmSparseHandle_t h, csrilu02Info_t info,
                                                    int *position) {
    if (const cmSparseStatus_t status = cm::sparse::wait_for(h)) return status;
    cm::library::store(position, info->zero);
    return info->zero < 0 ? CM_SPARSE_STATUS_SUCCESS : CM_SPARSE_STATUS_ZERO_PIVOT;
}
#define CM_SPARSE_ILU(L, P, K)                                                                    \
    inline cmSparseStatus_t cmSparse##L##csrilu02_bufferSize(                                     \
        cmSparseHandle_t, int n, int, cmSparseMatDescr_t, P *, const int *, const int *,          \
        csrilu02Info_t, int *size) {                                                              \
        *size = static_cast<int>(sizeof(int)) * (2 * n + 2);                                      \
        return CM_SPARSE_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSparseStatus_t cmSparse##L##csrilu02_analysis(                                       \
        cmSparseHandle_t, int, int, cmSparseMatDescr_t, const P *, const int *, const int *,      \
        csrilu02Info_t, cmSparseSolvePolicy_t, void *) {                                          \
        return CM_SPARSE_STATUS_SUCCESS;                                                          \
    }                                                                                             \
    inline cmSparseStatus_t cmSparse##L##csrilu02(                                                \
        cmSparseHandle_t h, int n, int, cmSparseMatDescr_t d, P *values, const int *offsets,      \
        const int *columns, csrilu02Info_t info, cmSparseSolvePolicy_t, void *buffer) {           \
        if (!buffer) return CM_SPARSE_STATUS_INVALID_VALUE;                                       \
        const int base = d->base;                                                                 \
        return cm::sparse::each(h, 1, [=](int64_t) {                                              \
            cm::sparse::csrilu0(n, base, reinterpret_cast<K *>(values), offsets, columns,         \
                                static_cast<int *>(buffer), &info->zero);                         \
        });                                                                                       \
    }
CM_SPARSE_ILU(S, float, float)
CM_SPARSE_ILU(D, double, double)
CM_SPARSE_ILU(C, cuComplex, std::complex<float>)
CM_SPARSE_ILU(Z, cuDoubleComplex, std::complex<double>)
#undef CM_SPARSE_ILU

#endif
