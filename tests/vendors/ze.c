/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for libze_loader.so.1 (Level Zero). */
#define STUB_RUNTIME
#include "stub.h"

enum {
    NOT_READY = 1,
    NO_MEMORY = 0x70000003,
    LOST = 0x70000001,
    UNINITIALIZED = 0x78000001,
    INVALID = 0x78000004,
    NULL_HANDLE = 0x78000005,
    BAD_SIZE = 0x78000008
};
enum { DRIVER = 0xd1, CONTEXT = 0xc0 };
static int initialized, contexts, devices[8];
static void *driver = (void *)DRIVER, *context = (void *)CONTEXT;

/* Each structure begins with its type. */
static int is(const void *structure, int type) {
    if (structure && *(const int *)structure == type) return 1;
    stub_say("WRONG type of a structure: %d, not %d", structure ? *(const int *)structure : -1,
             type);
    return 0;
}

static int number(void *device) {
    int i = (int)((int *)device - devices);
    if (i >= 0 && i < stub_number("STUB_DEVICES", 2)) return i;
    stub_say("WRONG device");
    return -1;
}

#define READY(name)                                                                               \
    do {                                                                                          \
        if (!initialized) return UNINITIALIZED;                                                   \
        if (stub_fails(#name)) return LOST;                                                       \
    } while (0)
#define IN_CONTEXT(name)                                                                          \
    do {                                                                                          \
        READY(name);                                                                              \
        if (c == context && contexts) break;                                                      \
        stub_say("WRONG context in %s", #name);                                                   \
        return NULL_HANDLE;                                                                       \
    } while (0)

int zeInit(uint32_t flags) {
    stub_say("zeInit %u", flags);
    initialized = 1;
    return 0;
}

int zeDriverGet(uint32_t *count, void **drivers) {
    READY(zeDriverGet);
    if (drivers && *count) drivers[0] = driver;
    *count = 1;
    return 0;
}

int zeDeviceGet(void *d, uint32_t *count, void **list) {
    READY(zeDeviceGet);
    uint32_t there = (uint32_t)stub_number("STUB_DEVICES", 2);
    stub_visible("ZE_AFFINITY_MASK");
    if (d != driver) return NULL_HANDLE;
    if (!*count || *count > there) *count = there;
    for (uint32_t i = 0; list && i < *count; i++) list[i] = &devices[i];
    return 0;
}

int zeDeviceGetProperties(void *device, void *properties) {
    READY(zeDeviceGetProperties);
    if (number(device) < 0 || !is(properties, 0x3)) return INVALID;
    strcpy((char *)properties + 112, "Stub GPU"); /* ze_device_properties_t.name */
    return 0;
}

struct memory { /* ze_device_memory_properties_t */
    int type;
    void *next;
    uint32_t flags, clock, width;
    uint64_t size;
    char name[256];
};
int zeDeviceGetMemoryProperties(void *device, uint32_t *count, struct memory *list) {
    READY(zeDeviceGetMemoryProperties);
    if (number(device) < 0) return INVALID;
    if (list && *count && is(list, 0x7)) list[0].size = stub_total();
    *count = 1;
    return 0;
}

int zeContextCreate(void *d, const void *description, void **made) {
    READY(zeContextCreate);
    if (d != driver || !is(description, 0xd)) return INVALID;
    contexts++;
    stub_say("zeContextCreate");
    *made = context;
    return 0;
}

int zeContextDestroy(void *c) {
    IN_CONTEXT(zeContextDestroy);
    contexts--;
    stub_say("zeContextDestroy");
    return 0;
}

int zeMemAllocDevice(void *c, const void *description, size_t size, size_t alignment, void *device,
                     void **pointer) {
    IN_CONTEXT(zeMemAllocDevice);
    int n = number(device);
    stub_say("zeMemAllocDevice %zu alignment %zu device %d", size, alignment, n);
    if (n < 0 || !is(description, 0x15)) return INVALID;
    *pointer = stub_allocate(size, STUB_DEVICE, n);
    return *pointer ? 0 : NO_MEMORY;
}

int zeMemAllocHost(void *c, const void *description, size_t size, size_t alignment,
                   void **pointer) {
    IN_CONTEXT(zeMemAllocHost);
    (void)alignment;
    stub_say("zeMemAllocHost %zu", size);
    if (!is(description, 0x16)) return INVALID;
    *pointer = stub_allocate(size, STUB_HOST, 0);
    return *pointer ? 0 : NO_MEMORY;
}

int zeMemAllocShared(void *c, const void *of_device, const void *of_host, size_t size,
                     size_t alignment, void *device, void **pointer) {
    IN_CONTEXT(zeMemAllocShared);
    (void)alignment;
    int n = number(device);
    stub_say("zeMemAllocShared %zu device %d", size, n);
    if (n < 0 || !is(of_device, 0x15) || !is(of_host, 0x16)) return INVALID;
    *pointer = stub_allocate(size, STUB_SHARED, n);
    return *pointer ? 0 : NO_MEMORY;
}

int zeMemFree(void *c, void *pointer) {
    IN_CONTEXT(zeMemFree);
    stub_say("zeMemFree");
    return stub_free(pointer, -1) ? 0 : INVALID;
}

struct queue { /* ze_command_queue_desc_t */
    int type;
    const void *next;
    uint32_t ordinal, index, flags;
    int mode, priority;
};
struct list {
    struct stub_queue queue;
    int asynchronous, barrier; /* a barrier is the last command */
};
int zeCommandListCreateImmediate(void *c, void *device, const struct queue *description,
                                 void **list) {
    IN_CONTEXT(zeCommandListCreateImmediate);
    int n = number(device);
    if (n < 0 || !is(description, 0xe)) return INVALID;
    stub_say("zeCommandListCreateImmediate device %d mode %d", n, description->mode);
    struct list *made = realloc(stub_queue_new(n), sizeof *made);
    made->queue.last = &made->queue.first;
    made->asynchronous = description->mode == 2;
    made->barrier = 1;
    *list = made;
    return 0;
}

int zeCommandListDestroy(void *list) {
    READY(zeCommandListDestroy);
    if (!stub_queue_check(list)) return NULL_HANDLE;
    stub_queue_free(list);
    return 0;
}

int zeCommandListHostSynchronize(void *list, uint64_t timeout) {
    READY(zeCommandListHostSynchronize);
    if (timeout != UINT64_MAX && timeout) stub_say("WRONG timeout");
    if (!stub_queue_check(list)) return NULL_HANDLE;
    if (!timeout) return stub_drain(list, 1) ? NOT_READY : 0;
    stub_drain(list, 1 << 30);
    return 0;
}

int zeCommandListAppendBarrier(void *list, void *signal, uint32_t waits, void **events) {
    READY(zeCommandListAppendBarrier);
    if (signal || waits || events) stub_say("WRONG events");
    if (!stub_queue_check(list)) return NULL_HANDLE;
    ((struct list *)list)->barrier = 1;
    return 0;
}

/* Commands may overtake each other where no barrier is between them. */
static int behind_barrier(struct list *l, struct stub_work work) {
    if (!l->barrier) stub_say("WRONG command without a barrier before it");
    l->barrier = 0;
    work.to_device = work.from_device = -1;
    return stub_put(&l->queue, work) ? 0 : INVALID;
}

int zeCommandListAppendMemoryCopy(void *list, void *to, const void *from, size_t size,
                                  void *signal, uint32_t waits, void **events) {
    READY(zeCommandListAppendMemoryCopy);
    stub_say("zeCommandListAppendMemoryCopy %zu", size);
    if (!stub_queue_check(list)) return NULL_HANDLE;
    if (signal || waits || events) stub_say("WRONG events");
    struct list *l = list;
    if (!l->asynchronous) return stub_copy(to, from, size, -1, -1) ? 0 : INVALID;
    stub_say("asynchronous copy %zu", size);
    return behind_barrier(l, (struct stub_work){.to = to, .from = from, .size = size});
}

int zeCommandListAppendMemoryFill(void *list, void *to, const void *pattern, size_t pattern_size,
                                  size_t size, void *signal, uint32_t waits, void **events) {
    READY(zeCommandListAppendMemoryFill);
    stub_say("zeCommandListAppendMemoryFill %zu by %zu", size, pattern_size);
    if (!stub_queue_check(list)) return NULL_HANDLE;
    if (signal || waits || events) stub_say("WRONG events");
    if (pattern_size != 1) return BAD_SIZE;
    struct list *l = list;
    if (l->asynchronous) {
        stub_say("asynchronous fill %zu", size);
        return behind_barrier(l, (struct stub_work){.to = to, .size = size, .pattern = pattern});
    }
    return stub_fill(to, *(const unsigned char *)pattern, size) ? 0 : INVALID;
}
