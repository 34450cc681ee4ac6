// cuBLAS for matrices that are kept in part: banded and packed ones against the same as full ones;
// rotations of complex numbers, modified ones, syrkx and herkx.
#include <cublas_v2.h>
#include <cuComplex.h>
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

static bool good = true;
#define EXPECT(condition)                                                                         \
    if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), good = false

using real = std::vector<double>;
using complex = std::complex<double>;

template <class T> T *copied(const std::vector<T> &v) {
    T *p;
    cudaMallocManaged((void **)&p, v.size() * sizeof(T));
    for (size_t i = 0; i < v.size(); i++) p[i] = v[i];
    return p;
}
template <class T> bool same(const T *a, const T *b, int n) {
    cudaDeviceSynchronize();
    double difference = 0;
    for (int i = 0; i < n; i++) difference = fmax(difference, std::abs(a[i] - b[i]));
    return difference < 1e-12;
}
static cuDoubleComplex *cu(complex *p) { return (cuDoubleComplex *)p; }

enum { N = 6, K = 2, KU = 1, LDA = 4 };

// Full, banded and packed: the same matrix, with `upper` the triangle that is kept.
static void triangles(cublasHandle_t h, bool upper) {
    const cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    std::vector<complex> full(N * N), band(LDA * N), packed(N * (N + 1) / 2), wide(N * N), x(2 * N);
    int at = 0;
    for (int j = 0; j < N; j++)
        for (int i = upper ? 0 : j; i <= (upper ? j : N - 1); i++) {
            const complex v(i == j ? 5 + i : 0.5 * i - 0.25 * j, i == j ? 0 : 0.1 * (i + j));
            packed[at++] = wide[i + j * N] = v;
            if (std::abs(i - j) > K) continue;
            full[i + j * N] = v;
            band[(upper ? K + i - j : i - j) + j * LDA] = v;
        }
    for (int i = 0; i < 2 * N; i++) x[i] = complex(i + 1, 0.5 * i);
    complex *f = copied(full), *b = copied(band), *p = copied(packed), *w = copied(wide), *v = copied(x);
    for (int op = 0; op < 3; op++)
        for (int unit = 0; unit < 2; unit++) {
            const cublasOperation_t o = cublasOperation_t(op);
            const cublasDiagType_t d = cublasDiagType_t(unit);
            complex *r[8];
            for (complex *&c : r) c = copied(x);
            EXPECT(cublasZtrmv(h, uplo, o, d, N, cu(f), N, cu(r[0]), 2) == 0);
            EXPECT(cublasZtbmv(h, uplo, o, d, N, K, cu(b), LDA, cu(r[1]), 2) == 0);
            EXPECT(cublasZtrsv(h, uplo, o, d, N, cu(f), N, cu(r[2]), -1) == 0);
            EXPECT(cublasZtbsv(h, uplo, o, d, N, K, cu(b), LDA, cu(r[3]), -1) == 0);
            EXPECT(cublasZtrmv(h, uplo, o, d, N, cu(w), N, cu(r[4]), 1) == 0);
            EXPECT(cublasZtpmv(h, uplo, o, d, N, cu(p), cu(r[5]), 1) == 0);
            EXPECT(cublasZtrsv(h, uplo, o, d, N, cu(w), N, cu(r[6]), 1) == 0);
            EXPECT(cublasZtpsv(h, uplo, o, d, N, cu(p), cu(r[7]), 1) == 0);
            for (int i = 0; i < 8; i += 2) EXPECT(same(r[i], r[i + 1], 2 * N));
        }
    complex *r[8];
    for (complex *&c : r) c = copied(x);
    const cuDoubleComplex two = {2, 1}, half = {0.5, 0};
    const double three = 3;
    EXPECT(cublasZhemv(h, uplo, N, &two, cu(f), N, cu(v), 1, &half, cu(r[0]), 1) == 0);
    EXPECT(cublasZhbmv(h, uplo, N, K, &two, cu(b), LDA, cu(v), 1, &half, cu(r[1]), 1) == 0);
    EXPECT(cublasZhemv(h, uplo, N, &two, cu(w), N, cu(v), 2, &half, cu(r[2]), 1) == 0);
    EXPECT(cublasZhpmv(h, uplo, N, &two, cu(p), cu(v), 2, &half, cu(r[3]), 1) == 0);
    EXPECT(same(r[0], r[1], N) && same(r[2], r[3], N));
    EXPECT(cublasZher(h, uplo, N, &three, cu(v), 1, cu(w), N) == 0);
    EXPECT(cublasZhpr(h, uplo, N, &three, cu(v), 1, cu(p)) == 0);
    EXPECT(cublasZher2(h, uplo, N, &two, cu(v), 1, cu(v + 3), 1, cu(w), N) == 0);
    EXPECT(cublasZhpr2(h, uplo, N, &two, cu(v), 1, cu(v + 3), 1, cu(p)) == 0);
    cudaDeviceSynchronize();
    at = 0;
    for (int j = 0; j < N; j++)
        for (int i = upper ? 0 : j; i <= (upper ? j : N - 1); i++) EXPECT(std::abs(p[at++] - w[i + j * N]) < 1e-12);
}

