/* SPDX-License-Identifier: Apache-2.0 */
/* ordered.c - results in order, with a bounded window: a slow file makes the others wait rather
 * than memory grow. */
#include "report/ordered.h"

void ordered_init(struct ordered *o, struct arena *a, size_t window,
                  void (*consume)(void *ctx, size_t index, void *item), void *ctx) {
    *o = (struct ordered){.window = window, .consume = consume, .ctx = ctx};
    o->slots = arena_zalloc(a, window * sizeof *o->slots);
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->moved, NULL);
}

void ordered_free(struct ordered *o) {
    pthread_cond_destroy(&o->moved);
    pthread_mutex_destroy(&o->lock);
}

void ordered_put(struct ordered *o, size_t index, void *item) {
    pthread_mutex_lock(&o->lock);
    while (index >= o->next + o->window) pthread_cond_wait(&o->moved, &o->lock);
    o->slots[index % o->window] = item;
    if (index == o->next) {
        void **slot;
        while (*(slot = &o->slots[o->next % o->window])) {
            o->consume(o->ctx, o->next, *slot);
            *slot = NULL;
            o->next++;
        }
        pthread_cond_broadcast(&o->moved);
    }
    pthread_mutex_unlock(&o->lock);
}
