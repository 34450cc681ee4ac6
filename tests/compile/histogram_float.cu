// A histogram of floats in a range, with the extreme values found by atomicMin and atomicMax on
// the bits of positive floats.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void range(const float *v, int n, int *lowest, int *highest) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int bits = __float_as_int(v[i]);
        atomicMin(lowest, bits);
        atomicMax(highest, bits);
    }
}

__global__ void count(const float *v, int n, float low, float width, int bins, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int bin = min(bins - 1, static_cast<int>((v[i] - low) / width));
    atomicAdd(&out[max(bin, 0)], 1);
}

int main() {
    const int n = 5000, bins = 10;
    std::vector<float> v(n);
    for (int i = 0; i < n; i++) v[i] = 1.0f + static_cast<float>((i * 7) % 1000) / 128.0f;
    float *dv;
    int *extremes, *out;
    cudaMalloc(&dv, n * sizeof(float));
    cudaMalloc(&extremes, 2 * sizeof(int));
    cudaMalloc(&out, bins * sizeof(int));
    int start[2] = {0x7f7fffff, 0}, found[2], result[bins];
    cudaMemcpy(dv, &v[0], n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(extremes, start, sizeof(start), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, bins * sizeof(int));
    range<<<4, 256>>>(dv, n, extremes, extremes + 1);
    cudaMemcpy(found, extremes, sizeof(found), cudaMemcpyDeviceToHost);
    float low, high;
    memcpy(&low, &found[0], sizeof low);
    memcpy(&high, &found[1], sizeof high);
    count<<<(n + 255) / 256, 256>>>(dv, n, low, 0.78125f, bins, out);
    cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
    cudaFree(dv);
    cudaFree(extremes);
    cudaFree(out);
    int sum = 0;
    for (int r : result) sum += r;
    bool good = low == 1.0f && high == 1.0f + 999 / 128.0f && sum == n && result[0] == 500;
    printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
