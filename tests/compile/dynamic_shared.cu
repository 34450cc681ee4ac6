// One dynamic shared buffer cut into arrays of several types, more than 48 KB where allowed.
#include <cuda_runtime.h>
#include <cstdio>

extern __shared__ __align__(16) unsigned char smem[];

__global__ void sortOfSum(const float *in, float *out, int n) {
    float *values = reinterpret_cast<float *>(smem);
    int *counts = reinterpret_cast<int *>(values + n);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        values[i] = in[i];
        counts[i] = i;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = values[n - 1 - i] + counts[i];
}

template <class T> __global__ void typed(T *out) {
    extern __shared__ double base[];
    T *mine = (T *)base;
    mine[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = mine[blockDim.x - 1 - threadIdx.x];
}

int main() {
    const int n = 7000;
    static float in[n], out[n];
    for (int i = 0; i < n; i++) in[i] = 0.5f * i;
    int device, limit = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const size_t bytes = n * (sizeof(float) + sizeof(int));
    int used = n;
    if (cudaFuncSetAttribute(sortOfSum, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) !=
            cudaSuccess ||
        (limit != 0 && limit < (int)bytes)) {
        cudaGetLastError(); // it is not sticky
        used = 5000;
    }
    cudaFuncSetCacheConfig(sortOfSum, cudaFuncCachePreferShared);
    float *d_in, *d_out;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    sortOfSum<<<1, 256, used * (sizeof(float) + sizeof(int))>>>(d_in, d_out, used);
    cudaMemcpy(out, d_out, used * sizeof(float), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < used; i++) good = good && out[i] == in[used - 1 - i] + i;
    short *d_s, s[64];
    cudaMalloc(&d_s, sizeof(s));
    typed<short><<<1, 64, 64 * sizeof(short)>>>(d_s);
    cudaMemcpy(s, d_s, sizeof(s), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) good = good && s[i] == 63 - i;
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_s);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
