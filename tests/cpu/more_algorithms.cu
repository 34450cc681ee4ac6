// Algorithms of CUB and Thrust beyond the usual ones: runs, segments, merging, neighbours,
// batches; sets with values; each against arithmetic.
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/replace.h>
#include <thrust/set_operations.h>
#include <vector>

static int failures;
static void check(bool good, int line) {
    if (!good) printf("line %d is wrong\n", line), failures++;
}
#define CHECK(...) check((__VA_ARGS__), __LINE__)

template <class T> using device = thrust::device_vector<T>;
template <class T> static bool is(const device<T> &v, std::vector<T> want) {
    std::vector<T> got(v.size());
    thrust::copy(v.begin(), v.end(), got.begin());
    got.resize(want.size());
    return got == want;
}
template <class T> static T *raw(device<T> &v) { return thrust::raw_pointer_cast(v.data()); }
template <class T> static device<T> of(std::vector<T> v) { return device<T>(v.begin(), v.end()); }

// Asks for the size of the workspace, then does it.
template <class F> static void twice(F f) {
    size_t bytes = 0;
    f(nullptr, bytes);
    device<char> storage(bytes + 1);
    CHECK(f(raw(storage), bytes) == cudaSuccess);
    cudaDeviceSynchronize();
}

struct is_odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

static void runs_and_selection() {
    auto in = of<int>({7, 7, 1, 2, 2, 2, 9});
    device<int> offsets(7), lengths(7), count(1), out(7), values_out(7);
    twice([&](void *s, size_t &n) {
        return cub::DeviceRunLengthEncode::NonTrivialRuns(s, n, raw(in), raw(offsets),
                                                          raw(lengths), raw(count), 7);
    });
    CHECK(is(count, {2}) && is(offsets, {0, 3}) && is(lengths, {2, 3}));
    auto values = of<int>({1, 2, 3, 4, 5, 6, 7});
    twice([&](void *s, size_t &n) {
        return cub::DeviceSelect::UniqueByKey(s, n, raw(in), raw(values), raw(out),
                                              raw(values_out), raw(count), 7);
    });
    CHECK(is(count, {4}) && is(out, {7, 1, 2, 9}) && is(values_out, {1, 3, 4, 7}));
    twice([&](void *s, size_t &n) {
        return cub::DeviceSelect::FlaggedIf(s, n, raw(in), raw(values), raw(out), raw(count), 7,
                                            is_odd());
    });
    CHECK(is(count, {4}) && is(out, {7, 1, 2, 9}));
}

static void segments() {
    auto keys = of<int>({3, 1, 2, 9, 8, 5, 7});
    auto values = of<int>({0, 1, 2, 3, 4, 5, 6});
    auto bounds = of<int>({0, 3, 3, 7});
    device<int> out(7), values_out(7);
    const int *b = raw(bounds);
    twice([&](void *s, size_t &n) {
        return cub::DeviceSegmentedRadixSort::SortPairsDescending(
            s, n, raw(keys), raw(out), raw(values), raw(values_out), 7, 3, b, b + 1);
    });
    CHECK(is(out, {3, 2, 1, 9, 8, 7, 5}) && is(values_out, {0, 2, 1, 3, 4, 6, 5}));
    twice([&](void *s, size_t &n) {
        return cub::DeviceSegmentedSort::StableSortKeys(s, n, raw(keys), raw(out), 7, 3, b, b + 1);
    });
    CHECK(is(out, {1, 2, 3, 5, 7, 8, 9}));
    cub::DoubleBuffer<int> keys2(raw(keys), raw(out)), values2(raw(values), raw(values_out));
    twice([&](void *s, size_t &n) {
        return cub::DeviceSegmentedSort::SortPairsDescending(s, n, keys2, values2, 7, 3, b, b + 1);
    });
    CHECK(is(keys2.Current() == raw(out) ? out : keys, {3, 2, 1, 9, 8, 7, 5}));
    CHECK(is(values2.Current() == raw(values_out) ? values_out : values, {0, 2, 1, 3, 4, 6, 5}));
}

