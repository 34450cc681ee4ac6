// Shared arrays that are read and written as vectors: CUDA places them where a float4 may lie,
// whatever their elements are; with alignas the program asks for it.
#include <cuda_runtime.h>
#include <stdio.h>

#define CHECK(call)                                                                              \
    do {                                                                                          \
        cudaError_t error = (call);                                                               \
        if (error != cudaSuccess) {                                                               \
            printf("%s: %s\n", #call, cudaGetErrorString(error));                                 \
            return 1;                                                                             \
        }                                                                                         \
    } while (0)

__global__ void reverse(const float *in, float *out) {
    __shared__ unsigned char odd;
    __shared__ float first[64];
    __shared__ unsigned char flags[3];
    __shared__ float second[64];
    __shared__ __align__(128) float third[64];
    const int t = threadIdx.x;
    if (t == 0) odd = 1, flags[0] = flags[1] = flags[2] = 0;
    *reinterpret_cast<float4 *>(&first[4 * t]) = reinterpret_cast<const float4 *>(in)[t];
    __syncthreads();
    const float4 v = *reinterpret_cast<float4 *>(&first[60 - 4 * t]);
    *reinterpret_cast<float4 *>(&second[4 * t]) = make_float4(v.w, v.z, v.y, v.x);
    *reinterpret_cast<float4 *>(&third[4 * t]) = make_float4(odd, flags[0], flags[1], flags[2]);
    __syncthreads();
    float4 sum = *reinterpret_cast<float4 *>(&second[4 * t]);
    const float4 more = *reinterpret_cast<float4 *>(&third[4 * t]);
    sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
    reinterpret_cast<float4 *>(out)[t] = sum;
    if (reinterpret_cast<size_t>(third) % 128) out[0] = -1;
}

int main() {
    float in[64], out[64], *d_in, *d_out;
    for (int i = 0; i < 64; i++) in[i] = (float)i;
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    reverse<<<1, 16>>>(d_in, d_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    for (int i = 0; i < 64; i++)
        if (out[i] != (float)(63 - i) + (i % 4 == 0)) {
            printf("out[%d] is %g\n", i, out[i]);
            return 1;
        }
    printf("PASS\n");
    return 0;
}
