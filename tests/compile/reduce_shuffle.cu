// A block's sum with warp shuffles: the warps leave their sums in shared memory, warp 0 adds these.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kWarp = 32;
#define FULL_MASK 0xffffffff

__inline__ __device__ float warpSum(float v) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2) v += __shfl_down_sync(FULL_MASK, v, offset);
    return v;
}

__inline__ __device__ float blockSum(float v) {
    static __shared__ float shared[kWarp];
    int lane = threadIdx.x % kWarp;
    int warp = threadIdx.x / kWarp;
    v = warpSum(v);
    if (lane == 0) shared[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / kWarp ? shared[lane] : 0.0f;
    if (warp == 0) v = warpSum(v);
    return v;
}

__global__ void sumKernel(const float *in, float *out, int n) {
    float v = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
    v = blockSum(v);
    if (threadIdx.x == 0) atomicAdd(out, v);
}

__global__ void allLanes(int *out) {
    int v = threadIdx.x % 32;
    for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffffu, v, mask);
    out[threadIdx.x] = v;
}

int main() {
    const int n = 1 << 15;
    std::vector<float> h(n);
    double expected = 0;
    for (int i = 0; i < n; i++) expected += h[i] = static_cast<float>(i % 13) * 0.25f;
    float *in, *out, sum = 0;
    int *lanes, l[128];
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMalloc(&lanes, sizeof(l));
    cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(float));
    sumKernel<<<8, 256>>>(in, out, n);
    allLanes<<<1, 128>>>(lanes);
    cudaMemcpy(&sum, out, sizeof(sum), cudaMemcpyDeviceToHost);
    cudaMemcpy(l, lanes, sizeof(l), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess && std::fabs(sum - expected) < 1e-3 * expected;
    for (int v : l) good = good && v == 496;
    cudaFree(in);
    cudaFree(out);
    cudaFree(lanes);
    printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
