// Ranges and marks for the profiler around the work.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvToolsExt.h>
#include <cstdio>

struct Range {
    explicit Range(const char *name) { nvtxRangePushA(name); }
    ~Range() { nvtxRangePop(); }
};

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

int main() {
    int h[64], *d;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaProfilerStart();
    {
        Range whole("everything");
        nvtxRangePush("allocate");
        cudaMalloc(&d, sizeof(h));
        nvtxRangePop();
        cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
        nvtxMarkA("launch");
        twice<<<1, 64>>>(d);
        cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    }
    cudaProfilerStop();
    cudaFree(d);
    bool good = true;
    for (int i = 0; i < 64; i++) good = good && h[i] == 2 * i;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
