// How the threads of a block hand values to one another: differences of neighbours, where runs
// begin and end, other orders, histograms.
#include <cstdio>
#include <cub/cub.cuh>

struct Minus {
    __device__ int operator()(int &a, int &b) const { return a - b; }
};
struct Differ {
    __device__ bool operator()(int a, int b) const { return a != b; }
};

template <int Threads, int Items> __global__ void differences(const int *in, int *out, int valid) {
    using Difference = cub::BlockAdjacentDifference<int, Threads>;
    __shared__ typename Difference::TempStorage room;
    int own[Items], made[Items];
    for (int i = 0; i < Items; i++) own[i] = in[threadIdx.x * Items + i];
    int *to = out + threadIdx.x * Items;
    Difference(room).SubtractLeft(own, made, Minus());
    for (int i = 0; i < Items; i++) to[i] = made[i];
    __syncthreads();
    Difference(room).SubtractLeft(own, made, Minus(), 1000);
    for (int i = 0; i < Items; i++) to[Threads * Items + i] = made[i];
    __syncthreads();
    Difference(room).SubtractRight(own, made, Minus());
    for (int i = 0; i < Items; i++) to[2 * Threads * Items + i] = made[i];
    __syncthreads();
    Difference(room).SubtractRightPartialTile(own, made, Minus(), valid);
    for (int i = 0; i < Items; i++) to[3 * Threads * Items + i] = made[i];
    __syncthreads();
    Difference(room).SubtractLeftPartialTile(own, own, Minus(), valid); // in place
    for (int i = 0; i < Items; i++) to[4 * Threads * Items + i] = own[i];
}

template <int Threads, int Items> __global__ void orders(const int *in, int *out, int *bins) {
    using Runs = cub::BlockDiscontinuity<int, Threads>;
    using Exchange = cub::BlockExchange<int, Threads, Items>;
    using Counts = cub::BlockHistogram<int, Threads, Items, 8>;
    __shared__ typename Runs::TempStorage runs;
    __shared__ typename Exchange::TempStorage exchange;
    __shared__ typename Counts::TempStorage counts;
    __shared__ int seen[8];
    int own[Items], heads[Items];
    int *to = out + threadIdx.x * Items;
    for (int i = 0; i < Items; i++) own[i] = in[threadIdx.x * Items + i] / 3;
    Runs(runs).FlagHeads(heads, own, Differ());
    for (int i = 0; i < Items; i++) to[i] = heads[i];
    for (int i = 0; i < Items; i++) own[i] = in[threadIdx.x * Items + i] & 7;
    Counts(counts).Histogram(own, seen);
    __syncthreads();
    if (threadIdx.x < 8) bins[threadIdx.x] = seen[threadIdx.x];
    for (int i = 0; i < Items; i++) own[i] = threadIdx.x * Items + i;
    Exchange(exchange).BlockedToStriped(own, own);
    for (int i = 0; i < Items; i++) to[Threads * Items + i] = own[i];
}

int main() {
    constexpr int threads = 64, items = 3, n = threads * items, valid = n - 7;
    int *in, *out, *bins, wrong = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, 5 * n * sizeof(int));
    cudaMallocManaged(&bins, 8 * sizeof(int));
    for (int i = 0; i < n; i++) in[i] = i * i % 101;
    differences<threads, items><<<1, threads>>>(in, out, valid);
    if (cudaDeviceSynchronize() != cudaSuccess) wrong++;
    for (int i = 0; i < n; i++) {
        const int left = i ? in[i] - in[i - 1] : in[i];
        wrong += out[i] != left;
        wrong += out[n + i] != (i ? left : in[0] - 1000);
        wrong += out[2 * n + i] != (i + 1 < n ? in[i] - in[i + 1] : in[i]);
        wrong += out[3 * n + i] != (i + 1 < valid ? in[i] - in[i + 1] : in[i]);
        wrong += out[4 * n + i] != (i < valid ? left : in[i]);
    }
    orders<threads, items><<<1, threads>>>(in, out, bins);
    if (cudaDeviceSynchronize() != cudaSuccess) wrong++;
    int counted[8] = {0};
    for (int i = 0; i < n; i++) {
        counted[in[i] & 7]++;
        wrong += out[i] != (i == 0 || in[i] / 3 != in[i - 1] / 3);
        wrong += out[n + i] != i % items * threads + i / items;
    }
    for (int i = 0; i < 8; i++) wrong += bins[i] != counted[i];
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
