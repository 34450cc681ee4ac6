// Gravity between bodies, tiles of them in shared memory, positions as float4.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

#define EPS2 0.01f

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj) {
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + EPS2;
    float invDist = rsqrtf(distSqr);
    float s = bj.w * invDist * invDist * invDist;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void accelerations(const float4 *__restrict__ pos, float3 *acc, int n) {
    extern __shared__ float4 sharedPos[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 mine = i < n ? pos[i] : make_float4(0, 0, 0, 0);
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int tile = 0; tile * blockDim.x < n; tile++) {
        int j = tile * blockDim.x + threadIdx.x;
        sharedPos[threadIdx.x] = j < n ? pos[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 4
        for (unsigned int k = 0; k < blockDim.x; k++) a = bodyBodyInteraction(a, mine, sharedPos[k]);
        __syncthreads();
    }
    if (i < n) acc[i] = a;
}

int main() {
    const int n = 300, p = 64;
    std::vector<float4> pos(n);
    std::vector<float3> acc(n);
    for (int i = 0; i < n; i++)
        pos[i] = make_float4(sinf(i), cosf(2.0f * i), sinf(3.0f * i), 1.0f + i % 3);
    float4 *d_pos;
    float3 *d_acc;
    cudaMalloc(&d_pos, n * sizeof(float4));
    cudaMalloc(&d_acc, n * sizeof(float3));
    cudaMemcpy(d_pos, pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    accelerations<<<(n + p - 1) / p, p, p * sizeof(float4)>>>(d_pos, d_acc, n);
    cudaMemcpy(acc.data(), d_acc, n * sizeof(float3), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            double dx = pos[j].x - pos[i].x, dy = pos[j].y - pos[i].y, dz = pos[j].z - pos[i].z;
            double s = pos[j].w * std::pow(dx * dx + dy * dy + dz * dz + EPS2, -1.5);
            x += dx * s, y += dy * s, z += dz * s;
        }
        double scale = 1.0 + std::fabs(x) + std::fabs(y) + std::fabs(z);
        good = good && std::fabs(acc[i].x - x) < 1e-3 * scale &&
               std::fabs(acc[i].y - y) < 1e-3 * scale && std::fabs(acc[i].z - z) < 1e-3 * scale;
    }
    cudaFree(d_pos);
    cudaFree(d_acc);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
