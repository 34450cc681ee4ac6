/* Graphs: operations that were put aside, to be run again and again. A captured stream puts its
   operations into a graph instead of running them. */
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

struct cm_capture {
    struct cm_capture *next;
    uint64_t number;
    struct cm_graph *graph;
    struct branch *branches; /* the last is that of the stream where the capture began */
    enum cmStreamCaptureMode mode;
    pthread_t thread;
    bool invalid, given; /* given: the graph is the program's, and stays its own */
};

static struct cm_capture *captures;
static uint64_t capture_count;

/* ---- nodes ---- */

static bool add_after(struct cm_node ***list, size_t *count, struct cm_node *node) {
    for (size_t i = 0; i < *count; i++)
        if ((*list)[i] == node) return true;
    struct cm_node **more = realloc(*list, (*count + 1) * sizeof *more);
    if (!more) return false;
    more[(*count)++] = node;
    *list = more;
    return true;
}

/* Takes the operation over, also when it fails. */
static struct cm_node *add_node(struct cm_graph *graph, struct cm_op *op, struct cm_node **after,
                                size_t count) {
    struct cm_node *node = op ? calloc(1, sizeof *node) : NULL;
    bool fine = node && (node->handle = cm_handle_new(CM_NODE, node));
    for (size_t i = 0; fine && i < count; i++)
        fine = add_after(&node->after, &node->count, after[i]);
    if (!fine) {
        if (node && node->handle) cm_handle_take(CM_NODE, node->handle);
        if (node) free(node->after);
        free(node);
        if (op) cm_op_free(op);
        return NULL;
    }
    node->graph = graph;
    node->op = op;
    *graph->last = node;
    graph->last = &node->next;
    graph->count++;
    return node;
}

struct cm_graph *cm_graph_new(void) {
    struct cm_graph *graph = calloc(1, sizeof *graph);
    if (!graph) return NULL;
    graph->last = &graph->first;
    graph->handle = cm_handle_new(CM_GRAPH, graph);
    if (graph->handle) return graph;
    free(graph);
    return NULL;
}

void cm_graph_free(struct cm_graph *graph) {
    cm_handle_take(CM_GRAPH, graph->handle);
    for (struct cm_node *node = graph->first, *next; node; node = next) {
        next = node->next;
        cm_handle_take(CM_NODE, node->handle);
        cm_op_free(node->op);
        free(node->after);
        free(node);
    }
    cm_conditions_free(graph->conditions);
    free(graph);
}

/* ---- capture ---- */

struct cm_capture *cm_capture_of(const struct cm_event *event) {
    struct cm_capture *capture = captures;
    while (capture && capture->number != event->capture) capture = capture->next;
    return capture;
}

static struct branch *branch_of(struct cm_stream *stream) {
    struct branch *branch = stream->capture->branches;
    while (branch->stream != stream) branch = branch->next;
    return branch;
}

static cmError_t invalidate(struct cm_capture *capture, cmError_t error) {
    capture->invalid = true;
    return error;
}

/* The branch now continues behind this node alone. */
static bool behind_only(struct branch *branch, struct cm_node *node) {
    branch->count = 0;
    return add_after(&branch->after, &branch->count, node);
}

cmError_t cm_capture_op(struct cm_stream *stream, struct cm_op *op) {
    struct cm_capture *capture = stream->capture;
    if (capture->invalid) {
        cm_op_free(op);
        return cmErrorStreamCaptureInvalidated;
    }
    struct branch *branch = branch_of(stream);
    struct cm_node *node = add_node(capture->graph, op, branch->after, branch->count);
    if (node && behind_only(branch, node)) return cmSuccess;
    return invalidate(capture, cmErrorMemoryAllocation);
}

cmError_t cm_capture_record(struct cm_stream *stream, struct cm_event *event) {
    struct cm_capture *capture = stream->capture;
    struct branch *branch = branch_of(stream);
    if (branch->count != 1) { /* one node that stands for all of them */
        cmError_t error = cm_capture_op(stream, cm_op_new(&cm_empty_class, 0));
        if (error) return error;
    }
    event->capture = capture->number;
    event->captured = branch->after[0];
    return cmSuccess;
}

static struct branch *new_branch(struct cm_capture *capture, struct cm_stream *stream) {
    struct branch *branch = calloc(1, sizeof *branch);
    if (!branch) return NULL;
    branch->stream = stream;
    branch->next = capture->branches;
    capture->branches = branch;
    stream->capture = capture;
    cm_devices[stream->device].capturing++;
    cm_stream_ref(stream);
    return branch;
}

