/* branches.c - control flow that only some of a block's threads go through: the text of it. */
#include "cuda/loops.h"

/* cm_if_3: which threads go through masked statement s; of an `if`, also those that don't. */
struct str lw_mask_of(struct writer *w, uint32_t s, bool other) {
    const char *name = w->k->s.v[s].kind != KS_IF ? "in" : other ? "else" : "if";
    uint32_t n = 0;
    for (uint32_t i = 0; i < s; i++) n += w->k->s.v[i].masked;
    return arena_printf(w->f->a, "cm_%s_%u", name, n);
}

/* ---- masked statements ---- */

static uint32_t head_piece(const struct kernel *k, uint32_t s, enum km_part part) {
    uint32_t from, to;
    km_part(k, s, part, &from, &to);
    for (uint32_t p = 0; p < k->pieces.n && from < to; p++)
        if (k->pieces.v[p].head == s && k->pieces.v[p].from == from) return p;
    return NO_NODE;
}

/* The declaration in the head of a `for`, as assignments. */
static void add_first(struct writer *w, uint32_t s, struct buf *b) {
    struct kernel *k = w->k;
    bool declares = false;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct kv *v = &k->v.v[n];
        if (v->statement == NO_NODE || v->statement != k->s.v[s].other) continue;
        struct str value = cu_ported_text(w->f, v->init_first, v->init_last);
        if (declares && v->init) buf_addc(b, ' ');
        declares = true;
        if (v->init) buf_printf(b, "%.*s = %.*s;", STR_ARG(v->name), STR_ARG(value));
    }
    if (declares) return;
    const struct ks_piece *p = &k->pieces.v[head_piece(k, s, KM_FIRST)];
    buf_printf(b, "%.*s;", STR_ARG(cu_ported_text(w->f, p->from, p->to)));
}

/* A loop over the threads that evaluates one part of the head, or, without one, of a condition
 * that is always true. */
static void head(struct writer *w, uint32_t s, enum km_part part, struct buf *b, uint32_t at) {
    struct kernel *k = w->k;
    uint32_t number = head_piece(k, s, part);
    struct str mask = lw_mask_of(w, s, false);
    if (number == NO_NODE && part != KM_CONDITION) return;
    if (part == KM_CONDITION) lw_add_offers(w, s, b, at);
    if (b->n) buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(lw_indent_for(w, at)));
    if (number == NO_NODE) {
        buf_printf(b, "CM_THREADS(threadIdx, %.*s) { %.*s = true; };", STR_ARG(mask),
                   STR_ARG(mask));
        return;
    }
    const struct ks_piece *p = &k->pieces.v[number];
    struct str text = lw_text(w, p->from, p->to);
    size_t before = b->n;
    lw_open_piece(w, number, b, at);
    bool lines = memchr(b->p + before, '\n', b->n - before) != NULL, plain = true;
    for (uint32_t i = p->from; i < p->to; i++)
        plain &= !cu_is(w->f, i, "=") && !cu_is(w->f, i, ",");
    if (!lines) buf_addc(b, ' ');
    if (part == KM_FIRST)
        add_first(w, s, b);
    else if (part == KM_STEP)
        buf_printf(b, "%.*s;", STR_ARG(text));
    else
        buf_printf(b, plain ? "%.*s = %.*s;" : "%.*s = bool(%.*s);", STR_ARG(mask), STR_ARG(text));
    if (part == KM_CONDITION && k->s.v[s].kind == KS_IF && k->s.v[s].other != NO_NODE)
        buf_printf(b, " %.*s = !%.*s;", STR_ARG(lw_mask_of(w, s, true)), STR_ARG(mask));
    if (lines)
        buf_printf(b, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(lw_indent_for(w, at)));
    else
        buf_addz(b, " };");
}

/* Only blanks stand between. */
static bool blank_between(const struct cu *f, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        if (!strchr(" \t\r\n", f->src.p[i])) return false;
    return true;
}

/* What follows the head, which ends before byte `from`, in braces; `end` goes before the last one.
 */
