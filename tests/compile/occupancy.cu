// Asks how many blocks fit, and launches with what the answer suggests.
#include <cuda_runtime.h>
#include <iostream>

__global__ void MyKernel(int *array, int arrayCount) {
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount) array[idx] *= array[idx];
}

static int launchMyKernel(int *array, int arrayCount) {
    int blockSize, minGridSize, gridSize, maxActiveBlocks = 0, device;
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, MyKernel, 0, arrayCount);
    gridSize = (arrayCount + blockSize - 1) / blockSize;
    MyKernel<<<gridSize, blockSize>>>(array, arrayCount);
    cudaDeviceSynchronize();
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&maxActiveBlocks, MyKernel, blockSize, 0);
    cudaDeviceProp props;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&props, device);
    float occupancy = float(maxActiveBlocks * blockSize) / float(props.maxThreadsPerMultiProcessor);
    std::cout << "block size " << blockSize << ", occupancy " << occupancy << "\n";
    return maxActiveBlocks > 0 && blockSize > 0 && minGridSize > 0;
}

int main() {
    const int count = 10000;
    static int h[count], *d;
    for (int i = 0; i < count; i++) h[i] = i % 1000;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    bool good = launchMyKernel(d, count) != 0;
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++) good = good && h[i] == (i % 1000) * (i % 1000);
    cudaFree(d);
    std::cout << (good ? "PASS" : "FAIL") << std::endl;
    return !good;
}
