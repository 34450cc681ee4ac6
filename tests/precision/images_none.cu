// target: rocm
// select: cuda-silent,cuda-ptx
// Names that are about textures and fetch nothing.
#include <cuda_runtime.h>

struct Painter {
    float tex2D(int x, int y) const;
};

float paint(const Painter &p, cudaTextureObject_t *made, const cudaResourceDesc *r,
            const cudaTextureDesc *t) {
    // ok: cuda-silent/texture-fetch
    cudaCreateTextureObject(made, r, t, nullptr);
    // ok: cuda-silent/texture-fetch
    return p.tex2D(1, 2);
}
