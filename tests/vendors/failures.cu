// What goes wrong on a device: defined errors, no hang, nothing left. argv[1]: one way in which a
// program ends with work under way. Prints PASS.
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static int failures;
#define GIVES(error, call)                                                                        \
    do {                                                                                          \
        cudaError_t got = (call);                                                                 \
        if (got != (error)) {                                                                     \
            failures++;                                                                           \
            std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(got));  \
        }                                                                                         \
    } while (0)
#define OK(call) GIVES(cudaSuccess, call)
#define HOLDS(condition)                                                                          \
    if (!(condition)) failures++, std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition)

static void memory_runs_out() {
    std::vector<void *> all;
    size_t available, total, now;
    void *p = &all;
    OK(cudaMemGetInfo(&available, &total));
    for (int round = 0; round < 2; round++) {
        while (all.size() < 1000 && cudaMalloc(&p, total / 32) == cudaSuccess) all.push_back(p);
        HOLDS(all.size() >= 16 && all.size() <= 32);
        GIVES(cudaErrorMemoryAllocation, cudaGetLastError());
        GIVES(cudaSuccess, cudaGetLastError()); // not sticky
        OK(cudaMemset(all[0], 1, 64));          // the device still works
        for (void *q : all) OK(cudaFree(q));
        all.clear();
    }
    OK(cudaMemGetInfo(&now, &total));
    HOLDS(now == available);
}

static void wrong_arguments() {
    char *d, host[64] = {0};
    int value;
    cudaDeviceProp prop;
    OK(cudaMalloc((void **)&d, 64));
    GIVES(cudaErrorInvalidValue, cudaMalloc(nullptr, 4));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(d, host, 65, cudaMemcpyHostToDevice)); // too long
    GIVES(cudaErrorInvalidValue, cudaMemcpy(host, d + 1, 64, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(nullptr, d, 4, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d, host, 4, (cudaMemcpyKind)17));
    GIVES(cudaErrorInvalidValue, cudaMemset(d, 0, 65));
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(d, 2, host, 8, 4, 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(64));
    GIVES(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, -1));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (cudaDeviceAttr)99999, 0));
    OK(cudaFree(d));
    GIVES(cudaErrorInvalidValue, cudaFree(d)); // twice
    GIVES(cudaErrorInvalidValue, cudaFree(host));
    GIVES(cudaErrorInvalidValue, cudaFreeHost(host));
    GIVES(cudaErrorInvalidValue, cudaFreeAsync(d, nullptr));
    cudaGetLastError();
}

static void CUDART_CB nothing(void *) {}

static void after_their_end() {
    cudaStream_t s;
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    char *pinned;
    OK(cudaMallocHost((void **)&pinned, 64));
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&e));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaLaunchHostFunc(s, nothing, nullptr));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamQuery(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaMemsetAsync(pinned, 0, 8, s));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaMemcpyAsync(pinned, pinned + 8, 8, cudaMemcpyDefault, s));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(e, s));
    OK(cudaEventDestroy(e));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventSynchronize(e));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventDestroy(e));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphLaunch(exec, nullptr));
    OK(cudaGraphExecDestroy(exec));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(exec, nullptr));
    OK(cudaDeviceSynchronize());
    OK(cudaFreeHost(pinned));
    GIVES(cudaErrorInvalidValue, cudaFreeHost(pinned));
    cudaGetLastError();
}

static void a_thousand_streams() {
    enum { N = 1000 };
    std::vector<cudaStream_t> streams(N);
    unsigned char *d, *pinned;
    OK(cudaMalloc((void **)&d, N));
    OK(cudaMallocHost((void **)&pinned, 2 * N));
    for (int i = 0; i < N; i++) pinned[i] = (unsigned char)(i % 251), pinned[N + i] = 255;
    for (cudaStream_t &s : streams) OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < N; i++) {
        OK(cudaMemcpyAsync(d + i, pinned + i, 1, cudaMemcpyHostToDevice, streams[i]));
        OK(cudaMemcpyAsync(pinned + N + i, d + i, 1, cudaMemcpyDeviceToHost, streams[i]));
    }
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) HOLDS(pinned[N + i] == i % 251);
    for (cudaStream_t s : streams) OK(cudaStreamDestroy(s));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(d));
}

// The child has none of the threads, and the vendors' libraries do not survive a fork.
static void forked() {
#ifdef __SANITIZE_THREAD__
    return; // which gives up where threads are forked
#endif
    const pid_t child = fork();
    if (!child) {
        void *p;
        _exit(cudaMalloc(&p, 4) == cudaErrorInitializationError &&
                      cudaDeviceSynchronize() == cudaErrorInitializationError &&
                      cudaGetDeviceCount((int *)&p) == cudaErrorInitializationError
                  ? 0
                  : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    HOLDS(WIFEXITED(status) && !WEXITSTATUS(status));
}

static void CUDART_CB slow(void *) { usleep(1000); }
static void CUDART_CB forever(void *) { sleep(60); }

static int ends(const char *how) {
    char *d, *pinned;
    cudaStream_t s;
    OK(cudaMalloc((void **)&d, 1 << 16));
    OK(cudaMallocHost((void **)&pinned, 1 << 16));
    OK(cudaStreamCreate(&s));
    if (!std::strcmp(how, "copies"))
        for (int i = 0; i < 100; i++)
            OK(cudaMemcpyAsync(d, pinned, 1 << 16, cudaMemcpyHostToDevice, s));
    for (int i = 0; i < 500 && !std::strcmp(how, "queue"); i++) {
        OK(cudaLaunchHostFunc(s, slow, nullptr));
        OK(cudaMemcpyAsync(d, pinned, 64, cudaMemcpyHostToDevice, s));
    }
    if (!std::strcmp(how, "callback")) OK(cudaLaunchHostFunc(s, forever, nullptr));
    if (!std::strcmp(how, "thread")) {
        OK(cudaLaunchHostFunc(s, forever, nullptr));
        std::thread([] { cudaDeviceSynchronize(); }).detach();
        usleep(20000);
    }
    std::printf("PASS\n");
    return failures != 0;
}

int main(int argc, char **argv) {
    if (argc > 1) return ends(argv[1]);
    memory_runs_out();
    wrong_arguments();
    after_their_end();
    a_thousand_streams();
    forked();
    OK(cudaDeviceReset());
    std::printf("%s\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
