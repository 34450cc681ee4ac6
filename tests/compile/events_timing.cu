// Times a kernel with events, and orders two streams with one.
#include <cuda_runtime.h>
#include <cstdio>

class Timer {
    cudaEvent_t start_, stop_;
    cudaStream_t stream_;

  public:
    explicit Timer(cudaStream_t stream = 0) : stream_(stream) {
        cudaEventCreate(&start_);
        cudaEventCreateWithFlags(&stop_, cudaEventDefault);
    }
    ~Timer() {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    void start() { cudaEventRecord(start_, stream_); }
    float stop() {
        float ms = -1.0f;
        cudaEventRecord(stop_, stream_);
        cudaEventSynchronize(stop_);
        return cudaEventElapsedTime(&ms, start_, stop_) == cudaSuccess ? ms : -1.0f;
    }
};

__global__ void fill(int *p, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value;
}
__global__ void addOne(const int *from, int *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + 1;
}

int main() {
    const int n = 10000;
    int *a, *b;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaStream_t producer, consumer;
    cudaStreamCreate(&producer);
    cudaStreamCreate(&consumer);
    cudaEvent_t ready;
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);

    Timer timer(producer);
    timer.start();
    fill<<<(n + 255) / 256, 256, 0, producer>>>(a, n, 41);
    float ms = timer.stop();

    cudaEventRecord(ready, producer);
    cudaStreamWaitEvent(consumer, ready, 0);
    addOne<<<(n + 255) / 256, 256, 0, consumer>>>(a, b, n);
    cudaStreamSynchronize(consumer);
    bool good = ms >= 0.0f && cudaEventQuery(ready) == cudaSuccess;

    static int h[n];
    cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) good = good && h[i] == 42;
    cudaEventDestroy(ready);
    cudaStreamDestroy(producer);
    cudaStreamDestroy(consumer);
    cudaFree(a);
    cudaFree(b);
    printf(good ? "PASS\n" : "FAIL\n");
    return good ? 0 : 1;
}
