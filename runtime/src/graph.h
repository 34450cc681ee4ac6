/* What the two files about graphs share. The lock is held in all of it. */
#ifndef CMRT_GRAPH_H
#define CMRT_GRAPH_H

#include "internal.h"

struct cm_graph;
struct cm_node {
    void *handle;
    struct cm_node *next; /* in order of creation */
    struct cm_graph *graph;
    struct cm_op *op;
    struct cm_node **after;
    size_t count, place; /* place: in the order of an instantiation */
    bool done;
};

struct cm_graph {
    void *handle;
    struct cm_node *first, **last;
    size_t count;
    struct cm_condition *conditions; /* made for it */
};

/* What is run: the operations of a graph and of its child graphs in one order. */
struct cm_exec {
    void *handle;
    struct cm_op **ops;
    void **nodes;     /* whose operation it is */
    uint64_t *shapes; /* what it comes behind, as a number */
    size_t count, room;
};

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

/* ---- nodes that are more than an operation of a stream (graph_nodes.c) ---- */

extern const struct cm_class cm_child_class;
struct cm_graph *cm_child_of(const struct cm_op *op); /* NULL: it is none */
/* ---- nodes whose bodies run under a condition (graph_conditions.c) ---- */

extern const struct cm_class cm_condition_class;
void cm_conditions_free(struct cm_condition *list);
/* Before a launch: conditions get the value that they begin with. Other nodes: nothing. */
cmError_t cm_condition_start(struct cm_stream *stream, const struct cm_op *op);
cmError_t cm_condition_put(struct cm_stream *stream, const struct cm_op *op);

/* Puts the operation of a node into a stream. */
cmError_t cm_graph_put(struct cm_stream *stream, const struct cm_op *op);

#endif
