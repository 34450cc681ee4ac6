// SPDX-License-Identifier: Apache-2.0
// cuBLAS's batches of QR, least squares and inverses, multiplied out; and vectors of mixed types.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

static int failures = 0;
static void check(bool good, const char *what) {
    if (good) return;
    printf("FAIL: %s\n", what);
    failures++;
}
using complex = std::complex<double>;
static unsigned state = 7;
static double number() {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0 * 2 - 1;
}
static void fill(double *v) { *v = number(); }
static void fill(complex *v) {
    const double re = number(), im = number();
    *v = complex(re, im);
}
static double other(double v) { return v; }
static complex other(complex v) { return std::conj(v); }

static cublasStatus_t geqrf(cublasHandle_t h, int m, int n, double **a, double **tau, int *info) {
    return cublasDgeqrfBatched(h, m, n, a, m, tau, info, 2);
}
static cublasStatus_t geqrf(cublasHandle_t h, int m, int n, complex **a, complex **tau, int *info) {
    return cublasZgeqrfBatched(h, m, n, (cuDoubleComplex **)a, m, (cuDoubleComplex **)tau, info,
                               2);
}
static cublasStatus_t gels(cublasHandle_t h, cublasOperation_t op, int m, int n, double **a,
                           double **c, int *info, int *infos) {
    return cublasDgelsBatched(h, op, m, n, 1, a, m, c, m, info, infos, 2);
}
static cublasStatus_t gels(cublasHandle_t h, cublasOperation_t op, int m, int n, complex **a,
                           complex **c, int *info, int *infos) {
    return cublasZgelsBatched(h, op, m, n, 1, (cuDoubleComplex **)a, m, (cuDoubleComplex **)c, m,
                              info, infos, 2);
}
static cublasStatus_t invert(cublasHandle_t h, int n, double **a, double **c, int *infos) {
    return cublasDmatinvBatched(h, n, a, n, c, n, infos, 2);
}
static cublasStatus_t invert(cublasHandle_t h, int n, complex **a, complex **c, int *infos) {
    return cublasZmatinvBatched(h, n, (cuDoubleComplex **)a, n, (cuDoubleComplex **)c, n, infos,
                                2);
}

// Two matrices on the device, and the array of pointers to them.
template <class K> struct batch {
    K *p[2], **all;
    size_t n;
    explicit batch(const std::vector<K> (&v)[2]) : n(v[0].size()) {
        for (int i = 0; i < 2; i++) {
            cudaMalloc(&p[i], n * sizeof(K));
            cudaMemcpy(p[i], v[i].data(), n * sizeof(K), cudaMemcpyHostToDevice);
        }
        cudaMalloc(&all, sizeof p);
        cudaMemcpy(all, p, sizeof p, cudaMemcpyHostToDevice);
    }
    ~batch() { cudaFree(p[0]), cudaFree(p[1]), cudaFree(all); }
    std::vector<K> get(int i) const {
        std::vector<K> v(n);
        cudaMemcpy(v.data(), p[i], n * sizeof(K), cudaMemcpyDeviceToHost);
        return v;
    }
};

template <class K> void run(cublasHandle_t h) {
    const int m = 6, n = 4;
    std::vector<K> a[2], b[2], t[2];
    int info = 9, *infos;
    cudaMallocManaged(&infos, 2 * sizeof(int));
    for (int i = 0; i < 2; i++) {
        a[i].resize(m * n), b[i].resize(m), t[i].resize(n);
        for (K &v : a[i]) fill(&v);
        for (K &v : b[i]) fill(&v);
    }
    { // R' R is A' A, and H1 .. Hn R is A
        batch<K> da(a), tau(t);
        check(geqrf(h, m, n, da.all, tau.all, &info) == CUBLAS_STATUS_SUCCESS && info == 0,
              "geqrfBatched");
        cudaDeviceSynchronize();
        for (int i = 0; i < 2; i++) {
            const std::vector<K> packed = da.get(i), scale = tau.get(i);
            std::vector<K> r(m * n);
            for (int c = 0; c < n; c++)
                for (int d = 0; d <= c; d++) r[d + c * m] = packed[d + c * m];
            for (int k = n - 1; k >= 0; k--)
                for (int c = 0; c < n; c++) { // H = 1 - tau v v'
                    K sum = r[k + c * m];
                    for (int d = k + 1; d < m; d++) sum += other(packed[d + k * m]) * r[d + c * m];
                    sum *= scale[k];
                    r[k + c * m] -= sum;
                    for (int d = k + 1; d < m; d++) r[d + c * m] -= packed[d + k * m] * sum;
                }
            bool good = true;
            for (int c = 0; c < m * n; c++) good = good && std::abs(r[c] - a[i][c]) < 1e-12;
            check(good, "Q R");
        }
        check(geqrf(h, -1, n, da.all, tau.all, &info) == CUBLAS_STATUS_INVALID_VALUE && info < 0,
              "geqrfBatched of -1 rows");
    }
    { // what is left over is at right angles to A
        batch<K> da(a), db(b);
        check(gels(h, CUBLAS_OP_N, m, n, da.all, db.all, &info, infos) == CUBLAS_STATUS_SUCCESS,
              "gelsBatched");
        cudaDeviceSynchronize();
        for (int i = 0; i < 2; i++) {
            const std::vector<K> x = db.get(i);
            std::vector<K> rest(b[i]);
            for (int d = 0; d < m; d++)
                for (int c = 0; c < n; c++) rest[d] -= a[i][d + c * m] * x[c];
            for (int c = 0; c < n; c++) {
                K angle(0);
                for (int d = 0; d < m; d++) angle += other(a[i][d + c * m]) * rest[d];
                check(infos[i] == 0 && std::abs(angle) < 1e-12, "least squares");
            }
        }
        check(gels(h, CUBLAS_OP_T, m, n, da.all, db.all, &info, infos) ==
                  CUBLAS_STATUS_NOT_SUPPORTED,
              "gelsBatched of a transpose");
    }
    { // inverses; the second is singular
        std::vector<K> s[2], c[2];
        for (int i = 0; i < 2; i++) s[i].resize(n * n), c[i].resize(n * n);
        for (K &v : s[0]) fill(&v);
        batch<K> ds(s), dc(c);
        check(invert(h, n, ds.all, dc.all, infos) == CUBLAS_STATUS_SUCCESS, "matinvBatched");
        cudaDeviceSynchronize();
        const std::vector<K> inverse = dc.get(0);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                K sum(0);
                for (int k = 0; k < n; k++) sum += s[0][i + k * n] * inverse[k + j * n];
                check(std::abs(sum - K(i == j)) < 1e-10, "the inverse");
            }
        check(infos[0] == 0 && infos[1] == 1, "matinvBatched's infos");
    }
    cudaFree(infos);
}

