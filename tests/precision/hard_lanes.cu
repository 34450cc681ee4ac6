// target: rocm
// select: cuda-silent,cuda-ptx
// Lanes and masks in less common clothes.
#include <cuda_runtime.h>

typedef unsigned int mask_t;
using lane_mask = std::uint32_t;

struct Votes {
    unsigned bits;
};

// want: cuda-silent/warp-size-constant
enum { WARP_SIZE = 32, BLOCK = 256 };
// want: cuda-silent/warp-size-constant
template <int LANES_PER_WARP = 32> struct Warp {};
// want: cuda-silent/warp-size-constant
#define CUDA_WARP_SIZE 0x20
// ok: cuda-silent/warp-size-constant
enum { TILE = 32, WARPS = 8 };

__device__ void masks(bool p, Votes *v, unsigned *out) {
    // want: cuda-silent/lane-mask
    unsigned m(__ballot_sync(0xffffffff, p));
    // want: cuda-silent/lane-mask
    unsigned n{__ballot_sync(0xffffffff, p)};
    // want: cuda-silent/lane-mask
    mask_t t = __ballot_sync(0xffffffff, p);
    // want: cuda-silent/lane-mask
    lane_mask l = __activemask();
    // want: cuda-silent/lane-mask
    v->bits = __ballot_sync(0xffffffff, p);
    // want: cuda-silent/lane-mask
    auto cast = (unsigned)__ballot_sync(0xffffffff, p);
    // want: cuda-silent/lane-mask
    unsigned a = m, b = __ballot_sync(0xffffffff, !p);
    // want: cuda-silent/lane-mask
    out[0] = __ballot_sync(0xffffffff, p);
    // ok: cuda-silent/lane-mask
    size_t wide = __ballot_sync(0xffffffff, p);
    // ok: cuda-silent/lane-mask
    int voted = __any(p);
    // ok: cuda-silent/lane-mask
    bool all = __ballot_sync(0xffffffff, p) == 0xffffffff;
    // want: cuda-silent/mask-bits
    out[1] = 32 - __clz(m | n) + t + l + cast + a + b;
    // ok: cuda-silent/mask-bits
    out[2] = __clzll(wide) + voted + all;
}

__device__ int lanes(int tx, int idx, float *partial, float v) {
    // want: cuda-silent/warp-arithmetic
    const int laneId = tx & 31;
    // want: cuda-silent/warp-arithmetic
    const int warpId = idx / 32;
    // want: cuda-silent/warp-arithmetic
    const unsigned warp = (unsigned)threadIdx.x / 32u;
    // want: cuda-silent/warp-arithmetic
    if ((threadIdx.x & 31) == 0) partial[warp] = v;
    // want: cuda-silent/warp-arithmetic
    if (!(threadIdx.x % 32)) partial[warpId] = v;
    // want: cuda-silent/warp-arithmetic
    const int rank = static_cast<int>(threadIdx.x) % 32;
    // want: cuda-silent/warp-arithmetic
    if (laneId == 31) v = 0;
    // ok: cuda-silent/warp-arithmetic
    const int column = idx % 64;
    // ok: cuda-silent/warp-arithmetic
    const float half = v / 32.0f;
    // ok: cuda-silent/warp-arithmetic
    const int shifted = tx << 5;
    // want: cuda-silent/lane-shift
    unsigned bit = 1U << (laneId);
    // want: cuda-silent/lane-shift
    unsigned upto = (2u << laneId) - 1;
    // want: cuda-silent/lane-shift
    unsigned after = 0xfffffffeU << laneId;
    // ok: cuda-silent/lane-shift
    uint64_t wide = uint64_t(1) << laneId;
    // ok: cuda-silent/lane-shift
    unsigned hash = (unsigned)idx << 7;
    return rank + column + half + shifted + bit + upto + after + wide + hash;
}

__device__ float loops(float v) {
    // want: cuda-silent/warp-loop
    for (unsigned int s = 16u; s > 0; s >>= 1) v += __shfl_down_sync(0xffffffff, v, s);
    int d = 16;
    // want: cuda-silent/warp-loop
    while (d > 0) {
        v += __shfl_xor_sync(0xffffffff, v, d);
        d >>= 1;
    }
    // want: cuda-silent/warp-loop
    for (int i = 1; i <= 16; i *= 2) v += __shfl_up_sync(0xffffffff, v, i);
    // want: cuda-silent/warp-loop
    for (int i = 0; i < 5; i++) v += __shfl_xor_sync(0xffffffff, v, 1 << i);
    // ok: cuda-silent/warp-loop
    for (int i = 0; i < 32; i++) v += i;
    // ok: cuda-silent/warp-loop
    for (int i = 8; i > 0; i /= 2) v += __shfl_xor_sync(0xffffffff, v, i);
    return v;
}

// want: cuda-silent/warp-loop
#define REDUCE(v, o) for (o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o)
