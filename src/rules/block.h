/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - writing the bytes that rules.h reads.
 *
 * A block grows at its end; what was written is never moved or changed, so an offset is good as
 * soon as it is handed out. Equal strings and equal lists are written once. Offsets past 4 GiB
 * wrap around: whoever finishes a block checks its size. */
#ifndef CM_RULES_BLOCK_H
#define CM_RULES_BLOCK_H

#include "rules/rules.h"

struct block_piece {
    uint32_t at, n, align;
};

struct block {
    struct buf bytes; /* starts with room for struct rheader */
    VEC(struct block_piece) pieces;
    uint32_t *slots; /* piece number + 1 by content */
    size_t n_slots;  /* a power of two */
};

/* An empty block whose memory comes from `a`. */
void block_init(struct block *b, struct arena *a);

/* The bytes of a string, written or found. */
struct rstr block_str(struct block *b, struct str s);

/* n elements of `size` bytes each, 8-byte aligned, written or found. The elements have no
 * padding. */
struct rlist block_list(struct block *b, const void *elements, size_t n, size_t size);

/* A view for reading what has been written so far; good until the next write. */
static inline struct ruleset block_view(const struct block *b) {
    return (struct ruleset){(const struct rheader *)(const void *)b->bytes.p};
}

#endif
