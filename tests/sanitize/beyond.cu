/* SPDX-License-Identifier: Apache-2.0 */
/* More defects in the form of defects.cu: indices that are far off, what the host does to memory
 * that is gone, and threads that end where others still wait. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <vector>

typedef void test(int *p, int n);
enum { N = 64 };

/* ---- far off ---- */

__global__ void k_far(int *p, long by) { p[threadIdx.x + by] = 1; } // @400-kb-behind memory
static void far(int *p, int) { k_far<<<1, 32>>>(p, 100000); }
__global__ void k_farther(int *p) { p[threadIdx.x + 1000000] = 1; } // @4-mb-behind memory
static void farther(int *p, int) { k_farther<<<1, 32>>>(p); }
__global__ void k_ahead(int *p) { p[(int)threadIdx.x - 5000000] = 1; } // @20-mb-before memory
static void ahead(int *p, int) { k_ahead<<<1, 32>>>(p); }
__global__ void k_garbage(int *p, int i) { p[0] = p[i]; } // @any-int memory
static void garbage(int *p, int) { k_garbage<<<1, 1>>>(p, 0x7ffffff0); }
__global__ void k_wide(double *p, int i) { p[i] = 1; } // @any-negative-int memory
static void wide(int *p, int) { k_wide<<<1, 1>>>((double *)p, -0x7ffffff0); }
__global__ void k_count(int *p, int i) { atomicAdd(&p[i], 1); } // @atomic-far-behind memory
static void count(int *p, int) { k_count<<<1, 1>>>(p, 3000000); }
__global__ void k_product(int *p, int rows) { p[threadIdx.x * rows + threadIdx.x] = 1; } // @column-major memory
static void product(int *p, int) { k_product<<<1, 32>>>(p, 40000); }
__global__ void k_between(int *p, long i) { p[i] = 1; } // @between-many memory
static void between(int *, int) {
    std::vector<int *> all(2000);
    for (int *&q : all) cudaMalloc(&q, 4096);
    k_between<<<1, 1>>>(all[1000], 50000);
    cudaDeviceSynchronize();
    for (int *q : all) cudaFree(q);
}
__global__ void k_reused(int *p) { p[threadIdx.x] = 1; } // @freed-long-ago memory
static void reused(int *, int) {
    int *q, *r;
    cudaMalloc(&q, 256);
    cudaFree(q);
    for (int i = 0; i < 100; i++) {
        cudaMalloc(&r, 256);
        cudaFree(r);
    }
    k_reused<<<1, 4>>>(q);
}

/* ---- what the host does ---- */

static int *gone() {
    int *q;
    cudaMalloc(&q, 64);
    cudaMemset(q, 0, 64);
    cudaFree(q);
    return q;
}
/* The call fails, as CUDA's does. */
static void fails(cudaError_t error) {
    if (error != cudaErrorInvalidValue) printf("not reported: %s\n", cudaGetErrorString(error));
    cudaGetLastError();
}
static void copy_from(int *, int n) {
    int *q = gone();
    fails(cudaMemcpy(&n, q, 4, cudaMemcpyDeviceToHost)); // @copy-from-freed memory
}
static void copy_to(int *, int n) {
    int *q = gone();
    fails(cudaMemcpy(q, &n, 4, cudaMemcpyDefault)); // @copy-to-freed memory
}
static void copy_async(int *p, int) {
    int *q = gone();
    fails(cudaMemcpyAsync(p, q + 1, 4, cudaMemcpyDeviceToDevice, 0)); // @async-copy-from-freed memory
}
static void copy_rows(int *p, int) {
    int *q = gone();
    fails(cudaMemcpy2D(p, 8, q, 8, 4, 4, cudaMemcpyDeviceToDevice)); // @rows-from-freed memory
}
static void set(int *, int) {
    int *q = gone();
    fails(cudaMemset(q, 0, 64)); // @set-freed memory
}
static void set_async(int *, int) {
    int *q = gone();
    fails(cudaMemsetAsync(q, 0, 64, 0)); // @async-set-freed memory
}
static void copy_more(int *p, int n) {
    std::vector<int> h(n + 1);
    fails(cudaMemcpy(p, h.data(), (n + 1) * 4, cudaMemcpyHostToDevice)); // @copy-of-too-much memory
}
static void set_more(int *p, int n) {
    fails(cudaMemset(p, 0, n * 4 + 1)); // @set-too-much memory
}
static void copy_far(int *p, int n) {
    fails(cudaMemcpy(&n, p + 1000000, 4, cudaMemcpyDeviceToHost)); // @copy-from-far-behind memory
}
static void free_twice(int *, int) {
    int *q = gone();
    fails(cudaFree(q)); // @free-twice memory
}
static void free_inside(int *p, int) {
    fails(cudaFree(p + 1)); // @free-inside memory
}
static void free_host(int *, int n) {
    fails(cudaFree(&n)); // @free-of-the-hosts memory
}
static void free_pinned(int *, int) {
    void *q;
    cudaMallocHost(&q, 64);
    cudaFreeHost(q);
    fails(cudaFreeHost(q)); // @free-pinned-twice memory
}
static void free_async(int *, int) {
    int *q;
    cudaMallocAsync(&q, 64, 0);
    cudaFreeAsync(q, 0);
    cudaDeviceSynchronize();
    fails(cudaFreeAsync(q, 0)); // @free-async-twice memory
}

