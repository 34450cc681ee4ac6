// Products of tiles by nvcuda::wmma, in every shape and with a tile for each 32 threads.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

template <class T, class Sum, int M, int N, int K>
__global__ void multiply(const T *a, const T *b, Sum *c, int m, int n, int k) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int row = warp / (n / N) * M, column = warp % (n / N) * N;
    if (row >= m) return;
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
    wmma::fill_fragment(fc, Sum(0));
    for (int i = 0; i < k; i += K) {
        wmma::load_matrix_sync(fa, a + row * k + i, k);
        wmma::load_matrix_sync(fb, b + column * k + i, k);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] * Sum(2);
    wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

__global__ void rounded(const float *a, float *c) {
    nvcuda::wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, a, 16);
    for (int i = 0; i < fa.num_elements; i++) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
    wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

int main() {
    half *h = nullptr;
    float *f = nullptr;
    signed char *s = nullptr;
    int *i = nullptr;
    double *d = nullptr;
    multiply<half, float, 16, 16, 16><<<2, 64>>>(h, h, f, 32, 32, 48);
    multiply<half, half, 32, 8, 16><<<2, 64>>>(h, h, h, 32, 32, 48);
    multiply<signed char, int, 8, 32, 16><<<2, 64>>>(s, s, i, 32, 32, 48);
    multiply<double, double, 8, 8, 4><<<2, 64>>>(d, d, d, 32, 32, 48);
    rounded<<<1, 32>>>(f, f);
    return cudaDeviceSynchronize() != cudaSuccess;
}
