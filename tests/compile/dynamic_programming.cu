// All intrinsics of dynamic programming: minima and maxima of three, of sums, and which one it was.
#include <cuda_runtime.h>
#include <cstdio>

__host__ __device__ unsigned all(unsigned a, unsigned b, unsigned c) {
    bool first = false, second = false;
    unsigned sum = 0;
    sum = sum * 31 + __viaddmax_s16x2(a, b, c);
    sum = sum * 31 + __viaddmax_s16x2_relu(a, b, c);
    sum = sum * 31 + __viaddmax_s32(a, b, c);
    sum = sum * 31 + __viaddmax_s32_relu(a, b, c);
    sum = sum * 31 + __viaddmax_u16x2(a, b, c);
    sum = sum * 31 + __viaddmax_u32(a, b, c);
    sum = sum * 31 + __viaddmin_s16x2(a, b, c);
    sum = sum * 31 + __viaddmin_s16x2_relu(a, b, c);
    sum = sum * 31 + __viaddmin_s32(a, b, c);
    sum = sum * 31 + __viaddmin_s32_relu(a, b, c);
    sum = sum * 31 + __viaddmin_u16x2(a, b, c);
    sum = sum * 31 + __viaddmin_u32(a, b, c);
    sum = sum * 31 + __vibmax_s16x2(a, b, &first, &second);
    sum += first + 2 * second;
    sum = sum * 31 + __vibmax_s32(a, b, &first);
    sum += first + 2 * second;
    sum = sum * 31 + __vibmax_u16x2(a, b, &first, &second);
    sum += first + 2 * second;
    sum = sum * 31 + __vibmax_u32(a, b, &first);
    sum += first + 2 * second;
    sum = sum * 31 + __vibmin_s16x2(a, b, &first, &second);
    sum += first + 2 * second;
    sum = sum * 31 + __vibmin_s32(a, b, &first);
    sum += first + 2 * second;
    sum = sum * 31 + __vibmin_u16x2(a, b, &first, &second);
    sum += first + 2 * second;
    sum = sum * 31 + __vibmin_u32(a, b, &first);
    sum += first + 2 * second;
    sum = sum * 31 + __vimax3_s16x2(a, b, c);
    sum = sum * 31 + __vimax3_s16x2_relu(a, b, c);
    sum = sum * 31 + __vimax3_s32(a, b, c);
    sum = sum * 31 + __vimax3_s32_relu(a, b, c);
    sum = sum * 31 + __vimax3_u16x2(a, b, c);
    sum = sum * 31 + __vimax3_u32(a, b, c);
    sum = sum * 31 + __vimax_s16x2_relu(a, b);
    sum = sum * 31 + __vimax_s32_relu(a, b);
    sum = sum * 31 + __vimin3_s16x2(a, b, c);
    sum = sum * 31 + __vimin3_s16x2_relu(a, b, c);
    sum = sum * 31 + __vimin3_s32(a, b, c);
    sum = sum * 31 + __vimin3_s32_relu(a, b, c);
    sum = sum * 31 + __vimin3_u16x2(a, b, c);
    sum = sum * 31 + __vimin3_u32(a, b, c);
    sum = sum * 31 + __vimin_s16x2_relu(a, b);
    sum = sum * 31 + __vimin_s32_relu(a, b);
    return sum;
}

__global__ void each(unsigned a, unsigned b, unsigned c, unsigned *out) {
    out[threadIdx.x] = all(a + threadIdx.x * 0x10001u, b * threadIdx.x, c ^ threadIdx.x);
}

int main() {
    unsigned *out, wrong = 0;
    cudaMallocManaged(&out, 32 * sizeof *out);
    each<<<1, 32>>>(0x7ffe8001u, 0x00017fffu, 0xfffe0003u, out);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 32; i++)
        wrong += out[i] != all(0x7ffe8001u + i * 0x10001u, 0x00017fffu * i, 0xfffe0003u ^ i);
    printf("%u wrong, %08x\n", wrong, out[31]);
    cudaFree(out);
    return wrong != 0;
}
