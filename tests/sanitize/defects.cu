/* SPDX-License-Identifier: Apache-2.0 */
/* Defects of kernels, for tests/e2e/sanitize.sh, after the classes that compute-sanitizer's manual
 * and the literature on bugs of GPU programs name. A line that ends in "// @NAME KIND" holds the
 * access that has to be reported as KIND when the program runs with NAME; a case whose line says
 * "clean" has to be silent. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <vector>

typedef void test(int *p, int n);
enum { N = 64 };

/* ---- memory ---- */

__global__ void k_above(int *p, int n) { p[threadIdx.x + 1] = n; } // @above memory
static void above(int *p, int n) { k_above<<<1, N>>>(p, n); }
__global__ void k_below(int *p, int n) { p[(int)threadIdx.x - 1] = n; } // @below memory
static void below(int *p, int n) { k_below<<<1, N>>>(p, n); }
__global__ void k_far(int *p, int n) { p[threadIdx.x * 100] = n; } // @far memory
static void far(int *p, int n) { k_far<<<1, N>>>(p, n); }
__global__ void k_odd(int *p, int n) { p[n] = 1; } // @one-behind-odd memory
static void odd(int *, int) {
    int *q;
    cudaMalloc(&q, 3 * sizeof(int));
    k_odd<<<1, 1>>>(q, 3);
}
__global__ void k_read(int *p, int n) { p[0] = p[n]; } // @read-behind memory
static void read_behind(int *p, int n) { k_read<<<1, 1>>>(p, n); }
__global__ void k_freed(int *p, int n) { p[threadIdx.x] = n; } // @freed memory
static void freed(int *, int n) {
    int *q;
    cudaMalloc(&q, N * sizeof(int));
    cudaFree(q);
    k_freed<<<1, N>>>(q, n);
}
__global__ void k_misaligned(char *p) { *(int *)(p + 1) = 1; } // @misaligned memory
static void misaligned(int *p, int) { k_misaligned<<<1, 1>>>((char *)p); }
__global__ void k_misaligned4(float *p) { *(float4 *)(p + 1) = float4{1, 2, 3, 4}; } // @misaligned-vector memory
static void misaligned4(int *p, int) { k_misaligned4<<<1, 1>>>((float *)p); }
static void host_reads(int *p, int) { printf("%d\n", p[0] > 1); } // @host-reads memory
static void host_writes(int *p, int) { p[1] = 5; } // @host-writes memory
__global__ void k_dynamic(int *p) {
    extern __shared__ int d[];
    d[threadIdx.x] = 1; // @dynamic-shared memory
    p[threadIdx.x] = d[threadIdx.x];
}
static void dynamic_shared(int *p, int) { k_dynamic<<<1, N, (N - 1) * sizeof(int)>>>(p); }
__global__ void k_static(int *p, int by) {
    __shared__ int s[N];
    s[threadIdx.x + by] = 1; // @static-shared memory
    p[threadIdx.x] = by;
}
static void static_shared(int *p, int) { k_static<<<1, N>>>(p, 1); }
__global__ void k_local(int *p, int n) {
    int a[8];
    for (int i = 0; i <= n; i++) a[i] = i; // @local-array memory
    p[0] = a[n / 2];
}
static void local_array(int *p, int) { k_local<<<1, 1>>>(p, 8); }
__global__ void k_row(int *p, int columns) { p[blockIdx.x * columns + threadIdx.x] = 1; } // @row-too-long memory
static void row(int *p, int) { k_row<<<8, 8>>>(p, 9); }
__global__ void k_no_bound(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; } // @no-bound memory
static void no_bound(int *p, int) { k_no_bound<<<3, 32>>>(p); }
__global__ void k_pair(int2 *p, int n) { p[n / 2 - 1 + threadIdx.x].y = 1; } // @behind-a-structure memory
static void pair(int *p, int n) { k_pair<<<1, 2>>>((int2 *)p, n); }
__global__ void k_atomic(int *p, int n) { atomicAdd(p + n, 1); } // @atomic-behind memory
static void atomic_behind(int *p, int n) { k_atomic<<<1, 1>>>(p, n); }
__global__ void k_char(char *p, int n) { p[n] = 1; } // @byte-behind memory
static void char_behind(int *, int) {
    char *q;
    cudaMalloc(&q, 13);
    k_char<<<1, 1>>>(q, 13);
}
__global__ void k_vector(float4 *p, int n) { p[n / 4] = float4{1, 2, 3, 4}; } // @vector-behind memory
static void vector_behind(int *, int) {
    float4 *q;
    cudaMalloc(&q, 30 * sizeof(float));
    k_vector<<<1, 1>>>(q, 30);
}
__global__ void k_managed(int *p, int n) { p[n + threadIdx.x] = n; } // @managed-behind memory
static void managed_behind(int *, int) {
    int *q;
    cudaMallocManaged(&q, 5 * sizeof(int));
    k_managed<<<1, 2>>>(q, 4);
}
__global__ void k_copy(char *p, const char *q, int n) { memcpy(p, q, n); } // @memcpy-behind memory
static void copy_behind(int *p, int) {
    char *q;
    cudaMalloc(&q, 9);
    cudaMemset(q, 0, 9);
    k_copy<<<1, 1>>>((char *)p, q, 10);
}
__global__ void k_gap(int *p, int n) { p[n] = 1; } // @between-two memory
static void gap(int *, int) {
    int *q, *r;
    cudaMalloc(&q, 40);
    cudaMalloc(&r, 40);
    k_gap<<<1, 1>>>(q, r > q ? 11 : -2);
}
__global__ void k_square(int (*p)[8], int n) { p[n][threadIdx.x] = 1; } // @row-behind memory
static void square(int *p, int) { k_square<<<1, 8>>>((int (*)[8])p, 8); }
__global__ void k_two(int *p) {
    __shared__ int a[4][8], b[8];
    b[threadIdx.x % 8] = a[0][threadIdx.x] = 1;
    __syncthreads();
    a[4][threadIdx.x % 8] = b[0]; // @shared-rows memory
    p[threadIdx.x] = a[0][0];
}
static void two_arrays(int *p, int) { k_two<<<1, 8>>>(p); }

