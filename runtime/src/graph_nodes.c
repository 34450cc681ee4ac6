/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of graphs that are more than an operation: child graphs, events, memory; changes of what
 * nodes do, in a graph or in what was made of it; and questions about graphs. */
#include "graph.h"
#include <stdlib.h>
#include <string.h>

/* ---- child graphs: a copy of their own, whose operations take the node's place ---- */

static void child_copy(void *to, const void *from) {
    *(struct cm_graph **)to = cm_graph_clone(*(struct cm_graph *const *)from);
}
static void child_drop(void *data) {
    if (*(struct cm_graph **)data) cm_graph_free(*(struct cm_graph **)data);
}
static struct cm_graph *child_of(const void *data) { return *(struct cm_graph *const *)data; }

static const struct cm_class child_class = {.type = cmGraphNodeTypeGraph,
                                            .how = CM_RUN,
                                            .copy = child_copy,
                                            .drop = child_drop,
                                            .child = child_of};

cmError_t cmGraphAddChildGraphNode(cmGraphNode_t *node, cmGraph_t graph,
                                   const cmGraphNode_t *after, size_t count, cmGraph_t child) {
    CM_ENTER();
    CM_NEED(child != graph, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_graph *found = cm_handle_get(CM_GRAPH, child);
    struct cm_graph *copy = found ? cm_graph_clone(found) : NULL;
    cm_lock_give();
    CM_NEED(found, cmErrorInvalidValue);
    CM_NEED(copy, cmErrorMemoryAllocation);
    return cm_graph_add(node, graph, after, count, cm_op_with(&child_class, &copy, sizeof copy));
}

cmError_t cmGraphChildGraphNodeGetGraph(cmGraphNode_t handle, cmGraph_t *graph) {
    CM_ENTER();
    CM_NEED(graph, cmErrorInvalidValue);
    cm_lock_take();
    struct cm_node *node = cm_handle_get(CM_NODE, handle);
    bool is_child = node && node->op->class == &child_class;
    struct cm_graph *child = is_child ? child_of(node->op->data) : NULL;
    if (child) *graph = child->handle;
    cm_lock_give();
    return cm_fail(child ? cmSuccess : cmErrorInvalidValue);
}

/* ---- events ---- */

static cmError_t put_event(struct cm_stream *stream, const struct cm_op *op,
                           cmError_t (*function)(struct cm_event *, struct cm_stream *)) {
    struct cm_event *event = cm_event_find(*(const cmEvent_t *)(const void *)op->data);
    return event ? function(event, stream) : cmErrorInvalidResourceHandle;
}
static cmError_t record_put(struct cm_stream *stream, const struct cm_op *op) {
    return put_event(stream, op, cm_event_record);
}
static cmError_t wait_put(struct cm_stream *stream, const struct cm_op *op) {
    return put_event(stream, op, cm_event_wait);
}

static const struct cm_class record_class = {
    .type = cmGraphNodeTypeEventRecord, .how = CM_RUN, .put = record_put};
static const struct cm_class wait_class = {
    .type = cmGraphNodeTypeWaitEvent, .how = CM_RUN, .put = wait_put};

static cmError_t add_event(const struct cm_class *class, cmGraphNode_t *node, cmGraph_t graph,
                           const cmGraphNode_t *after, size_t count, cmEvent_t event) {
    CM_ENTER();
    cm_lock_take();
    bool there = cm_event_find(event);
    cm_lock_give();
    CM_NEED(there, cmErrorInvalidResourceHandle);
    return cm_graph_add(node, graph, after, count, cm_op_with(class, &event, sizeof event));
}

cmError_t cmGraphAddEventRecordNode(cmGraphNode_t *node, cmGraph_t graph,
                                    const cmGraphNode_t *after, size_t count, cmEvent_t event) {
    return add_event(&record_class, node, graph, after, count, event);
}

cmError_t cmGraphAddEventWaitNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                  size_t count, cmEvent_t event) {
    return add_event(&wait_class, node, graph, after, count, event);
}

/* ---- memory: there as long as a node of it is, allocated between its two nodes ---- */

struct memory {
    void *pointer;
    int users; /* nodes and what was made of them */
};

static void memory_copy(void *to, const void *from) {
    struct memory *m = *(struct memory *const *)from;
    m->users++;
    *(struct memory **)to = m;
}

/* What is still allocated becomes the program's own, to be freed by it. */
static void memory_drop(void *data) {
    struct memory *m = *(struct memory **)data;
    if (--m->users) return;
    struct cm_allocation *a = cm_memory_find(m->pointer);
    if (a && a->base == m->pointer && a->graph) { /* else a reset took it */
        bool live = a->graph == CM_GRAPH_LIVE;
        a->graph = CM_NO_GRAPH;
        if (!live) cm_memory_release(m->pointer);
    }
    free(m);
}