static void scans() {
    auto keys = of<int>({1, 1, 2, 2, 2, 3});
    auto in = of<int>({1, 2, 3, 4, 5, 6});
    device<int> out(6);
    twice([&](void *s, size_t &n) {
        return cub::DeviceScan::InclusiveSumByKey(s, n, raw(keys), raw(in), raw(out), 6);
    });
    CHECK(is(out, {1, 3, 3, 7, 12, 6}));
    twice([&](void *s, size_t &n) {
        return cub::DeviceScan::ExclusiveSumByKey(s, n, raw(keys), raw(in), raw(out), 6);
    });
    CHECK(is(out, {0, 1, 0, 3, 7, 0}));
    twice([&](void *s, size_t &n) {
        return cub::DeviceScan::InclusiveScanInit(s, n, raw(in), raw(out), thrust::plus<int>(), 10,
                                                  6);
    });
    CHECK(is(out, {11, 13, 16, 20, 25, 31}));
}

static void merging_and_neighbours() {
    auto a = of<int>({1, 4, 9}), b = of<int>({2, 4}), va = of<int>({10, 40, 90}),
         vb = of<int>({20, 41});
    device<int> out(5), values(5);
    twice([&](void *s, size_t &n) {
        return cub::DeviceMerge::MergePairs(s, n, raw(a), raw(va), 3, raw(b), raw(vb), 2, raw(out),
                                            raw(values));
    });
    CHECK(is(out, {1, 2, 4, 4, 9}) && is(values, {10, 20, 40, 41, 90}));
    device<int> differences(3);
    twice([&](void *s, size_t &n) {
        return cub::DeviceAdjacentDifference::SubtractLeftCopy(s, n, raw(a), raw(differences), 3);
    });
    CHECK(is(differences, {1, 3, 5}));
    twice([&](void *s, size_t &n) {
        return cub::DeviceAdjacentDifference::SubtractRight(s, n, raw(a), 3);
    });
    CHECK(is(a, {-3, -5, 9}));
    auto unsorted = of<int>({3, 1, 2});
    twice([&](void *s, size_t &n) {
        return cub::DeviceMergeSort::SortKeysCopy(s, n, raw(unsorted), raw(out), 3,
                                                  thrust::greater<int>());
    });
    CHECK(is(out, {3, 2, 1}) && is(unsorted, {3, 1, 2}));
    auto from = of<void *>({raw(va), raw(vb)}), to = of<void *>({raw(values), raw(out)});
    auto sizes = of<size_t>({12, 4});
    twice([&](void *s, size_t &n) {
        return cub::DeviceMemcpy::Batched(s, n, raw(from), raw(to), raw(sizes), 2);
    });
    CHECK(is(values, {10, 40, 90}) && is(out, {20}));
}

static void sets() {
    auto a = of<int>({1, 2, 2, 5}), b = of<int>({2, 3, 5, 5}), va = of<int>({10, 20, 21, 50}),
         vb = of<int>({22, 32, 52, 53});
    device<int> k(8), v(8);
    auto end = thrust::set_union_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(),
                                        vb.begin(), k.begin(), v.begin());
    CHECK(end.first - k.begin() == 6 && is(k, {1, 2, 2, 3, 5, 5}) &&
          is(v, {10, 20, 21, 32, 50, 53}));
    end = thrust::set_difference_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(),
                                        vb.begin(), k.begin(), v.begin());
    CHECK(end.second - v.begin() == 2 && is(k, {1, 2}) && is(v, {10, 21}));
    end = thrust::set_symmetric_difference_by_key(thrust::device, a.begin(), a.end(), b.begin(),
                                                  b.end(), va.begin(), vb.begin(), k.begin(),
                                                  v.begin(), thrust::less<int>());
    CHECK(end.first - k.begin() == 4 && is(k, {1, 2, 3, 5}) && is(v, {10, 21, 32, 53}));
    end = thrust::set_intersection_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(),
                                          k.begin(), v.begin());
    CHECK(end.first - k.begin() == 2 && is(k, {2, 5}) && is(v, {20, 50}));
    device<int> out(4);
    thrust::replace_copy(a.begin(), a.end(), out.begin(), 2, 7);
    CHECK(is(out, {1, 7, 7, 5}) && is(a, {1, 2, 2, 5}));
    thrust::replace_copy_if(thrust::device, a.begin(), a.end(), va.begin(), out.begin(), is_odd(),
                            0);
    CHECK(is(out, {1, 2, 0, 5}));
    CHECK(*thrust::next(a.begin()) == 2 && *thrust::prev(a.end()) == 5);
    thrust::error_code none;
    CHECK(!none);
}

int main() {
    runs_and_selection();
    segments();
    scans();
    merging_and_neighbours();
    sets();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
