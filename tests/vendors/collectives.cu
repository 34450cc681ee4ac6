// Every collective of NCCL with every type and operation, in place and not, against sums made by
// plain loops; what NCCL refuses; the end of what can never end. A rank is a thread with a device
// of its own, or with -DWITH_MPI a process. Arguments: "few", types that all vendors' libraries
// have; "stays", the library cannot abort. Prints PASS.
#include <cuda_runtime.h>
#include <nccl.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

static std::atomic<int> failures;
static thread_local int rank;
static int ranks;
static bool few, stays;

#define HOLDS(condition)                                                                          \
    do {                                                                                          \
        if (!(condition) && failures++ < 9)                                                       \
            std::printf("rank %d, line %d: does not hold: %s\n", rank, __LINE__, #condition);     \
    } while (0)
#define CUDA(call) HOLDS((call) == cudaSuccess)
#define NCCL(call) HOLDS((call) == ncclSuccess)
#define GIVES(result, call) HOLDS((call) == (result))

// ---- numbers of all types, by way of double ----

enum family { SIGNED, UNSIGNED, FLOATING, HALF, BFLOAT };
struct Type {
    const char *name;
    ncclDataType_t type;
    size_t size;
    family kind;
    bool everywhere;
};
static const Type types[] = {
    {"int8", ncclInt8, 1, SIGNED, false},      {"uint8", ncclUint8, 1, UNSIGNED, true},
    {"int32", ncclInt32, 4, SIGNED, true},     {"uint32", ncclUint32, 4, UNSIGNED, false},
    {"int64", ncclInt64, 8, SIGNED, false},    {"uint64", ncclUint64, 8, UNSIGNED, false},
    {"half", ncclFloat16, 2, HALF, false},     {"float", ncclFloat32, 4, FLOATING, true},
    {"double", ncclFloat64, 8, FLOATING, false}, {"bfloat16", ncclBfloat16, 2, BFLOAT, false},
};

// What 16 bits mean, from the definition of the formats.
static double of_bits(uint16_t bits, family kind) {
    const int fraction = kind == HALF ? 10 : 7, bias = kind == HALF ? 15 : 127;
    const int exponent = bits >> fraction & ((1 << (15 - fraction)) - 1);
    const int digits = bits & ((1 << fraction) - 1);
    const double value = exponent ? std::ldexp(digits + (1 << fraction), exponent - bias - fraction)
                                  : std::ldexp(digits, 1 - bias - fraction);
    return bits >> 15 ? -value : value;
}

// The nearest of all numbers of 16 bits; of two, the even one.
static uint16_t to_bits(double value, family kind) {
    static thread_local struct {
        double value;
        family kind;
        uint16_t bits;
    } known[64];
    static thread_local int count;
    for (int i = 0; i < count && i < 64; i++)
        if (known[i].value == value && known[i].kind == kind) return known[i].bits;
    const uint16_t last = kind == HALF ? 0x7bff : 0x7f7f;
    uint16_t best = 0;
    for (uint32_t b = 1; b <= last; b++) {
        const double now = std::fabs(of_bits((uint16_t)b, kind) - value);
        const double then = std::fabs(of_bits(best, kind) - value);
        if (now < then || (now == then && !(b & 1))) best = (uint16_t)b;
    }
    known[count++ % 64] = {value, kind, best};
    return best;
}

static void put(void *to, const Type &t, double v) {
    const uint16_t bits = t.size == 2 ? to_bits(v, t.kind) : 0;
    const float f = (float)v;
    const int64_t i = (int64_t)v;
    const void *from = t.size == 2 ? (const void *)&bits : t.kind != FLOATING ? &i : t.size == 4 ? (const void *)&f : &v;
    std::memcpy(to, from, t.size);
}

// ---- buffers ----

struct Buffer {
    unsigned char *device = nullptr;
    std::vector<unsigned char> host;
    const Type &type;
    Buffer(const Type &t, size_t n) : host(n * t.size), type(t) {
        CUDA(cudaMalloc((void **)&device, n * t.size));
    }
    ~Buffer() { CUDA(cudaFree(device)); }
    void set(size_t i, double v) { put(&host[i * type.size], type, v); }
    void up() { CUDA(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice)); }
    void down() { CUDA(cudaMemcpy(host.data(), device, host.size(), cudaMemcpyDeviceToHost)); }
    bool is(size_t i, double v) const {
        unsigned char wanted[8];
        put(wanted, type, v);
        return !std::memcmp(&host[i * type.size], wanted, type.size);
    }
    unsigned char *at(size_t i) const { return device + i * type.size; }
};

