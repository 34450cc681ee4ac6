// Managed variables: the host and kernels use them by name.
// hip: 6.4, the headers of 5.2 have no __managed__
#include <cuda_runtime.h>
#include <cstdio>

__device__ __managed__ int ret[1000];
__device__ __managed__ float factor = 2.0f;

__global__ void AplusB(int a, int b) { ret[threadIdx.x] = int(factor) * (a + b + threadIdx.x); }

int main() {
    AplusB<<<1, 500>>>(10, 100);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < 500; i++) good = good && ret[i] == 2 * (110 + i);
    factor = 3.0f;
    AplusB<<<1, 500>>>(0, 0);
    good = good && cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < 500; i++) good = good && ret[i] == 3 * i;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
