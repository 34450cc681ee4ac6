// cuBLAS, matrices and vectors: gemv, ger, symv, trsv and rotations against plain loops.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

template <typename T> static T *upload(const std::vector<T> &v) {
    T *d;
    cudaMalloc((void **)&d, v.size() * sizeof(T));
    cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}
template <typename T> static std::vector<T> download(const T *d, size_t n) {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
}
static bool near(double a, double b) { return std::fabs(a - b) < 1e-9 * (1 + std::fabs(b)); }

int main() {
    const int m = 7, n = 5;
    std::vector<double> a(m * n), x(m), y(n), s(n * n);
    for (int i = 0; i < m * n; i++) a[i] = (i * 13 % 17) - 8;
    for (int i = 0; i < m; i++) x[i] = i - 2.5;
    for (int i = 0; i < n; i++) y[i] = 1 + i;
    for (int i = 0; i < n * n; i++) s[i] = 1 + i % 4 + (i % (n + 1) ? 0 : 9);
    double *da = upload(a), *dx = upload(x), *dy = upload(y), *ds = upload(s);
    cublasHandle_t h;
    bool good = cublasCreate(&h) == CUBLAS_STATUS_SUCCESS;
    const double two = 2, half = 0.5, one = 1, zero = 0;

    // y = 2 A' x + y / 2
    good = good && cublasDgemv(h, CUBLAS_OP_T, m, n, &two, da, m, dx, 1, &half, dy, 1) ==
                       CUBLAS_STATUS_SUCCESS;
    const std::vector<double> z = download(dy, n);
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < m; i++) sum += a[i + j * m] * x[i];
        good = good && near(z[j], 2 * sum + y[j] / 2);
    }
    // A += x z'
    good = good &&
           cublasDger(h, m, n, &one, dx, 1, dy, 1, da, m) == CUBLAS_STATUS_SUCCESS;
    const std::vector<double> b = download(da, m * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) good = good && near(b[i + j * m], a[i + j * m] + x[i] * z[j]);
    // w = S y, from S's lower triangle; then S's lower triangle is solved for w
    double *dw = upload(std::vector<double>(n));
    cudaMemcpy(dy, y.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    good = good && cublasDsymv(h, CUBLAS_FILL_MODE_LOWER, n, &one, ds, n, dy, 1, &zero, dw, 1) ==
                       CUBLAS_STATUS_SUCCESS;
    const std::vector<double> w = download(dw, n);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += (i >= j ? s[i + j * n] : s[j + i * n]) * y[j];
        good = good && near(w[i], sum);
    }
    good = good && cublasDtrsv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, ds,
                               n, dw, 1) == CUBLAS_STATUS_SUCCESS;
    const std::vector<double> v = download(dw, n);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j <= i; j++) sum += s[i + j * n] * v[j];
        good = good && near(sum, w[i]);
    }
    // A rotation by 60 degrees keeps the length.
    const double c = 0.5, sine = std::sqrt(0.75);
    double before = 0, after = 0, other = 0;
    cublasDnrm2(h, n, dy, 1, &before);
    good = good && cublasDrot(h, n, dy, 1, dw, 1, &c, &sine) == CUBLAS_STATUS_SUCCESS;
    cublasDnrm2(h, n, dy, 1, &after);
    cublasDnrm2(h, n, dw, 1, &other);
    double length = 0;
    for (int i = 0; i < n; i++) length += v[i] * v[i];
    good = good && near(after * after + other * other, before * before + length);
    cublasDestroy(h);
    cudaFree(da), cudaFree(dx), cudaFree(dy), cudaFree(ds), cudaFree(dw);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
