// A sequence of copies and kernels captured from a stream and replayed as a graph.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                               \
    if ((call) != cudaSuccess) {                                                                  \
        printf("FAIL: %s: %s\n", #call, cudaGetErrorString(cudaGetLastError()));                  \
        return 1;                                                                                 \
    }

__global__ void increment(int *p, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}

int main() {
    const int n = 2048, replays = 10;
    int *device;
    std::vector<int> host(n, 1);
    CHECK(cudaMalloc(&device, n * sizeof(int)));
    CHECK(cudaMemcpy(device, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 1; i <= 3; i++) increment<<<(n + 255) / 256, 256, 0, stream>>>(device, n, i);
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(stream, &status));
    bool good = status == cudaStreamCaptureStatusActive;
    CHECK(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int i = 0; i < replays; i++) CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(device));
    good = good && nodes == 3;
    for (int v : host) good = good && v == 1 + 6 * replays;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
