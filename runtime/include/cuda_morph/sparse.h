/* SPDX-License-Identifier: Apache-2.0 */
// cuSPARSE: the generic interface over loops of our own, which are kernels in SYCL. Matrices in
// CSR, CSC and COO, dense vectors and matrices, SpMV, SpMM, SpSV, SpSM, SpGEMM, SDDMM, SpVV,
// gather, scatter, axpby, conversions between dense and sparse, and of the older interface matrix
// descriptors, csr2coo, coo2csr, csr2csc, sorting, counts and incomplete LU. cusparseSpMV() is
// cmSparseSpMV(), with the same arguments. Values are float, double and their complex numbers;
// half and bfloat16 where the computation is in float. Not here: blocked formats, tridiagonal
// systems, reuse of a product's structure.
#ifndef CUDA_MORPH_SPARSE_H
#define CUDA_MORPH_SPARSE_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/complex.h>
#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/cpu/numbers.hpp>
#include <new>

#define CUSPARSE_H_
#define CUSPARSEAPI
#define CUSPARSE_V2_H_
#define CM_SPARSE_VERSION 12300

typedef enum cmSparseStatus_t {
    CM_SPARSE_STATUS_SUCCESS = 0,
    CM_SPARSE_STATUS_NOT_INITIALIZED = 1,
    CM_SPARSE_STATUS_ALLOC_FAILED = 2,
    CM_SPARSE_STATUS_INVALID_VALUE = 3,
    CM_SPARSE_STATUS_ARCH_MISMATCH = 4,
    CM_SPARSE_STATUS_MAPPING_ERROR = 5,
    CM_SPARSE_STATUS_EXECUTION_FAILED = 6,
    CM_SPARSE_STATUS_INTERNAL_ERROR = 7,
    CM_SPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CM_SPARSE_STATUS_ZERO_PIVOT = 9,
    CM_SPARSE_STATUS_NOT_SUPPORTED = 10,
    CM_SPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cmSparseStatus_t;
typedef enum cmSparseOperation_t {
    CM_SPARSE_OPERATION_NON_TRANSPOSE = 0,
    CM_SPARSE_OPERATION_TRANSPOSE = 1,
    CM_SPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cmSparseOperation_t;
typedef enum cmSparseIndexType_t {
    CM_SPARSE_INDEX_16U = 1,
    CM_SPARSE_INDEX_32I = 2,
    CM_SPARSE_INDEX_64I = 3
} cmSparseIndexType_t;
typedef enum cmSparseIndexBase_t {
    CM_SPARSE_INDEX_BASE_ZERO = 0,
    CM_SPARSE_INDEX_BASE_ONE = 1
} cmSparseIndexBase_t;
typedef enum cmSparsePointerMode_t {
    CM_SPARSE_POINTER_MODE_HOST = 0,
    CM_SPARSE_POINTER_MODE_DEVICE = 1
} cmSparsePointerMode_t;
typedef enum cmSparseFormat_t {
    CM_SPARSE_FORMAT_CSR = 1,
    CM_SPARSE_FORMAT_CSC = 2,
    CM_SPARSE_FORMAT_COO = 3
} cmSparseFormat_t;
typedef enum cmSparseOrder_t { CM_SPARSE_ORDER_COL = 1, CM_SPARSE_ORDER_ROW = 2 } cmSparseOrder_t;
typedef enum cmSparseFillMode_t {
    CM_SPARSE_FILL_MODE_LOWER = 0,
    CM_SPARSE_FILL_MODE_UPPER = 1
} cmSparseFillMode_t;
typedef enum cmSparseDiagType_t {
    CM_SPARSE_DIAG_TYPE_NON_UNIT = 0,
    CM_SPARSE_DIAG_TYPE_UNIT = 1
} cmSparseDiagType_t;
typedef enum cmSparseMatrixType_t {
    CM_SPARSE_MATRIX_TYPE_GENERAL = 0,
    CM_SPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CM_SPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CM_SPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cmSparseMatrixType_t;
typedef enum cmSparseAction_t {
    CM_SPARSE_ACTION_SYMBOLIC = 0,
    CM_SPARSE_ACTION_NUMERIC = 1
} cmSparseAction_t;
typedef enum cmSparseSolvePolicy_t {
    CM_SPARSE_SOLVE_POLICY_NO_LEVEL = 0,
    CM_SPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cmSparseSolvePolicy_t;
typedef enum cmSparseSpMVAlg_t {
    CM_SPARSE_SPMV_ALG_DEFAULT = 0,
    CM_SPARSE_SPMV_COO_ALG1 = 1,
    CM_SPARSE_SPMV_CSR_ALG1 = 2,
    CM_SPARSE_SPMV_CSR_ALG2 = 3,
    CM_SPARSE_SPMV_COO_ALG2 = 4,
    CM_SPARSE_MV_ALG_DEFAULT = 0,
    CM_SPARSE_CSRMV_ALG1 = 2
} cmSparseSpMVAlg_t;
typedef enum cmSparseSpMMAlg_t {
    CM_SPARSE_SPMM_ALG_DEFAULT = 0,
    CM_SPARSE_SPMM_COO_ALG1 = 1,
    CM_SPARSE_SPMM_COO_ALG2 = 2,
    CM_SPARSE_SPMM_COO_ALG3 = 3,
    CM_SPARSE_SPMM_CSR_ALG1 = 4,
    CM_SPARSE_SPMM_COO_ALG4 = 5,
    CM_SPARSE_SPMM_CSR_ALG2 = 6,
    CM_SPARSE_SPMM_CSR_ALG3 = 12,
    CM_SPARSE_MM_ALG_DEFAULT = 0, /* as CUDA 10 calls them */
    CM_SPARSE_COOMM_ALG1 = 1,
    CM_SPARSE_COOMM_ALG2 = 2,
    CM_SPARSE_COOMM_ALG3 = 3,
    CM_SPARSE_CSRMM_ALG1 = 4
} cmSparseSpMMAlg_t;
typedef enum cmSparseSpSVAlg_t { CM_SPARSE_SPSV_ALG_DEFAULT = 0 } cmSparseSpSVAlg_t;
typedef enum cmSparseSpSMAlg_t { CM_SPARSE_SPSM_ALG_DEFAULT = 0 } cmSparseSpSMAlg_t;
typedef enum cmSparseSpGEMMAlg_t {
    CM_SPARSE_SPGEMM_DEFAULT = 0,
    CM_SPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    CM_SPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    CM_SPARSE_SPGEMM_ALG1 = 3,
    CM_SPARSE_SPGEMM_ALG2 = 4,
    CM_SPARSE_SPGEMM_ALG3 = 5
} cmSparseSpGEMMAlg_t;
typedef enum cmSparseSDDMMAlg_t { CM_SPARSE_SDDMM_ALG_DEFAULT = 0 } cmSparseSDDMMAlg_t;
typedef enum cmSparseDirection_t {
    CM_SPARSE_DIRECTION_ROW = 0,
    CM_SPARSE_DIRECTION_COLUMN = 1
} cmSparseDirection_t;
typedef enum cmSparseSparseToDenseAlg_t {
    CM_SPARSE_SPARSETODENSE_ALG_DEFAULT = 0
} cmSparseSparseToDenseAlg_t;
typedef enum cmSparseDenseToSparseAlg_t {
    CM_SPARSE_DENSETOSPARSE_ALG_DEFAULT = 0
} cmSparseDenseToSparseAlg_t;
typedef enum cmSparseCsr2CscAlg_t {
    CM_SPARSE_CSR2CSC_ALG_DEFAULT = 1,
    CM_SPARSE_CSR2CSC_ALG1 = 1
} cmSparseCsr2CscAlg_t;
typedef enum cmSparseSpMatAttribute_t {
    CM_SPARSE_SPMAT_FILL_MODE = 0,
    CM_SPARSE_SPMAT_DIAG_TYPE = 1
} cmSparseSpMatAttribute_t;

struct cmSparseContext {
    cmStream_t stream;
    cmSparsePointerMode_t mode;
};
using cmSparseHandle_t = cmSparseContext *;
struct cmSparseSpMatDescr {
    cmSparseFormat_t format;
    int64_t rows, cols, nnz;
    void *offsets, *columns, *values; // COO: offsets are the rows; CSC: columns are the rows
    cmSparseIndexType_t offset_type, index_type;
    cmSparseIndexBase_t base;
    cmDataType type;
    cmSparseFillMode_t fill = CM_SPARSE_FILL_MODE_LOWER;
    cmSparseDiagType_t diagonal = CM_SPARSE_DIAG_TYPE_NON_UNIT;
    int batch = 1;
    int64_t offset_stride = 0, stride = 0; // from a matrix of the batch to the next
};
struct cmSparseDnVecDescr {
    int64_t size;
    void *values;
    cmDataType type;
};
struct cmSparseDnMatDescr {
    int64_t rows, cols, ld;
    void *values;
    cmDataType type;
    cmSparseOrder_t order;
    int batch = 1;
    int64_t stride = 0;
};
struct cmSparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cmSparseIndexType_t index_type;
    cmSparseIndexBase_t base;
    cmDataType type;
};
struct cmSparseMatDescr {
    cmSparseMatrixType_t type;
    cmSparseIndexBase_t base;
    cmSparseFillMode_t fill;
    cmSparseDiagType_t diagonal;
};
struct cmSparseSpSVDescr {};
struct cmSparseSpSMDescr {};
// The product of two sparse matrices between its computation and its copy. Row i's entries begin
// at starts[i], where there is room for all products, and go to offsets[i] of the result.
struct cmSparseSpGEMMDescr {
    int64_t rows = 0, nnz = 0;
    int64_t *starts = nullptr, *offsets = nullptr, *columns = nullptr;
    void *values = nullptr;
};
struct cmSparseCsrilu02Info {
    int zero; // the first pivot that is 0, from the matrix's base on; -1: none
};
using cmSparseSpMatDescr_t = cmSparseSpMatDescr *;
using cmSparseDnVecDescr_t = cmSparseDnVecDescr *;
using cmSparseDnMatDescr_t = cmSparseDnMatDescr *;
using cmSparseSpVecDescr_t = cmSparseSpVecDescr *;
using cmSparseConstSpMatDescr_t = const cmSparseSpMatDescr *;
using cmSparseConstDnVecDescr_t = const cmSparseDnVecDescr *;
using cmSparseConstDnMatDescr_t = const cmSparseDnMatDescr *;
using cmSparseConstSpVecDescr_t = const cmSparseSpVecDescr *;
using cmSparseMatDescr_t = cmSparseMatDescr *;
using cmSparseSpSVDescr_t = cmSparseSpSVDescr *;
using cmSparseSpSMDescr_t = cmSparseSpSMDescr *;
using cmSparseSpGEMMDescr_t = cmSparseSpGEMMDescr *;
using csrilu02Info_t = cmSparseCsrilu02Info *;

namespace cm {
namespace sparse {

// body(i) for i in [0, n), in the handle's stream: a loop, or a kernel in SYCL.
template <class Body> inline cmSparseStatus_t each(cmSparseHandle_t h, int64_t n, Body body) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    return n > 0 && cm::library::each(h->stream, n, body) ? CM_SPARSE_STATUS_EXECUTION_FAILED
                                                          : CM_SPARSE_STATUS_SUCCESS;
}
inline cmSparseStatus_t wait_for(cmSparseHandle_t h) {
    if (!h) return CM_SPARSE_STATUS_NOT_INITIALIZED;
    return cmStreamSynchronize(h->stream) ? CM_SPARSE_STATUS_EXECUTION_FAILED
                                          : CM_SPARSE_STATUS_SUCCESS;
}
template <class K> struct scalar : cm::library::scalar<K> {
    scalar(cmSparseHandle_t h, const void *p)
        : cm::library::scalar<K>(h && h->mode == CM_SPARSE_POINTER_MODE_DEVICE,
                                 static_cast<const K *>(p)) {}
};

} // namespace sparse
} // namespace cm

#include <cuda_morph/cpu/sparse_entries.hpp>
#include <cuda_morph/cpu/sparse_matrices.hpp>

#include <cuda_morph/cpu/sparse_products.hpp>

#include <cuda_morph/cpu/sparse_gemm.hpp>

#include <cuda_morph/cpu/sparse_conversions.hpp>

} // extern "C++"

#endif
