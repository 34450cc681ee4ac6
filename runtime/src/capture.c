/* SPDX-License-Identifier: Apache-2.0 */
/* Captures: a stream that is captured puts its operations into a graph instead of running them.
   It may fork into other streams by events; all of them have to come back before the capture
   ends. The stream knows a capture as the table of functions that take its operations
   (cm_recorder). */
#include "graph.h"
#include <stdlib.h>
#include <string.h>

/* One stream's part of a capture: behind which nodes its next operation comes. */
struct branch {
    struct branch *next;
    struct cm_stream *stream;
    struct cm_node **after;
    size_t count;
    void **handles; /* of these, for cmStreamGetCapture() */
};

struct capture {
    struct cm_capture base; /* first: the stream knows it as that */
    struct cm_graph *graph;
    struct branch *branches; /* the last is that of the stream where the capture began */
    enum cmStreamCaptureMode mode;
    pthread_t thread;
    bool invalid, given; /* given: the graph is the program's, and stays its own */
};

static uint64_t capture_count;

static struct capture *of_stream(const struct cm_stream *stream) {
    return (struct capture *)stream->capture;
}

static struct branch *branch_of(struct cm_stream *stream) {
    struct branch *branch = of_stream(stream)->branches;
    while (branch->stream != stream) branch = branch->next;
    return branch;
}

static cmError_t invalidate(struct capture *capture, cmError_t error) {
    capture->invalid = true;
    return error;
}

/* The branch now continues behind this node alone. */
static bool behind_only(struct branch *branch, struct cm_node *node) {
    branch->count = 0;
    return cm_node_list_add(&branch->after, &branch->count, node);
}

static cmError_t capture_op(struct cm_stream *stream, struct cm_op *op) {
    struct capture *capture = of_stream(stream);
    if (capture->invalid) {
        cm_op_free(op);
        return cmErrorStreamCaptureInvalidated;
    }
    struct branch *branch = branch_of(stream);
    struct cm_node *node = cm_graph_node(capture->graph, op, branch->after, branch->count);
    if (node && behind_only(branch, node)) return cmSuccess;
    return invalidate(capture, cmErrorMemoryAllocation);
}

static cmError_t capture_record(struct cm_stream *stream, struct cm_event *event) {
    struct capture *capture = of_stream(stream);
    struct branch *branch = branch_of(stream);
    if (branch->count != 1) { /* one node that stands for all of them */
        cmError_t error = capture_op(stream, cm_op_new(&cm_empty_class, 0));
        if (error) return error;
    }
    event->capture = capture->base.number;
    event->captured = branch->after[0];
    return cmSuccess;
}

static struct branch *new_branch(struct capture *capture, struct cm_stream *stream) {
    struct branch *branch = calloc(1, sizeof *branch);
    if (!branch) return NULL;
    branch->stream = stream;
    branch->next = capture->branches;
    capture->branches = branch;
    stream->capture = &capture->base;
    cm_devices[stream->device].capturing++;
    cm_stream_ref(stream);
    return branch;
}

static cmError_t capture_wait(struct cm_stream *stream, struct cm_event *event) {
    struct capture *capture = (struct capture *)cm_capture_of(event);
    if (!capture) return invalidate(of_stream(stream), cmErrorStreamCaptureIsolation);
    if (stream->capture && of_stream(stream) != capture) {
        of_stream(stream)->invalid = true;
        return invalidate(capture, cmErrorStreamCaptureMerge);
    }
    struct branch *branch = stream->capture ? branch_of(stream) : new_branch(capture, stream);
    if (branch && cm_node_list_add(&branch->after, &branch->count, event->captured))
        return cmSuccess;
    return invalidate(capture, cmErrorMemoryAllocation);
}

static cmError_t capture_malloc(struct cm_stream *stream, void **pointer, size_t size) {
    struct cm_op *op = size ? cm_graph_alloc_op(pointer, size, stream->device) : NULL;
    return op ? capture_op(stream, op) : size ? cmErrorMemoryAllocation : cmErrorInvalidValue;
}

