/* SPDX-License-Identifier: Apache-2.0 */
/* emit.c - kernels as loops over the threads of a block: edits that write the vocabulary of
 * cpu/split.hpp into the source, MCUDA's thread loops around the regions that kernels.c found.
 * Nothing is decided here, and nothing is printed anew from a tree: names, comments and layout are
 * the author's. */
#include "kernels/emit.h"

/* ---- parallel regions ---- */

/* Lines of the source inside of a region go one step to the right. */
static void indent_lines(struct writer *w, uint32_t from, uint32_t to, struct str step) {
    const struct cu *f = w->f;
    for (uint32_t i = from; i + 1 < to; i++) {
        if (f->src.p[i] != '\n' || strchr("\r\n", f->src.p[i + 1])) continue;
        bool covered = false; /* in a string, or gone */
        for (size_t n = w->first; n < w->edits->v.n && !covered; n++)
            covered = w->edits->v.v[n].start <= i && i < w->edits->v.v[n].end;
        if (!covered) k_insert(w, i + 1, step);
    }
}

static bool spans_lines(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind == CU_STRING && memchr(text.p, '\n', text.n)) return true;
    }
    return false;
}

static void leave(struct writer *w, const struct k_region *p) {
    const struct kernel *k = w->k;
    for (uint32_t i = p->from; i < p->to && (p->returns_early || k->returns); i++) {
        uint32_t lambda = k_lambda_length(w->f, i), end = i;
        i += lambda ? lambda - 1 : 0;
        if (!cu_is(w->f, i, "return")) continue;
        uint32_t behind = end_of(w->f, i);
        while (k->returns && w->f->src.p[behind] == ' ') behind++;
        bool bound = p->bound != NO_NODE && p->bound_leaves && i >= k->s.v[p->bound].first &&
                     i < k->s.v[p->bound].last; /* not where threads are only asked */
        k_replace(w, start_of(w->f, i), behind,
                  k->returns ? S("CM_RETURN(")
                  : bound    ? S("CM_LEAVE_RARELY")
                             : S("CM_LEAVE"));
        for (end = i; k->returns && end < p->to && !cu_is(w->f, end, ";"); end++)
            if (w->f->tokens.v[end].partner != NO_NODE && w->f->tokens.v[end].partner > end)
                end = w->f->tokens.v[end].partner;
        if (k->returns) k_insert(w, start_of(w->f, end), S(")"));
    }
    for (uint32_t s = 0; s < k->s.n; s++) {
        const struct k_statement *x = &k->s.v[s];
        if (x->kind != K_BREAK || x->first < p->from || x->last > p->to) continue;
        uint32_t loop = k_loop_of(k, s);
        if (loop != NO_NODE && k->s.v[loop].predicated)
            k_replace(w, start_of(w->f, x->start), end_of(w->f, x->start),
                      arena_printf(w->f->a, "CM_BREAK(%.*s)", STR_ARG(k_mask_of(w, loop, false))));
    }
}

