// Lanes with equal keys find each other; one adds for all of them. Built for sm_70 and newer.
// warp 32: masks of peers have 32 bits, and lanes are counted modulo 32
#include <cuda_runtime.h>
#include <cstdio>

__global__ void countKeys(const int *keys, int *counts) {
    int key = keys[threadIdx.x];
    unsigned peers = __match_any_sync(0xffffffffu, key);
    int leader = __ffs(peers) - 1;
    if ((threadIdx.x & 31) == leader) atomicAdd(&counts[key], __popc(peers));
}

__global__ void sameEverywhere(const int *keys, unsigned *mask, int *same) {
    int predicate = 0;
    mask[threadIdx.x] = __match_all_sync(0xffffffffu, keys[threadIdx.x] / 4, &predicate);
    same[threadIdx.x] = predicate;
}

int main() {
    const int n = 96;
    int keys[n], counts[8], expected[8] = {}, same[n], *d_keys, *d_counts, *d_same;
    unsigned mask[n], *d_mask;
    for (int i = 0; i < n; i++) {
        keys[i] = i < 32 ? i % 4 : (i * i) % 7;
        expected[keys[i]]++;
    }
    cudaMalloc(&d_keys, sizeof(keys));
    cudaMalloc(&d_counts, sizeof(counts));
    cudaMalloc(&d_same, sizeof(same));
    cudaMalloc(&d_mask, sizeof(mask));
    cudaMemcpy(d_keys, keys, sizeof(keys), cudaMemcpyHostToDevice);
    cudaMemset(d_counts, 0, sizeof(counts));
    countKeys<<<1, n>>>(d_keys, d_counts);
    sameEverywhere<<<1, n>>>(d_keys, d_mask, d_same);
    cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost);
    cudaMemcpy(same, d_same, sizeof(same), cudaMemcpyDeviceToHost);
    cudaMemcpy(mask, d_mask, sizeof(mask), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int k = 0; k < 8; k++) good = good && counts[k] == expected[k];
    for (int i = 0; i < n; i++)
        good = good && (same[i] != 0) == (i < 32) && mask[i] == (i < 32 ? 0xffffffffu : 0u);
    cudaFree(d_keys);
    cudaFree(d_counts);
    cudaFree(d_same);
    cudaFree(d_mask);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
