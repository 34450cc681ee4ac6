// hip: 6.4, the older headers have no bfloat16 of CUDA's form
// Atomics of 16-bit numbers and of pairs, in a template, too; a lock of 16 bits.
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

__global__ void claim(unsigned short *owners, int *claimed) {
    if (atomicCAS(&owners[threadIdx.x % 4], (unsigned short)0, (unsigned short)7) == 0)
        atomicAdd(claimed, 1);
}

__global__ void check(const half *h, const __nv_bfloat16 *b, const half2 *p,
                      const unsigned short *owners, int *good) {
    half2 most = __hmax2(p[0], __floats2half2_rn(100.f, 100.f));
    half2 least = __hmin2(p[0], __floats2half2_rn(100.f, 100.f));
    bool right = __half2float(h[0]) == 32 && __half2float(h[2]) == 32 && __half2float(h[3]) == 5;
    right = right && __bfloat162float(__ldg(b)) == 32 && __bfloat162float(b[3]) == 5;
    right = right && __low2float(most) == 100 && __high2float(most) == 128;
    right = right && __low2float(least) == 64 && __high2float(least) == 100;
    for (int i = 0; i < 4; i++) right = right && owners[i] == 7;
    *good = right && owners[4] == 9;
}

int main() {
    half *h;
    __nv_bfloat16 *b;
    half2 *p;
    unsigned short *owners;
    int *numbers;
    cudaMallocManaged(&h, 4 * sizeof *h);
    cudaMallocManaged(&b, 4 * sizeof *b);
    cudaMallocManaged(&p, sizeof *p);
    cudaMallocManaged(&owners, 5 * sizeof *owners);
    cudaMallocManaged(&numbers, 2 * sizeof *numbers);
    for (int i = 0; i < 4; i++) {
        h[i] = __float2half(i < 3 ? 0.f : 5.f);
        b[i] = __float2bfloat16(i < 3 ? 0.f : 5.f);
        owners[i] = 0;
    }
    *p = __floats2half2_rn(0.f, 0.f);
    owners[4] = 9;
    numbers[0] = numbers[1] = 0;
    addOnes<<<1, 96>>>(h, __float2half(1.f));
    addOnes<<<1, 96>>>(b, __float2bfloat16(1.f));
    addPairs<<<2, 32>>>(p);
    claim<<<1, 64>>>(owners, &numbers[0]);
    check<<<1, 1>>>(h, b, p, owners, &numbers[1]);
    bool good = cudaDeviceSynchronize() == cudaSuccess && numbers[0] == 4 && numbers[1] == 1;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
