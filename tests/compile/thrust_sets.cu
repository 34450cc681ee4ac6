// Thrust: what leaves elements out, and what sorted ranges allow.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

struct IsEven {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

static std::vector<int> numbers(int n, int factor, int modulus) {
    std::vector<int> v(n);
    for (int i = 0; i < n; i++) v[i] = i * factor % modulus;
    return v;
}
static bool same(const thrust::device_vector<int> &d, size_t n, const std::vector<int> &v) {
    if (n != v.size()) return false;
    std::vector<int> h(n);
    thrust::copy(d.begin(), d.begin() + n, h.begin());
    return h == v;
}

int main() {
    const std::vector<int> a = numbers(200, 37, 101), b = numbers(150, 53, 89);
    thrust::device_vector<int> d(a.begin(), a.end());
    bool good = thrust::count_if(d.begin(), d.end(), IsEven()) ==
                std::count_if(a.begin(), a.end(), IsEven());
    std::vector<int> kept = a;
    kept.erase(std::remove_if(kept.begin(), kept.end(), IsEven()), kept.end());
    const size_t odd = thrust::remove_if(d.begin(), d.end(), IsEven()) - d.begin();
    good = good && same(d, odd, kept);
    good = good && thrust::none_of(d.begin(), d.begin() + odd, IsEven());

    d = a;
    std::vector<int> halves = a;
    std::stable_partition(halves.begin(), halves.end(), IsEven());
    thrust::stable_partition(d.begin(), d.end(), IsEven());
    good = good && same(d, a.size(), halves);
    thrust::replace_if(d.begin(), d.end(), IsEven(), -1);
    good = good && thrust::count(d.begin(), d.end(), -1) ==
                       std::count_if(a.begin(), a.end(), IsEven());

    // As sets: sorted, each number once.
    d = a;
    thrust::device_vector<int> e(b.begin(), b.end()), out(a.size() + b.size());
    std::vector<int> sa = a, sb = b, expected;
    std::sort(sa.begin(), sa.end()), std::sort(sb.begin(), sb.end());
    sa.erase(std::unique(sa.begin(), sa.end()), sa.end());
    sb.erase(std::unique(sb.begin(), sb.end()), sb.end());
    thrust::sort(d.begin(), d.end());
    thrust::sort(e.begin(), e.end(), thrust::greater<int>());
    good = good && e[0] == sb.back();
    thrust::sort(e.begin(), e.end());
    const size_t na = thrust::unique(d.begin(), d.end()) - d.begin();
    const size_t nb = thrust::unique(e.begin(), e.end()) - e.begin();
    good = good && same(d, na, sa) && same(e, nb, sb);
    size_t n = thrust::set_intersection(d.begin(), d.begin() + na, e.begin(), e.begin() + nb,
                                        out.begin()) - out.begin();
    std::set_intersection(sa.begin(), sa.end(), sb.begin(), sb.end(), std::back_inserter(expected));
    good = good && same(out, n, expected);
    expected.clear();
    n = thrust::merge(d.begin(), d.begin() + na, e.begin(), e.begin() + nb, out.begin()) -
        out.begin();
    std::merge(sa.begin(), sa.end(), sb.begin(), sb.end(), std::back_inserter(expected));
    good = good && same(out, n, expected);
    for (int wanted = -5; wanted < 110; wanted += 7) {
        const long at = thrust::lower_bound(out.begin(), out.begin() + n, wanted) - out.begin();
        good = good && at == std::lower_bound(expected.begin(), expected.end(), wanted) -
                                 expected.begin();
        good = good && thrust::binary_search(out.begin(), out.begin() + n, wanted) ==
                           std::binary_search(expected.begin(), expected.end(), wanted);
    }
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
