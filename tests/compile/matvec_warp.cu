// A matrix times a vector, a row per warp, in a 2D block; partial masks where rows end.
// warp 32: a row is summed from offset 16 on, and masks have 32 bits
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

template <typename T, unsigned WARPS>
__global__ void matvec(const T *__restrict__ m, const T *__restrict__ x, T *y, int rows, int cols) {
    const int row = blockIdx.x * WARPS + threadIdx.y;
    if (row >= rows) return;
    T acc = T();
    for (int c = threadIdx.x; c < cols; c += warpSize) acc += __ldg(&m[row * cols + c]) * x[c];
#pragma unroll
    for (int d = 16; d >= 1; d >>= 1) acc += __shfl_down_sync(0xffffffffu, acc, d, 32);
    if (threadIdx.x == 0) y[row] = acc;
}

// Sums the first half of each warp only.
__global__ void firstHalf(const int *in, int *out) {
    if ((threadIdx.x & 31) < 16) {
        int v = in[threadIdx.x];
        for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0x0000ffffu, v, d, 16);
        out[threadIdx.x] = v;
    }
}

int main() {
    const int rows = 37, cols = 90;
    std::vector<double> m(rows * cols), x(cols), y(rows);
    for (int i = 0; i < rows * cols; i++) m[i] = i % 11;
    for (int i = 0; i < cols; i++) x[i] = i % 5;
    double *d_m, *d_x, *d_y;
    cudaMalloc(&d_m, m.size() * sizeof(double));
    cudaMalloc(&d_x, x.size() * sizeof(double));
    cudaMalloc(&d_y, y.size() * sizeof(double));
    cudaMemcpy(d_m, m.data(), m.size() * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x.data(), x.size() * sizeof(double), cudaMemcpyHostToDevice);
    matvec<double, 4><<<(rows + 3) / 4, dim3(32, 4)>>>(d_m, d_x, d_y, rows, cols);
    cudaMemcpy(y.data(), d_y, y.size() * sizeof(double), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int c = 0; c < cols; c++) sum += m[r * cols + c] * x[c];
        good = good && y[r] == sum;
    }
    int in[64], out[64], *d_in, *d_out;
    for (int i = 0; i < 64; i++) in[i] = i;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof(out));
    firstHalf<<<1, 64>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) good = good && out[i] == (i % 32 < 16 ? (i < 32 ? 120 : 632) : 0);
    cudaFree(d_m);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_in);
    cudaFree(d_out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
