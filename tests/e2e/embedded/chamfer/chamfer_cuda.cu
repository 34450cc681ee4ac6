// SPDX-License-Identifier: Apache-2.0
// Nearest points, the other cloud in shared memory by pieces.
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>

namespace {
constexpr int kPiece = 128;

__global__ void nearest_kernel(int b, int n, int m, const float *__restrict__ from,
                               const float *__restrict__ to, float *__restrict__ distance,
                               int *__restrict__ index) {
    __shared__ float buffer[kPiece * 3];
    for (int batch = blockIdx.y; batch < b; batch += gridDim.y) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        float3 p = make_float3(0.f, 0.f, 0.f);
        if (i < n) {
            const float *at = from + (batch * n + i) * 3;
            p = make_float3(at[0], at[1], at[2]);
        }
        float best = 1e30f;
        int best_index = -1;
        for (int first = 0; first < m; first += kPiece) {
            const int count = min(m - first, kPiece);
            for (int k = threadIdx.x; k < count * 3; k += blockDim.x)
                buffer[k] = to[(batch * m + first) * 3 + k];
            __syncthreads();
            for (int k = 0; k < count; ++k) {
                const float dx = buffer[3 * k] - p.x, dy = buffer[3 * k + 1] - p.y,
                            dz = buffer[3 * k + 2] - p.z;
                const float d = dx * dx + dy * dy + dz * dz;
                if (d < best) {
                    best = d;
                    best_index = first + k;
                }
            }
            __syncthreads();
        }
        if (i < n) {
            distance[batch * n + i] = best;
            index[batch * n + i] = best_index;
        }
    }
}

__global__ void nearest_grad_kernel(int b, int n, int m, const float *from, const float *to,
                                    const float *grad, const int *index, float *dfrom, float *dto) {
    for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < b * n; t += gridDim.x * blockDim.x) {
        const int batch = t / n, j = index[t];
        const float g = grad[t] * 2;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
            const float d = g * (from[t * 3 + axis] - to[(batch * m + j) * 3 + axis]);
            atomicAdd(&dfrom[t * 3 + axis], d);
            atomicAdd(&dto[(batch * m + j) * 3 + axis], -d);
        }
    }
}

void check(const char *what) {
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) {
        fprintf(stderr, "error in %s: %s\n", what, cudaGetErrorString(err));
        exit(-1);
    }
}
} // namespace

void nearest_launcher(int b, int n, int m, const float *from, const float *to, float *distance,
                      int *index) {
    dim3 blocks((n + kPiece - 1) / kPiece, b);
    nearest_kernel<<<blocks, kPiece>>>(b, n, m, from, to, distance, index);
    check("nearest");
}

void nearest_grad_launcher(int b, int n, int m, const float *from, const float *to,
                           const float *grad, const int *index, float *dfrom, float *dto) {
    nearest_grad_kernel<<<16, 64>>>(b, n, m, from, to, grad, index, dfrom, dto);
    check("nearest_grad");
}
