// Kernels with C linkage, launched by a C-style interface as a library would export it.
#include <cuda_runtime.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

__global__ void ec_multiply(const int *a, const int *b, int *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] * b[i];
}

int ec_run(const int *a, const int *b, int *c, int n, cudaStream_t stream) {
    int *da = NULL, *db = NULL, *dc = NULL;
    size_t bytes = (size_t)n * sizeof(int);
    cudaError_t err;
    if ((err = cudaMalloc((void **)&da, bytes)) != cudaSuccess) goto done;
    if ((err = cudaMalloc((void **)&db, bytes)) != cudaSuccess) goto done;
    if ((err = cudaMalloc((void **)&dc, bytes)) != cudaSuccess) goto done;
    cudaMemcpyAsync(da, a, bytes, cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(db, b, bytes, cudaMemcpyHostToDevice, stream);
    ec_multiply<<<(n + 31) / 32, 32, 0, stream>>>(da, db, dc, n);
    cudaMemcpyAsync(c, dc, bytes, cudaMemcpyDeviceToHost, stream);
    err = cudaStreamSynchronize(stream);
done:
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return (int)err;
}

#ifdef __cplusplus
}
#endif

extern "C" __global__ void ec_empty(void) {}

int main(void) {
    int a[100], b[100], c[100], bad = 0;
    for (int i = 0; i < 100; i++) a[i] = i, b[i] = 100 - i;
    ec_empty<<<1, 1>>>();
    bad = ec_run(a, b, c, 100, 0) != cudaSuccess;
    for (int i = 0; i < 100; i++) bad += c[i] != i * (100 - i);
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
