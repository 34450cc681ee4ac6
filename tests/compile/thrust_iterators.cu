// Thrust's fancy iterators: counting, transform, permutation and zip, under scans and reductions.
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <cstdio>
#include <vector>

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Distance {
    template <typename Tuple> __host__ __device__ float operator()(const Tuple &t) const {
        const float x = thrust::get<0>(t), y = thrust::get<1>(t);
        return x * x + y * y;
    }
};

int main() {
    const int n = 1000;
    bool good = true;
    // The sum of the first squares, without any memory for them.
    thrust::counting_iterator<int> first(1);
    const int sum = thrust::reduce(thrust::make_transform_iterator(first, Square()),
                                   thrust::make_transform_iterator(first + 100, Square()));
    good = good && sum == 100 * 101 * 201 / 6;

    thrust::device_vector<int> v(n), scanned(n), backwards(n);
    thrust::sequence(v.begin(), v.end(), 3, 2);
    thrust::exclusive_scan(v.begin(), v.end(), scanned.begin(), 10);
    thrust::host_vector<int> h = scanned;
    for (int i = 0, s = 10; i < n; s += 3 + 2 * i, i++) good = good && h[i] == s;
    thrust::inclusive_scan(v.begin(), v.end(), v.begin(), thrust::maximum<int>());
    good = good && v[n - 1] == 3 + 2 * (n - 1);

    // Backwards through a permutation.
    thrust::device_vector<int> order(n);
    thrust::sequence(order.begin(), order.end(), n - 1, -1);
    thrust::copy(thrust::make_permutation_iterator(v.begin(), order.begin()),
                 thrust::make_permutation_iterator(v.begin(), order.end()), backwards.begin());
    h = backwards;
    for (int i = 0; i < n; i++) good = good && h[i] == 3 + 2 * (n - 1 - i);
    thrust::gather(order.begin(), order.end(), backwards.begin(), v.begin());
    good = good && v[0] == 3 && v[1] == 5;

    thrust::device_vector<float> x(n), y(n), d(n);
    for (int i = 0; i < 10; i++) x[i] = float(i), y[i] = float(2 * i);
    thrust::transform(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin())),
                      thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end())), d.begin(),
                      Distance());
    for (int i = 0; i < 10; i++) good = good && d[i] == 5.0f * float(i * i);
    good = good && thrust::max_element(d.begin(), d.end()) - d.begin() == 9;
    good = good && thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0f) == 2.0f * 285.0f;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