cmError_t cm_capture_wait(struct cm_stream *stream, struct cm_event *event) {
    struct cm_capture *capture = cm_capture_of(event);
    if (!capture) return invalidate(stream->capture, cmErrorStreamCaptureIsolation);
    if (stream->capture && stream->capture != capture) {
        stream->capture->invalid = true;
        return invalidate(capture, cmErrorStreamCaptureMerge);
    }
    struct branch *branch = stream->capture ? branch_of(stream) : new_branch(capture, stream);
    if (branch && add_after(&branch->after, &branch->count, event->captured)) return cmSuccess;
    return invalidate(capture, cmErrorMemoryAllocation);
}

cmError_t cmStreamBeginCapture(cmStream_t stream, enum cmStreamCaptureMode mode) {
    return cmStreamBeginCaptureInto(stream, NULL, NULL, 0, mode);
}

/* The nodes of these handles, behind which a branch continues. */
static bool continue_behind(struct branch *branch, const struct cm_graph *graph,
                            const cmGraphNode_t *after, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct cm_node *node = cm_handle_get(CM_NODE, after[i]);
        if (!node || node->graph != graph || !add_after(&branch->after, &branch->count, node))
            return false;
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
    struct cm_capture *capture = NULL;
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
        capture->number = ++capture_count;
        capture->mode = mode;
        capture->thread = pthread_self();
        capture->next = captures;
        captures = capture;
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
static bool joined(struct cm_capture *capture, struct branch *origin) {
    for (struct cm_node *n = capture->graph->first; n; n = n->next) n->done = false;
    for (size_t i = 0; i < origin->count; i++) mark_before(origin->after[i]);
    for (struct branch *b = capture->branches; b; b = b->next)
        for (size_t i = 0; i < b->count; i++)
            if (!b->after[i]->done) return false;
    return true;
}

static void end_capture(struct cm_capture *capture) {
    struct cm_capture **at = &captures;
    while (*at != capture) at = &(*at)->next;
    *at = capture->next;
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
    struct cm_capture *capture = stream ? stream->capture : NULL;
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
    struct cm_capture *capture = stream ? stream->capture : NULL;
    struct branch *branch = capture ? branch_of(stream) : NULL;
    *status = !capture           ? cmStreamCaptureStatusNone
              : capture->invalid ? cmStreamCaptureStatusInvalidated
                                 : cmStreamCaptureStatusActive;
    if (!stream) error = cmErrorInvalidResourceHandle;
    if (capture && number) *number = capture->number;
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
    struct cm_capture *capture = stream ? stream->capture : NULL;
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
        *status = !stream->capture           ? cmStreamCaptureStatusNone
                  : stream->capture->invalid ? cmStreamCaptureStatusInvalidated
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

/* ---- graphs made by hand ---- */

cmError_t cmGraphCreate(cmGraph_t *graph, unsigned int flags) {
    CM_ENTER();
    CM_NEED(graph && !flags, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_graph *made = cm_graph_new();
    if (made) *graph = made->handle;
    cm_lock_give();
    return cm_fail(made ? cmSuccess : cmErrorMemoryAllocation);
}

cmError_t cmGraphDestroy(cmGraph_t handle) {
    CM_ENTER();
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, handle);
    if (graph) cm_graph_free(graph);
    cm_lock_give();
    return cm_fail(graph ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cm_graph_add(cmGraphNode_t *node, cmGraph_t handle, const cmGraphNode_t *after,
                       size_t count, struct cm_op *op) {
    CM_NEED(op, cmErrorMemoryAllocation);
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, handle);
    cmError_t error = !node || !graph || (count && !after) ? cmErrorInvalidValue : cmSuccess;
    struct cm_node **list = count && !error ? calloc(count, sizeof *list) : NULL;
    if (count && !error && !list) error = cmErrorMemoryAllocation;
    for (size_t i = 0; i < count && !error; i++) {
        list[i] = cm_handle_get(CM_NODE, after[i]);
        if (!list[i] || list[i]->graph != graph) error = cmErrorInvalidValue;
    }
    if (error) {
        cm_op_free(op);
    } else {
        struct cm_node *made = add_node(graph, op, list, count);
        if (made)
            *node = made->handle;
        else
            error = cmErrorMemoryAllocation;
    }
    free(list);
    cm_lock_give();
    return cm_fail(error);
}

static struct cm_op *op_with(const struct cm_class *class, const void *data, size_t size) {
    struct cm_op *op = cm_op_new(class, size);
    if (op && size) memcpy(op->data, data, size);
    return op;
}

cmError_t cmGraphAddEmptyNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                              size_t count) {
    CM_ENTER();
    return cm_graph_add(node, graph, after, count, cm_op_new(&cm_empty_class, 0));
}

cmError_t cmGraphAddHostNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                             size_t count, const struct cmHostNodeParams *params) {
    CM_ENTER();
    CM_NEED(params && params->fn, cmErrorInvalidValue);
    struct cm_host host = {.function = params->fn, .data = params->userData};
    return cm_graph_add(node, graph, after, count, op_with(&cm_host_class, &host, sizeof host));
}

cmError_t cmGraphAddMemcpyNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, const struct cmMemcpy3DParms *params) {
    CM_ENTER();
    struct cm_copy copy;
    cmError_t error = cm_copy3d(&copy, params);
    if (error) return cm_fail(error);
    return cm_graph_add(node, graph, after, count, op_with(&cm_copy_class, &copy, sizeof copy));
}

