// target: rocm
// select: cuda-silent,cuda-ptx
// Masks of lanes, and how wide the variables are that they end up in.
#include <cuda_runtime.h>
#include <cstdint>

__global__ void compact(const int *in, int *out, int *count) {
    // ok: cuda-silent/warp-arithmetic
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // want: cuda-silent/warp-arithmetic
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    // want: cuda-silent/lane-mask
    unsigned ballot = __ballot_sync(0xffffffff, keep);
    // want: cuda-silent/lane-shift
    unsigned below = ballot & ((1u << lane) - 1);
    // want: cuda-silent/mask-bits
    int rank = __popc(below & ballot);
    int base = 0;
    // want: cuda-silent/mask-bits
    if (lane == 0) base = atomicAdd(count, __popc(ballot));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep) out[base + rank] = in[i];
}

__global__ void aggregate(int *counter) {
    // want: cuda-silent/lane-mask
    unsigned int active = __activemask();
    // want: cuda-silent/mask-bits
    int leader = __ffs(active) - 1;
    // want: cuda-silent/mask-bits
    int n = __popc(active);
    int lane_id = threadIdx.x;
    if (lane_id == leader) atomicAdd(counter, n);
}

__global__ void aggregate_wide(int *counter) {
    // ok: cuda-silent/lane-mask
    unsigned long long active = __activemask();
    // ok: cuda-silent/mask-bits
    int leader = __ffsll(active) - 1;
    // ok: cuda-silent/mask-bits
    int n = __popcll(active);
    int lane_id = threadIdx.x;
    if (lane_id == leader) atomicAdd(counter, n);
}

__global__ void peers(const int *keys, int *out) {
    int key = keys[threadIdx.x];
    // want: cuda-silent/lane-mask
    uint32_t same = __match_any_sync(0xffffffffu, key);
    // want: cuda-silent/mask-bits
    out[threadIdx.x] = __popc(same);
    int pred;
    // want: cuda-silent/lane-mask
    const unsigned all = __match_all_sync(0xffffffffu, key, &pred);
    out[0] = pred ? (int)all : 0;
}

__global__ void late(const int *x, int *y) {
    unsigned votes;
    uint64_t wide;
    // want: cuda-silent/lane-mask
    votes = __ballot(x[threadIdx.x]);
    // ok: cuda-silent/lane-mask
    wide = __ballot(x[threadIdx.x]);
    // want: cuda-silent/mask-bits
    y[0] = __popc(votes);
    // want: cuda-silent/mask-bits
    y[1] = __popc(__ballot(x[threadIdx.x] > 1));
    // want: cuda-silent/mask-bits
    y[2] = __ffs(__ballot_sync(0xffffffff, x[threadIdx.x] > 2));
    // want: cuda-silent/mask-bits
    y[3] = 31 - __clz(__ballot_sync(0xffffffff, x[threadIdx.x] > 3));
    // ok: cuda-silent/mask-bits
    y[4] = __popcll(__ballot(x[threadIdx.x] > 4));
    // ok: cuda-silent/mask-bits
    y[5] = __popcll(wide);
}

__device__ unsigned vote(bool p) {
    // want: cuda-silent/lane-mask-return
    return __ballot_sync(0xffffffff, p);
}

__device__ uint64_t vote_wide(bool p) {
    // ok: cuda-silent/lane-mask-return
    return __ballot(p);
}

__device__ bool any_other(bool p, int lane) {
    // ok: cuda-silent/lane-mask
    auto m = __ballot(p);
    // want: cuda-silent/lane-shift
    return (m & ~(1 << lane)) != 0;
}

__device__ int lanes_below(int lane) {
    // want: cuda-silent/lane-shift
    unsigned lt = (1u << lane) - 1u;
    // ok: cuda-silent/lane-shift
    unsigned long long lt64 = (1ull << lane) - 1;
    // want: cuda-silent/lane-shift
    unsigned ge = 0xffffffffu << lane;
    // want: cuda-silent/lane-shift
    unsigned other = ~(-1 << lane);
    // want: cuda-silent/lane-shift
    unsigned own = 1 << (threadIdx.x & 31); // cuda-morph: ignore[cuda-silent/warp-arithmetic]
    return lt ^ ge ^ other ^ own ^ (unsigned)lt64;
}

// Bits of numbers, not of lanes.
__host__ __device__ int bits(uint32_t x) {
    // ok: cuda-silent/mask-bits
    return __popc(x) + __ffs(x);
}
__device__ int level(unsigned occupancy_mask) {
    // ok: cuda-silent/mask-bits
    return __popc(occupancy_mask) + __clz(occupancy_mask);
}
__device__ unsigned bit(int k, int shift) {
    // ok: cuda-silent/lane-shift
    return (1u << k) | (1 << shift) | (1u << 5);
}

__device__ bool ordered(int v) {
    // want: cuda-silent/lane-mask
    int m = __ballot_sync(0xffffffffu, v > 0);
    // ok: cuda-silent/lane-mask
    bool any = __any_sync(0xffffffffu, v > 0);
    // ok: cuda-silent/lane-mask
    bool both = __ballot_sync(0xffffffffu, v > 0) != 0;
    // ok: cuda-silent/lane-mask
    int got = __shfl_sync(0xffffffffu, v, 3);
    return any && both && m && got;
}
