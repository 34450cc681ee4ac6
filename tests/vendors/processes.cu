// One rank in each process, as a launcher starts them: RANK, WORLD_SIZE, and the id in a file,
// argv[1]. Each prints PASS.
#include <cuda_runtime.h>
#include <nccl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "check.cuh"

enum { N = 500 };

static ncclUniqueId shared_id(const std::string &path, int rank) {
    ncclUniqueId id;
    const std::string part = path + ".part";
    if (rank == 0) {
        NCCL(ncclGetUniqueId(&id));
        FILE *file = std::fopen(part.c_str(), "wb");
        HOLDS(file && std::fwrite(&id, sizeof id, 1, file) == 1 && !std::fclose(file));
        HOLDS(!std::rename(part.c_str(), path.c_str()));
        return id;
    }
    FILE *file = nullptr;
    for (int i = 0; i < 2000 && !(file = std::fopen(path.c_str(), "rb")); i++) usleep(5000);
    HOLDS(file && std::fread(&id, sizeof id, 1, file) == 1);
    std::fclose(file);
    return id;
}

int main(int, char **argv) {
    const int rank = std::atoi(std::getenv("RANK")), ranks = std::atoi(std::getenv("WORLD_SIZE"));
    CHECK(cudaSetDevice(rank % 2));
    const ncclUniqueId id = shared_id(argv[1], rank);
    ncclComm_t comm, half;
    cudaStream_t stream;
    float *x, *y;
    std::vector<float> host(N), all(N * ranks);
    NCCL(ncclCommInitRank(&comm, ranks, id, rank));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc((void **)&x, N * sizeof(float) * ranks));
    CHECK(cudaMalloc((void **)&y, N * sizeof(float) * ranks));
    auto up = [&] {
        for (int i = 0; i < N * ranks; i++) all[i] = float(i % N + rank);
        CHECK(cudaMemcpy(x, all.data(), all.size() * sizeof(float), cudaMemcpyHostToDevice));
        CHECK(cudaMemset(y, 0, all.size() * sizeof(float)));
    };
    auto down = [&](int i) {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(all.data(), y, all.size() * sizeof(float), cudaMemcpyDeviceToHost));
        return all[i];
    };
    const int total = ranks * (ranks - 1) / 2, next = (rank + 1) % ranks;
    const int last = (rank + ranks - 1) % ranks;
    up();
    NCCL(ncclAllReduce(x, y, N, ncclFloat, ncclSum, comm, stream));
    HOLDS(down(7) == float(7 * ranks + total));
    NCCL(ncclAllReduce(x, y, N, ncclFloat, ncclAvg, comm, stream));
    HOLDS(down(7) == float(7 * ranks + total) / float(ranks));
    NCCL(ncclReduce(x, y, N, ncclFloat, ncclMax, 1, comm, stream));
    HOLDS(rank != 1 || down(9) == float(9 + ranks - 1));
    NCCL(ncclBroadcast(x, y, N, ncclFloat, 1, comm, stream));
    HOLDS(down(11) == 12);
    NCCL(ncclAllGather(x, y, N, ncclFloat, comm, stream));
    HOLDS(down(N * next + 3) == float(3 + next));
    NCCL(ncclReduceScatter(x, y, N, ncclFloat, ncclSum, comm, stream));
    HOLDS(down(5) == float(5 * ranks + total));
    NCCL(ncclGroupStart());
    NCCL(ncclSend(x, N, ncclFloat, next, comm, stream));
    NCCL(ncclRecv(y, N, ncclFloat, last, comm, stream));
    NCCL(ncclGroupEnd());
    HOLDS(down(2) == float(2 + last));
    NCCL(ncclCommSplit(comm, rank % 2, -rank, &half, nullptr));
    NCCL(ncclAllReduce(x, y, N, ncclFloat, ncclSum, half, stream));
    HOLDS(down(0) == float(rank % 2 ? 1 + 3 * (ranks > 3) : 2 * (ranks > 2)));
    NCCL(ncclCommDestroy(half));
    NCCL(ncclCommDestroy(comm));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaStreamDestroy(stream));
    std::printf("PASS\n");
    return 0;
}