enum { N = 67 };
enum operation { SUM, PROD, MAX, MIN, AVG, SCALED, SCALED_LATE, OPERATIONS };
static double given(int r, size_t i) { return (double)((i + (size_t)r) % 3 + 1); }
static double factor(int r) { return r % 2 + 2; }

// By the definition, with no regard to how it is done.
static double wanted(operation op, size_t i, family kind) {
    double v = op == PROD ? 1 : op == MIN ? 1e9 : 0;
    for (int r = 0; r < ranks; r++) {
        const double x = given(r, i);
        if (op == PROD) v *= x;
        if (op == MAX) v = x > v ? x : v;
        if (op == MIN) v = x < v ? x : v;
        if (op == SUM || op == AVG) v += x;
        if (op >= SCALED) v += x * factor(r);
    }
    if (op == AVG) v /= ranks;
    return kind == SIGNED || kind == UNSIGNED ? std::floor(v) : v;
}

static ncclRedOp_t op_of(operation op, const Type &t, void *late, ncclComm_t comm) {
    static const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
    ncclRedOp_t made = ncclSum;
    unsigned char scalar[8];
    if (op < SCALED) return ops[op];
    put(scalar, t, factor(rank));
    const bool now = op == SCALED;
    if (!now) CUDA(cudaMemcpy(late, scalar, t.size, cudaMemcpyHostToDevice));
    NCCL(ncclRedOpCreatePreMulSum(&made, now ? scalar : late, t.type,
                                  now ? ncclScalarHostImmediate : ncclScalarDevice, comm));
    return made;
}

static void reductions(const Type &t, operation op, ncclComm_t comm, cudaStream_t s) {
    const size_t all = (size_t)N * ranks, mine = (size_t)N * rank;
    Buffer from(t, all), to(t, all), part(t, N), late(t, 1);
    const ncclRedOp_t o = op_of(op, t, late.device, comm);
    for (size_t i = 0; i < all; i++) from.set(i, given(rank, i)), to.set(i, 0);
    from.up();
    to.up();
    NCCL(ncclAllReduce(from.device, to.device, all, t.type, o, comm, s));
    NCCL(ncclReduceScatter(from.device, part.device, N, t.type, o, comm, s));
    if (op >= SCALED) NCCL(ncclRedOpDestroy(o, comm)); // what is under way goes on
    CUDA(cudaStreamSynchronize(s));
    to.down();
    part.down();
    bool good = true;
    for (size_t i = 0; i < all; i++) good &= to.is(i, wanted(op, i, t.kind));
    for (size_t i = 0; i < N; i++) good &= part.is(i, wanted(op, mine + i, t.kind));
    if (op < SCALED) {
        const int root = ranks - 1;
        to.up();
        NCCL(ncclReduce(from.device, to.device, all, t.type, o, root, comm, s));
        NCCL(ncclAllReduce(to.device, part.device, N, t.type, ncclMax, comm, s));
        NCCL(ncclReduceScatter(from.device, from.at(mine), N, t.type, o, comm, s)); // in place
        CUDA(cudaStreamSynchronize(s));
        from.down();
        part.down();
        for (size_t i = 0; i < N; i++) {
            good &= from.is(mine + i, wanted(op, mine + i, t.kind));
            good &= part.is(i, wanted(op, i, t.kind)); // other ranks kept the same numbers
        }
        for (size_t i = 0; i < all; i++) from.set(i, given(rank, i));
        from.up();
        NCCL(ncclReduce(from.device, from.device, all, t.type, o, 0, comm, s)); // in place
        CUDA(cudaStreamSynchronize(s));
        from.down();
        for (size_t i = 0; i < all; i++)
            good &= from.is(i, rank ? given(rank, i) : wanted(op, i, t.kind));
    }
    if (!good && failures++ < 9)
        std::printf("rank %d: %s, operation %d is wrong\n", rank, t.name, op);
}