static cmError_t capture_free(struct cm_stream *stream, void *pointer) {
    struct cm_allocation *a = cm_memory_find(pointer);
    if (!a || !a->graph) return cmErrorStreamCaptureUnsupported; /* not of this capture */
    struct cm_op *op = cm_graph_free_op(pointer);
    return op ? capture_op(stream, op) : cmErrorMemoryAllocation;
}

static const struct cm_recorder recorder = {.op = capture_op,
                                            .record = capture_record,
                                            .wait = capture_wait,
                                            .allocate = capture_malloc,
                                            .release = capture_free};

/* ---- what programs call ---- */

cmError_t cmStreamBeginCapture(cmStream_t stream, enum cmStreamCaptureMode mode) {
    return cmStreamBeginCaptureInto(stream, NULL, NULL, 0, mode);
}

/* The nodes of these handles, behind which a branch continues. */
static bool continue_behind(struct branch *branch, const struct cm_graph *graph,
                            const cmGraphNode_t *after, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct cm_node *node = cm_handle_get(CM_NODE, after[i]);
        if (!node || node->graph != graph) return false;
        if (!cm_node_list_add(&branch->after, &branch->count, node)) return false;
    }
    return true;
}

cmError_t cmStreamBeginCaptureInto(cmStream_t handle, cmGraph_t into, const cmGraphNode_t *after,
                                   size_t count, enum cmStreamCaptureMode mode) {
    CM_ENTER();
    CM_NEED(!count || (into && after), cmErrorInvalidValue);
    CM_NEED((unsigned)mode <= cmStreamCaptureModeRelaxed, cmErrorInvalidValue);
    cmError_t error = cmSuccess;
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(handle);
    struct cm_graph *graph = into ? cm_handle_get(CM_GRAPH, into) : NULL;
    struct capture *capture = NULL;
    if (!stream)
        error = cmErrorInvalidResourceHandle;
    else if (stream == cm_devices[stream->device].legacy)
        error = cmErrorStreamCaptureUnsupported;
    else if (stream->capture)
        error = cmErrorIllegalState;
    else if (into && !graph)
        error = cmErrorInvalidValue;
    else if (!(capture = calloc(1, sizeof *capture)) ||
             !(capture->graph = graph ? graph : cm_graph_new()) || !new_branch(capture, stream))
        error = cmErrorMemoryAllocation;
    if (!error && !continue_behind(capture->branches, graph, after, count))
        capture->invalid = true; /* the capture's end says so */
    if (!error) {
        capture->given = graph;
        capture->base.number = ++capture_count;
        capture->mode = mode;
        capture->thread = pthread_self();
        capture->base.recorder = &recorder;
        capture->base.next = cm_captures;
        cm_captures = &capture->base;
    } else if (capture) {
        if (capture->graph && !graph) cm_graph_free(capture->graph);
        free(capture);
    }
    cm_lock_give();
    return cm_fail(error);
}

static void mark_before(struct cm_node *node) {
    if (node->done) return;
    node->done = true;
    for (size_t i = 0; i < node->count; i++) mark_before(node->after[i]);
}

/* Has everything that was forked come back to the stream where the capture began? */
static bool joined(struct capture *capture, struct branch *origin) {
    for (struct cm_node *n = capture->graph->first; n; n = n->next) n->done = false;
    for (size_t i = 0; i < origin->count; i++) mark_before(origin->after[i]);
    for (struct branch *b = capture->branches; b; b = b->next)
        for (size_t i = 0; i < b->count; i++)
            if (!b->after[i]->done) return false;
    return true;
}

static void end_capture(struct capture *capture) {
    struct cm_capture **at = &cm_captures;
    while (*at != &capture->base) at = &(*at)->next;
    *at = capture->base.next;
    for (struct branch *b = capture->branches, *next; b; b = next) {
        next = b->next;
        b->stream->capture = NULL;
        cm_devices[b->stream->device].capturing--;
        cm_stream_unref(b->stream);
        free(b->handles);
        free(b->after);
        free(b);
    }
    free(capture);
}

