// Thrust: sorting by key, counting runs, and a pointer from cudaMalloc as an iterator.
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <cstdio>
#include <vector>

int main() {
    const int n = 200;
    std::vector<int> keys(n), values(n);
    for (int i = 0; i < n; i++) keys[i] = (i * 17) % 10, values[i] = i;
    thrust::device_vector<int> k(keys.begin(), keys.end()), v(values.begin(), values.end());
    thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
    thrust::device_vector<int> runs(10), lengths(10);
    auto ends = thrust::reduce_by_key(k.begin(), k.end(), thrust::constant_iterator<int>(1),
                                      runs.begin(), lengths.begin());
    bool good = ends.first - runs.begin() == 10;
    for (int i = 0; i < 10; i++) good = good && runs[i] == i && lengths[i] == n / 10;
    thrust::copy(v.begin(), v.end(), values.begin());
    for (int i = 1; i < n; i++)
        good = good && (keys[values[i - 1]] < keys[values[i]] ||
                        (keys[values[i - 1]] == keys[values[i]] && values[i - 1] < values[i]));
    int *raw;
    cudaMalloc((void **)&raw, n * sizeof(int));
    thrust::device_ptr<int> p(raw);
    thrust::fill(thrust::device, p, p + n, 3);
    good = good && thrust::reduce(p, p + n) == 3 * n;
    cudaFree(raw);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
