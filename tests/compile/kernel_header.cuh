// Kernels and helpers that several programs share.
#ifndef KERNEL_HEADER_CUH
#define KERNEL_HEADER_CUH

#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#define HEADER_CHECK(call)                                                                        \
    do {                                                                                          \
        cudaError_t header_status = (call);                                                       \
        if (header_status != cudaSuccess) return header_status;                                   \
    } while (0)

namespace shared_kernels {

template <typename T> __device__ __forceinline__ T lerp(T a, T b, T t) { return a + t * (b - a); }

template <typename T> __global__ void blend(const T *a, const T *b, T *out, T t, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = lerp(a[i], b[i], t);
}

template <typename T>
cudaError_t blendOnDevice(const T *a, const T *b, T *out, T t, int n, cudaStream_t stream) {
    T *buffer = nullptr;
    HEADER_CHECK(cudaMalloc((void **)&buffer, 3 * n * sizeof(T)));
    HEADER_CHECK(cudaMemcpyAsync(buffer, a, n * sizeof(T), cudaMemcpyHostToDevice, stream));
    HEADER_CHECK(cudaMemcpyAsync(buffer + n, b, n * sizeof(T), cudaMemcpyHostToDevice, stream));
    blend<T><<<(n + 127) / 128, 128, 0, stream>>>(buffer, buffer + n, buffer + 2 * n, t, n);
    HEADER_CHECK(cudaMemcpyAsync(out, buffer + 2 * n, n * sizeof(T), cudaMemcpyDeviceToHost, stream));
    HEADER_CHECK(cudaStreamSynchronize(stream));
    return cudaFree(buffer);
}

} // namespace shared_kernels

#endif