cmError_t cmStreamEndCapture(cmStream_t handle, cmGraph_t *graph) {
    CM_ENTER();
    if (graph) *graph = NULL;
    cmError_t error = cmSuccess;
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(handle);
    struct capture *capture = stream ? of_stream(stream) : NULL;
    if (!graph && (!capture || !capture->given)) {
        error = cmErrorInvalidValue;
    } else if (!stream || !capture) {
        error = stream ? cmErrorIllegalState : cmErrorInvalidResourceHandle;
    } else if (branch_of(stream)->next) {
        error = invalidate(capture, cmErrorStreamCaptureUnmatched);
    } else if (capture->mode != cmStreamCaptureModeRelaxed &&
               !pthread_equal(capture->thread, pthread_self())) {
        error = cmErrorStreamCaptureWrongThread;
    } else {
        if (capture->invalid)
            error = cmErrorStreamCaptureInvalidated;
        else if (!joined(capture, branch_of(stream)))
            error = cmErrorStreamCaptureUnjoined;
        if (error && !capture->given)
            cm_graph_free(capture->graph);
        else if (!error && graph)
            *graph = capture->graph->handle;
        end_capture(capture);
    }
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmStreamGetCapture(cmStream_t handle, enum cmStreamCaptureStatus *status,
                             unsigned long long *number, cmGraph_t *graph,
                             const cmGraphNode_t **after, size_t *count) {
    CM_ENTER();
    CM_NEED(status, cmErrorInvalidValue);
    cmError_t error = cmSuccess;
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(handle);
    struct capture *capture = stream ? of_stream(stream) : NULL;
    struct branch *branch = capture ? branch_of(stream) : NULL;
    *status = !capture           ? cmStreamCaptureStatusNone
              : capture->invalid ? cmStreamCaptureStatusInvalidated
                                 : cmStreamCaptureStatusActive;
    if (!stream) error = cmErrorInvalidResourceHandle;
    if (capture && number) *number = capture->base.number;
    if (capture && graph) *graph = capture->graph->handle;
    if (capture && count) *count = branch->count;
    void *more =
        branch && after ? realloc(branch->handles, (branch->count + 1) * sizeof(void *)) : NULL;
    if (more) branch->handles = more;
    for (size_t i = 0; more && i < branch->count; i++)
        branch->handles[i] = branch->after[i]->handle;
    if (more) *after = (const cmGraphNode_t *)branch->handles;
    if (branch && after && !more) error = cmErrorMemoryAllocation;
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmStreamContinueCapture(cmStream_t handle, const cmGraphNode_t *after, size_t count,
                                  unsigned int flags) {
    CM_ENTER();
    CM_NEED((after || !count) && flags <= 1, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(handle);
    struct capture *capture = stream ? of_stream(stream) : NULL;
    bool fine = capture;
    for (size_t i = 0; i < count && fine; i++) {
        const struct cm_node *node = cm_handle_get(CM_NODE, after[i]);
        fine = node && node->graph == capture->graph;
    }
    if (fine && flags) branch_of(stream)->count = 0;
    if (fine) fine = continue_behind(branch_of(stream), capture->graph, after, count);
    cm_lock_give();
    return cm_fail(fine      ? cmSuccess
                   : !stream ? cmErrorInvalidResourceHandle
                   : capture ? cmErrorInvalidValue
                             : cmErrorIllegalState);
}

cmError_t cmStreamIsCapturing(cmStream_t handle, enum cmStreamCaptureStatus *status) {
    CM_ENTER();
    CM_NEED(status, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(handle);
    if (stream)
        *status = !stream->capture             ? cmStreamCaptureStatusNone
                  : of_stream(stream)->invalid ? cmStreamCaptureStatusInvalidated
                                               : cmStreamCaptureStatusActive;
    cm_lock_give();
    return cm_fail(stream ? cmSuccess : cmErrorInvalidResourceHandle);
}

cmError_t cmThreadExchangeStreamCaptureMode(enum cmStreamCaptureMode *mode) {
    static _Thread_local enum cmStreamCaptureMode current;
    CM_NEED(mode && (unsigned)*mode <= cmStreamCaptureModeRelaxed, cmErrorInvalidValue);
    enum cmStreamCaptureMode old = current;
    current = *mode;
    *mode = old;
    return cmSuccess;
}
