// hip: 6.4, the older headers have no bfloat16 of CUDA's form
// Atomics of 16-bit numbers and of pairs, in a template, too.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>

template <class T> __global__ void addOnes(T *sum, T one) {
    atomicAdd(&sum[threadIdx.x % 3], one);
}

__global__ void addPairs(half2 *sum) {
    atomicAdd(sum, __floats2half2_rn(1.f, 2.f));
}

__global__ void check(const half *h, const __nv_bfloat16 *b, const half2 *p, int *good) {
    half2 most = __hmax2(p[0], __floats2half2_rn(100.f, 100.f));
    half2 least = __hmin2(p[0], __floats2half2_rn(100.f, 100.f));
    bool right = __half2float(h[0]) == 32 && __half2float(h[2]) == 32 && __half2float(h[3]) == 5;
    right = right && __bfloat162float(__ldg(b)) == 32 && __bfloat162float(b[3]) == 5;
    right = right && __low2float(most) == 100 && __high2float(most) == 128;
    right = right && __low2float(least) == 64 && __high2float(least) == 100;
    *good = right;
}

int main() {
    half *h;
    __nv_bfloat16 *b;
    half2 *p;
    int *ended;
    cudaMallocManaged(&h, 4 * sizeof *h);
    cudaMallocManaged(&b, 4 * sizeof *b);
    cudaMallocManaged(&p, sizeof *p);
    cudaMallocManaged(&ended, sizeof *ended);
    for (int i = 0; i < 4; i++) {
        h[i] = __float2half(i < 3 ? 0.f : 5.f);
        b[i] = __float2bfloat16(i < 3 ? 0.f : 5.f);
    }
    *p = __floats2half2_rn(0.f, 0.f);
    *ended = 0;
    addOnes<<<1, 96>>>(h, __float2half(1.f));
    addOnes<<<1, 96>>>(b, __float2bfloat16(1.f));
    addPairs<<<2, 32>>>(p);
    check<<<1, 1>>>(h, b, p, ended);
    bool good = cudaDeviceSynchronize() == cudaSuccess && *ended == 1;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
