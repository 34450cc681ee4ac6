/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel's launch, as the operation of a stream: its shape, its arguments, and which blocks
   have run. grid.c makes it, queue.c deals its blocks out to threads, block.c runs them; gate.c
   is the barrier of cooperative grids. */
#ifndef CMRT_GRID_H
#define CMRT_GRID_H

#include "queue.h"

struct cm_grid {
    struct cm_grid *next; /* of the grids that want help */
    cmKernelCall call;
    struct cm_stream *stream;
    struct cm_op *op, *children, **children_tail;
    uint64_t total, chunk;
    _Atomic uint64_t next_block;
    _Atomic int failed;
    _Atomic bool fenced; /* watched: a thread went through a fence or an atomic function */
    uint32_t number; /* of the launch */
    unsigned int users;
    bool listed;
    struct cm_grid_gate *gate; /* cooperative grids */
};
/* The operation for a launch, once its shape is checked. */
cmError_t cm_grid_op(const cmKernelCall *call, struct cm_op **op);
/* Runs blocks [first, end) on the calling thread, until one fails. */
void cm_blocks_run(struct cm_grid *grid, uint64_t first, uint64_t end);
/* The grid that the calling thread runs a block of, or NULL. */
struct cm_grid *cm_block_grid(void);
/* Runs all blocks at once, each on a thread of its own, so that they can wait for each other. */
void cm_blocks_run_together(struct cm_grid *grid);
/* Gives back what the calling thread keeps for running blocks. */
void cm_block_thread_end(void);
/* Checked mode: bad accesses inside kernels become errors that name the place. */
void cm_check_start(void);
/* Otherwise, unless the program has handlers of its own: a crash inside a kernel is named, and
   ends the program as it would have. */
void cm_crash_start(void);

/* ---- the order of blocks and threads (order.c) ---- */

/* order[i]: the thread that begins as number i; place[t]: when thread t does. */
struct cm_order {
    unsigned int threads; /* of the block that it is for */
    unsigned short order[CM_MAX_THREADS_PER_BLOCK], place[CM_MAX_THREADS_PER_BLOCK];
};
/* Reads CUDA_MORPH_ORDER's value, which may be NULL. */
void cm_order_choose(const char *text);
/* The block that runs as number `number` of `total`. */
uint64_t cm_order_block(uint64_t number, uint64_t total);
/* Fills in the order of a block's threads. */
void cm_order_threads(struct cm_order *order, unsigned int threads);

/* ---- the barrier of a grid whose blocks all run at once (gate.c) ---- */

struct cm_grid_gate {
    pthread_mutex_t lock;
    pthread_cond_t open;
    uint64_t expected, arrived, generation;
};
/* One block came to the grid's barrier. Returns when all have: false, where the grid failed. */
bool cm_gate_wait(struct cm_grid *grid);
/* A block has ended: the others no longer wait for it. */
void cm_gate_leave(struct cm_grid *grid);
/* A kernel failed: this becomes the device's sticky error, and the grid's other blocks end. */
void cm_grid_fail(struct cm_grid *grid, cmError_t error);

#endif
