/* SPDX-License-Identifier: Apache-2.0 */
/* What a call of libcmrt costs its caller in processor time, so that other programs do not matter:
 * the median of 9 runs of 20,000 calls each.
 * The argument is a limit in nanoseconds: status 1 when a call on the hot path is above it. */
#include <cuda_morph/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 9, CALLS = 20000, POOL = 64 };

static cmStream_t stream;
static cmEvent_t event, other;
static void *memory, *pinned;
static int device;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void get_device(void) { cmGetDevice(&device); }
static void set_device(void) { cmSetDevice(0); }
static void last_error(void) { cmGetLastError(); }
static void peek_error(void) { cmPeekAtLastError(); }
static void stream_query(void) { cmStreamQuery(stream); }
static void stream_sync(void) { cmStreamSynchronize(stream); }
static void device_sync(void) { cmDeviceSynchronize(); }
static void event_query(void) { cmEventQuery(event); }
static void event_sync(void) { cmEventSynchronize(event); }
static void event_time(void) {
    float ms;
    cmEventElapsedTime(&ms, event, other);
}
static void attribute(void) {
    int value;
    cmDeviceGetAttribute(&value, cmDevAttrMultiProcessorCount, 0);
}
static void pointer(void) {
    struct cmPointerAttributes a;
    cmPointerGetAttributes(&a, memory);
}
static void information(void) {
    size_t a, b;
    cmMemGetInfo(&a, &b);
}
static void wait_event(void) { cmStreamWaitEvent(stream, event, 0); }
static void copy_small(void) { cmMemcpy(memory, pinned, 64, cmMemcpyHostToDevice); }
static void set_small(void) { cmMemset(memory, 0, 64); }

/* A pair of calls each; what is printed is for one. */
static void get_and_free(size_t size) {
    void *p;
    cmMalloc(&p, size);
    cmFree(p);
}
static void pair_64(void) { get_and_free(64); }
static void pair_4k(void) { get_and_free(4096); }
static void pair_1m(void) { get_and_free(1 << 20); }
static void pair_async(void) {
    void *p;
    cmMallocAsync(&p, 4096, stream);
    cmFreeAsync(p, stream);
}
/* As a program has it that holds much: others lie around what comes and goes. */
static void *others[POOL * 64];
static void pair_among(void) {
    static size_t at;
    void **p = &others[at++ % (POOL * 64)];
    cmFree(*p);
    cmMalloc(p, 4096);
}
static void pair_stream(void) {
    cmStream_t s;
    cmStreamCreate(&s);
    cmStreamDestroy(s);
}
static void pair_event(void) {
    cmEvent_t e;
    cmEventCreate(&e);
    cmEventDestroy(e);
}

/* Into a stream that never gets to them: what the caller pays to put work there. */
static void record(void) { cmEventRecord(event, stream); }
static void copy_async(void) { cmMemcpyAsync(memory, pinned, 64, cmMemcpyHostToDevice, stream); }
static void set_async(void) { cmMemsetAsync(memory, 0, 64, stream); }

struct row {
    const char *name;
    void (*call)(void);
    int calls; /* in one */
    int hot;   /* the limit is for it */
};

static double measure(const struct row *row) {
    double took[RUNS];
    for (int run = 0; run < RUNS; run++) {
        double start = now();
        for (int i = 0; i < CALLS; i++) row->call();
        took[run] = (now() - start) / CALLS / row->calls;
        cmDeviceSynchronize();
    }
    qsort(took, RUNS, sizeof took[0], ascending);
    return took[RUNS / 2];
}

static const struct row rows[] = {
    {"cmGetDevice", get_device, 1, 1},
    {"cmSetDevice", set_device, 1, 1},
    {"cmGetLastError", last_error, 1, 1},
    {"cmPeekAtLastError", peek_error, 1, 1},
    {"cmDeviceGetAttribute", attribute, 1, 1},
    {"cmPointerGetAttributes", pointer, 1, 1},
    {"cmMemGetInfo", information, 1, 1},
    {"cmStreamQuery", stream_query, 1, 1},
    {"cmStreamSynchronize, idle", stream_sync, 1, 1},
    {"cmDeviceSynchronize, idle", device_sync, 1, 1},
    {"cmStreamWaitEvent, done", wait_event, 1, 1},
    {"cmEventQuery", event_query, 1, 1},
    {"cmEventSynchronize, done", event_sync, 1, 1},
    {"cmEventElapsedTime", event_time, 1, 1},
    {"cmEventCreate or Destroy", pair_event, 2, 1},
    {"cmStreamCreate or Destroy", pair_stream, 2, 1},
    {"cmMalloc or cmFree, 64 bytes", pair_64, 2, 1},
    {"cmMalloc or cmFree, 4 KiB", pair_4k, 2, 1},
    {"cmMalloc or cmFree, 1 MiB", pair_1m, 2, 1},
    {"cmMalloc or cmFree, among 4096", pair_among, 2, 1},
    {"cmMemcpy, 64 bytes, idle", copy_small, 1, 1},
    {"cmMemset, 64 bytes, idle", set_small, 1, 1},
    {"cmMallocAsync or cmFreeAsync", pair_async, 2, 0},
    {"cmEventRecord", record, 1, 0},
    {"cmMemcpyAsync, 64 bytes", copy_async, 1, 0},
    {"cmMemsetAsync, 64 bytes", set_async, 1, 0},
};

int main(int argc, char **argv) {
    double limit = argc > 1 ? atof(argv[1]) : 0;
    int above = 0;
    if (cmStreamCreate(&stream) || cmEventCreate(&event) || cmEventCreate(&other) ||
        cmMalloc(&memory, 4096) || cmMallocHost(&pinned, 4096))
        return 2;
    memset(pinned, 0, 4096);
    for (int i = 0; i < POOL * 64; i++)
        if (cmMalloc(&others[i], 4096)) return 2;
    cmEventRecord(event, stream);
    cmEventRecord(other, stream);
    cmDeviceSynchronize();
    puts("a call, in nanoseconds:");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double ns = measure(&rows[i]);
        int bad = limit > 0 && rows[i].hot && ns > limit;
        above += bad;
        printf("  %-32s %6.0f%s%s\n", rows[i].name, ns, rows[i].hot ? "" : "  with its work",
               bad ? "  ABOVE" : "");
    }
    if (above) printf("%d above %.0f ns\n", above, limit);
    return above != 0;
}
