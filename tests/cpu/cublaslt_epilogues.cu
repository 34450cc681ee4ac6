// cuBLASLt: batches of products with either matrix transposed, in float and half, with bias, ReLU
// and GELU, whose input is kept beside it.
// sycl, onemkl: products are kernels
#include <cmath>
#include <cstdio>
#include <cublasLt.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

static int failures;
static void ok(cublasStatus_t status, int line) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    printf("line %d: status %d\n", line, int(status));
    failures++;
}
#define OK(call) ok(call, __LINE__)

static float wide(float v) { return v; }
static float wide(__half v) { return __half2float(v); }
static void narrow(float v, float *to) { *to = v; }
static void narrow(float v, __half *to) { *to = __float2half(v); }

// C is m x n of k products, the second of a batch of two lies behind the first.
template <class T> static void multiply(cudaDataType type, int how, cublasLtEpilogue_t epilogue) {
    const int m = 5, n = 4, k = 3, ld = 7, batch = 2, room = 7 * 5;
    const bool ta = how & 1, tb = how & 2;
    std::vector<T> a(room * batch), b(room * batch), c(room * batch), bias(m), aux(room * batch);
    for (int i = 0; i < room * batch; i++) {
        narrow(float(i * 7 % 11) / 4 - 1, &a[i]);
        narrow(float(i * 5 % 13) / 4 - 1, &b[i]);
        narrow(float(i % 3), &c[i]);
    }
    for (int i = 0; i < m; i++) narrow(float(i) - 2, &bias[i]);
    T *da, *db, *dc, *dd, *dbias, *daux;
    const size_t bytes = a.size() * sizeof(T);
    cudaMalloc(&da, bytes), cudaMalloc(&db, bytes), cudaMalloc(&dc, bytes), cudaMalloc(&dd, bytes);
    cudaMalloc(&dbias, m * sizeof(T)), cudaMalloc(&daux, bytes);
    cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dbias, bias.data(), m * sizeof(T), cudaMemcpyHostToDevice);

    cublasLtHandle_t h;
    cublasLtMatmulDesc_t d;
    cublasLtMatrixLayout_t la, lb, lc;
    OK(cublasLtCreate(&h));
    OK(cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    const cublasOperation_t oa = ta ? CUBLAS_OP_T : CUBLAS_OP_N, ob = tb ? CUBLAS_OP_T : CUBLAS_OP_N;
    OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &oa, sizeof oa));
    OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSB, &ob, sizeof ob));
    OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                      sizeof epilogue));
    OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &dbias, sizeof dbias));
    const bool keeps = epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
    const int64_t aux_ld = ld;
    if (keeps) {
        OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &daux,
                                          sizeof daux));
        OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_ld,
                                          sizeof aux_ld));
    }
    OK(cublasLtMatrixLayoutCreate(&la, type, ta ? k : m, ta ? m : k, ld));
    OK(cublasLtMatrixLayoutCreate(&lb, type, tb ? n : k, tb ? k : n, ld));
    OK(cublasLtMatrixLayoutCreate(&lc, type, m, n, ld));
    const int count = keeps ? 1 : batch;
    const int64_t offset = room;
    for (cublasLtMatrixLayout_t l : {la, lb, lc}) {
        OK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                            sizeof count));
        OK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                            &offset, sizeof offset));
    }
    const float alpha = 2, beta = how ? 0.5f : 0.0f;
    OK(cublasLtMatmul(h, d, &alpha, da, la, db, lb, &beta, dc, lc, dd, lc, nullptr, nullptr, 0, 0));
    cudaDeviceSynchronize();
    std::vector<T> got(a.size());
    cudaMemcpy(got.data(), dd, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(aux.data(), daux, bytes, cudaMemcpyDeviceToHost);
    for (int z = 0; z < count; z++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;
                const int base = z * room, at = base + i + j * ld;
                for (int l = 0; l < k; l++)
                    sum += wide(a[base + (ta ? l + i * ld : i + l * ld)]) *
                           wide(b[base + (tb ? j + l * ld : l + j * ld)]);
                float want = alpha * sum + beta * wide(c[at]);
                if (epilogue != CUBLASLT_EPILOGUE_DEFAULT) want += wide(bias[i]);
                if (keeps && std::fabs(wide(aux[at]) - want) > 0.02f) failures++, printf("aux\n");
                if (epilogue == CUBLASLT_EPILOGUE_RELU_BIAS) want = want > 0 ? want : 0;
                if (keeps)
                    want = 0.5f * want *
                           (1 + std::tanh(0.7978845608f * (want + 0.044715f * want * want * want)));
                if (std::fabs(wide(got[at]) - want) > 0.02f) {
                    printf("%d %d %d: %g is not %g\n", how, i, j, wide(got[at]), want);
                    failures++;
                }
            }
    cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb);
    cublasLtMatrixLayoutDestroy(lc), cublasLtMatmulDescDestroy(d), cublasLtDestroy(h);
    cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dd), cudaFree(dbias), cudaFree(daux);
}

int main() {
    for (int how = 0; how < 4; how++)
        for (cublasLtEpilogue_t e : {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_BIAS,
                                     CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS}) {
            multiply<float>(CUDA_R_32F, how, e);
            multiply<__half>(CUDA_R_16F, how, e);
        }
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