static void moves(const Type &t, ncclComm_t comm, cudaStream_t s) {
    const size_t all = (size_t)N * ranks, mine = (size_t)N * rank;
    const int root = ranks / 2, next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    Buffer own(t, N), whole(t, all), everyone(t, all), took(t, N), split(t, N);
    for (size_t i = 0; i < N; i++) own.set(i, given(rank, i)), whole.set(mine + i, given(rank, i));
    for (size_t i = 0; i < all; i++) everyone.set(i, given(rank, i / N));
    own.up();
    whole.up();
    everyone.up();
    NCCL(ncclAllGather(whole.at(mine), whole.device, N, t.type, comm, s)); // in place
    NCCL(ncclBroadcast(own.device, took.device, N, t.type, root, comm, s));
    CUDA(cudaStreamSynchronize(s));
    whole.down();
    took.down();
    bool good = true;
    for (size_t i = 0; i < all; i++) good &= whole.is(i, given((int)(i / N), i % N));
    for (size_t i = 0; i < N; i++) good &= took.is(i, given(root, i));
    NCCL(ncclGroupStart());
    NCCL(ncclSend(own.device, N, t.type, next, comm, s));
    NCCL(ncclRecv(took.device, N, t.type, before, comm, s));
    NCCL(ncclGroupEnd());
    NCCL(ncclBcast(own.device, N, t.type, 0, comm, s));
    NCCL(ncclAlltoAll(everyone.device, whole.device, N, t.type, comm, s));
    NCCL(ncclScatter(everyone.device, split.device, N, t.type, root, comm, s));
    CUDA(cudaStreamSynchronize(s));
    took.down();
    own.down();
    whole.down();
    split.down();
    for (size_t i = 0; i < N; i++) {
        good &= took.is(i, given(before, i)) && own.is(i, given(0, i));
        good &= split.is(i, given(root, rank));
    }
    for (size_t i = 0; i < all; i++) good &= whole.is(i, given((int)(i / N), rank));
    NCCL(ncclGather(took.device, everyone.device, N, t.type, root, comm, s));
    CUDA(cudaStreamSynchronize(s));
    everyone.down();
    for (size_t i = 0; i < all && rank == root; i++)
        good &= everyone.is(i, given((int)((i / N + ranks - 1) % ranks), i % N));
    if (!good && failures++ < 9) std::printf("rank %d: moves of %s are wrong\n", rank, t.name);
}

// ---- what is refused, and what becomes of groups ----