struct mark {
    void *pointer;
    bool live;
};
static void mark_run(void *data, struct cm_stream *stream) {
    const struct mark *mark = data;
    cm_lock_take();
    struct cm_allocation *a = cm_memory_find(mark->pointer);
    bool twice = a && a->graph && mark->live == (a->graph == CM_GRAPH_LIVE);
    if (a && a->graph) a->graph = mark->live ? CM_GRAPH_LIVE : CM_GRAPH_IDLE;
    cm_lock_give();
    if (twice) cm_set_sticky(stream->device, cmErrorInvalidValue);
}
static const struct cm_class mark_class = {
    .type = cmGraphNodeTypeMemAlloc, .how = CM_RUN, .run = mark_run};

static cmError_t mark_put(struct cm_stream *stream, void *pointer, bool live) {
    struct mark mark = {pointer, live};
    struct cm_op *made = cm_op_with(&mark_class, &mark, sizeof mark);
    return made ? cm_submit(stream, made, NULL) : cmErrorMemoryAllocation;
}
static cmError_t alloc_put(struct cm_stream *stream, const struct cm_op *op) {
    const struct memory *m = *(struct memory *const *)(const void *)op->data;
    return mark_put(stream, m->pointer, true);
}
static cmError_t free_put(struct cm_stream *stream, const struct cm_op *op) {
    return mark_put(stream, *(void *const *)(const void *)op->data, false);
}

static const struct cm_class alloc_class = {.type = cmGraphNodeTypeMemAlloc,
                                            .how = CM_RUN,
                                            .copy = memory_copy,
                                            .drop = memory_drop,
                                            .put = alloc_put};
static const struct cm_class free_class = {
    .type = cmGraphNodeTypeMemFree, .how = CM_RUN, .put = free_put};

struct cm_op *cm_graph_alloc_op(void **pointer, size_t size, int device) {
    struct memory *m = calloc(1, sizeof *m);
    struct cm_op *op = m ? cm_op_new(&alloc_class, sizeof m) : NULL;
    if (op && !cm_memory_of_graph(&m->pointer, size, device)) {
        m->users = 1;
        *(struct memory **)op->data = m;
        *pointer = m->pointer;
        return op;
    }
    free(m);
    free(op ? op->memory : NULL);
    return NULL;
}

struct cm_op *cm_graph_free_op(void *pointer) {
    return cm_op_with(&free_class, &pointer, sizeof pointer);
}

cmError_t cmGraphAddMemAllocNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                 size_t count, struct cmMemAllocNodeParams *params) {
    CM_ENTER();
    CM_NEED(params && params->bytesize, cmErrorInvalidValue);
    int device = params->poolProps.location.id;
    CM_NEED(params->poolProps.location.type == cmMemLocationTypeDevice && device >= 0 &&
                device < cm_settings.devices,
            cmErrorInvalidValue);
    cm_lock_take();
    struct cm_op *op = cm_graph_alloc_op(&params->dptr, params->bytesize, device);
    cm_lock_give();
    return cm_graph_add(node, graph, after, count, op);
}

cmError_t cmGraphAddMemFreeNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                size_t count, void *pointer) {
    CM_ENTER();
    cm_lock_take();
    struct cm_allocation *a = cm_memory_find(pointer);
    bool graphs = a && a->graph && a->base == pointer;
    cm_lock_give();
    CM_NEED(graphs, cmErrorInvalidValue);
    return cm_graph_add(node, graph, after, count, cm_graph_free_op(pointer));
}

/* ---- what a node does, anew: in its graph, or with `exec` in what was made of that ---- */

