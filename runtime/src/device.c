/* Settings, devices and what can be asked about them. */
#include "internal.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct cm_settings cm_settings;
struct cm_stats cm_stats;
const struct cm_backend *cm_backend = &cm_backend_cpu;
struct cm_device cm_devices[CM_MAX_DEVICES];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int current;
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
    cm_settings.check = number_of("CUDA_MORPH_CHECK", 0, 0, 1);
    missing = choose_backend(why, sizeof why);
    if (missing && stats) fprintf(stderr, "cuda-morph: no device: %s\n", why);
    for (int i = 0; i < cm_settings.devices; i++) start_device(i);
    pthread_atfork(NULL, NULL, after_fork);
    if (cm_settings.check) cm_check_start();
    if (stats) atexit(print_stats);
    if (cm_settings.devices) cm_engine_start();
    started = true;
}

int cm_current(void) { return current; }
struct cm_device *cm_device(void) {
    return &cm_devices[current];
}
cmError_t cm_sticky(int device) { return (cmError_t)cm_devices[device].sticky; }

static cmError_t begin(void) {
    if (!started) pthread_once(&once, start);
    return forked ? cmErrorInitializationError : missing;
}

void cm_set_sticky(int device, cmError_t error) {
    int none = cmSuccess;
    atomic_compare_exchange_strong(&cm_devices[device].sticky, &none, (int)error);
}

cmError_t cm_enter(void) {
    cmError_t error = begin();
    if (error) return error;
    return cm_settings.devices ? cm_sticky(current) : cmErrorNoDevice;
}

/* ---- the CPU as a device ---- */

#define CM_NEED_DEVICE(number)                                                                    \
    CM_NEED((number) >= 0 && (number) < cm_settings.devices, cmErrorInvalidDevice)

cmError_t cmGetDeviceCount(int *count) {
    cmError_t error = begin();
    CM_NEED(count, cmErrorInvalidValue);
    *count = error ? 0 : cm_settings.devices;
    return cm_fail(error ? error : *count ? cmSuccess : cmErrorNoDevice);
}

cmError_t cmGetDevice(int *device) {
    CM_ENTER();
    CM_NEED(device, cmErrorInvalidValue);
    *device = current;
    return cmSuccess;
}

cmError_t cmSetDevice(int device) {
    cmError_t error = begin();
    if (error) return cm_fail(error);
    CM_NEED(cm_settings.devices, cmErrorNoDevice);
    CM_NEED_DEVICE(device);
    current = device;
    return cm_fail(cm_sticky(device));
}

cmError_t cmInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
    (void)deviceFlags, (void)flags;
    CM_ENTER();
    CM_NEED_DEVICE(device);
    return cmSuccess;
}

cmError_t cmChooseDevice(int *device, const struct cmDeviceProp *prop) {
    CM_ENTER();
    CM_NEED(device && prop, cmErrorInvalidValue);
    *device = 0;
    return cmSuccess;
}

cmError_t cmSetValidDevices(int *devices, int length) {
    CM_ENTER();
    CM_NEED(devices && length > 0, cmErrorInvalidValue);
    for (int i = 0; i < length; i++) CM_NEED_DEVICE(devices[i]);
    return cmSuccess;
}

cmError_t cmGetDeviceProperties(struct cmDeviceProp *prop, int device) {
    CM_ENTER();
    CM_NEED(prop, cmErrorInvalidValue);
    CM_NEED_DEVICE(device);
    *prop = cm_devices[device].properties;
    return cmSuccess;
}

cmError_t cmDeviceGetAttribute(int *value, enum cmDeviceAttr attribute, int device) {
    CM_ENTER();
    CM_NEED(value, cmErrorInvalidValue);
    CM_NEED_DEVICE(device);
    const struct cmDeviceProp *p = &cm_devices[device].properties;
    switch (attribute) {
#define CM_ATTRIBUTE(name, number, answer)                                                        \
    case cmDevAttr##name:                                                                         \
        *value = (int)(answer);                                                                   \
        return cmSuccess;
#include <cuda_morph/attributes.def>
#undef CM_ATTRIBUTE
    case cmDevAttrMax:
        break;
    }
    return cm_fail(cmErrorInvalidValue);
}

cmError_t cmDeviceSynchronize(void) {
    CM_ENTER();
    /* A kernel that waited for its own stream would wait for itself. */
    CM_NEED(!cmKernelInside(), cmErrorNotSupported);
    cm_lock_take();
    cmError_t error = cm_wait_device(current);
    cm_lock_give();
    return cm_fail(error ? error : cm_sticky(current));
}

cmError_t cmDeviceReset(void) {
    cmError_t error = begin();
    if (error || !cm_settings.devices) return cm_fail(error);
    cm_lock_take();
    error = cm_wait_device(current);
    cm_devices[current].sticky = cmSuccess;
    cm_devices[current].peers = 0;
    cm_device_free_all(current);
    cm_lock_give();
    cm_forget_error();
    return cm_fail(error);
}

/* ---- limits and preferences: kept, and without effect but for the stack size ---- */

cmError_t cmDeviceGetLimit(size_t *value, enum cmLimit limit) {
    CM_ENTER();
    CM_NEED(value, cmErrorInvalidValue);
    CM_NEED((unsigned)limit <= cmLimitPersistingL2CacheSize, cmErrorUnsupportedLimit);
    *value = cm_device()->limits[limit];
    return cmSuccess;
}

