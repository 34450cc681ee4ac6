/* SPDX-License-Identifier: Apache-2.0 */
/* Which allocations there are, by address: a sorted list of chunks, each a sorted list of at most
 * CHUNK of them. Any address inside is found with two binary searches; what comes and goes moves
 * a chunk's entries, however many there are. Also how a pool begins; what is done with both is in
 * memory.c. The lock is held in all of this. */
#include "memory.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 128, SLAB = 64 };

struct entry {
    unsigned char *base;
    struct cm_allocation *allocation;
};
struct chunk {
    size_t count;
    struct entry v[CHUNK];
};
static struct {
    unsigned char *first; /* the base of the chunk's first entry */
    struct chunk *chunk;
} * chunks;
static size_t chunk_count, chunk_room;
static struct cm_allocation *unused; /* linked by their `base` */

/* Where an address belongs: the last chunk, and in it the last entry, that begin at or before it.
   False: it is before all of them, or there are none. */
static bool place(const void *pointer, size_t *chunk, size_t *entry) {
    static size_t last; /* programs stay for a while where they are */
    const unsigned char *p = pointer;
    size_t low = 0, high = chunk_count;
    if (last < high && chunks[last].first <= p && (last + 1 == high || p < chunks[last + 1].first))
        low = high = last + 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (chunks[middle].first <= p)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low) return false;
    last = low - 1;
    const struct chunk *c = chunks[ *chunk = low - 1].chunk;
    if (!c->count) return false;
    low = 1, high = c->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->v[middle].base <= p)
            low = middle + 1;
        else
            high = middle;
    }
    *entry = low - 1;
    return true;
}

struct cm_allocation *cm_memory_before(const void *pointer) {
    size_t c, e;
    return place(pointer, &c, &e) ? chunks[c].chunk->v[e].allocation : NULL;
}

struct cm_allocation *cm_memory_find(const void *pointer) {
    struct cm_allocation *a = cm_memory_before(pointer);
    return a && (const unsigned char *)pointer < a->base + a->size ? a : NULL;
}

struct cm_allocation *cm_memory_after(const void *pointer) {
    size_t c, e;
    if (!place(pointer, &c, &e))
        return chunk_count && chunks[0].chunk->count ? chunks[0].chunk->v[0].allocation : NULL;
    if (e + 1 < chunks[c].chunk->count) return chunks[c].chunk->v[e + 1].allocation;
    return c + 1 < chunk_count ? chunks[c + 1].chunk->v[0].allocation : NULL;
}

/* ---- chunks ---- */

static bool new_chunk(size_t at) {
    if (chunk_count == chunk_room) {
        size_t room = chunk_room ? chunk_room * 2 : 16;
        void *more = realloc(chunks, room * sizeof *chunks);
        if (!more) return false;
        chunks = more;
        chunk_room = room;
    }
    struct chunk *made = malloc(sizeof *made);
    if (!made) return false;
    made->count = 0;
    memmove(&chunks[at + 1], &chunks[at], (chunk_count++ - at) * sizeof *chunks);
    chunks[at].chunk = made;
    chunks[at].first = NULL;
    return true;
}

/* The upper half of a full chunk becomes one of its own. */
static bool split(size_t at) {
    if (!new_chunk(at + 1)) return false;
    struct chunk *low = chunks[at].chunk, *high = chunks[at + 1].chunk;
    low->count = CHUNK / 2;
    high->count = CHUNK - CHUNK / 2;
    memcpy(high->v, &low->v[CHUNK / 2], high->count * sizeof high->v[0]);
    chunks[at + 1].first = high->v[0].base;
    return true;
}

/* ---- what comes and goes ---- */

static struct cm_allocation *take_unused(void) {
    if (!unused) {
        struct cm_allocation *slab = calloc(SLAB, sizeof *slab);
        for (size_t i = 0; slab && i < SLAB; i++) {
            slab[i].base = (unsigned char *)unused;
            unused = &slab[i];
        }
    }
    struct cm_allocation *a = unused;
    if (a) unused = (struct cm_allocation *)(void *)a->base;
    return a;
}

static void give_unused(struct cm_allocation *a) {
    a->base = (unsigned char *)unused;
    unused = a;
}

bool cm_memory_insert(const struct cm_allocation *allocation) {
    size_t c = 0, e = 0;
    if (!chunk_count && !new_chunk(0)) return false;
    bool first = !place(allocation->base, &c, &e);
    if (chunks[c].chunk->count == CHUNK) {
        if (!split(c)) return false;
        first = !place(allocation->base, &c, &e);
    }
    struct cm_allocation *a = take_unused();
    if (!a) return false;
    *a = *allocation;
    struct chunk *chunk = chunks[c].chunk;
    size_t at = first ? 0 : e + 1;
    memmove(&chunk->v[at + 1], &chunk->v[at], (chunk->count++ - at) * sizeof chunk->v[0]);
    chunk->v[at] = (struct entry){a->base, a};
    chunks[c].first = chunk->v[0].base;
    return true;
}

bool cm_memory_remove(const void *base, unsigned int kinds, struct cm_allocation *removed) {
    size_t c, e;
    if (!place(base, &c, &e)) return false;
    struct chunk *chunk = chunks[c].chunk;
    struct cm_allocation *a = chunk->v[e].allocation;
    if (chunk->v[e].base != base || !(1u << a->kind & kinds)) return false;
    *removed = *a;
    memmove(&chunk->v[e], &chunk->v[e + 1], (--chunk->count - e) * sizeof chunk->v[0]);
    chunks[c].first = chunk->v[0].base;
    give_unused(a);
    if (chunk->count || chunk_count == 1) return true; /* the last one stays, empty */
    memmove(&chunks[c], &chunks[c + 1], (--chunk_count - c) * sizeof *chunks);
    free(chunk);
    return true;
}

/* ---- pools ---- */

struct cm_pool *cm_pool_new(int device) {
    struct cm_pool *pool = calloc(1, sizeof *pool);
    if (!pool) return NULL;
    pool->device = device;
    pool->handle = cm_handle_new(CM_POOL, pool);
    for (int i = 0; i < 3; i++) pool->reuse[i] = 1;
    if (pool->handle) return pool;
    free(pool);
    return NULL;
}