/* Takes the operation over. */
static cmError_t replace(cmGraphExec_t handle, cmGraphNode_t node_handle, struct cm_op *op) {
    CM_NEED(op, cmErrorMemoryAllocation);
    struct cm_op **place = NULL;
    cm_lock_take();
    struct cm_exec *exec = handle ? cm_handle_get(CM_EXEC, handle) : NULL;
    struct cm_node *node = cm_handle_get(CM_NODE, node_handle);
    if (!handle && node) place = &node->op;
    for (size_t i = 0; exec && i < exec->count; i++)
        if (exec->nodes[i] == (void *)node_handle) place = &exec->ops[i];
    bool fine = place && (*place)->class->type == op->class->type;
    if (fine) {
        struct cm_op *old = *place;
        *place = op;
        op = old;
    }
    cm_op_free(op);
    cm_lock_give();
    return cm_fail(fine ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmGraphNodeReplace(cmGraphExec_t exec, cmGraphNode_t node, cmGraphNode_t with) {
    CM_ENTER();
    cm_lock_take();
    struct cm_node *from = cm_handle_get(CM_NODE, with);
    struct cm_op *op = from ? cm_op_clone(from->op) : NULL;
    cm_lock_give();
    CM_NEED(from, cmErrorInvalidValue);
    return replace(exec, node, op);
}

/* The params of a node that is made and thrown away, so that they are checked in one place. */
#define REPLACE_BY(exec, node, ...)                                                               \
    cmGraph_t scratch;                                                                            \
    cmGraphNode_t made;                                                                           \
    cmError_t error = cmGraphCreate(&scratch, 0);                                                 \
    if (error) return error;                                                                      \
    error = __VA_ARGS__;                                                                          \
    if (!error) error = cmGraphNodeReplace(exec, node, made);                                     \
    cmGraphDestroy(scratch);                                                                      \
    return cm_fail(error)

cmError_t cmGraphExecHostNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                       const struct cmHostNodeParams *params) {
    REPLACE_BY(exec, node, cmGraphAddHostNode(&made, scratch, NULL, 0, params));
}
cmError_t cmGraphExecMemsetNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                         const struct cmMemsetParams *params) {
    REPLACE_BY(exec, node, cmGraphAddMemsetNode(&made, scratch, NULL, 0, params));
}
cmError_t cmGraphExecMemcpyNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                         const struct cmMemcpy3DParms *params) {
    REPLACE_BY(exec, node, cmGraphAddMemcpyNode(&made, scratch, NULL, 0, params));
}
cmError_t cmGraphExecMemcpyNodeSetParams1D(cmGraphExec_t exec, cmGraphNode_t node, void *to,
                                           const void *from, size_t size, enum cmMemcpyKind kind) {
    REPLACE_BY(exec, node, cmGraphAddMemcpyNode1D(&made, scratch, NULL, 0, to, from, size, kind));
}
cmError_t cmGraphHostNodeSetParams(cmGraphNode_t node, const struct cmHostNodeParams *params) {
    return cmGraphExecHostNodeSetParams(NULL, node, params);
}
cmError_t cmGraphMemsetNodeSetParams(cmGraphNode_t node, const struct cmMemsetParams *params) {
    return cmGraphExecMemsetNodeSetParams(NULL, node, params);
}
cmError_t cmGraphMemcpyNodeSetParams(cmGraphNode_t node, const struct cmMemcpy3DParms *params) {
    return cmGraphExecMemcpyNodeSetParams(NULL, node, params);
}
cmError_t cmGraphMemcpyNodeSetParams1D(cmGraphNode_t node, void *to, const void *from, size_t size,
                                       enum cmMemcpyKind kind) {
    return cmGraphExecMemcpyNodeSetParams1D(NULL, node, to, from, size, kind);
}

static enum cmGraphExecUpdateResult differs(const struct cm_exec *a, const struct cm_exec *b,
                                            size_t *at) {
    *at = 0;
    if (a->count != b->count) return cmGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < a->count; i++) {
        *at = i;
        if (a->ops[i]->class->type != b->ops[i]->class->type)
            return cmGraphExecUpdateErrorNodeTypeChanged;
        if (a->shapes[i] != b->shapes[i]) return cmGraphExecUpdateErrorTopologyChanged;
    }
    return cmGraphExecUpdateSuccess;
}

cmError_t cmGraphExecUpdateFrom(cmGraphExec_t handle, cmGraph_t graph_handle, cmGraphNode_t *node,
                                enum cmGraphExecUpdateResult *result) {
    CM_ENTER();
    CM_NEED(result, cmErrorInvalidValue);
    *result = cmGraphExecUpdateError;
    if (node) *node = NULL;
    cm_lock_take();
    struct cm_exec *exec = cm_handle_get(CM_EXEC, handle);
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, graph_handle);
    struct cm_exec *made = exec && graph ? calloc(1, sizeof *made) : NULL;
    cmError_t error = !exec || !graph ? cmErrorInvalidValue
                      : made          ? cm_graph_order(graph, made)
                                      : cmErrorMemoryAllocation;
    if (!error) {
        size_t at;
        *result = differs(exec, made, &at);
        if (*result) error = cmErrorGraphExecUpdateFailure;
        if (*result && node && at < made->count) *node = made->nodes[at];
    }
    if (!error) { /* the other's operations, and the nodes that they were made of first */
        struct cm_op **ops = exec->ops;
        exec->ops = made->ops;
        made->ops = ops;
    }
    if (made) cm_exec_free(made);
    cm_lock_give();
    return cm_fail(error);
}

/* ---- questions, and cuts ---- */

