// Dot products of packed bytes with __dp4a.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>

__global__ void dots(const int *a, const int *b, int *out, int words) {
    int acc = 0;
    for (int i = 0; i < words; i++) acc = __dp4a(a[threadIdx.x * words + i], b[i], acc);
    out[threadIdx.x] = acc;
}

int main() {
    const int rows = 32, words = 16;
    union {
        int8_t bytes[rows * words * 4];
        int words_[rows * words];
    } a;
    union {
        int8_t bytes[words * 4];
        int words_[words];
    } b;
    int out[rows], *d_a, *d_b, *d_out;
    for (int i = 0; i < rows * words * 4; i++) a.bytes[i] = (int8_t)(i * 37 % 256 - 128);
    for (int i = 0; i < words * 4; i++) b.bytes[i] = (int8_t)(i * 11 % 200 - 100);
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_a, &a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, &b, sizeof(b), cudaMemcpyHostToDevice);
    dots<<<1, rows>>>(d_a, d_b, d_out, words);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int r = 0; r < rows; r++) {
        int sum = 0;
        for (int i = 0; i < words * 4; i++) sum += a.bytes[r * words * 4 + i] * b.bytes[i];
        good = good && sum == out[r];
    }
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
