/* SPDX-License-Identifier: Apache-2.0 */
/* edits.c - the edits of a port to SYCL, and what becomes of the matches that they are about. */
#include "sycl/sycl.h"

struct cu_match *sy_match_at(struct cu *f, uint32_t token) {
    uint32_t start = f->tokens.v[token].start;
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].start == start && f->matches.v[i].kind == CU_SYMBOL)
            return &f->matches.v[i];
    return NULL;
}

void sy_refuse(struct cu_match *m, struct str why) {
    if (!m || m->suppressed) return;
    m->verdict = V_MANUAL;
    m->applied = false;
    m->cell = NULL;
    m->message = why;
    m->advice = (struct str){0};
}

bool sy_is_refused(struct sycl *s, uint32_t token) {
    const struct cu_match *m = sy_match_at(s->f, token);
    return m && (m->suppressed || m->verdict == V_MANUAL);
}

void sy_push(struct sycl *s, uint32_t start, uint32_t end, struct str text, uint32_t match) {
    struct match_edit e = {.start = start, .end = end, .text = text, .match = match};
    vec_push(s->f->a, &s->edits, e);
}

uint32_t sy_claim(struct sycl *s, uint32_t start, uint32_t end, struct str text) {
    struct cu *f = s->f;
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < f->matches.n; i++) {
        struct cu_match *m = &f->matches.v[i];
        if (m->start < start || m->end > end || m->suppressed || m->verdict == V_MANUAL) continue;
        if (first == UINT32_MAX) first = i;
        if (m->applied) continue;
        m->applied = true;
        m->verdict = V_EXACT;
        m->replacement = text;
    }
    return first;
}

void sy_edit(struct sycl *s, uint32_t first, uint32_t last, struct str text) {
    uint32_t start = s->f->tokens.v[first].start, end = s->f->tokens.v[last - 1].end;
    sy_push(s, start, end, text, sy_claim(s, start, end, text));
}
