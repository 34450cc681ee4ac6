// SPDX-License-Identifier: Apache-2.0
// __CUDA_ARCH__ as a number: in arithmetic, as a template's argument, in static_assert, in macros,
// in constexpr functions, and in conditions of all kinds, for kernels, for the host and for both.
#include <cstdio>

template <int A> struct Hundred { static const int value = A / 100; };
#define AT_LEAST(n) (__CUDA_ARCH__ >= (n))
#define NEWER(n) (AT_LEAST(n) && AT_LEAST(200))

#if __CUDA_ARCH__ < 300
static __device__ int old() { return 1; }
#else
static __device__ int old() { return 0; }
#endif

__device__ int sum() { return __CUDA_ARCH__ / 100 + __CUDA_ARCH__ % 2; }
__device__ constexpr int constant() { return __CUDA_ARCH__; }
__device__ int by_template() {
    static_assert(__CUDA_ARCH__ >= 300, "an old device");
    static_assert(Hundred<constant()>::value == Hundred<__CUDA_ARCH__>::value, "one number");
    return Hundred<__CUDA_ARCH__>::value;
}
__device__ int by_macros() {
#if NEWER(300)
    return 1;
#elif AT_LEAST(200)
    return 2;
#else
    return 3;
#endif
}
__device__ int computed() {
    int n = 0;
#if __CUDA_ARCH__ / 100 >= 3
    n += 1;
#endif
#if (__CUDA_ARCH__) >= 300
    n += 10;
#endif
#if 300 <= __CUDA_ARCH__
    n += 100;
#endif
#if __CUDA_ARCH__
    n += 1000;
#endif
#if AT_LEAST(300) && __CUDA_ARCH__ > 300
    n += 10000;
#endif
    if (AT_LEAST(300)) n += 100000;
    return n;
}
__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__;
#else
    return -1;
#endif
}
__host__ __device__ constexpr int bits(unsigned v) {
#ifdef __CUDA_ARCH__
    return 32 - __clz(v);
#else
    int n = 0;
    for (; v; v /= 2) n++;
    return n;
#endif
}
int on_host() {
#if __CUDA_ARCH__ >= 300
    return 1;
#else
    return 2;
#endif
}

__global__ void k(int *out) {
    auto inner = [=] __device__() {
#if __CUDA_ARCH__ >= 300
        return 1;
#else
        return 2;
#endif
    };
    int small[2] = {5, 6};
    out[0] = old();
    out[1] = sum() - __CUDA_ARCH__ / 100 - __CUDA_ARCH__ % 2;
    out[2] = by_template() == sum() / 1;
    out[3] = by_macros();
    out[4] = computed();
    out[5] = side() == __CUDA_ARCH__;
    out[6] = bits(1000);
    out[7] = inner() + small[1];
}

int main() {
    const int expected[] = {0, 0, 1, 1, 111111, 1, 10, 7};
    int h[8] = {}, *d, wrong = 0;
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) {
        if (h[i] == expected[i]) continue;
        printf("%d: got %d, expected %d\n", i, h[i], expected[i]);
        wrong++;
    }
    static_assert(bits(7) == 3, "a constant of the host's");
    wrong += side() != -1 || on_host() != 2 || bits(1000) != 10;
    cudaFree(d);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
