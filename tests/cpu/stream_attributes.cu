// Hints of streams and launches, which are taken, and the names of CUDA's first years.
#include <cuda_runtime.h>
#include <stdio.h>

static int failures;
#define GIVES(error, call)                                                                        \
    do {                                                                                          \
        cudaError_t got = (call);                                                                 \
        if (got != (error)) failures++, printf("line %d: %s: %d\n", __LINE__, #call, (int)got);   \
    } while (0)
#define DO(call) GIVES(cudaSuccess, call)
#define HOLDS(condition)                                                                          \
    if (!(condition)) failures++, printf("line %d: %s\n", __LINE__, #condition)

__global__ void twice(int *x) {
    cudaGridDependencySynchronize();
    x[threadIdx.x] *= 2;
    cudaTriggerProgrammaticLaunchCompletion();
}

// The same for a kernel's node in a graph.
static void node(int *x, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphNode_t first, second;
    cudaKernelNodeAttrValue value = {};
    int grid = 0, block = 0;
    void *arguments[] = {&x};
    cudaKernelNodeParams params = {};
    params.func = (void *)twice;
    params.gridDim = dim3(1, 1, 1);
    params.blockDim = dim3(64, 1, 1);
    params.kernelParams = arguments;
    DO(cudaGraphCreate(&graph, 0));
    DO(cudaGraphAddKernelNode(&first, graph, NULL, 0, &params));
    DO(cudaGraphAddEmptyNode(&second, graph, NULL, 0));
    DO(cudaGraphAddDependencies(graph, &first, &second, 1));
    value.accessPolicyWindow.base_ptr = x;
    DO(cudaGraphKernelNodeSetAttribute(first, cudaKernelNodeAttributeAccessPolicyWindow, &value));
    GIVES(cudaErrorInvalidValue,
          cudaGraphKernelNodeSetAttribute(second, cudaKernelNodeAttributeAccessPolicyWindow, &value));
    DO(cudaGraphDestroy(graph));
    DO(cudaDeviceGraphMemTrim(0));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(99));
    DO(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, twice, 0, 0, 0));
    HOLDS(grid > 0 && block > 0 && block % 32 == 0);
    twice<<<1, 64, 0, s>>>(x);
    twice<<<1, 64, 0, s>>>(x);
    DO(cudaStreamSynchronize(s));
}

int main() {
    cudaStream_t s, other;
    cudaDeviceProp prop;
    int *x;
    DO(cudaStreamCreate(&s));
    DO(cudaStreamCreate(&other));
    DO(cudaMallocManaged(&x, 64 * sizeof(int)));
    DO(cudaGetDeviceProperties(&prop, 0));
    if (prop.persistingL2CacheMaxSize > 0)
        DO(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, prop.persistingL2CacheMaxSize));
    cudaStreamAttrValue value = {}, back = {};
    value.accessPolicyWindow.base_ptr = x;
    value.accessPolicyWindow.num_bytes = 64 * sizeof(int);
    value.accessPolicyWindow.hitRatio = 0.5f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    DO(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
    DO(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &back));
    HOLDS(back.accessPolicyWindow.base_ptr == x && back.accessPolicyWindow.hitRatio == 0.5f);
    DO(cudaStreamCopyAttributes(other, s));
    back.accessPolicyWindow.base_ptr = nullptr;
    DO(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &back));
    HOLDS(back.accessPolicyWindow.base_ptr == x);
    value.accessPolicyWindow.hitRatio = 2;
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
    value.syncPolicy = cudaSyncPolicyYield;
    DO(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));
    DO(cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &back));
    HOLDS(back.syncPolicy == cudaSyncPolicyYield);
    for (int i = 0; i < 64; i++) x[i] = i;
    twice<<<1, 64, 0, s>>>(x);
    DO(cudaThreadSynchronize());
    for (int i = 0; i < 64; i++) HOLDS(x[i] == 2 * i);
    node(x, s);
    for (int i = 0; i < 64; i++) HOLDS(x[i] == 8 * i);
    DO(cudaCtxResetPersistingL2Cache());
    DO(cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(other, s));
    DO(cudaFree(x));
    printf("%s\n", failures ? "FAIL" : "PASS");
    DO(cudaThreadExit());
    return failures != 0;
}
