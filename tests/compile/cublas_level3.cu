// cuBLAS, matrices and matrices: trsm from both sides, syrk, symm, geam and complex gemm.
// hip: 6.4, hipblasCgemm of HIP 5.2 has a complex type of its own
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
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
static bool near(double a, double b) { return std::fabs(a - b) < 1e-8 * (1 + std::fabs(b)); }

static bool complex_product(cublasHandle_t h) {
    const int n = 4;
    std::vector<cuComplex> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = make_cuComplex(float(i % 5), float(i % 3) - 1);
        b[i] = make_cuComplex(float(i % 4) - 2, float(i % 7));
    }
    cuComplex *da = upload(a), *db = upload(b), *dc = upload(c);
    const cuComplex alpha = make_cuComplex(0, 1), beta = make_cuComplex(0, 0);
    bool good = cublasCgemm(h, CUBLAS_OP_C, CUBLAS_OP_N, n, n, n, &alpha, da, n, db, n, &beta, dc,
                            n) == CUBLAS_STATUS_SUCCESS;
    c = download(dc, n * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            std::complex<float> sum = 0;
            for (int k = 0; k < n; k++)
                sum += std::complex<float>(a[k + i * n].x, -a[k + i * n].y) *
                       std::complex<float>(b[k + j * n].x, b[k + j * n].y);
            sum *= std::complex<float>(0, 1);
            good = good && std::fabs(c[i + j * n].x - sum.real()) < 1e-3f &&
                   std::fabs(c[i + j * n].y - sum.imag()) < 1e-3f;
        }
    cudaFree(da), cudaFree(db), cudaFree(dc);
    return good;
}

int main() {
    const int m = 4, n = 3;
    std::vector<double> t(m * m), u(n * n), b(m * n), r(m * n), c(m * m);
    for (int i = 0; i < m * m; i++) t[i] = 1 + i % 5 + (i % (m + 1) ? 0 : 7);
    for (int i = 0; i < n * n; i++) u[i] = 2 + i % 3 + (i % (n + 1) ? 0 : 5);
    for (int i = 0; i < m * n; i++) b[i] = i * 7 % 10 - 4;
    double *dt = upload(t), *du = upload(u), *db = upload(b), *dc = upload(c);
    cublasHandle_t h;
    bool good = cublasCreate(&h) == CUBLAS_STATUS_SUCCESS;
    const double one = 1, two = 2, zero = 0, minus = -1;

    // T' X = 2 B with T upper triangular; then Y U = X with U lower triangular and a unit diagonal
    good = good && cublasDtrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T,
                               CUBLAS_DIAG_NON_UNIT, m, n, &two, dt, m, db,
                               m) == CUBLAS_STATUS_SUCCESS;
    const std::vector<double> x = download(db, m * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int k = 0; k <= i; k++) sum += t[k + i * m] * x[k + j * m];
            good = good && near(sum, 2 * b[i + j * m]);
        }
    good = good && cublasDtrsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                               CUBLAS_DIAG_UNIT, m, n, &one, du, n, db, m) == CUBLAS_STATUS_SUCCESS;
    const std::vector<double> y = download(db, m * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = y[i + j * m];
            for (int k = j + 1; k < n; k++) sum += y[i + k * m] * u[k + j * n];
            good = good && near(sum, x[i + j * m]);
        }
    // The lower triangle of C = Y Y'; the upper one stays 0
    good = good && cublasDsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, n, &one, db, m, &zero, dc,
                               m) == CUBLAS_STATUS_SUCCESS;
    c = download(dc, m * m);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += y[i + k * m] * y[j + k * m];
            good = good && near(c[i + j * m], i >= j ? sum : 0);
        }
    // R = C B' as C is symmetric, then R - Y by geam
    double *dr = upload(r);
    good = good && cublasDsymm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, m, n, &one, dc, m, db, m,
                               &zero, dr, m) == CUBLAS_STATUS_SUCCESS;
    good = good && cublasDgeam(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, &one, dr, m, &minus, db, m, dr,
                               m) == CUBLAS_STATUS_SUCCESS;
    r = download(dr, m * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += (i >= k ? c[i + k * m] : c[k + i * m]) * y[k + j * m];
            good = good && near(r[i + j * m], sum - y[i + j * m]);
        }
    good = good && complex_product(h);
    cublasDestroy(h);
    cudaFree(dt), cudaFree(du), cudaFree(db), cudaFree(dc), cudaFree(dr);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
