/* SPDX-License-Identifier: Apache-2.0 */
/* overloads.c - functions that are one after the port.
 *
 * CUDA's runtime and its driver have an error type each, and so has every library for its handle.
 * A target may have one for several: `check(cudaError_t)` beside `check(CUresult)` are the same
 * function there, and a specialization for each is the same one. Types of the target that are the
 * same under other names are a fact ("same_types"). The second of such a pair is for a human; only
 * definitions of one scope and one branch of #if are compared, which a compiler refuses twice. */
#include "cuda/cu.h"

struct defined {
    uint32_t name, scope; /* its token; that of the brace around it, or NO_NODE */
    struct str before, after;
};

struct overloads {
    struct cu *f;
    VEC(struct defined) all;
};

/* What the port makes of a token. */
static struct str ported_word(const struct cu *f, uint32_t i, size_t *match) {
    while (*match < f->matches.n && f->matches.v[*match].first < i) ++*match;
    for (size_t k = *match; k < f->matches.n && f->matches.v[k].first == i; k++) {
        const struct cu_match *m = &f->matches.v[k];
        bool applies = m->kind == CU_SYMBOL && m->cell && m->cell->to.n && m->last == i + 1;
        if (!applies || (m->verdict != V_EXACT && m->verdict != V_SHIM)) continue;
        return rs_str(m->row.set, m->cell->to);
    }
    return cu_text(f, i);
}

static struct str same_type(const struct cu *f, struct str word) {
    struct str types = target_fact(f->target, "same_types");
    if (!str_listed(word, types)) return word;
    return str_sub(types, 0, str_find(types, S(" "), 0));
}

/* Appends tokens [first, last), as they are or as the port writes them. */
static void put(const struct cu *f, uint32_t first, uint32_t last, bool ported, struct buf *b) {
    size_t match = 0;
    for (uint32_t i = first; i < last; i++) {
        if (f->tokens.v[i].directive) continue;
        buf_add(b, ported ? same_type(f, ported_word(f, i, &match)) : cu_text(f, i));
        buf_addc(b, ' ');
    }
}

/* A parameter without its name and its default. */
static uint32_t end_of_type(const struct cu *f, struct cu_argument a) {
    uint32_t last = a.first;
    while (last < a.last && !cu_is(f, last, "=")) last++;
    if (last > a.first + 1 && cu_is_word(f, last - 1) && !cu_is(f, last - 2, "::")) last--;
    return last;
}

static void put_signature(struct cu *f, uint32_t first, uint32_t open, uint32_t name, bool ported,
                          struct buf *b) {
    struct cu_call list = {0};
    if (cu_is(f, first, "template")) put(f, first, name, ported, b);
    put(f, name, open, ported, b);
    cu_split(f, open + 1, f->tokens.v[open].partner, &list);
    for (size_t i = 0; i < list.arguments.n; i++) {
        struct cu_argument a = list.arguments.v[i];
        put(f, a.first, end_of_type(f, a), ported, b);
        buf_addc(b, ',');
    }
}

/* The brace around a token. */
static uint32_t scope_of(const struct cu *f, uint32_t i) {
    while (i-- > 0) {
        uint32_t partner = f->tokens.v[i].partner;
        if (cu_is(f, i, "}") && partner != NO_NODE && partner < i)
            i = partner;
        else if (cu_is(f, i, "{"))
            return i;
    }
    return NO_NODE;
}

/* The function whose head begins at token `first` and whose body ends before `end`. */
static void add_function(struct overloads *o, uint32_t first, uint32_t end) {
    struct cu *f = o->f;
    uint32_t open = first;
    for (; open < end && !cu_is(f, open, "{"); open++) {
        if (!cu_is(f, open, "(") || f->tokens.v[open].partner == NO_NODE || open == first)
            continue;
        if (!rules_lists(f->rules, "cuda.attributes", cu_text(f, open - 1))) break;
        open = f->tokens.v[open].partner;
    }
    if (open >= end || !cu_is(f, open, "(")) return;
    uint32_t name = open - 1;
    while (cu_is(f, open - 1, ">") && name > first &&
           !(cu_is(f, name, "<") && cu_template_end(f, name) == open - 1))
        name--;
    if (cu_is(f, name, "<")) name--;
    if (name <= first || !cu_is_word(f, name)) return;
    while (name > first + 1 && cu_is(f, name - 1, "::") && cu_is_word(f, name - 2)) name -= 2;
    struct defined d = {.name = name, .scope = scope_of(f, first)};
    struct buf before, after;
    buf_init(&before, f->a);
    buf_init(&after, f->a);
    put_signature(f, first, open, name, false, &before);
    put_signature(f, first, open, name, true, &after);
    d.before = buf_str(&before);
    d.after = buf_str(&after);
    if (!str_eq(d.before, d.after)) vec_push(f->a, &o->all, d);
}

/* `struct name<...> {`: a specialization. */
static void add_class(struct overloads *o, uint32_t i) {
    struct cu *f = o->f;
    uint32_t name = i + 1, close = cu_is(f, i + 2, "<") ? cu_template_end(f, i + 2) : NO_NODE;
    if (!cu_is_word(f, name) || close == NO_NODE) return;
    if (!cu_is(f, close + 1, "{") && !cu_is(f, close + 1, ":")) return;
    struct defined d = {.name = name, .scope = scope_of(f, i)};
    struct buf before, after;
    buf_init(&before, f->a);
    buf_init(&after, f->a);
    put(f, name, close, false, &before);
    put(f, name, close, true, &after);
    d.before = buf_str(&before);
    d.after = buf_str(&after);
    if (!str_eq(d.before, d.after)) vec_push(f->a, &o->all, d);
}

void cu_match_overloads(struct cu *f) {
    struct overloads o = {.f = f};
    const struct byte_range *bodies;
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::overload"), &cursor, &row)) return;
    const struct rcell *cell = row_cell(row, f->target);
    if (!cell || cell->verdict == V_SAME || !f->matches.n) return;
    size_t n = cu_functions(f, &bodies);
    for (size_t i = 0; i < n; i++) add_function(&o, bodies[i].start, bodies[i].end);
    for (uint32_t i = 0; i + 2 < f->tokens.n; i++)
        if (cu_is(f, i, "struct") || cu_is(f, i, "class")) add_class(&o, i);
    for (size_t i = 0; i < o.all.n; i++) {
        struct defined *d = &o.all.v[i], *first = NULL;
        for (size_t k = 0; k < i && !first; k++) {
            struct defined *e = &o.all.v[k];
            if (e->scope == d->scope && str_eq(e->after, d->after) &&
                !str_eq(e->before, d->before) &&
                cu_optional_branch(f, e->name) == cu_optional_branch(f, d->name))
                first = e;
        }
        if (first) cu_report(f, "cm::overload", d->name);
    }
}
