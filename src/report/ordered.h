/* SPDX-License-Identifier: Apache-2.0 */
/* ordered.h - printing in order what threads finish in any order.
 *
 * Worker threads hand over one item per index with ordered_put. Items are consumed in index order,
 * one at a time, by whichever thread completes the next one. At most `window` items wait: a thread
 * that is further ahead sleeps until the slow one is done, so memory does not grow with the number
 * of files. Indices must be started in ascending order, as pool_run does. */
#ifndef CM_ORDERED_H
#define CM_ORDERED_H

#include "base/base.h"

#include <pthread.h>

struct ordered {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    void **slots; /* window of them */
    size_t window, next;
    void (*consume)(void *ctx, size_t index, void *item); /* called with the lock held */
    void *ctx;
};

/* The slots live in `a`. */
void ordered_init(struct ordered *o, struct arena *a, size_t window,
                  void (*consume)(void *ctx, size_t index, void *item), void *ctx);
void ordered_free(struct ordered *o);
/* item must not be NULL; it belongs to consume afterwards. */
void ordered_put(struct ordered *o, size_t index, void *item);

#endif
