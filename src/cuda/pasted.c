/* SPDX-License-Identifier: Apache-2.0 */
/* pasted.c - words that ## makes another name of: `cuda##name`, `CUBLAS_OP_##x`. */
#include "cuda/cu.h"

/* Whether the macro has a parameter of that name: its argument is what is pasted. */
static bool is_parameter(const struct cu *f, const struct cu_directive *d, struct str name) {
    uint32_t open = d->first + 3;
    if (!cu_is(f, open, "(") || f->tokens.v[open].partner == NO_NODE ||
        f->tokens.v[open].start != f->tokens.v[open - 1].end)
        return false;
    for (uint32_t t = open + 1; t < f->tokens.v[open].partner; t++)
        if (str_eq(cu_text(f, t), name)) return true;
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
