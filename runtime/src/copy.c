/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills. All of them are boxes of rows: a plain copy is one row. */
#include "memory.h"
#include "watch.h"
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 4 << 20,
    STAGED = 64 << 10
}; /* what CUDA copies aside before an async call returns */

/* ---- the work itself ---- */

/* Between two devices, whatever they can reach of each other: by way of the host. */
static cmError_t move_between(int to_device, unsigned char *to, int from_device,
                              const unsigned char *from, size_t size) {
    size_t step = size < CHUNK ? size : CHUNK;
    void *host = malloc(step);
    cmError_t error = host ? cmSuccess : cmErrorMemoryAllocation;
    for (size_t i = 0; i < size && !error; i += step) {
        size_t n = size - i < step ? size - i : step;
        error = cm_backend->copy(from_device, host, from + i, n, cmMemcpyDeviceToHost);
        if (!error) error = cm_backend->copy(to_device, to + i, host, n, cmMemcpyHostToDevice);
    }
    free(host);
    return error;
}

cmError_t cm_move(int device, void *to, const void *from, size_t size) {
    int d = device, s = device;
    cm_count(&cm_stats.copied, size);
    if (cm_settings.check) cm_watch_written(to, size);
    if (cm_backend->host) return cm_backend->copy(device, to, from, size, cmMemcpyDeviceToDevice);
    bool to_device = cm_is_remote(to, &d), from_device = cm_is_remote(from, &s);
    if (!to_device && !from_device) {
        memmove(to, from, size);
        return cmSuccess;
    }
    if (to_device && from_device && d != s) return move_between(d, to, s, from, size);
    return cm_backend->copy(to_device ? d : s, to, from, size,
                            !from_device ? cmMemcpyHostToDevice
                            : to_device  ? cmMemcpyDeviceToDevice
                                         : cmMemcpyDeviceToHost);
}

static cmError_t set_bytes(int device, void *to, int value, size_t size) {
    if (cm_settings.check) cm_watch_written(to, size);
    if (cm_backend->host || cm_is_remote(to, &device))
        return cm_backend->fill(device, to, value, size);
    memset(to, value, size);
    return cmSuccess;
}

static void copy_run(void *data, struct cm_stream *stream) {
    const struct cm_copy *c = data;
    const unsigned char *from = c->from ? c->from : (const unsigned char *)(c + 1);
    cmError_t error = cmSuccess;
    cm_count(&cm_stats.copies, 1);
    for (size_t z = 0; z < c->depth && !error; z++)
        for (size_t y = 0; y < c->height && !error; y++)
            error = cm_move(stream->device, c->to + z * c->to_slice + y * c->to_pitch,
                            from + z * c->from_slice + y * c->from_pitch, c->width);
    if (error && c->error)
        *c->error = error;
    else if (error)
        cm_set_sticky(stream->device, error);
}

/* Lock held, or the stream's operation runs. */
static cmError_t copy_issue(void *data, struct cm_stream *stream) {
    const struct cm_copy *c = data;
    cmError_t error = cmSuccess;
    for (size_t z = 0; z < c->depth && !error; z++)
        for (size_t y = 0; y < c->height && !error; y++)
            error = cm_backend->copy_async(
                stream->device, stream->queue, c->to + z * c->to_slice + y * c->to_pitch,
                c->from + z * c->from_slice + y * c->from_pitch, c->width, c->direction);
    if (error) return error;
    cm_count(&cm_stats.copies, 1);
    cm_count(&cm_stats.copied, c->width * c->height * c->depth);
    return cmSuccess;
}

const struct cm_class cm_copy_class = {
    .type = cmGraphNodeTypeMemcpy, .how = CM_RUN, .run = copy_run, .issue = copy_issue};

static cmError_t fill_row(int device, unsigned char *row, size_t width, unsigned int value,
                          unsigned int element) {
    unsigned char *aside = NULL, *to = row;
    int owner;
    if (cm_is_remote(row, &owner)) {
        to = aside = malloc(width * element);
        if (!aside) return cmErrorMemoryAllocation;
    }
    for (size_t x = 0; x < width; x++)
        memcpy(to + x * element, &value, element); /* the low bytes: little-endian machines */
    if (cm_settings.check) cm_watch_written(row, width * element);
    cmError_t error = aside ? cm_move(device, row, aside, width * element) : cmSuccess;
    free(aside);
    return error;
}

