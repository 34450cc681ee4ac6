/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for libcnrt.so (CNRT). */
#define STUB_RUNTIME
#include "stub.h"

enum {
    NO_DEVICE = 100004,
    BAD_DEVICE = 100005,
    INVALID = 100006,
    NO_MEMORY = 100100,
    UNKNOWN = 999999,
    NOT_READY = 632014
};

#define READY(name)                                                                               \
    do {                                                                                          \
        if (stub_fails(#name)) return UNKNOWN;                                                    \
    } while (0)

int cnrtGetDeviceCount(unsigned int *count) {
    READY(cnrtGetDeviceCount);
    *count = (unsigned)stub_number("STUB_DEVICES", 2);
    stub_visible("MLU_VISIBLE_DEVICES");
    return *count ? 0 : NO_DEVICE;
}

int cnrtSetDevice(int device) {
    READY(cnrtSetDevice);
    if (device < 0 || device >= stub_number("STUB_DEVICES", 2)) return BAD_DEVICE;
    stub_device = device;
    return 0;
}

int cnrtMemGetInfo(size_t *available, size_t *total) {
    READY(cnrtMemGetInfo);
    *total = stub_total();
    *available = *total - stub_used[stub_device < 0 ? 0 : stub_device];
    return 0;
}

int cnrtMalloc(void **pointer, size_t size) {
    READY(cnrtMalloc);
    stub_say("cnrtMalloc %zu device %d", size, stub_device);
    if (!stub_needs_device("cnrtMalloc")) return BAD_DEVICE;
    *pointer = stub_allocate(size, STUB_DEVICE, stub_device);
    return *pointer ? 0 : NO_MEMORY;
}

int cnrtFree(void *pointer) {
    READY(cnrtFree);
    stub_say("cnrtFree");
    return stub_free(pointer, STUB_DEVICE) ? 0 : INVALID;
}

int cnrtHostMalloc(void **pointer, size_t size) {
    READY(cnrtHostMalloc);
    stub_say("cnrtHostMalloc %zu", size);
    *pointer = stub_allocate(size, STUB_HOST, 0);
    return *pointer ? 0 : NO_MEMORY;
}

int cnrtFreeHost(void *pointer) {
    READY(cnrtFreeHost);
    return stub_free(pointer, STUB_HOST) ? 0 : INVALID;
}

/* cnrtMemcpyHostToDev 0, DevToDev 1, DevToHost 2, HostToHost 3 */
int cnrtMemcpy(void *to, void *from, size_t size, int direction) {
    READY(cnrtMemcpy);
    stub_say("cnrtMemcpy %zu direction %d", size, direction);
    if (direction < 0 || direction > 3) return INVALID;
    return stub_copy(to, from, size, direction < 2, direction == 1 || direction == 2) ? 0
                                                                                      : INVALID;
}

int cnrtMemset(void *to, int value, size_t size) {
    READY(cnrtMemset);
    stub_say("cnrtMemset %d %zu", value, size);
    return stub_fill(to, value, size) ? 0 : INVALID;
}

int cnrtQueueCreate(void **queue) {
    READY(cnrtQueueCreate);
    if (!stub_needs_device("cnrtQueueCreate")) return BAD_DEVICE;
    *queue = stub_queue_new(stub_device);
    return 0;
}

int cnrtQueueDestroy(void *queue) {
    READY(cnrtQueueDestroy);
    if (!stub_queue_check(queue)) return INVALID;
    stub_queue_free(queue);
    return 0;
}

int cnrtQueueSync(void *queue) {
    READY(cnrtQueueSync);
    if (!stub_queue_check(queue)) return INVALID;
    stub_drain(queue, 1 << 30);
    return 0;
}

int cnrtQueueQuery(void *queue) {
    READY(cnrtQueueQuery);
    if (!stub_queue_check(queue)) return INVALID;
    return stub_drain(queue, 1) ? NOT_READY : 0;
}

/* The queue comes before the direction. */
int cnrtMemcpyAsync_V2(void *to, void *from, size_t size, void *queue, int direction) {
    READY(cnrtMemcpyAsync_V2);
    stub_say("cnrtMemcpyAsync_V2 %zu direction %d", size, direction);
    if (direction < 0 || direction > 3) return INVALID;
    return stub_put(queue, (struct stub_work){.to = to,
                                              .from = from,
                                              .size = size,
                                              .to_device = direction < 2,
                                              .from_device = direction == 1 || direction == 2})
               ? 0
               : INVALID;
}

int cnrtMemsetAsync(void *to, int value, size_t size, void *queue) {
    READY(cnrtMemsetAsync);
    stub_say("cnrtMemsetAsync %d %zu", value, size);
    return stub_put(queue, (struct stub_work){.to = to, .size = size, .value = value}) ? 0
                                                                                       : INVALID;
}
