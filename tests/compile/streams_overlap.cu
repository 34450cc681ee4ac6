// Work cut into chunks, each copied, computed and copied back in a stream of its own.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

inline cudaError_t checkCuda(cudaError_t result) {
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        exit(1);
    }
    return result;
}

__global__ void square(float *a, int offset) {
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    a[i] = a[i] * a[i] + 1.0f;
}

int main() {
    const int blockSize = 256, nStreams = 4;
    const int n = 8 * 1024 * nStreams;
    const int streamSize = n / nStreams, streamBytes = streamSize * sizeof(float);
    float *a, *d_a;
    checkCuda(cudaMallocHost((void **)&a, n * sizeof(float)));
    checkCuda(cudaMalloc((void **)&d_a, n * sizeof(float)));
    cudaStream_t stream[nStreams];
    for (int i = 0; i < nStreams; ++i)
        checkCuda(i % 2 ? cudaStreamCreate(&stream[i])
                        : cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    bool good = true;

    for (int version = 0; version < 2; version++) {
        for (int i = 0; i < n; i++) a[i] = (float)(i % 100);
        if (version == 0) {
            for (int i = 0; i < nStreams; ++i) {
                int offset = i * streamSize;
                checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes,
                                          cudaMemcpyHostToDevice, stream[i]));
                square<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
                checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes,
                                          cudaMemcpyDeviceToHost, stream[i]));
            }
        } else {
            for (int i = 0; i < nStreams; ++i)
                checkCuda(cudaMemcpyAsync(d_a + i * streamSize, a + i * streamSize, streamBytes,
                                          cudaMemcpyHostToDevice, stream[i]));
            for (int i = 0; i < nStreams; ++i)
                square<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, i * streamSize);
            for (int i = 0; i < nStreams; ++i)
                checkCuda(cudaMemcpyAsync(a + i * streamSize, d_a + i * streamSize, streamBytes,
                                          cudaMemcpyDeviceToHost, stream[i]));
        }
        checkCuda(cudaDeviceSynchronize());
        for (int i = 0; i < nStreams; ++i) good &= cudaStreamQuery(stream[i]) == cudaSuccess;
        for (int i = 0; i < n; i++) good &= a[i] == (float)((i % 100) * (i % 100) + 1);
    }
    for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamDestroy(stream[i]));
    cudaFree(d_a);
    cudaFreeHost(a);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
