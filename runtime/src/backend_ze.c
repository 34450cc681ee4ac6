/* SPDX-License-Identifier: Apache-2.0 */
/* Intel GPUs, through Level Zero. Source of names, orders and numbers: ze_api.h of Level Zero 1.8
   (Debian's libze-dev) and of its repository (2026-06). */
#include "vendor.h"
#include <stdio.h>
#include <string.h>

/* Structures of the interface, as far as they are used here; each begins with its type. */
enum {
    DEVICE_PROPERTIES = 0x3,
    MEMORY_PROPERTIES = 0x7,
    CONTEXT_DESCRIPTION = 0xd,
    QUEUE_DESCRIPTION = 0xe,
    DEVICE_MEMORY_DESCRIPTION = 0x15,
    HOST_MEMORY_DESCRIPTION = 0x16
};
enum { SYNCHRONOUS = 1, ASYNCHRONOUS = 2, MAX_DRIVERS = 8, ALIGNMENT = 256 };
struct description {
    int type;
    const void *next;
    uint32_t flags;
};
struct memory_description {
    int type;
    const void *next;
    uint32_t flags, ordinal;
};
struct queue_description {
    int type;
    const void *next;
    uint32_t ordinal, index, flags;
    int mode, priority;
};
struct device_properties {
    int type;
    void *next;
    int kind;
    uint32_t vendor, device, flags, subdevice, clock;
    uint64_t largest;
    uint32_t contexts, priority, threads_per_eu, width, eus, subslices, slices;
    uint64_t timer;
    uint32_t timestamp_bits, kernel_timestamp_bits;
    uint8_t uuid[16];
    char name[256];
};
struct memory_properties {
    int type;
    void *next;
    uint32_t flags, clock, width;
    uint64_t size;
    char name[256];
};

#define FUNCTIONS(FUNCTION)                                                                       \
    FUNCTION(int, zeInit, (uint32_t flags))                                                       \
    FUNCTION(int, zeDriverGet, (uint32_t * count, void **drivers))                                \
    FUNCTION(int, zeDeviceGet, (void *driver, uint32_t *count, void **devices))                   \
    FUNCTION(int, zeDeviceGetProperties, (void *device, struct device_properties *properties))    \
    FUNCTION(int, zeDeviceGetMemoryProperties,                                                    \
             (void *device, uint32_t *count, struct memory_properties *properties))               \
    FUNCTION(int, zeContextCreate, (void *driver, const struct description *, void **context))    \
    FUNCTION(int, zeContextDestroy, (void *context))                                              \
    FUNCTION(int, zeMemAllocDevice,                                                               \
             (void *context, const struct memory_description *, size_t size, size_t alignment,    \
              void *device, void **pointer))                                                      \
    FUNCTION(int, zeMemAllocHost,                                                                 \
             (void *context, const struct description *, size_t size, size_t alignment,           \
              void **pointer))                                                                    \
    FUNCTION(int, zeMemAllocShared,                                                               \
             (void *context, const struct memory_description *, const struct description *,       \
              size_t size, size_t alignment, void *device, void **pointer))                       \
    FUNCTION(int, zeMemFree, (void *context, void *pointer))                                      \
    FUNCTION(int, zeCommandListCreateImmediate,                                                   \
             (void *context, void *device, const struct queue_description *, void **list))        \
    FUNCTION(int, zeCommandListDestroy, (void *list))                                             \
    FUNCTION(int, zeCommandListHostSynchronize, (void *list, uint64_t timeout))                   \
    FUNCTION(int, zeCommandListAppendBarrier,                                                     \
             (void *list, void *signal, uint32_t waits, void **events))                           \
    FUNCTION(int, zeCommandListAppendMemoryCopy,                                                  \
             (void *list, void *to, const void *from, size_t size, void *signal, uint32_t waits,  \
              void **events))                                                                     \
    FUNCTION(int, zeCommandListAppendMemoryFill,                                                  \
             (void *list, void *to, const void *pattern, size_t pattern_size, size_t size,        \
              void *signal, uint32_t waits, void **events))

FUNCTIONS(CM_FUNCTION_POINTER)

