// Device functions with barriers and operations of warps in them, and operations of every kind:
// like tiers.cu, compiled as loops and as fibers; both must print the same.
// sycl: lanes leave a loop whose shuffles name them all
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <cub/cub.cuh>

namespace cg = cooperative_groups;

#define FULL 0xffffffff

// ---- functions ----

// A value that is an expression, a loop, a return of an operation.
template <class T> __device__ T warp_sum(T v, T scale = T(1)) {
    for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(FULL, v * scale, o);
    return __shfl_sync(FULL, v, 0);
}

// Shared memory of its own, a function in it, threads that return before the others.
__device__ float block_sum(float v, int n) {
    __shared__ float sums[64];
    __shared__ float all;
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    if (n < 0) return v;
    if (threadIdx.x == 0) all = 0;
    float s = warp_sum(v);
    if (lane == 0) sums[warp] = s;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < (int)(blockDim.x + warpSize - 1) / warpSize; i++) all += sums[i];
    __syncthreads();
    if (int(threadIdx.x) % 5 == n % 5) return all + n;
    return all * 0.5f;
}

// What it changes for its caller; shared memory that it is handed; a parameter that it changes.
__device__ void exchange(float *s, float &mine, const int &by, unsigned count) {
    for (; count > 0; count--) {
        s[threadIdx.x] = mine;
        __syncthreads();
        mine = s[(threadIdx.x + by) % blockDim.x] * 0.5f + count;
        __syncthreads();
    }
}
struct Pair {
    float low;
    int high;
};
__device__ Pair both(Pair p, int step) {
    p.low += __shfl_xor_sync(FULL, p.low, step);
    p.high += __shfl_up_sync(FULL, p.high + step, 1);
    return {p.low, p.high};
}
namespace inner {
namespace {
__device__ int votes(float v) { return __popc(__ballot_sync(FULL, v > 0)); }
__device__ int votes(float v, float most) { return votes(v) + __any_sync(FULL, v > most); }
} // namespace
} // namespace inner
// Overloads that only the types choose between.
__device__ int twice(int v) { return __shfl_xor_sync(FULL, v, 1) * 2; }
__device__ float twice(float v) { return __shfl_xor_sync(FULL, v, 2) * 2; }
// Groups as parameters.
template <unsigned Size>
__device__ float tile_sum(const cg::thread_block_tile<Size> &tile, float v, float *s) {
    v = cg::reduce(tile, v, cg::plus<float>());
    if (tile.thread_rank() == 0) s[threadIdx.x / Size] = v;
    tile.sync();
    return s[threadIdx.x / Size] + tile.shfl_down(v + 1, 1);
}
__device__ float through(cg::thread_block &block, float *s, float v) {
    s[block.thread_rank()] = v;
    cg::sync(block);
    float next = s[(block.thread_rank() + 1) % blockDim.x];
    block.sync();
    return next;
}
// Loops of different lengths, left by some; a result that not all threads come to at once.
__device__ float walk(float v, int rounds) {
    for (int i = 0; i < rounds; i++) {
        float first = __shfl_sync(FULL, v, i % warpSize);
        v += first;
        if (v > 1000) return v - rounds;
        if (i == 7) break;
    }
    return v;
}
// The first thing that it does waits; nothing is returned.
__device__ void settle(float *s, int at) {
    __syncthreads();
    s[at] += 1;
    __syncthreads();
}

// ---- kernels ----

__global__ void calls(const float *in, float *out, int n) {
    __shared__ float s[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i % n];
    v += warp_sum(v) + warp_sum<float>(v, 0.5f);
    v += block_sum(v, n % 11 - 1);
    exchange(s, v, threadIdx.x % 7, 3);
    Pair p = {v, (int)threadIdx.x};
    p = both(p, 1 + n % 3);
    settle(s, threadIdx.x);
    out[i] = p.low + p.high + inner::votes(v) + inner::votes(v, in[0] * 3) + s[threadIdx.x];
    out[i] += twice(v) + twice(p.high % 100);
}

// Where only some threads come.
__global__ void some(const float *in, float *out, int n) {
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / warpSize,
        lane = threadIdx.x % warpSize;
    float v = i < n ? in[i] : 1, w = 0;
    if (lane < 1) s[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = warp_sum(lane < (int)(blockDim.x + warpSize - 1) / warpSize ? s[lane] : 0.f);
    } else if (warp % 2) {
        w = walk(v, warp + 2);
    }
    __syncthreads();
    for (int k = warp; k < 6; k++) {
        if (k == 4 && warp == 2) break;
        w += warp_sum(v + k, 0.25f);
    }
    out[i] = v + w;
}

