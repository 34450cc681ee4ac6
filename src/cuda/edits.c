/* SPDX-License-Identifier: Apache-2.0 */
/* edits.c - the edits that are planned so far, and the text that they make.
 *
 * They are a stack: as matches are planned from the last to the first, the first edit of the file
 * is on top, and what stands inside of a rewrite can be asked for as it will be. Which edits are
 * made, and whether a later one takes an earlier one along, is plan.c's business. */
#include "cuda/cu.h"

/* Of two edits that start together: an insertion stands before what it is at; of two insertions
 * the one of the outer rewrite is the first, unless it is at the end of what is inside. */
static bool is_first(const struct cu *f, const struct match_edit *a, const struct match_edit *b) {
    if (a->start != b->start) return a->start < b->start;
    if (a->end != b->end) return a->end < b->end;
    uint32_t start = f->matches.v[a->match].start, other = f->matches.v[b->match].start;
    return start < other ? other >= a->start : start < a->start;
}

void cu_add_edit(struct cu *f, struct match_edit e) {
    f->matches.v[e.match].made++;
    vec_push(f->a, &f->edits, e);
    for (size_t i = f->edits.n - 1; i > 0 && is_first(f, &f->edits.v[i - 1], &e); i--) {
        f->edits.v[i] = f->edits.v[i - 1];
        f->edits.v[i - 1] = e;
    }
}

void cu_join(struct cu *f, uint32_t match, uint32_t other) {
    struct match_pair p = {match, other};
    if (match != other) vec_push(f->a, &f->joined, p);
}

void cu_push_edit(struct cu *f, uint32_t start, uint32_t end, struct str text, uint32_t match) {
    cu_add_edit(f, (struct match_edit){start, end, text, match, false, 0});
}

size_t cu_edits_before(struct cu *f, uint32_t end, struct match_edit **out) {
    size_t n = 0;
    while (n < f->edits.n && f->edits.v[f->edits.n - 1 - n].start < end) n++;
    *out = arena_alloc(f->a, (n + 1) * sizeof **out);
    for (size_t i = 0; i < n; i++) (*out)[i] = f->edits.v[f->edits.n - 1 - i];
    return n;
}

struct str cu_text_with(struct cu *f, uint32_t start, uint32_t end, const struct match_edit *edits,
                        size_t n) {
    struct buf b;
    buf_init(&b, f->a);
    for (size_t i = 0; i < n; i++) {
        if (edits[i].start < start || edits[i].end > end) continue;
        buf_add(&b, str_sub(f->src, start, edits[i].start));
        buf_add(&b, edits[i].text);
        start = edits[i].end;
    }
    buf_add(&b, str_sub(f->src, start, end));
    return b.p ? buf_str(&b) : S("");
}

/* An insertion at the end belongs to the text where what it is about does: x.get() */
static struct str ported_bytes(struct cu *f, uint32_t start, uint32_t end) {
    struct match_edit *inner;
    size_t n = cu_edits_before(f, end + 1, &inner), kept = 0;
    for (size_t i = 0; i < n; i++) {
        const struct cu_match *m = NULL;
        if (inner[i].match < f->matches.n) m = &f->matches.v[inner[i].match];
        if (inner[i].start < end || (m && m->start >= start && m->end <= end))
            inner[kept++] = inner[i];
    }
    return cu_text_with(f, start, end, inner, kept);
}

struct str cu_ported_text(struct cu *f, uint32_t first, uint32_t last) {
    if (first >= last) return S("");
    return ported_bytes(f, f->tokens.v[first].start, f->tokens.v[last - 1].end);
}

static bool only_blanks(struct str text) {
    for (size_t i = 0; i < text.n; i++)
        if (!strchr(" \t\r\n", text.p[i])) return false;
    return true;
}

struct str cu_ported_inside(struct cu *f, uint32_t first, uint32_t last) {
    if (first >= last) return S("");
    const struct cu_token *v = f->tokens.v;
    uint32_t start = v[first].start, end = v[last - 1].end;
    if (!only_blanks(str_sub(f->src, v[first - 1].end, start)) ||
        v[first].directive != v[first - 1].directive)
        start = v[first - 1].end;
    if (!only_blanks(str_sub(f->src, end, v[last].start)) ||
        v[last - 1].directive != v[last].directive)
        end = v[last].start;
    return ported_bytes(f, start, end);
}
