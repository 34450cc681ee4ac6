// CUB for the whole device: histogram, run lengths, segments, the largest element's place, keys.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
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
template <typename T> static std::vector<T> download(const T *d, size_t n) {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
}

int main() {
    const int n = 5000, bins = 16, segments = 5;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = i / 3 * 7 % 64;
    int *d, *hist, *unique, *lengths, *runs, *offsets, *sums;
    float *f, *g;
    cub::KeyValuePair<int, int> *best;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&hist, bins * sizeof(int));
    cudaMalloc(&unique, n * sizeof(int));
    cudaMalloc(&lengths, n * sizeof(int));
    cudaMalloc(&runs, sizeof(int));
    cudaMalloc(&offsets, (segments + 1) * sizeof(int));
    cudaMalloc(&sums, segments * sizeof(int));
    cudaMalloc(&best, sizeof(*best));
    cudaMalloc(&f, n * sizeof(float));
    cudaMalloc(&g, n * sizeof(float));
    cudaMemcpy(d, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);

    bool good = withStorage([=](void *s, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(s, b, d, hist, bins + 1, 0, 64, n);
    });
    std::vector<int> counts(bins);
    for (int v : in) counts[v / 4]++;
    good = good && download(hist, bins) == counts;

    good = good && withStorage([=](void *s, size_t &b) {
        return cub::DeviceRunLengthEncode::Encode(s, b, d, unique, lengths, runs, n);
    });
    std::vector<int> values, repeats;
    for (int i = 0; i < n; i++) {
        if (i && in[i] == in[i - 1])
            repeats.back()++;
        else
            values.push_back(in[i]), repeats.push_back(1);
    }
    good = good && download(runs, 1)[0] == int(values.size());
    good = good && download(unique, values.size()) == values;
    good = good && download(lengths, values.size()) == repeats;

    const std::vector<int> bounds = {0, 10, 10, 999, 2000, n};
    cudaMemcpy(offsets, bounds.data(), bounds.size() * sizeof(int), cudaMemcpyHostToDevice);
    good = good && withStorage([=](void *s, size_t &b) {
        return cub::DeviceSegmentedReduce::Sum(s, b, d, sums, segments, offsets, offsets + 1);
    });
    const std::vector<int> reduced = download(sums, segments);
    for (int k = 0; k < segments; k++) {
        int sum = 0;
        for (int i = bounds[k]; i < bounds[k + 1]; i++) sum += in[i];
        good = good && reduced[k] == sum;
    }
    good = good && withStorage([=](void *s, size_t &b) {
        return cub::DeviceReduce::ArgMax(s, b, d, best, n);
    });
    const cub::KeyValuePair<int, int> top = download(best, 1)[0];
    const long at = std::max_element(in.begin(), in.end()) - in.begin();
    good = good && top.key == at && top.value == in[at];

    // Floats of both signs, descending.
    std::vector<float> keys(n);
    for (int i = 0; i < n; i++) keys[i] = float(i * 7919 % 5003 - 2500) / 8;
    cudaMemcpy(f, keys.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    good = good && withStorage([=](void *s, size_t &b) {
        return cub::DeviceRadixSort::SortKeysDescending(s, b, f, g, n);
    });
    std::sort(keys.begin(), keys.end(), std::greater<float>());
    good = good && download(g, n) == keys;
    for (void *p : {(void *)d, (void *)hist, (void *)unique, (void *)lengths, (void *)runs,
                    (void *)offsets, (void *)sums, (void *)best, (void *)f, (void *)g})
        cudaFree(p);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