__global__ void groups(const float *in, float *out, int n) {
    __shared__ float s[1024];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i % n];
    float sum = cg::reduce(warp, v * 2, cg::plus<float>{});
    float most = cg::reduce(quad, v, cg::greater<float>{});
    for (int o = warp.size() / 2; o > 0; o /= 2) v += warp.shfl_down(v, o);
    float up = quad.shfl_up(v, 1) + quad.shfl_xor(most, 2) + warp.shfl(sum, 3);
    int yes = quad.any(v > 0) + 2 * warp.all(v < 50) + quad.ballot(v > 3) % 8;
    float before = cg::exclusive_scan(quad, v, cg::plus<float>());
    float upto = cg::inclusive_scan(warp, most);
    v += tile_sum<32>(warp, v, s) + tile_sum<4>(quad, v, s + 64);
    block.sync();
    v += through(block, s, v);
    out[i] = sum + most + up + yes + before + upto + v;
}

// Values of any kind, masks that are no constants, operations of the block, conditions.
__global__ void asks(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    float v = in[i % n], found = 0;
    const unsigned mask = lane < 16 ? 0xffffu : 0xffff0000u;
    if (warpSize == 32) {
        v += __shfl_xor_sync(mask, v + lane, 1);
        found += __any_sync(mask, v > 20) + __popc(__ballot_sync(mask, v < 0));
    }
    found += __syncthreads_count(v > 1) + 3 * __syncthreads_or(v > 30) + __syncthreads_and(v < 40);
    found += __reduce_add_sync(FULL, lane % 7) + __reduce_max_sync(FULL, unsigned(lane) % 5);
    found += __popcll(__match_any_sync(FULL, lane % 3));
    float low = __shfl_sync(FULL, v, 0), high = __shfl_sync(FULL, v, lane ^ 3) * 2;
    found += low + high;
    if (::__any_sync(FULL, v > 24)) found += 100;
    else
        found -= 1;
    for (int k = lane; __any_sync(FULL, k < n % 70); k += warpSize) found += k < n % 70 ? 1 : 0.5f;
    int rounds = threadIdx.x / warpSize;
    while (__shfl_sync(FULL, rounds, 0) > 0) rounds--;
    do {
        v *= 0.5f;
    } while (__ballot_sync(FULL, v > 4) != 0);
    if (warp_sum(v) > 0) found += __shfl_up_sync(FULL, found, 2);
    out[i] = found + v + rounds;
}

// Reductions of CUB's, whose result is the first thread's; blocks have their size in the type.
struct Most {
    __device__ float operator()(float a, float b) const { return a < b ? b : a; }
};
__device__ float first_sum(float v) {
    using Sums = cub::BlockReduce<float, 128>;
    __shared__ typename Sums::TempStorage room;
    __shared__ float all;
    v = Sums(room).Sum(v);
    if (threadIdx.x == 0) all = v;
    __syncthreads();
    return all;
}
__global__ void reductions(const float *in, float *out, int n) {
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ Reduce::TempStorage room;
    float v = in[(blockIdx.x * blockDim.x + threadIdx.x) % n];
    float sum = Reduce(room).Sum(v * 0.5f);
    __syncthreads();
    float most = Reduce(room).Reduce(v, Most());
    __syncthreads();
    most += Reduce(room).Reduce(v, cub::Max(), n % 128 + 1);
    sum += first_sum(v);
    if (threadIdx.x == 0) out[blockIdx.x] = sum + most;
}

static unsigned int state_of_random = 54321;
static int any(int most) { // 1 ... most
    state_of_random = state_of_random * 1664525 + 1013904223;
    return 1 + (state_of_random >> 8) % most;
}

static void say(const char *name, int round, int g, int b, const float *out, size_t n) {
    unsigned long long hash = 1469598103934665603ull;
    const unsigned char *bytes = reinterpret_cast<const unsigned char *>(out);
    for (size_t i = 0; i < n * sizeof *out; i++) hash = (hash ^ bytes[i]) * 1099511628211ull;
    printf("%s %d: grid %d block %d: %016llx\n", name, round, g, b, hash);
}

int main() {
    const int most = 1 << 13;
    float *in, *out;
    cudaMallocManaged(&in, most * sizeof(float));
    cudaMallocManaged(&out, most * sizeof(float));
    for (int i = 0; i < most; i++) in[i] = i * 7 % 101 * 0.37f - 11;
    for (int round = 0; round < 12; round++) {
        const int grid = any(6), n = any(2000);
        int block = any(round % 3 ? 1024 : 96);
        auto run = [&](const char *name, void (*kernel)(const float *, float *, int)) {
            memset(out, 0, most * sizeof(float));
            kernel<<<grid, block>>>(in, out, n);
            if (cudaDeviceSynchronize() != cudaSuccess) printf("%s failed\n", name);
            say(name, round, grid, block, out, most);
        };
        run("calls", calls), run("some", some), run("groups", groups), run("asks", asks);
        block = 128;
        run("reductions", reductions);
    }
    cudaFree(in);
    cudaFree(out);
    printf("PASS\n");
    return 0;
}
