// Copies behind kernels, to memory that is neither pinned nor of the device: they take what the kernel
// left there, be it a variable of the device's; and a graph's copy to such memory is done when the
// launch returns, as on a GPU, where it goes through a buffer of the driver's.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__device__ float values[64];
__device__ int total;

__global__ void put(float *where, float base) {
    if (threadIdx.x == 0) atomicAdd(&total, 1);
    for (volatile int round = 0; round < 20000;) round++;
    where[threadIdx.x] = base + threadIdx.x;
}

static int wrong(const float *got, float base) {
    int n = 0;
    for (int i = 0; i < 64; i++) n += got[i] != base + i;
    return n;
}

int main() {
    float *address, *device, host[64] = {0}, *more = (float *)malloc(sizeof host);
    int bad = 0, count = 0;
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) return 1;
    if (cudaGetSymbolAddress((void **)&address, values) || cudaMalloc(&device, 256)) return 1;

    cudaMemcpyAsync(address, host, sizeof host, cudaMemcpyHostToDevice, stream);
    put<<<1, 64, 0, stream>>>(address, 1);
    cudaMemcpyAsync(host, address, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyFromSymbolAsync(&count, total, sizeof count, 0, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    bad += wrong(host, 1) + (count != 1);

    put<<<1, 64, 0, stream>>>(address, 2);
    cudaMemcpyAsync(device, address, sizeof host, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDefault, stream);
    put<<<1, 64, 0, stream>>>(address, 3);
    cudaMemcpyAsync(device, address, sizeof host, cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    bad += wrong(host, 2);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    bad += wrong(host, 3);

    // A source of the host's is taken before the call returns.
    memset(host, 0, sizeof host);
    put<<<1, 64, 0, stream>>>(address, 4);
    cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream);
    host[5] = 99;
    cudaMemcpyAsync(more, device, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    bad += more[5] != 0;

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t in, kernel, out;
    float base = 7;
    void *arguments[] = {&device, &base};
    cudaKernelNodeParams params = {0};
    params.func = (void *)put;
    params.gridDim = dim3(1), params.blockDim = dim3(64);
    params.kernelParams = arguments;
    if (cudaGraphCreate(&graph, 0)) return 1;
    cudaGraphAddMemcpyNode1D(&in, graph, NULL, 0, device, more, 256, cudaMemcpyHostToDevice);
    cudaGraphAddKernelNode(&kernel, graph, &in, 1, &params);
    cudaGraphAddMemcpyNode1D(&out, graph, &kernel, 1, more, device, 256, cudaMemcpyDeviceToHost);
    if (cudaGraphInstantiate(&exec, graph, NULL, NULL, 0)) return 1;
    for (int round = 0; round < 20; round++) {
        memset(more, 0, sizeof host);
        cudaGraphLaunch(exec, stream);
        bad += wrong(more, 7);
    }
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    puts(bad ? "FAIL" : "PASS");
    free(more);
    return cudaFree(device) || cudaStreamDestroy(stream) || bad;
}
