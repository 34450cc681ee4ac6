// What goes wrong ends in a defined error and never in a hang: memory that is not there, handles
// after their destruction, exit with work under way.
#include "check.h"
#include <cuda_morph/comm.h>
#include <cuda_morph/cuda.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(long ms) {
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&t, nullptr);
}

__global__ void forever() {
    for (;;) pause_ms(5);
}
__global__ void add(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i]++;
}
static void sleep_long(void *) { pause_ms(60000); }
static void sleep_a_little(void *) { pause_ms(1); }

// ---- programs that end too early, each in a process of its own ----

static void kernel_runs() { cm::launch<forever>(4, 32)(); }

static void host_function_runs() {
    cmStream_t s;
    OK(cmStreamCreate(&s));
    OK(cmLaunchHostFunc(s, sleep_long, nullptr));
    pause_ms(20);
}

static void much_is_queued() {
    static int *x;
    OK(cmMalloc((void **)&x, 4096));
    for (int i = 0; i < 50; i++) {
        cmStream_t s;
        OK(cmStreamCreateWithFlags(&s, cmStreamNonBlocking));
        for (int k = 0; k < 50; k++) {
            cm::launch<add>(4, 256, 0, s)(x + i, 1);
            OK(cmLaunchHostFunc(s, sleep_a_little, nullptr));
        }
    }
}

// A rank whose partner never comes.
static void collective_waits() {
    static float x[4];
    cmCommUniqueId id;
    cmComm_t comm;
    CHECK(cmCommGetUniqueId(&id) == cmCommSuccess);
    CHECK(cmCommInitRank(&comm, 2, id, 0) == cmCommSuccess);
    CHECK(cmCommAllReduce(x, x, 4, cmCommFloat, cmCommSum, comm, nullptr) == cmCommSuccess);
    pause_ms(20);
}

static void *waits(void *) {
    cmDeviceSynchronize();
    return nullptr;
}
static void thread_waits() {
    pthread_t thread;
    cm::launch<forever>(1, 1)();
    pthread_create(&thread, nullptr, waits, nullptr);
    pthread_detach(thread);
    pause_ms(20);
}

static void streams_are_left() {
    static cmStream_t s[1000];
    void *p;
    for (int i = 0; i < 1000; i++) OK(cmStreamCreate(&s[i]));
    for (int i = 0; i < 1000; i++) OK(cmMallocAsync(&p, 64, s[i]));
}

// Before the first call of this process: a child of a fork can use the library only then.
static void ends(const char *what, void (*program)()) {
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(20); // a hang becomes a signal
        program();
        exit(failures != 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && !WEXITSTATUS(status)) return;
    failures++;
    printf("%s: the process ends with status %x\n", what, (unsigned)status);
}

// ---- handles after their end ----

static void streams_and_events() {
    cmStream_t s, other;
    cmEvent_t e, f;
    float ms;
    OK(cmStreamCreate(&s));
    OK(cmStreamCreate(&other));
    OK(cmEventCreate(&e));
    OK(cmEventCreate(&f));
    OK(cmEventRecord(e, s));
    OK(cmStreamDestroy(s)); // what is in it is still done
    OK(cmEventSynchronize(e));
    const cmError_t stale = cmErrorInvalidResourceHandle;
    GIVES(stale, cmStreamDestroy(s));
    GIVES(stale, cmStreamQuery(s));
    GIVES(stale, cmStreamSynchronize(s));
    GIVES(stale, cmEventRecord(f, s));
    GIVES(stale, cmStreamWaitEvent(s, e, 0));
    GIVES(stale, cmLaunchHostFunc(s, sleep_a_little, nullptr));
    GIVES(stale, cmMemsetAsync(&ms, 0, 4, s));
    cm::launch<add>(1, 1, 0, s)(nullptr, 0);
    CHECK(cmGetLastError() == stale);
    OK(cmEventDestroy(e));
    GIVES(stale, cmEventDestroy(e));
    GIVES(stale, cmEventQuery(e));
    GIVES(stale, cmEventElapsedTime(&ms, e, f));
    GIVES(stale, cmStreamWaitEvent(other, e, 0));
    GIVES(stale, cmStreamSynchronize((cmStream_t)f)); // of another kind
    GIVES(stale, cmEventQuery((cmEvent_t)other));
    GIVES(stale, cmEventQuery((cmEvent_t)(uintptr_t)0x1234));
    void *queue;
    GIVES(cmErrorNotSupported, cmStreamGetNative(other, &queue)); // the CPU has none
    OK(cmEventDestroy(f));
    OK(cmStreamDestroy(other));
    cmStream_t again; // a slot that is used anew is a new handle
    OK(cmStreamCreate(&again));
    CHECK(again != other && again != s);
    GIVES(stale, cmStreamQuery(other));
    OK(cmStreamDestroy(again));
}

