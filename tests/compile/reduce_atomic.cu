// Sums with atomics: int, float, unsigned long long, and a double by compare-and-swap, as code for
// old architectures has it.
// race: NVIDIA's example reads *address without an atomic, as code in the wild does
#include <cuda_runtime.h>
#include <cstdio>

__device__ double addDouble(double *address, double value) {
    unsigned long long int *words = (unsigned long long int *)address;
    unsigned long long int old = *words, assumed;
    do {
        assumed = old;
        old = atomicCAS(words, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

struct Sums {
    int i;
    float f;
    unsigned long long u;
    double d;
};

__global__ void sums(Sums *s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&s->i, i);
    atomicAdd(&s->f, 0.5f);
    atomicAdd(&s->u, 1ULL << 33);
    addDouble(&s->d, 0.25);
}

int main() {
    Sums *device = NULL, host;
    const int n = 2000;
    if (cudaMalloc(&device, sizeof(Sums)) != cudaSuccess) return 1;
    cudaMemset(device, 0, sizeof(Sums));
    sums<<<(n + 127) / 128, 128>>>(device, n);
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    bool good = host.i == n * (n - 1) / 2 && host.f == n * 0.5f && host.d == n * 0.25 &&
                host.u == (unsigned long long)n << 33;
    printf(good ? "PASS\n" : "FAIL\n");
    return good ? 0 : 1;
}
