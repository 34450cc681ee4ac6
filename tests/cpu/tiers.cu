// Kernels with barriers of every shape, over grids and blocks of many shapes. What they compute is
// printed as hashes: the test compiles the port as loops and as fibers, and both must print the
// same.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

#define LAST(n) ((n)-1)

__device__ int rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ __forceinline__ float square(float x) { return x * x; }
__device__ void settle(float *s) {
    s[rank()] += 1;
    __syncthreads();
}

// A loop whose bound is the same for all.
__global__ void tree(const float *in, float *out, int n) {
    __shared__ float s[1024];
    int tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int size = blockDim.x * blockDim.y * blockDim.z;
    s[tid] = tid < n ? square(in[tid]) : 0; // one value each
    __syncthreads();
    int half = size;
    while (half > 1) {
        int odd = half % 2;
        half = half / 2;
        if (tid < half) s[tid] += s[tid + half + odd];
        half += odd;
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = s[0] + n;
}

// Values that live across barriers: scalars, arrays, structures, a swap of pointers.
__global__ void state(const float *in, float *out, int n) {
    extern __shared__ float s[];
    float *now = s, *next = s + blockDim.x;
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int order[] = {2, 0, 1,}; // as many as there are values
    float kept[3] = {1, 2}, sum(0.5f);
    float2 pair = make_float2(0, 1);
    unsigned char flag{3};
    now[threadIdx.x] = in[i % n];
    for (int round = 0; round < 4; round++) {
        __syncthreads();
        next[threadIdx.x] = now[(threadIdx.x + round) % blockDim.x] * 0.5f + kept[round % 3];
        kept[round % 3] += pair.y;
        pair.x += next[threadIdx.x];
        float *other = now;
        now = next;
        next = other;
    }
    __syncthreads();
    for (int k = 0; k < 3; k++) sum = sum * 0.5f + kept[order[k]];
    flag++;
    out[i] = sum + pair.x + now[LAST(blockDim.x) - threadIdx.x] + flag;
}

// Threads that return before the others, and a block in which all do.
__global__ void leave(const float *in, float *out, int n) {
    __shared__ float s[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n == 3) return;
    s[threadIdx.x] = 0;
    __syncthreads();
    if (i >= n) return;
    s[threadIdx.x] = in[i];
    __syncthreads();
    for (int k = 1; k < 3; k++) {
        if (in[i] < -10 * k) return;
        s[threadIdx.x] += k;
        __syncthreads();
    }
    out[i] = s[threadIdx.x] + s[0];
}

// Conditions that are the same for all; loops left by break and continue.
__global__ void branches(const float *in, float *out, int n) {
    __shared__ float s[1024];
    __shared__ int stop;
    const int tid = threadIdx.x;
    float mine = in[tid % n];
    if (tid == 0) stop = 2 + blockIdx.x % 3;
    __syncthreads();
    for (int step = 0; step < 8; step++) {
        if (step == 1) continue;
        if (step > stop) break;
        if (step & 1) {
            s[tid] = mine;
            __syncthreads();
            mine += s[(tid + 1) % blockDim.x];
        } else if (gridDim.x > 2)
            __syncthreads();
        else {
            __syncthreads();
            mine *= 2;
        }
        __syncthreads();
    }
    do {
        s[tid] = mine;
        __syncthreads();
        if (tid == 0) stop--;
        mine += s[blockDim.x - 1 - tid];
        __syncthreads();
    } while (stop > 0);
    out[blockIdx.x * blockDim.x + tid] = mine;
}

// Barriers that stay in a piece: in a function, and where only some threads come to them.
__global__ void deep(const float *in, float *out, int n) {
    __shared__ float s[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = in[i % n];
    __syncthreads();
    settle(s);
    float v = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    for (int k = 0; k < (int)threadIdx.x % 3; k++) v += s[k % blockDim.x];
    __syncthreads();
    s[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x < 40) {
        v += s[threadIdx.x];
        __syncwarp();
        v += __shfl_down_sync(0xffffffff, v, 3);
    }
    out[i] = v;
}

// Operations of warps: in straight code, in a loop, in one that not all warps run.
__global__ void warps(const float *in, float *out, int n) {
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    float v = in[i % n], most = v;
    if (n % 7 == 0 && i == 3) return;
    for (int o = warpSize / 2; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    const float first = __shfl_sync(0xffffffff, v, lane & 3);
    float before = __shfl_up_sync(0xffffffffu, most, 1, 16) + lane;
    unsigned int above = __ballot_sync(0xffffffff, most > 0 && lane != 5);
    bool some = __any_sync(0xffffffff, most > 25);
    bool all = __all_sync(0xffffffff, most < 25);
    if (lane == 0) s[threadIdx.x / warpSize] = v;
    __syncthreads();
    for (int o = 1; o < warpSize; o *= 2) {
        float other = __shfl_xor_sync(0xffffffff, most, o);
        most = other > most ? other : most;
    }
    if (threadIdx.x < 32) v += __shfl_xor_sync(0xffffffff, v, 1);
    out[i] = v + first + before + above % 1000 + some + 2 * all + most + s[0];
}

// Parameters that each thread changes, groups, declarations without a value.
__global__ void own(const float *__restrict__ in, float *out, int n) {
    __shared__ float s[1024];
    float low, high;
    cg::thread_block block = cg::this_thread_block();
    in += threadIdx.x % n;
    out += blockIdx.x * blockDim.x + threadIdx.x;
    s[block.thread_rank()] = *in;
    cg::sync(block);
    low = s[0];
    int unused;
    high = low * 2 + n;
    block.sync();
    n -= threadIdx.x;
    s[threadIdx.x] = high + n;
    block.sync();
    for (int k = 0; k < 4; k++) high += s[(threadIdx.x + k) % blockDim.x];
    unused = n;
    *out = low + high + unused;
}

// Atomics in loops: none waits for another thread.
__device__ float atomic_most(float *p, float v) {
    int *bits = (int *)p, old = *bits, seen;
    while (v > __int_as_float(old)) {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_int(v));
    }
    return __int_as_float(old);
}
__global__ void tally(const float *in, float *out, int n) {
    __shared__ int bins[16];
    __shared__ float most;
    __shared__ unsigned int ticket;
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    if (threadIdx.x == 0) most = 0, ticket = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&bins[i * 7 % 16], 1);
        atomic_most(&most, in[i]);
        if (atomicInc(&ticket, 1u << 30) % 5 == 0) atomicAdd(&out[blockIdx.x], 1.0f);
    }
    __syncthreads();
    if (rank() < 16) out[16 + blockIdx.x * 16 + rank()] = bins[rank()] + most;
}

