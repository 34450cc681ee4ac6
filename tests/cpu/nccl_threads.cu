// NCCL with a thread for each rank: every collective, sends in a group, a split and an operation
// of the program's own, each against what the ranks' numbers give.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <nccl.h>
#include <thread>
#include <vector>

static const int ranks = 4, n = 100;
static int failures[ranks];

static void check(bool good, int rank, const char *what) {
    if (good) return;
    printf("FAIL: rank %d: %s\n", rank, what);
    failures[rank]++;
}
#define NCCL(call)                                                                                \
    do {                                                                                          \
        const ncclResult_t r = call;                                                              \
        if (r != ncclSuccess) {                                                                   \
            printf("FAIL: rank %d: %s: %s\n", rank, #call, ncclGetErrorString(r));                \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

template <class T> struct buffer {
    T *p;
    explicit buffer(int count) { cudaMalloc((void **)&p, count * sizeof(T)); }
    ~buffer() { cudaFree(p); }
    // value(i) for each i
    template <class V> void set(int count, V value) {
        std::vector<T> h(count);
        for (int i = 0; i < count; i++) h[i] = (T)value(i);
        cudaMemcpy(p, h.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    template <class V> bool is(cudaStream_t stream, int count, V value) {
        std::vector<T> h(count);
        cudaStreamSynchronize(stream);
        cudaMemcpy(h.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost);
        for (int i = 0; i < count; i++)
            if (h[i] != (T)value(i)) return false;
        return true;
    }
};

static void work(ncclUniqueId id, int rank) {
    int devices = 1, value = -1;
    cudaGetDeviceCount(&devices);
    cudaSetDevice(rank % devices);
    ncclComm_t comm;
    cudaStream_t s;
    cudaStreamCreate(&s);
    NCCL(ncclCommInitRank(&comm, ranks, id, rank));
    NCCL(ncclCommCount(comm, &value));
    check(value == ranks, rank, "ncclCommCount");
    NCCL(ncclCommUserRank(comm, &value));
    check(value == rank, rank, "ncclCommUserRank");
    NCCL(ncclCommCuDevice(comm, &value));
    check(value == rank % devices, rank, "ncclCommCuDevice");

    buffer<float> from(n * ranks), to(n * ranks);
    from.set(n, [=](int i) { return (rank + 1) * (i + 1); });
    NCCL(ncclAllReduce(from.p, to.p, n, ncclFloat, ncclSum, comm, s));
    check(to.is(s, n, [](int i) { return 10 * (i + 1); }), rank, "the sum");
    NCCL(ncclAllReduce(from.p, to.p, n, ncclFloat, ncclMin, comm, s));
    check(to.is(s, n, [](int i) { return i + 1; }), rank, "the least");
    NCCL(ncclAllReduce(from.p, to.p, n, ncclFloat, ncclMax, comm, s));
    check(to.is(s, n, [](int i) { return 4 * (i + 1); }), rank, "the greatest");
    NCCL(ncclAllReduce(from.p, to.p, n, ncclFloat, ncclAvg, comm, s));
    check(to.is(s, n, [](int i) { return 2.5f * (i + 1); }), rank, "the mean");
    {
        buffer<int> a(4), b(4);
        a.set(4, [=](int) { return rank + 1; });
        NCCL(ncclAllReduce(a.p, b.p, 4, ncclInt, ncclProd, comm, s));
        check(b.is(s, 4, [](int) { return 24; }), rank, "the product");
        NCCL(ncclReduce(a.p, b.p, 4, ncclInt32, ncclSum, 2, comm, s));
        if (rank == 2) check(b.is(s, 4, [](int) { return 10; }), rank, "the root's sum");
        NCCL(ncclBroadcast(a.p, b.p, 4, ncclInt32, 3, comm, s));
        check(b.is(s, 4, [](int) { return 4; }), rank, "the broadcast");
        NCCL(ncclBcast(a.p, 4, ncclInt32, 1, comm, s));
        check(a.is(s, 4, [](int) { return 2; }), rank, "the broadcast in place");
    }
    {
        buffer<double> a(n), b(n * ranks), c(n);
        a.set(n, [=](int i) { return 1000 * rank + i; });
        NCCL(ncclAllGather(a.p, b.p, n, ncclDouble, comm, s));
        check(b.is(s, n * ranks, [](int i) { return 1000 * (i / n) + i % n; }), rank,
              "the gather");
        b.set(n * ranks, [=](int i) { return i * (rank + 1); });
        NCCL(ncclReduceScatter(b.p, c.p, n, ncclFloat64, ncclSum, comm, s));
        check(c.is(s, n, [=](int i) { return 10.0 * (rank * n + i); }), rank, "the scatter");
    }
    // Each sends to the next and hears of the one before.
    from.set(n, [=](int i) { return 100 * rank + i; });
    const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    NCCL(ncclGroupStart());
    NCCL(ncclSend(from.p, n, ncclFloat, next, comm, s));
    NCCL(ncclRecv(to.p, n, ncclFloat, last, comm, s));
    NCCL(ncclGroupEnd());
    check(to.is(s, n, [=](int i) { return 100 * last + i; }), rank, "what was sent");
    // Twice in a group.
    NCCL(ncclGroupStart());
    NCCL(ncclAllReduce(from.p, from.p, n, ncclFloat, ncclSum, comm, s));
    NCCL(ncclAllReduce(to.p, to.p, n, ncclFloat, ncclSum, comm, s));
    NCCL(ncclGroupEnd());
    check(from.is(s, n, [](int i) { return 600 + 4 * i; }), rank, "the first of two");
    check(to.is(s, n, [](int i) { return 600 + 4 * i; }), rank, "the second of two");

    ncclRedOp_t half;
    float scalar = 0.5f;
    NCCL(ncclRedOpCreatePreMulSum(&half, &scalar, ncclFloat, ncclScalarHostImmediate, comm));
    from.set(n, [=](int i) { return 2 * i; });
    NCCL(ncclAllReduce(from.p, to.p, n, ncclFloat, half, comm, s));
    check(to.is(s, n, [](int i) { return 4 * i; }), rank, "the sum of halves");
    NCCL(ncclRedOpDestroy(half, comm));

    // The odd ones turned round; the last takes no part.
    ncclComm_t part;
    NCCL(ncclCommSplit(comm, rank == 3 ? NCCL_SPLIT_NOCOLOR : rank % 2, -rank, &part, NULL));
    check((part == NULL) == (rank == 3), rank, "who takes part");
    if (part) {
        NCCL(ncclCommUserRank(part, &value));
        check(value == (rank == 0 ? 1 : 0), rank, "the rank in a part");
        from.set(n, [=](int) { return rank + 1; });
        NCCL(ncclAllReduce(from.p, to.p, n, ncclFloat, ncclSum, part, s));
        check(to.is(s, n, [=](int) { return rank % 2 ? 2 : 4; }), rank, "a part's sum");
        NCCL(ncclCommFinalize(part));
        NCCL(ncclCommDestroy(part));
    }
    NCCL(ncclCommFinalize(comm));
    NCCL(ncclCommDestroy(comm));
    cudaStreamDestroy(s);
}

int main() {
    setenv("CUDA_MORPH_DEVICES", "4", 0); // one for each rank, where devices are made up
    ncclUniqueId id;
    int rank = -1, version = 0, failed = 0;
    NCCL(ncclGetVersion(&version));
    NCCL(ncclGetUniqueId(&id));
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; r++) threads.emplace_back(work, id, r);
    for (std::thread &t : threads) t.join();
    for (const int f : failures) failed += f;
    if (version < 20000) failed++;
    printf("%s\n", failed ? "FAIL" : "PASS");
    return failed ? 1 : 0;
}
