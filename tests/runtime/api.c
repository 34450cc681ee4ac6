/* SPDX-License-Identifier: Apache-2.0 */
/* The host's interface: memory, streams, events, graphs, and how each call fails. */
#include "check.h"
#include <cuda_morph/runtime.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(int ms) {
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&t, NULL);
}
static void slow(void *data) { pause_ms(*(int *)data); }
static void count_up(void *data) { ++*(int *)data; }

static void devices(void) {
    int count, device = -1, value;
    struct cmDeviceProp p;
    OK(cmGetDeviceCount(&count));
    CHECK(count == 2); /* as the test script asked for */
    OK(cmGetDevice(&device));
    CHECK(device == 0);
    OK(cmGetDeviceProperties(&p, 1));
    CHECK(p.name[0] && p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.totalGlobalMem > 0);
    OK(cmDeviceGetAttribute(&value, cmDevAttrMaxThreadsPerBlock, 0));
    CHECK(value == 1024);
    GIVES(cmErrorInvalidValue, cmDeviceGetAttribute(&value, (enum cmDeviceAttr)9999, 0));
    GIVES(cmErrorInvalidDevice, cmSetDevice(2));
    GIVES(cmErrorInvalidDevice, cmSetDevice(-1));
    GIVES(cmErrorInvalidDevice, cmGetDeviceProperties(&p, 7));
    GIVES(cmErrorInvalidValue, cmSetValidDevices(NULL, 1));
    GIVES(cmErrorInvalidValue, cmGetDeviceProperties(NULL, 0));
    OK(cmDeviceCanAccessPeer(&value, 0, 1));
    CHECK(value == 1);
    OK(cmDeviceEnablePeerAccess(1, 0));
    GIVES(cmErrorPeerAccessAlreadyEnabled, cmDeviceEnablePeerAccess(1, 0));
    OK(cmDeviceDisablePeerAccess(1));
    GIVES(cmErrorPeerAccessNotEnabled, cmDeviceDisablePeerAccess(1));
    CHECK(!strcmp(cmGetErrorName(cmErrorInvalidValue), "cmErrorInvalidValue"));
    CHECK(!strcmp(cmGetErrorString(cmErrorMemoryAllocation), "out of memory"));
    CHECK(!strcmp(cmGetErrorString((cmError_t)12345), "unrecognized error code"));
}

static void errors(void) {
    CHECK(cmGetLastError() == cmSuccess);
    CHECK(cmMalloc(NULL, 4) == cmErrorInvalidValue);
    CHECK(cmPeekAtLastError() == cmErrorInvalidValue);
    CHECK(cmGetLastError() == cmErrorInvalidValue);
    CHECK(cmGetLastError() == cmSuccess);
}

static void memory(void) {
    void *p = NULL, *q = NULL;
    size_t before, after, total, pitch;
    OK(cmMemGetInfo(&before, &total));
    OK(cmMemGetInfo(&after, NULL));
    CHECK(after == before);
    OK(cmMalloc(&p, 1000));
    CHECK(p && (size_t)p % 16 == 0);
    OK(cmMemGetInfo(&after, &total));
    CHECK(after == before - 1000);
    OK(cmFree(p));
    GIVES(cmErrorInvalidValue, cmFree(p)); /* twice */
    GIVES(cmErrorInvalidValue, cmFree(&total));
    OK(cmFree(NULL));
    OK(cmMalloc(&p, 0));
    CHECK(p == NULL);
    GIVES(cmErrorMemoryAllocation, cmMalloc(&p, total + 1));
    GIVES(cmErrorMemoryAllocation, cmMalloc(&p, (size_t)-1));
    OK(cmMallocHost(&p, 64));
    GIVES(cmErrorInvalidValue, cmFree(p)); /* not device memory */
    OK(cmHostGetDevicePointer(&q, p, 0));
    CHECK(q == p);
    OK(cmFreeHost(p));
    OK(cmMallocManaged(&p, 64, cmMemAttachGlobal));
    struct cmPointerAttributes a;
    OK(cmPointerGetAttributes(&a, (char *)p + 10));
    CHECK(a.type == cmMemoryTypeManaged && a.device == 0);
    OK(cmPointerGetAttributes(&a, &total));
    CHECK(a.type == cmMemoryTypeUnregistered);
    GIVES(cmErrorInvalidDevice, cmMemPrefetchAsync(p, 64, 9, NULL));
    OK(cmMemPrefetchAsync(p, 64, cmCpuDeviceId, NULL));
    OK(cmFree(p));
    OK(cmMallocPitch(&p, &pitch, 100, 10));
    CHECK(pitch >= 100);
    OK(cmFree(p));
    char own[4096];
    OK(cmHostRegister(own, sizeof own, 0));
    GIVES(cmErrorHostMemoryAlreadyRegistered, cmHostRegister(own + 10, 8, 0));
    OK(cmHostUnregister(own));
    GIVES(cmErrorHostMemoryNotRegistered, cmHostUnregister(own));
    OK(cmMemGetInfo(&after, &total));
    CHECK(after == before);
}

