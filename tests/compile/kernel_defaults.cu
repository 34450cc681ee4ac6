// Default arguments of kernels and of templates, a kernel that names no block, and overloads of
// device functions that the arguments choose.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int mix(int a, int b) { return a * 10 + b; }
__device__ float mix(float a, float b) { return a + b; }

__global__ void scale(int *out, int n, int factor = 3, int *also = nullptr) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = mix(i, factor);
    if (also) also[i] = int(mix(float(i), 0.5f) * 2);
}

template <typename T, int N = 4> __global__ void fill(T *out, T value = T(N)) {
    out[threadIdx.x] = value;
}

// A function of the host may have the kernel's name.
__global__ void negate(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = -p[i];
}
static void negate(int *p, int n, int block) {
    negate<<<(n + block - 1) / block, block>>>(p, n);
}

int main() {
    const int n = 100;
    int h[n], g[n], *d, *e;
    cudaMalloc(&d, sizeof(h));
    cudaMalloc(&e, sizeof(h));
    scale<<<2, 64>>>(d, n);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    bool good = true;
    for (int i = 0; i < n; i++) good = good && h[i] == i * 10 + 3;
    scale<<<2, 64>>>(d, n, 7, e);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaMemcpy(g, e, sizeof(g), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) good = good && h[i] == i * 10 + 7 && g[i] == 2 * i + 1;
    fill<<<1, 32>>>(d, 9);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) good = good && h[i] == 9;
    negate(e, n, 48);
    cudaMemcpy(g, e, sizeof(g), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) good = good && g[i] == -2 * i - 1;
    cudaFree(d);
    cudaFree(e);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
