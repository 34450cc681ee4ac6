/* SPDX-License-Identifier: Apache-2.0 */
/* lexes.c - texts that come again are lexed once: a header, for each file that includes it, and a
 * file that is ported for several targets, since tokens say nothing of a target. They are known by
 * their bytes, so nothing that is kept can be stale. What is kept is copied on its way in and out,
 * since the porter writes into its tokens. */
#include "cuda/cu.h"

enum {
    MOST_KEPT = 64 * 1024 * 1024,          /* bytes, past which a text is simply lexed again */
    MOST_KEPT_FOR_NEXT = 16 * 1024 * 1024, /* past which the next file begins with none */
};

struct cu_lexed {
    struct cu_lexed *next;
    struct cu text;
    const struct rtarget *target; /* that text.regions are for, or NULL */
};

static void *copied(struct arena *a, const void *items, size_t n, size_t size) {
    void *copy = arena_alloc(a, (n + 1) * size);
    if (n) memcpy(copy, items, n * size);
    return copy;
}

static void copy_tokens(struct cu *to, const struct cu *from) {
    memcpy(to->words, from->words, sizeof to->words);
    to->tokens = from->tokens;
    to->directives = from->directives;
    to->comments = from->comments;
    to->spliced = from->spliced;
    to->tokens.cap = to->tokens.n;
    to->directives.cap = to->directives.n;
    to->comments.cap = to->comments.n;
    to->spliced.cap = to->spliced.n;
    to->tokens.v = copied(to->a, from->tokens.v, from->tokens.n, sizeof *from->tokens.v);
    to->directives.v =
        copied(to->a, from->directives.v, from->directives.n, sizeof *from->directives.v);
    to->comments.v = copied(to->a, from->comments.v, from->comments.n, sizeof *from->comments.v);
    to->spliced.v = copied(to->a, from->spliced.v, from->spliced.n, sizeof *from->spliced.v);
}

void cu_lexes_forget(struct cu_lexes *kept) {
    arena_reset(&kept->a);
    kept->bytes = 0;
    memset(kept->of, 0, sizeof kept->of);
    kept->patterns = (struct cu_patterns){0};
}

void cu_lexes_begin(struct cu_lexes *kept, jmp_buf *escape, uint64_t rules) {
    kept->a.escape = escape;
    if (kept->bytes > MOST_KEPT_FOR_NEXT || kept->rules != rules) cu_lexes_forget(kept);
    kept->rules = rules;
}

static struct cu_lexed **place_of(struct cu_lexes *kept, struct str text) {
    return &kept->of[text.n % ARRAY_LEN(kept->of)];
}

static size_t bytes_of(const struct cu *f) {
    return f->src.n + f->tokens.n * sizeof *f->tokens.v +
           f->directives.n * sizeof *f->directives.v + f->comments.n * sizeof *f->comments.v;
}

bool cu_find_lexed(struct cu *f) {
    if (!f->lexes) return false;
    struct cu_lexed *l = *place_of(f->lexes, f->src);
    while (l && !str_eq(l->text.src, f->src)) l = l->next;
    if (l) copy_tokens(f, &l->text);
    f->lexed = l;
    return l != NULL;
}

void cu_keep_lexed(struct cu *f) {
    struct cu_lexes *kept = f->lexes;
    if (!kept || f->once || kept->bytes + bytes_of(f) > MOST_KEPT) return;
    kept->bytes += bytes_of(f);
    struct cu_lexed *l = NEW(&kept->a, struct cu_lexed);
    l->text.a = &kept->a;
    l->text.src = arena_str(&kept->a, f->src);
    copy_tokens(&l->text, f);
    for (size_t i = 0; i < f->spliced.n; i++)
        l->text.spliced.v[i] = arena_str(&kept->a, f->spliced.v[i]);
    struct cu_lexed **place = place_of(kept, f->src);
    l->next = *place;
    *place = l;
    f->lexed = l;
}

static void copy_regions(struct cu *to, const struct cu *from) {
    to->regions = from->regions;
    to->own_names = from->own_names;
    to->regions.cap = to->regions.n;
    to->own_names.cap = to->own_names.n;
    to->regions.v = copied(to->a, from->regions.v, from->regions.n, sizeof *from->regions.v);
    to->own_names.v =
        copied(to->a, from->own_names.v, from->own_names.n, sizeof *from->own_names.v);
}

void cu_find_kept_regions(struct cu *f) {
    if (f->lexed && f->lexed->target == f->target.target) {
        copy_regions(f, &f->lexed->text);
        return;
    }
    cu_find_regions(f);
    if (!f->lexed) return;
    copy_regions(&f->lexed->text, f);
    f->lexed->target = f->target.target;
    f->lexes->bytes += f->regions.n * sizeof *f->regions.v;
}