// Barriers and operations of warps that only some threads come to: whole warps, loops of different
// lengths, left by some, loops in branches of loops.
__global__ void masks(const float *in, float *out, int n) {
    __shared__ float s[1024], sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize,
        warp = threadIdx.x / warpSize;
    int warps = (blockDim.x + warpSize - 1) / warpSize;
    float v = i < n ? in[i] : 0;
    for (int o = warpSize / 2; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (lane == 0) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < warps ? sums[lane] : 0;
#pragma unroll
        for (int o = warpSize / 2; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
        if (lane == 0) out[blockIdx.x] = v;
    } else if (warp == 1)
        __syncwarp();
    else {
        float w = __shfl_sync(0xffffffff, v, 3);
        v += w;
    }
    __syncthreads();
    for (int k = warp; k < 5; k += 2) {
        s[threadIdx.x] = v;
        __syncwarp();
        float other = s[lane ? threadIdx.x - 1 : threadIdx.x];
        __syncwarp();
        v = other + k;
        if (k == 3 && warp % 3 == 0) break;
        for (int left = k; left > 0; left--) {
            float first = __shfl_sync(0xffffffff, v, left);
            if (lane > 3) v += first;
        }
    }
    int rounds = warp;
    do {
        bool more = __any_sync(0xffffffff, lane == rounds);
        v += more;
        if (rounds == 7) return;
    } while (rounds-- > 2);
    while (rounds++ < 3) __syncwarp();
    out[64 + i] = v + rounds;
}

// Declarations that mix what threads share with what they don't; conditions of the preprocessor.
#define LONG_WAY 1
__global__ void parts(const float *in, float *out, int n) {
    __shared__ float s[1024];
    int i, k = 2, j = threadIdx.x % 5, last;
    float v = in[j];
    s[threadIdx.x] = v;
    __syncthreads();
#if LONG_WAY
    int far = blockDim.x / 2;
    for (i = 0; i < k + 3; i++) {
        float one = i, two = s[(threadIdx.x + i) % blockDim.x];
        __syncthreads();
        s[threadIdx.x] = two + one;
        __syncthreads();
    }
#else
    int far = threadIdx.x;
    for (i = 0; i < 3; i++) __syncthreads();
#endif
    last = j + far;
#ifdef LONG_WAY
    v += last;
    __syncthreads();
#endif
    out[blockIdx.x * blockDim.x + threadIdx.x] = v + s[last % blockDim.x] + k;
#undef LONG_WAY
}

// Parameters that change where there is no barrier.
__global__ void step(const float *__restrict__ in, float *out, int n) {
    out += blockIdx.x * blockDim.x;
    n--;
    for (; n > 0 && n % 8 != (int)threadIdx.x % 8; n--) out[rank()] += in[n];
    in += threadIdx.x % (n + 1);
    out[threadIdx.x] += *in + n;
}

// A parameter that changes for the block, two dimensions, a template.
template <int Tile, class T> __global__ void tiles(const T *in, T *out, int w, int h) {
    __shared__ T s[Tile][Tile + 1];
    int x = blockIdx.x * Tile + threadIdx.x;
    int y = blockIdx.y * Tile + threadIdx.y;
    const int rows = Tile / 4;
    in += w * h * blockIdx.z;
    out += w * h * blockIdx.z;
#pragma unroll
    for (int j = 0; j < Tile; j += rows)
        if (x < w && y + j < h) s[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * Tile + threadIdx.x;
    y = blockIdx.x * Tile + threadIdx.y;
    for (int j = 0; j < Tile; j += rows)
        if (x < h && y + j < w) out[(y + j) * h + x] = s[threadIdx.x][threadIdx.y + j];
}

// Loops without barriers that threads go through together: sums over what is the same for all or
// lies side by side, beside others that they don't.
__global__ void sums(const float *in, float *out, int n) {
    __shared__ float2 s[1024];
    const int at = rank(), size = blockDim.x * blockDim.y * blockDim.z;
    int row = threadIdx.y * blockDim.x, column = threadIdx.x;
    float mine = in[at % n], sum = 0, product = 1;
    float2 pair = make_float2(1, 2);
    s[at] = make_float2(mine, at);
    __syncthreads();
    for (int j = 0; j < size; j++) {
        float d = s[j].x - mine;
        sum += d * d;
        pair.y += s[j].y * d;
    }
    __syncthreads();
    if (n % 5 == 0 && column > 3) return;
    for (int j = 0, end = n % 7; j < end; j++) sum += s[j].x + s[row + column].y;
    __syncthreads();
    for (unsigned j = 0; j < blockDim.x; j++) product *= 1 + s[j * threadIdx.x % size].x * 0.001f;
    for (int j = 0; j < at % 3; j++) sum += s[j].x;
    for (int j = 0; j < n % 4; j++) {
        if (j == 2) break;
        sum += s[j].x;
    }
    __syncthreads();
    out[blockIdx.x * size + at] = sum + pair.x * pair.y + product;
}

// Elements dealt out to the threads, more or fewer than there are; counts that all add to.
__global__ void deal(const float *in, float *out, int n) {
    __shared__ int counts[16];
    __shared__ float s[1024];
    const int tid = threadIdx.x, width = blockDim.x * gridDim.x;
    float sum = 0, most = -1e9f;
    int odd = 0;
    for (int i = tid; i < 16; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    if (n % 3 == 0 && tid == 1) return;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += width) {
        if (i % 5 == 3) continue;
        float v = in[i];
        for (int k = 0; k < 3; k++) {
            if (k == 2 && v > 0) break;
            v = v * 0.5f + k;
        }
        sum += v;
        most = fmaxf(most, in[i]);
        atomicAdd(&counts[i % 16], i);
        odd ^= i;
    }
    __syncthreads();
    for (size_t i = threadIdx.x; i < (size_t)n / 2; i += blockDim.x) sum += in[i] * i;
    for (unsigned i = tid; i < blockDim.x; i += blockDim.x) s[i] = sum + most;
    __syncthreads();
    for (int i = tid; i < n; i += blockDim.x) {
        if (in[i] > 1000) return;
        sum += s[i % 2 * 2];
    }
    if (blockIdx.x == 0)
        for (int i = tid; i < 16; i += blockDim.x) atomicAdd(&out[(1 << 15) + i], float(counts[i]));
    out[blockIdx.x * blockDim.x + tid] = sum + odd + s[0];
}

static unsigned int state_of_random = 12345;
static int any(int most) { // 1 ... most
    state_of_random = state_of_random * 1664525 + 1013904223;
    return 1 + (state_of_random >> 8) % most;
}

static void say(const char *name, int round, dim3 g, dim3 b, const float *out, size_t n) {
    unsigned long long hash = 1469598103934665603ull;
    const unsigned char *bytes = reinterpret_cast<const unsigned char *>(out);
    for (size_t i = 0; i < n * sizeof *out; i++) hash = (hash ^ bytes[i]) * 1099511628211ull;
    printf("%s %d: grid %u %u %u block %u %u %u: %016llx\n", name, round, g.x, g.y, g.z, b.x, b.y,
           b.z, hash);
}

int main() {
    const int most = 1 << 16;
    float *in, *out;
    cudaMallocManaged(&in, most * sizeof(float));
    cudaMallocManaged(&out, most * sizeof(float));
    for (int i = 0; i < most; i++) in[i] = i * 7 % 101 * 0.37f - 11;
    for (int round = 0; round < 12; round++) {
        dim3 grid(any(6)), block(any(round % 3 ? 1024 : 64)), solid(any(9), any(9), any(9));
        const int n = round == 3 ? 3 : any(2000);
        const size_t all = grid.x * block.x;
        auto begin = [&] { memset(out, 0, most * sizeof(float)); };
        auto end = [&](const char *name, dim3 b) {
            if (cudaDeviceSynchronize() != cudaSuccess) printf("%s failed\n", name);
            say(name, round, grid, b, out, most);
        };
        begin(), tree<<<grid, solid>>>(in, out, n), end("tree", solid);
        begin(), state<<<grid, block, 2 * block.x * sizeof(float)>>>(in, out, n);
        end("state", block);
        begin(), leave<<<grid, block>>>(in, out, n), end("leave", block);
        begin(), branches<<<grid, block>>>(in, out, n), end("branches", block);
        begin(), deep<<<grid, block>>>(in, out, n), end("deep", block);
        begin(), warps<<<grid, block>>>(in, out, n), end("warps", block);
        begin(), own<<<grid, block>>>(in, out, n), end("own", block);
        begin(), tally<<<grid, block>>>(in, out, n), end("tally", block);
        begin(), masks<<<grid, block>>>(in, out, n), end("masks", block);
        begin(), parts<<<grid, block>>>(in, out, n), end("parts", block);
        begin(), step<<<grid, block>>>(in, out, n), end("step", block);
        begin(), sums<<<grid, solid>>>(in, out, n), end("sums", solid);
        begin(), deal<<<grid, block>>>(in, out, n), end("deal", block);
        const int w = any(100), h = any(100);
        grid = dim3((w + 15) / 16, (h + 15) / 16, 2), block = dim3(16, 4);
        begin(), tiles<16><<<grid, block>>>(in, out, w, h), end("tiles", block);
        bool good = true;
        for (int i = 0; i < w * h; i++) good = good && out[i % w * h + i / w] == in[i];
        if (!good || all == 0) printf("tiles: wrong\n");
        grid.y = grid.z = 1;
    }
    cudaFree(in);
    cudaFree(out);
    printf("PASS\n");
    return 0;
}
