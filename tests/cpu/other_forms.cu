// SPDX-License-Identifier: Apache-2.0
// Forms that are not the usual ones: kernels through pointers of all kinds, explicit template
// arguments of warp operations, managed variables, __assertfail().
#include <cuda_runtime.h>
#include <stdio.h>

__managed__ int counter = 5;
__device__ __managed__ float table[32];

template <typename T> __device__ T of_lane(unsigned mask, T v, int lane) {
    return __shfl_sync<T>(mask, v, lane);
}
__global__ void fifth(int *out) {
    int v = threadIdx.x * 3;
    out[threadIdx.x] = __shfl_sync<int>(0xffffffffu, v, 5);
}
template <class T> __global__ void neighbours(T *out) {
    T v = T(threadIdx.x);
    v += __shfl_down_sync<T>(0xffffffff, v, 1, 32);
    v += of_lane<T>(~0u, v, 3);
    out[threadIdx.x] = v;
}
__global__ void votes(int *out) {
    const int odd = threadIdx.x & 1;
    out[threadIdx.x] = __any_sync(~0u, odd) + (int)__match_any_sync<int>(0xffffffff, odd);
}
__global__ void managed(int *out) {
    atomicAdd(&counter, 1);
    table[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = 0;
}

__global__ void reversed(int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x] + 1;
}
__global__ void twice(int *out) { out[threadIdx.x] *= 2; }
template <int N> __global__ void plus_n(int *out) { out[threadIdx.x] += N; }
typedef void (*kernel_t)(int *);
struct step {
    const char *name;
    void (*run)(int *);
};
static void through(void (*kernel)(int *), int *out) { kernel<<<1, 32>>>(out); }

__device__ int square(int a) { return a * a; }
__device__ int cube(int a) { return a * a * a; }
typedef int (*function_t)(int);
__device__ function_t functions[] = {square, cube};
__global__ void by_table(int *out) { out[threadIdx.x] = functions[threadIdx.x & 1](threadIdx.x); }

#define REQUIRE(c)                                                                                \
    ((c) ? (void)0 : __assertfail(#c, __FILE__, __LINE__, __func__, sizeof(char)))
__global__ void required(int *out) { REQUIRE(out[threadIdx.x] < 1000000); }

static int bad;
static void expect(const char *what, int got, int wanted) {
    if (got != wanted && bad++ < 10) printf("%s: got %d, expected %d\n", what, got, wanted);
}

int main() {
    int *out, n = 9, *place;
    float *real;
    cudaMallocManaged(&out, 32 * sizeof *out);
    cudaMallocManaged(&real, 32 * sizeof *real);
    fifth<<<1, 32>>>(out);
    neighbours<float><<<1, 32>>>(real);
    cudaDeviceSynchronize();
    expect("shuffle", out[31], 15);
    expect("template", real[2], 5 + 7);
    votes<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    expect("votes", out[0], 0x55555556);

    managed<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    expect("managed", counter, 37);
    expect("managed array", table[7], 7);
    cudaMemcpyToSymbol(counter, &n, sizeof n);
    expect("copied", counter, 9);
    cudaGetSymbolAddress((void **)&place, counter);
    expect("place", place == &counter, 1);

    void (*kernel)(int *) = reversed;
    kernel<<<1, 32>>>(out); // 32 - i
    kernel_t other = twice;
    other<<<1, 32>>>(out); // 64 - 2i
    step steps[] = {{"reversed", reversed}, {"twice", twice}, {"plus", plus_n<7>}};
    for (step &s : steps) s.run<<<1, 32>>>(out); // 71 - 2i
    through(plus_n<3>, out); // 74 - 2i
    auto deduced = plus_n<4>;
    deduced<<<1, 32>>>(out); // 78 - 2i
    kernel_t many[2] = {twice, plus_n<1>};
    for (int i = 0; i < 2; i++) many[i]<<<dim3(1), dim3(32), 0, 0>>>(out); // 157 - 4i
    cudaDeviceSynchronize();
    expect("pointers", out[10], 117);
    void *arguments[] = {&out};
    cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, 0);
    decltype(plus_n<1>) *same = plus_n<5>;
    same<<<1, 32>>>(out);
    same = plus_n<-5>;
    same<<<1, 32>>>(out);
    cudaLaunchKernel((void *)twice, dim3(1), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    expect("cudaLaunchKernel", out[10], 44);
    by_table<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    expect("square", out[4], 16);
    expect("cube", out[5], 125);

    required<<<1, 32>>>(out);
    expect("holds", cudaDeviceSynchronize(), cudaSuccess);
    out[3] = 1000001;
    required<<<1, 32>>>(out);
    expect("does not", cudaDeviceSynchronize(), cudaErrorAssert);
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
