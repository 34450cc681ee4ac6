// Host code of a CUDA program, as it is found: memory, copies, streams, events, devices, errors,
// collectives. Ported, it runs on any back end of libcmrt; what it prints at the end is PASS.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "check.cuh"

static void copies() {
    const size_t n = 4096;
    std::vector<int> a(n), b(n, -1);
    for (size_t i = 0; i < n; i++) a[i] = int(i);
    int *d, *e, *pinned;
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    CHECK(cudaMalloc((void **)&e, n * sizeof(int)));
    CHECK(cudaMemcpy(d, a.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(e, d, n * sizeof(int), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(b.data(), e, n * sizeof(int), cudaMemcpyDeviceToHost));
    HOLDS(a == b);
    CHECK(cudaMemset(d, 0x11, 8));
    CHECK(cudaMemcpy(b.data(), d, n * sizeof(int), cudaMemcpyDefault));
    HOLDS(b[0] == 0x11111111 && b[1] == 0x11111111 && b[2] == 2);

    // Rows of a matrix, through pinned memory and a stream.
    size_t pitch;
    char *matrix;
    CHECK(cudaMallocPitch((void **)&matrix, &pitch, 100, 8));
    CHECK(cudaHostAlloc((void **)&pinned, 800, cudaHostAllocDefault));
    std::memset(pinned, 7, 800);
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMemcpy2DAsync(matrix, pitch, pinned, 100, 100, 8, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemset2DAsync(matrix, pitch, 9, 50, 8, stream));
    std::vector<char> back(800);
    CHECK(cudaMemcpy2DAsync(back.data(), 100, matrix, pitch, 100, 8, cudaMemcpyDeviceToHost,
                            stream));
    CHECK(cudaStreamSynchronize(stream));
    HOLDS(back[0] == 9 && back[49] == 9 && back[50] == 7 && back[799] == 7);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(matrix));
    CHECK(cudaFree(d));
    CHECK(cudaFree(e));
    CHECK(cudaFree(nullptr));
}

static void CUDART_CB count(void *data) { ++*static_cast<int *>(data); }

static void order() {
    cudaStream_t a, b;
    cudaEvent_t start, done;
    int calls = 0, *d, value = 41, got = 0;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CHECK(cudaMallocAsync((void **)&d, sizeof(int), a));
    CHECK(cudaEventRecord(start, a));
    CHECK(cudaMemcpyAsync(d, &value, sizeof(int), cudaMemcpyHostToDevice, a));
    CHECK(cudaEventRecord(done, a));
    CHECK(cudaStreamWaitEvent(b, done, 0));
    CHECK(cudaMemcpyAsync(&got, d, sizeof(int), cudaMemcpyDeviceToHost, b));
    CHECK(cudaLaunchHostFunc(b, count, &calls));
    CHECK(cudaStreamSynchronize(b));
    HOLDS(got == 41 && calls == 1 && cudaStreamQuery(b) == cudaSuccess);
    CHECK(cudaEventSynchronize(start));
    float ms;
    HOLDS(cudaEventElapsedTime(&ms, start, done) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    CHECK(cudaFreeAsync(d, a));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

static void errors() {
    void *p = nullptr, *q = nullptr;
    HOLDS(cudaMalloc(&p, size_t(1) << 60) == cudaErrorMemoryAllocation);
    HOLDS(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
    HOLDS(cudaSetDevice(1000) == cudaErrorInvalidDevice);
    CHECK(cudaMalloc(&q, 64));
    CHECK(cudaFree(q));
    HOLDS(cudaFree(q) == cudaErrorInvalidValue);
    HOLDS(cudaMemcpy(nullptr, &p, 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamDestroy(s));
    HOLDS(cudaStreamSynchronize(s) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static void collectives(int devices) {
    const int n = 1000;
    std::vector<ncclComm_t> comms(devices);
    std::vector<cudaStream_t> streams(devices);
    std::vector<float *> from(devices), to(devices);
    std::vector<float> host(n);
    NCCL(ncclCommInitAll(comms.data(), devices, nullptr));
    for (int d = 0; d < devices; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamCreate(&streams[d]));
        CHECK(cudaMalloc(&from[d], n * sizeof(float)));
        CHECK(cudaMalloc(&to[d], n * sizeof(float)));
        for (int i = 0; i < n; i++) host[i] = float(i + d);
        CHECK(cudaMemcpy(from[d], host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    }
    auto value = [&](int d, int i) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamSynchronize(streams[d]));
        CHECK(cudaMemcpy(host.data(), to[d], n * sizeof(float), cudaMemcpyDeviceToHost));
        return host[i];
    };
    const ncclRedOp_t ops[] = {ncclSum, ncclMax, ncclAvg};
    const float results[] = {1001, 501, 500.5f}; // of elements 500 of two devices
    for (int k = 0; k < 3 && devices == 2; k++) {
        NCCL(ncclGroupStart());
        for (int d = 0; d < devices; d++)
            NCCL(ncclAllReduce(from[d], to[d], n, ncclFloat, ops[k], comms[d], streams[d]));
        NCCL(ncclGroupEnd());
        for (int d = 0; d < devices; d++) HOLDS(value(d, 500) == results[k]);
    }
    NCCL(ncclGroupStart());
    for (int d = 0; d < devices; d++)
        NCCL(ncclBroadcast(from[d], to[d], n, ncclFloat, devices - 1, comms[d], streams[d]));
    NCCL(ncclGroupEnd());
    HOLDS(value(0, 7) == float(7 + devices - 1));
    NCCL(ncclGroupStart());
    for (int d = 0; d < devices; d++) {
        NCCL(ncclSend(from[d], n, ncclFloat, (d + 1) % devices, comms[d], streams[d]));
        NCCL(ncclRecv(to[d], n, ncclFloat, (d + devices - 1) % devices, comms[d], streams[d]));
    }
    NCCL(ncclGroupEnd());
    HOLDS(value(0, 9) == float(9 + devices - 1) && value(devices - 1, 9) == float(9 + (devices + devices - 2) % devices));
    NCCL(ncclGroupStart());
    for (int d = 0; d < devices; d++)
        NCCL(ncclReduceScatter(from[d], to[d], n / devices, ncclFloat, ncclSum, comms[d], streams[d]));
    NCCL(ncclGroupEnd());
    HOLDS(devices != 2 || value(1, 0) == 1001);
    for (int d = 0; d < devices; d++) {
        CHECK(cudaSetDevice(d));
        NCCL(ncclCommDestroy(comms[d]));
        CHECK(cudaFree(from[d]));
        CHECK(cudaFree(to[d]));
        CHECK(cudaStreamDestroy(streams[d]));
    }
    CHECK(cudaSetDevice(0));
}

int main() {
    int devices = 0;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaGetDeviceProperties(&p, devices - 1));
    copies();
    order();
    errors();
    collectives(devices);
    size_t available, total;
    CHECK(cudaMemGetInfo(&available, &total));
    HOLDS(available == total);
    std::printf("PASS on %s, %d devices\n", p.name, devices);
    return 0;
}
