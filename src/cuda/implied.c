/* SPDX-License-Identifier: Apache-2.0 */
/* implied.c - vectors that no word beside them names.
 *
 * `T v = {0}` where T is a template's parameter: for a vector CUDA's aggregate takes the zero for
 * its first member, a target's class has constructors, and {} is zero for all types.
 *
 * `auto [x, y] = f()` where a header says that f gives a vector: a class with a union in it is
 * taken apart only by what a header says of it. */
#include "cuda/cu.h"

/* Whether the file has a template with a parameter of that name above token i. */
static bool is_parameter(const struct cu *f, uint32_t i, struct str name) {
    for (uint32_t t = i; t-- > 2;)
        if (cu_is_word(f, t) && str_eq(cu_text(f, t), name) &&
            (cu_is(f, t - 1, "class") || cu_is(f, t - 1, "typename")) &&
            (cu_is(f, t + 1, ",") || cu_is(f, t + 1, ">") || cu_is(f, t + 1, "=")))
            return true;
    return false;
}

/* T v = {0} */
static void match_zeros(struct cu *f) {
    for (uint32_t i = 3; i + 3 < f->tokens.n; i++) {
        bool zero = cu_is(f, i, "{") && cu_is(f, i + 1, "0") && cu_is(f, i + 2, "}") &&
                    cu_is(f, i + 3, ";") && cu_is(f, i - 1, "=");
        if (!zero || !cu_is_word(f, i - 2) || !cu_is_word(f, i - 3)) continue;
        if (is_parameter(f, i, cu_text(f, i - 3)))
            cu_report_tokens(f, "cm::zero_of_parameter", i, i + 3);
    }
}

/* Whether a header declares a function of that name that gives a vector. */
static bool gives_vector(struct cu *f, struct str name) {
    cu_read_included(f);
    for (size_t n = 0; n < f->included.n; n++) {
        const struct cu *in = f->included.v[n];
        for (uint32_t i = 1; i + 1 < in->tokens.n; i++)
            if (cu_is_word(in, i) && cu_is(in, i + 1, "(") && str_eq(cu_text(in, i), name) &&
                !cu_is(in, i - 1, CU_EXTENT_TYPE) &&
                rules_lists(f->rules, "cuda.vector_types", cu_text(in, i - 1)))
                return true;
    }
    return false;
}

/* Whether a sequence of tokens that begins there was found: in files that name a vector. */
static bool is_found(const struct cu *f, uint32_t first) {
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].kind == CU_SEQUENCE && f->matches.v[i].first == first) return true;
    return false;
}

/* auto [x, y] = f() */
static void match_parts(struct cu *f) {
    for (uint32_t i = 2; i + 3 < f->tokens.n; i++) {
        uint32_t close = cu_is(f, i, "[") ? f->tokens.v[i].partner : NO_NODE, name = close + 2;
        if (close == NO_NODE || !cu_is(f, close + 1, "=")) continue;
        uint32_t before = cu_is(f, i - 1, "&") || cu_is(f, i - 1, "&&") ? i - 2 : i - 1;
        if (!cu_is(f, before, "auto") || is_found(f, before)) continue;
        while (cu_is(f, name + 1, "::")) name += 2;
        if (cu_is_word(f, name) && cu_is(f, name + 1, "(") && gives_vector(f, cu_text(f, name)))
            cu_report_tokens(f, "cm::parts_of_vector", before, before + 1);
    }
}

void cu_match_implied(struct cu *f) {
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::zero_of_parameter"), &cursor, &row)) return;
    const struct rcell *cell = row_cell(row, f->target);
    if (!cell || cell->verdict == V_SAME) return;
    match_zeros(f);
    match_parts(f);
}
