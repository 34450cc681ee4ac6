// Collectives between processes: every function, type and operation of NCCL that is ported, with
// ids that MPI hands around. argv[1] "single": MPI_Init() alone, so that only this thread may call
// MPI; other words are for hopeless(). Prints PASS once, from rank 0.
#include <cuda_runtime.h>
#include <mpi.h>
#include <nccl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int failures, rank, ranks;

#define CHECK(condition)                                                                          \
    do {                                                                                          \
        if (!(condition) && failures++ < 9)                                                       \
            std::printf("rank %d, line %d: does not hold: %s\n", rank, __LINE__, #condition);     \
    } while (0)
#define CUDA(call) CHECK((call) == cudaSuccess)
#define NCCL(call) CHECK((call) == ncclSuccess)

template <class T> struct Buffer {
    T *device;
    std::vector<T> host;
    explicit Buffer(size_t n) : device(nullptr), host(n) {
        CUDA(cudaMalloc((void **)&device, n * sizeof(T)));
    }
    ~Buffer() { cudaFree(device); }
    void up() {
        CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    void down() {
        CUDA(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
    }
};

static int expected(ncclRedOp_t op, int i) {
    int result = op == ncclProd ? 1 : op == ncclMin ? 1 << 20 : 0;
    for (int r = 0; r < ranks; r++) {
        int v = (i + r) % 3 + 1;
        if (op == ncclProd) result *= v;
        if (op == ncclSum || op == ncclAvg) result += v;
        if (op == ncclMax && v > result) result = v;
        if (op == ncclMin && v < result) result = v;
    }
    return op == ncclAvg ? result / ranks : result;
}

enum { N = 1001 };

template <class T> static void reductions(ncclComm_t comm, ncclDataType_t type, cudaStream_t s) {
    const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
    for (ncclRedOp_t op : ops) {
        if (op == ncclAvg && T(0.5) != T(0)) continue; // checked below, where it is no integer
        Buffer<T> from(N), to(N);
        for (int i = 0; i < N; i++) from.host[i] = T((i + rank) % 3 + 1);
        from.up();
        NCCL(ncclAllReduce(from.device, to.device, N, type, op, comm, s));
        CUDA(cudaStreamSynchronize(s));
        to.down();
        for (int i = 0; i < N; i++) CHECK(to.host[i] == T(expected(op, i)));
        NCCL(ncclAllReduce(from.device, from.device, N, type, op, comm, s)); // in place
        CUDA(cudaStreamSynchronize(s));
        from.down();
        CHECK(from.host[N - 1] == T(expected(op, N - 1)));
    }
}

// The 16-bit types, as bits: as many ones as there are ranks.
static void small_floats(ncclComm_t comm, cudaStream_t s) {
    Buffer<uint16_t> x(2);
    x.host = {0x3c00, 0x3f80};
    x.up();
    NCCL(ncclAllReduce(x.device, x.device, 1, ncclHalf, ncclSum, comm, s));
    NCCL(ncclAllReduce(x.device + 1, x.device + 1, 1, ncclBfloat16, ncclSum, comm, s));
    CUDA(cudaStreamSynchronize(s));
    x.down();
    const uint16_t halves[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
    const uint16_t bfloats[] = {0, 0x3f80, 0x4000, 0x4040, 0x4080};
    CHECK(ranks > 4 || (x.host[0] == halves[ranks] && x.host[1] == bfloats[ranks]));
    Buffer<float> y(1);
    y.host[0] = float(rank);
    y.up();
    NCCL(ncclAllReduce(y.device, y.device, 1, ncclFloat, ncclAvg, comm, s));
    CUDA(cudaStreamSynchronize(s));
    y.down();
    CHECK(y.host[0] == (ranks - 1) / 2.0f);
}

static void moves(ncclComm_t comm, cudaStream_t s) {
    Buffer<int> mine(N), all(N * ranks), one(N);
    for (int i = 0; i < N; i++) mine.host[i] = rank * 10000 + i;
    mine.up();
    int root = ranks - 1;
    NCCL(ncclBroadcast(mine.device, one.device, N, ncclInt, root, comm, s));
    NCCL(ncclAllGather(mine.device, all.device, N, ncclInt, comm, s));
    CUDA(cudaStreamSynchronize(s));
    one.down();
    all.down();
    CHECK(one.host[5] == root * 10000 + 5);
    for (int r = 0; r < ranks; r++) CHECK(all.host[r * N + 7] == r * 10000 + 7);
    NCCL(ncclReduceScatter(all.device, one.device, N, ncclInt, ncclSum, comm, s));
    NCCL(ncclReduce(mine.device, mine.device, N, ncclInt, ncclMax, 0, comm, s));
    CUDA(cudaStreamSynchronize(s));
    one.down();
    mine.down();
    CHECK(one.host[3] == ranks * (rank * 10000 + 3));
    CHECK(mine.host[3] == (rank ? rank * 10000 + 3 : root * 10000 + 3));
}

// A ring over two streams in one group: nothing may wait for anything else.
static void ring(ncclComm_t comm) {
    const int n = 1 << 18;
    cudaStream_t a, b;
    CUDA(cudaStreamCreate(&a));
    CUDA(cudaStreamCreate(&b));
    Buffer<int> give(n), take(n);
    for (int i = 0; i < n; i++) give.host[i] = rank + i;
    give.up();
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    NCCL(ncclGroupStart());
    NCCL(ncclSend(give.device, n, ncclInt, next, comm, a));
    NCCL(ncclRecv(take.device, n, ncclInt, before, comm, b));
    NCCL(ncclGroupEnd());
    CUDA(cudaStreamSynchronize(b));
    take.down();
    CHECK(take.host[0] == before && take.host[n - 1] == before + n - 1);
    CUDA(cudaStreamDestroy(a));
    CUDA(cudaStreamDestroy(b));
}

static void split(ncclComm_t comm, cudaStream_t s) {
    ncclComm_t half = nullptr;
    int size = 0, me = -1;
    NCCL(ncclCommSplit(comm, rank % 2, -rank, &half, nullptr));
    NCCL(ncclCommCount(half, &size));
    NCCL(ncclCommUserRank(half, &me));
    CHECK(size == (ranks + 1 - rank % 2) / 2);
    CHECK(me == size - 1 - rank / 2);
    Buffer<int> x(1);
    x.host[0] = 1;
    x.up();
    NCCL(ncclAllReduce(x.device, x.device, 1, ncclInt, ncclSum, half, s));
    CUDA(cudaStreamSynchronize(s));
    x.down();
    CHECK(x.host[0] == size);
    NCCL(ncclCommDestroy(half));
    ncclComm_t none = comm;
    NCCL(ncclCommSplit(comm, rank ? NCCL_SPLIT_NOCOLOR : 0, 0, &none, nullptr));
    CHECK(!none == (rank != 0));
    if (none) NCCL(ncclCommDestroy(none));
}

static void errors(ncclComm_t comm, cudaStream_t s) {
    ncclUniqueId id;
    ncclComm_t none;
    CHECK(ncclAllReduce(nullptr, nullptr, 4, ncclInt, ncclSum, comm, s) == ncclInvalidArgument);
    CHECK(ncclBroadcast(comm, comm, 1, ncclInt, ranks, comm, s) == ncclInvalidArgument);
    std::memset(&id, 7, sizeof id);
    CHECK(ncclCommInitRank(&none, ranks, id, rank) != ncclSuccess);
    CHECK(ncclCommInitRank(&none, 2, id, 2) == ncclInvalidArgument);
    ncclResult_t state = ncclInternalError;
    NCCL(ncclCommGetAsyncError(comm, &state));
    CHECK(state == ncclSuccess);
}

// What cannot work is an error for everyone. "twice": all of them have two ranks. "without": there
// is no plug-in for MPI.
static void hopeless(const char *how) {
    ncclUniqueId id;
    ncclComm_t comms[2];
    if (!std::strcmp(how, "without")) {
        CHECK(ncclGetUniqueId(&id) == ncclSystemError);
        CHECK(std::strstr(ncclGetLastError(nullptr), "libcmrt_mpi.so"));
        return;
    }
    if (rank == 0) NCCL(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    ncclGroupStart();
    for (int i = 0; i < 2; i++) ncclCommInitRank(&comms[i], 2 * ranks, id, 2 * rank + i);
    CHECK(ncclGroupEnd() == ncclInvalidUsage);
}

static int finish() {
    int all = 0;
    MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%s\n", all ? "FAIL" : "PASS");
    MPI_Finalize();
    return failures != 0;
}

int main(int argc, char **argv) {
    int provided;
    if (argc > 1 && !std::strcmp(argv[1], "single"))
        MPI_Init(&argc, &argv);
    else
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    if (argc > 1 && (!std::strcmp(argv[1], "twice") || !std::strcmp(argv[1], "without"))) {
        hopeless(argv[1]);
        return finish();
    }
    ncclUniqueId id;
    ncclComm_t comm;
    cudaStream_t stream;
    CUDA(cudaSetDevice(0));
    CUDA(cudaStreamCreate(&stream));
    if (rank == 0) NCCL(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    NCCL(ncclCommInitRank(&comm, ranks, id, rank));
    int size = 0, me = -1;
    NCCL(ncclCommCount(comm, &size));
    NCCL(ncclCommUserRank(comm, &me));
    CHECK(size == ranks && me == rank);

    reductions<int8_t>(comm, ncclInt8, stream);
    reductions<uint8_t>(comm, ncclUint8, stream);
    reductions<int32_t>(comm, ncclInt32, stream);
    reductions<uint32_t>(comm, ncclUint32, stream);
    reductions<int64_t>(comm, ncclInt64, stream);
    reductions<uint64_t>(comm, ncclUint64, stream);
    reductions<float>(comm, ncclFloat32, stream);
    reductions<double>(comm, ncclFloat64, stream);
    small_floats(comm, stream);
    moves(comm, stream);
    ring(comm);
    split(comm, stream);
    errors(comm, stream);

    NCCL(ncclCommDestroy(comm));
    CHECK(ncclCommDestroy(comm) == ncclInvalidArgument);
    CUDA(cudaStreamDestroy(stream));
    return finish();
}
