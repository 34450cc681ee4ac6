// Memory allocated and freed in the order of a stream.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void addInto(const int *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i];
}

int main() {
    int device = 0, pools = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device);
    if (!pools) {
        printf("PASS (no memory pools here)\n");
        return 0;
    }
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, device);
    unsigned long long threshold = 1 << 20;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    const int n = 1234, rounds = 5;
    std::vector<int> h(n, 1), out(n);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *sum;
    bool good = cudaMallocAsync((void **)&sum, n * sizeof(int), stream) == cudaSuccess;
    cudaMemsetAsync(sum, 0, n * sizeof(int), stream);
    for (int r = 0; r < rounds; r++) {
        int *part;
        good &= cudaMallocAsync((void **)&part, n * sizeof(int), stream) == cudaSuccess;
        cudaMemcpyAsync(part, h.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
        addInto<<<(n + 255) / 256, 256, 0, stream>>>(part, sum, n);
        cudaFreeAsync(part, stream);
    }
    cudaMemcpyAsync(out.data(), sum, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(sum, stream);
    good &= cudaStreamSynchronize(stream) == cudaSuccess;
    cudaMemPoolTrimTo(pool, 0);
    cudaStreamDestroy(stream);
    for (int v : out) good = good && v == rounds;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
