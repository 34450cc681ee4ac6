// Kernels whose parameters are references: what they name is the caller's own object, in managed
// memory, as it is when the kernel runs.
#include <cstdio>
#include <new>

struct Data {
    int count;
    double values[30];
};

__global__ void bump(Data &d) { atomicAdd(&d.count, 1); }
__global__ void read(const Data &d, int *out) {
    __shared__ int all[32];
    all[threadIdx.x] = d.count;
    __syncthreads();
    out[threadIdx.x] = all[31 - threadIdx.x];
}
struct Owner {
    Data *data;
    void run(void (*kernel)(Data &)) { kernel<<<2, 4>>>(*data); }
};

int main() {
    Data *d;
    int *out;
    cudaMallocManaged(&d, sizeof *d);
    cudaMallocManaged(&out, 32 * sizeof *out);
    new (d) Data();
    bump<<<4, 8>>>(*d);
    read<<<1, 32>>>(*d, out); // what bump() has left, not what is there now
    bool fine = cudaDeviceSynchronize() == cudaSuccess && d->count == 32;
    for (int i = 0; i < 32; i++) fine = fine && out[i] == 32;
    Owner{d}.run(bump);
    void *arguments[] = {&d};
    cudaLaunchKernel(reinterpret_cast<void *>(bump), dim3(1), dim3(3), arguments, 0, nullptr);
    fine = fine && cudaDeviceSynchronize() == cudaSuccess && d->count == 43;
    printf("%s: %d\n", fine ? "PASS" : "FAIL", d->count);
    return !fine;
}
