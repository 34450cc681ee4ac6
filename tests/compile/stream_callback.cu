// The host is called when a stream gets there: the old callback and the host function.
#include <cuda_runtime.h>
#include <atomic>
#include <cstdio>

static std::atomic<int> calls{0};
struct Work {
    int *host;
    int count, sum;
};

static void CUDART_CB onDone(cudaStream_t stream, cudaError_t status, void *data) {
    (void)stream;
    if (status == cudaSuccess) calls += *static_cast<int *>(data);
}

static void CUDART_CB addUp(void *data) {
    Work *work = static_cast<Work *>(data);
    work->sum = 0;
    for (int i = 0; i < work->count; i++) work->sum += work->host[i];
}

__global__ void ones(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = 1;
}

int main() {
    const int n = 777;
    int *device, *host, ten = 10;
    cudaStream_t stream;
    cudaMalloc(&device, n * sizeof(int));
    cudaMallocHost(&host, n * sizeof(int));
    cudaStreamCreate(&stream);
    Work work = {host, n, -1};
    ones<<<(n + 63) / 64, 64, 0, stream>>>(device, n);
    cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    bool good = cudaLaunchHostFunc(stream, addUp, &work) == cudaSuccess;
    good &= cudaStreamAddCallback(stream, onDone, &ten, 0) == cudaSuccess;
    good &= cudaStreamSynchronize(stream) == cudaSuccess;
    good = good && work.sum == n && calls == 10;
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
    cudaFree(device);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
