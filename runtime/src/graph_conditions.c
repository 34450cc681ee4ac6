/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of graphs that run a body if a number says so, or as long as it does. Kernels set the
 * number; when a stream comes to such a node, it puts the body's operations before what comes
 * next. */
#include "backend.h"
#include "graph.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What a cmGraphConditionalHandle is the address of. */
struct cm_condition {
    struct cm_owned owned; /* by the graph that it was made for; first */
    _Atomic unsigned int now;
    unsigned int first;
    bool assign; /* `first` at each launch */
    int users;   /* the graph, and nodes */
};

struct conditional {
    struct cm_condition *condition;
    enum cmGraphConditionalNodeType type;
    int users; /* the node, or what was made of it, and operations under way */
    unsigned int size;
    cmGraph_t *handles; /* of the bodies' graphs */
    struct body {
        struct cm_graph *graph;
        struct cm_exec *exec; /* of what is launched */
    } bodies[];
};

static void condition_drop(struct cm_condition *condition) {
    if (!--condition->users) free(condition);
}

static void owned_drop(struct cm_owned *owned) { condition_drop((struct cm_condition *)owned); }

static struct conditional *conditional_new(struct cm_condition *condition,
                                           enum cmGraphConditionalNodeType type,
                                           unsigned int size) {
    struct conditional *c = calloc(1, sizeof *c + size * sizeof c->bodies[0]);
    if (!c) return NULL;
    condition->users++;
    *c = (struct conditional){.condition = condition, .type = type, .users = 1, .size = size};
    return c;
}

static void release(struct conditional *c) {
    if (--c->users) return;
    for (unsigned int i = 0; i < c->size; i++) {
        if (c->bodies[i].graph) cm_graph_free(c->bodies[i].graph);
        if (c->bodies[i].exec) cm_exec_free(c->bodies[i].exec);
    }
    condition_drop(c->condition);
    free(c->handles);
    free(c);
}

static void node_copy(void *to, const void *from) {
    const struct conditional *c = *(struct conditional *const *)from;
    struct conditional *made = conditional_new(c->condition, c->type, c->size);
    for (unsigned int i = 0; made && i < c->size; i++)
        made->bodies[i].graph = cm_graph_clone(c->bodies[i].graph);
    *(struct conditional **)to = made;
}
static void node_drop(void *data) {
    struct conditional *c = *(struct conditional **)data;
    if (c) release(c);
}
static cmError_t start(struct cm_stream *stream, const struct cm_op *op);
static cmError_t put(struct cm_stream *stream, const struct cm_op *op);
static const struct cm_class condition_class = {.type = cmGraphNodeTypeConditional,
                                                .how = CM_RUN,
                                                .copy = node_copy,
                                                .drop = node_drop,
                                                .put = put,
                                                .start = start};

static struct conditional *of_op(const struct cm_op *op) {
    const bool is_one = op->class == &condition_class;
    return is_one ? *(struct conditional *const *)(const void *)op->data : NULL;
}

/* ---- running ---- */

static void start_run(void *data, struct cm_stream *stream), node_run(void *, struct cm_stream *);
static const struct cm_class start_class = {
    .type = cmGraphNodeTypeConditional, .how = CM_RUN, .run = start_run};
static const struct cm_class run_class = {
    .type = cmGraphNodeTypeConditional, .how = CM_RUN, .run = node_run};

/* Lock held, as in all but the two functions that streams run. */
static struct cm_op *op_for(const struct cm_class *class, struct conditional *c) {
    struct cm_op *op = cm_op_new(class, sizeof(struct conditional *));
    if (!op) return NULL;
    *(struct conditional **)op->data = c;
    c->users++;
    return op;
}

/* The operations of all bodies, also of those inside. */
static cmError_t compile(struct conditional *c) {
    cmError_t error = cmSuccess;
    for (unsigned int i = 0; i < c->size && !error; i++) {
        struct body *body = &c->bodies[i];
        if (body->exec) continue;
        body->exec = body->graph ? calloc(1, sizeof *body->exec) : NULL;
        if (!body->exec) return cmErrorMemoryAllocation;
        error = cm_graph_order(body->graph, body->exec);
        for (size_t k = 0; k < body->exec->count && !error; k++) {
            const struct cm_op *op = body->exec->ops[k];
            if (op->class != &condition_class) continue;
            error = of_op(op) ? compile(of_op(op)) : cmErrorMemoryAllocation;
        }
    }
    return error;
}

static void assign(const struct conditional *c) {
    if (c->condition->assign) c->condition->now = c->condition->first;
    for (unsigned int i = 0; i < c->size; i++)
        for (size_t k = 0; k < c->bodies[i].exec->count; k++) {
            const struct conditional *inner = of_op(c->bodies[i].exec->ops[k]);
            if (inner) assign(inner);
        }
}

