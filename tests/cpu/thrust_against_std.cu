// Thrust's algorithms on the device's memory beside the standard library's on the host's, for ranges
// that are empty, short, and of more elements than an algorithm has parts.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <numeric>
#include <random>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <vector>

using Host = std::vector<int>;
using Device = thrust::device_vector<int>;

static int failures;
#define EXPECT(condition)                                                                         \
    if (!(condition)) std::printf("line %d, n = %d: " #condition "\n", __LINE__, n), failures++

static Host back(const Device &d, int n) {
    Host h(n);
    thrust::copy(d.begin(), d.begin() + n, h.begin());
    return h;
}

struct is_odd {
    __host__ __device__ bool operator()(int v) const { return v & 1; }
};
struct add_one {
    __host__ __device__ int operator()(int v) const { return v + 1; }
};
// The last digit of the second: an operator for which order counts, and which is associative.
struct later {
    __host__ __device__ int operator()(int a, int b) const { return b == 0 ? a : b; }
};
struct by_tens {
    __host__ __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};
struct store {
    int *to;
    __device__ void operator()(int i) const { to[i] = 3 * i; }
};

static void for_themselves(const Host &h, int n) {
    Device d(h.begin(), h.end()), e(n);
    Host x = h;
    thrust::transform(d.begin(), d.end(), e.begin(), add_one());
    std::transform(h.begin(), h.end(), x.begin(), add_one());
    EXPECT(back(e, n) == x);
    thrust::transform(d.begin(), d.end(), e.begin(), d.begin(), thrust::minus<int>());
    EXPECT(std::count(h.begin(), h.end(), 0) == 0 && back(d, n) == Host(n, -1));
    d = h;
    thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                     store{thrust::raw_pointer_cast(e.data())});
    for (int i = 0; i < n; i++) x[i] = 3 * i;
    EXPECT(back(e, n) == x);
    thrust::reverse(e.begin(), e.end());
    std::reverse(x.begin(), x.end());
    EXPECT(back(e, n) == x);
    thrust::replace_if(e.begin(), e.end(), is_odd(), 7);
    std::replace_if(x.begin(), x.end(), is_odd(), 7);
    EXPECT(back(e, n) == x);
    thrust::adjacent_difference(d.begin(), d.end(), e.begin());
    std::adjacent_difference(h.begin(), h.end(), x.begin());
    EXPECT(back(e, n) == x);
    thrust::sequence(e.begin(), e.end(), 4, 2);
    EXPECT(n == 0 || back(e, n)[n - 1] == 2 * n + 2);
    Device map(n);
    thrust::sequence(map.begin(), map.end());
    thrust::reverse(map.begin(), map.end());
    thrust::gather(map.begin(), map.end(), d.begin(), e.begin());
    EXPECT(back(e, n) == Host(h.rbegin(), h.rend()));
    Device f(n, 0);
    thrust::scatter(e.begin(), e.end(), map.begin(), f.begin());
    EXPECT(back(f, n) == h);
}

static void sums(const Host &h, int n) {
    Device d(h.begin(), h.end()), e(n);
    Host x(n);
    EXPECT(thrust::reduce(d.begin(), d.end(), 5) == std::accumulate(h.begin(), h.end(), 5));
    EXPECT(thrust::reduce(d.begin(), d.end(), 9, later()) ==
           std::accumulate(h.begin(), h.end(), 9, later()));
    EXPECT(thrust::transform_reduce(d.begin(), d.end(), add_one(), 0L, thrust::plus<long>()) ==
           std::accumulate(h.begin(), h.end(), 0L) + n);
    EXPECT(thrust::inner_product(d.begin(), d.end(), d.begin(), 0L) ==
           std::inner_product(h.begin(), h.end(), h.begin(), 0L));
    EXPECT(thrust::count_if(d.begin(), d.end(), is_odd()) ==
           std::count_if(h.begin(), h.end(), is_odd()));
    EXPECT(thrust::find(d.begin(), d.end(), 42) - d.begin() ==
           std::find(h.begin(), h.end(), 42) - h.begin());
    EXPECT(thrust::max_element(d.begin(), d.end()) - d.begin() ==
           std::max_element(h.begin(), h.end()) - h.begin());
    EXPECT(thrust::min_element(d.begin(), d.end()) - d.begin() ==
           std::min_element(h.begin(), h.end()) - h.begin());
    thrust::inclusive_scan(d.begin(), d.end(), e.begin());
    std::partial_sum(h.begin(), h.end(), x.begin());
    EXPECT(back(e, n) == x);
    thrust::exclusive_scan(d.begin(), d.end(), d.begin(), 10); // in place
    for (int i = 0, sum = 10; i < n; sum += h[i], i++) x[i] = sum;
    EXPECT(back(d, n) == x);
    d = h;
    // Of keys that follow one another.
    Host keys(n);
    for (int i = 0; i < n; i++) keys[i] = i / 3 % 2 + i / 700;
    Device k(keys.begin(), keys.end()), keys_out(n), values_out(n);
    const auto ends = thrust::reduce_by_key(k.begin(), k.end(), d.begin(), keys_out.begin(),
                                            values_out.begin());
    Host some, all;
    for (int i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1])
            some.push_back(keys[i]), all.push_back(h[i]);
        else
            all.back() += h[i];
    }
    const int groups = static_cast<int>(some.size());
    EXPECT(ends.first - keys_out.begin() == groups && ends.second - values_out.begin() == groups);
    EXPECT(back(keys_out, groups) == some && back(values_out, groups) == all);
    thrust::exclusive_scan_by_key(k.begin(), k.end(), d.begin(), d.begin(), 100);
    for (int i = 0, sum = 100; i < n; sum += h[i], i++) {
        if (i > 0 && keys[i] != keys[i - 1]) sum = 100;
        x[i] = sum;
    }
    EXPECT(back(d, n) == x);
}