/* ---- races ---- */

__global__ void k_no_barrier(int *p) {
    __shared__ int s[N];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x] = threadIdx.x; // @no-barrier race
    p[threadIdx.x] = s[N - 1 - threadIdx.x];
}
static void no_barrier(int *p, int) { k_no_barrier<<<1, N>>>(p); }
__global__ void k_reduce(int *p) {
    __shared__ int s[N];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    for (int w = N / 2; w > 0; w /= 2)
        if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w]; // @reduction race
    if (!threadIdx.x) p[0] = s[0];
}
static void reduce(int *p, int) { k_reduce<<<1, N>>>(p); }
__global__ void k_second(int *p) {
    __shared__ int s[N];
    for (int r = 0; r < 2; r++) {
        s[threadIdx.x] = r; // @second-barrier race
        __syncthreads();
        p[threadIdx.x] += s[(threadIdx.x + 1) % N];
    }
}
static void second(int *p, int) { k_second<<<1, N>>>(p); }
__global__ void k_sum(int *p) { p[0] += 1; } // @global-sum race
static void sum(int *p, int) { k_sum<<<1, N>>>(p); }
__global__ void k_blocks(int *p) { p[1] = blockIdx.x; } // @blocks race
static void blocks(int *p, int) { k_blocks<<<2, 1>>>(p); }
__global__ void k_neighbour(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n) p[i] = p[i - 1]; // @in-place race
}
static void neighbour(int *p, int n) { k_neighbour<<<2, n / 2>>>(p, n); }
__global__ void k_histogram(int *p) {
    __shared__ int h[4];
    if (threadIdx.x < 4) h[threadIdx.x] = 0;
    __syncthreads();
    h[threadIdx.x % 4]++; // @histogram race
    __syncthreads();
    if (threadIdx.x < 4) p[threadIdx.x] = h[threadIdx.x];
}
static void histogram(int *p, int) { k_histogram<<<1, N>>>(p); }
__global__ void k_read_first(int *p) {
    __shared__ int s[N];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int v = s[(threadIdx.x + 32) % N];
    s[threadIdx.x] = v; // @write-after-read race
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x];
}
static void read_first(int *p, int) { k_read_first<<<1, N>>>(p); }
__global__ void k_some(int *p) {
    __shared__ int s[N];
    s[threadIdx.x] = 1;
    if (threadIdx.x < 32) __syncwarp();
    if (threadIdx.x == N - 1) p[0] = s[0]; // @barrier-of-a-warp race
}
static void some(int *p, int) { k_some<<<1, N>>>(p); }
__global__ void k_bytes(char *p) { p[threadIdx.x / 2] = threadIdx.x; } // @bytes race
static void bytes_race(int *p, int) { k_bytes<<<1, N>>>((char *)p); }
__global__ void k_flag(int *p) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (threadIdx.x % 40 == 7) found = threadIdx.x; // @flag race
    __syncthreads();
    p[threadIdx.x] = found;
}
static void flag(int *p, int) { k_flag<<<1, N>>>(p); }
__global__ void k_half(int *p) {
    __shared__ int all;
    if (threadIdx.x == 0) all = 0;
    atomicAdd(&all, 1); // @atomic-and-plain race
    __syncthreads();
    p[threadIdx.x] = all;
}
static void half_atomic(int *p, int) { k_half<<<1, N>>>(p); }
__global__ void k_warp(int *p) {
    __shared__ int s[32];
    s[threadIdx.x] = 0;
    __syncwarp();
    s[threadIdx.x] = threadIdx.x; // @warp-synchronous race
    p[threadIdx.x] = s[31 - threadIdx.x];
}
static void warp(int *p, int) { k_warp<<<1, 32>>>(p); }
__global__ void k_broadcast(int *p) {
    __shared__ int value;
    value = threadIdx.x; // @all-write race
    __syncthreads();
    p[threadIdx.x] = value;
}
static void broadcast(int *p, int) { k_broadcast<<<1, N>>>(p); }