static void fill_run(void *data, struct cm_stream *stream) {
    const struct cm_fill *f = data;
    cmError_t error = cmSuccess;
    cm_count(&cm_stats.fills, 1);
    for (size_t z = 0; z < f->depth && !error; z++)
        for (size_t y = 0; y < f->height && !error; y++) {
            unsigned char *row = f->to + z * f->slice + y * f->pitch;
            error = f->element == 1
                        ? set_bytes(stream->device, row, (int)f->value, f->width)
                        : fill_row(stream->device, row, f->width, f->value, f->element);
        }
    if (error) cm_set_sticky(stream->device, error);
}

static cmError_t fill_issue(void *data, struct cm_stream *stream) {
    const struct cm_fill *f = data;
    cmError_t error = cmSuccess;
    for (size_t z = 0; z < f->depth && !error; z++)
        for (size_t y = 0; y < f->height && !error; y++)
            error = cm_backend->fill_async(stream->device, stream->queue,
                                           f->to + z * f->slice + y * f->pitch, (int)f->value,
                                           f->width);
    if (!error) cm_count(&cm_stats.fills, 1);
    return error;
}

const struct cm_class cm_fill_class = {
    .type = cmGraphNodeTypeMemset, .how = CM_RUN, .run = fill_run, .issue = fill_issue};

/* ---- checks ---- */

/* Inside of an allocation that is known, the whole box has to fit. `*known` is that, or NULL: the
   host's, where it may be. */
static bool fits(const unsigned char *base, size_t pitch, size_t slice, const struct cm_copy *c,
                 const struct cm_allocation **known, bool writes) {
    const struct cm_allocation *a = cm_memory_find(base);
    *known = a;
    size_t end = (c->depth - 1) * slice + (c->height - 1) * pitch + c->width;
    bool fine = a ? end <= a->size - (size_t)(base - a->base) : !cm_guarded_has(base);
    if (!fine && cm_settings.check) cm_watch_bad_copy(base, end, writes);
    return fine;
}

/* Nothing is under way on the stream's device: what has to be waited for can be done at once. */
static bool idle(const struct cm_stream *stream) {
    const struct cm_device *device = &cm_devices[stream->device];
    return !device->busy && !device->open && !device->capturing;
}

static bool on_device(const struct cm_stream *stream, const struct cm_allocation *a) {
    return a && a->kind == CM_DEVICE_MEMORY && a->device == stream->device;
}

/* Whether the vendor's queue takes this copy, and then in which direction. */
static bool can_issue(const struct cm_stream *stream, const struct cm_allocation *to,
                      const struct cm_allocation *from, enum cmMemcpyKind *direction) {
    if (!cm_backend->copy_async) return false;
    bool to_device = on_device(stream, to), from_device = on_device(stream, from);
    *direction = !from_device ? cmMemcpyHostToDevice
                 : to_device  ? cmMemcpyDeviceToDevice
                              : cmMemcpyDeviceToHost;
    return (to_device || from_device) && (to_device || (to && to->kind == CM_PINNED)) &&
           (from_device || (from && from->kind == CM_PINNED));
}

/* Puts it into the vendor's queue, where nothing has to come before it. False: the engine has to
   do it. Lock held. */
static bool issue_now(struct cm_stream *stream, const struct cm_class *class, void *data,
                      cmError_t *error) {
    if (!cm_stream_free(stream) || cm_stream_queue(stream)) return false;
    *error = class->issue(data, stream);
    if (*error == cmErrorNotSupported) return false;
    stream->undrained = true;
    cm_stream_mark(stream, true, stream->given);
    return true;
}

/* Every copy comes through here. A copy from or to pageable memory cannot be left for later,
   unless it is small enough to be set aside. */
