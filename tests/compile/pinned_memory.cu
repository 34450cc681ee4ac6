// Host memory that the device reads and writes itself: allocated mapped, or registered later.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void triple(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * in[i];
}

int main() {
    const int n = 3000;
    cudaDeviceProp prop;
    if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess) return 1;
    if (!prop.canMapHostMemory) {
        printf("PASS (no mapped memory here)\n");
        return 0;
    }
    cudaSetDeviceFlags(cudaDeviceMapHost);
    int *in, *d_in, *d_out;
    cudaHostAlloc((void **)&in, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined);
    int *out = (int *)malloc(n * sizeof(int));
    bool good = cudaHostRegister(out, n * sizeof(int), cudaHostRegisterMapped) == cudaSuccess;
    for (int i = 0; i < n; i++) in[i] = i - 1000;
    good &= cudaHostGetDevicePointer((void **)&d_in, in, 0) == cudaSuccess;
    good &= cudaHostGetDevicePointer((void **)&d_out, out, 0) == cudaSuccess;
    triple<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
    good &= cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) good &= out[i] == 3 * (i - 1000);
    unsigned int flags = 0;
    good &= cudaHostGetFlags(&flags, in) == cudaSuccess && (flags & cudaHostAllocMapped) != 0;
    cudaHostUnregister(out);
    cudaFreeHost(in);
    free(out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
