/* SPDX-License-Identifier: Apache-2.0 */
/* Huawei Ascend, through AscendCL. Source of names, orders and numbers: CANN's headers
   acl/acl_base.h and acl/acl_rt.h, as published with its open runtime (2026-08). */
#include "vendor.h"
#include <string.h>

enum { HUGE_FIRST = 0, HBM_MEMORY = 1, DDR_MEMORY = 0, INITIALIZED_BEFORE = 100002 };
enum { NOT_READY = -1 }; /* an answer and no error, there */

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

static cmError_t error_of(int error) {
    static const struct cm_error_row rows[] = {
        {100000, cmErrorInvalidValue},     {107000, cmErrorInvalidValue},
        {107001, cmErrorInvalidDevice},    {107017, cmErrorInvalidResourceHandle},
        {200000, cmErrorMemoryAllocation}, {207000, cmErrorNotSupported},
        {207001, cmErrorMemoryAllocation}, {NOT_READY, cmErrorNotReady},
    };
    return cm_vendor_error(error, rows, sizeof rows / sizeof rows[0]);
}

static int set_device(int device) {
    int error = aclrtSetDevice_(device);
    if (!error) __atomic_fetch_or(&used, (uint64_t)1 << device, __ATOMIC_RELAXED);
    return error;
}

/* Parts for inference have no HBM. */
static int memory(size_t *available, size_t *total) {
    int error = aclrtGetMemInfo_(HBM_MEMORY, available, total);
    return error || *total ? error : aclrtGetMemInfo_(DDR_MEMORY, available, total);
}

static int allocate(void **pointer, size_t size) {
    return aclrtMalloc_(pointer, size, HUGE_FIRST);
}

/* The directions have CUDA's numbers; the room behind `to` is asked for, too. */
static int copy(void *to, const void *from, size_t size, enum cmMemcpyKind kind) {
    return aclrtMemcpy_(to, size, from, size, (int)kind);
}

static int fill(void *to, int value, size_t size) { return aclrtMemset_(to, size, value, size); }

static int queue_done(void *queue) {
    int status = 0; /* ACL_STREAM_STATUS_COMPLETE */
    int error = aclrtStreamQuery_(queue, &status);
    return error ? error : status ? NOT_READY : 0;
}

static int copy_async(void *to, const void *from, size_t size, enum cmMemcpyKind kind,
                      void *queue) {
    return aclrtMemcpyAsync_(to, size, from, size, (int)kind, queue);
}

static int fill_async(void *to, int value, size_t size, void *queue) {
    return aclrtMemsetAsync_(to, size, value, size, queue);
}

static struct cm_vendor_calls calls;

static int open_library(char *why, size_t room) {
    static const char *const files[] = {"libascendcl.so", "libascendcl.so.1", NULL};
    static const struct cm_symbol symbols[] = {FUNCTIONS(CM_FUNCTION_SYMBOL)};
    uint32_t count = 0;
    if (!cm_vendor_load(files, symbols, sizeof symbols / sizeof symbols[0], why, room)) return -1;
    calls = (struct cm_vendor_calls){.error_of = error_of,
                                     .name = aclrtGetSocName_,
                                     .set_device = set_device,
                                     .memory = memory,
                                     .allocate = allocate,
                                     .allocate_pinned = aclrtMallocHost_,
                                     .release = aclrtFree_,
                                     .release_pinned = aclrtFreeHost_,
                                     .copy = copy,
                                     .fill = fill,
                                     .queue_new = aclrtCreateStream_,
                                     .queue_free = aclrtDestroyStream_,
                                     .queue_wait = aclrtSynchronizeStream_,
                                     .queue_done = queue_done,
                                     .copy_async = copy_async,
                                     .fill_async = fill_async};
    cm_vendor_serve(&calls);
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

const struct cm_backend cm_backend_acl = {.name = "ascend",
                                          .visible = "ASCEND_RT_VISIBLE_DEVICES",
                                          .open = open_library,
                                          .close = close_library,
                                          CM_VENDOR_FUNCTIONS};
