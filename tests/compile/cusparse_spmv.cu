// A sparse matrix in CSR times a vector, with cuSPARSE's generic interface.
#include <cuda_runtime.h>
#include <cusparse.h>
#include <cstdio>

#define CHECK_CUDA(func)                                                                          \
    {                                                                                             \
        cudaError_t status = (func);                                                              \
        if (status != cudaSuccess) {                                                              \
            printf("CUDA failed at line %d: %s\n", __LINE__, cudaGetErrorString(status));         \
            return 1;                                                                             \
        }                                                                                         \
    }
#define CHECK_CUSPARSE(func)                                                                      \
    {                                                                                             \
        cusparseStatus_t status = (func);                                                         \
        if (status != CUSPARSE_STATUS_SUCCESS) {                                                  \
            printf("cuSPARSE failed at line %d: %d\n", __LINE__, (int)status);                    \
            return 1;                                                                             \
        }                                                                                         \
    }

int main(void) {
    const int rows = 4, cols = 4, nnz = 9;
    int offsets[] = {0, 3, 4, 7, 9};
    int columns[] = {0, 2, 3, 1, 0, 2, 3, 1, 3};
    float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    float x[] = {1, 2, 3, 4}, y[] = {1, 1, 1, 1};
    float expected[] = {19.0f + 2, 8.0f + 2, 51.0f + 2, 52.0f + 2};
    float alpha = 1.0f, beta = 2.0f;
    int *d_offsets, *d_columns;
    float *d_values, *d_x, *d_y;
    CHECK_CUDA(cudaMalloc((void **)&d_offsets, sizeof offsets))
    CHECK_CUDA(cudaMalloc((void **)&d_columns, sizeof columns))
    CHECK_CUDA(cudaMalloc((void **)&d_values, sizeof values))
    CHECK_CUDA(cudaMalloc((void **)&d_x, sizeof x))
    CHECK_CUDA(cudaMalloc((void **)&d_y, sizeof y))
    CHECK_CUDA(cudaMemcpy(d_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice))
    CHECK_CUDA(cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice))

    cusparseHandle_t handle = NULL;
    cusparseSpMatDescr_t matA;
    cusparseDnVecDescr_t vecX, vecY;
    void *buffer = NULL;
    size_t size = 0;
    CHECK_CUSPARSE(cusparseCreate(&handle))
    CHECK_CUSPARSE(cusparseCreateCsr(&matA, rows, cols, nnz, d_offsets, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseCreateDnVec(&vecX, cols, d_x, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseCreateDnVec(&vecY, rows, d_y, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matA,
                                           vecX, &beta, vecY, CUDA_R_32F,
                                           CUSPARSE_SPMV_ALG_DEFAULT, &size))
    CHECK_CUDA(cudaMalloc(&buffer, size))
    CHECK_CUSPARSE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matA, vecX, &beta,
                                vecY, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer))
    CHECK_CUSPARSE(cusparseDestroySpMat(matA))
    CHECK_CUSPARSE(cusparseDestroyDnVec(vecX))
    CHECK_CUSPARSE(cusparseDestroyDnVec(vecY))
    CHECK_CUSPARSE(cusparseDestroy(handle))
    CHECK_CUDA(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost))
    int good = 1;
    for (int i = 0; i < rows; i++) good = good && y[i] == expected[i];
    cudaFree(buffer), cudaFree(d_offsets), cudaFree(d_columns), cudaFree(d_values);
    cudaFree(d_x), cudaFree(d_y);
    printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