static void masked_body(struct writer *w, uint32_t from, uint32_t child, struct str indent,
                        struct str end) {
    const struct ks *x = &w->k->s.v[child];
    struct cu *f = w->f;
    uint32_t at = start_of(f, x->first);
    struct str step = lw_deeper(f, at),
               inner = arena_printf(f->a, "%.*s%.*s", STR_ARG(indent), STR_ARG(step));
    struct str here = arena_printf(f->a, "{%.*s%.*sCM_HERE;", STR_ARG(w->eol), STR_ARG(inner));
    if (x->kind == KS_BLOCK) {
        lw_replace(w, start_of(f, x->open), end_of(f, x->open), here);
        lw_list(w, x->child);
        if (end.n)
            lw_insert(w, start_of(f, x->close),
                      arena_printf(f->a, "%.*s%.*s%.*s%.*s", STR_ARG(step), STR_ARG(end),
                                   STR_ARG(w->eol), STR_ARG(indent)));
        return;
    }
    here = arena_printf(f->a, " %.*s%.*s%.*s", STR_ARG(here), STR_ARG(w->eol), STR_ARG(inner));
    if (blank_between(f, from, at))
        lw_replace(w, from, at, here);
    else
        lw_insert(w, at, here);
    lw_list(w, child);
    struct buf b;
    buf_init(&b, f->a);
    if (end.n) buf_printf(&b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(inner), STR_ARG(end));
    buf_printf(&b, "%.*s%.*s}", STR_ARG(w->eol), STR_ARG(indent));
    lw_insert(w, lw_with_comment(f, end_of(f, x->last - 1)), buf_str(&b));
}

/* The end of each round: the step, then whether there is another one. */
static struct str next_round(struct writer *w, uint32_t s) {
    struct buf b;
    buf_init(&b, w->f->a);
    uint32_t at = start_of(w->f, w->k->s.v[s].start);
    struct str before = w->extra;
    w->extra = lw_deeper(w->f, at);
    head(w, s, KM_STEP, &b, at);
    head(w, s, KM_CONDITION, &b, at);
    w->extra = before;
    return buf_str(&b);
}

void lw_masked(struct writer *w, uint32_t s) {
    struct kernel *k = w->k;
    struct cu *f = w->f;
    const struct ks *x = &k->s.v[s];
    uint32_t at = start_of(f, x->start);
    struct str indent = lw_indent_for(w, at), mask = lw_mask_of(w, s, false);
    struct buf b;
    buf_init(&b, f->a);
    for (uint32_t n = 0; n < k->v.n && x->kind == KS_FOR; n++)
        if (k->v.v[n].statement == x->other && k->v.v[n].class == KV_EACH) {
            lw_add_each(w, &k->v.v[n], &b);
            buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        }
    buf_printf(&b, "cm::each<bool> %.*s;", STR_ARG(mask));
    bool other = x->kind == KS_IF && x->other != NO_NODE;
    if (other) buf_printf(&b, " cm::each<bool> %.*s;", STR_ARG(lw_mask_of(w, s, true)));
    if (x->kind == KS_FOR) head(w, s, KM_FIRST, &b, at);
    if (x->kind == KS_DO)
        buf_printf(&b, "%.*s%.*sCM_THREADS(threadIdx, %.*s) { %.*s = true; };", STR_ARG(w->eol),
                   STR_ARG(indent), STR_ARG(mask), STR_ARG(mask));
    else
        head(w, s, KM_CONDITION, &b, at);
    buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
    if (x->kind == KS_IF)
        buf_printf(&b, "if (CM_WHERE(%.*s))", STR_ARG(mask));
    else
        buf_printf(&b, "for (CM_WHILE(%.*s))", STR_ARG(mask));
    if (x->first != x->start) { /* a #pragma about the loop */
        uint32_t line = lw_after_line_break(f, start_of(f, x->first));
        lw_replace(w, line, lw_after_line_break(f, at), S(""));
    }
    uint32_t head_end = x->kind == KS_DO ? end_of(f, x->start) : end_of(f, x->close);
    lw_replace(w, at, head_end, buf_str(&b));
    masked_body(w, head_end, x->child, indent, x->kind == KS_IF ? S("") : next_round(w, s));
    if (x->kind == KS_DO) /* while (...); */
        lw_replace(w, end_of(f, x->open - 2), end_of(f, x->last - 1), S(""));
    if (!other) return;
    uint32_t word = k->s.v[x->child].last, from = end_of(f, word - 1);
    if (!blank_between(f, from, start_of(f, word))) from = start_of(f, word);
    lw_replace(w, from, end_of(f, word),
               arena_printf(f->a, "%.*s%.*sif (CM_WHERE(%.*s))", STR_ARG(w->eol), STR_ARG(indent),
                            STR_ARG(lw_mask_of(w, s, true))));
    masked_body(w, end_of(f, word), x->other, indent, S(""));
}
