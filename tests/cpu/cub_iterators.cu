// CUB's iterators as what its algorithms read, pairs of a place and a value, and the allocator.
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <vector>

static bool good = true;
#define EXPECT(condition)                                                                         \
    if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), good = false

struct squared {
    __host__ __device__ long operator()(int v) const { return long(v) * v; }
};
struct above {
    int least;
    __device__ bool operator()(int v) const { return v > least; }
};

using pair = cub::KeyValuePair<int, float>;
__global__ void largest(const float *in, int n, pair *out) {
    using Reduce = cub::BlockReduce<pair, 64>;
    __shared__ typename Reduce::TempStorage storage;
    pair best{0, in[0]};
    cub::ArgMax better;
    for (int i = threadIdx.x; i < n; i += 64) best = better(best, pair{i, in[i]});
    best = Reduce(storage).Reduce(best, cub::ArgMax());
    if (threadIdx.x == 0) *out = best;
}

int main() {
    const int n = 1000;
    std::vector<float> h(n);
    for (int i = 0; i < n; i++) h[i] = float(i * 37 % 101);
    cub::CachingDeviceAllocator allocator(true);
    float *values;
    int *places, *count;
    long *sum;
    pair *best;
    CubDebugExit(allocator.DeviceAllocate((void **)&values, n * sizeof(float)));
    cudaMalloc((void **)&places, n * sizeof(int));
    cudaMalloc((void **)&count, sizeof(int));
    cudaMalloc((void **)&sum, sizeof(long));
    cudaMalloc((void **)&best, sizeof(pair));
    cudaMemcpy(values, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    void *storage = nullptr;
    size_t size = 0;

    cub::CountingInputIterator<int> counting(1);
    cub::TransformInputIterator<long, squared, cub::CountingInputIterator<int>> squares(counting, squared());
    cub::DeviceReduce::Sum(storage, size, squares, sum, n);
    cudaMalloc(&storage, size);
    cub::DeviceReduce::Sum(storage, size, squares, sum, n);
    long total = 0;
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    EXPECT(total == long(n) * (n + 1) * (2 * n + 1) / 6);
    cudaFree(storage);

    storage = nullptr;
    cub::DeviceSelect::If(storage, size, counting, places, count, n, above{990});
    cudaMalloc(&storage, size);
    cub::DeviceSelect::If(storage, size, counting, places, count, n, above{990});
    int selected = 0, first = 0;
    cudaMemcpy(&selected, count, sizeof selected, cudaMemcpyDeviceToHost);
    cudaMemcpy(&first, places, sizeof first, cudaMemcpyDeviceToHost);
    EXPECT(selected == 10 && first == 991);
    cudaFree(storage);

    int large = 0, small = 0; // the first of equals
    for (int i = 1; i < n; i++) {
        if (h[i] > h[large]) large = i;
        if (h[i] < h[small]) small = i;
    }
    pair found;
    storage = nullptr;
    cub::DeviceReduce::ArgMax(storage, size, values, best, n);
    cudaMalloc(&storage, size);
    cub::DeviceReduce::ArgMax(storage, size, values, best, n);
    cudaMemcpy(&found, best, sizeof found, cudaMemcpyDeviceToHost);
    EXPECT(found.key == large && found.value == h[large]);
    cub::DeviceReduce::ArgMin(storage, size, values, best, n);
    cudaMemcpy(&found, best, sizeof found, cudaMemcpyDeviceToHost);
    EXPECT(found.key == small && found.value == h[small]);
    cudaFree(storage);

    largest<<<1, 64>>>(values, n, best);
    cudaMemcpy(&found, best, sizeof found, cudaMemcpyDeviceToHost);
    EXPECT(found.key == large && found.value == h[large]);
    EXPECT(CUB_MIN(3, 2) == 2);
    allocator.DeviceFree(values);
    std::printf(good ? "PASS\n" : "FAIL\n");
    return !good;
}
