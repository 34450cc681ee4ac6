/* SPDX-License-Identifier: Apache-2.0 */
/* Opening vendors' libraries, and calling those that are built like CUDA's runtime: a device that
   each thread sets, memory of three kinds, queues. Names, numbers and orders are the back ends'.
 */
#include "vendor.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool cm_vendor_load(const char *const *files, const struct cm_symbol *symbols, size_t count,
                    char *why, size_t room) {
    void *library = NULL;
    for (size_t i = 0; files[i] && !library; i++) {
        library = dlopen(files[i], RTLD_NOW | RTLD_GLOBAL);
        if (!library && i == 0) {
            const char *text = dlerror();
            snprintf(why, room, "%s", text ? text : files[i]);
        }
    }
    if (!library) return false;
    for (size_t i = 0; i < count; i++) {
        *symbols[i].to = dlsym(library, symbols[i].name);
        if (*symbols[i].to) continue;
        snprintf(why, room, "%s lacks %s", files[0], symbols[i].name);
        return false;
    }
    return true;
}

cmError_t cm_vendor_error(int error, const struct cm_error_row *rows, size_t count) {
    if (!error) return cmSuccess;
    for (size_t i = 0; i < count; i++)
        if (rows[i].vendors == error) return rows[i].cudas;
    return cmErrorUnknown;
}

void cm_vendor_describe(struct cmDeviceProp *p, int device, const char *name, size_t memory) {
    cm_backend_cpu.describe(p, device);
    snprintf(p->name, sizeof p->name, "%s", name ? name : "");
    snprintf(p->uuid.bytes, sizeof p->uuid.bytes, "%.8s %d", cm_backend->name, device);
    p->totalGlobalMem = memory;
    p->integrated = 0;
    p->managedMemory = cm_backend->managed;
    p->concurrentManagedAccess = p->pageableMemoryAccess = 0;
    p->pageableMemoryAccessUsesHostPageTables = p->directManagedMemAccessFromHost = 0;
    p->hostNativeAtomicSupported = p->canUseHostPointerForRegisteredMem = 0;
    p->canMapHostMemory = 0;
}

/* ---- libraries with a current device ---- */

static const struct cm_vendor_calls *calls;
static _Thread_local int current = -1;

void cm_vendor_serve(const struct cm_vendor_calls *served) { calls = served; }

/* The device belongs to the thread, but the first call has to set it. */
static cmError_t use(int device) {
    if (current == device) return cmSuccess;
    int error = calls->set_device(device);
    if (!error) current = device;
    return calls->error_of(error);
}

#define RETURN_ON(device, call)                                                                   \
    do {                                                                                          \
        cmError_t error_ = use(device);                                                           \
        return error_ ? error_ : calls->error_of(call);                                           \
    } while (0)

cmError_t cm_vendor_memory(int device, size_t *available, size_t *total) {
    RETURN_ON(device, calls->memory(available, total));
}

void cm_vendor_describe_device(struct cmDeviceProp *p, int device) {
    size_t available = 0, total = 0;
    cm_vendor_memory(device, &available, &total);
    cm_vendor_describe(p, device, calls->name(), total);
}

cmError_t cm_vendor_allocate(int device, void **pointer, size_t size, enum cm_memory kind) {
    if (kind == CM_PINNED) RETURN_ON(device, calls->allocate_pinned(pointer, size));
    if (kind == CM_MANAGED && calls->allocate_managed)
        RETURN_ON(device, calls->allocate_managed(pointer, size));
    RETURN_ON(device, calls->allocate(pointer, size));
}

void cm_vendor_release(int device, void *pointer, size_t size, enum cm_memory kind) {
    (void)size;
    if (use(device)) return;
    if (kind == CM_PINNED)
        calls->release_pinned(pointer);
    else
        calls->release(pointer);
}

cmError_t cm_vendor_copy(int device, void *to, const void *from, size_t size,
                         enum cmMemcpyKind kind) {
    RETURN_ON(device, calls->copy(to, from, size, kind));
}

cmError_t cm_vendor_fill(int device, void *to, int value, size_t size) {
    RETURN_ON(device, calls->fill(to, value, size));
}

cmError_t cm_vendor_queue_new(int device, void **queue) {
    RETURN_ON(device, calls->queue_new(queue));
}

void cm_vendor_queue_free(int device, void *queue) {
    if (!use(device)) calls->queue_free(queue);
}

cmError_t cm_vendor_queue_wait(int device, void *queue) {
    RETURN_ON(device, calls->queue_wait(queue));
}

cmError_t cm_vendor_queue_done(int device, void *queue) {
    RETURN_ON(device, calls->queue_done(queue));
}

cmError_t cm_vendor_copy_async(int device, void *queue, void *to, const void *from, size_t size,
                               enum cmMemcpyKind kind) {
    if (!calls->copy_async) return cmErrorNotSupported;
    RETURN_ON(device, calls->copy_async(to, from, size, kind, queue));
}

cmError_t cm_vendor_fill_async(int device, void *queue, void *to, int value, size_t size) {
    if (!calls->fill_async) return cmErrorNotSupported;
    RETURN_ON(device, calls->fill_async(to, value, size, queue));
}
