// Atomics whose scope is the block or the whole system, and a nap while waiting.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void scoped(int *perBlock, unsigned int *everyone) {
    int *mine = perBlock + 2 * blockIdx.x;
    atomicAdd_block(&mine[0], 1);
    atomicMax_block(&mine[1], (int)threadIdx.x);
    atomicAdd_system(everyone, 1u);
    __nanosleep(20);
    if (threadIdx.x == 0 && blockIdx.x > 100000) __trap();
}

int main() {
    int blocks[8], *d;
    unsigned int total = 0, *e;
    cudaMalloc(&d, sizeof(blocks));
    cudaMalloc(&e, sizeof(total));
    cudaMemset(d, 0, sizeof(blocks));
    cudaMemset(e, 0, sizeof(total));
    scoped<<<4, 96>>>(d, e);
    cudaMemcpy(blocks, d, sizeof(blocks), cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, e, sizeof(total), cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFree(e);
    bool good = total == 384;
    for (int b = 0; b < 4; b++) good = good && blocks[2 * b] == 96 && blocks[2 * b + 1] == 95;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
