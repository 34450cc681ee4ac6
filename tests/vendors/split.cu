// Communicators that are split, and split again: four ranks of one process. Prints PASS.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>

#include "check.cuh"

enum { RANKS = 4, N = 100 };
static float *x[RANKS];
static cudaStream_t streams[RANKS];

// The sum over the communicator that each rank has; where it has none, nothing.
static void sum(ncclComm_t *comms) {
    for (int r = 0; r < RANKS; r++) {
        float host[N];
        for (int i = 0; i < N; i++) host[i] = float(1 << r);
        CHECK(cudaSetDevice(r));
        CHECK(cudaMemcpy(x[r], host, sizeof host, cudaMemcpyHostToDevice));
    }
    NCCL(ncclGroupStart());
    for (int r = 0; r < RANKS; r++)
        if (comms[r])
            NCCL(ncclAllReduce(x[r], x[r], N, ncclFloat, ncclSum, comms[r], streams[r]));
    NCCL(ncclGroupEnd());
}
static float value(int r) {
    float host[N];
    CHECK(cudaSetDevice(r));
    CHECK(cudaStreamSynchronize(streams[r]));
    CHECK(cudaMemcpy(host, x[r], sizeof host, cudaMemcpyDeviceToHost));
    return host[N - 1];
}
static void split(ncclComm_t *parents, const int *colors, const int *keys, ncclComm_t *children) {
    NCCL(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
        children[r] = nullptr;
        if (parents[r]) NCCL(ncclCommSplit(parents[r], colors[r], keys[r], &children[r], nullptr));
    }
    NCCL(ncclGroupEnd());
}
static void is(ncclComm_t comm, int count, int rank) {
    int n = -1, me = -1;
    NCCL(ncclCommCount(comm, &n));
    NCCL(ncclCommUserRank(comm, &me));
    HOLDS(n == count && me == rank);
}
static void destroy(ncclComm_t *comms) {
    for (int r = 0; r < RANKS; r++)
        if (comms[r]) NCCL(ncclCommDestroy(comms[r]));
}

int main() {
    ncclComm_t all[RANKS], halves[RANKS], some[RANKS], ones[RANKS];
    for (int r = 0; r < RANKS; r++) {
        CHECK(cudaSetDevice(r));
        CHECK(cudaMalloc((void **)&x[r], N * sizeof(float)));
        CHECK(cudaStreamCreate(&streams[r]));
    }
    NCCL(ncclCommInitAll(all, RANKS, nullptr));
    // Even and odd, in the order that keys say; the parent is used right before.
    const int parity[] = {0, 1, 0, 1}, down[] = {3, 2, 1, 0};
    sum(all);
    split(all, parity, down, halves);
    HOLDS(value(2) == 15);
    for (int r = 0; r < RANKS; r++) is(halves[r], 2, r < 2 ? 1 : 0);
    sum(halves);
    HOLDS(value(0) == 5 && value(1) == 10 && value(2) == 5 && value(3) == 10);
    sum(all); // which is still there
    HOLDS(value(3) == 15);
    // One rank is in none of them.
    const int most[] = {7, 7, NCCL_SPLIT_NOCOLOR, 7}, same[] = {0, 0, 0, 0};
    split(all, most, same, some);
    HOLDS(!some[2]);
    is(some[0], 3, 0);
    is(some[3], 3, 2);
    sum(some);
    HOLDS(value(0) == 11 && value(1) == 11 && value(2) == 4 && value(3) == 11);
    // A child is split in its turn.
    const int alone[] = {0, 1, 2, 3};
    split(some, alone, same, ones);
    is(ones[1], 1, 0);
    sum(ones);
    HOLDS(value(0) == 1 && value(3) == 8);
    destroy(ones);
    destroy(some);
    destroy(halves);
    destroy(all);
    for (int r = 0; r < RANKS; r++) {
        CHECK(cudaSetDevice(r));
        CHECK(cudaFree(x[r]));
        CHECK(cudaStreamDestroy(streams[r]));
    }
    std::printf("PASS\n");
    return 0;
}
