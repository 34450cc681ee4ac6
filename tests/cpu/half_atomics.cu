// Atomic sums of halves and bfloat16s, alone and in pairs, and exchanges of two bytes.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T, class Pair> __global__ void sums(T *alone, Pair *pairs, T one, Pair both) {
    atomicAdd(&alone[threadIdx.x % 3], one);
    atomicAdd(&pairs[threadIdx.x % 2], both);
}

__global__ void exchanges(unsigned short *to) {
    const unsigned short old = atomicCAS(&to[threadIdx.x], (unsigned short)threadIdx.x, 500);
    if (threadIdx.x % 2 && old != threadIdx.x) to[threadIdx.x] = 0;
}

template <class T, class Pair> int check(T one, Pair both) {
    T *alone;
    Pair *pairs;
    cudaMallocManaged(&alone, 3 * sizeof(T));
    cudaMallocManaged(&pairs, 2 * sizeof(Pair));
    cudaMemset(alone, 0, 3 * sizeof(T));
    cudaMemset(pairs, 0, 2 * sizeof(Pair));
    sums<<<1, 96>>>(alone, pairs, one, both);
    int wrong = cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 3; i++) wrong += float(alone[i]) != 32 * float(one);
    for (int i = 0; i < 2; i++) {
        wrong += float(pairs[i].x) != 48 * float(both.x);
        wrong += float(pairs[i].y) != 48 * float(both.y);
    }
    return wrong;
}

int main() {
    int wrong = check(__float2half(0.5f), __floats2half2_rn(1.f, 2.f));
    wrong += check(__float2bfloat16(2.f), __floats2bfloat162_rn(0.f, 1.f));
    unsigned short *to;
    cudaMallocManaged(&to, 64 * sizeof *to);
    for (int i = 0; i < 64; i++) to[i] = i % 3 ? i : 1000;
    exchanges<<<1, 64>>>(to);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 64; i++) wrong += to[i] != (i % 3 ? 500 : i % 2 ? 0 : 1000);
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
