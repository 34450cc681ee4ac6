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
        if (m->start == start && m->end == end) m->replacement = text;
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

void sy_begin_body(struct sycl *s, const struct sy_function *one, struct str text) {
    struct cu *f = s->f;
    uint32_t at = f->tokens.v[one->body].end, first = f->tokens.v[one->body + 1].start;
    uint32_t line = first;
    while (line > at && f->src.p[line - 1] != '\n') line--;
    if (line > at) { /* the body begins on a line of its own */
        line -= 1 + (line - 1 > at && f->src.p[line - 2] == '\r');
        text = arena_concat(f->a, str_sub(f->src, line, first), text);
        uint32_t end = at;
        while (f->src.p[end] == ' ') end++;
        if (str_starts(str_sub(f->src, end, first), S("//"))) at = line; /* stays with the brace */
        while (at < line && f->src.p[at] != '\r' && f->src.p[at] != '\n') at++;
    } else {
        text = arena_concat(f->a, S(" "), text);
    }
    sy_push(s, at, at, text, UINT32_MAX);
}

/* ---- the work-item ---- */

/* Whether code of the host calls a function of that name: with no work-item to give it. */
static bool host_calls(const struct sycl *s, struct str name) {
    struct cu *f = s->f;
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++)
        if (str_eq(cu_text(f, i), name) && (cu_is(f, i + 1, "(") || cu_is(f, i + 1, "<")) &&
            !cu_is(f, i - 1, ".") && !cu_is(f, i - 1, "->") && !f->tokens.v[i].directive &&
            !sy_function_at(s, i) && !sy_is_declared_at(s, i))
            return true;
    return false;
}

/* Whether a lambda hands on what is around it: [&], [=]; `open` is its first parenthesis. */
static bool captures_all(const struct cu *f, const struct sy_function *one) {
    uint32_t close = one->open == NO_NODE ? one->head : one->open;
    while (close > 0 && !cu_is(f, close, "]")) close--;
    uint32_t open = f->tokens.v[close].partner;
    return open != NO_NODE && (cu_is(f, open + 1, "&") || cu_is(f, open + 1, "="));
}

struct str sy_item(struct sycl *s, uint32_t token) {
    if (sy_in_macro(s->f, token)) return s->item;
    const struct sy_function *in = sy_function_at(s, token), *first = in;
    while (in && in->lambda && captures_all(s->f, in)) { /* it sees the kernel's */
        const struct sy_function *around = sy_function_at(s, in->head);
        if (!around) break;
        in = around;
    }
    if (!in && s->ported) { /* its specifiers are gone */
        sy_refuse(sy_match_at(s->f, token), S("an earlier port left it as it is"));
        return S("");
    }
    if (!in) return S("cm::this_item()"); /* an initializer of a member */
    bool named = !in->lambda && cu_is_word(s->f, in->name);
    if (in->host && !in->kernel && named && host_calls(s, cu_text(s->f, in->name))) {
        sy_refuse(sy_match_at(s->f, token), S("the host calls this function, too, and has no "
                                              "work-item for it: make it two"));
        return S("");
    }
    if (sy_is_given_item(s, in)) return s->item;
    if (in->lambda) in = first;
    uint32_t start = s->f->tokens.v[in->body].start, end = s->f->tokens.v[in->end].end;
    bool line = str_find(str_sub(s->f->src, start, end), S("\n"), 0) == end - start;
    if (line) return S("cm::this_item()"); /* too short for a declaration */
    s->functions.v[in - s->functions.v].asks = true;
    return s->item;
}
