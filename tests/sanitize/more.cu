/* SPDX-License-Identifier: Apache-2.0 */
/* More defects of kernels, and more programs without one, like those of defects.cu: other memory
 * (variables of the device, pools, rows of cudaMallocPitch(), none at all), other ways to meet. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>

typedef void test(int *p, int n);
enum { N = 64 };

/* ---- memory ---- */

__global__ void k_null(int *p) { p[threadIdx.x] = 1; } // @null memory
static void null(int *, int) { k_null<<<1, N>>>(nullptr); }
__global__ void k_pool(int *p) { p[threadIdx.x] = 1; } // @freed-in-stream memory
static void pool(int *, int) {
    int *q;
    cudaMallocAsync(&q, N * sizeof(int), 0);
    cudaFreeAsync(q, 0);
    k_pool<<<1, N>>>(q);
}
__global__ void k_below_pool(int *p) { p[-2] = 1; } // @below-in-pool memory
static void below_pool(int *, int) {
    int *q;
    cudaMallocAsync(&q, N * sizeof(int), 0);
    k_below_pool<<<1, 1>>>(q);
    cudaFreeAsync(q, 0);
}
__global__ void k_pitch(char *p, size_t pitch, int rows) {
    p[pitch * rows + threadIdx.x] = 1; // @row-behind-pitch memory
}
static void rows(int *, int) {
    char *q;
    size_t pitch;
    cudaMallocPitch((void **)&q, &pitch, 100, 5);
    k_pitch<<<1, 32>>>(q, pitch, 5);
    cudaFree(q);
}
__global__ void k_misaligned_shared(int *p) {
    __shared__ double s[N];
    char *bytes = (char *)s;
    *(int *)(bytes + 4 * threadIdx.x + 2) = 1; // @misaligned-shared memory
    p[threadIdx.x] = 0;
}
static void misaligned_shared(int *p, int) { k_misaligned_shared<<<1, N>>>(p); }
__global__ void k_pinned(int *p) { p[threadIdx.x] = 1; } // @freed-pinned memory
static void pinned(int *, int) {
    int *q;
    cudaMallocHost((void **)&q, N * sizeof(int));
    cudaFreeHost(q);
    k_pinned<<<1, N>>>(q);
}

/* ---- races ---- */

__global__ void k_two_warps(int *p) {
    __shared__ int s[N];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x] = threadIdx.x; // @warps-by-syncwarp race
    __syncwarp();
    p[threadIdx.x] = s[N - 1 - threadIdx.x];
}
static void two_warps(int *p, int) { k_two_warps<<<1, N>>>(p); }
__global__ void k_loop(int *p) {
    __shared__ int s[N];
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = i + threadIdx.x; // @next-round race
        __syncthreads();
        sum += s[N - 1 - threadIdx.x];
    }
    p[threadIdx.x] = sum;
}
static void loop(int *p, int) { k_loop<<<1, N>>>(p); }
__global__ void k_storage(int *p) {
    typedef cub::BlockReduce<int, N> reduce;
    __shared__ union {
        typename reduce::TempStorage storage;
        int values[N];
    } s;
    int sum = reduce(s.storage).Sum(threadIdx.x);
    __syncthreads();
    s.values[threadIdx.x] = sum; // @shared-union race
    p[threadIdx.x] = s.values[(threadIdx.x + 40) % N];
}
static void storage(int *p, int) { k_storage<<<1, N>>>(p); }

/* ---- memory that nobody has written ---- */

__global__ void k_unset_pool(int *p, int *q) { p[threadIdx.x] = q[threadIdx.x]; } // @unset-pool init
static void unset_pool(int *p, int) {
    int *q;
    cudaMallocAsync(&q, N * sizeof(int), 0);
    k_unset_pool<<<1, N>>>(p, q);
    cudaFreeAsync(q, 0);
}
__global__ void k_padding(char *p, const char *q, size_t pitch) {
    p[threadIdx.x] = q[pitch + 90 + threadIdx.x]; // @padding-of-a-row init
}
static void padding(int *p, int) {
    char *q, host[200] = {0};
    size_t pitch;
    cudaMallocPitch((void **)&q, &pitch, 100, 2);
    cudaMemcpy2D(q, pitch, host, 100, 100, 2, cudaMemcpyHostToDevice);
    k_padding<<<1, 20>>>((char *)p, q, pitch);
    cudaFree(q);
}
__global__ void k_twice(int *p) {
    __shared__ int s[N];
    if (blockIdx.x == 1) s[threadIdx.x] = 1;
    __syncthreads();
    if (blockIdx.x == 0) p[threadIdx.x] = s[threadIdx.x]; // @set-by-another-block init
}
static void twice(int *p, int) { k_twice<<<2, N>>>(p); }

/* ---- meeting ---- */

__global__ void k_switch(int *p) {
    switch (threadIdx.x % 2) {
    case 0: __syncthreads(); break; // @barriers-of-a-switch sync
    default: p[threadIdx.x] = 1; __syncthreads();
    }
}
static void a_switch(int *p, int) { k_switch<<<1, N>>>(p); }

/* ---- none ---- */

