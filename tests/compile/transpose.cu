// A matrix transposed through a padded tile in shared memory, against the naive kernel.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <memory>

static const int TILE_DIM = 32;
static const int BLOCK_ROWS = 8;

__global__ void transposeNaive(float *odata, const float *idata, int width, int height) {
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) odata[x * height + y + j] = idata[(y + j) * width + x];
}

__global__ void transposeTiled(float *odata, const float *idata, int width, int height) {
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    const int width = 200, height = 131, size = width * height;
    std::unique_ptr<float[]> in(new float[size]), out(new float[size]);
    for (int i = 0; i < size; i++) in[i] = (float)i;
    float *din, *dout;
    cudaMalloc(&din, size * sizeof(float));
    cudaMalloc(&dout, size * sizeof(float));
    cudaMemcpy(din, in.get(), size * sizeof(float), cudaMemcpyHostToDevice);
    dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
    dim3 block(TILE_DIM, BLOCK_ROWS);

    void (*kernels[])(float *, const float *, int, int) = {transposeNaive, transposeTiled};
    bool good = true;
    for (auto kernel : kernels) {
        cudaMemset(dout, 0, size * sizeof(float));
        kernel<<<grid, block>>>(dout, din, width, height);
        good &= cudaDeviceSynchronize() == cudaSuccess;
        memset(out.get(), 0, size * sizeof(float));
        cudaMemcpy(out.get(), dout, size * sizeof(float), cudaMemcpyDeviceToHost);
        for (int y = 0; y < height && good; y++)
            for (int x = 0; x < width; x++) good &= out[x * height + y] == in[y * width + x];
    }
    cudaFree(din);
    cudaFree(dout);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
