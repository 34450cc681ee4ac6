/* SPDX-License-Identifier: Apache-2.0 */
/* emit_context.c - what each thread has for itself across barriers: the text of its types and
 * declarations. pocl's context arrays, spelt cm::each<T>; classes get CM_OBJECT, room whose
 * constructor runs where the declaration stood. Which variables these are, kernels.c decides. */
#include "kernels/emit.h"

/* ---- types of what each thread has for itself ---- */

void k_add_type(struct writer *w, const struct k_variable *v, struct buf *b) {
    struct cu *f = w->f;
    for (uint32_t i = v->type_first; i < v->type_last; i++) {
        if (cu_aligns(f, i) && cu_is(f, i + 1, "(") && f->tokens.v[i + 1].partner != NO_NODE) {
            i = f->tokens.v[i + 1].partner; /* what is live across barriers lies where it lies */
            continue;
        }
        bool drop =
            !v->pointer && !v->reference && (cu_is(f, i, "const") || cu_is(f, i, "constexpr"));
        if (drop || rules_lists(f->rules, "cuda.parameter_qualifiers", cu_text(f, i))) continue;
        bool words = b->n && cu_is_word(f, i) && cu_is_word(f, i - 1) && b->p[b->n - 1] != '<';
        bool mark = b->n && (cu_is(f, i, "*") || cu_is(f, i, "&")) && b->p[b->n - 1] != '*';
        if (i > v->type_first && (words || mark)) buf_addc(b, ' ');
        buf_add(b, cu_ported_text(f, i, i + 1));
    }
    for (uint32_t i = v->mark_first; i < v->mark_last; i++)
        if (!cu_is(f, i, "const") || cu_is(f, i + 1, "*"))
            buf_printf(b, " %.*s", STR_ARG(cu_text(f, i)));
}

/* T, T[4] */
static void add_whole_type(struct writer *w, const struct k_variable *v, struct buf *b) {
    struct buf type;
    buf_init(&type, w->f->a);
    k_add_type(w, v, &type);
    buf_add(b, buf_str(&type));
    if (v->array_last > v->array_first && cu_is(w->f, v->array_first + 1, "]")) {
        buf_printf(b, "[%zu]", k_count_values(w->f, v));
        buf_add(b, cu_ported_text(w->f, v->array_first + 2, v->array_last));
    } else {
        buf_add(b, cu_ported_text(w->f, v->array_first, v->array_last));
    }
}

void k_add_copies(struct writer *w, const struct k_variable *v, struct buf *b) {
    buf_addz(b, "cm::each<");
    add_whole_type(w, v, b);
    buf_printf(b, "> %.*s(cm_%.*s);", STR_ARG(v->name), STR_ARG(v->name));
}

void k_add_context_array(struct writer *w, const struct k_variable *v, struct buf *b) {
    bool object = k_is_object(v);
    if (object)
        buf_printf(b, "CM_OBJECT(%.*s, ", STR_ARG(v->name));
    else
        buf_addz(b, "cm::each<");
    add_whole_type(w, v, b);
    if (object)
        buf_addz(b, ");");
    else
        buf_printf(b, "> %.*s;", STR_ARG(v->name));
}

/* ---- declarations ---- */

bool k_has_init(const struct kernel *k, uint32_t statement) {
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].statement == statement && (k->v.v[n].init || k_is_object(&k->v.v[n])))
            return true;
    return false;
}

void k_remove_statement(struct writer *w, uint32_t s, bool line) {
    const struct cu *f = w->f;
    uint32_t start = start_of(f, w->k->s.v[s].start), end = end_of(f, w->k->s.v[s].last - 1);
    if (w->k->s.v[s].role == K_REPEATED) end = k_with_comment(f, end);
    uint32_t from = start, to = end;
    while (from > 0 && strchr(" \t", f->src.p[from - 1])) from--;
    while (to < f->src.n && strchr(" \t\r", f->src.p[to])) to++;
    bool alone = from > 0 && f->src.p[from - 1] == '\n' && to < f->src.n && f->src.p[to] == '\n';
    if (line && alone)
        k_replace(w, from, to + 1, S(""));
    else
        k_replace(w, start, end, S(""));
}

/* The token behind a variable, what it is made of included. */
uint32_t k_declarator_end(const struct k_variable *v) {
    if (!v->init) return v->array_last;
    return v->init == '=' ? v->init_last : v->init_last + 1;
}

/* T v(x); becomes new (cm::place(v)) T(x); */
static void object_declarator(struct writer *w, const struct k_variable *v, uint32_t from,
                              bool more) {
    struct cu *f = w->f;
    uint32_t last = v->array_last - 1, behind = v->array_last;
    struct buf made;
    buf_init(&made, f->a);
    buf_printf(&made, "new (cm::place(%.*s)) ", STR_ARG(v->name));
    add_whole_type(w, v, &made);
    bool list = v->init == '=' && cu_is(f, v->init_first, "{");
    k_replace(w, from, end_of(f, last), buf_str(&made));
    if (v->init == '=')
        k_replace(w, end_of(f, last), start_of(f, v->init_first), list ? S("") : S("("));
    if (v->init == '=' && !list) k_insert(w, end_of(f, v->init_last - 1), S(")"));
    if (v->init) behind = k_declarator_end(v);
    if (more) k_replace(w, start_of(f, behind), end_of(f, behind), S(";"));
}

