// C = A * B with square tiles in shared memory; the tile's size is a template argument.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

template <int TILE>
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float acc = 0.f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[threadIdx.y][threadIdx.x] = row < M && k0 + threadIdx.x < K ? A[row * K + k0 + threadIdx.x] : 0.f;
        Bs[threadIdx.y][threadIdx.x] = col < N && k0 + threadIdx.y < K ? B[(k0 + threadIdx.y) * N + col] : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) acc = fmaf(As[threadIdx.y][k], Bs[k][threadIdx.x], acc);
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = acc;
}

struct DeviceMatrix {
    float *data = nullptr;
    int rows, cols;
    DeviceMatrix(int r, int c) : rows(r), cols(c) { cudaMalloc(&data, bytes()); }
    ~DeviceMatrix() { cudaFree(data); }
    size_t bytes() const { return sizeof(float) * rows * cols; }
    void upload(const std::vector<float> &v) {
        cudaMemcpy(data, v.data(), bytes(), cudaMemcpyHostToDevice);
    }
    std::vector<float> download() const {
        std::vector<float> v(rows * cols);
        cudaMemcpy(v.data(), data, bytes(), cudaMemcpyDeviceToHost);
        return v;
    }
};

template <int TILE> static bool test(int M, int N, int K) {
    std::vector<float> a(M * K), b(K * N);
    for (size_t i = 0; i < a.size(); i++) a[i] = float(int(i * 31 % 11) - 5);
    for (size_t i = 0; i < b.size(); i++) b[i] = float(int(i * 17 % 7) - 3);
    DeviceMatrix A(M, K), B(K, N), C(M, N);
    A.upload(a);
    B.upload(b);
    dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmul<TILE><<<grid, block>>>(A.data, B.data, C.data, M, N, K);
    if (cudaGetLastError() != cudaSuccess) return false;
    std::vector<float> c = C.download();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++) sum += a[i * K + k] * b[k * N + j];
            if (sum != c[i * N + j]) return false;
        }
    return true;
}

int main() {
    bool good = test<16>(64, 48, 80) && test<8>(33, 21, 50);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
