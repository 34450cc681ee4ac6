// Inclusive scans of single warps with __shfl_up_sync, also of parts of 8 lanes.
// warp 32: masks of 32 bits leave the upper half of a wave out
#include <cuda_runtime.h>
#include <cstdio>

template <int Width> __device__ unsigned scanInclusive(unsigned value) {
    const unsigned lane = threadIdx.x & (Width - 1);
#pragma unroll
    for (int delta = 1; delta < Width; delta <<= 1) {
        unsigned below = __shfl_up_sync(0xFFFFFFFFu, value, delta, Width);
        if (lane >= delta) value += below;
    }
    return value;
}

template <int Width> __global__ void scanKernel(const unsigned *in, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = scanInclusive<Width>(in[i]);
}

// The last lane's value reaches everyone by a broadcast.
__global__ void totals(const unsigned *in, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = scanInclusive<32>(in[i]);
    out[i] = __shfl_sync(0xFFFFFFFFu, sum, 31);
}

int main() {
    enum { N = 512 };
    unsigned in[N], out32[N], out8[N], total[N], *din, *dout;
    for (int i = 0; i < N; i++) in[i] = i * 2654435761u >> 24;
    cudaMalloc((void **)&din, sizeof in);
    cudaMalloc((void **)&dout, sizeof in);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    scanKernel<32><<<N / 128, 128>>>(din, dout);
    cudaMemcpy(out32, dout, sizeof in, cudaMemcpyDeviceToHost);
    scanKernel<8><<<N / 64, 64>>>(din, dout);
    cudaMemcpy(out8, dout, sizeof in, cudaMemcpyDeviceToHost);
    totals<<<N / 256, 256>>>(din, dout);
    cudaMemcpy(total, dout, sizeof in, cudaMemcpyDeviceToHost);
    cudaFree(din);
    cudaFree(dout);
    int wrong = cudaGetLastError() != cudaSuccess;
    for (int i = 0; i < N; i++) {
        unsigned sum32 = 0, sum8 = 0, all = 0;
        for (int j = i / 32 * 32; j <= i; j++) sum32 += in[j];
        for (int j = i / 8 * 8; j <= i; j++) sum8 += in[j];
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++) all += in[j];
        wrong += out32[i] != sum32 || out8[i] != sum8 || total[i] != all;
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
