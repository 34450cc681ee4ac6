// CUB on whole arrays: prefix sums, sorted pairs, and those that a flag selects.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <algorithm>
#include <cstdio>
#include <vector>

template <typename F> static bool withStorage(F call) {
    void *storage = nullptr;
    size_t bytes = 0;
    if (call(storage, bytes) != cudaSuccess) return false;
    cudaMalloc(&storage, bytes);
    bool good = call(storage, bytes) == cudaSuccess;
    cudaFree(storage);
    return good;
}

int main() {
    const int n = 3000;
    std::vector<int> keys(n), values(n), out(n);
    std::vector<char> flags(n);
    for (int i = 0; i < n; i++) keys[i] = (i * 7919) % 3001, values[i] = i, flags[i] = i % 3 == 0;
    int *k, *v, *k2, *v2, *count, selected = 0;
    char *f;
    cudaMalloc(&k, n * sizeof(int));
    cudaMalloc(&v, n * sizeof(int));
    cudaMalloc(&k2, n * sizeof(int));
    cudaMalloc(&v2, n * sizeof(int));
    cudaMalloc(&f, n);
    cudaMalloc(&count, sizeof(int));
    cudaMemcpy(k, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(v, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(f, flags.data(), n, cudaMemcpyHostToDevice);
    bool good = withStorage([=](void *s, size_t &b) {
        return cub::DeviceScan::ExclusiveSum(s, b, k, k2, n);
    });
    cudaMemcpy(out.data(), k2, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < n; sum += keys[i++]) good = good && out[i] == sum;
    good = good && withStorage([=](void *s, size_t &b) {
        return cub::DeviceSelect::Flagged(s, b, v, f, v2, count, n);
    });
    cudaMemcpy(&selected, count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(out.data(), v2, n * sizeof(int), cudaMemcpyDeviceToHost);
    good = good && selected == 1000;
    for (int i = 0; i < 1000; i++) good = good && out[i] == 3 * i;
    good = good && withStorage([=](void *s, size_t &b) {
        return cub::DeviceRadixSort::SortPairs(s, b, k, k2, v, v2, n);
    });
    cudaMemcpy(out.data(), v2, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    good = good && out == values;
    for (void *p : {(void *)k, (void *)v, (void *)k2, (void *)v2, (void *)f, (void *)count}) cudaFree(p);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
