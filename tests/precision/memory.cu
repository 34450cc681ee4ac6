// target: rocm
// select: cuda-silent,cuda-ptx
// Memory that both sides see.
#include <cuda_runtime.h>

// want: cuda-silent/float-atomic
__global__ void accumulate(float *sum, const float *x) { atomicAdd(sum, x[threadIdx.x]); }

__global__ void accumulate_local(float *sum, const float *x) {
    float v = x[threadIdx.x];
    // want: cuda-silent/float-atomic
    atomicAdd(&sum[0], v);
    // want: cuda-silent/float-atomic
    atomicAdd(sum + 1, 0.5f);
}

__global__ void accumulate_double(double *sum) {
    double d = threadIdx.x;
    // want: cuda-silent/float-atomic
    atomicAdd(sum, d);
}

__global__ void count(int *n, unsigned long long *m) {
    int one = 1;
    // ok: cuda-silent/float-atomic
    atomicAdd(n, one);
    // ok: cuda-silent/float-atomic
    atomicAdd(m, 1ull);
    // ok: cuda-silent/float-atomic
    atomicMax(n, 2);
}

void allocate(float **a, float **b, float **c, size_t n) {
    // want: cuda-silent/managed-memory
    cudaMallocManaged(a, n * sizeof(float));
    // ok: cuda-silent/managed-memory
    cudaMallocManaged(b, n * sizeof(float));
    // ok: cuda-silent/managed-memory
    cudaMalloc(c, n * sizeof(float));
}
