// Streams with priorities, per-thread default streams by name, and a dependency chain of events.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void append(int *list, int *length, int value) {
    if (threadIdx.x == 0) list[atomicAdd(length, 1)] = value;
}

int main() {
    int least = 0, greatest = 0;
    bool good = cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && greatest <= least;
    const int n = 8;
    cudaStream_t streams[n];
    cudaEvent_t events[n];
    int *list, *length, host[n], priority = 1000; // two more are appended at the end
    unsigned int flags = 0;
    cudaMalloc(&list, sizeof(host) + 2 * sizeof(int));
    cudaMalloc(&length, sizeof(int));
    cudaMemset(length, 0, sizeof(int));
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        cudaStreamCreateWithPriority(&streams[i], cudaStreamNonBlocking, i % 2 ? greatest : least);
        cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming | cudaEventBlockingSync);
    }
    good &= cudaStreamGetPriority(streams[1], &priority) == cudaSuccess && priority == greatest;
    good &= cudaStreamGetFlags(streams[1], &flags) == cudaSuccess && flags == cudaStreamNonBlocking;
    for (int i = 0; i < n; i++) {
        if (i > 0) cudaStreamWaitEvent(streams[i], events[i - 1], 0);
        append<<<1, 32, 0, streams[i]>>>(list, length, 10 * i);
        cudaEventRecord(events[i], streams[i]);
    }
    good &= cudaEventSynchronize(events[n - 1]) == cudaSuccess;
    cudaMemcpy(host, list, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        good = good && host[i] == 10 * i;
        cudaEventDestroy(events[i]);
        cudaStreamDestroy(streams[i]);
    }
    append<<<1, 1, 0, cudaStreamPerThread>>>(list, length, -1);
    good &= cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess;
    append<<<1, 1, 0, cudaStreamLegacy>>>(list, length, -2);
    good &= cudaDeviceSynchronize() == cudaSuccess;
    cudaFree(list);
    cudaFree(length);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
