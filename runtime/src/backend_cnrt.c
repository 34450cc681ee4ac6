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
static _Thread_local int current = -1;

static cmError_t error_of(int error) {
    static const struct cm_error_row rows[] = {
        {100004, cmErrorNoDevice},         {100005, cmErrorInvalidDevice},
        {100006, cmErrorInvalidValue},     {100010, cmErrorMemoryAllocation},
        {100050, cmErrorNotSupported},     {100014, cmErrorInvalidResourceHandle},
        {100100, cmErrorMemoryAllocation}, {632014, cmErrorNotReady},
    };
    return cm_vendor_error(error, rows, sizeof rows / sizeof rows[0]);
}

static cmError_t use(int device) {
    if (current == device) return cmSuccess;
    int error = cnrtSetDevice_(device);
    if (!error) current = device;
    return error_of(error);
}

static int open_library(char *why, size_t room) {
    static const char *const files[] = {"libcnrt.so", "libcnrt.so.6", NULL};
    static const struct cm_symbol symbols[] = {FUNCTIONS(CM_FUNCTION_SYMBOL)};
    unsigned int count = 0;
    if (!cm_vendor_load(files, symbols, sizeof symbols / sizeof symbols[0], why, room)) return -1;
    for (size_t i = 0; i < sizeof copy_names / sizeof copy_names[0] && !memcpy_async; i++) {
        struct cm_symbol name = {copy_names[i], (void **)(void *)&memcpy_async};
        cm_vendor_load(files, &name, 1, why, room);
    }
    return cnrtGetDeviceCount_(&count) ? 0 : (int)count;
}

static cmError_t memory(int device, size_t *available, size_t *total) {
    CM_RETURN_ON(device, cnrtMemGetInfo_(available, total));
}

static void describe(struct cmDeviceProp *p, int device) {
    size_t available = 0, total = 0;
    memory(device, &available, &total);
    /* cnrtDeviceProp_t differs between versions, so its name is not read. */
    cm_vendor_describe(p, device, "Cambricon MLU", total);
}

static cmError_t allocate(int device, void **pointer, size_t size, enum cm_memory kind) {
    CM_RETURN_ON(device,
                 kind == CM_PINNED ? cnrtHostMalloc_(pointer, size) : cnrtMalloc_(pointer, size));
}

static void release(int device, void *pointer, size_t size, enum cm_memory kind) {
    (void)size;
    if (use(device)) return;
    if (kind == CM_PINNED)
        cnrtFreeHost_(pointer);
    else
        cnrtFree_(pointer);
}

/* The directions have numbers of their own. */
static const int directions[] = {[cmMemcpyHostToHost] = HOST_TO_HOST,
                                 [cmMemcpyHostToDevice] = HOST_TO_DEVICE,
                                 [cmMemcpyDeviceToHost] = DEVICE_TO_HOST,
                                 [cmMemcpyDeviceToDevice] = DEVICE_TO_DEVICE};

static cmError_t copy(int device, void *to, const void *from, size_t size,
                      enum cmMemcpyKind kind) {
    CM_RETURN_ON(device, cnrtMemcpy_(to, (void *)(uintptr_t)from, size, directions[kind]));
}

static cmError_t fill(int device, void *to, int value, size_t size) {
    CM_RETURN_ON(device, cnrtMemset_(to, value, size));
}

static cmError_t queue_new(int device, void **queue) {
    CM_RETURN_ON(device, cnrtQueueCreate_(queue));
}

static void queue_free(int device, void *queue) {
    if (!use(device)) cnrtQueueDestroy_(queue);
}

static cmError_t queue_wait(int device, void *queue) {
    CM_RETURN_ON(device, cnrtQueueSync_(queue));
}

static cmError_t queue_done(int device, void *queue) {
    CM_RETURN_ON(device, cnrtQueueQuery_(queue));
}

/* The queue comes before the direction. */
static cmError_t copy_async(int device, void *queue, void *to, const void *from, size_t size,
                            enum cmMemcpyKind kind) {
    if (!memcpy_async) return cmErrorNotSupported;
    CM_RETURN_ON(device, memcpy_async(to, from, size, queue, directions[kind]));
}

static cmError_t fill_async(int device, void *queue, void *to, int value, size_t size) {
    CM_RETURN_ON(device, cnrtMemsetAsync_(to, value, size, queue));
}

const struct cm_backend cm_backend_cnrt = {.name = "mlu",
                                           .visible = "MLU_VISIBLE_DEVICES",
                                           .managed = false,
                                           .open = open_library,
                                           .close = NULL,
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
