// SPDX-License-Identifier: Apache-2.0
// Blocks of a launch that is not cooperative wait for each other: CUDA promises nothing, programs
// sycl: work-groups that wait for each other are not promised to run
// count on it. Each grid has more blocks than a machine has processors, and each way of waiting is
// one that public programs use; in some a block waits for one that begins after it.
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <stdio.h>

#define WAIT_FOR(word, value)                                                                     \
    while (atomicAdd(&(word), 0) != (value)) {                                                    \
    }

#define WAIT_BY_LOAD(p)                                                                           \
    while (*(volatile int *)(p) == 0) {                                                           \
    }

enum { BLOCKS = 60, THREADS = 64 };

__device__ unsigned arrived;
__device__ volatile unsigned generation;

// all blocks, by a counter that thread 0 watches
__device__ void everybody(unsigned goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < goal) {
        }
    }
    __syncthreads();
}

__global__ void counter_barrier(int *data, int *sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (unsigned round = 1; round <= 3; round++) {
        data[i] += i;
        everybody(round * gridDim.x * 2 - gridDim.x);
        const int other = data[n - 1 - i];
        everybody(round * gridDim.x * 2);
        sum[i] += other;
    }
}

// the last one to come opens the gate; the others read it
__global__ void generation_barrier(int *data, int *sum, unsigned *count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    data[i] = i * 3;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned mine = generation;
        if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1)
            generation = mine + 1;
        else
            while (generation == mine)
                ;
    }
    __syncthreads();
    sum[i] = data[n - 1 - i];
}

// a chain from the last block to the first, by every thread for itself
__global__ void backwards(volatile int *chain) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    if (i + blockDim.x < n)
        while (chain[i + blockDim.x] == 0) {
        }
    chain[i] = (i + blockDim.x < n ? chain[i + blockDim.x] : 0) + 1;
}

// the same through a macro, by one thread
__global__ void by_macro(int *flags, int *out) {
    __shared__ int before;
    const int next = blockIdx.x + 1;
    if (threadIdx.x == 0 && next < gridDim.x) WAIT_FOR(flags[next], 1);
    if (threadIdx.x == 0) before = next < gridDim.x ? out[next * blockDim.x] : 0;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = before + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&flags[blockIdx.x], 1);
}

// do, and a break out of an endless loop
__global__ void other_loops(int *flags, int *out) {
    const int next = blockIdx.x + 1;
    if (threadIdx.x == 0 && next < gridDim.x) {
        int seen;
        do {
            seen = atomicCAS(&flags[next], 1, 1);
        } while (seen != 1);
        while (true) {
            if (((volatile int *)out)[next] != 0) break;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = next < gridDim.x ? out[next] + 1 : 1;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}

// libcu++'s
__global__ void atomic_refs(int *flags, int *out) {
    const int next = blockIdx.x + 1;
    if (threadIdx.x == 0) {
        if (next < gridDim.x) {
            cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[next]);
            while (flag.load(cuda::memory_order_acquire) == 0) {
            }
        }
        out[blockIdx.x] = next < gridDim.x ? out[next] + 1 : 1;
        cuda::atomic_ref<int, cuda::thread_scope_device>(flags[blockIdx.x])
            .store(1, cuda::memory_order_release);
    }
}

// loads of all kinds
__device__ int loaded(const volatile int *p) { return *p; }

__global__ void loads(int *flags, int *out) {
    const int next = blockIdx.x + 1;
    if (next < gridDim.x) {
        int seen, again;
        switch (blockIdx.x % 5) {
        case 0: WAIT_BY_LOAD(&flags[next]) break;
        case 1:
            while (__ldcg(&flags[next]) == 0) {
            }
            break;
        case 2:
            while (!loaded(flags + next))
                __nanosleep(20);
            break;
        case 3:
            do {
                seen = __ldcv(flags + next);
                again = seen;
            } while (again == 0);
            break;
        default:
            while (*(volatile int *)&flags[next] == 0)
                ;
        }
    }
    out[blockIdx.x] = next < gridDim.x ? out[next] + 1 : 1;
    __threadfence();
    flags[blockIdx.x] = 1;
}

// tickets, and a window of predecessors that a warp looks back over
__global__ void look_back(const int *in, int *out, volatile int *state, volatile int *total,
                          volatile int *prefix, int *tickets) {
    __shared__ int ticket, before, part[THREADS];
    if (threadIdx.x == 0) ticket = atomicAdd(tickets, 1);
    __syncthreads();
    const int block = gridDim.x - 1 - ticket; // those that began last are waited for
    const int i = block * blockDim.x + threadIdx.x;
    part[threadIdx.x] = in[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int t = 0; t < blockDim.x; t++) sum += part[t];
        total[block] = sum;
        __threadfence();
        state[block] = 1;
        int exclusive = 0;
        for (int b = block - 1; b >= 0; b--) {
            int seen;
            while ((seen = state[b]) == 0)
                ;
            __threadfence();
            exclusive += seen == 2 ? prefix[b] : total[b];
            if (seen == 2) break;
        }
        prefix[block] = exclusive + sum;
        __threadfence();
        state[block] = 2;
        before = exclusive;
    }
    __syncthreads();
    int mine = before;
    for (int t = 0; t <= threadIdx.x; t++) mine += part[t];
    out[i] = mine;
}

