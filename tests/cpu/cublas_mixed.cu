// cuBLAS by other types than the four letters have, and by arrays of pointers: Hgemm, GemmEx, gemmBatched,
// DotEx, AxpyEx, ScalEx, with transposed and conjugated operands.
// sycl, onemkl: of these oneMKL has few, and under names that change
#include <cublas_v2.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

static bool good = true;
#define EXPECT(condition)                                                                         \
    if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), good = false

template <class T> T *copied(const std::vector<T> &v) {
    T *p;
    cudaMalloc((void **)&p, v.size() * sizeof(T));
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}
template <class T> std::vector<T> read(const T *p, size_t n) {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
}

int main() {
    const int m = 5, n = 4, k = 6;
    cublasHandle_t h;
    cublasCreate(&h);

    // A is transposed: k rows, m columns.
    std::vector<__half> a(k * m), b(k * n), c(m * n);
    for (int i = 0; i < k * m; i++) a[i] = __float2half(float(i % 9) - 4.f);
    for (int i = 0; i < k * n; i++) b[i] = __float2half(float(i % 7) * 0.5f);
    for (int i = 0; i < m * n; i++) c[i] = __float2half(float(i));
    __half *da = copied(a), *db = copied(b), *dc = copied(c);
    const __half half_two = __float2half(2.f), half_one = __float2half(1.f);
    EXPECT(cublasHgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &half_two, da, k, db, k, &half_one, dc, m) == 0);
    const std::vector<__half> hc = read(dc, m * n);
    std::vector<float> products(m * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            for (int l = 0; l < k; l++) products[i + j * m] += __half2float(a[l + i * k]) * __half2float(b[l + j * k]);
            EXPECT(__half2float(hc[i + j * m]) == 2 * products[i + j * m] + i + j * m);
        }

    float *df;
    cudaMalloc((void **)&df, m * n * sizeof(float));
    const float half = 0.5f, none = 0.f;
    EXPECT(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &half, da, CUDA_R_16F, k, db, CUDA_R_16F, k, &none, df,
                        CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == 0);
    std::vector<float> f = read(df, m * n);
    for (int i = 0; i < m * n; i++) EXPECT(f[i] == 0.5f * products[i]);
    EXPECT(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &half, da, CUDA_R_16F, k - 1, db, CUDA_R_16F, k, &none,
                        df, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) != 0);

    // Three products, whose matrices an array on the device names.
    std::vector<float> one(m * k), two(k * n);
    for (int i = 0; i < m * k; i++) one[i] = float(i % 5);
    for (int i = 0; i < k * n; i++) two[i] = float(i % 3) - 1;
    const float *ones[3], *twos[3];
    float *to[3];
    for (int i = 0; i < 3; i++) {
        for (float &v : one) v += i;
        ones[i] = copied(one), twos[i] = copied(two), to[i] = copied(std::vector<float>(m * n, 1.f));
    }
    const float **dones = copied(std::vector<const float *>(ones, ones + 3)),
                **dtwos = copied(std::vector<const float *>(twos, twos + 3));
    float **dto = copied(std::vector<float *>(to, to + 3));
    const float plus = 1.f;
    EXPECT(cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &plus, dones, m, dtwos, k, &half, dto, m, 3) == 0);
    for (int which = 0; which < 3; which++) {
        const std::vector<float> x = read(ones[which], m * k), got = read(to[which], m * n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                float want = 0.5f;
                for (int l = 0; l < k; l++) want += x[i + l * m] * two[l + j * k];
                EXPECT(std::fabs(got[i + j * m] - want) < 1e-4f);
            }
    }

    // The conjugate of a matrix of one number.
    cuComplex *z = copied(std::vector<cuComplex>{make_cuComplex(1, 2)}),
              *w = copied(std::vector<cuComplex>{make_cuComplex(3, 1)}), *v = copied(std::vector<cuComplex>(1));
    cuComplex **zs = copied(std::vector<cuComplex *>{z}), **ws = copied(std::vector<cuComplex *>{w}),
              **vs = copied(std::vector<cuComplex *>{v});
    const cuComplex unit = make_cuComplex(1, 0), zero = make_cuComplex(0, 0);
    EXPECT(cublasCgemmBatched(h, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, 1, &unit, zs, 1, ws, 1, &zero, vs, 1, 1) == 0);
    const cuComplex product = read(v, 1)[0];
    EXPECT(product.x == 5 && product.y == -5); // (1 - 2i)(3 + i)

    // Vectors, the second backwards.
    const int count = 3000;
    std::vector<__nv_bfloat16> p(count);
    std::vector<float> q(count);
    double want = 0;
    for (int i = 0; i < count; i++) p[i] = __float2bfloat16(float(i % 4)), q[i] = float(i % 3);
    for (int i = 0; i < count; i++) want += double(i % 4) * ((count - 1 - i) % 3);
    __nv_bfloat16 *dp = copied(p);
    float *dq = copied(q), result = 0;
    EXPECT(cublasDotEx(h, count, dp, CUDA_R_16BF, 1, dq, CUDA_R_32F, -1, &result, CUDA_R_32F, CUDA_R_32F) == 0);
    EXPECT(result == float(want));
    const float three = 3.f;
    EXPECT(cublasAxpyEx(h, count, &three, CUDA_R_32F, dp, CUDA_R_16BF, 1, dq, CUDA_R_32F, 1, CUDA_R_32F) == 0);
    EXPECT(cublasScalEx(h, count, &half, CUDA_R_32F, dq, CUDA_R_32F, 1, CUDA_R_32F) == 0);
    f = read(dq, count);
    for (int i = 0; i < count; i++) EXPECT(f[i] == 0.5f * (3.f * (i % 4) + i % 3));
    cublasDestroy(h);
    std::printf(good ? "PASS\n" : "FAIL\n");
    return !good;
}
