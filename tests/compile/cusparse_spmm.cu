// cuSPARSE: a sparse matrix times a dense one, and a transposed matrix of coordinates times a vector.
// hip: 6.4, the headers of 5.2 have another name for the order of columns
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <vector>

template <typename T> static T *upload(const std::vector<T> &v) {
    T *d;
    cudaMalloc((void **)&d, v.size() * sizeof(T));
    cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

int main() {
    const int rows = 6, cols = 5, wide = 3;
    std::vector<double> dense(rows * cols), values, b(cols * wide), c(rows * wide, 1.0), x(rows),
        y(cols);
    std::vector<int> offsets = {0}, columns, row_of;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            if ((i * 3 + j * 5) % 4) continue;
            dense[i * cols + j] = i - 2.0 * j + 0.5;
            values.push_back(dense[i * cols + j]);
            columns.push_back(j), row_of.push_back(i);
        }
        offsets.push_back(int(columns.size()));
    }
    for (int i = 0; i < cols * wide; i++) b[i] = i % 6 - 1.5;
    for (int i = 0; i < rows; i++) x[i] = 1.0 + i;
    double *dv = upload(values), *db = upload(b), *dc = upload(c), *dx = upload(x), *dy = upload(y);
    int *off = upload(offsets), *col = upload(columns), *row = upload(row_of);

    cusparseHandle_t h;
    cusparseSpMatDescr_t a, coo;
    cusparseDnMatDescr_t mb, mc;
    cusparseDnVecDescr_t vx, vy;
    const double alpha = 2.0, beta = -1.0, zero = 0.0;
    const int nnz = int(values.size());
    size_t size = 0;
    void *buffer = NULL;
    bool good = cusparseCreate(&h) == CUSPARSE_STATUS_SUCCESS;
    good = good && cusparseCreateCsr(&a, rows, cols, nnz, off, col, dv, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                     CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS;
    good = good && cusparseCreateCoo(&coo, rows, cols, nnz, row, col, dv, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO,
                                     CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS;
    cusparseCreateDnMat(&mb, cols, wide, cols, db, CUDA_R_64F, CUSPARSE_ORDER_COL);
    cusparseCreateDnMat(&mc, rows, wide, rows, dc, CUDA_R_64F, CUSPARSE_ORDER_COL);
    cusparseCreateDnVec(&vx, rows, dx, CUDA_R_64F);
    cusparseCreateDnVec(&vy, cols, dy, CUDA_R_64F);
    const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE, t = CUSPARSE_OPERATION_TRANSPOSE;
    cusparseSpMM_bufferSize(h, n, n, &alpha, a, mb, &beta, mc, CUDA_R_64F,
                            CUSPARSE_SPMM_ALG_DEFAULT, &size);
    cudaMalloc(&buffer, size + 1);
    good = good && cusparseSpMM(h, n, n, &alpha, a, mb, &beta, mc, CUDA_R_64F,
                                CUSPARSE_SPMM_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_SUCCESS;
    cudaFree(buffer);
    cusparseSpMV_bufferSize(h, t, &alpha, coo, vx, &zero, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                            &size);
    cudaMalloc(&buffer, size + 1);
    good = good && cusparseSpMV(h, t, &alpha, coo, vx, &zero, vy, CUDA_R_64F,
                                CUSPARSE_SPMV_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_SUCCESS;
    cudaMemcpy(c.data(), dc, c.size() * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data(), dy, y.size() * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < wide; k++) {
            double sum = 0;
            for (int j = 0; j < cols; j++) sum += dense[i * cols + j] * b[j + k * cols];
            good = good && std::fabs(c[i + k * rows] - (2 * sum - 1)) < 1e-12;
        }
    for (int j = 0; j < cols; j++) {
        double sum = 0;
        for (int i = 0; i < rows; i++) sum += dense[i * cols + j] * x[i];
        good = good && std::fabs(y[j] - 2 * sum) < 1e-12;
    }
    cusparseDestroySpMat(a), cusparseDestroySpMat(coo), cusparseDestroyDnMat(mb);
    cusparseDestroyDnMat(mc), cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy);
    cusparseDestroy(h);
    cudaFree(buffer), cudaFree(dv), cudaFree(db), cudaFree(dc), cudaFree(dx), cudaFree(dy);
    cudaFree(off), cudaFree(col), cudaFree(row);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
