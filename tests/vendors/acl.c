/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for libascendcl.so (AscendCL). */
#define STUB_RUNTIME
#include "stub.h"

enum {
    INVALID = 100000,
    UNINITIALIZED = 100001,
    REPEATED = 100002,
    NO_DEVICE = 107002,
    BAD_DEVICE = 107001,
    NO_MEMORY = 207001,
    FAILURE = 507899
};
static int initialized;

#define READY(name)                                                                               \
    do {                                                                                          \
        if (!initialized) {                                                                       \
            stub_say("WRONG %s before aclInit or after aclFinalize", #name);                      \
            return UNINITIALIZED;                                                                 \
        }                                                                                         \
        if (stub_fails(#name)) return FAILURE;                                                    \
    } while (0)
#define ON_DEVICE(name)                                                                           \
    do {                                                                                          \
        READY(name);                                                                              \
        if (!stub_needs_device(#name)) return NO_DEVICE;                                          \
    } while (0)

int aclInit(const char *configuration) {
    stub_say("aclInit %s", configuration ? configuration : "NULL");
    if (stub_fails("aclInit")) return FAILURE;
    if (initialized++) return REPEATED;
    return 0;
}

int aclFinalize(void) {
    READY(aclFinalize);
    stub_say("aclFinalize");
    initialized = 0;
    return 0;
}

int aclrtGetDeviceCount(uint32_t *count) {
    READY(aclrtGetDeviceCount);
    *count = (uint32_t)stub_number("STUB_DEVICES", 2);
    stub_visible("ASCEND_RT_VISIBLE_DEVICES");
    return 0;
}

int aclrtSetDevice(int32_t device) {
    READY(aclrtSetDevice);
    if (device < 0 || device >= stub_number("STUB_DEVICES", 2)) return BAD_DEVICE;
    stub_device = device;
    return 0;
}

int aclrtResetDevice(int32_t device) {
    READY(aclrtResetDevice);
    stub_say("aclrtResetDevice %d", device);
    return 0;
}

const char *aclrtGetSocName(void) { return "Ascend910B3"; }

int aclrtGetMemInfo(int kind, size_t *available, size_t *total) {
    ON_DEVICE(aclrtGetMemInfo);
    if (kind != 1) return INVALID;
    *total = stub_total();
    *available = *total - stub_used[stub_device];
    return 0;
}

int aclrtMalloc(void **pointer, size_t size, int policy) {
    ON_DEVICE(aclrtMalloc);
    stub_say("aclrtMalloc %zu policy %d device %d", size, policy, stub_device);
    if (!size || policy < 0 || policy > 2) return INVALID;
    *pointer = stub_allocate(size, STUB_DEVICE, stub_device);
    return *pointer ? 0 : NO_MEMORY;
}

int aclrtFree(void *pointer) {
    ON_DEVICE(aclrtFree);
    stub_say("aclrtFree");
    return stub_free(pointer, STUB_DEVICE) ? 0 : INVALID;
}

int aclrtMallocHost(void **pointer, size_t size) {
    ON_DEVICE(aclrtMallocHost);
    stub_say("aclrtMallocHost %zu", size);
    *pointer = stub_allocate(size, STUB_HOST, 0);
    return *pointer ? 0 : NO_MEMORY;
}

int aclrtFreeHost(void *pointer) {
    ON_DEVICE(aclrtFreeHost);
    return stub_free(pointer, STUB_HOST) ? 0 : INVALID;
}

/* ACL_MEMCPY_HOST_TO_HOST 0, HOST_TO_DEVICE 1, DEVICE_TO_HOST 2, DEVICE_TO_DEVICE 3 */
int aclrtMemcpy(void *to, size_t room, const void *from, size_t size, int kind) {
    ON_DEVICE(aclrtMemcpy);
    stub_say("aclrtMemcpy %zu of %zu kind %d", size, room, kind);
    if (size > room || kind < 0 || kind > 3) return INVALID;
    return stub_copy(to, from, size, kind & 1, kind >> 1) ? 0 : INVALID;
}

int aclrtMemset(void *to, size_t room, int32_t value, size_t size) {
    ON_DEVICE(aclrtMemset);
    stub_say("aclrtMemset %d %zu of %zu", value, size, room);
    return size <= room && stub_fill(to, value, size) ? 0 : INVALID;
}

int aclrtCreateStream(void **stream) {
    ON_DEVICE(aclrtCreateStream);
    *stream = stub_queue_new(stub_device);
    stub_say("aclrtCreateStream device %d", stub_device);
    return 0;
}

int aclrtDestroyStream(void *stream) {
    ON_DEVICE(aclrtDestroyStream);
    if (!stub_queue_check(stream)) return INVALID;
    stub_queue_free(stream);
    return 0;
}

int aclrtSynchronizeStream(void *stream) {
    ON_DEVICE(aclrtSynchronizeStream);
    if (!stub_queue_check(stream)) return INVALID;
    stub_say("aclrtSynchronizeStream");
    stub_drain(stream, 1 << 30);
    return 0;
}

/* ACL_STREAM_STATUS_COMPLETE 0, NOT_READY 1 */
int aclrtStreamQuery(void *stream, int *status) {
    ON_DEVICE(aclrtStreamQuery);
    if (!stub_queue_check(stream)) return INVALID;
    *status = stub_drain(stream, 1);
    return 0;
}

int aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t size, int kind,
                     void *stream) {
    ON_DEVICE(aclrtMemcpyAsync);
    stub_say("aclrtMemcpyAsync %zu of %zu kind %d", size, room, kind);
    if (size > room || kind < 0 || kind > 3) return INVALID;
    return stub_put(stream, (struct stub_work){.to = to,
                                               .from = from,
                                               .size = size,
                                               .to_device = kind & 1,
                                               .from_device = kind >> 1})
               ? 0
               : INVALID;
}

int aclrtMemsetAsync(void *to, size_t room, int32_t value, size_t size, void *stream) {
    ON_DEVICE(aclrtMemsetAsync);
    stub_say("aclrtMemsetAsync %d %zu of %zu", value, size, room);
    if (size > room) return INVALID;
    return stub_put(stream, (struct stub_work){.to = to, .size = size, .value = value}) ? 0
                                                                                        : INVALID;
}
