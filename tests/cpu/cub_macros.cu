// CUB's own macros, as programs use them beside its algorithms.
#include <cub/cub.cuh>
#include <cuda_runtime.h>

#include <cstdio>

CUB_STATIC_ASSERT(CUB_PTX_WARP_THREADS == 32, "lanes");
CUB_STATIC_ASSERT(1 << CUB_PTX_LOG_WARP_THREADS == CUB_PTX_WARP_THREADS, "their logarithm");

struct not_equal {
    int other;
    CUB_RUNTIME_FUNCTION __forceinline__ not_equal(int other) : other(other) {}
    CUB_RUNTIME_FUNCTION __forceinline__ bool operator()(const int &a) const { return a != other; }
};

int main() {
    const int n = 70;
    int *in, *out, *count, wanted = 0;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&count, sizeof *count);
    for (int i = 0; i < n; i++) wanted += (in[i] = i % 7) != 3;
    void *space = nullptr;
    size_t bytes = 0;
    cub::DeviceSelect::If(space, bytes, in, out, count, n, not_equal(3));
    cudaMalloc(&space, CUB_ROUND_UP_NEAREST(bytes, 16));
    cub::DeviceSelect::If(space, bytes, in, out, count, n, not_equal(3));
    cudaDeviceSynchronize();
    bool good = *count == wanted;
    for (int i = 0; i < wanted; i++) good = good && out[i] != 3;
    good = good && CUB_QUOTIENT_CEILING(n, 32) == 3 && CUB_QUOTIENT_FLOOR(n, 32) == 2 &&
           CUB_ROUND_UP_NEAREST(n, 32) == 96 && CUB_ROUND_DOWN_NEAREST(n, 32) == 64 &&
           CUB_MAX(n, 3) == n && CUB_MIN(n, 3) == 3;
    std::printf(good ? "PASS\n" : "FAIL\n");
    return !good;
}