static void start_run(void *data, struct cm_stream *stream) {
    struct conditional *c = *(struct conditional **)data;
    (void)stream;
    cm_lock_take();
    assign(c);
    release(c);
    cm_lock_give();
}

/* Before a launch: conditions get the value that they begin with. */
static cmError_t start(struct cm_stream *stream, const struct cm_op *op) {
    struct conditional *c = of_op(op);
    if (stream->capture) return cmErrorStreamCaptureUnsupported;
    cmError_t error = c ? compile(c) : cmErrorMemoryAllocation;
    struct cm_op *made = error ? NULL : op_for(&start_class, c);
    return error ? error : made ? cm_submit(stream, made, NULL) : cmErrorMemoryAllocation;
}

static cmError_t put(struct cm_stream *stream, const struct cm_op *op) {
    struct cm_op *made = op_for(&run_class, of_op(op));
    return made ? cm_submit(stream, made, NULL) : cmErrorMemoryAllocation;
}

static const struct cm_exec *chosen(const struct conditional *c) {
    const unsigned int now = c->condition->now;
    unsigned int which = 0;
    if (c->type == cmGraphCondTypeSwitch) which = now;
    if (c->type != cmGraphCondTypeSwitch && !now)
        which = c->type == cmGraphCondTypeIf ? 1 : c->size;
    return which < c->size ? c->bodies[which].exec : NULL;
}

static void node_run(void *data, struct cm_stream *stream) {
    struct conditional *c = *(struct conditional **)data;
    struct cm_op *first = NULL, **tail = &first;
    bool room = true;
    cm_lock_take();
    const struct cm_exec *exec = cm_devices[stream->device].sticky ? NULL : chosen(c);
    for (size_t i = 0; exec && i < exec->count && room; i++) {
        struct conditional *inner = of_op(exec->ops[i]);
        *tail = inner ? op_for(&run_class, inner) : cm_op_clone(exec->ops[i]);
        room = *tail;
        if (room) tail = &(*tail)->next;
    }
    if (exec && room && c->type == cmGraphCondTypeWhile) {
        *tail = op_for(&run_class, c);
        room = *tail;
        if (room) tail = &(*tail)->next;
    }
    if (first)
        cm_stream_put_first(stream, first, tail,
                            (struct cm_op *)(void *)((char *)data - offsetof(struct cm_op, data)));
    release(c);
    cm_lock_give();
    if (!room) cm_set_sticky(stream->device, cmErrorMemoryAllocation);
}

/* ---- what programs call ---- */

cmError_t cmGraphConditionalHandleCreate(cmGraphConditionalHandle *handle, cmGraph_t of,
                                         unsigned int first, unsigned int flags) {
    CM_ENTER();
    CM_NEED(handle && flags <= cmGraphCondAssignDefault, cmErrorInvalidValue);
    CM_NEED(cm_backend->host, cmErrorNotSupported);
    struct cm_condition *made = calloc(1, sizeof *made);
    CM_NEED(made, cmErrorMemoryAllocation);
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, of);
    if (graph) {
        *made = (struct cm_condition){
            .owned = {graph->owned, owned_drop}, .first = first, .assign = flags, .users = 1};
        graph->owned = &made->owned;
        *handle = (uintptr_t)made;
    }
    cm_lock_give();
    if (!graph) free(made);
    return cm_fail(graph ? cmSuccess : cmErrorInvalidValue);
}

void cmGraphSetConditional(cmGraphConditionalHandle handle, unsigned int value) {
    ((struct cm_condition *)(uintptr_t)handle)->now = value;
}

cmError_t cmGraphAddConditional(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                size_t count, cmGraphConditionalHandle handle,
                                enum cmGraphConditionalNodeType type, unsigned int size,
                                cmGraph_t **bodies) {
    CM_ENTER();
    const unsigned int most = type == cmGraphCondTypeIf      ? 2
                              : type == cmGraphCondTypeWhile ? 1
                                                             : 1 << 16;
    CM_NEED(handle && bodies && (unsigned)type <= cmGraphCondTypeSwitch && size && size <= most,
            cmErrorInvalidValue);
    struct cm_op *op = cm_op_new(&condition_class, sizeof(struct conditional *));
    CM_NEED(op, cmErrorMemoryAllocation);
    cm_lock_take();
    struct conditional *c = conditional_new((struct cm_condition *)(uintptr_t)handle, type, size);
    *(struct conditional **)op->data = c;
    bool fine = c && (c->handles = calloc(size, sizeof *c->handles));
    for (unsigned int i = 0; fine && i < size; i++) {
        fine = (c->bodies[i].graph = cm_graph_new());
        if (fine) c->handles[i] = c->bodies[i].graph->handle;
    }
    if (fine) *bodies = c->handles;
    if (!fine) cm_op_free(op);
    cm_lock_give();
    CM_NEED(fine, cmErrorMemoryAllocation);
    return cm_graph_add(node, graph, after, count, op);
}
