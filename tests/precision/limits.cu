// target: rocm
// select: cuda-silent,cuda-ptx
// What a launch may ask for.
#include <cuda_runtime.h>

#define BIG_SHARED (96 * 1024)
#define SMALL_SHARED (48 * 1024)
#define N_FLOATS 20480
constexpr int kStages = 4;
constexpr int kTileBytes = 128 * 64 * sizeof(float);
constexpr size_t kSmem = kStages * kTileBytes;

__global__ void work(float *x);
template <int N> __global__ void tiled(float *x);

void shared(float *x, cudaStream_t s, int n) {
    // want: cuda-silent/shared-memory
    work<<<64, 256, 98304>>>(x);
    // want: cuda-silent/shared-memory
    work<<<64, 256, BIG_SHARED, s>>>(x);
    // want: cuda-silent/shared-memory
    work<<<64, 256, N_FLOATS * sizeof(float)>>>(x);
    // want: cuda-silent/shared-memory
    tiled<4><<<dim3(64, 2), dim3(32, 8), kSmem, s>>>(x);
    // ok: cuda-silent/shared-memory
    work<<<64, 256, SMALL_SHARED, s>>>(x);
    // ok: cuda-silent/shared-memory
    work<<<64, 256, 65536>>>(x);
    // ok: cuda-silent/shared-memory
    work<<<64, 256, n * sizeof(float)>>>(x);
    // ok: cuda-silent/shared-memory
    work<<<98304, 256>>>(x);
    // ok: cuda-silent/shared-memory
    work<<<98304, 256, 0, s>>>(x);
}

void attributes(int bytes, CUfunction f) {
    // want: cuda-silent/shared-memory
    cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
    // want: cuda-silent/shared-memory
    cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, BIG_SHARED);
    // want: cuda-silent/shared-memory
    cudaFuncSetAttribute((void *)tiled<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, kSmem);
    // want: cuda-silent/shared-memory-attribute
    cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    // want: cuda-silent/shared-memory-attribute
    cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, SMALL_SHARED);
    // want: cuda-silent/shared-memory
    cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 163840);
    // ok: cuda-silent/shared-memory-attribute, cuda-silent/shared-memory
    cudaFuncSetAttribute(work, cudaFuncAttributePreferredSharedMemoryCarveout, 98304);
}

void sizes(float *x, int n) {
    // want: cuda-silent/launch-size
    work<<<16777216, 256>>>(x);
    // want: cuda-silent/launch-size
    work<<<1 << 23, 1024>>>(x);
    // want: cuda-silent/launch-size
    work<<<dim3(65535, 512), dim3(32, 8)>>>(x);
    dim3 grid(65536, 128);
    dim3 block(16, 64);
    // want: cuda-silent/launch-size
    work<<<grid, block>>>(x);
    dim3 small(1024, 16);
    // ok: cuda-silent/launch-size
    work<<<small, block>>>(x);
    // ok: cuda-silent/launch-size
    work<<<16777215, 256>>>(x);
    // ok: cuda-silent/launch-size
    work<<<(n + 255) / 256, 256>>>(x);
    dim3 changed(65536, 128);
    changed.y = 1;
    // ok: cuda-silent/launch-size
    work<<<changed, block>>>(x);
}
