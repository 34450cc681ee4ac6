// SPDX-License-Identifier: Apache-2.0
// cuBLAS without a handle (cublasInit, letters, factors by value), against loops on the host.
#include <cmath>
#include <cstdio>
#include <cublas.h>
#include <cuda_runtime.h>
#include <vector>

static int failures = 0;
static void check(bool good, const char *what) {
    if (good) return;
    printf("FAIL: %s\n", what);
    failures++;
}

static unsigned state = 99;
static float any() {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0f * 2 - 1;
}
static std::vector<float> some(int n) {
    std::vector<float> v(n);
    for (float &x : v) x = any();
    return v;
}
static bool close(const std::vector<float> &a, const std::vector<float> &b) {
    for (size_t i = 0; i < a.size(); i++)
        if (!(std::fabs(a[i] - b[i]) < 1e-4f)) return false;
    return a.size() == b.size();
}
struct device {
    float *p = nullptr;
    size_t n;
    explicit device(const std::vector<float> &v) : n(v.size()) {
        check(cublasAlloc((int)n, sizeof(float), (void **)&p) == CUBLAS_STATUS_SUCCESS, "Alloc");
        cublasSetVector((int)n, sizeof(float), v.data(), 1, p, 1);
    }
    ~device() { check(cublasFree(p) == CUBLAS_STATUS_SUCCESS, "Free"); }
    std::vector<float> get() const {
        std::vector<float> v(n);
        cublasGetVector((int)n, sizeof(float), p, 1, v.data(), 1);
        return v;
    }
};