static cmError_t submit_copy(struct cm_copy copy, enum cmMemcpyKind kind, cmStream_t handle,
                             bool wait) {
    CM_ENTER();
    CM_NEED((unsigned)kind <= cmMemcpyDefault, cmErrorInvalidMemcpyDirection);
    if (!copy.width || !copy.height || !copy.depth) return cmSuccess;
    CM_NEED(copy.to && copy.from, cmErrorInvalidValue);
    CM_NEED(copy.height == 1 || (copy.width <= copy.to_pitch && copy.width <= copy.from_pitch),
            cmErrorInvalidPitchValue);
    const struct cm_allocation *to_known = NULL, *from_known = NULL;
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(handle);
    cmError_t error =
        !stream ? cmErrorInvalidResourceHandle
        : !fits(copy.to, copy.to_pitch, copy.to_slice, &copy, &to_known, true) ||
                !fits(copy.from, copy.from_pitch, copy.from_slice, &copy, &from_known, false)
            ? cmErrorInvalidValue
            : cmSuccess;
    if (!error && stream->capture && wait) error = cmErrorStreamCaptureUnsupported;
    bool now = !error && wait && idle(stream), captured = !error && stream->capture;
    bool loose = !error && !wait && can_issue(stream, to_known, from_known, &copy.direction);
    bool issued = loose && issue_now(stream, &cm_copy_class, &copy, &error);
    cm_lock_give();
    if (error || issued) return cm_fail(error);
    cmError_t failed = cmSuccess;
    if (now) {
        copy.error = &failed;
        copy_run(&copy, stream);
        return cm_fail(failed);
    }
    bool row = copy.height == 1 && copy.depth == 1;
    /* What is not known may also be a variable of the device's, which kernels before it write. */
    bool of_host = kind == cmMemcpyHostToDevice || kind == cmMemcpyHostToHost;
    bool stage = !wait && !captured && !from_known && of_host && row && copy.width <= STAGED;
    if (!captured && (!to_known || (!from_known && !stage))) wait = true;
    struct cm_op *op = cm_op_new(&cm_copy_class, sizeof copy + (stage ? copy.width : 0));
    if (op && stage) {
        memcpy(op->data + sizeof copy, copy.from, copy.width);
        copy.from = NULL;
    }
    if (wait && !captured) copy.error = &failed;
    if (op) memcpy(op->data, &copy, sizeof copy);
    if (op) op->loose = loose;
    error = cm_submit_to(handle, op, wait);
    return error ? error : cm_fail(failed);
}

static struct cm_copy row(void *to, const void *from, size_t size) {
    return (struct cm_copy){.to = to, .from = from, .width = size, .height = 1, .depth = 1};
}

static struct cm_copy box(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                          size_t width, size_t height) {
    return (struct cm_copy){.to = to,
                            .from = from,
                            .width = width,
                            .height = height,
                            .depth = 1,
                            .to_pitch = to_pitch,
                            .from_pitch = from_pitch};
}

/* ---- one and two dimensions ---- */

cmError_t cmMemcpy(void *to, const void *from, size_t size, enum cmMemcpyKind kind) {
    return submit_copy(row(to, from, size), kind, NULL, true);
}

cmError_t cmMemcpyAsync(void *to, const void *from, size_t size, enum cmMemcpyKind kind,
                        cmStream_t stream) {
    return submit_copy(row(to, from, size), kind, stream, false);
}

#define CM_NEED_PEERS(a, b)                                                                       \
    CM_NEED((a) >= 0 && (a) < cm_settings.devices && (b) >= 0 && (b) < cm_settings.devices,       \
            cmErrorInvalidDevice)

cmError_t cmMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t size) {
    CM_ENTER();
    CM_NEED_PEERS(toDevice, fromDevice);
    return cmMemcpy(to, from, size, cmMemcpyDeviceToDevice);
}

cmError_t cmMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t size,
                            cmStream_t stream) {
    CM_ENTER();
    CM_NEED_PEERS(toDevice, fromDevice);
    return cmMemcpyAsync(to, from, size, cmMemcpyDeviceToDevice, stream);
}

cmError_t cmMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                     size_t height, enum cmMemcpyKind kind) {
    return submit_copy(box(to, toPitch, from, fromPitch, width, height), kind, NULL, true);
}

cmError_t cmMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch,
                          size_t width, size_t height, enum cmMemcpyKind kind, cmStream_t stream) {
    return submit_copy(box(to, toPitch, from, fromPitch, width, height), kind, stream, false);
}

/* ---- three dimensions ---- */

