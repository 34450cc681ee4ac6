// A one-dimensional stencil with a halo in shared memory.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4096
#define RADIUS 3
#define BLOCK_SIZE 128

#define cudaCheckErrors(msg)                                                                      \
    do {                                                                                          \
        cudaError_t __err = cudaGetLastError();                                                   \
        if (__err != cudaSuccess) {                                                               \
            fprintf(stderr, "Fatal: %s (%s at %s:%d)\n", msg, cudaGetErrorString(__err), __FILE__, \
                    __LINE__);                                                                    \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

__global__ void stencil_1d(const int *in, int *out) {
    __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x;
    int lindex = threadIdx.x + RADIUS;
    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
    }
    __syncthreads();
    int result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[lindex + offset];
    out[gindex] = result;
}

int main(void) {
    int *in, *out, *d_in, *d_out;
    int size = (N + 2 * RADIUS) * sizeof(int);
    in = (int *)malloc(size);
    out = (int *)malloc(size);
    for (int i = 0; i < N + 2 * RADIUS; i++) in[i] = i % 5;
    cudaMalloc((void **)&d_in, size);
    cudaMalloc((void **)&d_out, size);
    cudaCheckErrors("cudaMalloc");
    cudaMemcpy(d_in, in, size, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, size);
    stencil_1d<<<N / BLOCK_SIZE, BLOCK_SIZE>>>(d_in + RADIUS, d_out + RADIUS);
    cudaCheckErrors("stencil_1d");
    cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost);
    cudaCheckErrors("cudaMemcpy");
    int bad = 0;
    for (int i = RADIUS; i < N + RADIUS; i++) {
        int sum = 0;
        for (int j = -RADIUS; j <= RADIUS; j++) sum += in[i + j];
        bad += sum != out[i];
    }
    free(in);
    free(out);
    cudaFree(d_in);
    cudaFree(d_out);
    printf("%s\n", bad == 0 ? "PASS" : "FAIL");
    return bad != 0;
}
