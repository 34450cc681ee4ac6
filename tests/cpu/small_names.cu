// Names that the runtime has beside what they belong to: CUB's bit fields and questions for devices,
// the best of segments, four doubles of cuRAND, atomics of the system, dp2a, thrust::optional.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <thrust/optional.h>

#include <cmath>
#include <cstdio>

static bool good = true;
#define EXPECT(condition)                                                                         \
    if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), good = false

__global__ void numbers(double *out, unsigned *counts) {
    curandStatePhilox4_32_10_t a, b;
    curand_init(7, threadIdx.x, 0, &a);
    b = a;
    double4 four = curand_uniform4_double(&a);
    double2 first = curand_uniform2_double(&b), second = curand_uniform2_double(&b);
    bool same = four.x == first.x && four.y == first.y && four.z == second.x && four.w == second.y;
    four = curand_normal4_double(&a), first = curand_normal2_double(&b), second = curand_normal2_double(&b);
    same = same && four.x == first.x && four.w == second.y;
    four = curand_log_normal4_double(&a, 1, 2), first = curand_log_normal2_double(&b, 1, 2);
    out[threadIdx.x] = same && four.x == first.x && four.y == first.y;
    atomicInc_system(&counts[0], 9), atomicDec_system(&counts[1], 5);
}

int main() {
    double *out;
    unsigned *counts;
    cudaMallocManaged(&out, 32 * sizeof *out);
    cudaMallocManaged(&counts, 2 * sizeof *counts);
    numbers<<<1, 32>>>(out, counts);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) EXPECT(out[i] == 1);
    EXPECT(counts[0] == 2 && counts[1] == 4);

    EXPECT(cub::BFE(0x00FFFF00u, 8, 16) == 0xFFFF && cub::BFE(0xF0ull << 32, 36, 4) == 15);
    unsigned field = 0;
    cub::BFI(field, 0xFFFF0000u, 0xABu, 16, 8);
    EXPECT(field == 0xFFAB0000u && cub::IADD3(1, 2, 3) == 6);
    int version = 0;
    EXPECT(cub::CurrentDevice() == 0 && cub::DeviceCount() >= 1 && cub::DeviceCountUncached() == cub::DeviceCount());
    EXPECT(cub::PtxVersion(version) == cudaSuccess && version >= 100 && cub::SyncStream(0) == cudaSuccess);

    float *in;
    int *offsets;
    cub::KeyValuePair<int, float> *best;
    cudaMallocManaged(&in, 9 * sizeof *in);
    cudaMallocManaged(&offsets, 4 * sizeof *offsets);
    cudaMallocManaged(&best, 3 * sizeof *best);
    for (int i = 0; i < 9; i++) in[i] = (i * 4) % 9;
    offsets[0] = 0, offsets[1] = offsets[2] = 4, offsets[3] = 9; // 0 4 8 3, none, 7 2 6 1 5
    void *space = nullptr;
    size_t bytes = 0;
    cub::DeviceSegmentedReduce::ArgMax(space, bytes, in, best, 3, offsets, offsets + 1);
    cudaMalloc(&space, bytes);
    cub::DeviceSegmentedReduce::ArgMax(space, bytes, in, best, 3, offsets, offsets + 1);
    cudaDeviceSynchronize();
    EXPECT(best[0].key == 2 && best[0].value == 8 && best[1].key == 1 && best[2].key == 0 && best[2].value == 7);
    cub::DeviceSegmentedReduce::ArgMin(space, bytes, in, best, 3, offsets, offsets + 1);
    cudaDeviceSynchronize();
    EXPECT(best[0].key == 0 && best[2].key == 3 && best[2].value == 1);

    thrust::optional<int> nothing = thrust::nullopt, some(4);
    EXPECT(!nothing && some && *some == 4 && nothing.value_or(3) == 3);
    std::printf(good ? "PASS\n" : "FAIL\n");
    return !good;
}
