// An image in an array, sampled through a texture object: nearest, clamped at its border.
// gfx90a: no image sampling in the hardware, type check only
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void shift(cudaTextureObject_t texture, float *out, int width, int height, float dx) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, x + 0.5f + dx, y + 0.5f);
}

int main() {
    const int width = 40, height = 24;
    std::vector<float> image(width * height), out(width * height);
    for (size_t i = 0; i < image.size(); i++) image[i] = static_cast<float>(i);

    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height);
    cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float),
                        height, cudaMemcpyHostToDevice);

    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description;
    memset(&description, 0, sizeof(description));
    description.addressMode[0] = cudaAddressModeClamp;
    description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = 0;
    cudaTextureObject_t texture = 0;
    bool good = cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess;

    float *d_out;
    cudaMalloc(&d_out, out.size() * sizeof(float));
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    shift<<<grid, block>>>(texture, d_out, width, height, 2.0f);
    cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int from = x + 2 < width ? x + 2 : width - 1;
            good = good && out[y * width + x] == image[y * width + from];
        }
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(d_out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