/* ---- threads that do not meet ---- */

// clang-format off
__global__ void k_line(int *p) { if (threadIdx.x < 16) __syncthreads(); else __syncthreads(); p[threadIdx.x] = 1; } // @two-barriers-in-a-line sync
// clang-format on
static void line(int *p, int) { k_line<<<1, N>>>(p); }
__global__ void k_half(int *p) {
    if (threadIdx.x < 16) __syncthreads(); // @half-a-block sync
    p[threadIdx.x] = 1;
}
static void half(int *p, int) { k_half<<<1, N>>>(p); }
__global__ void k_rounds(int *p) {
    for (int i = 0; i < (int)threadIdx.x; i++) __syncthreads(); // @rounds-by-thread sync
    p[threadIdx.x] = 1;
}
static void rounds(int *p, int) { k_rounds<<<1, N>>>(p); }
__global__ void k_wrapped(int *p, int n) {
    __shared__ int s[N];
    if (threadIdx.x < n) {
        s[threadIdx.x] = p[threadIdx.x];
        __syncthreads(); // @barrier-behind-a-bound sync
        p[threadIdx.x] = s[n - 1 - threadIdx.x];
    }
}
static void wrapped(int *p, int n) { k_wrapped<<<1, N>>>(p, n - 7); }
__global__ void k_lanes(int *p) {
    int v = threadIdx.x;
    if (threadIdx.x < 16) v = __shfl_down_sync(0xffffffffu, v, 1); // @shuffle-by-half-a-warp sync
    p[threadIdx.x] = v;
}
static void lanes(int *p, int) { k_lanes<<<1, 32>>>(p); }
__global__ void k_exits(int *p) {
    if (threadIdx.x > 20) return;
    p[threadIdx.x] = __ballot_sync(0xffffffffu, 1); // @ballot-after-exits sync
}
static void exits(int *p, int) { k_exits<<<1, 32>>>(p); }
__global__ void k_self(int *p) {
    int v = threadIdx.x;
    v += __shfl_xor_sync(0x0000ffff, v, 1); // @mask-without-its-own-lane sync
    p[threadIdx.x] = v;
}
static void self(int *p, int) { k_self<<<1, 32>>>(p); }
__global__ void k_group(int *p) {
    auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x % 2) block.sync(); // @group-of-the-block-by-half sync
    p[threadIdx.x] = 1;
}
static void group(int *p, int) { k_group<<<1, N>>>(p); }

/* ---- none of these ---- */

