// Launches inside macros: with templates, with a stream, over a list of types.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
#define LAUNCH(kernel, n, stream, ...) kernel<<<DIV_UP(n, 128), 128, 0, (stream)>>>(__VA_ARGS__)
#define LAUNCH_TYPED(kernel, T, n, ...)                                                           \
    do {                                                                                          \
        kernel<T><<<DIV_UP((n), 64), 64>>>(__VA_ARGS__);                                          \
        cudaError_t launch_error = cudaGetLastError();                                            \
        if (launch_error != cudaSuccess) printf("launch: %s\n", cudaGetErrorString(launch_error)); \
    } while (0)
#define FOR_TYPES(X) X(int) X(float) X(double)

template <typename T> __global__ void iota(T *p, int n, T start) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = start + (T)i;
}
template <typename T, int N> __global__ void addConstant(T *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += N;
}

#define DEFINE_TEST(T)                                                                            \
    static bool test_##T(cudaStream_t stream) {                                                   \
        const int n = 321;                                                                        \
        T *p;                                                                                     \
        cudaMalloc((void **)&p, n * sizeof(T));                                                   \
        LAUNCH_TYPED(iota, T, n, p, n, (T)2);                                                     \
        cudaDeviceSynchronize();                                                                  \
        LAUNCH((addConstant<T, 5>), n, stream, p, n);                                             \
        if (n > 0) LAUNCH((addConstant<T, -1>), n, stream, p, n);                                 \
        cudaStreamSynchronize(stream);                                                            \
        std::vector<T> h(n);                                                                      \
        cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);                           \
        cudaFree(p);                                                                              \
        for (int i = 0; i < n; i++)                                                               \
            if (h[i] != (T)(i + 6)) return false;                                                 \
        return true;                                                                              \
    }
FOR_TYPES(DEFINE_TEST)

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    bool good = true;
#define RUN(T) good &= test_##T(stream);
    FOR_TYPES(RUN)
    cudaStreamDestroy(stream);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