static void region(struct writer *w, uint32_t number) {
    struct kernel *k = w->k;
    const struct cu *f = w->f;
    const struct k_region *p = &k->regions.v[number];
    uint32_t first = k->s.v[p->first].first, last = k->s.v[p->last].last;
    uint32_t start = start_of(f, k->s.v[p->first].start), end = end_of(f, last - 1);
    bool pragma = first != k->s.v[p->first].start;
    struct str indent = k_indent_for(w, start), step = k_deeper(f, start);
    struct buf b;
    bool empty = true;
    buf_init(&b, f->a);
    k_add_uniform_part(w, p->first, &b, indent);
    for (uint32_t s = p->first;; s = k->s.v[s].next) {
        bool own = false;
        for (uint32_t n = 0; n < k->v.n; n++) {
            if (k->v.v[n].statement != s || k->v.v[n].class != K_CONTEXT) continue;
            own = true;
            if (b.n && b.p[b.n - 1] == ';')
                buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
            k_add_context_array(w, &k->v.v[n], &b);
        }
        if (!own || k_has_init(k, s)) empty = false;
        if (s == p->last) break;
    }
    if (!empty) {
        if (b.n && b.p[b.n - 1] == ';')
            buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        k_open_region(w, number, &b, start);
    }
    if (pragma) start = k_after_line_break(f, start_of(f, first));
    k_insert(w, start,
             pragma ? arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(indent), STR_ARG(buf_str(&b)),
                                   STR_ARG(w->eol))
                    : buf_str(&b));
    if (pragma) k_insert(w, start, step);
    for (uint32_t s = p->first;; s = k->s.v[s].next) {
        for (uint32_t n = 0; n < k->v.n; n++)
            if (k->v.v[n].statement == s && (k->v.v[n].class == K_CONTEXT || k->s.v[s].mixed)) {
                k_write_declaration(w, s, s != p->first && s != p->last);
                break;
            }
        if (s == p->last) break;
    }
    if (empty) return;
    leave(w, p);
    end = k_with_comment(f, end);
    if (!spans_lines(f, first, last)) indent_lines(w, start, end, step);
    k_insert(w, end, arena_printf(f->a, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent)));
    if (p->returns_early)
        k_insert(w, end,
                 arena_printf(f->a, "%.*s%.*sCM_ALL_%s;", STR_ARG(w->eol), STR_ARG(indent),
                              k->returns ? "RETURNED" : "LEFT"));
}

/* ---- the kernel ---- */

static void barrier(struct writer *w, uint32_t s) {
    const struct k_statement *x = &w->k->s.v[s];
    k_insert(w, start_of(w->f, x->start), S("CM_BARRIER("));
    k_insert(w, start_of(w->f, x->last - 1), S(")"));
}

/* Parameters that each thread changes: the kernel's get another name. */
static void own_parameters(struct writer *w, struct str indent, struct buf *b) {
    struct kernel *k = w->k;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class != K_CONTEXT) continue;
        k_insert(w, start_of(w->f, v->token), S("cm_"));
        buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        k_add_copies(w, v, b);
    }
}

static uint32_t region_that_begins(const struct kernel *k, uint32_t s) {
    for (uint32_t p = 0; p < k->regions.n; p++)
        if (k->regions.v[p].first == s) return p;
    return NO_NODE;
}

void k_write_list(struct writer *w, uint32_t first) {
    struct kernel *k = w->k;
    for (uint32_t s = first; s != NO_NODE; s = k->s.v[s].next) {
        const struct k_statement *x = &k->s.v[s];
        uint32_t p = region_that_begins(k, s);
        bool bare = k->s.v[x->parent].kind != K_BLOCK && (p != NO_NODE || x->predicated) &&
                    k->s.v[x->parent].role == K_CONTROL && !k->s.v[x->parent].predicated;
        uint32_t start = start_of(w->f, x->first);
        uint32_t end = k_with_comment(w->f, end_of(w->f, x->last - 1));
        struct str indent = k_indent_of(w->f, start), step = k_deeper(w->f, start);
        if (bare)
            k_insert(w, start,
                     arena_printf(w->f->a, "{%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent),
                                  STR_ARG(step)));
        w->extra = bare ? step : S("");
        bool control = x->role == K_CONTROL;
        if (!control) k_write_operands(w, s);
        if (p != NO_NODE) {
            region(w, p);
            s = k->regions.v[p].last;
        } else if (x->role == K_AT_BARRIER && x->barrier) {
            barrier(w, s);
        } else if (x->role == K_REPEATED && x->mixed) {
            k_write_uniform_part(w, s);
        } else if (x->role == K_REPEATED) {
            k_remove_statement(w, s, true);
        } else if (x->role == K_CONTROL && x->predicated) {
            k_write_predicated(w, s);
        } else if (x->role == K_CONTROL) {
            k_write_list(w, x->child);
            if (x->kind == K_IF && x->other != NO_NODE) k_write_list(w, x->other);
        }
        w->extra = S("");
        if (bare)
            k_insert(w, end, arena_printf(w->f->a, "%.*s%.*s}", STR_ARG(w->eol), STR_ARG(indent)));
    }
}

