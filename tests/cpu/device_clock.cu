// clock() in a function of the device counts cycles, as clockRate says, and not microseconds.
#include <cuda_runtime.h>
#include <chrono>
#include <stdio.h>

__device__ void wait(clock_t *out, clock_t ticks) {
    unsigned int start = (unsigned int)clock();
    clock_t passed = 0;
    while (passed < ticks) passed = (clock_t)((unsigned int)clock() - start);
    *out = passed;
}
__global__ void kernel(clock_t *out, clock_t ticks) { wait(out, ticks); }

int main() {
    clock_t *out;
    int rate; // kHz
    if (cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0)) return 1;
    if (cudaMallocManaged(&out, sizeof *out)) return 1;
    const auto start = std::chrono::steady_clock::now();
    kernel<<<1, 1>>>(out, (clock_t)(10 * rate)); // 10 ms
    if (cudaDeviceSynchronize()) return 1;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    bool good = *out >= 10 * rate && taken.count() >= 0.005 && taken.count() < 4;
    puts(good ? "PASS" : "FAIL");
    return cudaFree(out) || !good;
}