/* What lies outside of an array is refused, also where a sum of sizes wraps around. */
static void arrays(void) {
    struct cmChannelFormatDesc format =
        cmCreateChannelDesc(8, 0, 0, 0, cmChannelFormatKindUnsigned);
    unsigned char host[64] = {0};
    cmArray_t array;
    OK(cmMallocArray(&array, &format, 16, 4, 0));
    OK(cmMemcpyToArray(array, 8, 1, host, 24, cmMemcpyHostToDevice));
    GIVES(cmErrorInvalidValue, cmMemcpyToArray(array, 8, 1, host, 64, cmMemcpyHostToDevice));
    GIVES(cmErrorInvalidValue,
          cmMemcpy2DToArray(array, (size_t)-8, 0, host, 16, 8, 1, cmMemcpyHostToDevice));
    GIVES(cmErrorInvalidValue,
          cmMemcpy2DToArray(array, 0, (size_t)-1, host, 16, 8, 1, cmMemcpyHostToDevice));
    OK(cmFreeArray(array));
}

static void copies(void) {
    enum { W = 33, H = 7, D = 3 };
    unsigned char host[D][H][W], back[D][H][W];
    struct cmPitchedPtr device;
    for (int i = 0; i < D * H * W; i++) (&host[0][0][0])[i] = (unsigned char)(i * 7);
    OK(cmMalloc3D(&device, make_cmExtent(W, H, D)));
    struct cmMemcpy3DParms in = {.srcPtr = make_cmPitchedPtr(host, W, W, H),
                                 .dstPtr = device,
                                 .extent = make_cmExtent(W, H, D),
                                 .kind = cmMemcpyHostToDevice};
    struct cmMemcpy3DParms out = {.srcPtr = device,
                                  .dstPtr = make_cmPitchedPtr(back, W, W, H),
                                  .extent = make_cmExtent(W, H, D),
                                  .kind = cmMemcpyDeviceToHost};
    OK(cmMemcpy3D(&in));
    OK(cmMemcpy3D(&out));
    CHECK(!memcmp(host, back, sizeof host));
    OK(cmMemset3D(device, 9, make_cmExtent(W, H, 1)));
    OK(cmMemcpy3D(&out));
    CHECK(back[0][H - 1][W - 1] == 9 && !memcmp(host[1], back[1], sizeof host[1]));
    GIVES(cmErrorInvalidPitchValue,
          cmMemcpy2D(back, 3, device.ptr, device.pitch, W, H, cmMemcpyDeviceToHost));
    GIVES(cmErrorInvalidMemcpyDirection, cmMemcpy(back, device.ptr, 3, (cmMemcpyKind)9));
    GIVES(cmErrorInvalidValue, cmMemcpy(NULL, device.ptr, 3, cmMemcpyDefault));
    GIVES(cmErrorInvalidValue, /* beyond the end */
          cmMemcpy((char *)device.ptr + 1, host, device.pitch * H * D, cmMemcpyHostToDevice));
    GIVES(cmErrorInvalidValue, cmMemset(device.ptr, 0, device.pitch * H * D + 1));
    OK(cmFree(device.ptr));
}

