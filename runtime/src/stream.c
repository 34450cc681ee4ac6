/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and events as programs call them: they are made, asked and waited for. What a stream
   holds is carried out in queue.c. */
#include "backend.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

cmError_t cmStreamCreateWithPriority(cmStream_t *stream, unsigned int flags, int priority) {
    CM_ENTER();
    CM_NEED(stream && !(flags & ~1u), cmErrorInvalidValue);
    cm_lock_take();
    struct cm_stream *made = cm_stream_new(cm_current(), flags, priority);
    if (made) *stream = made->handle;
    cm_lock_give();
    return cm_fail(made ? cmSuccess : cmErrorMemoryAllocation);
}

cmError_t cmStreamCreateWithFlags(cmStream_t *stream, unsigned int flags) {
    return cmStreamCreateWithPriority(stream, flags, 0);
}

cmError_t cmStreamCreate(cmStream_t *stream) { return cmStreamCreateWithPriority(stream, 0, 0); }

cmError_t cmSetBlocking(int blocking) {
    CM_ENTER();
    cm_settings.blocking = blocking != 0;
    return cmSuccess;
}

cmError_t cmStreamDestroy(cmStream_t handle) {
    CM_ENTER();
    cm_lock_take();
    struct cm_stream *stream = cm_handle_take(CM_STREAM, handle);
    if (stream) cm_stream_settle(stream); /* a queue has to be empty before it goes */
    if (stream) cm_stream_unref(stream);
    cm_lock_give();
    return cm_fail(stream ? cmSuccess : cmErrorInvalidResourceHandle);
}

/* Finds the stream of a handle, with the lock held; fails without the lock. */
#define CM_FIND_STREAM(stream, handle)                                                            \
    CM_ENTER();                                                                                   \
    cm_lock_take();                                                                               \
    struct cm_stream *stream = cm_stream_find(handle);                                            \
    if (!stream) {                                                                                \
        cm_lock_give();                                                                           \
        return cm_fail(cmErrorInvalidResourceHandle);                                             \
    }

