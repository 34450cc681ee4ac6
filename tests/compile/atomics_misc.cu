// Every atomic on integers, and exchange and compare-and-swap used as a lock.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void atomics(int *g, unsigned int *u) {
    const unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd(&g[0], 10);
    atomicSub(&g[1], 10);
    atomicExch(&g[2], (int)tid);
    atomicMax(&g[3], (int)tid);
    atomicMin(&g[4], (int)tid);
    atomicInc(&u[0], 17);
    atomicDec(&u[1], 137);
    atomicCAS(&g[5], (int)tid - 1, (int)tid);
    atomicAnd(&g[6], (int)(2 * tid + 7));
    atomicOr(&g[7], 1 << (tid % 20));
    atomicXor(&g[8], (int)tid);
}

struct Lock {
    int *mutex;
    __device__ void lock() {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ void unlock() {
        __threadfence();
        atomicExch(mutex, 0);
    }
};

// One thread of a block takes the lock at a time; others of its warp do not spin.
__global__ void underLock(Lock lock, volatile int *counter) {
    if (threadIdx.x == 0) {
        lock.lock();
        *counter = *counter + 1;
        lock.unlock();
    }
}

int main() {
    const int n = 64 * 3;
    int h[9] = {0, 0, -1, -1, 1 << 20, 0, 0xff, 0, 0}, *g, *mutex, count = 0;
    unsigned int hu[2] = {0, 0}, *u;
    cudaMalloc((void **)&g, sizeof(h));
    cudaMalloc((void **)&u, sizeof(hu));
    cudaMalloc((void **)&mutex, 2 * sizeof(int));
    cudaMemcpy(g, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpy(u, hu, sizeof(hu), cudaMemcpyHostToDevice);
    cudaMemset(mutex, 0, 2 * sizeof(int));
    atomics<<<3, 64>>>(g, u);
    Lock lock = {mutex};
    underLock<<<20, 32>>>(lock, mutex + 1);
    cudaMemcpy(h, g, sizeof(h), cudaMemcpyDeviceToHost);
    cudaMemcpy(hu, u, sizeof(hu), cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, mutex + 1, sizeof(int), cudaMemcpyDeviceToHost);
    unsigned int inc = 0, dec = 0;
    int all = 0xff, either = 0, x = 0;
    for (int i = 0; i < n; i++) {
        inc = inc >= 17 ? 0 : inc + 1;
        dec = dec == 0 || dec > 137 ? 137 : dec - 1;
        all &= 2 * i + 7;
        either |= 1 << (i % 20);
        x ^= i;
    }
    bool good = cudaGetLastError() == cudaSuccess && h[0] == 10 * n && h[1] == -10 * n &&
                h[2] >= 0 && h[2] < n && h[3] == n - 1 && h[4] == 0 && hu[0] == inc && hu[1] == dec &&
                h[5] >= 0 && h[5] < n && h[6] == all && h[7] == either && h[8] == x && count == 20;
    cudaFree(g);
    cudaFree(u);
    cudaFree(mutex);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
