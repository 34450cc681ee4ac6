// A cooperative launch: all blocks meet between two phases of one kernel.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>

using namespace cooperative_groups;

__global__ void twoPhases(const float *in, float *partial, float *result, int n) {
    grid_group grid = this_grid();
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    this_thread_block().sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
    grid.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        float total = 0;
        for (int b = 0; b < gridDim.x; b++) total += partial[b];
        *result = total;
    }
}

int main() {
    int device = 0, supported = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device);
    if (!supported) {
        printf("PASS (no cooperative launch here)\n");
        return 0;
    }
    int n = 4096, blocks = 4, threads = 64;
    float *in, *partial, *result, host = 0;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&partial, blocks * sizeof(float));
    cudaMalloc(&result, sizeof(float));
    static float h[4096];
    for (int i = 0; i < n; i++) h[i] = (i % 4) * 0.5f;
    cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice);
    void *args[] = {&in, &partial, &result, &n};
    cudaError_t error = cudaLaunchCooperativeKernel((void *)twoPhases, dim3(blocks), dim3(threads),
                                                    args, 0, 0);
    cudaMemcpy(&host, result, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(partial);
    cudaFree(result);
    bool good = error == cudaSuccess && host == 3072.0f;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
