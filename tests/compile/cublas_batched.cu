// cuBLAS in batches: products through arrays of pointers, LU and the solutions of small systems.
// sycl, onemkl: factorisations are kernels
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    const int n = 4, count = 3;
    std::vector<float> a(n * n * count), b(n * count), x(n * count), c(n * n * count);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n * n; i++)
            a[k * n * n + i] = float((i * (k + 3)) % 7) + (i % (n + 1) ? 0.0f : 6.0f);
    for (int i = 0; i < n * count; i++) b[i] = float(i % 5) - 1.5f;
    float *da, *db, *dc;
    cudaMalloc((void **)&da, a.size() * sizeof(float));
    cudaMalloc((void **)&db, b.size() * sizeof(float));
    cudaMalloc((void **)&dc, c.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
    std::vector<float *> pa(count), pb(count), pc(count);
    for (int k = 0; k < count; k++)
        pa[k] = da + k * n * n, pb[k] = db + k * n, pc[k] = dc + k * n * n;
    float **ha, **hb, **hc;
    int *pivots, *info;
    cudaMalloc((void **)&ha, count * sizeof(float *));
    cudaMalloc((void **)&hb, count * sizeof(float *));
    cudaMalloc((void **)&hc, count * sizeof(float *));
    cudaMalloc((void **)&pivots, n * count * sizeof(int));
    cudaMalloc((void **)&info, count * sizeof(int));
    cudaMemcpy(ha, pa.data(), count * sizeof(float *), cudaMemcpyHostToDevice);
    cudaMemcpy(hb, pb.data(), count * sizeof(float *), cudaMemcpyHostToDevice);
    cudaMemcpy(hc, pc.data(), count * sizeof(float *), cudaMemcpyHostToDevice);

    cublasHandle_t h;
    const float one = 1, zero = 0;
    bool good = cublasCreate(&h) == CUBLAS_STATUS_SUCCESS;
    good = good && cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, ha, n, ha, n,
                                      &zero, hc, n, count) == CUBLAS_STATUS_SUCCESS;
    good = good &&
           cublasSgetrfBatched(h, n, ha, n, pivots, info, count) == CUBLAS_STATUS_SUCCESS;
    int problem = 0;
    good = good && cublasSgetrsBatched(h, CUBLAS_OP_N, n, 1, ha, n, pivots, hb, n, &problem,
                                       count) == CUBLAS_STATUS_SUCCESS;
    std::vector<int> infos(count);
    cudaMemcpy(infos.data(), info, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(x.data(), db, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int k = 0; k < count; k++) {
        const float *m = &a[k * n * n];
        good = good && infos[k] == 0;
        for (int i = 0; i < n; i++) {
            float sum = 0;
            for (int j = 0; j < n; j++) sum += m[i + j * n] * x[k * n + j];
            good = good && std::fabs(sum - b[k * n + i]) < 1e-3f;
            for (int j = 0; j < n; j++) {
                float product = 0;
                for (int l = 0; l < n; l++) product += m[i + l * n] * m[j + l * n];
                good = good && std::fabs(product - c[k * n * n + i + j * n]) < 1e-2f;
            }
        }
    }
    cublasDestroy(h);
    cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(ha), cudaFree(hb), cudaFree(hc);
    cudaFree(pivots), cudaFree(info);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
