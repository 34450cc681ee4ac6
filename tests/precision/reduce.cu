// target: rocm
// select: cuda-silent,cuda-ptx
// Block reductions and scans that take a warp for 32 lanes.
#include <cuda_runtime.h>

// want: cuda-silent/warp-size-constant
#define WARP_SIZE 32
// ok: cuda-silent/warp-size-constant
#define MAX_WARPS 32
// ok: cuda-silent/warp-size-constant
#define TILE_DIM 32
// want: cuda-silent/full-mask
#define FULL_MASK 0xffffffff
// ok: cuda-silent/full-mask
#define CRC_SEED 0xffffffff

// want: cuda-silent/warp-size-constant
constexpr int kWarpSize = 32;
// want: cuda-silent/warp-size-constant
static const unsigned int warp_size = 32u;
// ok: cuda-silent/warp-size-constant
constexpr int kWarpsPerBlock = 32;
// ok: cuda-silent/warp-size-constant
constexpr int kBatchSize = 32;
// want: cuda-silent/full-mask
constexpr unsigned kFullMask = 0xFFFFFFFFu;
// ok: cuda-silent/full-mask
constexpr unsigned kHashMask = 0xFFFFFFFFu;

__device__ float warp_sum(float v) {
    // want: cuda-silent/warp-loop
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(FULL_MASK, v, offset);
    return v;
}

__device__ float warp_max(float v) {
    // want: cuda-silent/warp-loop
    for (int mask = 16; mask > 0; mask >>= 1) {
        v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, mask));
    }
    return v;
}

__device__ int warp_scan(int v, int lane) {
    // want: cuda-silent/warp-loop
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(FULL_MASK, v, d);
        if (lane >= d) v += other;
    }
    return v;
}

__device__ int warp_scan_named(int v, int lane) {
    // ok: cuda-silent/warp-loop
    for (int d = 1; d < warpSize; d <<= 1) {
        int other = __shfl_up_sync(FULL_MASK, v, d);
        if (lane >= d) v += other;
    }
    return v;
}

__global__ void block_sum(const float *in, float *out, int n) {
    __shared__ float partial[32];
    // ok: cuda-silent/warp-arithmetic
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // want: cuda-silent/warp-arithmetic
    int lane = threadIdx.x % 32;
    // want: cuda-silent/warp-arithmetic
    int wid = threadIdx.x / 32;
    float v = i < n ? in[i] : 0.0f;
    v = warp_sum(v);
    if (lane == 0) partial[wid] = v;
    __syncthreads();
    // want: cuda-silent/warp-arithmetic
    v = threadIdx.x < blockDim.x / 32 ? partial[lane] : 0.0f;
    if (wid == 0) v = warp_sum(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}

__global__ void block_max(const float *in, float *out) {
    extern __shared__ float smem[];
    const int tid = threadIdx.x;
    // want: cuda-silent/warp-arithmetic
    const int lane_id = tid & 31;
    // want: cuda-silent/warp-arithmetic
    const int warp_id = tid >> 5;
    // want: cuda-silent/warp-arithmetic
    const int num_warps = (blockDim.x + 31) / 32;
    float v = warp_max(in[blockIdx.x * blockDim.x + tid]);
    if (lane_id == 0) smem[warp_id] = v;
    __syncthreads();
    if (warp_id == 0) {
        v = lane_id < num_warps ? smem[lane_id] : -1e30f;
        v = warp_max(v);
        if (lane_id == 0) out[blockIdx.x] = v;
    }
}

__global__ void strided(const float *x, float *y, int n) {
    // want: cuda-silent/warp-arithmetic
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    // want: cuda-silent/warp-arithmetic
    int lane = threadIdx.x & 0x1f;
    float s = 0.0f;
    // ok: cuda-silent/warp-arithmetic, cuda-silent/warp-loop
    for (int i = lane; i < n; i += 32) s += x[warp * n + i];
    // want: cuda-silent/warp-loop
    for (int o = 16; o >= 1; o >>= 1) s += __shfl_xor_sync(kFullMask, s, o);
    if (lane == 0) y[warp] = s;
}

__global__ void modern(const float *x, float *y) {
    // ok: cuda-silent/warp-arithmetic
    int lane = threadIdx.x % warpSize;
    // ok: cuda-silent/warp-arithmetic
    int warp = threadIdx.x / warpSize;
    float v = x[threadIdx.x];
    // ok: cuda-silent/warp-loop
    for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(FULL_MASK, v, o);
    if (lane == 0) y[warp] = v;
}

// A tile of 32 by 32 has nothing to do with warps.
__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][33];
    // ok: cuda-silent/warp-arithmetic
    int x = blockIdx.x * 32 + threadIdx.x;
    // ok: cuda-silent/warp-arithmetic
    int y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[x * n + y] = tile[threadIdx.y][threadIdx.x];
}

// ok: cuda-silent/warp-arithmetic
static unsigned hash(unsigned x) { return (x >> 5) ^ (x & 31); }
// ok: cuda-silent/warp-arithmetic
static int bitmap_word(int bit) { return bit / 32; }
// ok: cuda-silent/warp-arithmetic
static int round_up(int n) { return (n + 31) / 32 * 32; }

void launch(const float *in, float *out, int n) {
    // ok: cuda-silent/warp-arithmetic
    int blocks = (n + 255) / 256;
    block_sum<<<blocks, 256>>>(in, out, n);
    block_max<<<blocks, 256, 32 * sizeof(float)>>>(in, out);
}
