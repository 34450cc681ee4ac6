/* SPDX-License-Identifier: Apache-2.0 */
/* emit_predicate.c - divergent control flow with barriers in it: the text of it. All threads go
 * through together, under predicates that say which of them take part, as a GPU's SIMT stack does
 * (if-conversion: Allen, Kennedy and others, 1983). Whether that is possible, predication.c says.
 */
#include "kernels/emit.h"

/* ---- predicated statements ---- */

static uint32_t head_region(const struct kernel *k, uint32_t s, enum k_head_part_kind part) {
    uint32_t from, to;
    k_head_part(k, s, part, &from, &to);
    for (uint32_t p = 0; p < k->regions.n && from < to; p++)
        if (k->regions.v[p].head == s && k->regions.v[p].from == from) return p;
    return NO_NODE;
}

/* The declaration in the head of a `for`, as assignments. */
static void add_first(struct writer *w, uint32_t s, struct buf *b) {
    struct kernel *k = w->k;
    if (k_add_assignments(w, k->s.v[s].other, b)) return;
    const struct k_region *p = &k->regions.v[head_region(k, s, K_HEAD_INIT)];
    buf_printf(b, "%.*s;", STR_ARG(cu_ported_text(w->f, p->from, p->to)));
}

/* A conversion of a class may be one that only conditions make. */
static bool is_object_at(const struct kernel *k, uint32_t token) {
    uint32_t n = k_variable_at(k, token);
    return n != NO_NODE && k_is_object(&k->v.v[n]);
}

/* A loop over the threads that evaluates one part of the head, or, without one, of a condition
 * that is always true. */
static void head(struct writer *w, uint32_t s, enum k_head_part_kind part, struct buf *b,
                 uint32_t at) {
    struct kernel *k = w->k;
    uint32_t number = head_region(k, s, part);
    struct str mask = k_mask_of(w, s, false);
    if (number == NO_NODE && part != K_HEAD_CONDITION) return;
    if (part == K_HEAD_CONDITION) k_add_operands(w, s, b, at);
    if (b->n) buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(k_indent_for(w, at)));
    if (number == NO_NODE) {
        buf_printf(b, "CM_THREADS(" CU_THREAD_INDEX ", %.*s) { %.*s = true; };", STR_ARG(mask),
                   STR_ARG(mask));
        return;
    }
    const struct k_region *p = &k->regions.v[number];
    struct str text = k_text(w, p->from, p->to);
    size_t before = b->n;
    k_open_region(w, number, b, at);
    bool lines = memchr(b->p + before, '\n', b->n - before) != NULL, plain = true;
    for (uint32_t i = p->from; i < p->to; i++)
        plain &= !cu_is(w->f, i, "=") && !cu_is(w->f, i, ",") && !is_object_at(k, i);
    if (!lines) buf_addc(b, ' ');
    if (part == K_HEAD_INIT)
        add_first(w, s, b);
    else if (part == K_HEAD_STEP)
        buf_printf(b, "%.*s;", STR_ARG(text));
    else
        buf_printf(b, plain ? "%.*s = %.*s;" : "%.*s = bool(%.*s);", STR_ARG(mask), STR_ARG(text));
    if (part == K_HEAD_CONDITION && k->s.v[s].kind == K_IF && k->s.v[s].other != NO_NODE)
        buf_printf(b, " %.*s = !%.*s;", STR_ARG(k_mask_of(w, s, true)), STR_ARG(mask));
    if (lines)
        buf_printf(b, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(k_indent_for(w, at)));
    else
        buf_addz(b, " };");
}

/* Only blanks stand between. */
static bool blank_between(const struct cu *f, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        if (!strchr(" \t\r\n", f->src.p[i])) return false;
    return true;
}

/* What follows the head, which ends before byte `from`, in braces; `end` goes before the last one,
 * `after` behind it. */
