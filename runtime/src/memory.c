/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations: which there are, whose they are, and pools. */
#include "memory.h"
#include "watch.h"
#include <stdlib.h>
#include <string.h>

/* ---- getting and giving back ---- */

static cmError_t get(struct cm_allocation *a) {
    size_t used = cm_devices[a->device].used;
    if (a->size > cm_settings.memory || used > cm_settings.memory - a->size)
        return cmErrorMemoryAllocation;
    void *base = NULL;
    cmError_t error = cmSuccess;
    if (cm_settings.check && cm_backend->host)
        base = cm_guarded_new(a->size, &a->whole);
    else
        error = cm_backend->allocate(a->device, &base, a->size, a->kind);
    a->base = base;
    if (base && cm_settings.check && cm_backend->host) cm_watch_new(a);
    return error ? error : base ? cmSuccess : cmErrorMemoryAllocation;
}

static void put(struct cm_allocation *a) {
    if (cm_settings.check) cm_watch_gone(a->base);
    if (a->whole)
        cm_guarded_free(a->base, a->whole);
    else
        cm_backend->release(a->device, a->base, a->size, a->kind);
}

/* Frees a pool that was destroyed, with its last allocation. */
static void pool_unused(struct cm_pool *pool) {
    if (pool->dying && !pool->used) free(pool);
}

static void account(struct cm_allocation *a, bool plus) {
    cm_count(plus ? &cm_stats.allocations : &cm_stats.frees, 1);
    size_t *used = &cm_devices[a->device].used;
    *used = plus ? *used + a->size : *used - a->size;
    struct cm_pool *pool = a->pool;
    if (!pool) return;
    pool->used = plus ? pool->used + a->size : pool->used - a->size;
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    pool->reserved = pool->used;
    pool->reserved_high = pool->used_high;
    pool_unused(pool);
}

cmError_t cm_memory_new(void **pointer, size_t size, enum cm_memory kind, unsigned int flags,
                        struct cm_pool *pool) {
    *pointer = NULL;
    if (!size) return cmSuccess;
    struct cm_allocation a = {
        .size = size, .kind = kind, .device = cm_current(), .flags = flags, .pool = pool};
    if (kind == CM_MANAGED && !cm_backend->managed) return cmErrorNotSupported;
    cm_lock_take();
    cmError_t error = get(&a);
    if (!error && cm_memory_insert(&a)) {
        account(&a, true);
        *pointer = a.base;
    } else if (!error) {
        put(&a);
        error = cmErrorMemoryAllocation;
    }
    cm_lock_give();
    return error;
}

bool cm_is_remote(const void *pointer, int *device) {
    if (cm_backend->host) return false;
    cm_lock_take();
    struct cm_allocation *a = cm_memory_find(pointer);
    bool remote = a && a->kind == CM_DEVICE_MEMORY;
    if (remote) *device = a->device;
    cm_lock_give();
    return remote;
}

int cmPointerIsOnHost(const void *pointer) {
    int device;
    return !cm_is_remote(pointer, &device);
}

/* Lock held. */
static cmError_t forget(void *pointer, unsigned int kinds) {
    struct cm_allocation a, *graphs = cm_memory_find(pointer);
    if (graphs && graphs->graph) {
        if (graphs->base != pointer || graphs->graph == CM_GRAPH_IDLE) return cmErrorInvalidValue;
        graphs->graph = CM_GRAPH_IDLE;
        return cmSuccess;
    }
    if (!cm_memory_remove(pointer, kinds, &a)) return cmErrorInvalidValue;
    if (a.kind != CM_REGISTERED) {
        account(&a, false);
        put(&a);
    }
    return cmSuccess;
}

cmError_t cm_memory_of_graph(void **pointer, size_t size, int device) {
    struct cm_allocation a = {
        .size = size, .kind = CM_DEVICE_MEMORY, .device = device, .graph = CM_GRAPH_IDLE};
    cmError_t error = get(&a);
    if (error) return error;
    if (!cm_memory_insert(&a)) {
        put(&a);
        return cmErrorMemoryAllocation;
    }
    account(&a, true);
    *pointer = a.base;
    return cmSuccess;
}

void cm_memory_release(void *pointer) { forget(pointer, ~0u); }

