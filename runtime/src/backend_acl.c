/* Huawei Ascend, through AscendCL. Source of names, orders and numbers: CANN's headers
   acl/acl_base.h and acl/acl_rt.h, as published with its open runtime (2026-08). */
#include "vendor.h"
#include <string.h>

enum { HUGE_FIRST = 0, HBM_MEMORY = 1, DDR_MEMORY = 0, INITIALIZED_BEFORE = 100002 };

#define FUNCTIONS(FUNCTION)                                                                       \
    FUNCTION(int, aclInit, (const char *configuration))                                           \
    FUNCTION(int, aclFinalize, (void))                                                            \
    FUNCTION(int, aclrtGetDeviceCount, (uint32_t * count))                                        \
    FUNCTION(int, aclrtSetDevice, (int32_t device))                                               \
    FUNCTION(int, aclrtResetDevice, (int32_t device))                                             \
    FUNCTION(const char *, aclrtGetSocName, (void))                                               \
    FUNCTION(int, aclrtGetMemInfo, (int kind, size_t *available, size_t *total))                  \
    FUNCTION(int, aclrtMalloc, (void **pointer, size_t size, int policy))                         \
    FUNCTION(int, aclrtFree, (void *pointer))                                                     \
    FUNCTION(int, aclrtMallocHost, (void **pointer, size_t size))                                 \
    FUNCTION(int, aclrtFreeHost, (void *pointer))                                                 \
    FUNCTION(int, aclrtMemcpy, (void *to, size_t room, const void *from, size_t size, int kind))  \
    FUNCTION(int, aclrtMemset, (void *to, size_t room, int32_t value, size_t size))               \
    FUNCTION(int, aclrtCreateStream, (void **stream))                                             \
    FUNCTION(int, aclrtDestroyStream, (void *stream))                                             \
    FUNCTION(int, aclrtSynchronizeStream, (void *stream))                                         \
    FUNCTION(int, aclrtStreamQuery, (void *stream, int *status))                                  \
    FUNCTION(int, aclrtMemcpyAsync,                                                               \
             (void *to, size_t room, const void *from, size_t size, int kind, void *stream))      \
    FUNCTION(int, aclrtMemsetAsync,                                                               \
             (void *to, size_t room, int32_t value, size_t size, void *stream))

FUNCTIONS(CM_FUNCTION_POINTER)
static bool finalize;
static uint64_t used; /* devices that some thread has set */
static _Thread_local int current = -1;

static cmError_t error_of(int error) {
    static const struct cm_error_row rows[] = {
        {100000, cmErrorInvalidValue},     {107000, cmErrorInvalidValue},
        {107001, cmErrorInvalidDevice},    {107017, cmErrorInvalidResourceHandle},
        {200000, cmErrorMemoryAllocation}, {207000, cmErrorNotSupported},
        {207001, cmErrorMemoryAllocation},
    };
    return cm_vendor_error(error, rows, sizeof rows / sizeof rows[0]);
}

/* The device belongs to the thread, as CUDA's does, but the first call has to set it. */
static cmError_t use(int device) {
    if (current == device) return cmSuccess;
    int error = aclrtSetDevice_(device);
    if (error) return error_of(error);
    current = device;
    __atomic_fetch_or(&used, (uint64_t)1 << device, __ATOMIC_RELAXED);
    return cmSuccess;
}

static int open_library(char *why, size_t room) {
    static const char *const files[] = {"libascendcl.so", "libascendcl.so.1", NULL};
    static const struct cm_symbol symbols[] = {FUNCTIONS(CM_FUNCTION_SYMBOL)};
    uint32_t count = 0;
    if (!cm_vendor_load(files, symbols, sizeof symbols / sizeof symbols[0], why, room)) return -1;
    int error = aclInit_(NULL);
    finalize = !error; /* else somebody in the program has called it, and will end it */
    if (error && error != INITIALIZED_BEFORE) {
        strncpy(why, "aclInit fails", room - 1);
        return -1;
    }
    return aclrtGetDeviceCount_(&count) ? 0 : (int)count;
}

static void close_library(void) {
    for (int device = 0; device < CM_MAX_DEVICES; device++)
        if (finalize && used >> device & 1) aclrtResetDevice_(device);
    if (finalize) aclFinalize_();
}

static cmError_t memory(int device, size_t *available, size_t *total) {
    cmError_t error = use(device);
    if (error) return error;
    int failed = aclrtGetMemInfo_(HBM_MEMORY, available, total);
    /* Parts for inference have no HBM. */
    if (!failed && !*total) failed = aclrtGetMemInfo_(DDR_MEMORY, available, total);
    return error_of(failed);
}

static void describe(struct cmDeviceProp *p, int device) {
    size_t available = 0, total = 0;
    memory(device, &available, &total);
    cm_vendor_describe(p, device, aclrtGetSocName_(), total);
}

static cmError_t allocate(int device, void **pointer, size_t size, enum cm_memory kind) {
    CM_RETURN_ON(device, kind == CM_PINNED ? aclrtMallocHost_(pointer, size)
                                           : aclrtMalloc_(pointer, size, HUGE_FIRST));
}

static void release(int device, void *pointer, size_t size, enum cm_memory kind) {
    (void)size;
    if (use(device)) return;
    if (kind == CM_PINNED)
        aclrtFreeHost_(pointer);
    else
        aclrtFree_(pointer);
}

/* The directions have CUDA's numbers. */
static cmError_t copy(int device, void *to, const void *from, size_t size,
                      enum cmMemcpyKind kind) {
    CM_RETURN_ON(device, aclrtMemcpy_(to, size, from, size, (int)kind));
}

static cmError_t fill(int device, void *to, int value, size_t size) {
    CM_RETURN_ON(device, aclrtMemset_(to, size, value, size));
}

static cmError_t queue_new(int device, void **queue) {
    CM_RETURN_ON(device, aclrtCreateStream_(queue));
}

static void queue_free(int device, void *queue) {
    if (!use(device)) aclrtDestroyStream_(queue);
}

static cmError_t queue_wait(int device, void *queue) {
    CM_RETURN_ON(device, aclrtSynchronizeStream_(queue));
}

static cmError_t queue_done(int device, void *queue) {
    int status = 0; /* ACL_STREAM_STATUS_COMPLETE */
    cmError_t error = use(device);
    if (!error) error = error_of(aclrtStreamQuery_(queue, &status));
    return error ? error : status ? cmErrorNotReady : cmSuccess;
}

static cmError_t copy_async(int device, void *queue, void *to, const void *from, size_t size,
                            enum cmMemcpyKind kind) {
    CM_RETURN_ON(device, aclrtMemcpyAsync_(to, size, from, size, (int)kind, queue));
}

static cmError_t fill_async(int device, void *queue, void *to, int value, size_t size) {
    CM_RETURN_ON(device, aclrtMemsetAsync_(to, size, value, size, queue));
}

const struct cm_backend cm_backend_acl = {.name = "ascend",
                                          .visible = "ASCEND_RT_VISIBLE_DEVICES",
                                          .managed = false,
                                          .open = open_library,
                                          .close = close_library,
                                          .describe = describe,
                                          .allocate = allocate,
                                          .release = release,
                                          .copy = copy,
                                          .fill = fill,
                                          .memory = memory,
                                          .queue_new = queue_new,
                                          .queue_free = queue_free,
                                          .queue_wait = queue_wait,
                                          .queue_done = queue_done,
                                          .copy_async = copy_async,
                                          .fill_async = fill_async};
