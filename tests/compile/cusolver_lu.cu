// A system of linear equations by LU with cuSOLVER.
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cmath>
#include <cstdio>

int main() {
    const int n = 3;
    // Column-major: the rows are (1 2 3), (4 5 6), (7 8 10).
    double a[] = {1, 4, 7, 2, 5, 8, 3, 6, 10}, b[] = {1, 2, 3}, x[3];
    cusolverDnHandle_t handle = NULL;
    cudaStream_t stream = NULL;
    double *dA = nullptr, *dB = nullptr, *work = nullptr;
    int *pivots = nullptr, *info = nullptr, lwork = 0, problem = -1;
    bool good = cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS;
    good &= cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess;
    good &= cusolverDnSetStream(handle, stream) == CUSOLVER_STATUS_SUCCESS;
    cudaMalloc((void **)&dA, sizeof(a));
    cudaMalloc((void **)&dB, sizeof(b));
    cudaMalloc((void **)&pivots, n * sizeof(int));
    cudaMalloc((void **)&info, sizeof(int));
    cudaMemcpyAsync(dA, a, sizeof(a), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(dB, b, sizeof(b), cudaMemcpyHostToDevice, stream);
    good &= cusolverDnDgetrf_bufferSize(handle, n, n, dA, n, &lwork) == CUSOLVER_STATUS_SUCCESS;
    cudaMalloc((void **)&work, sizeof(double) * lwork);
    good &= cusolverDnDgetrf(handle, n, n, dA, n, work, pivots, info) == CUSOLVER_STATUS_SUCCESS;
    cudaMemcpyAsync(&problem, info, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    good = good && problem == 0;
    good &= cusolverDnDgetrs(handle, CUBLAS_OP_N, n, 1, dA, n, pivots, dB, n, info) ==
            CUSOLVER_STATUS_SUCCESS;
    cudaMemcpyAsync(x, dB, sizeof(x), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFree(dA), cudaFree(dB), cudaFree(work), cudaFree(pivots), cudaFree(info);
    cusolverDnDestroy(handle);
    cudaStreamDestroy(stream);
    good = good && std::fabs(x[0] + 1.0 / 3) < 1e-9 && std::fabs(x[1] - 2.0 / 3) < 1e-9 &&
           std::fabs(x[2]) < 1e-9;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