static void graphs_and_pools() {
    cmGraph_t graph;
    cmGraphExec_t exec;
    cmMemPool_t pool;
    cmGraphNode_t node;
    OK(cmGraphCreate(&graph, 0));
    OK(cmGraphAddEmptyNode(&node, graph, nullptr, 0));
    OK(cmGraphInstantiate(&exec, graph, 0));
    OK(cmGraphDestroy(graph));
    OK(cmGraphLaunch(exec, nullptr)); // it does not need the graph
    OK(cmGraphExecDestroy(exec));
    CHECK(cmGraphDestroy(graph) != cmSuccess);
    CHECK(cmGraphLaunch(exec, nullptr) != cmSuccess);
    CHECK(cmGraphExecDestroy(exec) != cmSuccess);
    CHECK(cmGraphAddEmptyNode(&node, graph, nullptr, 0) != cmSuccess);
    cmMemPoolProps props = {};
    props.location.type = cmMemLocationTypeDevice;
    OK(cmMemPoolCreate(&pool, &props));
    void *p;
    OK(cmMallocFromPoolAsync(&p, 100, pool, nullptr));
    OK(cmMemPoolDestroy(pool)); // stays until its memory is freed
    OK(cmFreeAsync(p, nullptr));
    GIVES(cmErrorInvalidValue, cmFreeAsync(p, nullptr));
    GIVES(cmErrorInvalidValue, cmMemPoolDestroy(pool));
    GIVES(cmErrorInvalidValue, cmMallocFromPoolAsync(&p, 100, pool, nullptr));
    OK(cmDeviceSynchronize());
    GIVES(cmErrorInvalidValue, cmFree(p));
    cmGetLastError();
}

static void communicators() {
    cmComm_t comm;
    int device = 0, n;
    float x = 1;
    CHECK(cmCommInitAll(&comm, 1, &device) == cmCommSuccess);
    CHECK(cmCommAllReduce(&x, &x, 1, cmCommFloat, cmCommSum, comm, nullptr) == cmCommSuccess);
    CHECK(cmCommAllReduce(&x, nullptr, 1, cmCommFloat, cmCommSum, comm, nullptr) ==
          cmCommInvalidArgument);
    CHECK(cmCommAllReduce(&x, &x, 1, (cmCommDataType_t)77, cmCommSum, comm, nullptr) ==
          cmCommInvalidArgument);
    CHECK(cmCommAllReduce(&x, &x, 1, cmCommFloat, (cmCommRedOp_t)9, comm, nullptr) ==
          cmCommInvalidArgument);
    CHECK(cmCommGroupEnd() == cmCommInvalidUsage);
    CHECK(cmCommDestroy(comm) == cmCommSuccess);
    CHECK(cmCommDestroy(comm) == cmCommInvalidArgument);
    CHECK(cmCommCount(comm, &n) == cmCommInvalidArgument);
    CHECK(cmCommAllReduce(&x, &x, 1, cmCommFloat, cmCommSum, comm, nullptr) ==
          cmCommInvalidArgument);
    int none = 99;
    CHECK(cmCommInitAll(&comm, 1, &none) == cmCommInvalidArgument);
}

// Until nothing is left, and all of it again.
static void memory_runs_out() {
    enum { MOST = 4096 };
    static void *p[MOST];
    size_t available, total;
    OK(cmMemGetInfo(&available, &total));
    for (int round = 0; round < 2; round++) {
        int n = 0;
        while (n < MOST && cmMalloc(&p[n], total / 64) == cmSuccess) n++;
        CHECK(n > 32 && n <= 64);
        CHECK(cmGetLastError() == cmErrorMemoryAllocation);
        CHECK(cmGetLastError() == cmSuccess); // not sticky
        void *pinned = &n;
        GIVES(cmErrorMemoryAllocation, cmMallocHost(&pinned, total / 32));
        CHECK(!pinned);
        cm::launch<add>(1, 32)((int *)p[0], 32); // the device still works
        OK(cmDeviceSynchronize());
        while (n > 0) OK(cmFree(p[--n]));
    }
    size_t now;
    OK(cmMemGetInfo(&now, &total));
    CHECK(now == available);
}

int main() {
    setenv("CUDA_MORPH_MEMORY", "64M", 1);
    ends("a kernel that runs", kernel_runs);
    ends("a function of the host that runs", host_function_runs);
    ends("much work in many streams", much_is_queued);
    ends("a collective that waits", collective_waits);
    ends("a thread that waits", thread_waits);
    ends("1000 streams that are left", streams_are_left);
    streams_and_events();
    graphs_and_pools();
    communicators();
    memory_runs_out();
    return failures != 0;
}