// @clean-many-allocations clean
static void clean_many(int *p, int n) {
    std::vector<int> h(n);
    for (int i = 0; i < 3000; i++) {
        int *q;
        cudaMalloc(&q, n * 4);
        cudaMemset(q, i & 1, n * 4);
        if (i % 500 == 0) k_far<<<1, N>>>(q, 0);
        cudaMemcpy(h.data(), q, n * 4, cudaMemcpyDeviceToHost);
        cudaFree(q);
    }
    cudaMemcpy(p, h.data(), n * 4, cudaMemcpyHostToDevice);
}
// @clean-large clean
__global__ void k_ends(char *p, size_t size) { p[threadIdx.x ? size - threadIdx.x : 0] = 1; }
static void clean_large(int *, int) {
    char *q[3];
    for (char *&one : q) cudaMalloc(&one, 300 << 20);
    for (char *one : q) k_ends<<<1, 32>>>(one, 300 << 20);
    cudaDeviceSynchronize();
    for (char *one : q) cudaFree(one);
}
// @clean-symbols clean
__device__ int symbol[N];
static void clean_symbols(int *p, int n) {
    void *at;
    cudaGetSymbolAddress(&at, symbol);
    cudaMemset(at, 0, sizeof symbol);
    cudaMemcpy(p, at, n * 4, cudaMemcpyDeviceToDevice);
    cudaFree(nullptr);
}
// @clean-uniform-branches clean
__global__ void k_clean_uniform(int *p, int n) {
    if (n > 3) __syncthreads(); else __syncthreads();
    p[threadIdx.x] = 1;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        p[threadIdx.x] += 1;
        __syncthreads();
    }
}
static void clean_uniform(int *p, int n) { k_clean_uniform<<<1, N>>>(p, n); }
// @clean-function-with-barrier clean
__device__ void turn(int *s) {
    int v = s[N - 1 - threadIdx.x];
    __syncthreads();
    s[threadIdx.x] = v;
    __syncthreads();
}
__global__ void k_clean_turn(int *p) {
    __shared__ int s[N];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    turn(s);
    turn(s);
    p[threadIdx.x] = s[threadIdx.x];
}
static void clean_turn(int *p, int) { k_clean_turn<<<1, N>>>(p); }
// @clean-part-of-a-warp clean
__global__ void k_clean_part(int *p) {
    int v = threadIdx.x;
    for (int w = 16; w > 0; w /= 2) v += __shfl_down_sync(0xffffffff, v, w);
    p[threadIdx.x] = v;
}
static void clean_part(int *p, int) { k_clean_part<<<1, 20>>>(p); }
// @clean-exits-of-warps clean
__global__ void k_clean_warps(int *p, int n) {
    if (threadIdx.x >= n) return;
    __syncthreads();
    int v = p[threadIdx.x];
    for (int w = 16; w > 0; w /= 2) v += __shfl_xor_sync(0xffffffff, v, w);
    __syncthreads();
    p[threadIdx.x] = v;
}
static void clean_warps(int *p, int) { k_clean_warps<<<1, N>>>(p, 32); }
// @clean-active-mask clean
__global__ void k_clean_active(int *p) {
    if (threadIdx.x % 3 == 0) {
        unsigned mask = __activemask();
        p[threadIdx.x] = __popc(__ballot_sync(mask, 1));
    }
    if (threadIdx.x > 40) return;
    auto active = cooperative_groups::coalesced_threads();
    p[threadIdx.x] += active.size();
}
static void clean_active(int *p, int) { k_clean_active<<<1, N>>>(p); }

static const struct {
    const char *name;
    test *run;
} cases[] = {
    {"400-kb-behind", far},
    {"4-mb-behind", farther},
    {"20-mb-before", ahead},
    {"any-int", garbage},
    {"any-negative-int", wide},
    {"atomic-far-behind", count},
    {"column-major", product},
    {"between-many", between},
    {"freed-long-ago", reused},
    {"copy-from-freed", copy_from},
    {"copy-to-freed", copy_to},
    {"async-copy-from-freed", copy_async},
    {"rows-from-freed", copy_rows},
    {"set-freed", set},
    {"async-set-freed", set_async},
    {"copy-of-too-much", copy_more},
    {"set-too-much", set_more},
    {"copy-from-far-behind", copy_far},
    {"free-twice", free_twice},
    {"free-inside", free_inside},
    {"free-of-the-hosts", free_host},
    {"free-pinned-twice", free_pinned},
    {"free-async-twice", free_async},
    {"two-barriers-in-a-line", line},
    {"half-a-block", half},
    {"rounds-by-thread", rounds},
    {"barrier-behind-a-bound", wrapped},
    {"shuffle-by-half-a-warp", lanes},
    {"ballot-after-exits", exits},
    {"mask-without-its-own-lane", self},
    {"group-of-the-block-by-half", group},
    {"clean-many-allocations", clean_many},
    {"clean-large", clean_large},
    {"clean-symbols", clean_symbols},
    {"clean-uniform-branches", clean_uniform},
    {"clean-function-with-barrier", clean_turn},
    {"clean-part-of-a-warp", clean_part},
    {"clean-exits-of-warps", clean_warps},
    {"clean-active-mask", clean_active},
};

int main(int, char **argv) {
    int *p, n = N;
    cudaMalloc(&p, n * sizeof(int));
    cudaMemset(p, 0, n * sizeof(int));
    for (const auto &c : cases)
        for (char **name = argv; *name; name++)
            if (!strcmp(c.name, *name)) c.run(p, n);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
