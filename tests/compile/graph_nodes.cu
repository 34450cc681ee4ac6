// A graph built by hand: a memset, two kernels that depend on it, and a copy after both.
#include <cuda_runtime.h>
#include <cstdio>

static int failures = 0;
static void check(cudaError_t error, int line) {
    if (error == cudaSuccess) return;
    printf("line %d: %s\n", line, cudaGetErrorName(error));
    failures++;
}
#define CK(x) check(x, __LINE__)

__global__ void addIndex(int *p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] += i;
}

int main() {
    const int n = 64;
    int *device, host[2 * n];
    CK(cudaMalloc(&device, sizeof(host)));
    cudaGraph_t graph;
    CK(cudaGraphCreate(&graph, 0));

    cudaMemsetParams clear = {};
    clear.dst = device;
    clear.value = 0;
    clear.elementSize = sizeof(int);
    clear.width = 2 * n;
    clear.height = 1;
    cudaGraphNode_t clearNode, kernelNode[2], copyNode;
    CK(cudaGraphAddMemsetNode(&clearNode, graph, nullptr, 0, &clear));
    for (int k = 0; k < 2; k++) {
        int *p = device + k * n, count = n - k;
        void *args[] = {(void *)&p, (void *)&count};
        cudaKernelNodeParams params = {};
        params.func = (void *)addIndex;
        params.gridDim = dim3(1, 1, 1);
        params.blockDim = dim3(n, 1, 1);
        params.sharedMemBytes = 0;
        params.kernelParams = args;
        params.extra = nullptr;
        CK(cudaGraphAddKernelNode(&kernelNode[k], graph, &clearNode, 1, &params));
    }
    CK(cudaGraphAddMemcpyNode1D(&copyNode, graph, kernelNode, 2, host, device, sizeof(host),
                                cudaMemcpyDeviceToHost));
    cudaGraphExec_t exec;
    CK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    CK(cudaGraphLaunch(exec, 0));
    CK(cudaStreamSynchronize(0));
    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphDestroy(graph));
    CK(cudaFree(device));
    for (int i = 0; i < n; i++) failures += host[i] != i || host[n + i] != (i < n - 1 ? i : 0);
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