cmError_t cm_copy3d(struct cm_copy *copy, const struct cmMemcpy3DParms *p) {
    if (!p || !p->srcArray == !p->srcPtr.ptr || !p->dstArray == !p->dstPtr.ptr)
        return cmErrorInvalidValue;
    cmArray_t array = p->srcArray ? p->srcArray : p->dstArray;
    size_t element = array ? array->element : 1;
    *copy = (struct cm_copy){
        .width = p->extent.width * element, .height = p->extent.height, .depth = p->extent.depth};
    copy->from_pitch = p->srcArray ? p->srcArray->pitch : p->srcPtr.pitch;
    copy->from_slice = p->srcArray ? p->srcArray->slice : p->srcPtr.pitch * p->srcPtr.ysize;
    copy->to_pitch = p->dstArray ? p->dstArray->pitch : p->dstPtr.pitch;
    copy->to_slice = p->dstArray ? p->dstArray->slice : p->dstPtr.pitch * p->dstPtr.ysize;
    copy->from = (p->srcArray ? p->srcArray->data : (unsigned char *)p->srcPtr.ptr) +
                 p->srcPos.x * (p->srcArray ? element : 1) + p->srcPos.y * copy->from_pitch +
                 p->srcPos.z * copy->from_slice;
    copy->to = (p->dstArray ? p->dstArray->data : (unsigned char *)p->dstPtr.ptr) +
               p->dstPos.x * (p->dstArray ? element : 1) + p->dstPos.y * copy->to_pitch +
               p->dstPos.z * copy->to_slice;
    return cmSuccess;
}

static cmError_t copy3d(const struct cmMemcpy3DParms *params, cmStream_t stream, bool wait) {
    struct cm_copy copy;
    cmError_t error = cm_copy3d(&copy, params);
    return error ? cm_fail(error) : submit_copy(copy, params->kind, stream, wait);
}

cmError_t cmMemcpy3D(const struct cmMemcpy3DParms *copy) { return copy3d(copy, NULL, true); }

cmError_t cmMemcpy3DAsync(const struct cmMemcpy3DParms *copy, cmStream_t stream) {
    return copy3d(copy, stream, false);
}

/* ---- arrays ---- */

static cmError_t array_copy(struct cmArray *array, size_t x, size_t y, void *memory, size_t pitch,
                            size_t width, size_t height, bool in, enum cmMemcpyKind kind,
                            cmStream_t stream, bool wait) {
    CM_NEED(array && memory, cmErrorInvalidValue);
    const size_t whole = array->width * array->element, rows = array->height ? array->height : 1;
    CM_NEED(x <= whole && width <= whole - x && y <= rows && height <= rows - y,
            cmErrorInvalidValue);
    unsigned char *inside = array->data + y * array->pitch + x;
    struct cm_copy copy = in ? box(inside, array->pitch, memory, pitch, width, height)
                             : box(memory, pitch, inside, array->pitch, width, height);
    return submit_copy(copy, kind, stream, wait);
}

cmError_t cmMemcpy2DToArrayAsync(cmArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                 size_t width, size_t height, enum cmMemcpyKind kind,
                                 cmStream_t stream) {
    return array_copy(to, x, y, (void *)(uintptr_t)from, pitch, width, height, true, kind, stream,
                      false);
}

cmError_t cmMemcpy2DToArray(cmArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                            size_t width, size_t height, enum cmMemcpyKind kind) {
    return array_copy(to, x, y, (void *)(uintptr_t)from, pitch, width, height, true, kind, NULL,
                      true);
}

cmError_t cmMemcpy2DFromArray(void *to, size_t pitch, cmArray_const_t from, size_t x, size_t y,
                              size_t width, size_t height, enum cmMemcpyKind kind) {
    return array_copy((cmArray_t)(uintptr_t)from, x, y, to, pitch, width, height, false, kind,
                      NULL, true);
}

/* A run of bytes over full rows of an array. */
static cmError_t array_run(struct cmArray *array, size_t x, size_t y, unsigned char *memory,
                           size_t size, bool in, enum cmMemcpyKind kind) {
    CM_NEED(array, cmErrorInvalidValue);
    size_t whole = array->width * array->element;
    while (size) {
        size_t part = size < whole - x ? size : whole - x;
        cmError_t error = array_copy(array, x, y, memory, part, part, 1, in, kind, NULL, true);
        if (error) return error;
        memory += part;
        size -= part;
        x = 0;
        y++;
    }
    return cmSuccess;
}

cmError_t cmMemcpyToArray(cmArray_t to, size_t x, size_t y, const void *from, size_t size,
                          enum cmMemcpyKind kind) {
    return array_run(to, x, y, (unsigned char *)(uintptr_t)from, size, true, kind);
}

cmError_t cmMemcpyFromArray(void *to, cmArray_const_t from, size_t x, size_t y, size_t size,
                            enum cmMemcpyKind kind) {
    return array_run((cmArray_t)(uintptr_t)from, x, y, to, size, false, kind);
}

/* ---- fills ---- */

