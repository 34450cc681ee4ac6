/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays, texture and surface objects. */
#include "memory.h"
#include <stdlib.h>
#include <string.h>

static size_t element_of(const struct cmChannelFormatDesc *f) {
    return (size_t)(f->x + f->y + f->z + f->w) / 8;
}

struct cmChannelFormatDesc cmCreateChannelDesc(int x, int y, int z, int w,
                                               enum cmChannelFormatKind kind) {
    return (struct cmChannelFormatDesc){x, y, z, w, kind};
}

/* Textures are read by kernels on the host. */
static enum cm_memory where(void) { return cm_backend->host ? CM_DEVICE_MEMORY : CM_PINNED; }

cmError_t cmMalloc3DArray(cmArray_t *array, const struct cmChannelFormatDesc *format,
                          struct cmExtent extent, unsigned int flags) {
    CM_ENTER();
    CM_NEED(array && format && extent.width, cmErrorInvalidValue);
    size_t element = element_of(format);
    CM_NEED(element && element <= 16, cmErrorInvalidChannelDescriptor);
    const bool cubes = flags & cmArrayCubemap; /* six faces each, which are squares */
    CM_NEED(!cubes || (extent.width == extent.height && extent.depth && extent.depth % 6 == 0),
            cmErrorInvalidValue);
    struct cmArray *made = calloc(1, sizeof *made);
    CM_NEED(made, cmErrorMemoryAllocation);
    made->format = *format;
    made->width = extent.width;
    made->height = extent.height;
    made->depth = extent.depth;
    made->element = element;
    made->flags = flags;
    made->pitch = (extent.width * element + 63) / 64 * 64;
    made->slice = made->pitch * (extent.height ? extent.height : 1);
    void *data;
    cmError_t error =
        cm_memory_new(&data, made->slice * (extent.depth ? extent.depth : 1), where(), 0, NULL);
    made->data = data;
    if (error)
        free(made);
    else
        *array = made;
    return cm_fail(error);
}

cmError_t cmMallocArray(cmArray_t *array, const struct cmChannelFormatDesc *format, size_t width,
                        size_t height, unsigned int flags) {
    return cmMalloc3DArray(array, format, make_cmExtent(width, height, 0), flags);
}

cmError_t cmFreeArray(cmArray_t array) {
    if (!array) return cmSuccess;
    cmError_t error = where() == CM_PINNED ? cmFreeHost(array->data) : cmFree(array->data);
    if (!error) free(array);
    return error;
}

cmError_t cmArrayGetInfo(struct cmChannelFormatDesc *format, struct cmExtent *extent,
                         unsigned int *flags, cmArray_t array) {
    CM_ENTER();
    CM_NEED(array, cmErrorInvalidValue);
    if (format) *format = array->format;
    if (extent) *extent = make_cmExtent(array->width, array->height, array->depth);
    if (flags) *flags = array->flags;
    return cmSuccess;
}

cmError_t cmGetChannelDesc(struct cmChannelFormatDesc *format, cmArray_const_t array) {
    CM_NEED(format, cmErrorInvalidValue);
    return cmArrayGetInfo(format, NULL, NULL, (cmArray_t)(uintptr_t)array);
}

/* ---- texture and surface objects ---- */

struct object {
    struct cmTexture texture;
    struct cmResourceDesc resource;
};

static bool describe(struct cmTexture *t, const struct cmResourceDesc *r) {
    const struct cmArray *array = r->res.array.array;
    switch (r->resType) {
    case cmResourceTypeArray:
        if (!array) return false;
        t->data = array->data;
        t->format = array->format;
        t->width = array->width, t->height = array->height, t->depth = array->depth;
        t->pitch = array->pitch, t->slice = array->slice;
        return true;
    case cmResourceTypeLinear:
        t->data = r->res.linear.devPtr;
        t->format = r->res.linear.desc;
        t->width = element_of(&t->format) ? r->res.linear.sizeInBytes / element_of(&t->format) : 0;
        return t->data && t->width;
    case cmResourceTypePitch2D:
        t->data = r->res.pitch2D.devPtr;
        t->format = r->res.pitch2D.desc;
        t->width = r->res.pitch2D.width;
        t->height = r->res.pitch2D.height;
        t->pitch = r->res.pitch2D.pitchInBytes;
        return t->data && t->width && t->height;
    default:
        return false;
    }
}

static cmError_t create(unsigned long long *object, enum cm_kind kind,
                        const struct cmResourceDesc *resource, const struct cmTextureDesc *how) {
    CM_ENTER();
    CM_NEED(object && resource, cmErrorInvalidValue);
    struct object *made = calloc(1, sizeof *made);
    CM_NEED(made, cmErrorMemoryAllocation);
    void *handle = NULL;
    int device;
    bool fine = describe(&made->texture, resource);
    if (fine && cm_is_remote(made->texture.data, &device)) {
        free(made);
        return cm_fail(cmErrorNotSupported);
    }
    made->resource = *resource;
    if (how) made->texture.how = *how;
    cm_lock_take();
    if (fine) handle = cm_handle_new(kind, made);
    cm_lock_give();
    *object = (uintptr_t)handle;
    if (handle) return cmSuccess;
    free(made);
    return cm_fail(fine ? cmErrorMemoryAllocation : cmErrorInvalidValue);
}

static cmError_t destroy(unsigned long long object, enum cm_kind kind) {
    CM_ENTER();
    if (!object) return cmSuccess;
    cm_lock_take();
    cmError_t error = cm_wait_device(cm_current());
    void *made = cm_handle_take(kind, (void *)(uintptr_t)object);
    cm_lock_give();
    CM_NEED(made, cmErrorInvalidValue);
    free(made);
    return cm_fail(error);
}

cmError_t cmCreateTextureObject(cmTextureObject_t *texture, const struct cmResourceDesc *resource,
                                const struct cmTextureDesc *description, const void *view) {
    CM_NEED(description && !view, cmErrorInvalidValue);
    return create(texture, CM_TEXTURE, resource, description);
}

cmError_t cmDestroyTextureObject(cmTextureObject_t texture) {
    return destroy(texture, CM_TEXTURE);
}

cmError_t cmGetTextureObjectResourceDesc(struct cmResourceDesc *resource, cmTextureObject_t tex) {
    CM_ENTER();
    CM_NEED(resource, cmErrorInvalidValue);
    cm_lock_take();
    struct object *object = cm_handle_get(CM_TEXTURE, (void *)(uintptr_t)tex);
    if (object) *resource = object->resource;
    cm_lock_give();
    return cm_fail(object ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmCreateSurfaceObject(cmSurfaceObject_t *surface,
                                const struct cmResourceDesc *resource) {
    CM_NEED(resource && resource->resType == cmResourceTypeArray, cmErrorInvalidValue);
    return create(surface, CM_SURFACE, resource, NULL);
}

cmError_t cmDestroySurfaceObject(cmSurfaceObject_t surface) {
    return destroy(surface, CM_SURFACE);
}

const struct cmTexture *cmKernelTexture(unsigned long long object) {
    cm_lock_take();
    struct object *found = cm_handle_get(CM_TEXTURE, (void *)(uintptr_t)object);
    if (!found) found = cm_handle_get(CM_SURFACE, (void *)(uintptr_t)object);
    cm_lock_give();
    return found ? &found->texture : NULL;
}