static void streams(void) {
    cmStream_t a, b;
    cmEvent_t e, f, plain;
    int *pinned, ms = 30, counter = 0, zero = 0;
    float elapsed;
    OK(cmStreamCreate(&a));
    OK(cmStreamCreateWithFlags(&b, cmStreamNonBlocking));
    OK(cmEventCreate(&e));
    OK(cmEventCreate(&f));
    OK(cmEventCreateWithFlags(&plain, cmEventDisableTiming));
    OK(cmMallocHost((void **)&pinned, sizeof *pinned));
    /* Asynchronous and in order. */
    OK(cmEventRecord(e, a));
    OK(cmLaunchHostFunc(a, slow, &ms));
    OK(cmLaunchHostFunc(a, count_up, &counter));
    OK(cmMemcpyAsync(pinned, &zero, sizeof zero, cmMemcpyHostToDevice, a));
    OK(cmEventRecord(f, a));
    GIVES(cmErrorNotReady, cmStreamQuery(a));
    GIVES(cmErrorNotReady, cmEventQuery(f));
    GIVES(cmErrorNotReady, cmEventElapsedTime(&elapsed, e, f));
    zero = 5; /* the copy took the old value aside */
    OK(cmStreamSynchronize(a));
    CHECK(counter == 1 && *pinned == 0);
    OK(cmStreamQuery(a));
    OK(cmEventElapsedTime(&elapsed, e, f));
    CHECK(elapsed >= 29.0f && elapsed < 5000.0f);
    /* Across streams: b waits for a. */
    *pinned = 1;
    OK(cmLaunchHostFunc(a, slow, &ms));
    OK(cmMemsetAsync(pinned, 0, 4, a));
    OK(cmEventRecord(plain, a));
    OK(cmStreamWaitEvent(b, plain, 0));
    OK(cmLaunchHostFunc(b, count_up, pinned));
    OK(cmStreamSynchronize(b));
    CHECK(*pinned == 1);
    GIVES(cmErrorInvalidResourceHandle, cmEventElapsedTime(&elapsed, e, plain));
    /* The legacy stream waits for a, not for b; a waits for it. */
    OK(cmLaunchHostFunc(a, slow, &ms));
    OK(cmLaunchHostFunc(a, count_up, &counter));
    OK(cmMemsetAsync(pinned, 0, 4, NULL));
    OK(cmStreamSynchronize(NULL));
    CHECK(counter == 2);
    /* Destroyed with work in it: the work is done. */
    OK(cmLaunchHostFunc(a, slow, &ms));
    OK(cmLaunchHostFunc(a, count_up, &counter));
    OK(cmStreamDestroy(a));
    GIVES(cmErrorInvalidResourceHandle, cmStreamSynchronize(a));
    GIVES(cmErrorInvalidResourceHandle, cmStreamDestroy(a));
    OK(cmDeviceSynchronize());
    CHECK(counter == 3);
    OK(cmStreamDestroy(b));
    OK(cmEventDestroy(e));
    GIVES(cmErrorInvalidResourceHandle, cmEventRecord(e, NULL));
    GIVES(cmErrorInvalidResourceHandle, cmEventDestroy(e));
    GIVES(cmErrorInvalidResourceHandle, cmStreamQuery((cmStream_t)&counter));
    OK(cmEventDestroy(f));
    OK(cmEventDestroy(plain));
    OK(cmFreeHost(pinned));
}

static void thousand_streams(void) {
    enum { N = 1000 };
    static cmStream_t s[N];
    static int counters[N];
    unsigned char *memory;
    OK(cmMalloc((void **)&memory, N));
    for (int i = 0; i < N; i++) OK(cmStreamCreateWithFlags(&s[i], i % 2));
    for (int i = 0; i < N; i++) OK(cmMemsetAsync(memory + i, i % 251, 1, s[i]));
    for (int i = 0; i < N; i++) OK(cmLaunchHostFunc(s[i], count_up, &counters[i]));
    OK(cmDeviceSynchronize());
    for (int i = 0; i < N; i++) CHECK(memory[i] == i % 251 && counters[i] == 1);
    for (int i = 0; i < N; i++) OK(cmStreamDestroy(s[i]));
    OK(cmFree(memory));
}