/* The same as text of its own. */
static void add_assignment(struct writer *w, const struct k_variable *v, struct buf *b) {
    struct str value = cu_ported_text(w->f, v->init_first, v->init_last);
    if (!k_is_object(v)) {
        buf_printf(b, "%.*s = %.*s;", STR_ARG(v->name), STR_ARG(value));
        return;
    }
    buf_printf(b, "new (cm::place(%.*s)) ", STR_ARG(v->name));
    add_whole_type(w, v, b);
    bool bare = v->init == '=' && cu_is(w->f, v->init_first, "{");
    const char *form = bare ? "%.*s;" : v->init == '{' ? "{%.*s};" : v->init ? "(%.*s);" : "%.*s;";
    buf_printf(b, form, STR_ARG(value));
}

bool k_add_assignments(struct writer *w, uint32_t statement, struct buf *b) {
    struct kernel *k = w->k;
    bool any = false;
    for (uint32_t n = 0; n < k->v.n && statement != NO_NODE; n++) {
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != statement) continue;
        if (any && (v->init || k_is_object(v))) buf_addc(b, ' ');
        any = true;
        if (v->init || k_is_object(v)) add_assignment(w, v, b);
    }
    return any;
}

/* T v = x; becomes v = x; */
static void declarator(struct writer *w, const struct k_variable *v, uint32_t from, bool more) {
    struct cu *f = w->f;
    uint32_t name = start_of(f, v->token), after = end_of(f, v->token);
    bool array = v->array_first != v->array_last;
    if (!v->init) { /* goes with the comma behind it */
        uint32_t last = array ? v->array_last - 1 : v->token;
        k_replace(w, from, more ? start_of(f, last + 2) : end_of(f, last), S(""));
        return;
    }
    k_replace(w, from, name, array ? S("cm::assign(") : S(""));
    if (array) {
        k_replace(w, after, start_of(f, v->init_first), S(", "));
        k_insert(w, end_of(f, v->init_last - 1), S(")"));
    } else if (v->init != '=') {
        struct buf type;
        buf_init(&type, f->a);
        k_add_type(w, v, &type);
        bool words = memchr(type.p, ' ', type.n) != NULL; /* (unsigned int)(x) */
        struct str made = arena_printf(f->a, words ? " = (%.*s)" : " = %.*s", (int)type.n, type.p);
        k_insert(w, after, v->init == '(' ? made : S(" = "));
    }
    if (!more) return;
    uint32_t comma = v->init == '=' ? v->init_last : v->init_last + 1;
    k_replace(w, start_of(f, comma), end_of(f, comma), S(";"));
}

/* What of a mixed declaration stays in the loop over the threads. */
static void mixed_declaration(struct writer *w, uint32_t s) {
    struct kernel *k = w->k;
    struct buf b;
    bool first = true;
    buf_init(&b, w->f->a);
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != s || v->class == K_UNIFORM) continue;
        if (v->class == K_CONTEXT) { /* so are the others */
            if (b.n && (v->init || k_is_object(v))) buf_addc(&b, ' ');
            if (v->init || k_is_object(v)) add_assignment(w, v, &b);
            continue;
        }
        if (first) buf_add(&b, cu_ported_text(w->f, v->type_first, v->type_last));
        buf_addz(&b, first ? " " : ", ");
        first = false;
        buf_add(&b, cu_ported_text(w->f, v->mark_first, k_declarator_end(v)));
    }
    if (!first) buf_addc(&b, ';');
    k_replace(w, start_of(w->f, k->s.v[s].start), end_of(w->f, k->s.v[s].last - 1), buf_str(&b));
}

/* What of it stands before that loop. */
void k_add_uniform_part(struct writer *w, uint32_t s, struct buf *b, struct str indent) {
    struct kernel *k = w->k;
    for (uint32_t n = 0; n < k->v.n && k->s.v[s].mixed; n++) {
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != s || v->class != K_UNIFORM) continue;
        buf_add(b, cu_ported_text(w->f, v->type_first, v->type_last));
        buf_printf(b, " %.*s;%.*s%.*s",
                   STR_ARG(cu_ported_text(w->f, v->mark_first, k_declarator_end(v))),
                   STR_ARG(w->eol), STR_ARG(indent));
    }
}

void k_write_uniform_part(struct writer *w, uint32_t s) {
    struct kernel *k = w->k;
    struct buf b;
    buf_init(&b, w->f->a);
    k_add_uniform_part(w, s, &b, k_indent_for(w, start_of(w->f, k->s.v[s].start)));
    while (b.n && b.p[b.n - 1] != ';') b.n--;
    k_replace(w, start_of(w->f, k->s.v[s].start), end_of(w->f, k->s.v[s].last - 1), buf_str(&b));
}

void k_write_declaration(struct writer *w, uint32_t s, bool inner) {
    struct kernel *k = w->k;
    if (k->s.v[s].mixed) {
        mixed_declaration(w, s);
        return;
    }
    if (!k_has_init(k, s)) {
        k_remove_statement(w, s, inner);
        return;
    }
    uint32_t from = start_of(w->f, k->s.v[s].start);
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != s) continue;
        bool more = n + 1 < k->v.n && k->v.v[n + 1].statement == s;
        if (k_is_object(v))
            object_declarator(w, v, from, more);
        else
            declarator(w, v, from, more);
        if (!more) continue;
        uint32_t next = k->v.v[n + 1].mark_first;
        from = start_of(w->f, next);
    }
}
