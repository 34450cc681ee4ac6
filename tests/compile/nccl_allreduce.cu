// One process, all devices: a sum over them with NCCL, and a broadcast.
#include <cuda_runtime.h>
#include <nccl.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDACHECK(cmd)                                                                            \
    do {                                                                                          \
        cudaError_t e = cmd;                                                                      \
        if (e != cudaSuccess) {                                                                   \
            printf("Failed: Cuda error %s:%d '%s'\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            exit(EXIT_FAILURE);                                                                   \
        }                                                                                         \
    } while (0)
#define NCCLCHECK(cmd)                                                                            \
    do {                                                                                          \
        ncclResult_t r = cmd;                                                                     \
        if (r != ncclSuccess) {                                                                   \
            printf("Failed: NCCL error %s:%d '%s'\n", __FILE__, __LINE__, ncclGetErrorString(r)); \
            exit(EXIT_FAILURE);                                                                   \
        }                                                                                         \
    } while (0)

int main() {
    int devices = 0;
    CUDACHECK(cudaGetDeviceCount(&devices));
    const int n = 1000;
    std::vector<ncclComm_t> comms(devices);
    std::vector<float *> send(devices), recv(devices);
    std::vector<cudaStream_t> streams(devices);
    NCCLCHECK(ncclCommInitAll(comms.data(), devices, nullptr));
    for (int d = 0; d < devices; d++) {
        std::vector<float> h(n, float(d + 1));
        CUDACHECK(cudaSetDevice(d));
        CUDACHECK(cudaMalloc((void **)&send[d], n * sizeof(float)));
        CUDACHECK(cudaMalloc((void **)&recv[d], n * sizeof(float)));
        CUDACHECK(cudaMemcpy(send[d], h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
        CUDACHECK(cudaStreamCreate(&streams[d]));
    }
    NCCLCHECK(ncclGroupStart());
    for (int d = 0; d < devices; d++)
        NCCLCHECK(ncclAllReduce(send[d], recv[d], n, ncclFloat, ncclSum, comms[d], streams[d]));
    NCCLCHECK(ncclGroupEnd());
    NCCLCHECK(ncclGroupStart());
    for (int d = 0; d < devices; d++)
        NCCLCHECK(ncclBroadcast(send[d], send[d], n, ncclFloat32, 0, comms[d], streams[d]));
    NCCLCHECK(ncclGroupEnd());
    bool good = true;
    for (int d = 0; d < devices; d++) {
        std::vector<float> sum(n), first(n);
        CUDACHECK(cudaSetDevice(d));
        CUDACHECK(cudaStreamSynchronize(streams[d]));
        CUDACHECK(cudaMemcpy(sum.data(), recv[d], n * sizeof(float), cudaMemcpyDeviceToHost));
        CUDACHECK(cudaMemcpy(first.data(), send[d], n * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++)
            good = good && sum[i] == devices * (devices + 1) / 2 && first[i] == 1.0f;
        CUDACHECK(cudaFree(send[d]));
        CUDACHECK(cudaFree(recv[d]));
        CUDACHECK(cudaStreamDestroy(streams[d]));
        NCCLCHECK(ncclCommDestroy(comms[d]));
    }
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