static void fewer(const Host &h, int n) {
    Device d(h.begin(), h.end()), e(n);
    Host x;
    auto end = thrust::copy_if(d.begin(), d.end(), e.begin(), is_odd());
    std::copy_if(h.begin(), h.end(), std::back_inserter(x), is_odd());
    EXPECT(back(e, static_cast<int>(end - e.begin())) == x);
    end = thrust::remove_if(d.begin(), d.end(), is_odd());
    x = h;
    x.erase(std::remove_if(x.begin(), x.end(), is_odd()), x.end());
    EXPECT(back(d, static_cast<int>(end - d.begin())) == x);
    d = h;
    x = h;
    thrust::sort(d.begin(), d.end());
    std::sort(x.begin(), x.end());
    EXPECT(back(d, n) == x && thrust::is_sorted(d.begin(), d.end()));
    end = thrust::unique(d.begin(), d.end());
    x.erase(std::unique(x.begin(), x.end()), x.end());
    EXPECT(back(d, static_cast<int>(end - d.begin())) == x);
    d = h;
    x = h;
    end = thrust::stable_partition(d.begin(), d.end(), is_odd());
    const auto middle = std::stable_partition(x.begin(), x.end(), is_odd());
    EXPECT(back(d, n) == x && end - d.begin() == middle - x.begin());
}

static void sorted(const Host &h, int n) {
    Device d(h.begin(), h.end()), e(n);
    Host x = h;
    thrust::stable_sort(d.begin(), d.end(), by_tens());
    std::stable_sort(x.begin(), x.end(), by_tens());
    EXPECT(back(d, n) == x);
    d = h;
    thrust::sequence(e.begin(), e.end());
    thrust::stable_sort_by_key(d.begin(), d.end(), e.begin(), thrust::greater<int>());
    Host order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] > h[b]; });
    EXPECT(back(e, n) == order);
    // Pairs, through raw pointers and a policy.
    int *a, *b;
    cudaMalloc(&a, sizeof(int) * (n + 1));
    cudaMalloc(&b, sizeof(int) * (n + 1));
    cudaMemcpy(a, h.data(), sizeof(int) * n, cudaMemcpyHostToDevice);
    thrust::sequence(thrust::device, b, b + n);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(
        thrust::device_pointer_cast(a), thrust::device_pointer_cast(b)));
    thrust::sort(pairs, pairs + n);
    cudaMemcpy(x.data(), b, sizeof(int) * n, cudaMemcpyDeviceToHost);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return h[i] < h[j]; });
    EXPECT(x == order);
    // Two sorted ranges, and places in one of them.
    const int cut = n / 3;
    Host one(h.begin(), h.begin() + cut), two(h.begin() + cut, h.end());
    std::sort(one.begin(), one.end());
    std::sort(two.begin(), two.end());
    Device p(one.begin(), one.end()), q(two.begin(), two.end()), r(n);
    x.assign(n, 0);
    thrust::merge(p.begin(), p.end(), q.begin(), q.end(), r.begin());
    std::merge(one.begin(), one.end(), two.begin(), two.end(), x.begin());
    EXPECT(back(r, n) == x);
#define SET(algorithm, standard)                                                                  \
    {                                                                                             \
        x.clear();                                                                                \
        const auto set = algorithm(p.begin(), p.end(), q.begin(), q.end(), r.begin());            \
        standard(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(x));          \
        EXPECT(back(r, static_cast<int>(set - r.begin())) == x);                                  \
    }
    SET(thrust::set_union, std::set_union)
    SET(thrust::set_intersection, std::set_intersection)
    SET(thrust::set_difference, std::set_difference)
    SET(thrust::set_symmetric_difference, std::set_symmetric_difference)
    thrust::upper_bound(q.begin(), q.end(), d.begin(), d.end(), r.begin());
    const Host keys = back(d, n), found = back(r, n);
    for (int i = 0; i < n; i++)
        EXPECT(found[i] == std::upper_bound(two.begin(), two.end(), keys[i]) - two.begin());
    EXPECT(thrust::lower_bound(q.begin(), q.end(), 50) - q.begin() ==
           std::lower_bound(two.begin(), two.end(), 50) - two.begin());
    cudaFree(a);
    cudaFree(b);
}

int main() {
    std::mt19937 random(7);
    for (int n : {0, 1, 2, 8, 9, 63, 64, 65, 1000, 4096, 4097, 9001}) {
        Host h(n);
        for (int &v : h) v = 1 + static_cast<int>(random() % 97);
        for_themselves(h, n);
        sums(h, n);
        fewer(h, n);
        sorted(h, n);
    }
    // On the host's memory the host runs them, with its own functions.
    thrust::host_vector<int> on_host(10);
    int next = 0;
    thrust::generate(on_host.begin(), on_host.end(), [&next] { return next++; });
    Device copy = on_host;
    const int n = 10;
    EXPECT(thrust::reduce(copy.begin(), copy.end()) == 45 && copy[9] == 9);
    copy[0] = 5;
    thrust::copy(copy.begin(), copy.end(), on_host.begin());
    EXPECT(on_host[0] == 5);
    std::printf(failures ? "FAIL\n" : "PASS\n");
    return failures != 0;
}
