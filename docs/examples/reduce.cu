#include <cuda_runtime.h>

#include <cstdio>

#define CHECK(call)                                                                      \
    if (cudaError_t error = (call)) {                                                    \
        std::fprintf(stderr, "cudaMalloc and co: %s\n", cudaGetErrorString(error));      \
        return 1;                                                                        \
    }

// One sum for each warp: 32 lanes, whatever the hardware's width is.
__global__ void warp_sums(const float *in, float *out) {
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    unsigned positive = __ballot_sync(0xffffffff, v > 0);
    if (threadIdx.x % 32 == 0) atomicAdd(out, __popc(positive) ? v : 0.f);
}

int main() {
    float *in, *out, result = 0;
    CHECK(cudaMallocManaged(&in, 1024 * sizeof(float)));
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemset(out, 0, sizeof(float)));
    for (int i = 0; i < 1024; i++) in[i] = 1;
    warp_sums<<<4, 256>>>(in, out);
    CHECK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    std::printf("%g\n", result);
    return result == 1024 ? 0 : 1;
}
