// Half precision: conversions, single and paired arithmetic, comparisons.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void toHalf(const float *in, __half *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2half(in[i]);
}

__global__ void axpy2(half a, const half2 *x, half2 *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}

__global__ void clampPositive(const half *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    half zero = __float2half(0.0f);
    half v = in[i];
    if (__hlt(v, zero)) v = zero;
    v = __hadd(v, __hmul(v, __float2half(0.5f)));
    out[i] = __half2float(v);
}

int main() {
    const int n = 512;
    std::vector<float> x(n), y(n), out(n);
    for (int i = 0; i < n; i++) x[i] = (i % 16) - 8.0f, y[i] = (i % 4) * 0.25f;
    float *d_f;
    __half *d_x, *d_y;
    cudaMalloc(&d_f, n * sizeof(float));
    cudaMalloc(&d_x, n * sizeof(__half));
    cudaMalloc(&d_y, n * sizeof(__half));
    cudaMemcpy(d_f, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    toHalf<<<2, 256>>>(d_f, d_x, n);
    cudaMemcpy(d_f, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    toHalf<<<2, 256>>>(d_f, d_y, n);
    axpy2<<<1, 256>>>(__float2half(2.0f), reinterpret_cast<half2 *>(d_x),
                      reinterpret_cast<half2 *>(d_y), n / 2);
    clampPositive<<<2, 256>>>(d_y, d_f, n);
    cudaMemcpy(out.data(), d_f, n * sizeof(float), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess && sizeof(half) == 2;
    for (int i = 0; i < n; i++) {
        float v = 2.0f * x[i] + y[i];
        good = good && std::fabs(out[i] - (v < 0 ? 0 : 1.5f * v)) < 0.05f;
    }
    cudaFree(d_f);
    cudaFree(d_x);
    cudaFree(d_y);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