static void pools(void) {
    cmStream_t s;
    cmMemPool_t pool;
    void *p;
    uint64_t used, threshold = 1 << 20;
    OK(cmStreamCreate(&s));
    OK(cmDeviceGetDefaultMemPool(&pool, 0));
    OK(cmMemPoolSetAttribute(pool, cmMemPoolAttrReleaseThreshold, &threshold));
    OK(cmMallocAsync(&p, 4096, s));
    OK(cmMemPoolGetAttribute(pool, cmMemPoolAttrUsedMemCurrent, &used));
    CHECK(used == 4096);
    OK(cmMemsetAsync(p, 1, 4096, s));
    OK(cmFreeAsync(p, s));
    GIVES(cmErrorInvalidValue, cmFreeAsync(p, s));
    OK(cmStreamSynchronize(s));
    OK(cmMemPoolGetAttribute(pool, cmMemPoolAttrUsedMemCurrent, &used));
    CHECK(used == 0);
    GIVES(cmErrorInvalidValue, cmMemPoolDestroy(pool)); /* the default one stays */
    OK(cmStreamDestroy(s));
}

static void graphs(void) {
    cmStream_t a, b;
    cmEvent_t fork_, join;
    cmGraph_t graph, other;
    cmGraphExec_t exec;
    size_t count = 0;
    int *memory, counter = 0, three = 3, host = 0;
    OK(cmMalloc((void **)&memory, 8));
    OK(cmStreamCreate(&a));
    OK(cmStreamCreate(&b));
    OK(cmEventCreate(&fork_));
    OK(cmEventCreate(&join));
    OK(cmMemset(memory, 0xff, 8));
    OK(cmStreamBeginCapture(a, cmStreamCaptureModeGlobal));
    enum cmStreamCaptureStatus status;
    OK(cmStreamIsCapturing(a, &status));
    CHECK(status == cmStreamCaptureStatusActive);
    GIVES(cmErrorStreamCaptureUnsupported, cmStreamSynchronize(a));
    OK(cmMemcpyAsync(memory, &three, 4, cmMemcpyHostToDevice, a));
    OK(cmEventRecord(fork_, a));
    OK(cmStreamWaitEvent(b, fork_, 0));
    OK(cmLaunchHostFunc(b, count_up, &counter));
    OK(cmEventRecord(join, b));
    OK(cmMemsetAsync(memory + 1, 0, 4, a));
    OK(cmStreamWaitEvent(a, join, 0));
    OK(cmMemcpyAsync(&host, memory, 4, cmMemcpyDeviceToHost, a));
    OK(cmStreamEndCapture(a, &graph));
    CHECK(counter == 0 && memory[0] == -1); /* nothing ran */
    OK(cmGraphGetNodes(graph, NULL, &count));
    CHECK(count == 4);
    OK(cmGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cmGraphDestroy(graph));
    GIVES(cmErrorInvalidValue, cmGraphDestroy(graph));
    for (int i = 0; i < 5; i++) {
        three = 3 + i;
        OK(cmGraphLaunch(exec, a));
        OK(cmStreamSynchronize(a));
        CHECK(counter == i + 1 && host == 3 + i && memory[1] == 0);
    }
    OK(cmGraphExecDestroy(exec));
    /* What was forked has to come back. */
    OK(cmStreamBeginCapture(a, cmStreamCaptureModeGlobal));
    OK(cmEventRecord(fork_, a));
    OK(cmStreamWaitEvent(b, fork_, 0));
    OK(cmLaunchHostFunc(b, count_up, &counter));
    GIVES(cmErrorStreamCaptureUnjoined, cmStreamEndCapture(a, &graph));
    /* By hand, with a circle. */
    cmGraphNode_t n[2];
    struct cmHostNodeParams params = {count_up, &counter};
    OK(cmGraphCreate(&graph, 0));
    OK(cmGraphAddHostNode(&n[0], graph, NULL, 0, &params));
    OK(cmGraphAddHostNode(&n[1], graph, &n[0], 1, &params));
    OK(cmGraphClone(&other, graph));
    OK(cmGraphInstantiateWithFlags(&exec, other, 0));
    counter = 0;
    OK(cmGraphLaunch(exec, NULL));
    OK(cmDeviceSynchronize());
    CHECK(counter == 2);
    OK(cmGraphAddDependencies(graph, &n[1], &n[0], 1));
    cmGraphExec_t none;
    GIVES(cmErrorInvalidValue, cmGraphInstantiateWithFlags(&none, graph, 0));
    OK(cmGraphExecDestroy(exec));
    OK(cmGraphDestroy(graph));
    OK(cmGraphDestroy(other));
    OK(cmStreamDestroy(a));
    OK(cmStreamDestroy(b));
    OK(cmEventDestroy(fork_));
    OK(cmEventDestroy(join));
    OK(cmFree(memory));
}

