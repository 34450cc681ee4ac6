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

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

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
    DO(cudaCtxResetPersistingL2Cache());
    DO(cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(other, s));
    DO(cudaFree(x));
    printf("%s\n", failures ? "FAIL" : "PASS");
    DO(cudaThreadExit());
    return failures != 0;
}
