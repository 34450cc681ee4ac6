/* SPDX-License-Identifier: Apache-2.0 */
/* look.h - one look at every source before any of them is worked on: what the files of the
 * project share, which files cannot matter, and what the cache still knows. */
#ifndef CM_LOOK_H
#define CM_LOOK_H

#include "commands/cache.h"
#include "commands/inputs.h"

enum look_state {
    LOOK_RUN,    /* nothing is known: read it and run */
    LOOK_SILENT, /* no target has anything to tell about it */
    LOOK_CACHED  /* the record's answer holds, if the bytes are still those of its content */
};

struct look {
    enum look_state state;
    bool has_content;   /* the record's stat and content are this file's */
    bool is_answered;   /* ... and so is its answer */
    bool is_remembered; /* ... because the cache has them */
    bool is_new;        /* the record is not the one that the cache holds */
    struct cache_record record;
};

/* Whether it is known that there is nothing to tell. */
static inline bool look_is_silent(const struct look *l) {
    return l->state == LOOK_SILENT || (l->state == LOOK_CACHED && !l->record.answer.n);
}

struct looks {
    struct look *v;      /* [source] */
    struct cache *cache; /* or NULL */
};

/* Looks at in->sources, with in->jobs threads, for in->targets; sets in->facts where there is more
 * than one source. cache may be NULL. All memory is in->cli->a's. */
void look_at_sources(struct looks *s, struct inputs *in, struct cache *cache);

#endif
