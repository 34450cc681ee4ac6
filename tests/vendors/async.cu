// Copies and fills that return before they are made: whoever comes behind them in the order of
// CUDA sees their result, on whatever stream, thread or device. Prints PASS.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "check.cuh"

enum { N = 1024, BYTES = N * sizeof(int) };
static int *pinned, *back, *d, *e;

__global__ void increment(int *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) x[i]++;
}

static void clear() {
    for (int i = 0; i < N; i++) pinned[i] = i, back[i] = -1;
    CHECK(cudaMemset(d, 0, BYTES));
    CHECK(cudaMemset(e, 0, BYTES));
}
static bool is(const int *x, int offset) {
    for (int i = 0; i < N; i++)
        if (x[i] != i + offset) return false;
    return true;
}

static void in_a_stream() {
    cudaStream_t s;
    clear();
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpyAsync(e, d, BYTES, cudaMemcpyDeviceToDevice, s));
    CHECK(cudaMemcpyAsync(back, e, BYTES, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    HOLDS(is(back, 0));
    // A kernel between copies.
    CHECK(cudaMemsetAsync(d, 0, BYTES, s));
    CHECK(cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, s));
    increment<<<N / 256, 256, 0, s>>>(d);
    CHECK(cudaMemcpyAsync(back, d, BYTES, cudaMemcpyDeviceToHost, s));
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
    HOLDS(is(back, 1));
    // Into memory that is not pinned: it is there when the call returns.
    std::vector<int> pageable(N);
    CHECK(cudaMemsetAsync(d, 0, BYTES, s));
    CHECK(cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpyAsync(pageable.data(), d, BYTES, cudaMemcpyDeviceToHost, s));
    HOLDS(is(pageable.data(), 0));
    // From it: it may be used again at once.
    CHECK(cudaMemcpyAsync(d, pageable.data(), BYTES, cudaMemcpyHostToDevice, s));
    std::memset(pageable.data(), 0, BYTES);
    CHECK(cudaMemcpyAsync(back, d, BYTES, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    HOLDS(is(back, 0));
    CHECK(cudaStreamDestroy(s));
}

static void CUDART_CB add_ten(void *data) {
    for (int i = 0; i < N; i++) static_cast<int *>(data)[i] += 10;
}

static void between_streams() {
    cudaStream_t a, b;
    cudaEvent_t event;
    clear();
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, a));
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    CHECK(cudaMemcpyAsync(back, d, BYTES, cudaMemcpyDeviceToHost, b));
    CHECK(cudaLaunchHostFunc(b, add_ten, back));
    CHECK(cudaEventRecord(event, b));
    CHECK(cudaStreamWaitEvent(a, event, 0));
    CHECK(cudaMemcpyAsync(e, back, BYTES, cudaMemcpyHostToDevice, a));
    CHECK(cudaMemcpyAsync(pinned, e, BYTES, cudaMemcpyDeviceToHost, a));
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaEventSynchronize(event));
    HOLDS(is(pinned, 10));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

// The default stream waits for blocking streams, and they for it.
static void default_stream() {
    cudaStream_t s;
    clear();
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpy(back, d, BYTES, cudaMemcpyDeviceToHost));
    HOLDS(is(back, 0));
    CHECK(cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaMemsetAsync(d, 0, 4, nullptr));
    CHECK(cudaMemcpyAsync(back, d, BYTES, cudaMemcpyDeviceToHost, s));
    CHECK(cudaDeviceSynchronize());
    HOLDS(back[0] == 0 && back[1] == 1 && back[N - 1] == N - 1);
    // A free waits, too.
    int *gone;
    CHECK(cudaMalloc((void **)&gone, BYTES));
    CHECK(cudaMemcpyAsync(gone, pinned, BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpyAsync(back, gone, BYTES, cudaMemcpyDeviceToHost, s));
    CHECK(cudaFree(gone));
    HOLDS(is(back, 0));
    CHECK(cudaMallocAsync((void **)&gone, BYTES, s));
    CHECK(cudaMemcpyAsync(gone, pinned, BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaFreeAsync(gone, s));
    // So does the end of a stream: what is in it is done.
    std::memset(back, 0, BYTES);
    CHECK(cudaMemcpyAsync(back, d, BYTES, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaDeviceSynchronize());
    HOLDS(back[1] == 1 && back[N - 1] == N - 1);
}

static void captured() {
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    clear();
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaLaunchHostFunc(s, add_ten, pinned));
    CHECK(cudaMemcpyAsync(back, d, BYTES, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) {
        CHECK(cudaGraphLaunch(exec, s));
        CHECK(cudaStreamSynchronize(s));
        HOLDS(is(back, 10 * i) && is(pinned, 10 * i + 10));
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s));
}

static void devices() {
    cudaStream_t s;
    int *other;
    clear();
    CHECK(cudaSetDevice(1));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc((void **)&other, BYTES));
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyAsync(other, pinned, BYTES, cudaMemcpyHostToDevice, s)); // of the other device
    CHECK(cudaMemcpyPeerAsync(d, 0, other, 1, BYTES, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(back, d, BYTES, cudaMemcpyDeviceToHost));
    HOLDS(is(back, 0));
    CHECK(cudaFree(other));
    CHECK(cudaStreamDestroy(s));
}

