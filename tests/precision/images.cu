// target: rocm
// select: cuda-silent,cuda-ptx
// Textures.
#include <cuda_runtime.h>

// want: cuda-silent/texture-reference
texture<float, 2, cudaReadModeElementType> image;
// want: cuda-silent/texture-reference
static texture<uchar4, cudaTextureType1D> palette;
// ok: cuda-silent/texture-reference
struct texture_cache {
    int texture;
};

__global__ void resample(cudaTextureObject_t object, float *out, int w) {
    int x = threadIdx.x, y = blockIdx.x;
    // want: cuda-silent/texture-fetch
    out[y * w + x] = tex2D<float>(object, x + 0.5f, y + 0.5f);
    // ok: cuda-silent/texture-fetch
    out[y * w + x] += tex2D<float>(object, x - 0.5f, y + 0.5f);
}
