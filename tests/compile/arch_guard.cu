// One function for both sides, which asks the preprocessor where it is; feature tests of versions.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>

#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif
#if defined(CUDART_VERSION) && CUDART_VERSION < 9000
#error "too old"
#endif

HOST_DEVICE inline float inverseRoot(float v) {
#if defined(__CUDA_ARCH__)
    return rsqrtf(v);
#else
    return 1.0f / std::sqrt(v);
#endif
}

HOST_DEVICE inline int side() {
#ifdef __CUDA_ARCH__
    return 2;
#else
    return 1;
#endif
}

__global__ void kernel(float *out, int *where, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = inverseRoot(i + 1.0f);
    if (i == 0) *where = side();
}

int main() {
    const int n = 100;
    float h[n], *d;
    int *d_where, where = 0;
    cudaMalloc(&d, sizeof(h));
    cudaMalloc(&d_where, sizeof(int));
    kernel<<<1, 128>>>(d, d_where, n);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaMemcpy(&where, d_where, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFree(d_where);
    // A machine without a device side may run kernels as host code.
    bool good = side() == 1 && (where == 2 || where == 1);
    for (int i = 0; i < n; i++) good = good && std::fabs(h[i] - inverseRoot(i + 1.0f)) < 1e-5f;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
