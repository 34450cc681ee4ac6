// Launches that only the arguments tell: overloads of a kernel, and a template of another file.
#include "kernel_overloads.cuh"
#include <cuda_runtime.h>
#include <stdio.h>

struct twice {
    __device__ int operator()(int x) const { return 2 * x; }
};

__global__ void add(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}
__global__ void add(int *data, const int *more, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && more) data[i] += more[i];
}
// The header declares another kernel of this name.
__global__ void scale(int *data, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= by;
}

int main() {
    const int n = 1000;
    int *data, *more, wrong = 0;
    if (cudaMallocManaged(&data, n * sizeof *data) || cudaMallocManaged(&more, n * sizeof *more))
        return 1;
    fill<<<8, 128>>>(data, n, 3);
    fill<<<8, 128>>>(more, n, 5);
    add<<<8, 128>>>(data, n);
    apply<<<8, 128>>>(data, n, twice());
    add<<<8, 128>>>(data, more, n);
    scale<<<8, 128>>>(data, n, 0);
    add<<<8, 128>>>(data, n);
    if (cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < n; i++) wrong += data[i] != 1;
    puts(wrong ? "FAIL" : "PASS");
    return cudaFree(data) || cudaFree(more) || wrong;
}
