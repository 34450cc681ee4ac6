/* SPDX-License-Identifier: Apache-2.0 */
/* The first call: settings are read from the environment, the back end is chosen, its devices are
   described, the threads start. Nothing happens before, so that a program that links libcmrt and
   does not use it pays nothing; what stands in the way is kept, and every later call says so. */
#include "backend.h"
#include "grid.h"
#include "memory.h"
#include "queue.h"
#include "watch.h"
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic bool started, forked;
static cmError_t missing; /* why there is no device, where a vendor's was asked for */

/* ---- settings ---- */

static long number_of(const char *name, long fallback, long low, long high) {
    const char *text = getenv(name);
    char *end;
    long value = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || *end) return fallback;
    return value < low ? low : value > high ? high : value;
}

static size_t bytes_of(const char *name, size_t fallback) {
    const char *text = getenv(name);
    char *end;
    unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text) return fallback;
    switch (*end) {
    case 'g':
    case 'G':
        return (size_t)value << 30;
    case 'm':
    case 'M':
        return (size_t)value << 20;
    case 'k':
    case 'K':
        return (size_t)value << 10;
    case 0:
        return (size_t)value;
    }
    return fallback;
}

/* How many of `devices` a CUDA_VISIBLE_DEVICES list leaves: entries up to the first bad one. */
static int visible(const char *list, int devices) {
    int count = 0;
    while (list && *list) {
        char *end;
        long ordinal = strtol(list, &end, 10);
        if (end == list || ordinal < 0 || ordinal >= devices) break;
        count++;
        list = *end == ',' ? end + 1 : end;
        if (*end && *end != ',') break;
    }
    return count;
}