cmError_t cmGraphAddMemcpyNode1D(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                 size_t count, void *to, const void *from, size_t size,
                                 enum cmMemcpyKind kind) {
    CM_ENTER();
    CM_NEED(to && from && (unsigned)kind <= cmMemcpyDefault, cmErrorInvalidValue);
    struct cm_copy copy = {.to = to, .from = from, .width = size, .height = 1, .depth = 1};
    return cm_graph_add(node, graph, after, count, op_with(&cm_copy_class, &copy, sizeof copy));
}

cmError_t cmGraphAddMemsetNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, const struct cmMemsetParams *p) {
    CM_ENTER();
    CM_NEED(p && p->dst, cmErrorInvalidValue);
    CM_NEED(p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4,
            cmErrorInvalidValue);
    struct cm_fill fill = {.to = p->dst,
                           .pitch = p->pitch,
                           .width = p->width,
                           .height = p->height,
                           .depth = 1,
                           .value = p->value,
                           .element = p->elementSize};
    return cm_graph_add(node, graph, after, count, op_with(&cm_fill_class, &fill, sizeof fill));
}

cmError_t cmGraphAddKernelCall(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, const cmKernelCall *call) {
    CM_ENTER();
    struct cm_op *op;
    cmError_t error = cm_grid_op(call, &op);
    return error ? cm_fail(error) : cm_graph_add(node, graph, after, count, op);
}