static void mixed(cublasHandle_t h) {
    const int n = 4;
    __half *x, *y, length;
    float *f, cosine = 0.6f, sine = 0.8f, norm = 0;
    cuComplex *c, dot;
    cudaMallocManaged(&x, n * sizeof *x), cudaMallocManaged(&y, n * sizeof *y);
    cudaMallocManaged(&f, n * sizeof *f), cudaMallocManaged(&c, n * sizeof *c);
    for (int i = 0; i < n; i++)
        x[i] = __float2half(i + 1.0f), y[i] = __float2half(1.0f), f[i] = 2.0f,
        c[i] = make_cuComplex(i, 1);
    check(cublasNrm2Ex(h, n, f, CUDA_R_32F, 1, &norm, CUDA_R_32F, CUDA_R_32F) ==
                  CUBLAS_STATUS_SUCCESS &&
              norm == 4,
          "Nrm2Ex of floats");
    check(cublasNrm2Ex(h, n, x, CUDA_R_16F, 1, &length, CUDA_R_16F, CUDA_R_32F) ==
                  CUBLAS_STATUS_SUCCESS &&
              std::fabs(__half2float(length) - std::sqrt(30.0f)) < 1e-2f,
          "Nrm2Ex of halves");
    check(cublasDotcEx(h, n, c, CUDA_C_32F, 1, c, CUDA_C_32F, 1, &dot, CUDA_C_32F, CUDA_C_32F) ==
                  CUBLAS_STATUS_SUCCESS &&
              dot.x == 0 + 1 + 4 + 9 + n && dot.y == 0,
          "DotcEx");
    check(cublasRotEx(h, n, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, &cosine, &sine, CUDA_R_32F,
                      CUDA_R_32F) == CUBLAS_STATUS_SUCCESS,
          "RotEx");
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        check(std::fabs(__half2float(x[i]) - (0.6f * (i + 1) + 0.8f)) < 1e-2f &&
                  std::fabs(__half2float(y[i]) - (0.6f - 0.8f * (i + 1))) < 1e-2f,
              "RotEx' result");
    const cuComplex turn = make_cuComplex(0, 1), still = make_cuComplex(0, 5); // 5 is not read
    cuComplex *d;
    cudaMallocManaged(&d, n * sizeof *d);
    for (int i = 0; i < n; i++) d[i] = make_cuComplex(2, i);
    check(cublasRotEx(h, n, c, CUDA_C_32F, 1, d, CUDA_C_32F, 1, &still, &turn, CUDA_C_32F,
                      CUDA_C_32F) == CUBLAS_STATUS_SUCCESS,
          "RotEx of complex numbers");
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) // x = i y, y = i x: -conj(i) is i
        check(c[i].x == -i && c[i].y == 2 && d[i].x == -1 && d[i].y == i, "the complex rotation");
    cudaFree(x), cudaFree(y), cudaFree(f), cudaFree(c), cudaFree(d);
}

int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    run<double>(h);
    run<complex>(h);
    mixed(h);
    cublasDestroy(h);
    if (!failures) printf("PASS\n");
    return failures != 0;
}
