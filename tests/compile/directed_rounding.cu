// Arithmetic with directed rounding, as intervals use it.
#include <cuda_runtime.h>

template <class T> struct interval {
    T low, high;
};
__device__ interval<double> times(interval<double> a, double b) {
    return {__dmul_rd(a.low, b), __dmul_ru(a.high, b)};
}
__global__ void enclose(const double *x, const float *y, interval<double> *out, float *sums) {
    interval<double> i = {__dadd_rd(x[0], x[1]), __dadd_ru(x[0], x[1])};
    i = times(i, __drcp_ru(x[2]));
    out[0] = {__ddiv_rd(i.low, x[3]), __dsqrt_ru(i.high)};
    sums[0] = __fmaf_rd(y[0], y[1], __fmul_rz(y[2], y[3]));
    sums[1] = __fsub_ru(y[0], __fsqrt_rd(y[1])) + __fdiv_rz(y[2], __frcp_rd(y[3]));
}

int main() {
    enclose<<<1, 1>>>(nullptr, nullptr, nullptr, nullptr);
    return cudaDeviceSynchronize() != cudaSuccess;
}
