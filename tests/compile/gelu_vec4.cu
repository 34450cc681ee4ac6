// GELU on four values at a time, vectors by reinterpret_cast, with the tail done one by one.
#include <cuda_runtime.h>
#include <vector_types.h>
#include <cmath>
#include <cstdio>
#include <vector>

#define GELU_SCALING_FACTOR sqrtf(2.0f / 3.14159265358979f)

__device__ __host__ static inline float gelu(float x) {
    return 0.5f * x * (1.0f + tanhf(GELU_SCALING_FACTOR * (x + 0.044715f * x * x * x)));
}

__device__ inline float4 add_float4(const float4 &a, const float4 &b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void gelu4(float *__restrict__ out, const float *__restrict__ in, float4 bias, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 3 < n) {
        float4 v = add_float4(reinterpret_cast<const float4 *>(in)[i / 4], bias);
        float4 r = {gelu(v.x), gelu(v.y), gelu(v.z), gelu(v.w)};
        *reinterpret_cast<float4 *>(out + i) = r;
    } else {
        const float *b = reinterpret_cast<const float *>(&bias);
        for (; i < n; i++) out[i] = gelu(in[i] + b[i % 4]);
    }
}

int main() {
    const int n = 4003;
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = (i % 81 - 40) * 0.1f;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    const float4 bias = make_float4(0.0f, 0.5f, -0.5f, 1.0f);
    const float b[4] = {bias.x, bias.y, bias.z, bias.w};
    gelu4<<<((n + 3) / 4 + 127) / 128, 128>>>(d_out, d_in, bias, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; i++) good = good && std::fabs(out[i] - gelu(in[i] + b[i % 4])) < 1e-4f;
    cudaFree(d_in);
    cudaFree(d_out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
