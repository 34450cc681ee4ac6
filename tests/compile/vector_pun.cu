// Memory read and written as vectors of another type, as kernels do to move 16 bytes at a time.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdio.h>

__device__ inline void unpack(const half *__restrict__ in, half *__restrict__ out) {
    float4 v = *reinterpret_cast<const float4 *>(in);
    const __half2 *pairs = reinterpret_cast<const __half2 *>(&v);
    for (int i = 0; i < 4; i++) {
        out[2 * i] = __low2half(pairs[i]);
        out[2 * i + 1] = __high2half(pairs[i]);
    }
}

__global__ void dot(const half *a, const half *b, float *out, int n) {
    float sum = 0;
    for (int i = threadIdx.x * 8; i < n; i += blockDim.x * 8) {
        half x[8], y[8];
        unpack(a + i, x);
        unpack(b + i, y);
        for (int k = 0; k < 8; k++) sum += __half2float(x[k]) * __half2float(y[k]);
    }
    atomicAdd(out, sum);
}

__global__ void swap_halves(int *data) {
    int4 v = reinterpret_cast<int4 *>(data)[threadIdx.x];
    int own[4] = {0, 0, 0, 0};
    *reinterpret_cast<int2 *>(own) = make_int2(v.z, v.w);
    *reinterpret_cast<int2 *>(own + 2) = make_int2(v.x, v.y);
    for (int k = 0; k < 4; k++) data[4 * threadIdx.x + k] = own[k];
}

int main() {
    const int n = 1024;
    half *a, *b;
    float *out, expected = 0;
    int *data, wrong = 0;
    if (cudaMallocManaged(&a, n * sizeof *a) || cudaMallocManaged(&b, n * sizeof *b) ||
        cudaMallocManaged(&out, sizeof *out) || cudaMallocManaged(&data, n * sizeof *data))
        return 1;
    for (int i = 0; i < n; i++) {
        a[i] = __float2half((float)(i % 16));
        b[i] = __float2half((float)(i % 5));
        expected += (float)((i % 16) * (i % 5));
        data[i] = i;
    }
    *out = 0;
    dot<<<1, 32>>>(a, b, out, n);
    swap_halves<<<1, n / 4>>>(data);
    if (cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < n; i++) wrong += data[i] != (i ^ 2);
    if (*out != expected) printf("%g instead of %g\n", *out, expected);
    puts(wrong || *out != expected ? "FAIL" : "PASS");
    return cudaFree(a) || cudaFree(b) || cudaFree(out) || cudaFree(data) || wrong;
}
