// target: rocm
// select: cuda-silent,cuda-ptx
// Graph and sparse kernels: a warp takes what is too large for a thread. Short names for warps, work lists by votes.
#include <cuda_runtime.h>
#include <cstdio>

static const int BlockThreads = 512;
// want: cuda-silent/full-mask
static const unsigned int Everyone = 0xffffffff;
// want: cuda-silent/warp-size-constant
static const int WS = 32;
// ok: cuda-silent/warp-size-constant
static const int TopBit = 1 << 31;
// ok: cuda-silent/warp-size-constant
static const int Tile = 32;
// ok: cuda-silent/full-mask
static const unsigned Infinity = 0xffffffff;

__global__ void find_large(int nodes, const int *first, const int *next, int *list, int *size, int *colour) {
    const int lane = threadIdx.x % WS;
    const int thread = threadIdx.x + blockIdx.x * BlockThreads;
    const int threads = gridDim.x * BlockThreads;
    for (int v = thread; __any_sync(Everyone, v < nodes); v += threads) {
        int begin = 0, end = 0, pos = 0;
        bool large = false;
        if (v < nodes) {
            begin = first[v];
            end = first[v + 1];
            large = end - begin >= WS;
            // ok: cuda-silent/lane-shift
            colour[v] = (unsigned)TopBit >> (end - begin);
        }
        // want: cuda-silent/lane-mask
        int todo = __ballot_sync(Everyone, large);
        while (todo != 0) {
            // want: cuda-silent/mask-bits
            const int who = __ffs(todo) - 1;
            todo &= todo - 1;
            const int from = __shfl_sync(Everyone, begin, who);
            const int to = __shfl_sync(Everyone, end, who);
            int at = from;
            for (int i = from + lane; __any_sync(Everyone, i < to); i += WS) {
                const bool keep = i < to && next[i] > v;
                // want: cuda-silent/lane-mask
                const int b = __ballot_sync(Everyone, keep);
                // want: cuda-silent/lane-shift, cuda-silent/mask-bits
                const int offset = __popc(b & ((1 << lane) - 1));
                if (keep) list[at + offset] = next[i];
                // want: cuda-silent/mask-bits
                at += __popc(b);
            }
            if (who == lane) pos = at;
        }
        if (pos) atomicAdd(size, pos - begin);
    }
}

// Bits of a set of nodes: words of 32 bits, whatever a warp has.
__global__ void mark(unsigned *set, const int *nodes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int v = nodes[i];
    // ok: cuda-silent/warp-arithmetic, cuda-silent/lane-shift
    atomicOr(&set[v >> 5], 1u << (v & 31));
    // ok: cuda-silent/warp-arithmetic
    const unsigned word = set[v / 32];
    // ok: cuda-silent/mask-bits
    if (__popc(word) == 32) printf("full\n");
    // ok: cuda-silent/warp-arithmetic-hint, cuda-silent/warp-arithmetic
    if (i < (n + 31) / 32) set[i] = 0;
}

// A warp for each row, as sparse products do it.
template <typename T>
__global__ void row_sums(int rows, const int *ptr, const int *col, const T *val, const T *x, T *y) {
    // want: cuda-silent/warp-arithmetic
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    // want: cuda-silent/warp-arithmetic
    const int lane = (blockIdx.x * blockDim.x + threadIdx.x) % 32;
    if (row >= rows) return;
    T sum = 0;
    // ok: cuda-silent/warp-loop
    for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32) sum += val[j] * x[col[j]];
    // want: cuda-silent/warp-loop
    for (int d = 16; d >= 1; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}

// The older reduction, its offsets written out one by one.
__device__ float unrolled(float v) {
    // want: cuda-silent/warp-loop
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    return v;
}

// Quads only: nothing depends on how many lanes there are.
__device__ float of_quad(float v) {
    // ok: cuda-silent/warp-loop
    v += __shfl_xor_sync(0xffffffff, v, 2);
    v += __shfl_xor_sync(0xffffffff, v, 1);
    return v;
}

