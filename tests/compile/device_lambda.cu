// A generic kernel that calls what it is given: device lambdas and a functor (--extended-lambda).
#include <cuda_runtime.h>
#include <cstdio>

template <typename F> __global__ void forEachIndex(int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename F> void parallelFor(int n, F &&f, cudaStream_t stream = nullptr) {
    if (n > 0) forEachIndex<<<(n + 255) / 256, 256, 0, stream>>>(n, f);
}

struct Scale {
    double *p, by;
    __host__ __device__ void operator()(int i) const { p[i] *= by; }
};

int main() {
    const int n = 1000;
    double *p;
    cudaMallocManaged(&p, n * sizeof(double));
    const double base = 0.5;
    parallelFor(n, [=] __device__(int i) { p[i] = base + i; });
    parallelFor(n, Scale{p, 2.0});
    parallelFor(n, [p] __host__ __device__(int i) { p[i] -= 1.0; });
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) good = good && p[i] == 2.0 * i;
    cudaFree(p);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