cmError_t cmStreamGetNative(cmStream_t handle, void **queue) {
    CM_NEED(queue, cmErrorInvalidValue);
    CM_FIND_STREAM(stream, handle);
    cmError_t error = !cm_backend->queue_new ? cmErrorNotSupported
                      : stream->capture      ? cmErrorStreamCaptureUnsupported
                                             : cm_wait(stream, stream->submitted);
    if (!error) error = cm_stream_queue(stream);
    if (!error) cm_stream_mark(stream, stream->loose, true);
    if (!error) *queue = stream->queue;
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmStreamSynchronize(cmStream_t handle) {
    CM_NEED(!cmKernelInside(), cmErrorNotSupported);
    CM_FIND_STREAM(stream, handle);
    int device = stream->device;
    cmError_t error = stream->capture ? cmErrorStreamCaptureUnsupported : cm_stream_settle(stream);
    /* The legacy stream stands for all blocking ones. */
    if (!error && stream == cm_devices[device].legacy)
        for (struct cm_stream *s = cm_devices[device].streams; s && !error; s = s->next_of_device)
            if (s->blocking && s != stream && !(error = cm_stream_settle(s)))
                error = cm_submit_wait(stream, s, s->submitted);
    if (!error) error = cm_wait(stream, stream->submitted);
    cm_lock_give();
    return cm_fail(error ? error : cm_sticky(device));
}

cmError_t cmStreamQuery(cmStream_t handle) {
    CM_FIND_STREAM(stream, handle);
    cmError_t error = stream->capture                          ? cmErrorStreamCaptureUnsupported
                      : stream->completed != stream->submitted ? cmErrorNotReady
                                                               : cmSuccess;
    if (!error && (stream->loose || stream->given)) {
        error = cm_backend->queue_done(stream->device, stream->queue);
        if (!error) stream->undrained = false;
        if (!error) cm_stream_mark(stream, false, stream->given);
    }
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmStreamGetFlags(cmStream_t handle, unsigned int *flags) {
    CM_NEED(flags, cmErrorInvalidValue);
    CM_FIND_STREAM(stream, handle);
    *flags = stream->flags;
    cm_lock_give();
    return cmSuccess;
}

cmError_t cmStreamGetPriority(cmStream_t handle, int *priority) {
    CM_NEED(priority, cmErrorInvalidValue);
    CM_FIND_STREAM(stream, handle);
    *priority = stream->priority;
    cm_lock_give();
    return cmSuccess;
}

cmError_t cmStreamSetAttribute(cmStream_t handle, enum cmLaunchAttributeID id,
                               const union cmLaunchAttributeValue *value) {
    CM_NEED(value, cmErrorInvalidValue);
    CM_FIND_STREAM(stream, handle);
    cmError_t error = cmSuccess;
    const struct cmAccessPolicyWindow *window = &value->accessPolicyWindow;
    if (id == cmLaunchAttributeAccessPolicyWindow && window->hitRatio >= 0 &&
        window->hitRatio <= 1)
        stream->window = *window;
    else if (id == cmLaunchAttributeSynchronizationPolicy)
        stream->waiting = value->syncPolicy;
    else if (id != cmLaunchAttributePriority || value->priority != stream->priority)
        error = cmErrorInvalidValue;
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmStreamGetAttribute(cmStream_t handle, enum cmLaunchAttributeID id,
                               union cmLaunchAttributeValue *value) {
    CM_NEED(value, cmErrorInvalidValue);
    CM_FIND_STREAM(stream, handle);
    cmError_t error = cmSuccess;
    if (id == cmLaunchAttributeAccessPolicyWindow)
        value->accessPolicyWindow = stream->window;
    else if (id == cmLaunchAttributeSynchronizationPolicy)
        value->syncPolicy = stream->waiting ? stream->waiting : cmSyncPolicyAuto;
    else if (id == cmLaunchAttributePriority)
        value->priority = stream->priority;
    else
        error = cmErrorInvalidValue;
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmStreamCopyAttributes(cmStream_t to, cmStream_t from) {
    CM_FIND_STREAM(stream, to);
    const struct cm_stream *other = cm_stream_find(from);
    if (other) stream->window = other->window, stream->waiting = other->waiting;
    cm_lock_give();
    return cm_fail(other ? cmSuccess : cmErrorInvalidResourceHandle);
}

cmError_t cmCtxResetPersistingL2Cache(void) {
    CM_ENTER();
    return cmSuccess;
}

cmError_t cmStreamGetDevice(cmStream_t handle, int *device) {
    CM_NEED(device, cmErrorInvalidValue);
    CM_FIND_STREAM(stream, handle);
    *device = stream->device;
    cm_lock_give();
    return cmSuccess;
}

cmError_t cmStreamGetId(cmStream_t handle, unsigned long long *id) {
    CM_NEED(id, cmErrorInvalidValue);
    CM_FIND_STREAM(stream, handle);
    *id = stream->id;
    cm_lock_give();
    return cmSuccess;
}

/* ---- functions of the host ---- */

static void host_run(void *data, struct cm_stream *stream) {
    struct cm_host *host = data;
    if (host->function)
        host->function(host->data);
    else
        host->callback(host->stream, cm_sticky(stream->device), host->data);
}

const struct cm_class cm_host_class = {
    .type = cmGraphNodeTypeHost, .how = CM_HOST, .run = host_run};

static cmError_t submit_host(cmStream_t stream, struct cm_host host) {
    CM_ENTER();
    CM_NEED(host.function || host.callback, cmErrorInvalidValue);
    struct cm_op *op = cm_op_new(&cm_host_class, sizeof host);
    if (op) memcpy(op->data, &host, sizeof host);
    return cm_submit_to(stream, op, false);
}

cmError_t cmLaunchHostFunc(cmStream_t stream, cmHostFn_t function, void *data) {
    return submit_host(stream, (struct cm_host){.function = function, .data = data});
}

cmError_t cmStreamAddCallback(cmStream_t stream, cmStreamCallback_t callback, void *data,
                              unsigned int flags) {
    CM_NEED(!flags, cmErrorInvalidValue);
    return submit_host(stream,
                       (struct cm_host){.callback = callback, .stream = stream, .data = data});
}

cmError_t cmStreamAttachMemAsync(cmStream_t handle, void *pointer, size_t length,
                                 unsigned int flags) {
    (void)length, (void)flags;
    CM_FIND_STREAM(stream, handle);
    (void)stream;
    struct cm_allocation *allocation = cm_memory_find(pointer);
    bool fine = allocation && allocation->kind == CM_MANAGED;
    cm_lock_give();
    return cm_fail(fine ? cmSuccess : cmErrorInvalidValue);
}

/* ---- events ---- */

struct record { /* of a cmEventRecord() operation */
    struct cm_event *event;
    uint64_t version;
};

static void event_unref(struct cm_event *event) {
    if (--event->refs) return;
    if (event->stream) cm_stream_unref(event->stream);
    free(event);
}

static void record_run(void *data, struct cm_stream *stream) {
    struct record *record = data;
    struct timespec now;
    (void)stream;
    clock_gettime(CLOCK_MONOTONIC, &now);
    cm_lock_take();
    if (record->version > record->event->done) {
        record->event->done = record->version;
        record->event->time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    }
    cm_lock_give();
}

static void record_drop(void *data) {
    cm_lock_take();
    event_unref(((struct record *)data)->event);
    cm_lock_give();
}

static const struct cm_class record_class = {
    .type = cmGraphNodeTypeEventRecord, .how = CM_RUN, .run = record_run, .drop = record_drop};

struct cm_capture *cm_captures;
struct cm_capture *cm_capture_of(const struct cm_event *event) {
    struct cm_capture *capture = cm_captures;
    while (capture && capture->number != event->capture) capture = capture->next;
    return capture;
}

struct cm_event *cm_event_find(cmEvent_t handle) {
    return cm_handle_get(CM_EVENT, handle);
}

cmError_t cmEventCreateWithFlags(cmEvent_t *event, unsigned int flags) {
    CM_ENTER();
    CM_NEED(event && !(flags & ~7u), cmErrorInvalidValue);
    struct cm_event *made = calloc(1, sizeof *made);
    cm_lock_take();
    void *handle = made ? cm_handle_new(CM_EVENT, made) : NULL;
    cm_lock_give();
    if (!handle) {
        free(made);
        return cm_fail(cmErrorMemoryAllocation);
    }
    made->handle = handle;
    made->flags = flags;
    made->refs = 1;
    *event = handle;
    return cmSuccess;
}

cmError_t cmEventCreate(cmEvent_t *event) { return cmEventCreateWithFlags(event, 0); }

cmError_t cmEventDestroy(cmEvent_t handle) {
    CM_ENTER();
    cm_lock_take();
    struct cm_event *event = cm_handle_take(CM_EVENT, handle);
    if (event) event_unref(event);
    cm_lock_give();
    return cm_fail(event ? cmSuccess : cmErrorInvalidResourceHandle);
}

cmError_t cm_event_record(struct cm_event *event, struct cm_stream *stream) {
    if (stream->capture) return stream->capture->recorder->record(stream, event);
    struct cm_op *op = cm_op_new(&record_class, sizeof(struct record));
    if (!op) return cmErrorMemoryAllocation;
    event->capture = 0;
    event->refs++;
    *(struct record *)op->data = (struct record){event, ++event->version};
    uint64_t seq;
    cmError_t error = cm_submit(stream, op, &seq);
    if (error) return error;
    if (event->stream) cm_stream_unref(event->stream);
    cm_stream_ref(stream);
    event->stream = stream;
    event->seq = seq;
    return cmSuccess;
}

cmError_t cmEventRecordWithFlags(cmEvent_t handle, cmStream_t where, unsigned int flags) {
    CM_NEED(!(flags & ~1u), cmErrorInvalidValue);
    CM_FIND_STREAM(stream, where);
    struct cm_event *event = cm_event_find(handle);
    cmError_t error = event ? cm_event_record(event, stream) : cmErrorInvalidResourceHandle;
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmEventRecord(cmEvent_t event, cmStream_t stream) {
    return cmEventRecordWithFlags(event, stream, 0);
}

cmError_t cm_event_wait(struct cm_event *event, struct cm_stream *stream) {
    const struct cm_capture *capture = stream->capture ? stream->capture : cm_capture_of(event);
    if (capture) return capture->recorder->wait(stream, event);
    return event->stream ? cm_submit_wait(stream, event->stream, event->seq) : cmSuccess;
}

cmError_t cmStreamWaitEvent(cmStream_t handle, cmEvent_t which, unsigned int flags) {
    CM_NEED(!(flags & ~1u), cmErrorInvalidValue);
    CM_FIND_STREAM(stream, handle);
    struct cm_event *event = cm_event_find(which);
    cmError_t error = event ? cm_event_wait(event, stream) : cmErrorInvalidResourceHandle;
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmEventQuery(cmEvent_t handle) {
    CM_ENTER();
    cm_lock_take();
    struct cm_event *event = cm_event_find(handle);
    cmError_t error = !event                          ? cmErrorInvalidResourceHandle
                      : cm_capture_of(event)          ? cmErrorCapturedEvent
                      : event->done == event->version ? cmSuccess
                                                      : cmErrorNotReady;
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmEventSynchronize(cmEvent_t handle) {
    CM_ENTER();
    cm_lock_take();
    struct cm_event *event = cm_event_find(handle);
    cmError_t error = cmSuccess;
    if (!event)
        error = cmErrorInvalidResourceHandle;
    else if (cm_capture_of(event))
        error = cmErrorCapturedEvent;
    else if (event->stream)
        error = cm_wait(event->stream, event->seq);
    cm_lock_give();
    return cm_fail(error ? error : cm_sticky(cm_current()));
}

cmError_t cmEventElapsedTime(float *milliseconds, cmEvent_t start, cmEvent_t end) {
    CM_ENTER();
    CM_NEED(milliseconds, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_event *a = cm_event_find(start), *b = cm_event_find(end);
    cmError_t error = cmSuccess;
    if (!a || !b || !a->version || !b->version || ((a->flags | b->flags) & cmEventDisableTiming))
        error = cmErrorInvalidResourceHandle;
    else if (a->done != a->version || b->done != b->version)
        error = cmErrorNotReady;
    else
        *milliseconds = (float)((double)(b->time - a->time) * 1e-6);
    cm_lock_give();
    return cm_fail(error);
}