__device__ __forceinline__ unsigned lane_id() {
    unsigned r;
    // want: cuda-ptx/inline
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

__device__ void write_node(unsigned *node, unsigned key, unsigned data) {
    // want: cuda-silent/lane-mask
    unsigned larger = __ballot_sync(Everyone, key > data && data != 0) & 0x55555555;
    // want: cuda-silent/mask-bits
    int pivot = __ffs(larger) - 1;
    // want: cuda-silent/lane-shift
    unsigned mine = 1 << lane_id();
    // ok: cuda-silent/lane-shift
    unsigned place = 1 << (pivot - 2);
    if (place & mine) data = key;
    // want: cuda-silent/warp-arithmetic
    if (lane_id() == 31) data |= 0x80000000;
    node[lane_id()] = data;
}

__global__ void insert_sorted(unsigned *node, unsigned *locks, unsigned key) {
    bool locked = true;
    // ok: cuda-silent/warp-arithmetic
    if (lane_id() == 0) locked = (atomicOr(locks, 0x80000000u) & 0x80000000u) != 0;
    locked = __shfl_sync(Everyone, locked, 0);
    if (!locked) write_node(node, key, node[lane_id()]);
    // want: cuda-silent/lane-mask
    auto left = (int)__ballot_sync(Everyone, key == 0);
    // want: cuda-silent/mask-bits
    if (lane_id() == __clz(__brev(left))) node[0] = left;
}

// The sizes of histograms, and the hash that looks like a mask.
__host__ __device__ unsigned hash(unsigned v) {
    // ok: cuda-silent/warp-arithmetic
    v = ((v >> 5) ^ v) * 0x45d9f3b;
    // ok: cuda-silent/full-mask, cuda-silent/lane-mask
    return v & 0xffffffffu;
}

__global__ void bins(const unsigned *in, unsigned *out, int n) {
    // want: cuda-silent/warp-arithmetic
    const int warps = blockDim.x >> 5;
    // want: cuda-silent/warp-arithmetic
    const int warp_id = threadIdx.x >> 5;
    __shared__ unsigned counts[32][33];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        // want: cuda-silent/lane-mask
        unsigned same = __match_any_sync(__activemask(), in[i]);
        // want: cuda-silent/mask-bits
        const int leader = 31 - __clz(same);
        // want: cuda-silent/warp-arithmetic, cuda-silent/mask-bits
        if ((threadIdx.x & 31) == leader) counts[warp_id][in[i] % 33] += __popc(same);
    }
    __syncthreads();
    for (int w = 0; w < warps; w++) out[threadIdx.x % 33] += counts[w][threadIdx.x % 33];
}

__device__ int aggregated(int *counter) {
    // want: cuda-silent/lane-mask
    const auto mask = static_cast<unsigned>(__activemask());
    // want: cuda-silent/mask-bits
    const int leader = __ffs((int)mask) - 1;
    int old = 0;
    const unsigned lane = threadIdx.x % warpSize;
    // want: cuda-silent/mask-bits
    if (lane == leader) old = atomicAdd(counter, __popc(mask));
    old = __shfl_sync(mask, old, leader);
    // want: cuda-silent/lane-shift, cuda-silent/mask-bits
    return old + __popc(mask & ((1u << lane) - 1));
}

// The same with 64 bits: right everywhere.
__device__ int aggregated_wide(int *counter) {
    // ok: cuda-silent/lane-mask
    const unsigned long long mask = __activemask();
    const unsigned lane = threadIdx.x % warpSize;
    // ok: cuda-silent/mask-bits
    const int leader = __ffsll(mask) - 1;
    int old = 0;
    // ok: cuda-silent/mask-bits
    if (lane == leader) old = atomicAdd(counter, __popcll(mask));
    old = __shfl(old, leader);
    // ok: cuda-silent/lane-shift, cuda-silent/mask-bits
    return old + __popcll(mask & ((1ull << lane) - 1));
}