void cm_device_free_all(int device) {
    const void *at = NULL;
    for (struct cm_allocation *found; (found = cm_memory_after(at));) {
        struct cm_allocation a;
        at = found->base;
        if (found->device != device || found->kind == CM_RESERVED) continue;
        cm_memory_remove(at, ~0u, &a);
        if (a.kind == CM_REGISTERED) continue;
        account(&a, false);
        put(&a);
    }
}

#define ANY_DEVICE_MEMORY (1u << CM_DEVICE_MEMORY | 1u << CM_MANAGED)

static cmError_t free_now(void *pointer, unsigned int kinds) {
    if (!pointer) return cmSuccess;
    cmError_t error = cmSuccess;
    cm_lock_take();
    /* A kernel's own memory; waiting for its stream would wait for the kernel itself. */
    bool idle = true;
    for (int d = 0; d < cm_settings.devices && idle && !cmKernelInside(); d++)
        idle = !cm_devices[d].busy && !cm_devices[d].open;
    if (!idle) {
        struct cm_allocation *a = cm_memory_find(pointer);
        bool fine = a && a->base == pointer && !a->freeing;
        error = fine ? cm_wait_device(a->device) : cmErrorInvalidValue;
    }
    if (!error) error = forget(pointer, kinds);
    if (error == cmErrorInvalidValue && cm_settings.check) cm_watch_bad_free(pointer);
    cm_lock_give();
    return error;
}

/* ---- what programs call ---- */

cmError_t cmMalloc(void **pointer, size_t size) {
    CM_ENTER();
    CM_NEED(pointer, cmErrorInvalidValue);
    cmError_t error = cm_memory_new(pointer, size, CM_DEVICE_MEMORY, 0, NULL);
    if (!error) cm_watch_written(pointer, sizeof *pointer); /* by a kernel, perhaps */
    return cm_fail(error);
}

cmError_t cmFree(void *pointer) {
    CM_ENTER();
    return cm_fail(free_now(pointer, ANY_DEVICE_MEMORY));
}

cmError_t cmHostAlloc(void **pointer, size_t size, unsigned int flags) {
    CM_ENTER();
    CM_NEED(pointer && !(flags & ~7u), cmErrorInvalidValue);
    return cm_fail(cm_memory_new(pointer, size, CM_PINNED, flags, NULL));
}

cmError_t cmMallocHost(void **pointer, size_t size) { return cmHostAlloc(pointer, size, 0); }

cmError_t cmFreeHost(void *pointer) {
    CM_ENTER();
    return cm_fail(free_now(pointer, 1u << CM_PINNED));
}

cmError_t cmMallocManaged(void **pointer, size_t size, unsigned int flags) {
    CM_ENTER();
    CM_NEED(pointer && size, cmErrorInvalidValue);
    CM_NEED(flags == cmMemAttachGlobal || flags == cmMemAttachHost, cmErrorInvalidValue);
    return cm_fail(cm_memory_new(pointer, size, CM_MANAGED, flags, NULL));
}

static struct cm_allocation *find_host(const void *pointer) {
    struct cm_allocation *a = cm_memory_find(pointer);
    return a && (a->kind == CM_PINNED || a->kind == CM_REGISTERED) ? a : NULL;
}

cmError_t cmHostGetDevicePointer(void **device, void *host, unsigned int flags) {
    CM_ENTER();
    CM_NEED(device && !flags, cmErrorInvalidValue);
    cm_lock_take();
    bool fine = find_host(host);
    cm_lock_give();
    CM_NEED(fine, cmErrorInvalidValue);
    *device = host;
    return cmSuccess;
}

