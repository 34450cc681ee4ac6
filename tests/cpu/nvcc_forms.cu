// What nvcc takes and other compilers do not: an alignment behind __shared__.
#include <cuda_runtime.h>
#include <stdio.h>

struct alignas(32) wide {
    float v[4];
};

__global__ void reverse(const float *in, float *out) {
    __shared__ unsigned char odd;
    __shared__ alignas(128) float a[64];
    static __shared__ alignas(wide) float b[64];
    alignas(sizeof(float4)) __shared__ float c[64];
    int t = threadIdx.x;
    odd = 1;
    a[t] = in[t];
    __syncthreads();
    b[t] = a[63 - t];
    __syncthreads();
    c[t] = b[t ^ 1];
    __syncthreads();
    out[t] = c[t ^ 1] * odd;
    if ((size_t)a % 128 || (size_t)b % alignof(wide) || (size_t)c % 16) out[t] = -1;
}

int main() {
    float *in, *out;
    int wrong = 0;
    if (cudaMallocManaged(&in, 256) || cudaMallocManaged(&out, 256)) return 1;
    for (int i = 0; i < 64; i++) in[i] = i + 1;
    reverse<<<1, 64>>>(in, out);
    if (cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < 64; i++) wrong += out[i] != 64 - i;
    puts(wrong ? "FAIL" : "PASS");
    return cudaFree(in) || cudaFree(out) || wrong;
}