/* ---- memory that nobody has written ---- */

__global__ void k_unset(int *p, int *q) { p[threadIdx.x] = q[threadIdx.x]; } // @unset-global init
static void unset(int *p, int) {
    int *q;
    cudaMalloc(&q, N * sizeof(int));
    k_unset<<<1, N>>>(p, q);
}
__global__ void k_half_set(int *p, int *q) { p[threadIdx.x] = q[threadIdx.x]; } // @half-set init
static void half_set(int *p, int) {
    int *q;
    cudaMalloc(&q, N * sizeof(int));
    cudaMemset(q, 0, N * sizeof(int) / 2);
    k_half_set<<<1, N>>>(p, q);
}
__global__ void k_unset_shared(int *p) {
    __shared__ int s[N];
    if (threadIdx.x > 0) s[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x]; // @unset-shared init
}
static void unset_shared(int *p, int) { k_unset_shared<<<1, N>>>(p); }
__global__ void k_unset_dynamic(int *p) {
    extern __shared__ int d[];
    if (threadIdx.x % 2) d[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = d[threadIdx.x]; // @unset-dynamic init
}
static void unset_dynamic(int *p, int) { k_unset_dynamic<<<1, N, N * sizeof(int)>>>(p); }
__global__ void k_last_block(int *p) {
    __shared__ int s;
    if (blockIdx.x == 0 && threadIdx.x == 0) s = 1;
    __syncthreads();
    if (threadIdx.x == 0) p[blockIdx.x] = s; // @shared-of-another-block init
}
static void last_block(int *p, int) { k_last_block<<<2, 32>>>(p); }
__global__ void k_unset_sum(int *p) { atomicAdd(p, 1); } // @unset-counter init
static void unset_sum(int *, int) {
    int *q;
    cudaMalloc(&q, sizeof(int));
    k_unset_sum<<<1, N>>>(q);
}
__global__ void k_unset_field(int2 *p, int *q) { q[0] = p[0].x + p[0].y; } // @unset-member init
static void unset_field(int *p, int) {
    int2 *q;
    int x = 5;
    cudaMalloc(&q, sizeof(int2));
    cudaMemcpy(q, &x, sizeof x, cudaMemcpyHostToDevice);
    k_unset_field<<<1, 1>>>(q, p);
}
__global__ void k_unset_tail(char *p, int *q) { q[0] = p[7]; } // @unset-tail init
static void unset_tail(int *p, int) {
    char *q;
    cudaMalloc(&q, 8);
    cudaMemset(q, 1, 7);
    k_unset_tail<<<1, 1>>>(q, p);
}
__global__ void k_odd_lanes(int *p) {
    __shared__ int s[N];
    if (threadIdx.x % 2) s[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x ^ 1] + s[threadIdx.x]; // @unset-half-shared init
}
static void odd_lanes(int *p, int) { k_odd_lanes<<<1, N>>>(p); }

/* ---- barriers ---- */

__global__ void k_two_barriers(int *p) {
    if (threadIdx.x < 32) {
        p[threadIdx.x] = 1;
        __syncthreads(); // @two-barriers sync
    } else {
        p[threadIdx.x] = 2;
        __syncthreads();
    }
}
static void two_barriers(int *p, int) { k_two_barriers<<<1, N>>>(p); }
__global__ void k_uneven(int *p) {
    for (int i = 0; i < (threadIdx.x < 32 ? 1 : 2); i++) __syncthreads(); // @uneven-loop sync
    __syncthreads();
    p[threadIdx.x] = 1;
}
static void uneven(int *p, int) { k_uneven<<<1, N>>>(p); }
__global__ void k_mask(int *p) {
    if (threadIdx.x < 16) __syncwarp(0xffffffff); // @mask-too-wide sync
    else p[threadIdx.x] = 1;
    __syncthreads();
}
static void mask(int *p, int) { k_mask<<<1, 32>>>(p); }
__global__ void k_shuffle(int *p) {
    int v = threadIdx.x;
    if (v < 8) v = __shfl_down_sync(0xffff, v, 1); // @shuffle-of-others sync
    else p[v] = v;
    __syncthreads();
    p[threadIdx.x] = v;
}
static void shuffle(int *p, int) { k_shuffle<<<1, 32>>>(p); }
__global__ void k_vote(int *p) {
    if (threadIdx.x != 3) p[threadIdx.x] = __any_sync(0xffffffff, p[threadIdx.x]); // @vote-without-one sync
    else p[3] = 7;
    __syncthreads();
}
static void vote(int *p, int) { k_vote<<<1, 32>>>(p); }

/* ---- memory that is never freed ---- */

static void leak(int *, int) {
    void *q;
    cudaMalloc(&q, 10); // @leak leak
}
static void leak_managed(int *, int) {
    void *q;
    cudaMallocManaged(&q, 10); // @leak-managed leak
}
static void leak_async(int *, int) {
    void *q;
    cudaMallocAsync(&q, 10, 0); // @leak-async leak
}

/* ---- none of these ---- */

// @clean-reduction clean
__global__ void k_clean_reduction(int *p) {
    __shared__ int s[N];
    s[threadIdx.x] = p[threadIdx.x];
    for (int w = N / 2; w > 0; w /= 2) {
        __syncthreads();
        if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
    }
    if (!threadIdx.x) p[0] = s[0];
}
static void clean_reduction(int *p, int) { k_clean_reduction<<<1, N>>>(p); }
// @clean-warp clean
__global__ void k_clean_warp(int *p) {
    __shared__ int s[N];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    int v = s[threadIdx.x ^ 1];
    for (int w = 16; w > 0; w /= 2) v += __shfl_down_sync(0xffffffff, v, w);
    if (threadIdx.x % 32 == 0) p[threadIdx.x / 32] = v;
}
static void clean_warp(int *p, int) { k_clean_warp<<<1, N>>>(p); }
// @clean-atomics clean
__global__ void k_clean_atomics(int *p) {
    __shared__ int h[4];
    if (threadIdx.x < 4) h[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&h[threadIdx.x % 4], 1);
    __syncthreads();
    if (threadIdx.x < 4) atomicAdd(p + threadIdx.x, h[threadIdx.x]);
}
static void clean_atomics(int *p, int) { k_clean_atomics<<<8, N>>>(p); }
// @clean-same-value clean
__global__ void k_clean_same(int *p) {
    __shared__ int any;
    __shared__ double mark;
    if (threadIdx.x == 0) any = 0, mark = 0;
    __syncthreads();
    if (p[threadIdx.x] == 0) any = 1;
    mark = 2.5;
    __syncthreads();
    if (any && mark == 2.5) p[0] = any;
}
static void clean_same(int *p, int) { k_clean_same<<<1, N>>>(p); }
// The same value but for one thread's, at the end of the kernel.
__global__ void k_last_value(int *p) {
    p[1 + threadIdx.x % 2] = threadIdx.x == N - 1; // @last-value race
}
static void last_value(int *p, int) { k_last_value<<<1, N>>>(p); }
// @clean-compare-and-swap clean
__device__ void largest(int *where, int v) {
    int old = *where, expected;
    while (old < v) {
        expected = old;
        old = atomicCAS(where, expected, v);
        if (old == expected) break;
    }
}
__global__ void k_clean_cas(int *p) { largest(p, (threadIdx.x * 37) % N + blockIdx.x); }
static void clean_cas(int *p, int) { k_clean_cas<<<4, N>>>(p); }
// @clean-thrust clean
static void clean_thrust(int *, int) {
    thrust::device_vector<float> v(N, 1.0f), w;
    thrust::sequence(v.begin(), v.end());
    thrust::sort(v.begin(), v.end(), thrust::greater<float>());
    w = v;
    w.push_back(3), w.insert(w.begin(), 4), w.resize(100, 5);
    thrust::host_vector<float> h = w;
    std::vector<float> s(v.size());
    thrust::copy(v.begin(), v.end(), s.begin());
    float *raw = thrust::raw_pointer_cast(v.data());
    if (thrust::reduce(thrust::device, raw, raw + N) != h[1] * N / 2) printf("wrong\n");
}
// @clean-cooperative clean
__global__ void k_clean_grid(int *p) {
    extern __shared__ int own[];
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    own[threadIdx.x] = blockIdx.x;
    __syncthreads();
    atomicAdd(&sum, own[threadIdx.x ^ 1]);
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) p[blockIdx.x] = sum + own[5];
}
static void clean_grid(int *p, int) {
    void *args[] = {&p};
    cudaLaunchCooperativeKernel((void *)k_clean_grid, 4, N, args, N * sizeof(int), 0);
}
// Kernels behind each other, whose operations get the same memory.
// @clean-two-kernels clean
__global__ void k_forwards(int *p) { p[blockIdx.x * N + threadIdx.x] = threadIdx.x; }
__global__ void k_backwards(int *p) { p[(1 - blockIdx.x) * N + N - 1 - threadIdx.x] += 1; }
static void clean_two(int *, int) {
    int *p;
    cudaMalloc(&p, 2 * N * sizeof *p);
    for (int i = 0; i < 4; i++) {
        k_forwards<<<2, N>>>(p);
        cudaDeviceSynchronize();
        k_backwards<<<2, N>>>(p);
        cudaDeviceSynchronize();
    }
    cudaFree(p);
}
// @clean-copies clean
__global__ void k_clean_copies(int *p) {
    char *at = (char *)p + 4 * threadIdx.x + 1;
    if (threadIdx.x % 2) return;
    int v;
    memcpy(&v, at, 4);
    memcpy(at, &v, 4);
    cudaMalloc((void **)(p + threadIdx.x), 4);
    cudaFree(*(void **)(p + threadIdx.x));
}
static void clean_copies(int *p, int) { k_clean_copies<<<1, N - 2>>>(p); }
// @clean-large-tile clean
__global__ void k_clean_tile(int *p) {
    __shared__ int s[N * 2];
    auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
    s[threadIdx.x] = threadIdx.x;
    tile.sync();
    int other = s[threadIdx.x ^ 63];
    tile.sync();
    s[threadIdx.x] = other;
    if (threadIdx.x < N) p[threadIdx.x] = other;
}
static void clean_tile(int *p, int) { k_clean_tile<<<1, 2 * N>>>(p); }
// @clean-last-block clean
__device__ unsigned done;
__global__ void k_clean_last(int *p) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        p[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (int i = 1; i < gridDim.x; i++) p[0] += p[i];
}
static void clean_last(int *p, int) { k_clean_last<<<8, 32>>>(p); }
// @clean-bytes clean
__global__ void k_clean_bytes(char *p) {
    p[threadIdx.x] = 1;
    p[threadIdx.x + N] = p[threadIdx.x];
}
static void clean_bytes(int *p, int) { k_clean_bytes<<<1, N>>>((char *)p); }
// @clean-dynamic clean
__global__ void k_clean_dynamic(float *p) {
    extern __shared__ float d[];
    d[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = d[N - 1 - threadIdx.x];
}
static void clean_dynamic(int *p, int) { k_clean_dynamic<<<1, N, N * sizeof(float)>>>((float *)p); }
// @clean-early-return clean
__global__ void k_clean_return(int *p, int n) {
    if (threadIdx.x >= n) return;
    __syncthreads();
    p[threadIdx.x] = 1;
}
static void clean_return(int *p, int n) { k_clean_return<<<1, N>>>(p, n - 10); }
// @clean-streams clean
__global__ void k_set(int *p, int v) { p[threadIdx.x] = v; }
static void clean_launches(int *p, int) {
    for (int i = 0; i < 4; i++) k_set<<<1, N>>>(p, i);
}
// @clean-managed clean
static void clean_managed(int *, int) {
    int *q;
    cudaMallocManaged(&q, N * sizeof(int));
    q[0] = 1;
    k_set<<<1, N>>>(q, 2);
    cudaDeviceSynchronize();
    q[1] = q[0];
    cudaFree(q);
}
// @clean-groups clean
__global__ void k_clean_groups(int *p) {
    namespace cg = cooperative_groups;
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    __shared__ int s[N];
    s[block.thread_rank()] = tile.shfl_down(int(threadIdx.x), 1);
    block.sync();
    p[threadIdx.x] = s[(threadIdx.x + 5) % N];
}
static void clean_groups(int *p, int) { k_clean_groups<<<1, N>>>(p); }
// @clean-local clean
__global__ void k_clean_local(int *p, int n) {
    int a[8];
    for (int i = 0; i < n; i++) a[i] = i * threadIdx.x;
    p[threadIdx.x] = a[n / 2];
}
static void clean_local(int *p, int) { k_clean_local<<<1, N>>>(p, 8); }
// @clean-structure clean
struct particle {
    float4 at;
    int id;
    char flag;
};
__global__ void k_clean_structure(particle *p) {
    particle q = {float4{1, 2, 3, 4}, int(threadIdx.x), 'a'};
    p[threadIdx.x] = q;
    p[threadIdx.x].flag = 'b';
}
static void clean_structure(int *, int) {
    particle *q;
    cudaMalloc(&q, N * sizeof *q);
    k_clean_structure<<<1, N>>>(q);
    cudaDeviceSynchronize();
    cudaFree(q);
}

// @clean-memcpy clean
__global__ void k_clean_memcpy(particle *p, particle *q, int n) {
    memset((void *)p, 0, n * sizeof *p);
    memcpy((void *)q, p, n * sizeof *p);
    q[n - 1].id = p[0].id + 1;
}
static void clean_memcpy(int *, int) {
    particle *q;
    cudaMalloc(&q, 2 * N * sizeof *q);
    k_clean_memcpy<<<1, 1>>>(q, q + N, N);
    cudaFree(q);
}

static const struct {
    const char *name;
    test *run;
} cases[] = {
    {"above", above},
    {"below", below},
    {"far", far},
    {"one-behind-odd", odd},
    {"read-behind", read_behind},
    {"freed", freed},
    {"misaligned", misaligned},
    {"misaligned-vector", misaligned4},
    {"host-reads", host_reads},
    {"host-writes", host_writes},
    {"dynamic-shared", dynamic_shared},
    {"static-shared", static_shared},
    {"local-array", local_array},
    {"row-too-long", row},
    {"no-bound", no_bound},
    {"behind-a-structure", pair},
    {"no-barrier", no_barrier},
    {"reduction", reduce},
    {"second-barrier", second},
    {"global-sum", sum},
    {"blocks", blocks},
    {"in-place", neighbour},
    {"histogram", histogram},
    {"atomic-and-plain", half_atomic},
    {"warp-synchronous", warp},
    {"all-write", broadcast},
    {"unset-global", unset},
    {"half-set", half_set},
    {"unset-shared", unset_shared},
    {"unset-dynamic", unset_dynamic},
    {"shared-of-another-block", last_block},
    {"unset-counter", unset_sum},
    {"two-barriers", two_barriers},
    {"uneven-loop", uneven},
    {"mask-too-wide", mask},
    {"leak", leak},
    {"atomic-behind", atomic_behind},
    {"byte-behind", char_behind},
    {"vector-behind", vector_behind},
    {"managed-behind", managed_behind},
    {"memcpy-behind", copy_behind},
    {"between-two", gap},
    {"row-behind", square},
    {"shared-rows", two_arrays},
    {"write-after-read", read_first},
    {"barrier-of-a-warp", some},
    {"bytes", bytes_race},
    {"flag", flag},
    {"unset-member", unset_field},
    {"unset-tail", unset_tail},
    {"unset-half-shared", odd_lanes},
    {"shuffle-of-others", shuffle},
    {"vote-without-one", vote},
    {"leak-managed", leak_managed},
    {"leak-async", leak_async},
    {"clean-reduction", clean_reduction},
    {"clean-warp", clean_warp},
    {"clean-atomics", clean_atomics},
    {"clean-same-value", clean_same},
    {"last-value", last_value},
    {"clean-compare-and-swap", clean_cas},
    {"clean-thrust", clean_thrust},
    {"clean-cooperative", clean_grid},
    {"clean-two-kernels", clean_two},
    {"clean-copies", clean_copies},
    {"clean-large-tile", clean_tile},
    {"clean-last-block", clean_last},
    {"clean-bytes", clean_bytes},
    {"clean-dynamic", clean_dynamic},
    {"clean-early-return", clean_return},
    {"clean-streams", clean_launches},
    {"clean-managed", clean_managed},
    {"clean-groups", clean_groups},
    {"clean-local", clean_local},
    {"clean-structure", clean_structure},
    {"clean-memcpy", clean_memcpy},
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
