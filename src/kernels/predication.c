/* SPDX-License-Identifier: Apache-2.0 */
/* predication.c - divergent control flow: an `if` or a loop with barriers or operations of warps
 * in it that only some of a block's threads go through. CUDA says such a barrier is undefined, but
 * warps make it common (`if (lane < 16) v += __shfl_...`). Where all threads can go through it
 * together, each step for those whose condition is true, it is predicated (if-conversion); `goto`,
 * `switch` and loops that threads leave at different places are left to the fibers. */
#include "kernels/kernel.h"

uint32_t k_loop_of(const struct kernel *k, uint32_t s) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent) {
        uint8_t kind = k->s.v[p].kind;
        if (kind == K_FOR || kind == K_WHILE || kind == K_DO || kind == K_OPAQUE) return p;
    }
    return NO_NODE;
}

uint32_t k_predicate_around(const struct kernel *k, uint32_t s) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent)
        if (k->s.v[p].predicated && k->s.v[p].role == K_CONTROL) return p;
    return NO_NODE;
}

void k_head_part(const struct kernel *k, uint32_t s, enum k_head_part_kind part, uint32_t *from,
                 uint32_t *to) {
    const struct cu *f = k->f;
    const struct k_statement *x = &k->s.v[s];
    uint32_t i = x->open + 1;
    *from = i, *to = x->kind == K_FOR || part == K_HEAD_CONDITION ? x->close : i;
    if (x->kind != K_FOR) return;
    for (int n = 0; i <= x->close; i++) {
        bool opens = cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{");
        if (opens && f->tokens.v[i].partner != NO_NODE) i = f->tokens.v[i].partner;
        if (!cu_is(f, i, ";") && i < x->close) continue;
        *to = i;
        if (n++ == (int)part) return;
        *from = i + 1;
    }
}

static bool is_below(const struct kernel *k, uint32_t s, uint32_t top) {
    for (uint32_t p = s; p != NO_NODE; p = k->s.v[p].parent)
        if (p == top) return true;
    return false;
}

/* A barrier of the whole block. */
static bool holds_block_barrier(const struct kernel *k, uint32_t top) {
    for (uint32_t n = 0; top != NO_NODE && n < k->operands.n; n++)
        if (k->operands.v[n].waits && is_below(k, k->operands.v[n].statement, top)) return true;
    for (uint32_t s = 0; top != NO_NODE && s < k->s.n; s++)
        if (k->s.v[s].barrier && is_below(k, s, top) &&
            !cu_is(k->f, k->s.v[s].start, CU_WARP_BARRIER))
            return true;
    return false;
}

/* if (T x = ...), if (T x; ...) */
static bool declares(const struct kernel *k, uint32_t s) {
    const struct cu *f = k->f;
    uint32_t first = k->s.v[s].open + 1;
    for (uint32_t i = first; i < k->s.v[s].close; i++) {
        bool opens = cu_is(f, i, "(") || cu_is(f, i, "[");
        if (opens && f->tokens.v[i].partner != NO_NODE) i = f->tokens.v[i].partner;
        if (cu_is(f, i, ";") || cu_is(f, i, "{")) return true;
        if (cu_is(f, i, "=") && i > first + 1 && (cu_is_word(f, i - 2) || cu_is(f, i - 2, "*")))
            return true;
    }
    return false;
}

bool k_may_predicate(const struct kernel *k, uint32_t s, const char **why) {
    const struct k_statement *x = &k->s.v[s];
    *why = "a barrier in divergent control flow";
    if (cu_is(k->f, x->start + 1, "constexpr")) return false;
    if (x->kind == K_IF) {
        /* Threads of both branches may mean to wait for each other. */
        bool both = holds_block_barrier(k, x->child) && holds_block_barrier(k, x->other);
        return !both && !declares(k, s);
    }
    if (x->kind == K_WHILE && declares(k, s)) return false;
    *why = "threads continue a loop with barriers at different places";
    for (uint32_t n = 0; n < k->s.n; n++)
        if (k->s.v[n].kind == K_CONTINUE && k_loop_of(k, n) == s) return false;
    return x->kind != K_BLOCK;
}
