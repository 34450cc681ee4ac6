// Functions for both sides, by macros and as templates, which ask in different ways where they run.
#define BOTH_SIDES __host__ __device__
#define FOR_DEVICES __device__ inline

BOTH_SIDES int by_defined() {
#if defined(__CUDA_ARCH__)
    return 1;
#else
    return 0;
#endif
}
template <class T> BOTH_SIDES T without_else(T v) {
#ifndef __CUDA_ARCH__
    return v;
#endif
    return v + 1;
}
__host__ __device__ int by_version() {
    int side = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
    side = 2;
#endif
    return side;
}
__host__ __device__ int by_number(int v) {
    int side = 5;
#if __CUDA_ARCH__ >= 300
    int mine = v * 2;
    side = mine;
#else
    int other = v * 3;
    side = other;
#endif
    return side;
}
FOR_DEVICES int by_macro() {
#if __CUDA_ARCH__
    return 7;
#else
    return 8;
#endif
}
__host__ __device__ int nested(int v) {
#ifdef __CUDA_ARCH__
#ifdef NOT_DEFINED_ANYWHERE
    v = 100;
#else
    v += 4;
#endif
#else
    v += 9;
#endif
    return v;
}
__host__ __device__ int without_difference() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
    return 1;
#else
    return 0;
#endif
}

__host__ __device__ int all(int v) {
    return by_defined() + by_version() + 10 * without_else(v) + 1000 * by_number(v) + 100000 * nested(v) +
           10000000 * without_difference();
}

__global__ void k(int *out, const int *in, int host) {
    out[threadIdx.x] = all(threadIdx.x % 3) * 8 + by_macro() - host;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, all(1)); }