// @clean-pool clean
__global__ void k_fill(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void k_move(int *p, const int *q) { p[threadIdx.x] = q[threadIdx.x]; }
static void clean_pool(int *p, int) {
    int *q;
    cudaMallocAsync(&q, N * sizeof(int), 0);
    k_fill<<<1, N>>>(q);
    k_move<<<1, N>>>(p, q);
    cudaFreeAsync(q, 0);
}
// @clean-heap clean
__global__ void k_clean_heap(int *p) {
    int *q = new int[4];
    for (int i = 0; i < 4; i++) q[i] = threadIdx.x + i;
    p[threadIdx.x] = q[3];
    delete[] q;
}
static void clean_heap(int *p, int) { k_clean_heap<<<1, N>>>(p); }
// @clean-pitch clean
__global__ void k_clean_pitch(char *p, size_t pitch) { p[blockIdx.x * pitch + threadIdx.x] = 1; }
static void clean_pitch(int *, int) {
    char *q;
    size_t pitch;
    cudaMallocPitch((void **)&q, &pitch, 100, 5);
    k_clean_pitch<<<5, 100>>>(q, pitch);
    cudaFree(q);
}
// @clean-variables clean
__device__ int table[N];
__constant__ int factors[4] = {1, 2, 3, 4};
__global__ void k_clean_variables(int *p) {
    table[threadIdx.x] = factors[threadIdx.x % 4];
    __syncthreads();
    p[threadIdx.x] = table[N - 1 - threadIdx.x];
}
static void clean_variables(int *p, int) { k_clean_variables<<<1, N>>>(p); }
// @clean-double-buffer clean
__global__ void k_clean_double(int *p) {
    __shared__ int s[2][N];
    int mine = threadIdx.x;
    s[0][threadIdx.x] = mine;
    __syncthreads();
    for (int step = 1, in = 0; step < N; step *= 2, in = 1 - in) {
        mine = s[in][threadIdx.x] + (threadIdx.x >= step ? s[in][threadIdx.x - step] : 0);
        s[1 - in][threadIdx.x] = mine;
        __syncthreads();
    }
    p[threadIdx.x] = mine;
}
static void clean_double(int *p, int) { k_clean_double<<<1, N>>>(p); }
// @clean-scan clean
__global__ void k_clean_scan(int *p) {
    typedef cub::BlockScan<int, N> scan;
    __shared__ typename scan::TempStorage storage;
    int mine = threadIdx.x, sum;
    scan(storage).InclusiveSum(mine, sum);
    __syncthreads();
    scan(storage).ExclusiveSum(sum, mine);
    p[threadIdx.x] = mine;
}
static void clean_scan(int *p, int) { k_clean_scan<<<1, N>>>(p); }
// @clean-lock clean
__device__ int lock_word, guarded;
__global__ void k_clean_lock(int *p) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock_word, 0, 1) != 0) {
        }
        __threadfence();
        guarded += 1;
        __threadfence();
        atomicExch(&lock_word, 0);
    }
    p[threadIdx.x] = 1;
}
static void clean_lock(int *p, int) { k_clean_lock<<<4, N>>>(p); }
// @clean-waiting-blocks clean
__device__ int arrived;
__global__ void k_clean_waiting(int *p) {
    if (threadIdx.x == 0) {
        p[blockIdx.x] = blockIdx.x;
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < gridDim.x) {
        }
        p[N / 2 + blockIdx.x] = p[gridDim.x - 1 - blockIdx.x];
    }
}
static void clean_waiting(int *p, int) { k_clean_waiting<<<6, 32>>>(p); }
// @clean-half-mask clean
__global__ void k_clean_half(int *p) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_xor_sync(0x0000ffff, v, 1);
    p[threadIdx.x] = v;
}
static void clean_half(int *p, int) { k_clean_half<<<1, N>>>(p); }
// @clean-union clean
__global__ void k_clean_union(int *p) {
    __shared__ union {
        int a[N];
        float b[N];
    } s;
    s.a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int other = s.a[N - 1 - threadIdx.x];
    __syncthreads();
    s.b[threadIdx.x] = other;
    __syncthreads();
    p[threadIdx.x] = s.b[threadIdx.x / 2];
}
static void clean_union(int *p, int) { k_clean_union<<<1, N>>>(p); }

static const struct {
    const char *name;
    test *run;
} cases[] = {
    {"null", null},
    {"freed-in-stream", pool},
    {"below-in-pool", below_pool},
    {"row-behind-pitch", rows},
    {"misaligned-shared", misaligned_shared},
    {"freed-pinned", pinned},
    {"warps-by-syncwarp", two_warps},
    {"next-round", loop},
    {"shared-union", storage},
    {"unset-pool", unset_pool},
    {"padding-of-a-row", padding},
    {"set-by-another-block", twice},
    {"barriers-of-a-switch", a_switch},
    {"clean-pool", clean_pool},
    {"clean-heap", clean_heap},
    {"clean-pitch", clean_pitch},
    {"clean-variables", clean_variables},
    {"clean-double-buffer", clean_double},
    {"clean-scan", clean_scan},
    {"clean-lock", clean_lock},
    {"clean-waiting-blocks", clean_waiting},
    {"clean-half-mask", clean_half},
    {"clean-union", clean_union},
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
