// A program with kernels: ported with --kernels host they run on the processor, and what their
// arguments point to is copied from the device and back around them.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "check.cuh"

struct View {
    const float *data;
    int n;
};

__global__ void scale(float *x, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}

// The pointer comes inside a structure, the result goes behind a block's barrier.
__global__ void sum(View v, float *out) {
    __shared__ float part[128];
    int t = threadIdx.x;
    part[t] = 0;
    for (int i = t; i < v.n; i += 128) part[t] += v.data[i];
    __syncthreads();
    for (int half = 64; half; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) *out = part[0];
}

// Every second byte, so that two of them write into the same words.
__global__ void stripe(unsigned char *x, int n, int first, int value) {
    for (int i = first + 2 * (int)threadIdx.x; i < n; i += 2 * (int)blockDim.x)
        x[i] = (unsigned char)(value + i);
}

// A kernel writes back what it changed, and not a byte beside it or between.
static bool interleaved(cudaStream_t a, cudaStream_t b) {
    enum { SIZE = 67, ROUNDS = 300 };
    unsigned char *d, back[SIZE];
    bool good = true;
    CHECK(cudaMalloc(&d, SIZE));
    for (int round = 1; round <= ROUNDS; round++) {
        stripe<<<1, 8, 0, a>>>(d, SIZE, 0, round);
        stripe<<<1, 8, 0, b>>>(d, SIZE, 1, round);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(back, d, SIZE, cudaMemcpyDeviceToHost));
        for (int i = 0; i < SIZE; i++) good = good && back[i] == (unsigned char)(round + i);
    }
    CHECK(cudaFree(d));
    return good;
}

int main() {
    const int n = 5000;
    std::vector<float> x(n, 1.5f);
    float *d, *out, result = 0;
    cudaStream_t a, b;
    CHECK(cudaMalloc(&d, n * sizeof(float)));
    CHECK(cudaMalloc(&out, 4 * sizeof(float)));
    CHECK(cudaMemset(out, 0, 4 * sizeof(float)));
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMemcpyAsync(d, x.data(), n * sizeof(float), cudaMemcpyHostToDevice, a));
    for (int i = 0; i < 3; i++) scale<<<(n + 255) / 256, 256, 0, a>>>(d, n, 2.0f);
    CHECK(cudaStreamSynchronize(a));
    // Two halves of one allocation at once, on two streams.
    scale<<<10, 250, 0, a>>>(d, n / 2, 0.5f);
    scale<<<10, 250, 0, b>>>(d + n / 2, n / 2, 0.5f);
    CHECK(cudaDeviceSynchronize());
    sum<<<1, 128>>>(View{d, n}, out + 2);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&result, out + 2, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    CHECK(cudaFree(out));
    const bool good = result == 1.5f * 4 * n && interleaved(a, b);
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    std::printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
