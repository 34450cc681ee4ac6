/* SPDX-License-Identifier: Apache-2.0 */
/* What the vendors' back ends share: their libraries are opened when the first call needs them,
   and those that are built like CUDA's are called in one place. */
#ifndef CMRT_VENDOR_H
#define CMRT_VENDOR_H

#include "backend.h"

/* A function of a vendor's library, and where its address goes. */
struct cm_symbol {
    const char *name;
    void **to;
};
/* For lists FUNCTION(result, name, parameters): a pointer name_ to each, and its row. */
#define CM_FUNCTION_POINTER(result, name, parameters) static result(*name##_) parameters;
#define CM_FUNCTION_SYMBOL(result, name, parameters) {#name, (void **)(void *)&name##_},

/* Opens the first of the libraries (NULL ends the list) that is there, and takes the functions
   from it. On failure false, and `why` says what is missing. Nothing is ever closed: libraries of
   drivers do not survive it. */
bool cm_vendor_load(const char *const *files, const struct cm_symbol *symbols, size_t count,
                    char *why, size_t room);

/* A vendor's error as CUDA's. */
struct cm_error_row {
    int vendors;
    cmError_t cudas;
};
cmError_t cm_vendor_error(int error, const struct cm_error_row *rows, size_t count);

/* What the CPU says of a device, less what holds for the host only; the caller adds a name and the
   memory. */
void cm_vendor_describe(struct cmDeviceProp *properties, int device, const char *name,
                        size_t memory);

/* ---- back ends whose library has a current device for each thread, as CUDA's ---- */

/* What such a library can do, as functions that give its own errors. They are called on the device
   that they are about; only what differs from vendor to vendor is a function of the back end's
   own, the rest are the library's. */
struct cm_vendor_calls {
    cmError_t (*error_of)(int error);
    const char *(*name)(void); /* of a device, for people */
    int (*set_device)(int device);
    int (*memory)(size_t *available, size_t *total);
    int (*allocate)(void **pointer, size_t size);
    int (*allocate_managed)(void **pointer, size_t size); /* NULL where there is none */
    int (*allocate_pinned)(void **pointer, size_t size);
    int (*release)(void *pointer);
    int (*release_pinned)(void *pointer);
    int (*copy)(void *to, const void *from, size_t size, enum cmMemcpyKind kind);
    int (*fill)(void *to, int value, size_t size);
    int (*queue_new)(void **queue);
    int (*queue_free)(void *queue);
    int (*queue_wait)(void *queue);
    int (*queue_done)(void *queue);
    /* NULL: this version of the library has nothing like it. */
    int (*copy_async)(void *to, const void *from, size_t size, enum cmMemcpyKind kind,
                      void *queue);
    int (*fill_async)(void *to, int value, size_t size, void *queue);
};
/* From now on the functions below call these: a process has one back end. */
void cm_vendor_serve(const struct cm_vendor_calls *calls);

/* The functions of struct cm_backend (backend.h) by the served calls. */
void cm_vendor_describe_device(struct cmDeviceProp *properties, int device);
cmError_t cm_vendor_allocate(int device, void **pointer, size_t size, enum cm_memory kind);
void cm_vendor_release(int device, void *pointer, size_t size, enum cm_memory kind);
cmError_t cm_vendor_copy(int device, void *to, const void *from, size_t size,
                         enum cmMemcpyKind kind);
cmError_t cm_vendor_fill(int device, void *to, int value, size_t size);
cmError_t cm_vendor_memory(int device, size_t *available, size_t *total);
cmError_t cm_vendor_queue_new(int device, void **queue);
void cm_vendor_queue_free(int device, void *queue);
cmError_t cm_vendor_queue_wait(int device, void *queue);
cmError_t cm_vendor_queue_done(int device, void *queue);
cmError_t cm_vendor_copy_async(int device, void *queue, void *to, const void *from, size_t size,
                               enum cmMemcpyKind kind);
cmError_t cm_vendor_fill_async(int device, void *queue, void *to, int value, size_t size);
/* All of them, in the table of a back end. */
#define CM_VENDOR_FUNCTIONS                                                                       \
    .describe = cm_vendor_describe_device, .allocate = cm_vendor_allocate,                        \
    .release = cm_vendor_release, .copy = cm_vendor_copy, .fill = cm_vendor_fill,                 \
    .memory = cm_vendor_memory, .queue_new = cm_vendor_queue_new,                                 \
    .queue_free = cm_vendor_queue_free, .queue_wait = cm_vendor_queue_wait,                       \
    .queue_done = cm_vendor_queue_done, .copy_async = cm_vendor_copy_async,                       \
    .fill_async = cm_vendor_fill_async

#endif
