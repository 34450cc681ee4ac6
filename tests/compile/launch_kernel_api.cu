// Launches without chevrons: cudaLaunchKernel with an array of pointers.
#include <cuda_runtime.h>
#include <cstdio>

struct Pair {
    short a;
    double b;
};

__global__ void mixed(double *out, char c, Pair p, const int *in) {
    out[threadIdx.x] = c + p.a * p.b + in[threadIdx.x];
}
template <typename T> __global__ void clear(T *p) { p[threadIdx.x] = T(0); }

int main() {
    const int n = 48;
    double *out, h[n];
    int *in, hin[n];
    for (int i = 0; i < n; i++) hin[i] = i;
    cudaMalloc(&out, sizeof(h));
    cudaMalloc(&in, sizeof(hin));
    cudaMemcpy(in, hin, sizeof(hin), cudaMemcpyHostToDevice);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    void *clearArgs[] = {&out};
    bool good = cudaLaunchKernel((const void *)clear<double>, 1, n, clearArgs, 0, stream) == cudaSuccess;
    char c = 3;
    Pair p = {4, 0.5};
    void *args[] = {(void *)&out, &c, &p, &in};
    good &= cudaLaunchKernel(reinterpret_cast<void *>(&mixed), dim3(1, 1, 1), dim3(n, 1, 1), args, 0,
                             stream) == cudaSuccess;
    cudaMemcpyAsync(h, out, sizeof(h), cudaMemcpyDeviceToHost, stream);
    good &= cudaStreamSynchronize(stream) == cudaSuccess;
    for (int i = 0; i < n; i++) good = good && h[i] == 5.0 + i;
    cudaStreamDestroy(stream);
    cudaFree(out);
    cudaFree(in);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
