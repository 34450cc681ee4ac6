// A kernel that writes an array through a surface object and one that reads it back.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void write(cudaSurfaceObject_t surface, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) surf2Dwrite(100 * y + x, surface, x * (int)sizeof(int), y);
}

__global__ void addTo(cudaSurfaceObject_t surface, int *sum, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int value = 0;
        surf2Dread(&value, surface, x * 4, y);
        atomicAdd(sum, value);
    }
}

int main() {
    const int width = 33, height = 20;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    bool good = cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess;
    int *d_sum, sum = 0, expected = 0;
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemset(d_sum, 0, sizeof(int));
    dim3 block(8, 8), grid(5, 3);
    write<<<grid, block>>>(surface, width, height);
    addTo<<<grid, block>>>(surface, d_sum, width, height);
    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    static int host[height][width];
    good &= cudaMemcpy2DFromArray(host, sizeof(host[0]), array, 0, 0, width * sizeof(int), height,
                                  cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            expected += 100 * y + x;
            good = good && host[y][x] == 100 * y + x;
        }
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
    cudaFree(d_sum);
    good = good && sum == expected;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
