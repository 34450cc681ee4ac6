// Variables of the device: written by kernels, read with cudaMemcpyFromSymbol, and by address.
#include <cuda_runtime.h>
#include <cstdio>

__device__ unsigned int counter;
__device__ float table[64];
static __device__ int2 corner = {3, 4};

__global__ void work() {
    atomicInc(&counter, 1000u);
    if (threadIdx.x < 64 && blockIdx.x == 0) table[threadIdx.x] += threadIdx.x * 0.5f;
    if (threadIdx.x == 0 && blockIdx.x == 0) corner.x += corner.y;
}

int main() {
    unsigned int zero = 0, count = 0;
    float host[64];
    int2 c;
    float *address = nullptr;
    size_t size = 0;
    bool good = cudaMemcpyToSymbol(counter, &zero, sizeof(zero)) == cudaSuccess;
    good &= cudaGetSymbolAddress((void **)&address, table) == cudaSuccess;
    good &= cudaGetSymbolSize(&size, table) == cudaSuccess && size == sizeof(host);
    cudaMemset(address, 0, size);
    work<<<5, 96>>>();
    good &= cudaMemcpyFromSymbol(&count, counter, sizeof(count)) == cudaSuccess;
    good &= cudaMemcpyFromSymbol(&c, corner, sizeof(c)) == cudaSuccess;
    good &= cudaMemcpyFromSymbol(host, table, 32 * sizeof(float), 32 * sizeof(float),
                                 cudaMemcpyDeviceToHost) == cudaSuccess;
    good = good && count == 480 && c.x == 7 && host[0] == 16.0f && host[31] == 31.5f;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