// all threads ask, and go round at a barrier together
__global__ void asked_at_a_barrier(int *count, int *out) {
    __shared__ int done;
    if (threadIdx.x == 0) atomicAdd(count, 1);
    do {
        if (threadIdx.x == 0) done = atomicAdd(count, 0) == gridDim.x;
        __syncthreads();
        const int all = done;
        __syncthreads();
        if (all) break;
    } while (true);
    out[blockIdx.x * blockDim.x + threadIdx.x] = *count;
}

static int bad;
static void expect(const char *what, int got, int wanted) {
    if (got != wanted && bad++ < 10) printf("%s: got %d, expected %d\n", what, got, wanted);
}

int main() {
    const int n = BLOCKS * THREADS;
    int *a, *b, *c, *d, *e;
    cudaMallocManaged(&a, n * sizeof *a);
    cudaMallocManaged(&b, n * sizeof *b);
    cudaMallocManaged(&c, n * sizeof *c);
    cudaMallocManaged(&d, n * sizeof *d);
    cudaMallocManaged(&e, n * sizeof *e);
    auto clear = [&] {
        expect("error", cudaDeviceSynchronize(), cudaSuccess);
        for (int *p : {a, b, c, d, e}) cudaMemset(p, 0, n * sizeof *p);
        cudaDeviceSynchronize();
    };

    clear();
    counter_barrier<<<BLOCKS, THREADS>>>(a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) expect("counter", b[i], (n - 1 - i) * 6);

    clear();
    generation_barrier<<<BLOCKS, THREADS>>>(a, b, (unsigned *)c);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) expect("generation", b[i], (n - 1 - i) * 3);

    clear();
    backwards<<<BLOCKS, THREADS>>>(a);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) expect("backwards", a[i], BLOCKS - i / THREADS);

    clear();
    by_macro<<<BLOCKS, THREADS>>>(a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) expect("macro", b[i], BLOCKS - i / THREADS);

    clear();
    other_loops<<<BLOCKS, THREADS>>>(a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < BLOCKS; i++) expect("loops", b[i], BLOCKS - i);

    clear();
    atomic_refs<<<BLOCKS, 1>>>(a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < BLOCKS; i++) expect("atomic_ref", b[i], BLOCKS - i);

    clear();
    loads<<<BLOCKS, 1>>>(a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < BLOCKS; i++) expect("loads", b[i], BLOCKS - i);

    clear();
    for (int i = 0; i < n; i++) a[i] = i % 7;
    look_back<<<BLOCKS, THREADS>>>(a, b, c, d, e, e + n - 1);
    cudaDeviceSynchronize();
    for (int i = 0, sum = 0; i < n; i++) expect("look back", b[i], sum += i % 7);

    clear();
    asked_at_a_barrier<<<BLOCKS, THREADS>>>(a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) expect("at a barrier", b[i], BLOCKS);

    clear();
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