cmError_t cmGraphAddDependencies(cmGraph_t handle, const cmGraphNode_t *from,
                                 const cmGraphNode_t *to, size_t count) {
    CM_ENTER();
    CM_NEED(!count || (from && to), cmErrorInvalidValue);
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, handle);
    cmError_t error = graph ? cmSuccess : cmErrorInvalidValue;
    for (size_t i = 0; i < count && !error; i++) {
        struct cm_node *a = cm_handle_get(CM_NODE, from[i]), *b = cm_handle_get(CM_NODE, to[i]);
        if (!a || !b || a->graph != graph || b->graph != graph || a == b)
            error = cmErrorInvalidValue;
        else if (!add_after(&b->after, &b->count, a))
            error = cmErrorMemoryAllocation;
    }
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmGraphGetNodes(cmGraph_t handle, cmGraphNode_t *nodes, size_t *count) {
    CM_ENTER();
    CM_NEED(count, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, handle);
    size_t i = 0;
    for (struct cm_node *n = graph ? graph->first : NULL; nodes && n && i < *count; n = n->next)
        nodes[i++] = n->handle;
    if (graph) *count = nodes ? i : graph->count;
    cm_lock_give();
    return cm_fail(graph ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmGraphNodeGetType(cmGraphNode_t handle, enum cmGraphNodeType *type) {
    CM_ENTER();
    CM_NEED(type, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_node *node = cm_handle_get(CM_NODE, handle);
    if (node) *type = node->op->class->type;
    cm_lock_give();
    return cm_fail(node ? cmSuccess : cmErrorInvalidValue);
}

/* ---- running ---- */

static bool can_go(struct cm_node *node) {
    for (size_t i = 0; i < node->count; i++)
        if (!node->after[i]->done) return false;
    return true;
}

bool cm_exec_push(struct cm_exec *exec, const struct cm_node *node, uint64_t shape) {
    if (exec->count == exec->room) {
        size_t room = exec->room ? exec->room * 2 : 16;
        void *ops = realloc(exec->ops, room * sizeof *exec->ops);
        if (ops) exec->ops = ops;
        void *nodes = ops ? realloc(exec->nodes, room * sizeof *exec->nodes) : NULL;
        if (nodes) exec->nodes = nodes;
        void *shapes = nodes ? realloc(exec->shapes, room * sizeof *exec->shapes) : NULL;
        if (!shapes) return false;
        exec->shapes = shapes;
        exec->room = room;
    }
    struct cm_op *op = cm_op_clone(node->op);
    if (!op) return false;
    exec->ops[exec->count] = op;
    exec->nodes[exec->count] = node->handle;
    exec->shapes[exec->count++] = shape;
    return true;
}

/* An order that respects the dependencies, as near as can be to that in which the nodes were
   made. */
cmError_t cm_graph_order(struct cm_graph *graph, struct cm_exec *exec) {
    size_t done = 0;
    for (struct cm_node *n = graph->first; n; n = n->next) n->done = false;
    while (done < graph->count) {
        size_t before = done;
        for (struct cm_node *n = graph->first; n; n = n->next) {
            if (n->done || !can_go(n)) continue;
            uint64_t shape = n->count;
            for (size_t i = 0; i < n->count; i++) /* in any order */
                shape += (n->after[i]->place + 1) * 0x9e3779b97f4a7c15u;
            n->done = true;
            n->place = done++;
            struct cm_graph *child = cm_child_of(n->op);
            cmError_t error = child                          ? cm_graph_order(child, exec)
                              : cm_exec_push(exec, n, shape) ? cmSuccess
                                                             : cmErrorMemoryAllocation;
            if (error) return error;
        }
        if (done == before) return cmErrorInvalidValue; /* a circle */
    }
    return cmSuccess;
}

void cm_exec_free(struct cm_exec *exec) {
    for (size_t i = 0; i < exec->count; i++) cm_op_free(exec->ops[i]);
    free(exec->ops);
    free(exec->nodes);
    free(exec->shapes);
    free(exec);
}

cmError_t cmGraphInstantiateWithFlags(cmGraphExec_t *result, cmGraph_t handle,
                                      unsigned long long flags) {
    (void)flags;
    CM_ENTER();
    CM_NEED(result, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, handle);
    struct cm_exec *exec = graph ? calloc(1, sizeof *exec) : NULL;
    cmError_t error = !graph ? cmErrorInvalidValue : exec ? cmSuccess : cmErrorMemoryAllocation;
    if (!error) error = cm_graph_order(graph, exec);
    if (!error && !(exec->handle = cm_handle_new(CM_EXEC, exec))) error = cmErrorMemoryAllocation;
    if (!error)
        *result = exec->handle;
    else if (exec)
        cm_exec_free(exec);
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmGraphLaunch(cmGraphExec_t handle, cmStream_t where) {
    CM_ENTER();
    cm_lock_take();
    struct cm_exec *exec = cm_handle_get(CM_EXEC, handle);
    struct cm_stream *stream = cm_stream_find(where);
    cmError_t error = !exec     ? cmErrorInvalidValue
                      : !stream ? cmErrorInvalidResourceHandle
                                : cmSuccess;
    for (size_t i = 0; !error && i < exec->count; i++)
        error = cm_condition_start(stream, exec->ops[i]);
    for (size_t i = 0; !error && i < exec->count; i++) error = cm_graph_put(stream, exec->ops[i]);
    cm_lock_give();
    return cm_fail(error);
}

cmError_t cmGraphUpload(cmGraphExec_t exec, cmStream_t stream) {
    CM_ENTER();
    cm_lock_take();
    bool fine = cm_handle_get(CM_EXEC, exec) && cm_stream_find(stream);
    cm_lock_give();
    return cm_fail(fine ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmGraphExecDestroy(cmGraphExec_t handle) {
    CM_ENTER();
    cm_lock_take();
    struct cm_exec *exec = cm_handle_take(CM_EXEC, handle);
    if (exec) cm_exec_free(exec);
    cm_lock_give();
    return cm_fail(exec ? cmSuccess : cmErrorInvalidValue);
}

struct cm_graph *cm_graph_clone(const struct cm_graph *graph) {
    struct cm_graph *made = cm_graph_new();
    struct cm_node **twin = made ? calloc(graph->count + 1, sizeof *twin) : NULL;
    bool fine = twin;
    size_t i = 0;
    for (struct cm_node *n = graph->first; n && fine; n = n->next, i++) {
        n->place = i;
        twin[i] = add_node(made, cm_op_clone(n->op), NULL, 0);
        fine = twin[i];
    }
    i = 0;
    for (struct cm_node *n = graph->first; n && fine; n = n->next, i++)
        for (size_t d = 0; d < n->count && fine; d++)
            fine = add_after(&twin[i]->after, &twin[i]->count, twin[n->after[d]->place]);
    free(twin);
    if (fine) return made;
    if (made) cm_graph_free(made);
    return NULL;
}

cmError_t cmGraphClone(cmGraph_t *clone, cmGraph_t original) {
    CM_ENTER();
    CM_NEED(clone, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, original);
    struct cm_graph *made = graph ? cm_graph_clone(graph) : NULL;
    if (made) *clone = made->handle;
    cm_lock_give();
    return cm_fail(made ? cmSuccess : graph ? cmErrorMemoryAllocation : cmErrorInvalidValue);
}