cmError_t cmGraphGetRootNodes(cmGraph_t handle, cmGraphNode_t *nodes, size_t *count) {
    CM_ENTER();
    CM_NEED(count, cmErrorInvalidValue);
    size_t found = 0;
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, handle);
    for (struct cm_node *n = graph ? graph->first : NULL; n; n = n->next) {
        if (n->count) continue;
        if (nodes && found < *count) nodes[found] = n->handle;
        found++;
    }
    if (graph) *count = nodes && found > *count ? *count : found;
    cm_lock_give();
    return cm_fail(graph ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmGraphGetEdges(cmGraph_t handle, cmGraphNode_t *from, cmGraphNode_t *to,
                          size_t *count) {
    CM_ENTER();
    CM_NEED(count && !from == !to, cmErrorInvalidValue);
    size_t found = 0;
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, handle);
    for (struct cm_node *n = graph ? graph->first : NULL; n; n = n->next)
        for (size_t i = 0; i < n->count; i++, found++)
            if (from && found < *count) from[found] = n->after[i]->handle, to[found] = n->handle;
    if (graph) *count = from && found > *count ? *count : found;
    cm_lock_give();
    return cm_fail(graph ? cmSuccess : cmErrorInvalidValue);
}

static bool is_after(const struct cm_node *node, const struct cm_node *other) {
    for (size_t i = 0; i < node->count; i++)
        if (node->after[i] == other) return true;
    return false;
}

static cmError_t neighbours(cmGraphNode_t handle, cmGraphNode_t *nodes, size_t *count,
                            bool behind) {
    CM_ENTER();
    CM_NEED(count, cmErrorInvalidValue);
    size_t found = 0;
    cm_lock_take();
    struct cm_node *node = cm_handle_get(CM_NODE, handle);
    for (struct cm_node *n = node ? node->graph->first : NULL; n; n = n->next) {
        if (!(behind ? is_after(n, node) : is_after(node, n))) continue;
        if (nodes && found < *count) nodes[found] = n->handle;
        found++;
    }
    if (node) *count = nodes && found > *count ? *count : found;
    cm_lock_give();
    return cm_fail(node ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmGraphNodeGetDependencies(cmGraphNode_t node, cmGraphNode_t *nodes, size_t *count) {
    return neighbours(node, nodes, count, false);
}

cmError_t cmGraphNodeGetDependentNodes(cmGraphNode_t node, cmGraphNode_t *nodes, size_t *count) {
    return neighbours(node, nodes, count, true);
}

static bool cut(struct cm_node *node, const struct cm_node *from) {
    for (size_t i = 0; i < node->count; i++)
        if (node->after[i] == from) return node->after[i] = node->after[--node->count], true;
    return false;
}

cmError_t cmGraphRemoveDependencies(cmGraph_t handle, const cmGraphNode_t *from,
                                    const cmGraphNode_t *to, size_t count) {
    CM_ENTER();
    CM_NEED(!count || (from && to), cmErrorInvalidValue);
    cm_lock_take();
    struct cm_graph *graph = cm_handle_get(CM_GRAPH, handle);
    bool fine = graph;
    for (size_t i = 0; i < count && fine; i++) {
        struct cm_node *a = cm_handle_get(CM_NODE, from[i]), *b = cm_handle_get(CM_NODE, to[i]);
        fine = a && b && a->graph == graph && b->graph == graph && cut(b, a);
    }
    cm_lock_give();
    return cm_fail(fine ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmGraphDestroyNode(cmGraphNode_t handle) {
    CM_ENTER();
    cm_lock_take();
    struct cm_node *node = cm_handle_take(CM_NODE, handle);
    if (node) {
        struct cm_node **at = &node->graph->first;
        while (*at != node) at = &(*at)->next;
        *at = node->next;
        if (!node->next) node->graph->last = at;
        node->graph->count--;
        for (struct cm_node *n = node->graph->first; n; n = n->next) cut(n, node);
        cm_op_free(node->op);
        free(node->after);
        free(node);
    }
    cm_lock_give();
    return cm_fail(node ? cmSuccess : cmErrorInvalidValue);
}

/* ---- other processes: memory and events belong to this one ---- */

cmError_t cmIpcGetMemHandle(struct cmIpcMemHandle *handle, void *pointer) {
    (void)handle, (void)pointer;
    CM_ENTER();
    return cm_fail(cmErrorNotSupported);
}
cmError_t cmIpcOpenMemHandle(void **pointer, struct cmIpcMemHandle handle, unsigned int flags) {
    (void)pointer, (void)handle, (void)flags;
    CM_ENTER();
    return cm_fail(cmErrorNotSupported);
}
cmError_t cmIpcCloseMemHandle(void *pointer) {
    (void)pointer;
    CM_ENTER();
    return cm_fail(cmErrorNotSupported);
}
cmError_t cmIpcGetEventHandle(struct cmIpcEventHandle *handle, cmEvent_t event) {
    (void)handle, (void)event;
    CM_ENTER();
    return cm_fail(cmErrorNotSupported);
}
cmError_t cmIpcOpenEventHandle(cmEvent_t *event, struct cmIpcEventHandle handle) {
    (void)event, (void)handle;
    CM_ENTER();
    return cm_fail(cmErrorNotSupported);
}
