/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - CUDA C++ inside string literals, which the program compiles at run time (NVRTC).
 *
 * Strings are nobody's business, but for these: a file that calls what compiles at run time, and
 * strings of it that define a kernel. Their token is replaced by the tokens inside; everything
 * after that sees ordinary code at the bytes where it stands. */
#include "cuda/cu.h"

static bool compiles_at_run_time(const struct cu *f) {
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (cu_role(f, i) == ROLE_COMPILER) return true;
    return false;
}

/* Neighbouring literals are one string. */
static uint32_t group_end(const struct cu *f, uint32_t i) {
    while (i < f->tokens.n && f->tokens.v[i].kind == CU_STRING) i++;
    return i;
}

static bool defines_kernel(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++)
        if (str_find(cu_text(f, i), S(CU_KERNEL_WORD), 0) < cu_text(f, i).n) return true;
    return false;
}

/* The bytes between the quotes, and whether escapes in them are to be read. */
static struct byte_range content(const struct cu *f, uint32_t i, bool *escapes) {
    struct str text = cu_text(f, i);
    struct byte_range r = {f->tokens.v[i].start, f->tokens.v[i].end};
    size_t quote = str_find(text, S("\""), 0);
    *escapes = quote == 0 || text.p[quote - 1] != 'R';
    if (*escapes) {
        r.start += (uint32_t)quote + 1;
        r.end -= r.end > r.start;
        return r;
    }
    size_t open = str_find(text, S("("), quote), delimiter = open - quote - 1;
    r.start += (uint32_t)open + 1;
    r.end -= (uint32_t)(delimiter + 2);
    return r.end > r.start ? r : (struct byte_range){r.start, r.start};
}

/* The same number of bytes with escapes blanked; those of quotes and line breaks stay what they
 * mean. */
static struct str readable(struct cu *f, struct byte_range r, bool escapes) {
    size_t n = r.end - r.start;
    char *p = arena_alloc(f->a, n + 1);
    memcpy(p, f->src.p + r.start, n);
    for (size_t i = 0; escapes && i + 1 < n; i++) {
        if (p[i] != '\\') continue;
        p[i++] = ' ';
        p[i] = p[i] == 'n' ? '\n' : p[i] == '"' ? '"' : ' ';
    }
    return (struct str){p, n};
}

/* Adds the tokens inside a literal to `out`. */
static void open_literal(struct cu *f, uint32_t i, struct cu *out) {
    bool escapes;
    struct byte_range r = content(f, i, &escapes);
    vec_push(f->a, &f->programs, r);
    struct cu inner = {.a = f->a, .src = readable(f, r, escapes)};
    cu_lex(&inner);
    uint32_t tokens = (uint32_t)out->tokens.n, directives = (uint32_t)f->directives.n;
    for (size_t k = 0; k < inner.tokens.n; k++) {
        struct cu_token t = inner.tokens.v[k];
        t.start += r.start;
        t.end += r.start;
        if (t.partner != NO_NODE) t.partner += tokens;
        if (t.directive) t.directive += directives;
        t.spliced = 0; /* never looked up by what it spells */
        vec_push(f->a, &out->tokens, t);
    }
    for (size_t k = 0; k < inner.directives.n; k++) {
        struct cu_directive d = inner.directives.v[k];
        d.first += tokens;
        d.last += tokens;
        d.line_end += r.start;
        d.in_string = true;
        vec_push(f->a, &f->directives, d);
    }
    for (size_t k = 0; k < inner.comments.n; k++) {
        struct byte_range c = inner.comments.v[k];
        struct byte_range moved = {c.start + r.start, c.end + r.start};
        vec_push(f->a, &f->comments, moved);
    }
}

static int by_start(const void *x, const void *y, const void *context) {
    const struct byte_range *a = x, *b = y;
    (void)context;
    return (a->start > b->start) - (a->start < b->start);
}

void cu_open_programs(struct cu *f) {
    if (!compiles_at_run_time(f)) return;
    struct cu out = {.a = f->a};
    uint32_t *moved = arena_alloc(f->a, (f->tokens.n + 1) * sizeof *moved);
    bool any = false;
    for (uint32_t i = 0; i < f->tokens.n;) {
        uint32_t end = group_end(f, i);
        bool opens = end > i && !f->tokens.v[i].directive && defines_kernel(f, i, end);
        if (end == i) end = i + 1;
        any |= opens;
        for (; i < end; i++) {
            moved[i] = (uint32_t)out.tokens.n;
            if (opens)
                open_literal(f, i, &out);
            else
                vec_push(f->a, &out.tokens, f->tokens.v[i]);
        }
    }
    moved[f->tokens.n] = (uint32_t)out.tokens.n;
    if (!any) return;
    for (uint32_t i = 0; i < f->tokens.n; i++) { /* what was there before names its new places */
        struct cu_token *t = &out.tokens.v[moved[i]];
        bool same = moved[i] < out.tokens.n && t->start == f->tokens.v[i].start;
        if (same && f->tokens.v[i].partner != NO_NODE) t->partner = moved[f->tokens.v[i].partner];
    }
    for (size_t i = 0; i < f->directives.n; i++) {
        struct cu_directive *d = &f->directives.v[i];
        if (d->in_string) continue;
        d->first = moved[d->first];
        d->last = moved[d->last];
    }
    f->tokens.v = out.tokens.v;
    f->tokens.n = out.tokens.n;
    f->tokens.cap = out.tokens.cap;
    cu_note_words(f);
    /* comments are looked up by place */
    sort_stable(f->a, f->comments.v, f->comments.n, sizeof *f->comments.v, by_start, NULL);
}

bool cu_in_string(const struct cu *f, uint32_t byte) {
    for (size_t i = 0; i < f->programs.n; i++)
        if (byte >= f->programs.v[i].start && byte < f->programs.v[i].end) return true;
    return false;
}
