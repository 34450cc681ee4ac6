/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: nodes, each an operation of a stream (queue.h) that comes behind others. A node that is
   more than that (a child graph, an event, memory, a body under a condition) says so by its
   class; so graph.c knows neither graph_nodes.c nor graph_conditions.c. The lock is held in all
   of it. */
#ifndef CMRT_GRAPH_H
#define CMRT_GRAPH_H

#include "memory.h"

struct cm_node {
    void *handle;
    struct cm_node *next; /* in order of creation */
    struct cm_graph *graph;
    struct cm_op *op;
    struct cm_node **after;
    size_t count, place; /* place: in the order of an instantiation */
    bool done;
};

struct cm_owned {
    struct cm_owned *next;
    void (*drop)(struct cm_owned *owned);
};

struct cm_graph {
    void *handle;
    struct cm_node *first, **last;
    size_t count;
    struct cm_owned *owned; /* what goes with it */
};

/* What is run: the operations of a graph and of its child graphs in one order. */
struct cm_exec {
    void *handle;
    struct cm_op **ops;
    void **nodes;     /* whose operation it is */
    uint64_t *shapes; /* what it comes behind, as a number */
    size_t count, room;
};

/* NULL: out of memory. A clone has the nodes and their order, not what was made of the graph. */
struct cm_graph *cm_graph_new(void);
struct cm_graph *cm_graph_clone(const struct cm_graph *graph);
void cm_graph_free(struct cm_graph *graph);
bool cm_exec_push(struct cm_exec *exec, const struct cm_node *node, uint64_t shape);
void cm_exec_free(struct cm_exec *exec);
/* Appends the operations of a graph. */
cmError_t cm_graph_order(struct cm_graph *graph, struct cm_exec *exec);
/* Takes the operation over, also when it fails. Without the lock. */
cmError_t cm_graph_add(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                       size_t count, struct cm_op *op);

/* Takes the operation over, also when it fails: then NULL. */
struct cm_node *cm_graph_node(struct cm_graph *graph, struct cm_op *op, struct cm_node **after,
                              size_t count);
/* Makes a list of nodes longer by one, unless it has it. False when there is no memory. */
bool cm_node_list_add(struct cm_node ***list, size_t *count, struct cm_node *node);
/* An operation with a copy of its data. NULL when there is no memory. */
struct cm_op *cm_op_with(const struct cm_class *class, const void *data, size_t size);
/* The operations of a capture that gets or gives back memory (graph_nodes.c). NULL when there is
   no memory. */
struct cm_op *cm_graph_alloc_op(void **pointer, size_t size, int device);
struct cm_op *cm_graph_free_op(void *pointer);

#endif
