/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for a runtime with CUDA's functions under another prefix: -DPREFIX=hip, musa. */
#define STUB_RUNTIME
#include "stub.h"

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define F(name) JOIN(PREFIX, name)
enum { INVALID = 1, NO_MEMORY = 2, BAD_DEVICE = 101, NOT_READY = 600, UNKNOWN = 999 };

#define READY(name)                                                                               \
    do {                                                                                          \
        if (stub_device < 0) stub_device = 0;                                                     \
        if (stub_fails(#name)) return UNKNOWN;                                                    \
    } while (0)

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)
int F(GetDeviceCount)(int *count) {
    stub_visible(!strcmp(TEXT(PREFIX), "hip") ? "HIP_VISIBLE_DEVICES" : "MUSA_VISIBLE_DEVICES");
    *count = stub_number("STUB_DEVICES", 2);
    return 0;
}

int F(SetDevice)(int device) {
    if (device < 0 || device >= stub_number("STUB_DEVICES", 2)) return BAD_DEVICE;
    stub_device = device;
    return 0;
}

int F(MemGetInfo)(size_t *available, size_t *total) {
    READY(MemGetInfo);
    *total = stub_total();
    *available = *total - stub_used[stub_device];
    return 0;
}

static int get(void **pointer, size_t size, enum stub_kind kind) {
    *pointer = stub_allocate(size, kind, stub_device);
    return *pointer ? 0 : NO_MEMORY;
}

int F(Malloc)(void **pointer, size_t size) {
    READY(Malloc);
    stub_say("Malloc %zu device %d", size, stub_device);
    return get(pointer, size, STUB_DEVICE);
}

int F(Free)(void *pointer) {
    READY(Free);
    stub_say("Free");
    return stub_free(pointer, -1) ? 0 : INVALID;
}

int F(MallocHost)(void **pointer, size_t size) {
    READY(MallocHost);
    return get(pointer, size, STUB_HOST);
}

int F(FreeHost)(void *pointer) { return stub_free(pointer, STUB_HOST) ? 0 : INVALID; }

int F(MallocManaged)(void **pointer, size_t size, unsigned int flags) {
    READY(MallocManaged);
    if (flags != 1) return INVALID;
    return get(pointer, size, STUB_SHARED);
}

int F(Memcpy)(void *to, const void *from, size_t size, int kind) {
    READY(Memcpy);
    stub_say("Memcpy %zu kind %d", size, kind);
    return stub_copy(to, from, size, kind & 1, kind >> 1) ? 0 : INVALID;
}

int F(Memset)(void *to, int value, size_t size) {
    READY(Memset);
    stub_say("Memset %d %zu", value, size);
    return stub_fill(to, value, size) ? 0 : INVALID;
}

int F(DeviceSynchronize)(void) { return 0; }

int F(StreamCreate)(void **stream) {
    READY(StreamCreate);
    *stream = stub_queue_new(stub_device);
    return 0;
}

int F(StreamDestroy)(void *stream) {
    if (!stub_queue_check(stream)) return INVALID;
    stub_queue_free(stream);
    return 0;
}

int F(StreamSynchronize)(void *stream) {
    if (!stub_queue_check(stream)) return INVALID;
    stub_drain(stream, 1 << 30);
    return 0;
}

int F(StreamQuery)(void *stream) {
    if (!stub_queue_check(stream)) return INVALID;
    return stub_drain(stream, 1) ? NOT_READY : 0;
}

int F(MemcpyAsync)(void *to, const void *from, size_t size, int kind, void *stream) {
    READY(MemcpyAsync);
    stub_say("MemcpyAsync %zu kind %d", size, kind);
    return stub_put(stream, (struct stub_work){.to = to,
                                               .from = from,
                                               .size = size,
                                               .to_device = kind & 1,
                                               .from_device = kind >> 1})
               ? 0
               : INVALID;
}

int F(MemsetAsync)(void *to, int value, size_t size, void *stream) {
    READY(MemsetAsync);
    stub_say("MemsetAsync %d %zu", value, size);
    return stub_put(stream, (struct stub_work){.to = to, .size = size, .value = value}) ? 0
                                                                                        : INVALID;
}
