// target: rocm
// select: cuda-silent,cuda-ptx
// Warps whose lanes are thought to march in step.
#include <cuda_runtime.h>

__device__ void last_warp(volatile float *s, int tid) {
    // want: cuda-silent/warp-synchronous
    s[tid] += s[tid + 32];
    s[tid] += s[tid + 16];
    s[tid] += s[tid + 8];
    s[tid] += s[tid + 4];
    s[tid] += s[tid + 2];
    s[tid] += s[tid + 1];
}

template <unsigned int blockSize>
__device__ void last_warp_sized(volatile int *sdata, unsigned int tid) {
    // want: cuda-silent/warp-synchronous
    if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
    if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
    if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
}

__global__ void sum(const float *in, float *out) {
    __shared__ float s[256];
    int tid = threadIdx.x;
    s[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    if (tid < 128) s[tid] += s[tid + 128];
    __syncthreads();
    if (tid < 64) s[tid] += s[tid + 64];
    __syncthreads();
    if (tid < 32) last_warp(s, tid);
    if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void sum_inline(const float *in, float *out) {
    __shared__ volatile float s[256];
    int tid = threadIdx.x;
    s[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    if (tid < 32) {
        // want: cuda-silent/warp-synchronous
        s[tid] += s[tid + 32];
        s[tid] += s[tid + 16];
        s[tid] += s[tid + 8];
    }
    if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void maximum(const float *in, float *out) {
    __shared__ float s[128];
    volatile float *v = s;
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        // want: cuda-silent/warp-synchronous
        v[t] = fmaxf(v[t], v[t + 32]);
        v[t] = fmaxf(v[t], v[t + 16]);
        v[t] = fmaxf(v[t], v[t + 8]);
    }
    if (t == 0) out[0] = v[0];
}

__device__ void last_warp_synced(volatile float *s, int tid) {
    // ok: cuda-silent/warp-synchronous
    s[tid] += s[tid + 32];
    __syncwarp();
    s[tid] += s[tid + 16];
    __syncwarp();
}

__global__ void with_barriers(const float *in, float *out) {
    __shared__ float s[64];
    int tid = threadIdx.x;
    s[tid] = in[tid];
    __syncthreads();
    // ok: cuda-silent/warp-synchronous
    if (tid < 32) s[tid] += s[tid + 32];
    __syncthreads();
    if (tid < 16) s[tid] += s[tid + 16];
    __syncthreads();
    out[tid] = s[tid];
}

__global__ void neighbours(const float *in, float *out) {
    int i = threadIdx.x;
    // ok: cuda-silent/warp-synchronous
    out[i] += in[i + 32];
    out[i] += in[i + 16];
}

__global__ void flag_wait(volatile int *flag, int *data) {
    // ok: cuda-silent/warp-synchronous
    while (flag[0] == 0) {
    }
    data[threadIdx.x] += flag[32];
}

// A warp index, and nothing else that tells of warps.
__global__ void rows(const float *in, float *out, int n) {
    // want: cuda-silent/warp-arithmetic-hint
    int row = blockIdx.x * 8 + threadIdx.x / 32;
    // want: cuda-silent/warp-arithmetic-hint
    for (int i = threadIdx.x % 32; i < n; i += 32) out[row * n + i] = in[row * n + i];
}

__global__ void tile(const float *in, float *out) {
    // ok: cuda-silent/warp-arithmetic-hint
    int r = threadIdx.x / 16, c = threadIdx.x % 16;
    // ok: cuda-silent/warp-arithmetic-hint
    out[r * 16 + c] = in[c * 16 + r] / 32;
}