// Steps that build on each other, on any stream, against what the host makes of them.
static void any_order(unsigned seed) {
    enum { STREAMS = 4, SLOTS = 8, SIZE = 64, STEPS = 300 };
    static unsigned char shadow[SLOTS][SIZE], got[SLOTS][SIZE];
    unsigned char *slots, *host;
    cudaStream_t streams[STREAMS];
    cudaEvent_t event;
    int before = 0;
    auto any = [&](unsigned below) {
        seed = seed * 1664525 + 1013904223;
        return (seed >> 8) % below;
    };
    CHECK(cudaMalloc((void **)&slots, SLOTS * SIZE));
    CHECK(cudaMallocHost((void **)&host, STEPS * SIZE));
    CHECK(cudaEventCreate(&event));
    for (int i = 0; i < STREAMS; i++) CHECK(cudaStreamCreateWithFlags(&streams[i], i % 2));
    CHECK(cudaMemset(slots, 0, SLOTS * SIZE));
    std::memset(shadow, 0, sizeof shadow);
    for (int step = 0; step < STEPS; step++) {
        int s = any(3) ? before : int(any(STREAMS));
        unsigned from = any(SLOTS), to = any(SLOTS);
        if (s != before) {
            CHECK(cudaEventRecord(event, streams[before]));
            CHECK(cudaStreamWaitEvent(streams[s], event, 0));
        }
        before = s;
        switch (any(4)) {
        case 0:
            std::memset(host + step * SIZE, step, SIZE);
            CHECK(cudaMemcpyAsync(slots + to * SIZE, host + step * SIZE, SIZE,
                                  cudaMemcpyHostToDevice, streams[s]));
            std::memset(shadow[to], step, SIZE);
            break;
        case 1:
            CHECK(cudaMemsetAsync(slots + to * SIZE, step, SIZE / 2, streams[s]));
            std::memset(shadow[to], step, SIZE / 2);
            break;
        case 2:
            if (from == to) break;
            CHECK(cudaMemcpyAsync(slots + to * SIZE, slots + from * SIZE, SIZE,
                                  cudaMemcpyDeviceToDevice, streams[s]));
            std::memcpy(shadow[to], shadow[from], SIZE);
            break;
        default:
            if (any(8)) break;
            CHECK(cudaMemcpyAsync(got[to], slots + to * SIZE, SIZE, cudaMemcpyDeviceToHost,
                                  streams[s]));
            HOLDS(!std::memcmp(got[to], shadow[to], SIZE)); // not pinned: it is there
        }
    }
    CHECK(cudaStreamSynchronize(streams[before]));
    CHECK(cudaMemcpy(got, slots, SLOTS * SIZE, cudaMemcpyDeviceToHost));
    HOLDS(!std::memcmp(got, shadow, sizeof got));
    for (int i = 0; i < STREAMS; i++) CHECK(cudaStreamDestroy(streams[i]));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(slots));
}

// Threads with streams of their own do not disturb each other.
static void many_threads() {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([t] {
            int *x, *mine;
            cudaStream_t s;
            CHECK(cudaMalloc((void **)&x, BYTES));
            CHECK(cudaMallocHost((void **)&mine, BYTES));
            CHECK(cudaStreamCreateWithFlags(&s, t % 2));
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < N; i++) mine[i] = i + t + round;
                CHECK(cudaMemcpyAsync(x, mine, BYTES, cudaMemcpyHostToDevice, s));
                CHECK(cudaStreamSynchronize(s));
                std::memset(mine, 0, BYTES);
                CHECK(cudaMemcpyAsync(mine, x, BYTES, cudaMemcpyDeviceToHost, s));
                CHECK(cudaStreamSynchronize(s));
                HOLDS(is(mine, t + round));
            }
            CHECK(cudaStreamDestroy(s));
            CHECK(cudaFreeHost(mine));
            CHECK(cudaFree(x));
        });
    for (std::thread &t : threads) t.join();
}

int main() {
    CHECK(cudaMallocHost((void **)&pinned, BYTES));
    CHECK(cudaMallocHost((void **)&back, BYTES));
    CHECK(cudaMalloc((void **)&d, BYTES));
    CHECK(cudaMalloc((void **)&e, BYTES));
    in_a_stream();
    between_streams();
    default_stream();
    captured();
    devices();
    for (unsigned seed = 1; seed <= 8; seed++) any_order(seed);
    many_threads();
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFreeHost(back));
    CHECK(cudaFree(d));
    CHECK(cudaFree(e));
    std::printf("PASS\n");
    return 0;
}
