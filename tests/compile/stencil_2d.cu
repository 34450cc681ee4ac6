// Heat diffusion on a plate: Jacobi steps with two swapped buffers.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define IDX(x, y, w) ((y) * (w) + (x))
#define CUDA_SAFE_CALL(call)                                                                      \
    {                                                                                             \
        cudaError err = call;                                                                     \
        if (cudaSuccess != err) {                                                                 \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,     \
                    cudaGetErrorString(err));                                                     \
            return EXIT_FAILURE;                                                                  \
        }                                                                                         \
    }

__global__ void jacobi(const float *__restrict__ from, float *__restrict__ to, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
    to[IDX(x, y, w)] = 0.25f * (from[IDX(x - 1, y, w)] + from[IDX(x + 1, y, w)] +
                                from[IDX(x, y - 1, w)] + from[IDX(x, y + 1, w)]);
}

int main() {
    const int w = 65, h = 40, steps = 25;
    std::vector<float> plate(w * h, 0.0f), expected, scratch, result(w * h);
    for (int x = 0; x < w; ++x) plate[x] = 100.0f;
    expected = scratch = plate;
    for (int s = 0; s < steps; ++s) {
        for (int y = 1; y < h - 1; ++y)
            for (int x = 1; x < w - 1; ++x)
                scratch[IDX(x, y, w)] =
                    0.25f * (expected[IDX(x - 1, y, w)] + expected[IDX(x + 1, y, w)] +
                             expected[IDX(x, y - 1, w)] + expected[IDX(x, y + 1, w)]);
        expected.swap(scratch);
    }
    float *a, *b;
    const size_t bytes = plate.size() * sizeof(float);
    CUDA_SAFE_CALL(cudaMalloc(&a, bytes));
    CUDA_SAFE_CALL(cudaMalloc(&b, bytes));
    CUDA_SAFE_CALL(cudaMemcpy(a, plate.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
    dim3 threads(16, 8), blocks((w + 15) / 16, (h + 7) / 8);
    for (int s = 0; s < steps; ++s) {
        jacobi<<<blocks, threads>>>(a, b, w, h);
        std::swap(a, b);
    }
    CUDA_SAFE_CALL(cudaPeekAtLastError());
    CUDA_SAFE_CALL(cudaMemcpy(result.data(), a, bytes, cudaMemcpyDeviceToHost));
    cudaFree(a), cudaFree(b);
    float worst = 0;
    for (int i = 0; i < w * h; ++i) worst = std::fmax(worst, std::fabs(result[i] - expected[i]));
    printf("%s (largest difference %g)\n", worst < 1e-3f ? "PASS" : "FAIL", worst);
    return worst < 1e-3f ? EXIT_SUCCESS : EXIT_FAILURE;
}