/* What only the block's threads can see needs no atomic instruction: they take turns. */
static void shared_atomics(struct writer *w) {
    struct kernel *k = w->k;
    for (uint32_t i = k->open; i + 3 < k->close; i++) {
        if (!rules_lists(w->f->rules, "cuda.block_atomics", cu_text(w->f, i))) continue;
        if (!cu_is(w->f, i + 1, "(")) continue;
        uint32_t n = k_variable_at(k, i + 2 + cu_is(w->f, i + 2, "&"));
        if (n != NO_NODE && k->v.v[n].class == K_SHARED) k_insert(w, end_of(w->f, i), S("_block"));
    }
}

/* Edits of rules in the middle of what is written anew. */
static bool collides(const struct writer *w) {
    const struct cu *f = w->f;
    for (size_t n = w->first; n < w->edits->v.n; n++) {
        const struct match_edit *e = &w->edits->v.v[n];
        for (size_t i = 0; i < f->edits.n; i++) {
            const struct match_edit *other = &f->edits.v[i];
            if (k_covers(e, other)) continue;
            if (e->start < other->end && other->start < e->end) return true;
            if (e->start == e->end && other->start < e->start && e->start < other->end)
                return true;
        }
    }
    return false;
}

bool k_finish(struct writer *w) {
    shared_atomics(w);
    if (!collides(w)) return true;
    w->edits->v.n = w->first;
    return k_fail(w->k, w->k->open, "names in the declarations change");
}

/* Whether threads of a row sum in memory together: other rows may do the same to the same places,
 * each from its own 0 on, so that one goes after the other. */
static bool goes_by_rows(const struct kernel *k) {
    for (uint32_t s = 0; s < k->s.n; s++)
        if (k->s.v[s].in_memory && k->s.v[s].sums && k->s.v[s].role == K_CONTROL) return true;
    return false;
}

/* Whether one row of threads can go through the kernel before another one begins. */
static bool rows_can_part(const struct kernel *k) {
    bool part = k->fallback == NO_NODE;
    for (uint32_t n = 0; n < k->v.n; n++)
        part &= k->v.v[n].class != K_CONTEXT || !k_is_object(&k->v.v[n]);
    return part;
}

bool k_write_kernel(struct kernel *k, struct k_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, cu_eol(k->f), S(""), {0}, k_write_list};
    bool rows = goes_by_rows(k);
    if (rows && !rows_can_part(k)) return false;
    uint32_t open = end_of(k->f, k->open), first = start_of(k->f, k->s.v[k->s.v[0].child].first);
    const char *name = k->returns_early ? "CM_LEAVING_BLOCK;" : "CM_BLOCK;";
    struct str indent = k_indent_of(k->f, first);
    bool same_line = k_after_line_break(k->f, first) <= open;
    struct buf b;
    buf_init(&b, k->f->a);
    if (rows) {
        name = k->returns_early ? "CM_EACH_LEAVING_ROW " : "CM_EACH_ROW ";
        k_insert(&w, start_of(k->f, k->open), str_of(name));
        k_insert(&w, end_of(k->f, k->close), S(" CM_END"));
    } else {
        if (same_line)
            buf_addc(&b, ' ');
        else
            buf_printf(&b, "%.*s%.*s", STR_ARG(w.eol), STR_ARG(indent));
        buf_addz(&b, name);
    }
    own_parameters(&w, indent, &b);
    if (b.n) k_insert(&w, open, buf_str(&b));
    k_write_list(&w, k->s.v[0].child);
    return k_finish(&w);
}

