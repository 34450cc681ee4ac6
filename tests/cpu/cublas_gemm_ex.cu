// cuBLAS for mixed types: halves multiplied into floats, and a strided batch of them.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    const int m = 5, n = 4, k = 6, count = 2;
    std::vector<__half> a(m * k * count), b(k * n * count);
    std::vector<float> c(m * n * count);
    for (int i = 0; i < m * k * count; i++) a[i] = __float2half(float(i % 9) - 4.0f);
    for (int i = 0; i < k * n * count; i++) b[i] = __float2half(float(i % 7) * 0.5f);
    __half *da, *db;
    float *dc;
    cudaMalloc((void **)&da, a.size() * sizeof(__half));
    cudaMalloc((void **)&db, b.size() * sizeof(__half));
    cudaMalloc((void **)&dc, c.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(__half), cudaMemcpyHostToDevice);
    cublasHandle_t h;
    const float alpha = 0.5f, beta = 0.0f;
    bool good = cublasCreate(&h) == CUBLAS_STATUS_SUCCESS;
    good = good && cublasGemmStridedBatchedEx(
                       h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, da, CUDA_R_16F, m, m * k, db,
                       CUDA_R_16F, k, k * n, &beta, dc, CUDA_R_32F, m, m * n, count,
                       CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
    cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int s = 0; s < count; s++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                float sum = 0;
                for (int l = 0; l < k; l++)
                    sum += __half2float(a[s * m * k + i + l * m]) *
                           __half2float(b[s * k * n + l + j * k]);
                good = good && std::fabs(c[s * m * n + i + j * m] - sum / 2) < 1e-4f;
            }
    good = good && cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, da, CUDA_R_16F, m, db,
                                CUDA_R_16F, k, &beta, dc, CUDA_R_32F, m, CUBLAS_COMPUTE_32F,
                                CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
    std::vector<float> again(m * n);
    cudaMemcpy(again.data(), dc, m * n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < m * n; i++) good = good && again[i] == c[i];
    cublasDestroy(h);
    cudaFree(da), cudaFree(db), cudaFree(dc);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
