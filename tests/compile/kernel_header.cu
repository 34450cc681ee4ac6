// Uses the kernels of its project's header.
#include "kernel_header.cuh"

#include <cstdio>

int main() {
    const int n = 500;
    static float a[n], b[n], out[n];
    for (int i = 0; i < n; i++) a[i] = (float)i, b[i] = (float)(3 * i);
    cudaError_t status = shared_kernels::blendOnDevice(a, b, out, 0.25f, n, 0);
    bool good = status == cudaSuccess;
    for (int i = 0; i < n; i++) good = good && out[i] == 1.5f * i;
    printf("%s\n", good ? "PASS" : cudaGetErrorString(status));
    return good ? 0 : 1;
}
