/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: operations that were put aside, to be run again and again, in an order that their nodes
   leave open. What makes them without the program's naming each node is in capture.c. */
#include "graph.h"
#include "grid.h"
#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

bool cm_node_list_add(struct cm_node ***list, size_t *count, struct cm_node *node) {
    for (size_t i = 0; i < *count; i++)
        if ((*list)[i] == node) return true;
    struct cm_node **more = realloc(*list, (*count + 1) * sizeof *more);
    if (!more) return false;
    more[(*count)++] = node;
    *list = more;
    return true;
}

struct cm_node *cm_graph_node(struct cm_graph *graph, struct cm_op *op, struct cm_node **after,
                              size_t count) {
    struct cm_node *node = op ? calloc(1, sizeof *node) : NULL;
    bool fine = node && (node->handle = cm_handle_new(CM_NODE, node));
    for (size_t i = 0; fine && i < count; i++)
        fine = cm_node_list_add(&node->after, &node->count, after[i]);
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
    for (struct cm_owned *owned = graph->owned, *next; owned; owned = next) {
        next = owned->next;
        owned->drop(owned);
    }
    free(graph);
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
        struct cm_node *made = cm_graph_node(graph, op, list, count);
        if (made)
            *node = made->handle;
        else
            error = cmErrorMemoryAllocation;
    }
    free(list);
    cm_lock_give();
    return cm_fail(error);
}

struct cm_op *cm_op_with(const struct cm_class *class, const void *data, size_t size) {
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
    return cm_graph_add(node, graph, after, count, cm_op_with(&cm_host_class, &host, sizeof host));
}

cmError_t cmGraphAddMemcpyNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, const struct cmMemcpy3DParms *params) {
    CM_ENTER();
    struct cm_copy copy;
    cmError_t error = cm_copy3d(&copy, params);
    if (error) return cm_fail(error);
    return cm_graph_add(node, graph, after, count, cm_op_with(&cm_copy_class, &copy, sizeof copy));
}

cmError_t cmGraphAddMemcpyNode1D(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                 size_t count, void *to, const void *from, size_t size,
                                 enum cmMemcpyKind kind) {
    CM_ENTER();
    CM_NEED(to && from && (unsigned)kind <= cmMemcpyDefault, cmErrorInvalidValue);
    struct cm_copy copy = {.to = to, .from = from, .width = size, .height = 1, .depth = 1};
    return cm_graph_add(node, graph, after, count, cm_op_with(&cm_copy_class, &copy, sizeof copy));
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
    return cm_graph_add(node, graph, after, count, cm_op_with(&cm_fill_class, &fill, sizeof fill));
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
        else if (!cm_node_list_add(&b->after, &b->count, a))
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
            struct cm_graph *(*child_of)(const void *) = n->op->class->child;
            struct cm_graph *child = child_of ? child_of(n->op->data) : NULL;
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

static cmError_t put(struct cm_stream *stream, const struct cm_op *op) {
    if (op->class->put) return op->class->put(stream, op);
    struct cm_op *made = cm_op_clone(op);
    return made ? cm_submit(stream, made, NULL) : cmErrorMemoryAllocation;
}

/* Whether it copies from or to memory that is the program's own. CUDA takes such copies through a
   buffer, and is done with them when the call returns; programs count on that. */
static bool copies_pageable(const struct cm_exec *exec) {
    for (size_t i = 0; i < exec->count; i++) {
        if (exec->ops[i]->class != &cm_copy_class) continue;
        const struct cm_copy *c = (const struct cm_copy *)exec->ops[i]->data;
        if (!cm_memory_find(c->to) || (c->from && !cm_memory_find(c->from))) return true;
    }
    return false;
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
        if (exec->ops[i]->class->start) error = exec->ops[i]->class->start(stream, exec->ops[i]);
    bool waits = !error && !stream->capture && copies_pageable(exec);
    for (size_t i = 0; !error && i < exec->count; i++) error = put(stream, exec->ops[i]);
    cm_lock_give();
    return !error && waits ? cmStreamSynchronize(where) : cm_fail(error);
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
        twin[i] = cm_graph_node(made, cm_op_clone(n->op), NULL, 0);
        fine = twin[i];
    }
    i = 0;
    for (struct cm_node *n = graph->first; n && fine; n = n->next, i++)
        for (size_t d = 0; d < n->count && fine; d++)
            fine = cm_node_list_add(&twin[i]->after, &twin[i]->count, twin[n->after[d]->place]);
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
