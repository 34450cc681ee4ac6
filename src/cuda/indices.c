/* SPDX-License-Identifier: Apache-2.0 */
/* indices.c - threadIdx and its likes as arguments and results.
 *
 * They are vectors in CUDA. A target may give them a type of its own that becomes a dim3 alone, so
 * that a uint3 parameter does not take them: where the file or a header of its says that the
 * parameter or the result is one, they are written as a uint3 ("cm::index_argument"). */
#include "cuda/cu.h"

/* Whether a parameter is of that type, itself or by reference to const. */
static bool is_of_type(const struct cu *f, struct cu_argument a, const char *type) {
    uint32_t i = a.first;
    while (i < a.last && cu_is(f, i, "const")) i++;
    if (i >= a.last || !cu_is(f, i, type)) return false;
    for (i++; i < a.last; i++)
        if (!cu_is(f, i, "const") && !cu_is(f, i, "&")) break;
    return i == a.last || cu_is_word(f, i) || cu_is(f, i, "=");
}

/* What a callable's parameter is in its declarations: whether some say uint3, and some dim3. */
struct found {
    bool uint3, dim3;
};

/* The declarations of a function, or of a constructor, in one text. */
static void find_in(struct cu *f, struct str name, uint32_t index, struct found *found) {
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        struct cu_call call;
        if (!cu_is_word(f, i) || !cu_is(f, i + 1, "(") || !str_eq(cu_text(f, i), name)) continue;
        if (!cu_read_call(f, i + 1, &call) || index >= call.arguments.n) continue;
        found->uint3 |= is_of_type(f, call.arguments.v[index], CU_INDEX_TYPE);
        found->dim3 |= is_of_type(f, call.arguments.v[index], CU_EXTENT_TYPE);
    }
}

/* The name that is called where token i is an argument, or the class of the variable that is made
 * there, and the argument's number; false: it is none. */
static bool callee_of(const struct cu *f, uint32_t i, struct str *name, uint32_t *index) {
    *index = 0;
    for (uint32_t t = i; t-- > 1;) {
        uint32_t partner = f->tokens.v[t].partner;
        if (cu_is(f, t, ",")) {
            ++*index;
        } else if (cu_is(f, t, "(")) {
            if (cu_is(f, t - 1, ">")) /* f<T>(threadIdx) */
                while (t > 1 && !cu_is(f, t, "<")) t--;
            if (!cu_is_word(f, t - 1)) return false;
            *name = cu_text(f, t - 1);
            bool typed = t > 1 && cu_is_word(f, t - 2) &&
                         !rules_lists(f->rules, "cuda.no_types", cu_text(f, t - 2));
            if (typed) *name = cu_text(f, t - 2); /* Type variable(threadIdx) */
            return true;
        } else if (partner != NO_NODE && partner < t) {
            t = partner;
        } else if (cu_is(f, t, ";") || cu_is(f, t, "{") || cu_is(f, t, "[")) {
            return false;
        }
    }
    return false;
}

/* Whether one of CUDA's vectors is the whole of an argument. */
static bool is_argument(const struct cu *f, uint32_t i) {
    return (cu_is(f, i + 1, ",") || cu_is(f, i + 1, ")")) &&
           (cu_is(f, i - 1, ",") || cu_is(f, i - 1, "("));
}

/* Whether it is what a function of uint3 returns. */
static bool is_returned(struct cu *f, uint32_t i) {
    if (!cu_is(f, i - 1, "return") || !cu_is(f, i + 1, ";")) return false;
    struct str head = cu_function_head(f, i);
    size_t open = str_find(head, S("("), 0);
    return str_find(str_sub(head, 0, open), S(CU_INDEX_TYPE " "), 0) < open;
}

/* Whether the call that it is an argument of takes a uint3 there. */
static bool is_taken(struct cu *f, uint32_t i) {
    struct found found = {0};
    struct str name;
    uint32_t index;
    if (!is_argument(f, i) || !callee_of(f, i, &name, &index)) return false;
    find_in(f, name, index, &found);
    cu_read_included(f);
    for (size_t k = 0; k < f->included.n; k++) find_in(f->included.v[k], name, index, &found);
    return found.uint3 && (!found.dim3 || str_ends(cu_text(f, i), S("Idx")));
}

void cu_match_indices(struct cu *f) {
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::index_argument"), &cursor, &row)) return;
    const struct rcell *cell = row_cell(row, f->target);
    if (!cell || cell->verdict == V_SAME) return;
    for (size_t n = 0; n < f->matches.n; n++) {
        struct cu_match *m = &f->matches.v[n];
        bool whole = m->kind == CU_SYMBOL && m->first > 0 && m->last == m->first + 1 &&
                     rules_lists(f->rules, "cuda.index_vectors", m->token);
        if (!whole || !(is_returned(f, m->first) || is_taken(f, m->first))) continue;
        m->row = row;
        m->cell = cell;
        m->verdict = cell->verdict;
        m->message = (struct str){0};
    }
}
