// y = a * x + y as a template over the type and the elements per thread, in a namespace.
#include <cuda_runtime.h>
#include <iostream>
#include <vector>

namespace blas {

template <typename T, int PerThread>
__global__ void axpy(T a, const T *__restrict__ x, T *__restrict__ y, int n) {
    int base = (blockIdx.x * blockDim.x + threadIdx.x) * PerThread;
#pragma unroll
    for (int k = 0; k < PerThread; ++k)
        if (base + k < n) y[base + k] += a * x[base + k];
}

template <typename T> struct Launcher {
    static void run(T a, const T *x, T *y, int n, cudaStream_t stream) {
        dim3 block(128);
        dim3 grid((n + block.x * 4 - 1) / (block.x * 4));
        axpy<T, 4><<<grid, block, 0, stream>>>(a, x, y, n);
    }
};

} // namespace blas

template <typename T> static bool test(int n) {
    std::vector<T> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = T(i % 7), y[i] = T(i % 3);
    T *dx = nullptr, *dy = nullptr;
    cudaMalloc(&dx, n * sizeof(T));
    cudaMalloc(&dy, n * sizeof(T));
    cudaMemcpy(dx, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    blas::Launcher<T>::run(T(3), dx, dy, n, stream);
    ::blas::axpy<T, (2 > 1 ? 1 : 2)><<<dim3((n + 255) / 256), 256, 0, stream>>>(T(1), dx, dy, n);
    cudaStreamSynchronize(stream);
    std::vector<T> result(n);
    cudaMemcpy(result.data(), dy, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaStreamDestroy(stream);
    cudaFree(dx);
    cudaFree(dy);
    for (int i = 0; i < n; ++i)
        if (result[i] != y[i] + T(4) * x[i]) return false;
    return cudaGetLastError() == cudaSuccess;
}

int main() {
    bool good = test<float>(10007) && test<double>(1000) && test<int>(513);
    std::cout << (good ? "PASS" : "FAIL") << std::endl;
    return good ? 0 : 1;
}
