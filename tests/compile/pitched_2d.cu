// Rows with a pitch: cudaMallocPitch, cudaMemcpy2D and cudaMemset2D.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void invert(unsigned char *image, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        unsigned char *row = (unsigned char *)((char *)image + y * pitch);
        row[x] = 255 - row[x];
    }
}

int main() {
    const int width = 123, height = 45;
    std::vector<unsigned char> in(width * height), out(width * height);
    for (size_t i = 0; i < in.size(); i++) in[i] = (unsigned char)(i * 13);
    unsigned char *image;
    size_t pitch;
    if (cudaMallocPitch(&image, &pitch, width, height) != cudaSuccess || pitch < (size_t)width)
        return 1;
    cudaMemset2D(image, pitch, 0x5a, width, height);
    cudaMemcpy2D(image, pitch, in.data(), width, width, height - 5, cudaMemcpyHostToDevice);
    dim3 block(32, 4);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y, 1);
    invert<<<grid, block>>>(image, pitch, width, height);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaDeviceSynchronize();
    cudaMemcpy2DAsync(out.data(), width, image, pitch, width, height, cudaMemcpyDeviceToHost, stream);
    bool good = cudaStreamSynchronize(stream) == cudaSuccess;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            unsigned char before = y < height - 5 ? in[y * width + x] : 0x5a;
            good = good && out[y * width + x] == 255 - before;
        }
    cudaStreamDestroy(stream);
    cudaFree(image);
    puts(good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