static void *context;
static struct {
    void *device, *list; /* list: a synchronous one, which one thread may use at a time */
    pthread_mutex_t busy;
} devices[CM_MAX_DEVICES];
static uint32_t device_count;

static cmError_t error_of(int error) {
    static const struct cm_error_row rows[] = {
        {1, cmErrorNotReady},
        {0x70000002, cmErrorMemoryAllocation},
        {0x70000003, cmErrorMemoryAllocation},
        {0x78000003, cmErrorNotSupported},
        {0x78000004, cmErrorInvalidValue},
        {0x78000005, cmErrorInvalidResourceHandle},
        {0x78000007, cmErrorInvalidValue},
        {0x78000008, cmErrorInvalidValue},
        {0x78000009, cmErrorMemoryAllocation},
    };
    return cm_vendor_error(error, rows, sizeof rows / sizeof rows[0]);
}

/* The devices of the first driver that has any: a context holds those of one. */
static int find_devices(void) {
    uint32_t drivers = MAX_DRIVERS;
    void *driver[MAX_DRIVERS], *found[CM_MAX_DEVICES];
    struct description description = {.type = CONTEXT_DESCRIPTION};
    if (zeDriverGet_(&drivers, driver)) return 0;
    for (uint32_t i = 0; i < drivers && i < MAX_DRIVERS && !device_count; i++) {
        device_count = CM_MAX_DEVICES;
        if (zeDeviceGet_(driver[i], &device_count, found)) device_count = 0;
        if (device_count && zeContextCreate_(driver[i], &description, &context)) device_count = 0;
    }
    for (uint32_t i = 0; i < device_count; i++) {
        devices[i].device = found[i];
        pthread_mutex_init(&devices[i].busy, NULL);
    }
    return (int)device_count;
}

static int open_library(char *why, size_t room) {
    static const char *const files[] = {"libze_loader.so.1", "libze_loader.so", NULL};
    static const struct cm_symbol symbols[] = {FUNCTIONS(CM_FUNCTION_SYMBOL)};
    if (!cm_vendor_load(files, symbols, sizeof symbols / sizeof symbols[0], why, room)) return -1;
    if (zeInit_(0)) {
        snprintf(why, room, "zeInit fails: no driver of Level Zero");
        return -1;
    }
    return find_devices();
}

static void close_library(void) {
    for (uint32_t i = 0; i < device_count; i++)
        if (devices[i].list) zeCommandListDestroy_(devices[i].list);
    if (context) zeContextDestroy_(context);
}

static void describe(struct cmDeviceProp *p, int device) {
    struct device_properties properties = {.type = DEVICE_PROPERTIES};
    struct memory_properties memory[8] = {{0}};
    uint32_t count = 8;
    size_t total = 0;
    for (int i = 0; i < 8; i++) memory[i].type = MEMORY_PROPERTIES;
    if (zeDeviceGetMemoryProperties_(devices[device].device, &count, memory)) count = 0;
    for (uint32_t i = 0; i < count && i < 8; i++) total += memory[i].size;
    if (zeDeviceGetProperties_(devices[device].device, &properties)) properties.name[0] = 0;
    cm_vendor_describe(p, device, properties.name, total);
    if (properties.slices)
        p->multiProcessorCount = (int)(properties.slices * properties.subslices);
}

static cmError_t allocate(int device, void **pointer, size_t size, enum cm_memory kind) {
    struct memory_description memory = {.type = DEVICE_MEMORY_DESCRIPTION};
    struct description host = {.type = HOST_MEMORY_DESCRIPTION};
    void *owner = devices[device].device;
    if (kind == CM_PINNED)
        return error_of(zeMemAllocHost_(context, &host, size, ALIGNMENT, pointer));
    if (kind == CM_MANAGED)
        return error_of(
            zeMemAllocShared_(context, &memory, &host, size, ALIGNMENT, owner, pointer));
    return error_of(zeMemAllocDevice_(context, &memory, size, ALIGNMENT, owner, pointer));
}

