// target: rocm
// select: cuda-silent,cuda-ptx
// Lanes and masks as hash tables, sorts and compactions write them.
#include <cuda_runtime.h>

// want: cuda-silent/warp-size-constant
static constexpr std::size_t kThreadsPerWarp = 32;
// want: cuda-silent/warp-size-constant
const int warp_size = 32;
// want: cuda-silent/warp-size-constant
#define LOG_WARP_SIZE 5
// want: cuda-silent/warp-size-constant
static const unsigned WARP_SIZE_MASK = 31;
// ok: cuda-silent/warp-size-constant
constexpr int kWarpsPerBlock = 32;
// ok: cuda-silent/warp-size-constant
#define MAX_WARPS 32
// ok: cuda-silent/warp-size-constant
constexpr int WARP_TILE_N = 32;
// want: cuda-silent/full-mask
#define ALL_LANES 0xFFFFFFFFul
// want: cuda-silent/full-mask
static const unsigned kFullWarpMask = ~0u;
// want: cuda-silent/full-mask
constexpr uint32_t WARP_MASK = UINT32_MAX;
// ok: cuda-silent/full-mask
constexpr uint32_t kInvalidIndex = 0xffffffffu;
// ok: cuda-silent/full-mask
#define COLOR_MASK 0xffffffff

template <typename T> __device__ int count_below(T pred, int lane_idx) {
    // want: cuda-silent/lane-mask
    const uint32_t votes = __ballot_sync(ALL_LANES, pred);
    // want: cuda-silent/lane-shift, cuda-silent/mask-bits
    return __popc(votes << (31 - lane_idx)) + (votes >> lane_idx & 1u);
}

// want: cuda-silent/lane-mask-return
__device__ __forceinline__ unsigned equal_lanes(unsigned key) { return __match_any_sync(kFullWarpMask, key); }

__device__ void insert(int *slots, int key, int *failed) {
    int lane = threadIdx.x;
    unsigned peers;
    // want: cuda-silent/lane-mask
    peers = __match_any_sync(__activemask(), key);
    // want: cuda-silent/mask-bits
    bool first = lane == __ffs(peers) - 1;
    // want: cuda-silent/mask-bits
    int last = 31 - __clz(peers);
    // want: cuda-silent/mask-bits
    unsigned mirrored = __brev(peers);
    // ok: cuda-silent/mask-bits
    int digits = __popc(key) + __clz(key) + __ffs(slots[0]);
    while (peers) {
        // want: cuda-silent/mask-bits
        int src = __ffs(peers) - 1;
        // ok: cuda-silent/lane-shift
        peers &= peers - 1;
        slots[src] = digits + last + first + mirrored;
    }
    // want: cuda-silent/lane-mask
    if (int lost = __ballot_sync(WARP_MASK, key < 0)) *failed = lost;
    // ok: cuda-silent/lane-mask
    if (__ballot_sync(WARP_MASK, key > 0)) slots[0] = 0;
    // ok: cuda-silent/lane-mask
    const bool any = __any_sync(WARP_MASK, key);
    // ok: cuda-silent/lane-mask
    int vote_count = __syncthreads_count(any);
    slots[1] = vote_count;
}

__device__ void radix(unsigned bits, unsigned *out, int n) {
    // want: cuda-silent/warp-arithmetic
    int lane = threadIdx.x & (32 - 1);
    // want: cuda-silent/warp-arithmetic
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    // want: cuda-silent/warp-arithmetic
    int warps_in_block = (blockDim.x + 31) / 32;
    // want: cuda-silent/lane-shift
    unsigned my_bit = 1u << lane;
    // want: cuda-silent/lane-shift
    unsigned lower = (1 << lane) - 1;
    // ok: cuda-silent/lane-shift
    unsigned digit = (bits >> lower) & 0xf;
    // ok: cuda-silent/warp-arithmetic
    int words = (n + 31) / 32;
    // ok: cuda-silent/warp-arithmetic
    unsigned bit_of_word = bits >> (n % 32);
    // ok: cuda-silent/warp-arithmetic
    int row = blockIdx.x / 32;
    // want: cuda-silent/warp-loop
    for (int step = 1; step <= 32 / 2; step <<= 1) {
        unsigned up = __shfl_up_sync(0xffffffffu, digit, step);
        if (lane >= step) digit += up;
    }
    // want: cuda-silent/warp-loop
    for (int delta = 32 >> 1; delta; delta >>= 1) digit = max(digit, __shfl_xor_sync(0xffffffffu, digit, delta));
    // ok: cuda-silent/warp-loop
    for (int half = 4; half; half >>= 1) digit += __shfl_xor_sync(0xffffffffu, digit, half);
    out[warp * warps_in_block + row] = digit + my_bit + words + bit_of_word;
}
