// Clocks of the device, printf from a kernel, and an assertion that holds.
#include <cuda_runtime.h>
#include <assert.h>
#include <stdio.h>

__global__ static void timed(const float *in, float *out, clock_t *timer) {
    extern __shared__ float shared[];
    const int tid = threadIdx.x, bid = blockIdx.x;
    if (tid == 0) timer[bid] = clock();
    shared[tid] = in[tid];
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d && shared[tid + d] < shared[tid]) shared[tid] = shared[tid + d];
    }
    if (tid == 0) {
        out[bid] = shared[0];
        assert(shared[0] <= in[0]);
        if (bid == 0) printf("block %d of %d found %f\n", bid, (int)gridDim.x, shared[0]);
    }
    __syncthreads();
    if (tid == 0) timer[bid + gridDim.x] = clock();
}

__global__ void spin(long long cycles, int *done) {
    long long start = clock64(), now;
    do {
        now = clock64();
    } while (now - start < cycles);
    *done = 1;
}

int main() {
    enum { BLOCKS = 4, THREADS = 64 };
    float in[THREADS], out[BLOCKS], *d_in, *d_out;
    clock_t timer[BLOCKS * 2], *d_timer;
    int *d_done, done = 0;
    for (int i = 0; i < THREADS; i++) in[i] = (float)((i * 37 + 11) % 64);
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(out));
    cudaMalloc((void **)&d_timer, sizeof(timer));
    cudaMalloc((void **)&d_done, sizeof(int));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    timed<<<BLOCKS, THREADS, sizeof(float) * THREADS>>>(d_in, d_out, d_timer);
    spin<<<1, 1>>>(1000, d_done);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaMemcpy(timer, d_timer, sizeof(timer), cudaMemcpyDeviceToHost);
    cudaMemcpy(&done, d_done, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_timer);
    cudaFree(d_done);
    int good = done == 1;
    for (int b = 0; b < BLOCKS; b++) good = good && out[b] == 0.0f && timer[b + BLOCKS] != timer[b];
    printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