/* A child of a fork has no threads to run anything: it is told so, and does not hang. */
static void forked(void) {
#ifdef __SANITIZE_THREAD__
    return; /* which gives up where threads are forked */
#endif
    pid_t child = fork();
    if (!child) {
        void *p;
        _exit(cmMalloc(&p, 4) == cmErrorInitializationError &&
                      cmDeviceSynchronize() == cmErrorInitializationError
                  ? 0
                  : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
}

static void until(void *gate) {
    while (!atomic_load((atomic_int *)gate)) usleep(100);
}

/* Streams that wait for another one's event keep no thread from the work of others. */
static void waiters(void) {
    enum { MANY = 200, TRIES = 100000 };
    atomic_int gate = 0;
    cmStream_t first, other, waiting[MANY];
    cmEvent_t event;
    unsigned char *bytes;
    OK(cmMallocManaged((void **)&bytes, MANY + 1, cmMemAttachGlobal));
    memset(bytes, 0, MANY + 1);
    OK(cmStreamCreateWithFlags(&first, cmStreamNonBlocking));
    OK(cmStreamCreateWithFlags(&other, cmStreamNonBlocking));
    OK(cmEventCreate(&event));
    OK(cmLaunchHostFunc(first, until, &gate));
    OK(cmEventRecord(event, first));
    for (int i = 0; i < MANY; i++) {
        OK(cmStreamCreateWithFlags(&waiting[i], cmStreamNonBlocking));
        OK(cmStreamWaitEvent(waiting[i], event, 0));
        OK(cmMemsetAsync(bytes + i, 1, 1, waiting[i]));
    }
    OK(cmMemsetAsync(bytes + MANY, 1, 1, other));
    cmError_t done = cmErrorNotReady; /* nobody lends a hand by waiting for it */
    for (int i = 0; i < TRIES && done == cmErrorNotReady; i++) {
        done = cmStreamQuery(other); /* which is no error */
        usleep(100);
    }
    CHECK(done == cmSuccess);
    CHECK(bytes[MANY] == 1);
    GIVES(cmErrorNotReady, cmStreamQuery(waiting[0]));
    CHECK(bytes[0] == 0);
    atomic_store(&gate, 1);
    for (int i = 0; i < MANY; i++) {
        OK(cmStreamSynchronize(waiting[i]));
        CHECK(bytes[i] == 1);
        OK(cmStreamDestroy(waiting[i]));
    }
    OK(cmStreamDestroy(first));
    OK(cmStreamDestroy(other));
    OK(cmEventDestroy(event));
    OK(cmFree(bytes));
}

int main(void) {
    devices();
    errors();
    memory();
    arrays();
    copies();
    streams();
    thousand_streams();
    waiters();
    pools();
    graphs();
    forked();
    void *left;
    OK(cmMalloc(&left, 10));
    OK(cmDeviceReset());
    GIVES(cmErrorInvalidValue, cmFree(left));
    static int ms = 20;
    OK(cmLaunchHostFunc(NULL, slow, &ms)); /* and the program ends with work pending */
    return failures != 0;
}
