// Products on fragments of nvcuda::wmma: half with sums in float and in half, bfloat16, tf32, bytes
// and double, in rows and columns, against plain loops.
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

// One warp for each tile of c; a lies in rows, b in columns, c in rows.
template <class T, class Element, class Sum, int M, int N, int K>
__global__ void multiply(const Element *a, const Element *b, Sum *c, int m, int n, int k) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int row = warp / (n / N) * M, column = warp % (n / N) * N;
    if (row >= m) return;
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
    wmma::fill_fragment(fc, Sum(0.0f));
    for (int i = 0; i < k; i += K) {
        wmma::load_matrix_sync(fa, a + row * k + i, k);
        wmma::load_matrix_sync(fb, b + column * k + i, k);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] = Sum(float(fc.x[i]) * 2.0f);
    wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

template <class T, class Element, class Sum, int M, int N, int K> bool right(const char *name) {
    const int m = 2 * M, n = 2 * N, k = 3 * K;
    Element *a, *b;
    Sum *c;
    cudaMallocManaged(&a, m * k * sizeof(*a));
    cudaMallocManaged(&b, n * k * sizeof(*b));
    cudaMallocManaged(&c, m * n * sizeof(*c));
    // Small whole numbers: every format holds them, and their sums.
    for (int i = 0; i < m * k; i++) a[i] = Element(float(rand() % 5));
    for (int i = 0; i < n * k; i++) b[i] = Element(float(rand() % 5));
    multiply<T, Element, Sum, M, N, K><<<2, 64>>>(a, b, c, m, n, k);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++) sum += float(a[i * k + l]) * float(b[j * k + l]);
            good = good && float(c[i * n + j]) == 2 * sum;
        }
    if (!good) std::printf("%s is wrong\n", name);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return good;
}

__global__ void round_to_tf32(const float *in, float *out) {
    out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
}

bool rounds() {
    float *x;
    cudaMallocManaged(&x, 6 * sizeof(*x));
    x[0] = 1.0f + 1.0f / 2048, x[1] = 1.0f + 1.0f / 8192, x[2] = -3.14159265f;
    round_to_tf32<<<1, 3>>>(x, x + 3);
    const bool good = cudaDeviceSynchronize() == cudaSuccess && x[3] == 1.0f + 1.0f / 1024 &&
                      x[4] == 1.0f && x[5] == -3.140625f;
    cudaFree(x);
    return good;
}

int main() {
    bool good = right<__half, __half, float, 16, 16, 16>("half, float") &&
                right<__half, __half, float, 32, 8, 16>("half, 32 rows") &&
                right<__half, __half, __half, 8, 32, 16>("half, half") &&
                right<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>("bfloat16") &&
                right<wmma::precision::tf32, float, float, 16, 16, 8>("tf32") &&
                right<signed char, signed char, int, 16, 16, 16>("signed char") &&
                right<unsigned char, unsigned char, int, 16, 16, 16>("unsigned char") &&
                right<double, double, double, 8, 8, 4>("double") && rounds();
    std::printf(good ? "PASS\n" : "FAIL\n");
    return good ? 0 : 1;
}
