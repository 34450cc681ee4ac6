// Thrust: a norm by transform and reduce, with functors of our own.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <cmath>
#include <iostream>

template <typename T> struct square {
    __host__ __device__ T operator()(const T &x) const { return x * x; }
};
struct saxpy_functor {
    const float a;
    explicit saxpy_functor(float a_) : a(a_) {}
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

int main() {
    thrust::host_vector<float> h(100);
    for (size_t i = 0; i < h.size(); i++) h[i] = float(i % 5);
    thrust::device_vector<float> d = h, e(100);
    float norm = std::sqrt(
        thrust::transform_reduce(d.begin(), d.end(), square<float>(), 0.0f, thrust::plus<float>()));
    thrust::sequence(e.begin(), e.end());
    thrust::transform(d.begin(), d.end(), e.begin(), e.begin(), saxpy_functor(2.0f));
    thrust::host_vector<float> r = e;
    bool good = std::fabs(norm - std::sqrt(600.0f)) < 1e-3f;
    for (int i = 0; i < 100; i++) good = good && r[i] == 2.0f * (i % 5) + i;
    float *raw = thrust::raw_pointer_cast(d.data());
    good = good && cudaMemset(raw, 0, 100 * sizeof(float)) == cudaSuccess && d[7] == 0.0f;
    std::cout << (good ? "PASS" : "FAIL") << std::endl;
    return good ? 0 : 1;
}
