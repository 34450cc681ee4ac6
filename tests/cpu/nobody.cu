// SPDX-License-Identifier: Apache-2.0
// Kernels that wait. One for the host, which serves it later; one for nobody, which tests/e2e/cpu.sh
// lets run for two seconds.
// sycl: work-groups that wait for each other are not promised to run
#include <cuda_runtime.h>
#include <stdio.h>
#include <time.h>

__global__ void served(volatile int *request, volatile int *answer) {
    if (threadIdx.x == 0) {
        while (true) {
            if (*request != 0) break;
        }
        *answer = *request * 2;
    }
}

__global__ void for_nobody(volatile int *flags, int *out) {
    while (flags[blockIdx.x] == 0) {
    }
    out[blockIdx.x] = threadIdx.x;
}

int main() {
    int *request, *answer, *flags;
    cudaHostAlloc(&request, sizeof *request, cudaHostAllocMapped);
    cudaHostAlloc(&answer, sizeof *answer, cudaHostAllocMapped);
    *request = *answer = 0;
    served<<<1, 32>>>(request, answer);
    const time_t begin = time(nullptr);
    while (time(nullptr) - begin < 5) { // longer than kernels may wait for nobody
    }
    *(volatile int *)request = 21;
    while (*(volatile int *)answer == 0) {
    }
    printf("%d, %s\n", *answer, cudaGetErrorName(cudaDeviceSynchronize()));

    cudaMalloc(&flags, 40 * sizeof *flags);
    cudaMemset(flags, 0, 40 * sizeof *flags);
    for_nobody<<<40, 32>>>(flags, flags);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
