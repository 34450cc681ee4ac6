/* SPDX-License-Identifier: Apache-2.0 */
/* bounds.c - conditions that keep threads within bounds: `if (i < n) ...`, `if (i >= n) return;`.
 * A row of threads meets one mostly as a whole, and its loop had better be one without it, which
 * compilers vectorise (loop unswitching, by what the row says of itself at run time:
 * cpu/split_rows.hpp). That asks each thread first, so that all that stands before the condition
 * may be computed twice. */
#include "kernels/kernel.h"

/* ---- the first threads of a row ---- */

bool k_is_column(const struct kernel *k, uint32_t i, uint32_t *end) {
    const struct cu *f = k->f;
    uint32_t n = k_variable_at(k, i);
    *end = i + 3;
    if (cu_is(f, i, CU_THREAD_INDEX)) return cu_is(f, i + 1, ".") && cu_is(f, i + 2, "x");
    *end = i + 1;
    if (n == NO_NODE) return false;
    const struct k_variable *v = &k->v.v[n];
    bool column = v->init == '=' && v->init_last == v->init_first + 3 &&
                  cu_is(f, v->init_first, CU_THREAD_INDEX) && cu_is(f, v->init_first + 2, "x");
    return column && !v->changed && !v->passed && !v->reference && !v->pointer && !v->is_static &&
           !v->is_auto && !v->twice && v->type.kind == K_SCALAR && !v->type.pointer &&
           v->array_first == v->array_last;
}

bool k_is_for_first(const struct kernel *k, uint32_t s, uint32_t *bound) {
    const struct k_statement *x = &k->s.v[s];
    const struct cu *f = k->f;
    uint32_t from, to, end;
    if (x->kind != K_IF || x->other != NO_NODE || x->first != x->start) return false;
    k_head_part(k, s, K_HEAD_CONDITION, &from, &to);
    if (!k_is_column(k, from, &end) || end + 2 != to) return false;
    *bound = end + 1;
    if (cu_is(f, end, "==")) return cu_is(f, end + 1, "0");
    uint32_t n = k_variable_at(k, end + 1);
    bool number = f->tokens.v[end + 1].kind == CU_NUMBER;
    bool scalar = n != NO_NODE && k->v.v[n].class == K_UNIFORM && !k->v.v[n].pointer &&
                  k->v.v[n].type.kind == K_SCALAR && !k->v.v[n].type.pointer &&
                  k->v.v[n].array_first == k->v.v[n].array_last;
    return cu_is(f, end, "<") && (number || scalar);
}

/* ---- whole rows ---- */

/* Whether a declaration computes values of scalars and does nothing else. */
static bool only_computes(const struct kernel *k, uint32_t s) {
    const struct k_statement *x = &k->s.v[s];
    if (x->kind != K_DECLARATION || x->mixed || x->first != x->start) return false;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != s) continue;
        if (v->class == K_CONTEXT || v->class == K_SHARED || v->reference || v->is_static ||
            v->twice || v->array_first != v->array_last || k_is_object(v))
            return false;
        for (uint32_t i = v->init_first; v->init && i < v->init_last; i++)
            if (cu_assigns(k->f, i) || str_listed(cu_text(k->f, i), S("++ --"))) return false;
        if (v->init && !k_only_computes(k, v->init_first, v->init_last, false)) return false;
    }
    return true;
}

/* Whether tokens [first, last) are one comparison of which one side at most differs from thread to
 * thread, going up by one. Both sides can be computed for threads that another condition keeps
 * out: nothing is read from memory, and nothing divided. */
static bool is_comparison(struct kernel *k, uint32_t first, uint32_t last) {
    const struct cu *f = k->f;
    uint32_t at = NO_NODE;
    if (cu_is(f, first, "(") && f->tokens.v[first].partner == last - 1)
        return is_comparison(k, first + 1, last - 1);
    for (uint32_t i = first; i < last; i++) {
        struct str word = cu_text(f, i);
        bool operand = i > first && (cu_is_word(f, i - 1) || cu_is(f, i - 1, ")") ||
                                     f->tokens.v[i - 1].kind == CU_NUMBER);
        if (str_listed(word, S("< <= > >="))) {
            if (at != NO_NODE) return false;
            at = i;
        } else if (!cu_is_word(f, i) && f->tokens.v[i].kind != CU_NUMBER &&
                   !str_listed(word, S("( ) + - ::")) && !str_is(word, ".") &&
                   !(str_is(word, "*") && operand)) {
            return false;
        }
        if (cu_is_word(f, i) && cu_is(f, i + 1, "(")) return false;
    }
    if (at == NO_NODE || at == first || at + 1 == last) return false;
    enum k_shape left = k_shape_of(k, first, at), right = k_shape_of(k, at + 1, last);
    bool one_side = left == K_SAME || left == K_ROW || right == K_SAME || right == K_ROW;
    return left != K_OTHER && right != K_OTHER && one_side;
}

/* Whether all that `between` joins in a condition are comparisons. */
static bool are_comparisons(struct kernel *k, uint32_t first, uint32_t last, const char *between) {
    const struct cu *f = k->f;
    for (uint32_t i = first, from = first; i <= last; i++) {
        if (i < last && cu_is(f, i, "(") && f->tokens.v[i].partner != NO_NODE)
            i = f->tokens.v[i].partner;
        if (i < last && !cu_is(f, i, between)) continue;
        if (!is_comparison(k, from, i)) return false;
        from = i + 1;
    }
    return true;
}

static bool is_bound(struct kernel *k, uint32_t s, bool final, bool *leaves) {
    const struct k_statement *x = &k->s.v[s];
    if (x->kind != K_IF || x->other != NO_NODE || x->first != x->start || k->function ||
        cu_is(k->f, x->start + 1, "constexpr"))
        return false;
    *leaves = k_is_exit(k, s);
    if (!*leaves && !final) return false;               /* what follows would be done twice */
    uint8_t *before = arena_alloc(k->f->a, k->v.n + 1); /* what asking for shapes settles */
    for (uint32_t n = 0; n < k->v.n; n++) before[n] = k->v.v[n].class;
    bool bound = are_comparisons(k, x->open + 1, x->close, *leaves ? "||" : "&&");
    for (uint32_t n = 0; n < k->v.n; n++) k->v.v[n].class = before[n];
    return bound;
}

uint32_t k_bound_of(struct kernel *k, uint32_t first, uint32_t last, bool *leaves) {
    for (uint32_t s = first; s != NO_NODE && !k->no_interchange; s = k->s.v[s].next) {
        if (is_bound(k, s, s == last, leaves)) return s;
        if (s == last || !only_computes(k, s)) break;
    }
    return NO_NODE;
}