int main() {
    cublasStatus status = cublasInit();
    check(status == CUBLAS_STATUS_SUCCESS && cublasGetError() == CUBLAS_STATUS_SUCCESS, "Init");
    const int m = 5, n = 4, k = 3;
    const float alpha = 1.5f, beta = -0.5f;

    { // vectors
        const std::vector<float> x = some(m), y = some(m);
        device dx(x), dy(y);
        double dot = 0, sum = 0, square = 0;
        int most = 0, least = 0;
        std::vector<float> want(m);
        for (int i = 0; i < m; i++) {
            dot += x[i] * y[i], sum += std::fabs(x[i]), square += x[i] * x[i];
            if (std::fabs(x[i]) > std::fabs(x[most])) most = i;
            if (std::fabs(x[i]) < std::fabs(x[least])) least = i;
            want[i] = y[i] + alpha * x[i];
        }
        check(std::fabs(cublasSdot(m, dx.p, 1, dy.p, 1) - dot) < 1e-5, "dot");
        check(std::fabs(cublasSasum(m, dx.p, 1) - sum) < 1e-5, "asum");
        check(std::fabs(cublasSnrm2(m, dx.p, 1) - std::sqrt(square)) < 1e-5, "nrm2");
        check(cublasIsamax(m, dx.p, 1) == most + 1 && cublasIsamin(m, dx.p, 1) == least + 1,
              "amax, amin");
        cublasSaxpy(m, alpha, dx.p, 1, dy.p, 1);
        check(close(dy.get(), want), "axpy");
        cublasSscal(m, beta, dy.p, 1);
        for (float &v : want) v *= beta;
        check(close(dy.get(), want), "scal");
    }
    for (const char ta : {'N', 't'})
        for (const char tb : {'n', 'T'}) { // C = alpha op(A) op(B) + beta C
            const std::vector<float> a = some(m * k), b = some(k * n), c = some(m * n);
            device da(a), db(b), dc(c);
            const bool at = ta == 't', bt = tb == 'T';
            std::vector<float> want(m * n);
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++) {
                    float s = 0;
                    for (int l = 0; l < k; l++)
                        s += (at ? a[l + i * k] : a[i + l * m]) * (bt ? b[j + l * n] : b[l + j * k]);
                    want[i + j * m] = alpha * s + beta * c[i + j * m];
                }
            cublasSgemm(ta, tb, m, n, k, alpha, da.p, at ? k : m, db.p, bt ? n : k, beta, dc.p, m);
            check(close(dc.get(), want), "gemm");
        }
    for (const char side : {'L', 'r'})
        for (const char part : {'u', 'L'})
            for (const char ones : {'N', 'U'}) { // B = alpha op(T) B, and solved again
                const int size = side == 'L' ? m : n;
                std::vector<float> a = some(size * size), b = some(m * n), want(m * n);
                for (int i = 0; i < size; i++) a[i + i * size] += 3;
                const auto at = [&](int i, int j) {
                    if (i == j) return ones == 'U' ? 1.0f : a[i + i * size];
                    return (part == 'u') == (i < j) ? a[i + j * size] : 0.0f;
                };
                for (int i = 0; i < m; i++)
                    for (int j = 0; j < n; j++) {
                        float s = 0;
                        for (int l = 0; l < size; l++)
                            s += side == 'L' ? at(i, l) * b[l + j * m] : b[i + l * m] * at(l, j);
                        want[i + j * m] = alpha * s;
                    }
                device da(a), db(b);
                cublasStrmm(side, part, 'N', ones, m, n, alpha, da.p, size, db.p, m);
                check(close(db.get(), want), "trmm");
                cublasStrsm(side, part, 'N', ones, m, n, 1 / alpha, da.p, size, db.p, m);
                check(close(db.get(), b), "trsm");
            }
    { // Hermitian: the factors of an update are real
        cuComplex a = make_cuComplex(2, -1), c = make_cuComplex(5, 0), *da, *dc;
        cublasAlloc(1, sizeof a, (void **)&da), cublasAlloc(1, sizeof c, (void **)&dc);
        cublasSetVector(1, sizeof a, &a, 1, da, 1), cublasSetVector(1, sizeof c, &c, 1, dc, 1);
        cublasCherk('U', 'N', 1, 1, 2.0f, da, 1, 3.0f, dc, 1);
        cublasGetVector(1, sizeof c, dc, 1, &c, 1);
        check(c.x == 2 * 5 + 3 * 5 && c.y == 0, "herk");
        a = cublasCdotc(1, da, 1, da, 1);
        check(a.x == 5 && a.y == 0, "dotc");
        // a rotation that takes (3, 4i) to (5, 0), of one complex and of real factors
        cuComplex x = make_cuComplex(3, 0), y = make_cuComplex(0, 4), made = x, s;
        float r;
        cublasCrotg(&made, y, &r, &s);
        check(std::fabs(made.x - 5) < 1e-5f && std::fabs(r - 0.6f) < 1e-5f, "crotg");
        cublasSetVector(1, sizeof x, &x, 1, da, 1), cublasSetVector(1, sizeof y, &y, 1, dc, 1);
        cublasCrot(1, da, 1, dc, 1, r, s);
        cublasGetVector(1, sizeof x, da, 1, &a, 1), cublasGetVector(1, sizeof y, dc, 1, &c, 1);
        const float off = std::fabs(a.x - 5) + std::fabs(a.y) + std::fabs(c.x) + std::fabs(c.y);
        check(off < 1e-5f, "crot");
        cublasCsrot(1, da, 1, dc, 1, 0.6f, 0.8f);
        cublasGetVector(1, sizeof x, da, 1, &a, 1), cublasGetVector(1, sizeof y, dc, 1, &c, 1);
        check(std::fabs(a.x - 3) < 1e-5f && std::fabs(c.x + 4) < 1e-5f, "csrot");
        cublasFree(da), cublasFree(dc);
    }
    // what is wrong is told afterwards, once
    float *none = nullptr;
    cublasSgemm('N', 'N', -1, 1, 1, 1.0f, none, 1, none, 1, 0.0f, none, 1);
    check(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "the error");
    check(cublasGetError() == CUBLAS_STATUS_SUCCESS, "the error is told once");
    check(cublasShutdown() == CUBLAS_STATUS_SUCCESS, "Shutdown");
    if (!failures) printf("PASS\n");
    return failures != 0;
}
