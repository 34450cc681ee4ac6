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
    uint32_t number;     /* of the launch */
    unsigned int users;
    bool listed;
    struct cm_grid_gate *gate; /* cooperative grids */
    /* Blocks that wait for others (vain.c): how many threads run blocks, how many of these blocks
       go round in vain, how many threads were made for them; one is about to begin. */
    _Atomic unsigned int running, stuck, helpers;
    _Atomic bool starting;
    /* Seconds: the number of this one, in which so many blocks were heard of; in so many on end
       nobody got on. */
    _Atomic unsigned int second, heard;
    _Atomic int quiet;
    _Atomic uint64_t second_began; /* in milliseconds; 0: nobody has looked at the clock */
};
/* The operation for a launch, once its shape is checked. */
cmError_t cm_grid_op(const cmKernelCall *call, struct cm_op **op);
/* Runs blocks [first, end) on the calling thread, until one fails. */
void cm_blocks_run(struct cm_grid *grid, uint64_t first, uint64_t end);
/* The grid that the calling thread runs a block of, or NULL. */
struct cm_grid *cm_block_grid(void);
/* Runs all blocks at once, each on a thread of its own, so that they can wait for each other. */
void cm_blocks_run_together(struct cm_grid *grid);
/* Runs blocks of a grid until none is left that nobody has taken. */
void cm_grid_work(struct cm_grid *grid);
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

/* ---- blocks that wait for others of a grid that is not cooperative (vain.c) ---- */

/* What a thread looked at, and saw there: a change means that it gets on. */
struct cm_vain_try {
    const void *key;
    uint64_t value;
};
/* How another thread runs blocks [first, end), what nobody has taken, and ends. */
struct cm_vain_calls {
    void (*blocks)(struct cm_grid *grid, uint64_t first, uint64_t end);
    void (*work)(struct cm_grid *grid);
    void (*thread_end)(void);
};
/* Of a thread of the machine, while it runs blocks up to `end`; block `number` now. */
struct cm_vain {
    const struct cm_vain_calls *calls;
    struct cm_grid *grid;
    uint64_t number, end;
    uint64_t began; /* milliseconds: the block's first round, or when a thread was made last */
    unsigned int tries, rounds, naps, advances, second;
    bool stuck;                   /* it goes round in vain: */
    struct cm_vain *next_waiting; /* of such blocks */
    pthread_cond_t wake;          /* where it may look again before its time */
    struct cm_helper *helpers;
    struct cm_vain_try seen[CM_MAX_THREADS_PER_BLOCK];
};
enum cm_vain_answer { CM_VAIN_GO_ON, CM_VAIN_SAY, CM_VAIN_END };
/* The calling thread is about to run blocks [first, end), */
void cm_vain_start(struct cm_vain *v, const struct cm_vain_calls *calls, struct cm_grid *grid,
                   uint64_t first, uint64_t end);
/* comes to another one of them, */
void cm_vain_next_block(struct cm_vain *v, uint64_t number);
/* sees that the block that runs gets on, */
void cm_vain_gets_on(struct cm_vain *v);
/* and has run them: returns when the threads that were made for it have ended, too. */
void cm_vain_stop(struct cm_vain *v);
/* A thread of the block, which has `threads` of them, goes round in a loop. Without `seen` it may
   well get on. `advances` differs from the last call's where a thread of the block got on. SAY and
   END: for so long nobody did that this shall be said, or the kernel ended. */
enum cm_vain_answer cm_vain_round(struct cm_vain *v, unsigned int threads, unsigned int thread,
                                  const struct cm_vain_try *seen, unsigned int advances);

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
