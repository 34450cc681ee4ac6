/* SPDX-License-Identifier: Apache-2.0 */
/* emit_text.c - the edits of a kernel and the text that they stand in: indentation, ends of lines,
 * and how they go together with the rules' own edits. */
#include "kernels/emit.h"

#include <string.h>

void k_replace(struct writer *w, uint32_t start, uint32_t end, struct str text) {
    struct match_edit e = {start, end, text, NO_NODE, false, 0};
    vec_push(w->f->a, &w->edits->v, e);
}

void k_insert(struct writer *w, uint32_t at, struct str text) { k_replace(w, at, at, text); }

struct str k_indent_of(const struct cu *f, uint32_t byte) {
    uint32_t line = byte, end;
    while (line > 0 && f->src.p[line - 1] != '\n') line--;
    for (end = line; end < byte && strchr(" \t", f->src.p[end]);) end++;
    return str_sub(f->src, line, end);
}

struct str k_indent_for(const struct writer *w, uint32_t byte) {
    struct str indent = k_indent_of(w->f, byte);
    return arena_printf(w->f->a, "%.*s%.*s", STR_ARG(indent), STR_ARG(w->extra));
}

struct str k_deeper(const struct cu *f, uint32_t byte) {
    struct str indent = k_indent_of(f, byte);
    return indent.n && indent.p[0] == '\t' ? S("\t") : S("    ");
}

uint32_t k_after_line_break(const struct cu *f, uint32_t at) {
    while (at > 0 && f->src.p[at - 1] != '\n') at--;
    return at;
}

/* Behind the comment that ends the line, if one does. */
uint32_t k_with_comment(const struct cu *f, uint32_t at) {
    uint32_t i = at;
    while (i < f->src.n && strchr(" \t", f->src.p[i])) i++;
    for (size_t n = 0; n < f->comments.n; n++) {
        struct byte_range c = f->comments.v[n];
        if (c.start != i || !memchr(f->src.p + c.start, '\n', f->src.n - c.start)) continue;
        uint32_t end = c.end;
        while (end > c.start && strchr("\r\n", f->src.p[end - 1])) end--;
        bool last = end < f->src.n && strchr("\r\n", f->src.p[end]);
        return last && !memchr(f->src.p + c.start, '\n', end - c.start) ? end : at;
    }
    return at;
}

static bool before(const struct match_edit *a, const struct match_edit *b) {
    if (a->start != b->start) return a->start < b->start;
    return a->start == a->end && b->start != b->end;
}

/* Whether what another edit is about is written anew by this one, with what it says. */
bool k_covers(const struct match_edit *e, const struct match_edit *other) {
    if (e->start == e->end || e == other) return false;
    if (other->start == other->end) return e->start < other->start && other->end < e->end;
    return e->start <= other->start && other->end <= e->end;
}

static bool is_covered(const struct k_edits *edits, const struct match_edit *e) {
    for (size_t i = 0; i < edits->v.n; i++)
        if (k_covers(&edits->v.v[i], e)) return true;
    return false;
}

/* Whether an edit of the file's writes a text anew that has this one in it, as that of a launch
 * with its arguments: then that text stays as it is. */
static bool is_within(const struct cu *f, const struct k_edits *edits,
                      const struct match_edit *e) {
    for (size_t i = 0; i < f->edits.n; i++)
        if (k_covers(&f->edits.v[i], e) && !is_covered(edits, &f->edits.v[i])) return true;
    return false;
}

void k_merge_edits(struct cu *f, const struct k_edits *edits) {
    size_t n = 0;
    struct match_edit *mine = arena_alloc(f->a, (edits->v.n + 1) * sizeof *mine);
    for (size_t i = 0; i < edits->v.n; i++) { /* nearly in order already */
        if (is_covered(edits, &edits->v.v[i]) || is_within(f, edits, &edits->v.v[i])) continue;
        size_t at = n++;
        for (; at > 0 && before(&edits->v.v[i], &mine[at - 1]); at--) mine[at] = mine[at - 1];
        mine[at] = edits->v.v[i];
    }
    VEC(struct match_edit) all = {0};
    size_t m = n;
    for (size_t i = 0; i < f->edits.n; i++) { /* the last of the file first */
        if (is_covered(edits, &f->edits.v[i])) continue;
        while (m > 0 && !before(&mine[m - 1], &f->edits.v[i])) vec_push(f->a, &all, mine[--m]);
        vec_push(f->a, &all, f->edits.v[i]);
    }
    while (m > 0) vec_push(f->a, &all, mine[--m]);
    f->edits.n = 0;
    for (size_t i = 0; i < all.n; i++) vec_push(f->a, &f->edits, all.v[i]);
}
