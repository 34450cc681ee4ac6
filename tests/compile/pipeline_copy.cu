// Asynchronous copies from global to shared memory, two stages deep (sm_80's cp.async).
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define TILE 128

__global__ void stagedSum(const float4 *in, float *out, int tiles) {
    __shared__ float4 stage[2][TILE];
    float sum = 0.0f;
    __pipeline_memcpy_async(&stage[0][threadIdx.x], &in[threadIdx.x], sizeof(float4));
    __pipeline_commit();
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles)
            __pipeline_memcpy_async(&stage[(t + 1) % 2][threadIdx.x],
                                    &in[(t + 1) * TILE + threadIdx.x], sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = stage[t % 2][TILE - 1 - threadIdx.x];
        sum += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

int main() {
    const int tiles = 6, n = tiles * TILE;
    std::vector<float4> in(n);
    std::vector<float> out(TILE);
    for (int i = 0; i < n; i++) in[i] = make_float4(i, 1.0f, 0.5f, -2.0f);
    float4 *d_in;
    float *d_out;
    cudaMalloc(&d_in, n * sizeof(float4));
    cudaMalloc(&d_out, TILE * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    stagedSum<<<1, TILE>>>(d_in, d_out, tiles);
    cudaMemcpy(out.data(), d_out, TILE * sizeof(float), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < TILE; i++) {
        float sum = 0;
        for (int t = 0; t < tiles; t++) sum += t * TILE + TILE - 1 - i - 0.5f;
        good = good && out[i] == sum;
    }
    cudaFree(d_in);
    cudaFree(d_out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