int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    triangles(h, true);
    triangles(h, false);

    // A general band of two diagonals below and one above the main one.
    real full((N + 1) * N), band(LDA * N), x(N + 1), y(N + 1, 1);
    for (int i = 0; i <= N; i++) x[i] = i + 1;
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= N; i++)
            if (i - j <= K && j - i <= KU) full[i + j * (N + 1)] = band[KU + i - j + j * LDA] = 1 + i * 0.5 - j;
    double *f = copied(full), *b = copied(band), *v = copied(x), *r = copied(y), *s = copied(y);
    const double two = 2, three = 3;
    for (int op = 0; op < 2; op++) {
        const cublasOperation_t o = cublasOperation_t(op);
        EXPECT(cublasDgemv(h, o, N + 1, N, &two, f, N + 1, v, 1, &three, r, 1) == 0);
        EXPECT(cublasDgbmv(h, o, N + 1, N, K, KU, &two, b, LDA, v, 1, &three, s, 1) == 0);
        EXPECT(same(r, s, N + 1));
    }
    EXPECT(cublasDgbmv(h, CUBLAS_OP_N, N, N, K, KU, &two, b, LDA - 1, v, 1, &three, s, 1) != 0);

    // syrkx with B = A is syrk, with B = 2 A twice as much.
    double *c = copied(real(9, 1)), *d = copied(real(9, 1)), *twice = copied(real(6));
    for (int i = 0; i < 6; i++) twice[i] = 2 * v[i];
    EXPECT(cublasDsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 3, 2, &two, v, 3, &three, c, 3) == 0);
    const double one = 1;
    EXPECT(cublasDsyrkx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 3, 2, &one, v, 3, twice, 3, &three, d, 3) == 0);
    EXPECT(same(c, d, 9));

    // A complex rotation makes b zero, and keeps lengths.
    std::complex<float> a0(3, 4), b0(1, -2), a = a0, bb = b0, sine;
    float cosine;
    EXPECT(cublasCrotg(h, (cuComplex *)&a, (cuComplex *)&bb, &cosine, (cuComplex *)&sine) == 0);
    std::complex<float> *px = copied(std::vector<std::complex<float>>{a0}), *py = copied(std::vector<std::complex<float>>{b0});
    EXPECT(cublasCrot(h, 1, (cuComplex *)px, 1, (cuComplex *)py, 1, &cosine, (cuComplex *)&sine) == 0);
    cudaDeviceSynchronize();
    EXPECT(std::abs(*px - a) < 1e-5f && std::abs(*py) < 1e-5f && std::fabs(std::abs(a) - std::sqrt(30.f)) < 1e-5f);
    const float c6 = 0.6f, s8 = 0.8f;
    EXPECT(cublasCsrot(h, 1, (cuComplex *)px, 1, (cuComplex *)py, 1, &c6, &s8) == 0);
    cudaDeviceSynchronize();
    EXPECT(std::abs(*px - a * 0.6f) < 1e-5f && std::abs(*py + a * 0.8f) < 1e-5f);

    // rotmg makes y zero: D1 x^2 + D2 y^2 stays. Factors of every flag.
    const double starts[4][4] = {{2, 3, 4, 1}, {1, 3, 1, 4}, {1e9, 2e9, 1, 2}, {1, 0, 2, 3}};
    for (const double *t : starts) {
        double d1 = t[0], d2 = t[1], x1 = t[2], y1 = t[3], param[5] = {9, 1, 0, 0, 1};
        EXPECT(cublasDrotmg(h, &d1, &d2, &x1, &y1, param) == 0);
        double *p = copied(real{t[2]}), *q = copied(real{t[3]});
        EXPECT(cublasDrotm(h, 1, p, 1, q, 1, param) == 0);
        cudaDeviceSynchronize();
        const double before = t[0] * t[2] * t[2] + t[1] * t[3] * t[3];
        EXPECT(std::fabs(*p - x1) < 1e-9 * std::fabs(x1));
        EXPECT(t[1] == 0 ? *q == t[3] : std::fabs(*q) < 1e-9);
        EXPECT(std::fabs(d1 * *p * *p + d2 * *q * *q - before) < 1e-9 * before);
    }
    std::printf(good ? "PASS\n" : "FAIL\n");
    return !good;
}
