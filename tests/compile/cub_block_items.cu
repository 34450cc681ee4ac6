// CUB's collectives for blocks with several items per thread: load, scan, sort, exchange, store.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

enum { THREADS = 64, ITEMS = 4, TILE = THREADS * ITEMS };

__global__ void scanTile(const int *in, int *out, int *total) {
    typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
    typedef cub::BlockScan<int, THREADS> Scan;
    typedef cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } temp;
    int items[ITEMS], sum;
    Load(temp.load).Load(in + blockIdx.x * TILE, items);
    __syncthreads();
    Scan(temp.scan).ExclusiveSum(items, items, sum);
    __syncthreads();
    Store(temp.store).Store(out + blockIdx.x * TILE, items);
    if (threadIdx.x == 0) total[blockIdx.x] = sum;
}

__global__ void sortTile(const unsigned *in, unsigned *out) {
    typedef cub::BlockRadixSort<unsigned, THREADS, ITEMS> Sort;
    __shared__ typename Sort::TempStorage temp;
    unsigned keys[ITEMS];
    cub::LoadDirectStriped<THREADS>(threadIdx.x, in + blockIdx.x * TILE, keys);
    Sort(temp).Sort(keys);
    cub::StoreDirectBlocked(threadIdx.x, out + blockIdx.x * TILE, keys);
}

// What the tiles before came to, for the next one, by an operation that is no sum.
struct Before {
    int running;
    __device__ int operator()(int tile) {
        const int before = running;
        running = max(running, tile);
        return before;
    }
};
struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
__global__ void scanTiles(const int *in, int *inclusive, int *exclusive, int n) {
    typedef cub::BlockScan<int, THREADS> Scan;
    __shared__ typename Scan::TempStorage temp;
    Before first = {-100}, second = {-100};
    for (int tile = 0; tile < n; tile += TILE) {
        int items[ITEMS], with[ITEMS], without[ITEMS];
        cub::LoadDirectBlocked(threadIdx.x, in + tile, items);
        Scan(temp).InclusiveScan(items, with, Larger(), first);
        __syncthreads();
        Scan(temp).ExclusiveScan(items, without, Larger(), second);
        __syncthreads();
        cub::StoreDirectBlocked(threadIdx.x, inclusive + tile, with);
        cub::StoreDirectBlocked(threadIdx.x, exclusive + tile, without);
    }
}

int main() {
    const int blocks = 3, n = blocks * TILE;
    std::vector<int> in(n), out(n), totals(blocks);
    std::vector<unsigned> keys(n), sorted(n);
    for (int i = 0; i < n; i++) in[i] = i * 31 % 17 - 5, keys[i] = unsigned(i) * 2654435761u;
    int *d_in, *d_out, *d_total;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_total, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    scanTile<<<blocks, THREADS>>>(d_in, d_out, d_total);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(totals.data(), d_total, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    bool good = true;
    for (int b = 0; b < blocks; b++) {
        int sum = 0;
        for (int i = b * TILE; i < (b + 1) * TILE; sum += in[i++]) good = good && out[i] == sum;
        good = good && totals[b] == sum;
    }
    int *d_exclusive;
    std::vector<int> exclusive(n);
    cudaMalloc(&d_exclusive, n * sizeof(int));
    scanTiles<<<1, THREADS>>>(d_in, d_out, d_exclusive, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(exclusive.data(), d_exclusive, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0, largest = -100; i < n; i++) {
        good = good && exclusive[i] == largest;
        largest = std::max(largest, in[i]);
        good = good && out[i] == largest;
    }
    cudaMemcpy(d_in, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sortTile<<<blocks, THREADS>>>((unsigned *)d_in, (unsigned *)d_out);
    cudaMemcpy(sorted.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++)
        std::sort(keys.begin() + b * TILE, keys.begin() + (b + 1) * TILE);
    good = good && sorted == keys;
    cudaFree(d_exclusive), cudaFree(d_in), cudaFree(d_out), cudaFree(d_total);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
