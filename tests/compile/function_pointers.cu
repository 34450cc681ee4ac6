// Kernels chosen by pointer, and functions of the device called through pointers in a symbol.
#include <cuda_runtime.h>
#include <cstdio>

typedef float (*unary_t)(float);
typedef void (*kernel_t)(float *, int);

__device__ float negate(float x) { return -x; }
__device__ float increase(float x) { return x + 1.0f; }
__device__ unary_t d_negate = negate;
__device__ unary_t d_increase = increase;

__global__ void apply(unary_t f, float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = (*f)(p[i]);
}
__global__ void half(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 0.5f;
}
template <int K> __global__ void times(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= K;
}

static const struct {
    kernel_t kernel;
    float factor;
} table[] = {{half, 0.5f}, {times<3>, 3.0f}, {&times<4>, 4.0f}};

int main() {
    const int n = 300;
    float h[n], *d;
    for (int i = 0; i < n; i++) h[i] = (float)i;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    float factor = 1.0f;
    for (const auto &row : table) {
        kernel_t f = row.kernel;
        f<<<(n + 99) / 100, 100>>>(d, n);
        factor *= row.factor;
    }
    unary_t minus, plus;
    cudaMemcpyFromSymbol(&minus, d_negate, sizeof(minus));
    cudaMemcpyFromSymbol(&plus, d_increase, sizeof(plus));
    apply<<<3, 100>>>(minus, d, n);
    apply<<<3, 100>>>(plus, d, n);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaFree(d);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; i++) good = good && h[i] == 1.0f - factor * i;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