static void predicated_body(struct writer *w, uint32_t from, uint32_t child, struct str indent,
                            struct str end, struct str after) {
    const struct k_statement *x = &w->k->s.v[child];
    struct cu *f = w->f;
    uint32_t at = start_of(f, x->first);
    struct str step = k_deeper(f, at),
               inner = arena_printf(f->a, "%.*s%.*s", STR_ARG(indent), STR_ARG(step));
    struct str here = arena_printf(f->a, "{%.*s%.*sCM_HERE;", STR_ARG(w->eol), STR_ARG(inner));
    if (x->kind == K_BLOCK) {
        k_replace(w, start_of(f, x->open), end_of(f, x->open), here);
        w->write_list(w, x->child);
        if (end.n)
            k_insert(w, start_of(f, x->close),
                     arena_printf(f->a, "%.*s%.*s%.*s%.*s", STR_ARG(step), STR_ARG(end),
                                  STR_ARG(w->eol), STR_ARG(indent)));
        if (after.n) k_insert(w, end_of(f, x->close), after);
        return;
    }
    here = arena_printf(f->a, " %.*s%.*s%.*s", STR_ARG(here), STR_ARG(w->eol), STR_ARG(inner));
    if (blank_between(f, from, at))
        k_replace(w, from, at, here);
    else
        k_insert(w, at, here);
    w->write_list(w, child);
    struct buf b;
    buf_init(&b, f->a);
    if (end.n) buf_printf(&b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(inner), STR_ARG(end));
    buf_printf(&b, "%.*s%.*s}%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(after));
    k_insert(w, k_with_comment(f, end_of(f, x->last - 1)), buf_str(&b));
}

/* The end of each round: the step, then whether there is another one. */
static struct str next_round(struct writer *w, uint32_t s) {
    struct buf b;
    buf_init(&b, w->f->a);
    uint32_t at = start_of(w->f, w->k->s.v[s].start);
    struct str before = w->extra;
    w->extra = k_deeper(w->f, at);
    head(w, s, K_HEAD_STEP, &b, at);
    head(w, s, K_HEAD_CONDITION, &b, at);
    w->extra = before;
    return buf_str(&b);
}

/* Whether what is declared in the head of a `for` would meet another one of its name in the scope
 * that the loop stands in, or a parameter. */
static bool meets_its_name(const struct kernel *k, uint32_t s) {
    uint32_t scope = k->s.v[s].parent;
    for (uint32_t n = 0; n < k->v.n; n++) {
        if (k->v.v[n].statement != k->s.v[s].other) continue;
        for (uint32_t m = 0; m < k->v.n; m++) {
            uint32_t at = k->v.v[m].statement;
            if (m == n || !str_eq(k->v.v[m].name, k->v.v[n].name)) continue;
            if (at != NO_NODE && k->s.v[at].kind == K_LOOP_HEAD) at = k->s.v[at].parent;
            if (at == NO_NODE ? scope == 0 : k->s.v[at].parent == scope) return true;
        }
    }
    return false;
}

void k_write_predicated(struct writer *w, uint32_t s) {
    struct kernel *k = w->k;
    struct cu *f = w->f;
    const struct k_statement *x = &k->s.v[s];
    uint32_t at = start_of(f, x->start);
    struct str indent = k_indent_for(w, at), mask = k_mask_of(w, s, false);
    bool scoped = x->kind == K_FOR && x->other != NO_NODE && meets_its_name(k, s);
    struct str after = S("");
    struct buf b;
    buf_init(&b, f->a);
    if (scoped) {
        buf_printf(&b, "{%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        after = arena_printf(f->a, "%.*s%.*s}", STR_ARG(w->eol), STR_ARG(indent));
    }
    for (uint32_t n = 0; n < k->v.n && x->kind == K_FOR; n++)
        if (k->v.v[n].statement == x->other && k->v.v[n].class == K_CONTEXT) {
            k_add_context_array(w, &k->v.v[n], &b);
            buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        }
    buf_printf(&b, "cm::mask %.*s;", STR_ARG(mask));
    bool other = x->kind == K_IF && x->other != NO_NODE;
    if (other) buf_printf(&b, " cm::mask %.*s;", STR_ARG(k_mask_of(w, s, true)));
    if (x->kind == K_FOR) head(w, s, K_HEAD_INIT, &b, at);
    if (x->kind == K_DO)
        buf_printf(&b, "%.*s%.*sCM_THREADS(" CU_THREAD_INDEX ", %.*s) { %.*s = true; };",
                   STR_ARG(w->eol), STR_ARG(indent), STR_ARG(mask), STR_ARG(mask));
    else
        head(w, s, K_HEAD_CONDITION, &b, at);
    buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
    if (x->kind == K_IF)
        buf_printf(&b, "if (CM_WHERE(%.*s))", STR_ARG(mask));
    else
        buf_printf(&b, "for (CM_WHILE(%.*s))", STR_ARG(mask));
    if (x->first != x->start) { /* a #pragma about the loop */
        uint32_t line = k_after_line_break(f, start_of(f, x->first));
        k_replace(w, line, k_after_line_break(f, at), S(""));
    }
    uint32_t head_end = x->kind == K_DO ? end_of(f, x->start) : end_of(f, x->close);
    k_replace(w, at, head_end, buf_str(&b));
    predicated_body(w, head_end, x->child, indent, x->kind == K_IF ? S("") : next_round(w, s),
                    after);
    if (x->kind == K_DO) /* while (...); */
        k_replace(w, end_of(f, x->open - 2), end_of(f, x->last - 1), S(""));
    if (!other) return;
    uint32_t word = k->s.v[x->child].last, from = end_of(f, word - 1);
    if (!blank_between(f, from, start_of(f, word))) from = start_of(f, word);
    k_replace(w, from, end_of(f, word),
              arena_printf(f->a, "%.*s%.*sif (CM_WHERE(%.*s))", STR_ARG(w->eol), STR_ARG(indent),
                           STR_ARG(k_mask_of(w, s, true))));
    predicated_body(w, end_of(f, word), x->other, indent, S(""), S(""));
}
