// Prints what a device says of itself, and checks that it is consistent.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

int main() {
    int count = 0, runtime = 0, driver = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        printf("FAIL: no device\n");
        return 1;
    }
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    bool good = true;
    for (int d = 0; d < count; d++) {
        cudaDeviceProp p;
        good &= cudaSetDevice(d) == cudaSuccess;
        good &= cudaGetDeviceProperties(&p, d) == cudaSuccess;
        printf("%d: %s, %d.%d, %zu MB, %d multiprocessors, warps of %d\n", d, p.name, p.major, p.minor,
               p.totalGlobalMem >> 20, p.multiProcessorCount, p.warpSize);
        int warp = 0, threads = 0, shared = 0, clock = 0;
        cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, d);
        cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, d);
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, d);
        cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, d);
        good &= warp == p.warpSize && threads == p.maxThreadsPerBlock;
        good &= (size_t)shared == p.sharedMemPerBlock && strlen(p.name) > 0;
        good &= p.maxThreadsDim[0] >= 1 && p.maxGridSize[0] >= 65535 && clock >= 0;
        size_t available, total;
        good &= cudaMemGetInfo(&available, &total) == cudaSuccess && available <= total;
        char bus[32];
        good &= cudaDeviceGetPCIBusId(bus, sizeof(bus), d) == cudaSuccess;
    }
    cudaDeviceReset();
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
