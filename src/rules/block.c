/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - grows a block of bytes that is mapped as it is: offsets instead of pointers, so that
 * the built-in rules are constant data and a start costs nothing. */
#include "rules/block.h"

void block_init(struct block *b, struct arena *a) {
    *b = (struct block){.n_slots = 1024};
    b->slots = arena_zalloc(a, b->n_slots * sizeof *b->slots);
    buf_init(&b->bytes, a);
    struct rheader h = {0};
    buf_add(&b->bytes, (struct str){(const char *)&h, sizeof h});
}

static struct str piece_bytes(const struct block *b, struct block_piece p) {
    return (struct str){b->bytes.p + p.at, p.n};
}

/* The slot that holds the piece with this content, or the free one where it belongs. */
static uint32_t *find_slot(struct block *b, struct str content, uint32_t align) {
    for (size_t i = (size_t)str_hash(content);; i++) {
        uint32_t *slot = &b->slots[i & (b->n_slots - 1)];
        if (*slot == 0) return slot;
        struct block_piece p = b->pieces.v[*slot - 1];
        if (p.align == align && str_eq(piece_bytes(b, p), content)) return slot;
    }
}

static void double_slots(struct block *b) {
    b->n_slots *= 2;
    b->slots = arena_zalloc(b->bytes.a, b->n_slots * sizeof *b->slots);
    for (size_t i = 0; i < b->pieces.n; i++) {
        struct block_piece p = b->pieces.v[i];
        *find_slot(b, piece_bytes(b, p), p.align) = (uint32_t)i + 1;
    }
}

static uint32_t put(struct block *b, struct str content, uint32_t align) {
    if (content.n == 0) return 0;
    uint32_t *slot = find_slot(b, content, align);
    if (*slot) return b->pieces.v[*slot - 1].at;
    while (b->bytes.n % align) buf_addc(&b->bytes, 0);
    struct block_piece p = {(uint32_t)b->bytes.n, (uint32_t)content.n, align};
    buf_add(&b->bytes, content);
    vec_push(b->bytes.a, &b->pieces, p);
    *slot = (uint32_t)b->pieces.n;
    if (b->pieces.n > b->n_slots / 2) double_slots(b);
    return p.at;
}

struct rstr block_str(struct block *b, struct str s) {
    return (struct rstr){put(b, s, 1), (uint32_t)s.n};
}

struct rlist block_list(struct block *b, const void *elements, size_t n, size_t size) {
    return (struct rlist){put(b, (struct str){elements, n * size}, 8), (uint32_t)n};
}