static void refused(ncclComm_t comm, cudaStream_t s) {
    const ncclResult_t bad = ncclInvalidArgument;
    float *x;
    int value;
    void *handle;
    ncclUniqueId id;
    ncclComm_t none;
    ncclRedOp_t op = ncclSum;
    CUDA(cudaMalloc((void **)&x, 64));
    CUDA(cudaMemset(x, 0, 64));
    CUDA(cudaDeviceSynchronize());
    GIVES(bad, ncclGetUniqueId(nullptr));
    GIVES(bad, ncclCommCount(comm, nullptr));
    GIVES(bad, ncclCommCount(nullptr, &value));
    GIVES(bad, ncclCommUserRank(nullptr, &value));
    GIVES(bad, ncclCommGetAsyncError(comm, nullptr));
    std::memset(&id, 0, sizeof id);
    GIVES(bad, ncclCommInitRank(&none, 0, id, 0));
    GIVES(bad, ncclCommInitRank(&none, 2, id, 2));
    GIVES(bad, ncclCommInitRank(&none, 2, id, -1));
    GIVES(bad, ncclAllReduce(x, x, 4, (ncclDataType_t)99, ncclSum, comm, s));
    GIVES(bad, ncclAllReduce(x, x, 4, ncclFloat, (ncclRedOp_t)99, comm, s));
    GIVES(bad, ncclAllReduce(x, x, 4, ncclFloat, ncclSum, nullptr, s));
    GIVES(bad, ncclAllReduce(nullptr, x, 4, ncclFloat, ncclSum, comm, s));
    GIVES(bad, ncclReduce(x, x, 4, ncclFloat, ncclSum, ranks, comm, s));
    GIVES(bad, ncclBroadcast(x, x, 4, ncclFloat, -1, comm, s));
    GIVES(bad, ncclSend(x, 4, ncclFloat, ranks, comm, s));
    GIVES(bad, ncclRecv(nullptr, 4, ncclFloat, 0, comm, s));
    GIVES(bad, ncclGather(x, x, 1, ncclFloat, ranks, comm, s));
    GIVES(bad, ncclCommSplit(comm, -2, 0, &none, nullptr));
    GIVES(bad, ncclRedOpDestroy(ncclSum, comm));
    GIVES(bad, ncclRedOpCreatePreMulSum(&op, nullptr, ncclFloat, ncclScalarHostImmediate, comm));
    NCCL(ncclRedOpCreatePreMulSum(&op, &value, ncclInt, ncclScalarHostImmediate, comm));
    GIVES(bad, ncclAllReduce(x, x, 4, ncclFloat, op, comm, s)); // made for another type
    NCCL(ncclRedOpDestroy(op, comm));
    GIVES(bad, ncclRedOpDestroy(op, comm));
    GIVES(bad, ncclAllReduce(x, x, 4, ncclInt, op, comm, s));
    GIVES(bad, ncclMemAlloc(nullptr, 4));
    GIVES(bad, ncclCommRegister(comm, nullptr, 4, &handle));
    GIVES(ncclInvalidUsage, ncclGroupEnd());

    // One wrong call: the group does nothing, says so, and what comes later is not hurt.
    NCCL(ncclGroupStart());
    NCCL(ncclAllReduce(x, x, 4, ncclFloat, ncclSum, comm, s));
    GIVES(bad, ncclAllReduce(x, x, 4, ncclFloat, ncclSum, nullptr, s));
    GIVES(bad, ncclGroupEnd());
    NCCL(ncclGroupStart());
    NCCL(ncclGroupStart());
    NCCL(ncclAllReduce(x, x, 0, ncclFloat, ncclSum, comm, s));
    NCCL(ncclAllReduce(x, x, 16, ncclFloat, ncclSum, comm, s));
    NCCL(ncclGroupEnd());
    NCCL(ncclGroupEnd());
    CUDA(cudaStreamSynchronize(s));
    NCCL(ncclCommRegister(comm, x, 64, &handle));
    NCCL(ncclCommDeregister(comm, handle));
    ncclResult_t state = ncclInternalError;
    NCCL(ncclCommGetAsyncError(comm, &state));
    HOLDS(state == ncclSuccess);
    HOLDS(std::strstr(ncclGetErrorString(bad), "invalid argument"));
    CUDA(cudaFree(x));
}

