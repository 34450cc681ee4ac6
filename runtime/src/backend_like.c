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
static _Thread_local int current = -1;

/* The errors that these calls give have CUDA's numbers with all of them. */
static cmError_t error_of(int error) {
    return strcmp(cmGetErrorName((cmError_t)error), "unrecognized error code") ? (cmError_t)error
                                                                               : cmErrorUnknown;
}

static cmError_t use(int device) {
    if (current == device) return cmSuccess;
    int error = SetDevice_(device);
    if (!error) current = device;
    return error_of(error);
}

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
    return GetDeviceCount_(&count) ? 0 : count;
}

static cmError_t memory(int device, size_t *available, size_t *total) {
    CM_RETURN_ON(device, MemGetInfo_(available, total));
}

static void describe(struct cmDeviceProp *p, int device) {
    size_t available = 0, total = 0;
    memory(device, &available, &total);
    cm_vendor_describe(p, device, vendor->name, total);
}

static cmError_t allocate(int device, void **pointer, size_t size, enum cm_memory kind) {
    CM_RETURN_ON(device, kind == CM_PINNED    ? MallocHost_(pointer, size)
                         : kind == CM_MANAGED ? MallocManaged_(pointer, size, cmMemAttachGlobal)
                                              : Malloc_(pointer, size));
}

static void release(int device, void *pointer, size_t size, enum cm_memory kind) {
    (void)size;
    if (use(device)) return;
    if (kind == CM_PINNED)
        FreeHost_(pointer);
    else
        Free_(pointer);
}

/* A copy between buffers of the device may return before it is made. */
static cmError_t copy(int device, void *to, const void *from, size_t size,
                      enum cmMemcpyKind kind) {
    cmError_t error = use(device);
    if (!error) error = error_of(Memcpy_(to, from, size, (int)kind));
    if (!error && kind == cmMemcpyDeviceToDevice) error = error_of(DeviceSynchronize_());
    return error;
}

static cmError_t fill(int device, void *to, int value, size_t size) {
    cmError_t error = use(device);
    if (!error) error = error_of(Memset_(to, value, size));
    return error ? error : error_of(DeviceSynchronize_());
}

static cmError_t queue_new(int device, void **queue) {
    CM_RETURN_ON(device, StreamCreate_(queue));
}

static void queue_free(int device, void *queue) {
    if (!use(device)) StreamDestroy_(queue);
}

static cmError_t queue_wait(int device, void *queue) {
    CM_RETURN_ON(device, StreamSynchronize_(queue));
}

static cmError_t queue_done(int device, void *queue) { CM_RETURN_ON(device, StreamQuery_(queue)); }

static cmError_t copy_async(int device, void *queue, void *to, const void *from, size_t size,
                            enum cmMemcpyKind kind) {
    CM_RETURN_ON(device, MemcpyAsync_(to, from, size, (int)kind, queue));
}

static cmError_t fill_async(int device, void *queue, void *to, int value, size_t size) {
    CM_RETURN_ON(device, MemsetAsync_(to, value, size, queue));
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
    return &backend;
}
