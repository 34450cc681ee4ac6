/* SPDX-License-Identifier: Apache-2.0 */
/* pasted.c - words that ## makes another name of: `cuda##name`, `CUBLAS_OP_##x`, and
 * `CAT(cuda, Malloc)`, where a macro of the file or its headers, or one that is called so, has
 * the ##. */
#include "cuda/cu.h"

/* The parenthesis that opens a macro's parameters, or NO_NODE. */
static uint32_t parameters_of(const struct cu *f, const struct cu_directive *d) {
    uint32_t open = d->first + 3;
    bool has = d->kind == CD_DEFINE && cu_is(f, open, "(") &&
               f->tokens.v[open].partner != NO_NODE &&
               f->tokens.v[open].start == f->tokens.v[open - 1].end;
    return has ? open : NO_NODE;
}

/* Whether the macro has a parameter of that name: its argument is what is pasted. */
static bool is_parameter(const struct cu *f, const struct cu_directive *d, struct str name) {
    uint32_t open = parameters_of(f, d);
    if (open == NO_NODE) return false;
    for (uint32_t t = open + 1; t < f->tokens.v[open].partner; t++)
        if (str_eq(cu_text(f, t), name)) return true;
    return false;
}

/* An argument of a macro: which one of which. */
struct place {
    struct str macro;
    uint32_t index;
};

/* Whether the word at token i is the whole of an argument. */
static bool is_argument(const struct cu *f, uint32_t i, struct place *out) {
    if (i < 2 || !(cu_is(f, i + 1, ",") || cu_is(f, i + 1, ")"))) return false;
    if (!cu_is(f, i - 1, ",") && !cu_is(f, i - 1, "(")) return false;
    out->index = 0;
    for (uint32_t t = i; t-- > 1;) {
        uint32_t partner = f->tokens.v[t].partner;
        if (cu_is(f, t, ",")) {
            out->index++;
        } else if (cu_is(f, t, "(") || cu_is(f, t, "{") || cu_is(f, t, "[")) {
            out->macro = cu_text(f, t - 1);
            return cu_is(f, t, "(") && cu_is_word(f, t - 1);
        } else if (partner != NO_NODE && partner < t) {
            t = partner;
        } else if (cu_is(f, t, ";")) {
            return false;
        }
    }
    return false;
}

/* Follows an argument into the text of one macro: true where ## stands beside it; else up to
 * `room` arguments of other macros that it becomes are added to `next`. */
static bool follow(const struct cu *f, const struct cu_directive *d, struct place p,
                   struct place *next, size_t *count, size_t room) {
    uint32_t open = parameters_of(f, d), index = 0;
    if (open == NO_NODE || !str_eq(cu_text(f, d->first + 2), p.macro)) return false;
    uint32_t close = f->tokens.v[open].partner, name = open + 1;
    for (; name < close && index < p.index; name++)
        if (cu_is(f, name, ",")) index++;
    if (name >= close || !cu_is_word(f, name)) return false;
    for (uint32_t t = close + 1; t < d->last; t++) {
        struct place inner;
        if (!str_eq(cu_text(f, t), cu_text(f, name))) continue;
        if (cu_is(f, t - 1, "##") || (t + 1 < d->last && cu_is(f, t + 1, "##"))) return true;
        if (*count < room && is_argument(f, t, &inner)) next[(*count)++] = inner;
    }
    return false;
}

/* Whether a macro of this text has ## beside the argument; *defined: whether the text has it. */
static bool is_pasted_in(const struct cu *f, struct place p, struct place *places, size_t *count,
                         size_t most, bool *defined) {
    for (size_t k = 0; k < f->directives.n; k++) {
        const struct cu_directive *d = &f->directives.v[k];
        if (d->kind != CD_DEFINE) continue;
        if (follow(f, d, p, places, count, most)) return true;
        *defined |= str_eq(cu_text(f, d->first + 2), p.macro);
    }
    return false;
}

bool cu_is_pasted_argument(struct cu *f, uint32_t i) {
    enum { MOST = 16 };
    struct place places[MOST];
    size_t count = 1;
    if (!is_argument(f, i, &places[0])) return false;
    for (size_t at = 0; at < count; at++) {
        bool defined = false;
        if (is_pasted_in(f, places[at], places, &count, MOST, &defined)) return true;
        if (!defined) cu_read_included(f); /* a macro of a header's */
        for (size_t n = 0; n < f->included.n && !defined; n++)
            if (is_pasted_in(f->included.v[n], places[at], places, &count, MOST, &defined))
                return true;
        if (!defined && rules_lists(f->rules, "cuda.joining_macros", places[at].macro))
            return true;
    }
    return false;
}

bool cu_is_pasted(const struct cu *f, uint32_t first, uint32_t last) {
    uint32_t directive = f->tokens.v[first].directive;
    if (!directive || first == 0) return false;
    const struct cu_directive *d = &f->directives.v[directive - 1];
    if (d->kind != CD_DEFINE) return false;
    bool glued = cu_is(f, first - 1, "##") || (last < d->last && cu_is(f, last, "##"));
    return glued && (last > first + 1 || !is_parameter(f, d, cu_text(f, first)));
}

/* Whether a name goes on behind such a start: cudaError, CUDA_R_16F, but no `current`. */
static bool goes_on(struct str word, size_t start) {
    return start == word.n || word.p[start - 1] == '_' ||
           (word.p[start] >= 'A' && word.p[start] <= 'Z');
}

bool cu_find_start(const struct cu *f, uint32_t i, struct row_ref *row) {
    struct str word = cu_text(f, i);
    size_t cursor = 0;
    while (rules_find(f->rules, M_TOKENS, word, &cursor, row)) {
        struct str key = rs_str(row->set, row->row->key);
        if (key.n == word.n + 3 && str_ends(key, S(" ##"))) return true;
    }
    return false;
}

bool cu_find_pasted(const struct cu *f, uint32_t i, struct row_ref *row) {
    struct str word = cu_text(f, i);
    for (size_t n = word.n; n > 1; n--) {
        struct str start = str_sub(word, 0, n);
        size_t cursor = 0;
        if (!goes_on(word, n)) continue;
        while (rules_find(f->rules, M_TOKENS, start, &cursor, row)) {
            struct str key = rs_str(row->set, row->row->key);
            if (key.n == n + 3 && str_starts(key, start) && str_ends(key, S(" ##"))) return true;
        }
    }
    return false;
}
