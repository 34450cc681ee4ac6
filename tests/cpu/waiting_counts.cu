// sycl: work-groups that wait for each other are not promised to run
// Blocks that wait for others at the level of the block, where the loop's condition is the same for
// all of its threads: each thread goes on once, and not once for each thread.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int arrived;
__device__ volatile int sense;

// A barrier of the grid by a counter; `done` is shared, and read by all at once.
__global__ void steps(int *count, int rounds) {
    __shared__ int done;
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
                arrived = 0;
                __threadfence();
                sense = r + 1;
            }
        }
        do {
            __syncthreads();
            if (threadIdx.x == 0) done = sense > r;
            __syncthreads();
        } while (!done);
    }
    atomicAdd(count, 1);
}

// The last block writes what the others wait for.
__global__ void barrier_in_loop(volatile int *flag, int *count) {
    if (blockIdx.x == gridDim.x - 1) {
        if (threadIdx.x == 0) *flag = 1;
    } else {
        while (*flag == 0) __syncthreads();
    }
    __syncthreads();
    atomicAdd(count, 1);
}
__global__ void asleep(volatile int *flag, int *count) {
    if (blockIdx.x == gridDim.x - 1) *flag = 1;
    while (*flag == 0) __nanosleep(20);
    atomicAdd(count, 1);
}
__global__ void by_or(int *flag, int *count) {
    if (blockIdx.x == gridDim.x - 1) atomicExch(flag, 1);
    for (;;) {
        int v = atomicOr(flag, 0);
        if (v) break;
    }
    atomicAdd(count, 1);
}

static bool right(const char *name, int wanted, int *count) {
    cudaError_t status = cudaDeviceSynchronize();
    int found = *count;
    *count = 0;
    if (status == cudaSuccess && found == wanted) return true;
    std::printf("%s: %s, %d threads went on, not %d\n", name, cudaGetErrorString(status), found, wanted);
    return false;
}

int main() {
    int *flag, *count;
    cudaMallocManaged(&flag, sizeof *flag);
    cudaMallocManaged(&count, sizeof *count);
    *count = 0;
    steps<<<24, 64>>>(count, 5);
    bool good = right("steps", 24 * 64, count);
    *flag = 0;
    barrier_in_loop<<<24, 64>>>(flag, count);
    good = right("barrier_in_loop", 24 * 64, count) && good;
    *flag = 0;
    asleep<<<24, 64>>>(flag, count);
    good = right("asleep", 24 * 64, count) && good;
    *flag = 0;
    by_or<<<24, 64>>>(flag, count);
    good = right("by_or", 24 * 64, count) && good;
    std::printf(good ? "PASS\n" : "FAIL\n");
    return !good;
}
