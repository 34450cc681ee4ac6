/* SPDX-License-Identifier: Apache-2.0 */
/* Vendors whose runtime has CUDA's functions under another prefix: HIP, MUSA, and CUDA itself.
   Source of the names: hip_runtime_api.h (HIP 5.2 and 6.4), the porting table of torch_musa, the
   CUDA Runtime API reference. */
#include "vendor.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct vendor {
    const char *target, *alias, *prefix, *visible, *name, *files[4];
} vendors[] = {
    {"rocm",
     "hip",
     "hip",
     NULL,
     "AMD",
     {"libamdhip64.so", "libamdhip64.so.6", "libamdhip64.so.5"}},
    {"musa", "mthreads", "musa", "MUSA_VISIBLE_DEVICES", "Moore Threads", {"libmusart.so"}},
    {"cuda",
     "nvidia",
     "cuda",
     NULL,
     "NVIDIA",
     {"libcudart.so", "libcudart.so.12", "libcudart.so.13"}},
};

/* Their names without the prefix. */
#define FUNCTIONS(FUNCTION)                                                                       \
    FUNCTION(int, GetDeviceCount, (int *count))                                                   \
    FUNCTION(int, SetDevice, (int device))                                                        \
    FUNCTION(int, MemGetInfo, (size_t * available, size_t * total))                               \
    FUNCTION(int, Malloc, (void **pointer, size_t size))                                          \
    FUNCTION(int, Free, (void *pointer))                                                          \
    FUNCTION(int, MallocHost, (void **pointer, size_t size))                                      \
    FUNCTION(int, FreeHost, (void *pointer))                                                      \
    FUNCTION(int, MallocManaged, (void **pointer, size_t size, unsigned int flags))               \
    FUNCTION(int, Memcpy, (void *to, const void *from, size_t size, int kind))                    \
    FUNCTION(int, Memset, (void *to, int value, size_t size))                                     \
    FUNCTION(int, DeviceSynchronize, (void))                                                      \
    FUNCTION(int, StreamCreate, (void **stream))                                                  \
    FUNCTION(int, StreamDestroy, (void *stream))                                                  \
    FUNCTION(int, StreamSynchronize, (void *stream))                                              \
    FUNCTION(int, StreamQuery, (void *stream))                                                    \
    FUNCTION(int, MemcpyAsync, (void *to, const void *from, size_t size, int kind, void *stream)) \
    FUNCTION(int, MemsetAsync, (void *to, int value, size_t size, void *stream))

FUNCTIONS(CM_FUNCTION_POINTER)
static const struct vendor *vendor;
static struct cm_backend backend;

/* The errors that these calls give have CUDA's numbers with all of them. */
static cmError_t error_of(int error) {
    return strcmp(cmGetErrorName((cmError_t)error), "unrecognized error code") ? (cmError_t)error
                                                                               : cmErrorUnknown;
}

static const char *name(void) { return vendor->name; }

static int allocate_managed(void **pointer, size_t size) {
    return MallocManaged_(pointer, size, cmMemAttachGlobal);
}

/* A copy between buffers of the device may return before it is made, and so may a fill. */
static int copy(void *to, const void *from, size_t size, enum cmMemcpyKind kind) {
    int error = Memcpy_(to, from, size, (int)kind);
    return error || kind != cmMemcpyDeviceToDevice ? error : DeviceSynchronize_();
}

static int fill(void *to, int value, size_t size) {
    int error = Memset_(to, value, size);
    return error ? error : DeviceSynchronize_();
}

static int copy_async(void *to, const void *from, size_t size, enum cmMemcpyKind kind,
                      void *queue) {
    return MemcpyAsync_(to, from, size, (int)kind, queue);
}

static struct cm_vendor_calls calls;

static int open_library(char *why, size_t room) {
    struct cm_symbol symbols[] = {FUNCTIONS(CM_FUNCTION_SYMBOL)};
    enum { COUNT = sizeof symbols / sizeof symbols[0] };
    static char names[COUNT][32];
    int count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "%s%s", vendor->prefix, symbols[i].name);
        symbols[i].name = names[i];
    }
    if (!cm_vendor_load(vendor->files, symbols, COUNT, why, room)) return -1;
    calls = (struct cm_vendor_calls){.error_of = error_of,
                                     .name = name,
                                     .set_device = SetDevice_,
                                     .memory = MemGetInfo_,
                                     .allocate = Malloc_,
                                     .allocate_managed = allocate_managed,
                                     .allocate_pinned = MallocHost_,
                                     .release = Free_,
                                     .release_pinned = FreeHost_,
                                     .copy = copy,
                                     .fill = fill,
                                     .queue_new = StreamCreate_,
                                     .queue_free = StreamDestroy_,
                                     .queue_wait = StreamSynchronize_,
                                     .queue_done = StreamQuery_,
                                     .copy_async = copy_async,
                                     .fill_async = MemsetAsync_};
    cm_vendor_serve(&calls);
    return GetDeviceCount_(&count) ? 0 : count;
}

const struct cm_backend *cm_backend_like(const char *name) {
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        if (!strcasecmp(name, vendors[i].target) || !strcasecmp(name, vendors[i].alias))
            vendor = &vendors[i];
    if (!vendor) return NULL;
    backend = (struct cm_backend){.name = vendor->target,
                                  .visible = vendor->visible,
                                  .managed = true,
                                  .open = open_library,
                                  CM_VENDOR_FUNCTIONS};
    return &backend;
}
