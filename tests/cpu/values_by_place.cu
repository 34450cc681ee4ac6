// Textures that put the value where a pointer says, a kernel with the name of a function of C's, and
// functions whose results are those of a correctly rounded one.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

__global__ void expf(float *r, float x) { *r = expf(x); }

__global__ void values(cudaTextureObject_t line, cudaTextureObject_t plane, float *out, int *got) {
    int n;
    float v;
    tex1Dfetch(&n, line, 5);
    got[0] = n;
    tex2D(&v, plane, 1.5f, 2.5f);
    out[0] = v;
    out[1] = norm3df(23, 432, 23);
    out[2] = normcdff(-3);
    out[3] = norm4df(1e30f, 1e30f, 1e30f, 1e30f);
}

int main() {
    int *numbers, *got, wrong = 0;
    float *out, *one, host[4][4];
    cudaMallocManaged(&numbers, 128), cudaMallocManaged(&got, 4);
    cudaMallocManaged(&out, 16), cudaMallocManaged(&one, 4);
    for (int i = 0; i < 32; i++) numbers[i] = 100 + i;
    for (int i = 0; i < 16; i++) host[i / 4][i % 4] = i;

    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t line, plane;
    cudaArray_t array;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = numbers;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 128;
    how.readMode = cudaReadModeElementType;
    if (cudaCreateTextureObject(&line, &resource, &how, NULL)) return 1;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    if (cudaMallocArray(&array, &format, 4, 4)) return 1;
    cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice);
    cudaResourceDesc other = {};
    other.resType = cudaResourceTypeArray;
    other.res.array.array = array;
    if (cudaCreateTextureObject(&plane, &other, &how, NULL)) return 1;

    expf<<<1, 1>>>(one, 1.0f);
    values<<<1, 1>>>(line, plane, out, got);
    if (cudaDeviceSynchronize()) return 1;
    wrong += fabsf(*one - 2.7182817f) > 1e-6f;
    wrong += got[0] != 105;
    wrong += out[0] != 9;
    wrong += out[1] != 433.222809f;
    wrong += out[2] != 0.00134989805f;
    wrong += out[3] != 2e30f;
    puts(wrong ? "FAIL" : "PASS");
    cudaDestroyTextureObject(line), cudaDestroyTextureObject(plane), cudaFreeArray(array);
    return cudaFree(numbers) || cudaFree(got) || cudaFree(out) || cudaFree(one) || wrong;
}
