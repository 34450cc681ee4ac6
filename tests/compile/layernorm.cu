// Layer normalisation, one warp per row, with read-only loads and a saved mean; and its softmax.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

#define WARP_SIZE 32
#define cudaCheck(err) (cudaCheck_((err), __FILE__, __LINE__))
static void cudaCheck_(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
}

__device__ inline float warpReduceSum(float val) {
    for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2) val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
    return val;
}
__device__ inline float warpReduceMax(float val) {
    for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
        val = fmaxf(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
    return val;
}

__global__ void layernorm_forward(float *out, float *mean, const float *inp, const float *weight, int N, int C) {
    int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE, warps = blockDim.x / WARP_SIZE;
    int row = blockIdx.x * warps + warp;
    if (row >= N) return;
    const float *x = inp + row * C;
    float sum = 0.0f, var = 0.0f;
    for (int i = lane; i < C; i += WARP_SIZE) sum += __ldg(x + i);
    float m = warpReduceSum(sum) / C;
    for (int i = lane; i < C; i += WARP_SIZE) var += (x[i] - m) * (x[i] - m);
    float s = rsqrtf(warpReduceSum(var) / C + 1e-5f);
    if (lane == 0 && mean != nullptr) __stcs(mean + row, m);
    for (int i = lane; i < C; i += WARP_SIZE) out[row * C + i] = s * (__ldcs(x + i) - m) * weight[i];
}

__global__ void softmax_forward(float *out, const float *inp, int N, int C) {
    int row = blockIdx.x * (blockDim.x / WARP_SIZE) + threadIdx.x / WARP_SIZE, lane = threadIdx.x % WARP_SIZE;
    if (row >= N) return;
    float top = -INFINITY, sum = 0.0f;
    for (int i = lane; i < C; i += WARP_SIZE) top = fmaxf(top, inp[row * C + i]);
    top = warpReduceMax(top);
    for (int i = lane; i < C; i += WARP_SIZE) sum += __expf(inp[row * C + i] - top);
    sum = warpReduceSum(sum);
    for (int i = lane; i < C; i += WARP_SIZE) out[row * C + i] = expf(inp[row * C + i] - top) / sum;
}

int main() {
    const int N = 13, C = 75;
    std::vector<float> inp(N * C), weight(C), out(N * C), soft(N * C), mean(N);
    for (int i = 0; i < N * C; i++) inp[i] = (i * 31 % 97) * 0.05f;
    for (int i = 0; i < C; i++) weight[i] = 1.0f + i % 2;
    float *d_inp, *d_weight, *d_out, *d_mean;
    cudaCheck(cudaMalloc(&d_inp, N * C * sizeof(float)));
    cudaCheck(cudaMalloc(&d_weight, C * sizeof(float)));
    cudaCheck(cudaMalloc(&d_out, N * C * sizeof(float)));
    cudaCheck(cudaMalloc(&d_mean, N * sizeof(float)));
    cudaCheck(cudaMemcpy(d_inp, inp.data(), N * C * sizeof(float), cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(d_weight, weight.data(), C * sizeof(float), cudaMemcpyHostToDevice));
    layernorm_forward<<<(N + 3) / 4, 128>>>(d_out, d_mean, d_inp, d_weight, N, C);
    cudaCheck(cudaGetLastError());
    cudaCheck(cudaMemcpy(out.data(), d_out, N * C * sizeof(float), cudaMemcpyDeviceToHost));
    cudaCheck(cudaMemcpy(mean.data(), d_mean, N * sizeof(float), cudaMemcpyDeviceToHost));
    softmax_forward<<<(N + 1) / 2, 64>>>(d_out, d_inp, N, C);
    cudaCheck(cudaMemcpy(soft.data(), d_out, N * C * sizeof(float), cudaMemcpyDeviceToHost));
    cudaCheck(cudaFree(d_inp));
    cudaCheck(cudaFree(d_weight));
    cudaCheck(cudaFree(d_out));
    cudaCheck(cudaFree(d_mean));
    bool good = true;
    for (int r = 0; r < N; r++) {
        double m = 0, v = 0, e = 0;
        for (int i = 0; i < C; i++) m += inp[r * C + i] / C;
        for (int i = 0; i < C; i++) v += (inp[r * C + i] - m) * (inp[r * C + i] - m) / C;
        for (int i = 0; i < C; i++) e += std::exp(inp[r * C + i]);
        good = good && std::fabs(mean[r] - m) < 1e-4;
        for (int i = 0; i < C; i++) {
            double expected = (inp[r * C + i] - m) / std::sqrt(v + 1e-5) * weight[i];
            good = good && std::fabs(out[r * C + i] - expected) < 1e-3 &&
                   std::fabs(soft[r * C + i] - std::exp(inp[r * C + i]) / e) < 1e-4;
        }
    }
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
