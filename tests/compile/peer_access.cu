// Copies between two devices, directly where they can; with one device, within it.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

int main() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) return 1;
    const int from = 0, to = count > 1 ? 1 : 0, n = 1 << 12;
    int access = 0;
    if (from != to) {
        cudaDeviceCanAccessPeer(&access, to, from);
        if (access) {
            cudaSetDevice(to);
            cudaError_t e = cudaDeviceEnablePeerAccess(from, 0);
            if (e == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
        }
    }
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = i ^ 0x55;
    int *a, *b;
    cudaSetDevice(from);
    cudaMalloc(&a, n * sizeof(int));
    cudaMemcpy(a, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaSetDevice(to);
    cudaMalloc(&b, n * sizeof(int));
    bool good = cudaMemcpyPeer(b, to, a, from, n * sizeof(int) / 2) == cudaSuccess;
    good &= cudaMemcpyPeerAsync(b + n / 2, to, a + n / 2, from, n * sizeof(int) / 2, 0) == cudaSuccess;
    cudaDeviceSynchronize();
    cudaMemcpy(out.data(), b, n * sizeof(int), cudaMemcpyDefault);
    if (access) cudaDeviceDisablePeerAccess(from);
    cudaFree(b);
    cudaSetDevice(from);
    cudaFree(a);
    good = good && out == in;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
