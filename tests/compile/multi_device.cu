// A vector spread over all devices, each with its stream; their partial sums meet on the host.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

struct Plan {
    int device, first, count;
    float *data, *sum;
    cudaStream_t stream;
};

__global__ void partialSum(const float *data, int n, float *sum) {
    __shared__ float cache[128];
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += data[i];
    cache[threadIdx.x] = v;
    for (int half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *sum = cache[0];
}

int main() {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    const int n = 9001;
    std::vector<float> host(n);
    double expected = 0, total = 0;
    for (int i = 0; i < n; i++) expected += host[i] = (i % 16) * 0.5f;
    std::vector<Plan> plans(devices);
    for (int d = 0; d < devices; d++) {
        Plan &p = plans[d];
        cudaSetDevice(p.device = d);
        p.first = int((long long)n * d / devices);
        p.count = int((long long)n * (d + 1) / devices) - p.first;
        cudaStreamCreate(&p.stream);
        cudaMalloc(&p.data, p.count * sizeof(float));
        cudaMalloc(&p.sum, sizeof(float));
        cudaMemcpyAsync(p.data, &host[p.first], p.count * sizeof(float), cudaMemcpyHostToDevice, p.stream);
        partialSum<<<1, 128, 0, p.stream>>>(p.data, p.count, p.sum);
    }
    for (Plan &p : plans) {
        float part = 0;
        cudaSetDevice(p.device);
        cudaStreamSynchronize(p.stream);
        cudaMemcpy(&part, p.sum, sizeof(part), cudaMemcpyDeviceToHost);
        total += part;
        cudaFree(p.data);
        cudaFree(p.sum);
        cudaStreamDestroy(p.stream);
    }
    cudaSetDevice(0);
    bool good = devices > 0 && total == expected;
    printf("%s (%d devices)\n", good ? "PASS" : "FAIL", devices);
    return good ? 0 : 1;
}
