// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions for mixed types: numbers of a type that is known at run time, and what a
// product is made of. Included by blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_TYPES_HPP
#define CUDA_MORPH_CPU_BLAS_TYPES_HPP

namespace cm {
namespace blas {

using place = ptrdiff_t;

inline size_t size_of(cmDataType type) {
    switch (type) {
    case CM_R_8I:
    case CM_R_8U:
        return 1;
    case CM_R_16F:
    case CM_R_16BF:
        return 2;
    case CM_R_32F:
    case CM_R_32I:
        return 4;
    case CM_R_64F:
    case CM_C_32F:
        return 8;
    case CM_C_64F:
        return 16;
    default:
        return 0; // not one of ours
    }
}
template <class K> inline K load(const void *p, cmDataType type, place i) {
    switch (type) {
    case CM_R_8I:
        return static_cast<K>(static_cast<const signed char *>(p)[i]);
    case CM_R_8U:
        return static_cast<K>(static_cast<const unsigned char *>(p)[i]);
    case CM_R_16F:
        return static_cast<K>(static_cast<float>(static_cast<const __half *>(p)[i]));
    case CM_R_16BF:
        return static_cast<K>(static_cast<float>(static_cast<const __nv_bfloat16 *>(p)[i]));
    case CM_R_32I:
        return static_cast<K>(static_cast<const int *>(p)[i]);
    case CM_R_64F:
        return static_cast<K>(static_cast<const double *>(p)[i]);
    default:
        return static_cast<K>(static_cast<const float *>(p)[i]);
    }
}
template <class K> inline void store(void *p, cmDataType type, place i, K v) {
    switch (type) {
    case CM_R_8I:
        static_cast<signed char *>(p)[i] = static_cast<signed char>(v);
        break;
    case CM_R_8U:
        static_cast<unsigned char *>(p)[i] = static_cast<unsigned char>(v);
        break;
    case CM_R_16F:
        static_cast<__half *>(p)[i] = __half(static_cast<float>(v));
        break;
    case CM_R_16BF:
        static_cast<__nv_bfloat16 *>(p)[i] = __nv_bfloat16(static_cast<float>(v));
        break;
    case CM_R_32I:
        static_cast<int *>(p)[i] = static_cast<int>(v);
        break;
    case CM_R_64F:
        static_cast<double *>(p)[i] = static_cast<double>(v);
        break;
    default:
        static_cast<float *>(p)[i] = static_cast<float>(v);
    }
}

struct mixed {
    int ta, tb, m, n, k;
    cmDataType at, bt, ct;
    int lda, ldb, ldc;

    bool bad() const {
        return m < 0 || n < 0 || k < 0 || bad_shape(ta ? k : m, lda) ||
               bad_shape(tb ? n : k, ldb) || bad_shape(m, ldc);
    }
};

enum kind { WRONG, FLOAT, DOUBLE, INTEGER, HALF, COMPLEX, DOUBLE_COMPLEX };
inline kind kind_of(cmBlasComputeType_t type, cmDataType c) {
    switch (type) {
    case CM_BLAS_COMPUTE_16F:
    case CM_BLAS_COMPUTE_16F_PEDANTIC:
        return HALF;
    case CM_BLAS_COMPUTE_32I:
    case CM_BLAS_COMPUTE_32I_PEDANTIC:
        return INTEGER;
    case CM_BLAS_COMPUTE_64F:
    case CM_BLAS_COMPUTE_64F_PEDANTIC:
        return c == CM_C_64F ? DOUBLE_COMPLEX : DOUBLE;
    default:
        return c == CM_C_32F ? COMPLEX : FLOAT;
    }
}
inline kind kind_of(cmDataType type, cmDataType) { // how older programs name it
    switch (type) {
    case CM_R_16F:
        return HALF;
    case CM_R_32I:
        return INTEGER;
    case CM_R_64F:
        return DOUBLE;
    case CM_R_32F:
        return FLOAT;
    case CM_C_32F:
        return COMPLEX;
    case CM_C_64F:
        return DOUBLE_COMPLEX;
    default:
        return WRONG;
    }
}

inline mixed shape_of(cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,
                      cmDataType at, int lda, cmDataType bt, int ldb, cmDataType ct, int ldc) {
    return {ta, tb, m, n, k, at, bt, ct, lda, ldb, ldc};
}

} // namespace blas
} // namespace cm

#endif
