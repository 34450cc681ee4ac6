// Inline PTX whose meaning C++ has, too: special registers, bits, fences, barriers, cached copies.
#include <cstdio>

__device__ unsigned lane_id() {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__device__ unsigned before_me() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
__device__ unsigned field(unsigned value, unsigned at, unsigned length) {
    unsigned part;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(part) : "r"(value), "r"(at), "r"(length));
    return part;
}
__device__ unsigned either(unsigned a, unsigned b, unsigned c) {
    unsigned d;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
__device__ float load_once(const float *p) {
    float v;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}

__global__ void registers(unsigned *out) {
    unsigned warp, warps, i = threadIdx.x;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
    out[i] = lane_id() | warp << 8 | warps << 16;
    out[i + blockDim.x] = before_me();
}

__global__ void bits(unsigned *out) {
    unsigned i = threadIdx.x, packed, joined;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"(i), "r"(0xaabbccddu), "r"(0x7654u));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(joined) : "r"(i), "r"(0u), "r"(4u), "r"(8u));
    out[i] = field(i << 3, 3, 5) + either(i, 5, 9) + packed + joined;
}

// Neighbours of a block, which a barrier of PTX's parts.
__global__ void neighbours(const float *in, float *out) {
    __shared__ float s[128];
    unsigned i = threadIdx.x;
    s[i] = load_once(in + i);
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    float sum = s[i] + s[(i + 1) % blockDim.x], two;
    asm("ex2.approx.f32 %0, %1;" : "=f"(two) : "f"(1.0f));
    sum *= two;
    asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(out + i), "f"(sum));
}

// Registers between barriers, in the kernel and in what it calls.
__global__ void between(unsigned *out) {
    __shared__ unsigned s[128];
    unsigned i = threadIdx.x, lane, sum = 0;
    s[i] = i;
    __syncthreads();
    for (unsigned k = 0; k < 3; k++) {
        asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
        sum += s[i ^ 1] + lane + lane_id();
        __syncthreads();
        s[i] += 1;
        __syncthreads();
    }
    out[i] = sum;
}

__global__ void clocks(long long *out) {
    long long begin, end;
    unsigned long long wall;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(wall));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(end));
    out[0] = end - begin, out[1] = (long long)wall;
}

int main() {
    const unsigned n = 128;
    unsigned *r;
    float *in, *out;
    long long *time;
    int bad = 0;
    cudaMallocManaged(&r, 2 * n * sizeof *r);
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&time, 2 * sizeof *time);
    for (unsigned i = 0; i < n; i++) in[i] = i;

    registers<<<1, n>>>(r);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < n; i++) {
        bad += r[i] != (i % 32 | i / 32 << 8 | n / 32 << 16);
        bad += r[i + n] != (1u << i % 32) - 1;
    }
    between<<<1, n>>>(r);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < n; i++) bad += r[i] != 3 * (i ^ 1) + 3 + 6 * (i % 32);
    bits<<<1, n>>>(r);
    neighbours<<<1, n>>>(in, out);
    clocks<<<1, 1>>>(time);
    if (cudaDeviceSynchronize() != cudaSuccess) bad++;
    for (unsigned i = 0; i < n; i++) {
        unsigned part = i & 31, all = i ^ 5 ^ 9;
        bad += r[i] != part + all + 0xaabbccddu + (i << 4);
        bad += out[i] != 2.0f * (float)(i + (i + 1) % n);
    }
    bad += time[0] < 0 || time[1] <= 0;
    printf(bad ? "FAIL %d\n" : "PASS\n", bad);
    return bad != 0;
}