cmError_t cmDeviceSetLimit(enum cmLimit limit, size_t value) {
    CM_ENTER();
    CM_NEED((unsigned)limit <= cmLimitPersistingL2CacheSize, cmErrorUnsupportedLimit);
    cm_device()->limits[limit] = value;
    return cmSuccess;
}

cmError_t cmDeviceGetCacheConfig(enum cmFuncCache *config) {
    CM_ENTER();
    CM_NEED(config, cmErrorInvalidValue);
    *config = cmFuncCachePreferNone;
    return cmSuccess;
}

cmError_t cmDeviceSetCacheConfig(enum cmFuncCache config) {
    (void)config;
    CM_ENTER();
    return cmSuccess;
}

cmError_t cmDeviceGetSharedMemConfig(enum cmSharedMemConfig *config) {
    CM_ENTER();
    CM_NEED(config, cmErrorInvalidValue);
    *config = cmSharedMemBankSizeFourByte;
    return cmSuccess;
}

cmError_t cmDeviceSetSharedMemConfig(enum cmSharedMemConfig config) {
    (void)config;
    CM_ENTER();
    return cmSuccess;
}

cmError_t cmSetDeviceFlags(unsigned int flags) {
    CM_ENTER();
    CM_NEED(!(flags & ~0xffu), cmErrorInvalidValue);
    cm_device()->flags = flags;
    return cmSuccess;
}

cmError_t cmGetDeviceFlags(unsigned int *flags) {
    CM_ENTER();
    CM_NEED(flags, cmErrorInvalidValue);
    *flags = cm_device()->flags | cmDeviceMapHost;
    return cmSuccess;
}

cmError_t cmDeviceGetStreamPriorityRange(int *least, int *greatest) {
    CM_ENTER();
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cmSuccess;
}

cmError_t cmDeviceGetPCIBusId(char *text, int length, int device) {
    CM_ENTER();
    CM_NEED_DEVICE(device);
    CM_NEED(text && length >= 13, cmErrorInvalidValue);
    snprintf(text, (size_t)length, "0000:%02X:00.0", device);
    return cmSuccess;
}

cmError_t cmDeviceGetByPCIBusId(int *device, const char *text) {
    CM_ENTER();
    CM_NEED(device && text, cmErrorInvalidValue);
    unsigned int domain, bus;
    CM_NEED(sscanf(text, "%x:%x:", &domain, &bus) == 2 && bus < (unsigned)cm_settings.devices,
            cmErrorInvalidDevice);
    *device = (int)bus;
    return cmSuccess;
}

/* ---- peers ---- */

cmError_t cmDeviceCanAccessPeer(int *can, int device, int peer) {
    CM_ENTER();
    CM_NEED(can, cmErrorInvalidValue);
    CM_NEED_DEVICE(device);
    CM_NEED_DEVICE(peer);
    *can = device != peer;
    return cmSuccess;
}

cmError_t cmDeviceEnablePeerAccess(int peer, unsigned int flags) {
    CM_ENTER();
    CM_NEED(!flags, cmErrorInvalidValue);
    CM_NEED_DEVICE(peer);
    CM_NEED(peer != current, cmErrorInvalidDevice);
    uint64_t bit = (uint64_t)1 << peer;
    CM_NEED(!(cm_device()->peers & bit), cmErrorPeerAccessAlreadyEnabled);
    cm_device()->peers |= bit;
    return cmSuccess;
}

cmError_t cmDeviceDisablePeerAccess(int peer) {
    CM_ENTER();
    CM_NEED_DEVICE(peer);
    uint64_t bit = (uint64_t)1 << peer;
    CM_NEED(cm_device()->peers & bit, cmErrorPeerAccessNotEnabled);
    cm_device()->peers &= ~bit;
    return cmSuccess;
}

cmError_t cmDeviceGetP2PAttribute(int *value, enum cmDeviceP2PAttr attribute, int from, int to) {
    CM_ENTER();
    CM_NEED(value, cmErrorInvalidValue);
    CM_NEED_DEVICE(from);
    CM_NEED_DEVICE(to);
    CM_NEED(from != to, cmErrorInvalidDevice);
    *value = attribute != cmDevP2PAttrPerformanceRank;
    return cmSuccess;
}

cmError_t cmDriverGetVersion(int *version) {
    CM_NEED(version, cmErrorInvalidValue);
    *version = CMRT_VERSION;
    return cmSuccess;
}

cmError_t cmRuntimeGetVersion(int *version) { return cmDriverGetVersion(version); }
cmError_t cmProfilerStart(void) { return cmSuccess; }
cmError_t cmProfilerStop(void) { return cmSuccess; }

cmError_t cmOccupancyBlocks(int *blocks, int threads, size_t shared) {
    CM_ENTER();
    CM_NEED(blocks && threads > 0, cmErrorInvalidValue);
    int by_threads = threads > CM_MAX_THREADS_PER_BLOCK ? 0 : 2048 / ((threads + 31) / 32 * 32);
    int by_shared = shared ? (int)(CM_MAX_SHARED / shared) : 32;
    *blocks = by_threads < by_shared ? by_threads : by_shared;
    if (*blocks > 32) *blocks = 32;
    return cmSuccess;
}