cmError_t cmHostGetFlags(unsigned int *flags, void *host) {
    CM_ENTER();
    CM_NEED(flags, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_allocation *a = find_host(host);
    if (a) *flags = a->flags | cmHostAllocMapped;
    cm_lock_give();
    return cm_fail(a ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmHostRegister(void *pointer, size_t size, unsigned int flags) {
    CM_ENTER();
    CM_NEED(pointer && size && !(flags & ~15u), cmErrorInvalidValue);
    struct cm_allocation a = {.base = pointer,
                              .size = size,
                              .kind = CM_REGISTERED,
                              .device = cm_current(),
                              .flags = flags};
    cm_lock_take();
    const struct cm_allocation *before = cm_memory_before(a.base + size - 1);
    bool overlaps = before && before->base + before->size > a.base;
    cmError_t error = overlaps               ? cmErrorHostMemoryAlreadyRegistered
                      : cm_memory_insert(&a) ? cmSuccess
                                             : cmErrorMemoryAllocation;
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmHostUnregister(void *pointer) {
    CM_ENTER();
    cm_lock_take();
    cmError_t error = forget(pointer, 1u << CM_REGISTERED);
    cm_lock_give();
    return cm_fail(error ? cmErrorHostMemoryNotRegistered : cmSuccess);
}

static size_t pitch_of(size_t width) { return (width + 511) / 512 * 512; }

cmError_t cmMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    CM_ENTER();
    CM_NEED(pointer && pitch, cmErrorInvalidValue);
    *pitch = pitch_of(width);
    CM_NEED(*pitch >= width && (!*pitch || height <= SIZE_MAX / *pitch), cmErrorMemoryAllocation);
    return cm_fail(cm_memory_new(pointer, *pitch * height, CM_DEVICE_MEMORY, 0, NULL));
}

cmError_t cmMalloc3D(struct cmPitchedPtr *pitched, struct cmExtent extent) {
    CM_NEED(pitched, cmErrorInvalidValue);
    CM_NEED(!extent.height || extent.depth <= SIZE_MAX / extent.height, cmErrorMemoryAllocation);
    void *pointer;
    size_t pitch;
    cmError_t error = cmMallocPitch(&pointer, &pitch, extent.width, extent.height * extent.depth);
    if (error) return error;
    *pitched = make_cmPitchedPtr(pointer, pitch, extent.width, extent.height);
    return cmSuccess;
}

cmError_t cmMemGetInfo(size_t *available, size_t *total) {
    size_t unasked; /* programs leave out what they do not want */
    CM_ENTER();
    available = available ? available : &unasked;
    total = total ? total : &unasked;
    if (cm_backend->memory) return cm_fail(cm_backend->memory(cm_current(), available, total));
    cm_lock_take();
    *total = cm_settings.memory;
    *available = cm_settings.memory - cm_device()->used;
    cm_lock_give();
    return cmSuccess;
}

cmError_t cmPointerGetAttributes(struct cmPointerAttributes *attributes, const void *pointer) {
    static const enum cmMemoryType types[] = {
        [CM_DEVICE_MEMORY] = cmMemoryTypeDevice, [CM_PINNED] = cmMemoryTypeHost,
        [CM_REGISTERED] = cmMemoryTypeHost,      [CM_RESERVED] = cmMemoryTypeDevice,
        [CM_MANAGED] = cmMemoryTypeManaged,
    };
    CM_ENTER();
    CM_NEED(attributes, cmErrorInvalidValue);
    memset(attributes, 0, sizeof *attributes);
    attributes->device = -2; /* what CUDA says of memory that it does not know */
    cm_lock_take();
    struct cm_allocation *a = cm_memory_find(pointer);
    if (a) {
        attributes->type = types[a->kind];
        attributes->device = a->device;
        attributes->devicePointer = (void *)(uintptr_t)pointer;
        if (attributes->type != cmMemoryTypeDevice)
            attributes->hostPointer = attributes->devicePointer;
    }
    cm_lock_give();
    return cmSuccess;
}

cmError_t cmMemGetAddressRange(void **base, size_t *size, const void *pointer) {
    CM_ENTER();
    cm_lock_take();
    struct cm_allocation *a = cm_memory_find(pointer);
    if (a && base) *base = a->base;
    if (a && size) *size = a->size;
    cm_lock_give();
    return cm_fail(a ? cmSuccess : cmErrorInvalidValue);
}

static bool is_managed(const void *pointer, size_t size) {
    cm_lock_take();
    struct cm_allocation *a = cm_memory_find(pointer);
    bool fine = a && a->kind == CM_MANAGED &&
                size <= a->size - (size_t)((const unsigned char *)pointer - a->base);
    cm_lock_give();
    return fine;
}

cmError_t cmMemAdvise(const void *pointer, size_t size, enum cmMemoryAdvise advice, int device) {
    CM_ENTER();
    CM_NEED(advice >= cmMemAdviseSetReadMostly && advice <= cmMemAdviseUnsetAccessedBy,
            cmErrorInvalidValue);
    CM_NEED(device >= cmCpuDeviceId && device < cm_settings.devices, cmErrorInvalidDevice);
    CM_NEED(is_managed(pointer, size), cmErrorInvalidValue);
    return cmSuccess;
}

cmError_t cmMemPrefetchAsync(const void *pointer, size_t size, int device, cmStream_t stream) {
    CM_ENTER();
    CM_NEED(device >= cmCpuDeviceId && device < cm_settings.devices, cmErrorInvalidDevice);
    CM_NEED(is_managed(pointer, size), cmErrorInvalidValue);
    return cm_submit_to(stream, cm_op_new(&cm_empty_class, 0), false);
}

cmError_t cmMemRangeGetAttribute(void *data, size_t size, enum cmMemRangeAttribute attribute,
                                 const void *pointer, size_t length) {
    CM_ENTER();
    CM_NEED(data && size >= sizeof(int) && is_managed(pointer, length), cmErrorInvalidValue);
    memset(data, 0, size);
    *(int *)data = attribute == cmMemRangeAttributeReadMostly ? 0 : cmInvalidDeviceId;
    return cmSuccess;
}

/* ---- pools and memory in stream order ---- */

static void free_run(void *data, struct cm_stream *stream) {
    (void)stream;
    cm_lock_take();
    forget(*(void **)data, ANY_DEVICE_MEMORY);
    cm_lock_give();
}

static const struct cm_class free_class = {
    .type = cmGraphNodeTypeMemFree, .how = CM_RUN, .run = free_run};

static cmError_t malloc_async(void **pointer, size_t size, cmMemPool_t handle, cmStream_t where) {
    CM_ENTER();
    CM_NEED(pointer, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(where);
    struct cm_pool *pool = handle ? cm_handle_get(CM_POOL, handle) : cm_device()->pool;
    bool captured = stream && stream->capture;
    cmError_t error = cmSuccess;
    if (captured) error = stream->capture->recorder->allocate(stream, pointer, size);
    cm_lock_give();
    if (captured) return cm_fail(error);
    CM_NEED(stream, cmErrorInvalidResourceHandle);
    CM_NEED(pool, cmErrorInvalidValue);
    return cm_fail(cm_memory_new(pointer, size, CM_DEVICE_MEMORY, 0, pool));
}

cmError_t cmMallocAsync(void **pointer, size_t size, cmStream_t stream) {
    return malloc_async(pointer, size, NULL, stream);
}

cmError_t cmMallocFromPoolAsync(void **pointer, size_t size, cmMemPool_t pool, cmStream_t stream) {
    CM_NEED(pool, cmErrorInvalidValue);
    return malloc_async(pointer, size, pool, stream);
}

cmError_t cmFreeAsync(void *pointer, cmStream_t stream) {
    CM_ENTER();
    if (!pointer) return cmSuccess;
    cm_lock_take();
    struct cm_allocation *a = cm_memory_find(pointer);
    bool fine = a && a->base == pointer && !a->freeing && 1u << a->kind & ANY_DEVICE_MEMORY;
    struct cm_stream *where = fine ? cm_stream_find(stream) : NULL;
    bool captured = where && where->capture;
    cmError_t error = captured ? where->capture->recorder->release(where, pointer) : cmSuccess;
    if (fine && !captured) a->freeing = !a->graph;
    if (!fine && cm_settings.check) cm_watch_bad_free(pointer);
    cm_lock_give();
    CM_NEED(fine, cmErrorInvalidValue);
    if (captured) return cm_fail(error);
    struct cm_op *op = cm_op_new(&free_class, sizeof pointer);
    if (op) *(void **)op->data = pointer;
    return cm_submit_to(stream, op, false);
}

cmError_t cmDeviceGetDefaultMemPool(cmMemPool_t *pool, int device) {
    CM_ENTER();
    CM_NEED(pool, cmErrorInvalidValue);
    CM_NEED(device >= 0 && device < cm_settings.devices, cmErrorInvalidDevice);
    *pool = cm_devices[device].default_pool->handle;
    return cmSuccess;
}

cmError_t cmDeviceGetMemPool(cmMemPool_t *pool, int device) {
    CM_ENTER();
    CM_NEED(pool, cmErrorInvalidValue);
    CM_NEED(device >= 0 && device < cm_settings.devices, cmErrorInvalidDevice);
    *pool = cm_devices[device].pool->handle;
    return cmSuccess;
}

#define CM_FIND_POOL(pool, handle)                                                                \
    CM_ENTER();                                                                                   \
    cm_lock_take();                                                                               \
    struct cm_pool *pool = cm_handle_get(CM_POOL, handle);                                        \
    cm_lock_give();                                                                               \
    CM_NEED(pool, cmErrorInvalidValue)

cmError_t cmDeviceSetMemPool(int device, cmMemPool_t handle) {
    CM_FIND_POOL(pool, handle);
    CM_NEED(device >= 0 && device < cm_settings.devices, cmErrorInvalidDevice);
    CM_NEED(pool->device == device, cmErrorInvalidValue);
    cm_devices[device].pool = pool;
    return cmSuccess;
}

cmError_t cmMemPoolCreate(cmMemPool_t *pool, const struct cmMemPoolProps *properties) {
    CM_ENTER();
    CM_NEED(pool && properties, cmErrorInvalidValue);
    int device = properties->location.id;
    CM_NEED(properties->location.type == cmMemLocationTypeDevice && device >= 0 &&
                device < cm_settings.devices,
            cmErrorInvalidValue);
    cm_lock_take();
    struct cm_pool *made = cm_pool_new(device);
    cm_lock_give();
    CM_NEED(made, cmErrorMemoryAllocation);
    *pool = made->handle;
    return cmSuccess;
}

cmError_t cmMemPoolDestroy(cmMemPool_t handle) {
    CM_FIND_POOL(pool, handle);
    struct cm_device *device = &cm_devices[pool->device];
    CM_NEED(pool != device->default_pool, cmErrorInvalidValue);
    cm_lock_take();
    cm_handle_take(CM_POOL, handle);
    if (device->pool == pool) device->pool = device->default_pool;
    pool->dying = true;
    pool_unused(pool);
    cm_lock_give();
    return cmSuccess;
}

cmError_t cmMemPoolTrimTo(cmMemPool_t handle, size_t keep) {
    CM_FIND_POOL(pool, handle);
    (void)keep; /* nothing is kept beyond what is used */
    return cmSuccess;
}

static uint64_t *pool_attribute(struct cm_pool *pool, enum cmMemPoolAttr attribute) {
    switch (attribute) {
    case cmMemPoolAttrReleaseThreshold:
        return &pool->threshold;
    case cmMemPoolAttrReservedMemCurrent:
        return &pool->reserved;
    case cmMemPoolAttrReservedMemHigh:
        return &pool->reserved_high;
    case cmMemPoolAttrUsedMemCurrent:
        return &pool->used;
    case cmMemPoolAttrUsedMemHigh:
        return &pool->used_high;
    default:
        return NULL;
    }
}

cmError_t cmMemPoolGetAttribute(cmMemPool_t handle, enum cmMemPoolAttr attribute, void *value) {
    CM_FIND_POOL(pool, handle);
    uint64_t *number = pool_attribute(pool, attribute);
    CM_NEED(value && (number || (unsigned)attribute - 1 < 3), cmErrorInvalidValue);
    cm_lock_take();
    if (number)
        *(uint64_t *)value = *number;
    else
        *(int *)value = pool->reuse[attribute - 1];
    cm_lock_give();
    return cmSuccess;
}

cmError_t cmMemPoolSetAttribute(cmMemPool_t handle, enum cmMemPoolAttr attribute, void *value) {
    CM_FIND_POOL(pool, handle);
    uint64_t *number = pool_attribute(pool, attribute);
    CM_NEED(value && (number || (unsigned)attribute - 1 < 3), cmErrorInvalidValue);
    /* Of the counters only the high-water marks can be set, and only to 0. */
    bool threshold = attribute == cmMemPoolAttrReleaseThreshold;
    bool high = number == &pool->used_high || number == &pool->reserved_high;
    CM_NEED(!number || threshold || (high && !*(uint64_t *)value), cmErrorInvalidValue);
    cm_lock_take();
    if (threshold)
        *number = *(uint64_t *)value;
    else if (high)
        *number = pool->used;
    else
        pool->reuse[attribute - 1] = *(int *)value;
    cm_lock_give();
    return cmSuccess;
}

cmError_t cmMemPoolSetAccess(cmMemPool_t handle, const struct cmMemAccessDesc *descriptions,
                             size_t length) {
    CM_FIND_POOL(pool, handle);
    CM_NEED(descriptions || !length, cmErrorInvalidValue);
    return cmSuccess;
}
