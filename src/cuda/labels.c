/* SPDX-License-Identifier: Apache-2.0 */
/* labels.c - labels of one switch that the port makes one: `case CUSOLVER_STATUS_NOT_SUPPORTED:`
 * and `case CUSOLVER_STATUS_IRS_NOT_SUPPORTED:`, for which a target has one enumerator. The second
 * is for a human: which statements are meant for both nobody can tell. */
#include "cuda/cu.h"

enum { DEEP = 8 };

/* The branches that a token stands in: which #if, which branch of it. Deeper ones count as one. */
struct place {
    uint32_t depth, number[DEEP], branch[DEEP];
};

struct label {
    uint32_t open; /* the brace of its switch */
    struct place place;
    struct str becomes;
};

static void enter(struct place *p, const struct cu_directive *d, uint32_t number) {
    uint32_t top = p->depth - 1;
    if (d->kind == CD_IF) {
        if (p->depth < DEEP) p->number[p->depth] = number, p->branch[p->depth] = 0;
        p->depth++;
    } else if (p->depth && d->kind == CD_ENDIF) {
        p->depth--;
    } else if (p->depth && top < DEEP && (d->kind == CD_ELSE || d->kind == CD_ELIF)) {
        p->branch[top]++;
    }
}

/* Whether no build has both. */
static bool is_apart(const struct place *a, const struct place *b) {
    for (uint32_t i = 0; i < a->depth && i < b->depth && i < DEEP; i++) {
        if (a->number[i] != b->number[i]) return false;
        if (a->branch[i] != b->branch[i]) return true;
    }
    return false;
}

/* The match by which the word at token i becomes another; NULL: it stays. */
static struct cu_match *renamed(struct cu *f, uint32_t i, size_t *next) {
    while (*next < f->matches.n && f->matches.v[*next].first < i) ++*next;
    for (size_t k = *next; k < f->matches.n && f->matches.v[k].first == i; k++) {
        struct cu_match *m = &f->matches.v[k];
        bool applies = m->kind == CU_SYMBOL && m->cell && m->cell->to.n && m->last == i + 1;
        if (applies && (m->verdict == V_EXACT || m->verdict == V_SHIM)) return m;
    }
    return NULL;
}

/* The word of the label whose `case` stands at token i: case a::B: NO_NODE: a number, an
 * expression. */
static uint32_t word_of(const struct cu *f, uint32_t i) {
    uint32_t word = i + 1;
    while (cu_is_word(f, word) && cu_is(f, word + 1, "::")) word += 2;
    return cu_is_word(f, word) && cu_is(f, word + 1, ":") ? word : NO_NODE;
}

void cu_match_labels(struct cu *f) {
    VEC(uint32_t) open = {0};
    VEC(struct label) all = {0};
    struct row_ref row;
    struct place place = {0};
    size_t cursor = 0, next = 0;
    uint32_t directive = 0;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::same_label"), &cursor, &row)) return;
    for (uint32_t i = 0; i + 2 < f->tokens.n; i++) {
        const struct cu_token *t = &f->tokens.v[i];
        if (t->directive) {
            for (; directive < t->directive; directive++)
                enter(&place, &f->directives.v[directive], directive);
            continue;
        }
        while (open.n && f->tokens.v[open.v[open.n - 1]].partner <= i) open.n--;
        if (cu_is(f, i, "{") && t->partner != NO_NODE) vec_push(f->a, &open, i);
        uint32_t word = cu_is(f, i, "case") && open.n ? word_of(f, i) : NO_NODE;
        if (word == NO_NODE) continue;
        struct cu_match *m = renamed(f, word, &next);
        struct label label = {open.v[open.n - 1], place,
                              m ? rs_str(m->row.set, m->cell->to) : cu_text(f, word)};
        for (size_t k = all.n; m && k-- > 0 && all.v[k].open >= label.open;) {
            const struct label *before = &all.v[k];
            if (before->open != label.open || is_apart(&before->place, &place) ||
                !str_eq(before->becomes, label.becomes))
                continue;
            m->row = row;
            m->cell = row_cell(row, f->target);
            m->verdict = m->cell->verdict;
            m->message = (struct str){0};
            break;
        }
        vec_push(f->a, &all, label);
    }
}
