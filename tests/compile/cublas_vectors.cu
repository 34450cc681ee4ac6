// cuBLAS level 1: axpy, dot, nrm2, scal, asum and the index of the largest.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

static const char *statusName(cublasStatus_t status) {
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "not initialised";
    case CUBLAS_STATUS_ALLOC_FAILED: return "out of memory";
    case CUBLAS_STATUS_INVALID_VALUE: return "invalid value";
    default: return "failed";
    }
}
#define CHECK_CUBLAS(call)                                                                        \
    do {                                                                                          \
        cublasStatus_t s = (call);                                                                \
        if (s != CUBLAS_STATUS_SUCCESS) {                                                         \
            printf("FAIL: %s: %s\n", #call, statusName(s));                                       \
            return 1;                                                                             \
        }                                                                                         \
    } while (0)

int main() {
    const int n = 1000;
    std::vector<float> x(n), y(n), r(n);
    for (int i = 0; i < n; i++) x[i] = (i % 10) * 0.5f, y[i] = 1.0f;
    x[777] = -50.0f;
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cublasHandle_t handle;
    CHECK_CUBLAS(cublasCreate(&handle));
    CHECK_CUBLAS(cublasSetVector(n, sizeof(float), x.data(), 1, dx, 1));
    CHECK_CUBLAS(cublasSetVector(n, sizeof(float), y.data(), 1, dy, 1));
    CHECK_CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    const float alpha = 2.0f, half = 0.5f;
    float dot = 0, norm = 0, sum = 0;
    int largest = -1;
    CHECK_CUBLAS(cublasSaxpy(handle, n, &alpha, dx, 1, dy, 1));
    CHECK_CUBLAS(cublasSscal(handle, n, &half, dy, 1));
    CHECK_CUBLAS(cublasSdot(handle, n, dx, 1, dx, 1, &dot));
    CHECK_CUBLAS(cublasSnrm2(handle, n, dx, 1, &norm));
    CHECK_CUBLAS(cublasSasum(handle, n, dx, 1, &sum));
    CHECK_CUBLAS(cublasIsamax(handle, n, dx, 1, &largest));
    CHECK_CUBLAS(cublasGetVector(n, sizeof(float), dy, 1, r.data(), 1));
    CHECK_CUBLAS(cublasDestroy(handle));
    cudaFree(dx);
    cudaFree(dy);
    double square = 0, absolute = 0;
    bool good = largest == 778; // cuBLAS counts from one
    for (int i = 0; i < n; i++) {
        square += double(x[i]) * x[i];
        absolute += std::fabs(x[i]);
        good = good && r[i] == 0.5f * (2.0f * x[i] + y[i]);
    }
    good = good && std::fabs(dot - square) < 1e-3 * square &&
           std::fabs(norm - std::sqrt(square)) < 1e-2 && std::fabs(sum - absolute) < 1e-2;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