static int usable_cpus(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

/* Also before the first call, without starting anything: it initialises `warpSize`. */
int cmKernelWarpSize(void) { return number_of("CUDA_MORPH_WARP_SIZE", 32, 1, 64) == 64 ? 64 : 32; }

static void after_fork(void) { forked = true; }

/* ---- the back end ---- */

static const struct cm_backend *backend_of(const char *name) {
    static const struct {
        const char *name;
        const struct cm_backend *backend;
    } known[] = {{"cpu", &cm_backend_cpu},    {"host", &cm_backend_cpu},
                 {"ascend", &cm_backend_acl}, {"npu", &cm_backend_acl},
                 {"mlu", &cm_backend_cnrt},   {"cambricon", &cm_backend_cnrt},
                 {"xpu", &cm_backend_ze},     {"intel", &cm_backend_ze}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcasecmp(name, known[i].name)) return known[i].backend;
    return cm_backend_like(name);
}

/* The devices that there are; an error where the target that was asked for is not to be had. */
static cmError_t choose_backend(char *why, size_t room) {
    const char *name = getenv("CUDA_MORPH_TARGET"), *list = getenv("CUDA_VISIBLE_DEVICES");
    const struct cm_backend *found = backend_of(name && *name ? name : "cpu");
    if (!found) {
        snprintf(why, room, "CUDA_MORPH_TARGET: there is no back end of that name");
        return cmErrorInitializationError;
    }
    cm_backend = found;
    if (!found->open) {
        cm_settings.devices = (int)number_of("CUDA_MORPH_DEVICES", 1, 0, CM_MAX_DEVICES);
        if (list) cm_settings.devices = visible(list, cm_settings.devices);
        return cmSuccess;
    }
    if (list && !visible(list, CM_MAX_DEVICES)) return cmSuccess; /* all are hidden */
    if (list && found->visible) setenv(found->visible, list, 0);
    int devices = found->open(why, room);
    cm_settings.devices = devices < 0 ? 0 : devices > CM_MAX_DEVICES ? CM_MAX_DEVICES : devices;
    return devices < 0 ? cmErrorInsufficientDriver : cmSuccess;
}

static int is_torch(struct dl_phdr_info *library, size_t size, void *found) {
    const char *path = library->dlpi_name, *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path;
    (void)size;
    return *(bool *)found |= name && !strncmp(name, "libc10.so", 9);
}

/* Whether PyTorch is in this process. Its operators take host memory for the device's, run on the
 * calling thread and know nothing of streams: what one reads has to be there. */
static bool beside_torch(void) {
    bool found = false;
    dl_iterate_phdr(is_torch, &found);
    return found;
}

static void print_stats(void) {
#define NUMBER(name) (unsigned long long)atomic_load(&cm_stats.name)
    fprintf(stderr,
            "cuda-morph: %s, %d device%s: %llu allocations, %llu freed; %llu copies, %llu bytes; "
            "%llu fills; %llu kernels on the host, %llu bytes staged for them; %llu "
            "collectives\n",
            cm_backend->name, cm_settings.devices, cm_settings.devices == 1 ? "" : "s",
            NUMBER(allocations), NUMBER(frees), NUMBER(copies), NUMBER(copied), NUMBER(fills),
            NUMBER(kernels), NUMBER(staged), NUMBER(collectives));
#undef NUMBER
}

static void start_device(int number) {
    struct cm_device *device = &cm_devices[number];
    cm_backend->describe(&device->properties, number); /* once: it may ask the system */
    /* Kernels run on the host, wherever the memory is. */
    device->properties.warpSize = cm_settings.warp_size;
    if (!device->properties.multiProcessorCount)
        device->properties.multiProcessorCount = cm_settings.workers;
    cm_settings.memory = bytes_of("CUDA_MORPH_MEMORY", device->properties.totalGlobalMem);
    device->properties.totalGlobalMem = cm_settings.memory;
    device->limits[cmLimitStackSize] = 256 << 10;
    device->limits[cmLimitPrintfFifoSize] = 1 << 20;
    device->limits[cmLimitMallocHeapSize] = 8 << 20;
    device->limits[cmLimitDevRuntimeSyncDepth] = 2;
    device->limits[cmLimitDevRuntimePendingLaunchCount] = 2048;
    device->legacy = cm_stream_new(number, 0, 0);
    device->default_pool = device->pool = cm_pool_new(number);
}

static void start(void) {
    char why[256] = "";
    bool stats = number_of("CUDA_MORPH_STATS", 0, 0, 1);
    cm_settings.workers = (int)number_of("CUDA_MORPH_THREADS", usable_cpus(), 1, 1024);
    cm_settings.warp_size = cmKernelWarpSize();
    cm_settings.wait = (int)number_of("CUDA_MORPH_WAIT", 60, 0, 1 << 30);
    cm_settings.checks = cm_watch_names(getenv("CUDA_MORPH_CHECK"));
    cm_settings.check = cm_settings.checks != 0;
    cm_order_choose(getenv("CUDA_MORPH_ORDER"));
    /* What the books say of two blocks shall not depend on which came first. */
    if (cm_settings.checks & ~1u) cm_settings.workers = 1;
    missing = choose_backend(why, sizeof why);
    bool beside = cm_backend == &cm_backend_cpu && beside_torch();
    if (beside || number_of("CUDA_LAUNCH_BLOCKING", 0, 0, 1)) cm_settings.blocking = true;
    if (missing && stats) fprintf(stderr, "cuda-morph: no device: %s\n", why);
    for (int i = 0; i < cm_settings.devices; i++) start_device(i);
    pthread_atfork(NULL, NULL, after_fork);
    if (cm_settings.check)
        cm_check_start();
    else
        cm_crash_start();
    if (cm_settings.checks & CM_CHECK_LEAK) atexit(cm_watch_leaks);
    if (stats) atexit(print_stats);
    if (cm_settings.devices) cm_queue_start();
    started = true;
}

cmError_t cm_begin(void) {
    if (!started) pthread_once(&once, start);
    return forked ? cmErrorInitializationError : missing;
}

cmError_t cm_enter(void) {
    cmError_t error = cm_begin();
    if (error) return error;
    return cm_settings.devices ? cm_sticky(cm_current()) : cmErrorNoDevice;
}
