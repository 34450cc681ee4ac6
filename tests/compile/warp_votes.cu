// Votes of a warp: ballot, any, all, the active lanes, and a compaction by ballot and popc.
// warp 32: ballots are kept in 32 bits, and lanes are counted modulo 32
#include <cuda_runtime.h>
#include <cstdio>

__global__ void votes(const int *in, unsigned *ballot, int *any, int *all) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    bool even = in[i] % 2 == 0;
    ballot[i] = __ballot_sync(0xffffffff, even);
    any[i] = __any_sync(0xffffffff, in[i] == 77);
    all[i] = __all_sync(0xffffffff, in[i] >= 0);
}

__global__ void compact(const int *in, int *out, int *counts) {
    const unsigned full = 0xffffffffu;
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = in[threadIdx.x];
    unsigned mask = __ballot_sync(full, v > 50);
    if (v > 50) out[warp * 32 + __popc(mask & ((1u << lane) - 1))] = v;
    if (lane == 0) counts[warp] = __popc(mask);
    int leader = __ffs(mask) - 1;
    if (mask && lane == leader) counts[warp] += 1000 * (__activemask() != 0);
}

int main() {
    const int n = 128;
    int in[n], any[n], all[n], out[n], counts[4], *d_in, *d_any, *d_all;
    unsigned ballot[n], *d_ballot;
    for (int i = 0; i < n; i++) in[i] = (i * 13 + 5) % 101;
    in[100] = -1;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_any, sizeof in);
    cudaMalloc(&d_all, sizeof in);
    cudaMalloc(&d_ballot, sizeof ballot);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    votes<<<1, n>>>(d_in, d_ballot, d_any, d_all);
    cudaMemcpy(ballot, d_ballot, sizeof ballot, cudaMemcpyDeviceToHost);
    cudaMemcpy(any, d_any, sizeof any, cudaMemcpyDeviceToHost);
    cudaMemcpy(all, d_all, sizeof all, cudaMemcpyDeviceToHost);
    cudaMemset(d_any, 0, sizeof in);
    compact<<<1, n>>>(d_in, d_any, d_all);
    cudaMemcpy(out, d_any, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(counts, d_all, sizeof counts, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_any);
    cudaFree(d_all);
    cudaFree(d_ballot);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int w = 0; w < n / 32; w++) {
        unsigned bits = 0;
        bool found = false, positive = true;
        int kept = 0;
        for (int l = 0; l < 32; l++) {
            int v = in[w * 32 + l];
            if (v % 2 == 0) bits |= 1u << l;
            found |= v == 77;
            positive &= v >= 0;
            if (v > 50) good = good && out[w * 32 + kept++] == v;
        }
        good = good && counts[w] == kept + (kept ? 1000 : 0);
        for (int i = w * 32; i < w * 32 + 32; i++)
            good = good && ballot[i] == bits && (any[i] != 0) == found && (all[i] != 0) == positive;
    }
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
