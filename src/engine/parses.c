/* SPDX-License-Identifier: Apache-2.0 */
/* parses.c - a file that is run for several targets is parsed once.
 *
 * A tree says nothing of a target, and making it is most of what a file costs. So a workspace
 * keeps the trees of the text that it ran last, for as long as its caller says that the same text
 * comes again. Each target wants the statements that hold its own words; a tree of more of the
 * text serves as well, which the tests hold (partial and whole parse give the same matches), but
 * only where it has no error: an error in a statement that nobody asked for must not refuse the
 * file. What is kept has a limit, past which a tree is simply made again. */
#include "engine/parses.h"

#include <stdlib.h>

enum { MOST_KEPT = 256 * 1024 * 1024 }; /* bytes: half of what a file may need */

struct kept {
    const struct byte_range *ranges;
    size_t n; /* 0: the whole text */
    struct tree tree;
};

struct parses {
    struct arena a;
    struct str text;
    VEC(struct kept) kept;
    size_t bytes; /* of their nodes */
};

struct parses *parses_new(void) {
    struct parses *p = calloc(1, sizeof *p);
    if (p) arena_init(&p->a, 0);
    return p;
}

void parses_free(struct parses *p) {
    if (p) arena_free(&p->a);
    free(p);
}

void parses_forget(struct parses *p) {
    arena_reset(&p->a);
    p->text = (struct str){0};
    p->kept.v = NULL;
    p->kept.n = p->kept.cap = 0;
    p->bytes = 0;
}

void parses_begin(struct parses *p, struct str text, jmp_buf *escape) {
    p->a.escape = escape;
    if (p->text.p && str_eq(p->text, text)) return;
    parses_forget(p);
    p->text = arena_str(&p->a, text);
}

static bool covers(const struct kept *k, const struct byte_range *ranges, size_t n) {
    size_t at = 0;
    for (size_t i = 0; i < n && k->n; i++) {
        while (at < k->n && k->ranges[at].end < ranges[i].end) at++;
        if (at == k->n || k->ranges[at].start > ranges[i].start) return false;
    }
    return n > 0 || !k->n;
}

bool parses_find(const struct parses *p, const struct byte_range *ranges, size_t n,
                 struct tree *tree, bool *whole) {
    const struct kept *best = NULL;
    for (size_t i = 0; p && i < p->kept.n; i++) {
        const struct kept *k = &p->kept.v[i];
        bool same = k->n == n && (!n || memcmp(k->ranges, ranges, n * sizeof *ranges) == 0);
        bool serves = same || (k->tree.first_error == NO_NODE && covers(k, ranges, n));
        if (serves && (same || !best)) best = k;
        if (same) break;
    }
    if (!best) return false;
    *tree = best->tree;
    *whole = best->n == 0;
    return true;
}

void parses_keep(struct parses *p, const struct byte_range *ranges, size_t n,
                 const struct tree *tree) {
    size_t bytes = (size_t)tree->n * sizeof *tree->v;
    if (!p || p->bytes + bytes > MOST_KEPT) return;
    p->bytes += bytes;
    struct kept k = {.n = n, .tree = *tree};
    struct byte_range *copy = arena_alloc(&p->a, (n + 1) * sizeof *copy);
    if (n) memcpy(copy, ranges, n * sizeof *copy);
    k.ranges = copy;
    k.tree.v = arena_alloc(&p->a, (tree->n + 1) * sizeof *tree->v);
    memcpy(k.tree.v, tree->v, tree->n * sizeof *tree->v);
    vec_push(&p->a, &p->kept, k);
}
