// cuSOLVER's dense factorisations: Cholesky, QR, and the eigenvalues of a symmetric matrix.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <cmath>
#include <cstdio>
#include <vector>

static const int n = 4;
static std::vector<double> matrix() { // symmetric and positive definite
    std::vector<double> a(n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i + j * n] = 1.0 / (1 + i + j) + (i == j ? 2.0 : 0.0);
    return a;
}
static double *room(size_t count) {
    double *d;
    cudaMalloc((void **)&d, (count ? count : 1) * sizeof(double));
    return d;
}

int main() {
    const std::vector<double> a = matrix(), b = {1, -2, 3, 0.5};
    std::vector<double> x(n), w(n), v(n * n), r(n * n), tau(n);
    const size_t all = n * n * sizeof(double);
    double *da = room(n * n), *db = room(n), *dw = room(n), *dtau = room(n);
    int *info, size = 0, problem = -1;
    cudaMalloc((void **)&info, sizeof(int));
    cusolverDnHandle_t h;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    bool good = cusolverDnCreate(&h) == CUSOLVER_STATUS_SUCCESS;

    cudaMemcpy(da, a.data(), all, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    good = good && cusolverDnDpotrf_bufferSize(h, lower, n, da, n, &size) == CUSOLVER_STATUS_SUCCESS;
    double *work = room(size);
    good = good && cusolverDnDpotrf(h, lower, n, da, n, work, size, info) == CUSOLVER_STATUS_SUCCESS;
    cudaMemcpy(&problem, info, sizeof(int), cudaMemcpyDeviceToHost);
    good = good && problem == 0;
    good = good && cusolverDnDpotrs(h, lower, n, 1, da, n, db, n, info) == CUSOLVER_STATUS_SUCCESS;
    cudaMemcpy(x.data(), db, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += a[i + j * n] * x[j];
        good = good && std::fabs(sum - b[i]) < 1e-12;
    }
    cudaFree(work);

    // A v = w v for each pair, and the eigenvalues ascend.
    cudaMemcpy(da, a.data(), all, cudaMemcpyHostToDevice);
    good = good && cusolverDnDsyevd_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, lower, n, da, n, dw,
                                               &size) == CUSOLVER_STATUS_SUCCESS;
    work = room(size);
    good = good && cusolverDnDsyevd(h, CUSOLVER_EIG_MODE_VECTOR, lower, n, da, n, dw, work, size,
                                    info) == CUSOLVER_STATUS_SUCCESS;
    cudaMemcpy(w.data(), dw, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy(v.data(), da, all, cudaMemcpyDeviceToHost);
    for (int k = 0; k < n; k++) {
        good = good && (k == 0 || w[k - 1] <= w[k]);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += a[i + j * n] * v[j + k * n];
            good = good && std::fabs(sum - w[k] * v[i + k * n]) < 1e-12;
        }
    }
    cudaFree(work);

    // R'R = A'A, as Q keeps lengths.
    cudaMemcpy(da, a.data(), all, cudaMemcpyHostToDevice);
    good = good && cusolverDnDgeqrf_bufferSize(h, n, n, da, n, &size) == CUSOLVER_STATUS_SUCCESS;
    work = room(size);
    good = good &&
           cusolverDnDgeqrf(h, n, n, da, n, dtau, work, size, info) == CUSOLVER_STATUS_SUCCESS;
    cudaMemcpy(r.data(), da, all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double left = 0, right = 0;
            for (int k = 0; k < n; k++) right += a[k + i * n] * a[k + j * n];
            for (int k = 0; k <= i && k <= j; k++) left += r[k + i * n] * r[k + j * n];
            good = good && std::fabs(left - right) < 1e-11;
        }
    cusolverDnDestroy(h);
    cudaFree(work), cudaFree(da), cudaFree(db), cudaFree(dw), cudaFree(dtau), cudaFree(info);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
