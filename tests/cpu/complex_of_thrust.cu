// Complex numbers of Thrust's: two of different types are one of the wider, functions give Thrust's
// class and no std::complex, so that templates find it. And constants of another type than the table's.
#include <cstdio>
#include <cuda_runtime.h>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <type_traits>

using number = thrust::complex<float>;

template <class T> thrust::complex<T> product(thrust::complex<T> a, thrust::complex<T> b) {
    return a * b;
}

__constant__ unsigned masks[3] = {0x92492492, 0x24924924, 1};
__constant__ float weights[2] = {1, 2};

__global__ void compute(number *p) {
    p[0] = -p[0] * 2.0 + thrust::conj(p[1]) / 2 + 1;
    p[1] = thrust::exp(p[2]) * float(masks[2]) + weights[1];
}

static int failed;

static void expect(const char *what, thrust::complex<double> got, double real, double imag) {
    if (thrust::abs(got - thrust::complex<double>(real, imag)) < 1e-5) return;
    std::printf("%s: %g, %g instead of %g, %g\n", what, got.real(), got.imag(), real, imag);
    failed = 1;
}

int main() {
    const number i(0, 1), one(1, 0);
    static_assert(std::is_same<decltype(2.0 * one), thrust::complex<double>>::value, "");
    static_assert(std::is_same<decltype(one * 2.f), number>::value, "");
    static_assert(std::is_same<decltype(thrust::pow(one, 2)), number>::value, "");
    static_assert(std::is_same<decltype(thrust::sqrt(one)), number>::value, "");
    thrust::device_vector<number> v = {3.1 * one + 2.1 * i, 2.0 * one - 1.3 * i, number(0, 0)};
    expect("product", product(-i, one), 0, -1);
    expect("quotient", 4 / (one + i), 2, -2);
    expect("sqrt", thrust::sqrt(-4.f * one + 0 * i), 0, 2);
    if (!(one == number(1, 0)) || one != one) failed = 1;
    compute<<<1, 1>>>(thrust::raw_pointer_cast(v.data()));
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    expect("conj", thrust::complex<double>(number(v[0])), -4.2, -3.55);
    expect("exp", thrust::complex<double>(number(v[1])), 3, 0);
    std::printf(failed ? "FAILED\n" : "PASSED\n");
    return failed;
}
