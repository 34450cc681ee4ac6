/* SPDX-License-Identifier: Apache-2.0 */
/* branches.c - whether what a file defines is there for everybody who compiles it.
 *
 * A name of CUDA's that the file defines for itself is the file's own. But a definition in a
 * branch of an #if is there for some builds only: a stand-in for machines without CUDA, a name
 * that older CUDAs lack. Such a definition and the uses outside of its branch mean one thing, and
 * are ported together. What the conditions amount to is not asked: an include guard, a default
 * (`#ifndef X`, `#define X`), branches that all define the name, and one that holds all code of
 * the file leave nothing open; branches of other vendors are layers, which regions.c knows. */
#include "cuda/cu.h"

struct maker {
    struct cu *f;
    VEC(uint32_t) open; /* branches that are being read, the innermost last */
};

/* `#ifndef X` before `#define X`. */
bool cu_is_guard(const struct cu *f, const struct cu_directive *d) {
    const struct cu_directive *next = d + 1;
    bool negated = str_ends(cu_text(f, d->first + 1), S("ndef")) || cu_is(f, d->first + 2, "!");
    if (!negated || next == f->directives.v + f->directives.n || next->kind != CD_DEFINE)
        return false;
    for (uint32_t t = d->first + 2; t < d->last; t++)
        if (cu_is_word(f, t) && str_eq(cu_text(f, t), cu_text(f, next->first + 2))) return true;
    return false;
}

/* Whether the condition says nothing about what CUDA code is compiled as: a guard, C++, vendors.
 */
static bool is_settled(const struct cu *f, const struct cu_directive *d) {
    if (cu_is_guard(f, d)) return true;
    for (uint32_t t = d->first + 2; t < d->last; t++)
        if (cu_is_word(f, t) &&
            (cu_is(f, t, "__cplusplus") || cu_is_vendors_macro(f->rules, cu_text(f, t))))
            return true;
    return false;
}

static void begin_branch(struct maker *m, const struct cu_directive *d, uint32_t conditional) {
    struct cu *f = m->f;
    uint32_t parent = m->open.n ? m->open.v[m->open.n - 1] : NO_NODE;
    struct cu_branch b = {.first = d->last, .last = (uint32_t)f->tokens.n, .parent = parent};
    uint32_t number = (uint32_t)f->branches.n;
    b.conditional = conditional == NO_NODE ? number : conditional;
    vec_push(f->a, &f->branches, b);
    vec_push(f->a, &m->open, number);
    struct cu_branch *head = &f->branches.v[f->branches.v[number].conditional];
    head->settled |= d->kind != CD_ELSE && is_settled(f, d);
    head->has_else |= d->kind == CD_ELSE;
    head->stand_in |= d->kind == CD_IF && cu_excludes_nvidia(f, d);
}

static void find_branches(struct cu *f) {
    struct maker m = {.f = f};
    f->branches_known = true;
    for (size_t i = 0; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->in_string || d->kind < CD_IF || (d->kind != CD_IF && !m.open.n)) continue;
        uint32_t conditional = NO_NODE;
        if (d->kind != CD_IF) {
            struct cu_branch *b = &f->branches.v[m.open.v[--m.open.n]];
            b->last = d->first;
            conditional = b->conditional;
        }
        if (d->kind != CD_ENDIF) begin_branch(&m, d, conditional);
    }
}

/* Whether no code of the file stands outside of the branch. */
static bool holds_all_code(const struct cu *f, const struct cu_branch *b) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        if (i == b->first) i = b->last;
        if (i < f->tokens.n && !f->tokens.v[i].directive) return false;
    }
    return true;
}

/* `name x;` and what begins with the name use it: a declaration has its type before it. */
static bool is_use(const struct cu *f, uint32_t i) {
    uint32_t directive = f->tokens.v[i].directive;
    if (i == 0 || f->tokens.v[i - 1].directive != directive) return true;
    bool type = cu_is_word(f, i - 1) || cu_is(f, i - 1, "*");
    if (!type && !str_listed(cu_text(f, i - 1), S("& > { } , ("))) return true;
    return cu_is_word(f, i + 1) && f->tokens.v[i + 1].directive == directive && !directive;
}

static bool declares(const struct cu *f, const struct cu_branch *b, struct str name) {
    for (uint32_t i = b->first; i < b->last; i++)
        if (cu_is_word(f, i) && str_eq(cu_text(f, i), name) && !is_use(f, i)) return true;
    return false;
}

/* Whether the conditional of a branch defines that name in any case. */
static bool defines_always(const struct cu *f, const struct cu_branch *b, struct str name) {
    const struct cu_branch *head = &f->branches.v[b->conditional];
    if (head->settled || (!head->stand_in && holds_all_code(f, b))) return true;
    if (!head->has_else) return false;
    for (size_t i = b->conditional; i < f->branches.n; i++)
        if (f->branches.v[i].conditional == b->conditional &&
            !declares(f, &f->branches.v[i], name))
            return false;
    return true;
}

const struct cu_branch *cu_optional_branch(struct cu *f, uint32_t token) {
    if (!f->branches_known) find_branches(f);
    uint32_t at = NO_NODE;
    for (uint32_t i = 0; i < f->branches.n && f->branches.v[i].first <= token; i++)
        if (token < f->branches.v[i].last) at = i; /* the later one is the inner one */
    while (at != NO_NODE && defines_always(f, &f->branches.v[at], cu_text(f, token)))
        at = f->branches.v[at].parent;
    return at == NO_NODE ? NULL : &f->branches.v[at];
}
