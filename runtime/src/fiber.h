/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers: stacks that one thread switches between. */
#ifndef CMRT_FIBER_H
#define CMRT_FIBER_H

#include <stdbool.h>
#include <stddef.h>

/* A place to go on: what was saved of a thread of execution when it was left. */
struct cm_fiber {
    void *top;   /* the saved stack pointer */
    void *stack; /* NULL: the thread's own stack */
    size_t size;
    void *context;     /* machines without a switch of our own: ucontext_t */
    void *tsan, *asan; /* what the sanitizers want to know */
};

/* Makes a stack, with a guard page below it on request. 0 on success. `number` spreads stacks over
   the cache. */
int cm_fiber_make(struct cm_fiber *fiber, size_t size, unsigned int number, bool guard);
void cm_fiber_free(struct cm_fiber *fiber);
/* The fiber that stands for the calling thread. */
void cm_fiber_here(struct cm_fiber *fiber);
/* A fiber that was not started, or has ended, begins with this function, which never returns. */
void cm_fiber_set(struct cm_fiber *fiber, void (*main)(void));
/* Leaves one fiber for another; returns when someone switches back. */
void cm_fiber_switch(struct cm_fiber *from, struct cm_fiber *to);
/* The first thing in a fiber's function. */
void cm_fiber_begun(struct cm_fiber *fiber);
/* Makes the thread's own stack current again without saving what is left; the caller then jumps.
 */
void cm_fiber_leaving(struct cm_fiber *to);
/* After the jump: what lay deeper on this stack is gone. */
void cm_fiber_landed(const struct cm_fiber *here);

#endif