/* The forms without a stream return early for device memory in CUDA, too, but programs that read
   managed memory next expect the value: they wait. */
static cmError_t submit_fill(struct cm_fill fill, cmStream_t handle, bool wait) {
    CM_ENTER();
    if (!fill.width || !fill.height || !fill.depth) return cmSuccess;
    CM_NEED(fill.to, cmErrorInvalidValue);
    size_t width = fill.width * fill.element;
    CM_NEED(fill.height == 1 || width <= fill.pitch, cmErrorInvalidPitchValue);
    struct cm_copy extent = {.width = width, .height = fill.height, .depth = fill.depth};
    const struct cm_allocation *known;
    cmError_t error = cmSuccess;
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(handle);
    bool fine = fits(fill.to, fill.pitch, fill.slice, &extent, &known, true) && stream;
    bool now = fine && wait && idle(stream);
    bool loose =
        fine && !wait && cm_backend->fill_async && fill.element == 1 && on_device(stream, known);
    bool issued = loose && issue_now(stream, &cm_fill_class, &fill, &error);
    cm_lock_give();
    CM_NEED(stream, cmErrorInvalidResourceHandle);
    CM_NEED(fine, cmErrorInvalidValue);
    if (error || issued) return cm_fail(error);
    if (now) {
        fill_run(&fill, stream);
        return cm_fail(cm_sticky(stream->device));
    }
    struct cm_op *op = cm_op_new(&cm_fill_class, sizeof fill);
    if (op) memcpy(op->data, &fill, sizeof fill);
    if (op) op->loose = loose;
    return cm_submit_to(handle, op, wait);
}

static struct cm_fill bytes(struct cmPitchedPtr to, int value, struct cmExtent extent) {
    return (struct cm_fill){.to = to.ptr,
                            .pitch = to.pitch,
                            .slice = to.pitch * to.ysize,
                            .width = extent.width,
                            .height = extent.height,
                            .depth = extent.depth,
                            .value = (unsigned char)value,
                            .element = 1};
}

static struct cm_fill rows(void *to, size_t pitch, int value, size_t width, size_t height) {
    return bytes(make_cmPitchedPtr(to, pitch, width, height), value,
                 make_cmExtent(width, height, 1));
}

cmError_t cmMemset3DAsync(struct cmPitchedPtr to, int value, struct cmExtent extent,
                          cmStream_t stream) {
    return submit_fill(bytes(to, value, extent), stream, false);
}

cmError_t cmMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                          cmStream_t stream) {
    return submit_fill(rows(to, pitch, value, width, height), stream, false);
}

cmError_t cmMemsetAsync(void *to, int value, size_t size, cmStream_t stream) {
    return submit_fill(rows(to, size, value, size, 1), stream, false);
}

cmError_t cmMemsetElementsAsync(void *to, size_t pitch, unsigned int value, size_t element,
                                size_t width, size_t height, cmStream_t stream) {
    CM_NEED(element == 1 || element == 2 || element == 4, cmErrorInvalidValue);
    CM_NEED(width <= SIZE_MAX / element, cmErrorInvalidValue);
    return submit_fill((struct cm_fill){.to = to,
                                        .pitch = pitch,
                                        .width = width,
                                        .height = height,
                                        .depth = 1,
                                        .value = element == 1 ? (unsigned char)value : value,
                                        .element = (unsigned int)element},
                       stream, false);
}

cmError_t cmMemset(void *to, int value, size_t size) {
    return submit_fill(rows(to, size, value, size, 1), NULL, true);
}

cmError_t cmMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    return submit_fill(rows(to, pitch, value, width, height), NULL, true);
}

cmError_t cmMemset3D(struct cmPitchedPtr to, int value, struct cmExtent extent) {
    return submit_fill(bytes(to, value, extent), NULL, true);
}

/* ---- variables of the program ---- */

cmError_t cmSymbolCopy(void *to, const void *from, size_t size, size_t offset, size_t whole,
                       int toSymbol, cmStream_t stream, int wait) {
    CM_NEED(to && from, cmErrorInvalidSymbol);
    CM_NEED(offset <= whole && size <= whole - offset, cmErrorInvalidValue);
    struct cm_copy copy = toSymbol ? row((char *)to + offset, from, size)
                                   : row(to, (const char *)from + offset, size);
    return submit_copy(copy, toSymbol ? cmMemcpyHostToDevice : cmMemcpyDeviceToHost, stream, wait);
}
