// target: rocm
// select: cuda-silent,cuda-ptx
// Selection by warps, hash tables that groups probe, sorting networks.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <limits>
namespace cg = cooperative_groups;

struct Lane {
    __device__ static int id() {
        int v;
        // want: cuda-ptx/inline
        asm("mov.s32 %0, %laneid;" : "=r"(v));
        return v;
    }
};

__device__ __forceinline__ unsigned lane_mask_lt() {
    unsigned m;
    // want: cuda-ptx/inline
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
    return m;
}

typedef unsigned int bits_t;

template <typename K> __global__ void compact_if(const K *in, K *out, int *fill, K limit, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const bool take = in[i] < limit;
        // want: cuda-silent/lane-mask
        const bits_t voted = __ballot_sync(__activemask(), take);
        // want: cuda-silent/mask-bits
        const int before = __popc(voted & lane_mask_lt());
        int base = 0;
        // want: cuda-silent/mask-bits
        if (Lane::id() == __ffs(voted) - 1) base = atomicAdd(fill, __popc(voted));
        // want: cuda-silent/mask-bits
        base = __shfl_sync(voted, base, __ffs(voted) - 1);
        if (take) out[base + before] = in[i];
    }
}

// Two words: 64 lanes in all; right on a wave of 64.
__device__ int count_wide(bool p) {
    // ok: cuda-silent/lane-mask
    const uint64_t votes = __ballot(p);
    // ok: cuda-silent/mask-bits
    const int low = __popc((uint32_t)votes), high = __popc((uint32_t)(votes >> 32));
    // ok: cuda-silent/mask-bits
    return low + high + __popcll(votes);
}

template <int W> __device__ int probe(cg::thread_block_tile<W> tile, const uint32_t *slots, uint32_t key, uint32_t capacity) {
    uint32_t at = key % capacity;
    while (true) {
        const uint32_t slot = slots[at + tile.thread_rank()];
        // ok: cuda-silent/lane-mask
        const unsigned hit = tile.ballot(slot == key);
        // ok: cuda-silent/mask-bits
        if (hit) return at + __ffs(hit) - 1;
        // ok: cuda-silent/lane-mask
        if (tile.any(slot == 0xffffffff)) return -1;
        at = (at + W) % capacity;
    }
}

__global__ void claim(unsigned *table, const unsigned *keys, int n) {
    auto active = cg::coalesced_threads();
    // want: cuda-silent/lane-mask
    unsigned equal = active.match_any(keys[threadIdx.x]);
    // want: cuda-silent/mask-bits
    if (active.thread_rank() == __ffs(equal) - 1) table[keys[threadIdx.x] % n] = active.size();
}

class LaneSet {
  public:
    // want: cuda-silent/lane-mask-return
    __device__ static unsigned of(bool p) { return __ballot_sync(0xffffffff, p); }
    // ok: cuda-silent/lane-mask-return
    __device__ static unsigned long long wide(bool p) { return __ballot(p); }
    // want: cuda-silent/lane-shift
    __device__ static bool has(unsigned set, int lane) { return set & (1u << lane); }
    __device__ void add(bool p) {
        // want: cuda-silent/lane-mask
        set_ |= __ballot_sync(0xffffffff, p);
    }
    // want: cuda-silent/mask-bits
    __device__ int size() const { return __popc(set_); }

  private:
    unsigned set_ = 0;
};

// Work is handed from lane to lane.
__global__ void drain(const int *work, int *done, int n) {
    // want: cuda-silent/warp-arithmetic
    const int lane = threadIdx.x & 31;
    bool busy = work[threadIdx.x] > 0;
    unsigned queue;
    // want: cuda-silent/lane-mask
    while ((queue = __ballot_sync(0xffffffff, busy)) != 0) {
        // want: cuda-silent/mask-bits
        const int src = __ffs(queue) - 1;
        const int w = __shfl_sync(0xffffffff, work[threadIdx.x], src);
        for (int k = lane; k < w; k += 32) done[k] = 1;
        if (lane == src) busy = false;
    }
}

// The lowest set bit of keys: no lanes.
__device__ int level_of(uint32_t code) {
    // ok: cuda-silent/mask-bits
    return 31 - __clz(code ^ (code + 1));
}
__device__ uint32_t interleave(uint32_t x, int lane_count) {
    // ok: cuda-silent/lane-shift, cuda-silent/warp-arithmetic
    return (x << 16 | x >> 16) & (1u << (lane_count & 7));
}

template <typename T> __device__ T inclusive(T v) {
    const int lane = Lane::id();
#pragma unroll
    // want: cuda-silent/warp-loop
    for (int i = 1; i <= 16; i <<= 1) {
        T u = __shfl_up_sync(0xffffffff, v, i);
        if (lane >= i) v += u;
    }
    return v;
}

template <typename T, int N> __device__ void sort_step(T (&v)[N], int stride) {
    // ok: cuda-silent/warp-loop
    for (int i = 0; i < N; i++) v[i] = max(v[i], __shfl_xor_sync(0xffffffff, v[i], stride));
}

template <typename T> __device__ void sort_lanes(T v[1]) {
    // want: cuda-silent/warp-loop
    for (int size = 2; size <= 32; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) sort_step<T, 1>(reinterpret_cast<T(&)[1]>(*v), stride);
}

// want: cuda-silent/full-mask
#define ACTIVE_ALL (unsigned)-1
__device__ int last(int v) {
    // want: cuda-silent/warp-arithmetic
    return __shfl_sync(ACTIVE_ALL, v, 31);
}

__device__ float pair_sum(volatile float *line) {
    const int t = threadIdx.x & 15;
    // want: cuda-silent/warp-synchronous
    if (t < 8) line[t] += line[t + 8];
    if (t < 4) line[t] += line[t + 4];
    if (t < 2) line[t] += line[t + 2];
    if (t < 1) line[t] += line[t + 1];
    return line[0];
}

__device__ void exchange(float *tile, int lane) {
    tile[lane] = lane;
    // want: cuda-silent/warp-synchronous
    const float other = tile[lane ^ 1];
    tile[lane] = other;
}

__global__ void merge_rows(const float *in, float *out) {
    __shared__ float part[8][33];
    part[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    // ok: cuda-silent/warp-synchronous
    for (int s = 4; s > 0; s >>= 1) {
        if (threadIdx.y < s) part[threadIdx.y][threadIdx.x] += part[threadIdx.y + s][threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = part[0][threadIdx.x];
}
