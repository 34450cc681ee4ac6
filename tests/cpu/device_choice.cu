// Calls about devices that change nothing here, and what they refuse.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
int main() {
    cudaDeviceProp p;
    memset(&p, 0, sizeof p);
    p.major = 1;
    int d = -1;
    cudaSharedMemConfig c;
    bool good = cudaChooseDevice(&d, &p) == cudaSuccess && d == 0;
    good = good && cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess;
    good = good && cudaDeviceGetSharedMemConfig(&c) == cudaSuccess;
    int wrong = 99;
    good = good && cudaSetValidDevices(&d, 1) == cudaSuccess &&
           cudaSetValidDevices(&wrong, 1) != cudaSuccess;
    good = good && cudaInitDevice(0, 0, 0) == cudaSuccess &&
           cudaCtxResetPersistingL2Cache() == cudaSuccess;
    puts(good ? "PASS" : "FAIL");
}
