// Linear filtering of a one-dimensional array: values between two texels.
// gfx90a: no image sampling in the hardware, type check only
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>

__global__ void between(cudaTextureObject_t ramp, float *out) {
    out[threadIdx.x] = tex1D<float>(ramp, threadIdx.x + 1.0f);
}

int main() {
    const int n = 256;
    float h[n], out[64], *d_out;
    for (int i = 0; i < n; i++) h[i] = i * 0.25f;
    cudaMalloc(&d_out, sizeof(out));
    cudaArray *array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &desc, n, 0);
    cudaMemcpy2DToArray(array, 0, 0, h, sizeof(h), sizeof(h), 1, cudaMemcpyHostToDevice);
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    cudaTextureDesc tex = {};
    tex.readMode = cudaReadModeElementType;
    tex.filterMode = cudaFilterModeLinear;
    tex.addressMode[0] = cudaAddressModeClamp;
    cudaTextureObject_t ramp;
    bool good = cudaCreateTextureObject(&ramp, &res, &tex, NULL) == cudaSuccess;
    between<<<1, 64>>>(ramp, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) good = good && std::fabs(out[i] - (i * 0.25f + 0.125f)) < 0.01f;
    cudaDestroyTextureObject(ramp);
    cudaFreeArray(array);
    cudaFree(d_out);
    puts(good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
