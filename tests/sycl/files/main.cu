#include "parts.cuh"
#include <stdio.h>

// Of no header.
extern __global__ void more(float *out, float by);
__device__ float some_more(float by);

__global__ void add(float *out) {
    Ray r(1);
    out[position(0)] += (r * 2).at(1) + r.lane(4) + (make_float3(1, 2, 3) + make_float3(1, 1, 1)).x;
    out[position(0)] += some_more(1) - 3;
    atomicAdd(&counter, 1);
}

int main() {
    float *device, host[64], four[4] = {1, 2, 3, 4};
    int count = -1;
    cudaMalloc(&device, sizeof host);
    cudaMemcpyToSymbol(coefficients, four, sizeof four);
    fill<<<1, 64>>>(device);
    add<<<1, 64>>>(device);
    more<<<1, 64>>>(device, 2);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    bool right = count == 128;
    for (int i = 0; i < 64; i++) right = right && host[i] == four[i & 3] * 6 + 2 + i % 4 + 2 + 2;
    puts(right ? "PASS" : "FAIL");
    return !right;
}
