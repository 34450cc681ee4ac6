/* SPDX-License-Identifier: Apache-2.0 */
/* Cambricon, through CNRT. Source of names, orders and numbers: cnrt.h 6.14 (CNToolkit), as
   republished in public repositories. */
#include "vendor.h"

enum { HOST_TO_DEVICE = 0, DEVICE_TO_DEVICE = 1, DEVICE_TO_HOST = 2, HOST_TO_HOST = 3 };

#define FUNCTIONS(FUNCTION)                                                                       \
    FUNCTION(int, cnrtGetDeviceCount, (unsigned int *count))                                      \
    FUNCTION(int, cnrtSetDevice, (int device))                                                    \
    FUNCTION(int, cnrtMemGetInfo, (size_t * available, size_t * total))                           \
    FUNCTION(int, cnrtMalloc, (void **pointer, size_t size))                                      \
    FUNCTION(int, cnrtFree, (void *pointer))                                                      \
    FUNCTION(int, cnrtHostMalloc, (void **pointer, size_t size))                                  \
    FUNCTION(int, cnrtFreeHost, (void *pointer))                                                  \
    FUNCTION(int, cnrtMemcpy, (void *to, void *from, size_t size, int direction))                 \
    FUNCTION(int, cnrtMemset, (void *to, int value, size_t size))                                 \
    FUNCTION(int, cnrtQueueCreate, (void **queue))                                                \
    FUNCTION(int, cnrtQueueDestroy, (void *queue))                                                \
    FUNCTION(int, cnrtQueueSync, (void *queue))                                                   \
    FUNCTION(int, cnrtQueueQuery, (void *queue))                                                  \
    FUNCTION(int, cnrtMemsetAsync, (void *to, int value, size_t size, void *queue))

FUNCTIONS(CM_FUNCTION_POINTER)
/* The header makes its name one of these; all have the same parameters. */
static const char *const copy_names[] = {"cnrtMemcpyAsync_V3", "cnrtMemcpyAsync_V2",
                                         "cnrtMemcpyAsync"};
static int (*memcpy_async)(void *to, const void *from, size_t size, void *queue, int direction);

static cmError_t error_of(int error) {
    static const struct cm_error_row rows[] = {
        {100004, cmErrorNoDevice},         {100005, cmErrorInvalidDevice},
        {100006, cmErrorInvalidValue},     {100010, cmErrorMemoryAllocation},
        {100050, cmErrorNotSupported},     {100014, cmErrorInvalidResourceHandle},
        {100100, cmErrorMemoryAllocation}, {632014, cmErrorNotReady},
    };
    return cm_vendor_error(error, rows, sizeof rows / sizeof rows[0]);
}

/* cnrtDeviceProp_t differs between versions, so its name is not read. */
static const char *name(void) { return "Cambricon MLU"; }

/* The directions have numbers of their own. */
static const int directions[] = {[cmMemcpyHostToHost] = HOST_TO_HOST,
                                 [cmMemcpyHostToDevice] = HOST_TO_DEVICE,
                                 [cmMemcpyDeviceToHost] = DEVICE_TO_HOST,
                                 [cmMemcpyDeviceToDevice] = DEVICE_TO_DEVICE};

static int copy(void *to, const void *from, size_t size, enum cmMemcpyKind kind) {
    return cnrtMemcpy_(to, (void *)(uintptr_t)from, size, directions[kind]);
}

/* The queue comes before the direction. */
static int copy_async(void *to, const void *from, size_t size, enum cmMemcpyKind kind,
                      void *queue) {
    return memcpy_async(to, from, size, queue, directions[kind]);
}

static struct cm_vendor_calls calls;

static int open_library(char *why, size_t room) {
    static const char *const files[] = {"libcnrt.so", "libcnrt.so.6", NULL};
    static const struct cm_symbol symbols[] = {FUNCTIONS(CM_FUNCTION_SYMBOL)};
    unsigned int count = 0;
    if (!cm_vendor_load(files, symbols, sizeof symbols / sizeof symbols[0], why, room)) return -1;
    for (size_t i = 0; i < sizeof copy_names / sizeof copy_names[0] && !memcpy_async; i++) {
        struct cm_symbol name = {copy_names[i], (void **)(void *)&memcpy_async};
        cm_vendor_load(files, &name, 1, why, room);
    }
    calls = (struct cm_vendor_calls){.error_of = error_of,
                                     .name = name,
                                     .set_device = cnrtSetDevice_,
                                     .memory = cnrtMemGetInfo_,
                                     .allocate = cnrtMalloc_,
                                     .allocate_pinned = cnrtHostMalloc_,
                                     .release = cnrtFree_,
                                     .release_pinned = cnrtFreeHost_,
                                     .copy = copy,
                                     .fill = cnrtMemset_,
                                     .queue_new = cnrtQueueCreate_,
                                     .queue_free = cnrtQueueDestroy_,
                                     .queue_wait = cnrtQueueSync_,
                                     .queue_done = cnrtQueueQuery_,
                                     .copy_async = memcpy_async ? copy_async : NULL,
                                     .fill_async = cnrtMemsetAsync_};
    cm_vendor_serve(&calls);
    return cnrtGetDeviceCount_(&count) ? 0 : (int)count;
}

const struct cm_backend cm_backend_cnrt = {
    .name = "mlu", .visible = "MLU_VISIBLE_DEVICES", .open = open_library, CM_VENDOR_FUNCTIONS};
