// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions for mixed types: what a product is made of. Included by blas.h.
#ifndef CUDA_MORPH_CPU_BLAS_TYPES_HPP
#define CUDA_MORPH_CPU_BLAS_TYPES_HPP

#include <cuda_morph/cpu/blas_small.hpp>

namespace cm {
namespace blas {

using numbers::load;
using numbers::size_of;
using numbers::store;

struct mixed {
    int ta, tb, m, n, k;
    cmDataType at, bt, ct;
    int lda, ldb, ldc;

    bool bad() const {
        return m < 0 || n < 0 || k < 0 || bad_shape(ta ? k : m, lda) ||
               bad_shape(tb ? n : k, ldb) || bad_shape(m, ldc);
    }
};

enum kind { of_nothing, of_float, of_double, of_integer, of_half, of_complex, of_double_complex };
inline kind kind_of(cmBlasComputeType_t type, cmDataType c) {
    switch (type) {
    case CM_BLAS_COMPUTE_16F:
    case CM_BLAS_COMPUTE_16F_PEDANTIC:
        return of_half;
    case CM_BLAS_COMPUTE_32I:
    case CM_BLAS_COMPUTE_32I_PEDANTIC:
        return of_integer;
    case CM_BLAS_COMPUTE_64F:
    case CM_BLAS_COMPUTE_64F_PEDANTIC:
        return c == CM_C_64F ? of_double_complex : of_double;
    default:
        return c == CM_C_32F ? of_complex : of_float;
    }
}
inline kind kind_of(cmDataType type, cmDataType) { // how older programs name it
    switch (type) {
    case CM_R_16F:
        return of_half;
    case CM_R_32I:
        return of_integer;
    case CM_R_64F:
        return of_double;
    case CM_R_32F:
        return of_float;
    case CM_C_32F:
        return of_complex;
    case CM_C_64F:
        return of_double_complex;
    default:
        return of_nothing;
    }
}

inline mixed shape_of(cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,
                      cmDataType at, int lda, cmDataType bt, int ldb, cmDataType ct, int ldc) {
    return {ta, tb, m, n, k, at, bt, ct, lda, ldb, ldc};
}

} // namespace blas
} // namespace cm

#endif
