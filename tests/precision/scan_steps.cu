// target: rocm
// select: cuda-silent,cuda-ptx
// Scans and reductions in shared memory whose last steps are left to a warp, and such as do it right.
#include <cuda_runtime.h>

// want: cuda-silent/warp-size-constant
#define WARP_DIM 32

__device__ inline int scan_warp(int val, volatile int *data) {
    int idx = 2 * threadIdx.x - (threadIdx.x & (warpSize - 1));
    data[idx] = 0;
    idx += warpSize;
    int t = data[idx] = val;
    // want: cuda-silent/warp-synchronous
    data[idx] = t += data[idx - 1];
    data[idx] = t += data[idx - 2];
    data[idx] = t += data[idx - 4];
    data[idx] = t += data[idx - 8];
    data[idx] = t += data[idx - 16];
    return data[idx - 1];
}

__device__ unsigned scan_levels(unsigned val, volatile unsigned *s, const int levels) {
    int i = 2 * threadIdx.x - (threadIdx.x & (WARP_DIM - 1));
    s[i] = 0;
    i += WARP_DIM;
    s[i] = val;
    // want: cuda-silent/warp-synchronous
    if (0 <= levels) { s[i] += s[i - 1]; }
    if (1 <= levels) { s[i] += s[i - 2]; }
    if (2 <= levels) { s[i] += s[i - 4]; }
    if (3 <= levels) { s[i] += s[i - 8]; }
    if (4 <= levels) { s[i] += s[i - 16]; }
    return s[i] - val;
}

__device__ void largest(volatile short *in, int me) {
    // want: cuda-silent/warp-synchronous
    in[me] = (in[me] > in[me + 32]) ? in[me] : in[me + 32];
    in[me] = (in[me] > in[me + 16]) ? in[me] : in[me + 16];
    in[me] = (in[me] > in[me + 8]) ? in[me] : in[me + 8];
    in[me] = (in[me] > in[me + 4]) ? in[me] : in[me + 4];
}

template <int n> __device__ void smallest(volatile int *sdata, int tid) {
    // want: cuda-silent/warp-synchronous
    if (n >= 32) sdata[tid] = min(sdata[tid], sdata[tid + 16]);
    if (n >= 16) sdata[tid] = min(sdata[tid], sdata[tid + 8]);
    if (n >= 8) sdata[tid] = min(sdata[tid], sdata[tid + 4]);
}

__device__ void in_word(volatile float *f, int lane) {
    for (unsigned i = 64; i > 32; i >>= 1) {
        if (lane < i) f[lane] += f[lane + i];
        __syncthreads();
    }
    // want: cuda-silent/warp-synchronous
    for (unsigned i = 32; i > 0; i >>= 1) {
        if (lane < i) f[lane] += f[lane + i];
    }
}

__global__ void last_half(const double *in, double *out) {
    __shared__ volatile double part[128];
    const int t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    if (t < 64) part[t] += part[t + 64];
    __syncthreads();
    // want: cuda-silent/warp-synchronous
    if (t < 32) part[t] += part[t + 32];
    if (t < 16) part[t] += part[t + 16];
    if (t < 8) part[t] += part[t + 8];
    if (t < 4) part[t] += part[t + 4];
    if (t == 0) out[0] = part[0];
}

__global__ void tree_without_barrier(const float *in, float *out) {
    extern __shared__ volatile float acc[];
    unsigned tid = threadIdx.x;
    acc[tid] = in[tid];
    // want: cuda-silent/warp-synchronous
    for (int s = 16; s; s >>= 1) acc[tid] += acc[tid + s];
    if (!tid) *out = acc[0];
}

// Between the steps stands a barrier: right.
__device__ void with_barriers(volatile float *s, int t) {
    float v = s[t];
    // ok: cuda-silent/warp-synchronous
    v += s[t + 32];
    __syncwarp();
    s[t] = v;
    __syncwarp();
    v += s[t + 16];
    __syncwarp();
    s[t] = v;
    __syncwarp();
}

__global__ void tree_with_barrier(const float *in, float *out) {
    __shared__ float acc[256];
    unsigned tid = threadIdx.x;
    acc[tid] = in[tid];
    __syncthreads();
    // ok: cuda-silent/warp-synchronous, cuda-silent/warp-loop
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) acc[tid] += acc[tid + s];
        __syncthreads();
    }
    // ok: cuda-silent/warp-synchronous, cuda-silent/warp-loop
    for (int s = 32; s > 0; s >>= 1) {
        if (tid < s) acc[tid] += acc[tid + s];
        __syncthreads();
    }
    if (tid == 0) *out = acc[0];
}

// One thread works through its own part: no other reads it.
__device__ float own(volatile float *mine) {
    float s = 0;
    // ok: cuda-silent/warp-synchronous, cuda-silent/warp-loop
    for (int i = 0; i < 32; i++) s += mine[i];
    // ok: cuda-silent/warp-synchronous
    for (int i = 16; i > 0; i >>= 1) mine[i] = s;
    return s;
}

__inline__ __device__ float warp_total(float val) {
    // ok: cuda-silent/warp-loop
    for (int offset = WARP_DIM >> 1; offset; offset >>= 1) val += __shfl_down_sync(~0, val, offset);
    return val;
}

__inline__ __device__ float block_total(float val) {
    // ok: cuda-silent/warp-arithmetic
    static __shared__ float shared[32];
    // want: cuda-silent/warp-arithmetic
    int lane = threadIdx.x & 0x1f;
    // want: cuda-silent/warp-arithmetic
    int wid = threadIdx.x >> 5;
    val = warp_total(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    // want: cuda-silent/warp-arithmetic
    val = (threadIdx.x < (blockDim.x / 32.f)) ? shared[lane] : 0.0f;
    return wid == 0 ? warp_total(val) : 0.0f;
}

template <class T> __device__ void exclusive(const T *in, T *out, const int n) {
    // want: cuda-silent/warp-arithmetic
    const int lane = threadIdx.x & 31;
    T data = lane > 0 && lane < n ? in[lane - 1] : 0;
    // want: cuda-silent/warp-loop
    for (int i = 1; i < 32; i *= 2) {
        T other = __shfl_up_sync(0xFFFFFFFF, data, i);
        if (lane > i) data += other;
    }
    if (lane < n) out[lane] = data;
}

__device__ int scan_with_ifs(int x, int lane) {
    int y = __shfl_up_sync(0xffffffff, x, 1);
    if (lane >= 1) x += y;
    y = __shfl_up_sync(0xffffffff, x, 2);
    if (lane >= 2) x += y;
    y = __shfl_up_sync(0xffffffff, x, 4);
    if (lane >= 4) x += y;
    y = __shfl_up_sync(0xffffffff, x, 8);
    if (lane >= 8) x += y;
    // want: cuda-silent/warp-loop
    y = __shfl_up_sync(0xffffffff, x, 16);
    if (lane >= 16) x += y;
    return x;
}

__device__ int broadcast_last(int x) {
    // want: cuda-silent/warp-arithmetic
    return __shfl_sync(0xffffffff, x, 31);
}

__device__ int broadcast_first(int x) {
    // ok: cuda-silent/warp-arithmetic
    return __shfl_sync(0xffffffff, x, 0);
}

template <int Width> __device__ float sub_total(float v) {
    // ok: cuda-silent/warp-loop
    for (int o = Width / 2; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o, Width);
    return v;
}

template <typename T, int kLanes = 32> struct WarpSum {
    __device__ static T of(T v) {
#pragma unroll
        // ok: cuda-silent/warp-loop
        for (int o = kLanes / 2; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
        return v;
    }
};