static void split(ncclComm_t comm, cudaStream_t s) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    ncclComm_t half = nullptr;
    int size = 0, me = -1, count = 0;
    NCCL(ncclCommSplit(comm, rank % 2, -rank, &half, &config));
    NCCL(ncclCommCount(half, &size));
    NCCL(ncclCommUserRank(half, &me));
    for (int r = rank % 2; r < ranks; r += 2) count++;
    HOLDS(size == count && me == count - 1 - rank / 2); // keys turn the order round
    Buffer x(types[2], 1);
    x.set(0, rank);
    x.up();
    NCCL(ncclAllReduce(x.device, x.device, 1, ncclInt32, ncclSum, half, s));
    CUDA(cudaStreamSynchronize(s));
    x.down();
    double sum = 0;
    for (int r = rank % 2; r < ranks; r += 2) sum += r;
    HOLDS(x.is(0, sum));
    NCCL(ncclCommFinalize(half));
    NCCL(ncclCommDestroy(half));
}

// Rank 0 never comes, and the others give up: their streams go on.
static void aborted(ncclComm_t comm) {
    void *x;
    cudaStream_t s;
    CUDA(cudaStreamCreate(&s));
    NCCL(ncclMemAlloc(&x, 256));
    if (rank) NCCL(ncclAllReduce(x, x, 64, ncclFloat, ncclSum, comm, s));
    if (rank) NCCL(ncclAllReduce(x, x, 64, ncclFloat, ncclSum, comm, s));
    if (rank) GIVES(cudaErrorNotReady, cudaStreamQuery(s));
    NCCL(ncclCommAbort(comm));
    GIVES(ncclInvalidArgument, ncclCommAbort(comm));
    CUDA(cudaMemsetAsync(x, 1, 256, s));
    CUDA(cudaStreamSynchronize(s));
    CUDA(cudaDeviceSynchronize());
    if (cudaGetLastError() != cudaErrorNotReady && rank) HOLDS(!"the last error is the query's");
    NCCL(ncclMemFree(x));
    CUDA(cudaStreamDestroy(s));
}

static void body(int r, ncclUniqueId id, ncclUniqueId other) {
    ncclComm_t comm, doomed;
    cudaStream_t stream;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    rank = r;
    CUDA(cudaStreamCreate(&stream));
    NCCL(ncclCommInitRankConfig(&comm, ranks, id, rank, &config));
    NCCL(ncclCommInitRank(&doomed, ranks, other, rank));
    for (const Type &t : types) {
        if (few && !t.everywhere) continue;
        for (int op = SUM; op < OPERATIONS; op++)
            if (!few || op != AVG || t.kind == FLOATING)
                reductions(t, (operation)op, comm, stream);
        moves(t, comm, stream);
    }
    refused(comm, stream);
    split(comm, stream);
    NCCL(ncclCommFinalize(comm));
    NCCL(ncclCommDestroy(comm));
    if (stays)
        NCCL(ncclCommDestroy(doomed));
    else
        aborted(doomed);
    CUDA(cudaStreamDestroy(stream));
}

int main(int argc, char **argv) {
    ncclUniqueId id, other;
    for (int i = 1; i < argc; i++) {
        few |= !std::strcmp(argv[i], "few");
        stays |= !std::strcmp(argv[i], "stays");
    }
#ifdef WITH_MPI
    int provided, here, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &here);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!here) NCCL(ncclGetUniqueId(&id));
    if (!here) NCCL(ncclGetUniqueId(&other));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&other, sizeof other, MPI_BYTE, 0, MPI_COMM_WORLD);
    body(here, id, other);
    int mine = failures;
    MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!here) std::printf("%s\n", all ? "FAIL" : "PASS");
    MPI_Finalize();
#else
    CUDA(cudaGetDeviceCount(&ranks));
    NCCL(ncclGetUniqueId(&id));
    NCCL(ncclGetUniqueId(&other));
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; r++)
        threads.emplace_back([=] {
            CUDA(cudaSetDevice(r));
            body(r, id, other);
        });
    for (std::thread &t : threads) t.join();
    std::printf("%s\n", failures ? "FAIL" : "PASS");
#endif
    return failures != 0;
}
