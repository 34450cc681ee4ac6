// A convolution whose filter lies in constant memory; a struct and a scalar beside it.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define RADIUS 4
#define TAPS (2 * RADIUS + 1)

__constant__ float c_filter[TAPS];
namespace config {
struct Limits {
    float low, high;
};
__constant__ Limits limits;
} // namespace config
__constant__ int offset = 1; // has a value from the start

__global__ void convolve(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = (float)offset;
    for (int k = -RADIUS; k <= RADIUS; k++) {
        int j = i + k;
        if (j >= 0 && j < n) sum += in[j] * c_filter[k + RADIUS];
    }
    out[i] = fminf(fmaxf(sum, config::limits.low), config::limits.high);
}

int main() {
    const int n = 1000;
    float filter[TAPS];
    for (int i = 0; i < TAPS; i++) filter[i] = (float)(i + 1);
    config::Limits limits = {2.0f, 150.0f};
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = (float)(i % 9 - 2);

    cudaMemcpyToSymbol(c_filter, filter, sizeof(filter));
    cudaMemcpyToSymbol(config::limits, &limits, sizeof(limits), 0, cudaMemcpyHostToDevice);
    int minus = -7;
    cudaMemcpyToSymbolAsync(offset, &minus, sizeof(int), 0, cudaMemcpyHostToDevice, 0);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    convolve<<<(n + 63) / 64, 64>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    float back[TAPS];
    cudaMemcpyFromSymbol(back, c_filter, sizeof(back));
    bool good = cudaGetLastError() == cudaSuccess && back[TAPS - 1] == TAPS;
    for (int i = 0; i < n; i++) {
        float sum = -7;
        for (int k = -RADIUS; k <= RADIUS; k++)
            if (i + k >= 0 && i + k < n) sum += in[i + k] * filter[k + RADIUS];
        if (sum < 2) sum = 2;
        if (sum > 150) sum = 150;
        good = good && out[i] == sum;
    }
    cudaFree(d_in);
    cudaFree(d_out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