static void release(int device, void *pointer, size_t size, enum cm_memory kind) {
    (void)device, (void)size, (void)kind;
    zeMemFree_(context, pointer);
}

static cmError_t list_new(int device, int mode, void **list) {
    struct queue_description description = {.type = QUEUE_DESCRIPTION, .mode = mode};
    return error_of(
        zeCommandListCreateImmediate_(context, devices[device].device, &description, list));
}

/* The device's own list, held. */
static cmError_t list_take(int device) {
    pthread_mutex_lock(&devices[device].busy);
    if (devices[device].list) return cmSuccess;
    return list_new(device, SYNCHRONOUS, &devices[device].list);
}

static cmError_t copy(int device, void *to, const void *from, size_t size,
                      enum cmMemcpyKind kind) {
    (void)kind; /* addresses are unified */
    cmError_t error = list_take(device);
    if (!error)
        error = error_of(
            zeCommandListAppendMemoryCopy_(devices[device].list, to, from, size, NULL, 0, NULL));
    pthread_mutex_unlock(&devices[device].busy);
    return error;
}

static cmError_t fill(int device, void *to, int value, size_t size) {
    unsigned char pattern = (unsigned char)value;
    cmError_t error = list_take(device);
    if (!error)
        error = error_of(zeCommandListAppendMemoryFill_(devices[device].list, to, &pattern, 1,
                                                        size, NULL, 0, NULL));
    pthread_mutex_unlock(&devices[device].busy);
    return error;
}

static cmError_t queue_new(int device, void **queue) {
    return list_new(device, ASYNCHRONOUS, queue);
}

static void queue_free(int device, void *queue) {
    (void)device;
    zeCommandListDestroy_(queue);
}

static cmError_t queue_wait(int device, void *queue) {
    (void)device;
    return error_of(zeCommandListHostSynchronize_(queue, UINT64_MAX));
}

static cmError_t queue_done(int device, void *queue) {
    (void)device;
    return error_of(zeCommandListHostSynchronize_(queue, 0)); /* 1: not ready */
}

/* Commands of a list run in any order, but for barriers. */
static int barrier(void *queue) { return zeCommandListAppendBarrier_(queue, NULL, 0, NULL); }

static cmError_t copy_async(int device, void *queue, void *to, const void *from, size_t size,
                            enum cmMemcpyKind kind) {
    (void)device, (void)kind;
    int error = barrier(queue);
    if (!error) error = zeCommandListAppendMemoryCopy_(queue, to, from, size, NULL, 0, NULL);
    if (!error) error = barrier(queue);
    return error_of(error);
}

/* When the pattern of a fill is read is not said: each byte that there is stays where it is. */
#define BYTES_4(n) n, n + 1, n + 2, n + 3
#define BYTES_16(n) BYTES_4(n), BYTES_4(n + 4), BYTES_4(n + 8), BYTES_4(n + 12)
#define BYTES_64(n) BYTES_16(n), BYTES_16(n + 16), BYTES_16(n + 32), BYTES_16(n + 48)
static const unsigned char patterns[256] = {BYTES_64(0), BYTES_64(64), BYTES_64(128),
                                            BYTES_64(192)};

static cmError_t fill_async(int device, void *queue, void *to, int value, size_t size) {
    (void)device;
    const unsigned char *pattern = &patterns[value & 255];
    int error = barrier(queue);
    if (!error) error = zeCommandListAppendMemoryFill_(queue, to, pattern, 1, size, NULL, 0, NULL);
    if (!error) error = barrier(queue);
    return error_of(error);
}

const struct cm_backend cm_backend_ze = {.name = "xpu",
                                         .visible = "ZE_AFFINITY_MASK",
                                         .managed = true,
                                         .open = open_library,
                                         .close = close_library,
                                         .describe = describe,
                                         .allocate = allocate,
                                         .release = release,
                                         .copy = copy,
                                         .fill = fill,
                                         .memory = NULL,
                                         .queue_new = queue_new,
                                         .queue_free = queue_free,
                                         .queue_wait = queue_wait,
                                         .queue_done = queue_done,
                                         .copy_async = copy_async,
                                         .fill_async = fill_async};