void k_write_one_loop(struct kernel *k, struct k_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, cu_eol(k->f), S(""), {0}, k_write_list};
    struct buf b;
    buf_init(&b, k->f->a);
    uint32_t last = k->s.n ? k->s.v[0].child : NO_NODE, bound = NO_NODE;
    bool leaves;
    while (last != NO_NODE && k->s.v[last].next != NO_NODE) last = k->s.v[last].next;
    if (last != NO_NODE) bound = k_bound_of(k, k->s.v[0].child, last, &leaves);
    if (bound != NO_NODE) k_write_bound(&w, bound, leaves);
    if (collides(&w)) bound = NO_NODE, w.edits->v.n = w.first;
    k_insert(&w, start_of(k->f, k->open),
             bound != NO_NODE ? S("CM_EACH_THREAD_MOSTLY ") : S("CM_EACH_THREAD "));
    uint32_t inside = start_of(k->f, k->open + 1);
    bool same_line = k_after_line_break(k->f, inside) <= start_of(k->f, k->open);
    struct str indent = k_indent_of(k->f, inside);
    for (uint32_t n = 0; n < k->v.n; n++) { /* parameters that each thread changes */
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class != K_CONTEXT) continue;
        struct buf type;
        buf_init(&type, k->f->a);
        k_add_type(&w, v, &type);
        if (same_line)
            buf_addc(&b, ' ');
        else
            buf_printf(&b, "%.*s%.*s", STR_ARG(w.eol), STR_ARG(indent));
        bool pointer = type.n && type.p[type.n - 1] == '*';
        buf_printf(&b, "%.*s%s%.*s = cm_%.*s;", (int)type.n, type.p, pointer ? "" : " ",
                   STR_ARG(v->name), STR_ARG(v->name));
        k_insert(&w, start_of(k->f, v->token), S("cm_"));
    }
    k_insert(&w, end_of(k->f, k->open), buf_str(&b));
    k_insert(&w, end_of(k->f, k->close), S(" CM_END"));
}

void k_write_clock(struct kernel *k, struct k_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, S("\n"), S(""), {0}, NULL};
    for (uint32_t i = k->open; i + 2 < k->close; i++)
        if (cu_is(k->f, i, CU_CLOCK) && cu_is(k->f, i + 1, "(") && cu_is(k->f, i + 2, ")"))
            k_insert(&w, end_of(k->f, i), S("64"));
}

static void write_spin(struct writer *w, struct cu *f, uint32_t i, uint32_t close) {
    uint32_t from, to;
    if (!k_spins_on_memory(f, i, close, &from, &to)) return;
    k_insert(w, start_of(f, from), S("CM_SPIN("));
    k_insert(w, end_of(f, to - 1), S(")"));
}

void k_write_spins(struct cu *f, struct k_edits *edits) {
    struct writer w = {NULL, f, edits, edits->v.n, S("\n"), S(""), {0}, NULL};
    const struct byte_range *r;
    size_t n = cu_functions(f, &r);
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        bool device = false;
        for (uint32_t t = r[i].start; t < r[i].end && !cu_is(f, t, "{"); t++)
            device |= cu_is(f, t, CU_DEVICE_WORD) || cu_is(f, t, CU_KERNEL_WORD);
        for (uint32_t t = r[i].start; device && t < r[i].end; t++)
            if (!f->tokens.v[t].directive) write_spin(&w, f, t, r[i].end);
        any |= device;
    }
    for (size_t n_d = 0; any && n_d < f->directives.n;
         n_d++) { /* #define WAIT(p) while (!*p) {} */
        const struct cu_directive *d = &f->directives.v[n_d];
        for (uint32_t t = d->first + 3; d->kind == CD_DEFINE && t < d->last; t++)
            write_spin(&w, f, t, d->last);
    }
}

/* ---- among the other edits ---- */
