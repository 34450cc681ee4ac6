// bfloat16: a dot product that is summed up in float.
// hip: 6.4, 5.2 has another bfloat16
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>

__global__ void convert(const float *in, __nv_bfloat16 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2bfloat16(in[i]);
}

__global__ void dot(const __nv_bfloat16 *a, const __nv_bfloat162 *b, float *out, int n) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
        float2 pair = __bfloat1622float2(b[i]);
        sum += __bfloat162float(a[2 * i]) * pair.x + __bfloat162float(a[2 * i + 1]) * pair.y;
    }
    atomicAdd(out, sum);
}

int main() {
    const int n = 400;
    float h[n], *f, *out, result = 0, expected = 0;
    for (int i = 0; i < n; i++) {
        h[i] = (i % 8) * 0.5f;
        expected += h[i] * h[i];
    }
    __nv_bfloat16 *b;
    cudaMalloc(&f, sizeof(h));
    cudaMalloc(&b, n * sizeof(__nv_bfloat16));
    cudaMalloc(&out, sizeof(float));
    cudaMemset(out, 0, sizeof(float));
    cudaMemcpy(f, h, sizeof(h), cudaMemcpyHostToDevice);
    convert<<<2, 256>>>(f, b, n);
    dot<<<1, 64>>>(b, reinterpret_cast<const __nv_bfloat162 *>(b), out, n);
    cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(f);
    cudaFree(b);
    cudaFree(out);
    bool good = std::fabs(result - expected) < 0.01f * expected;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
