/* SPDX-License-Identifier: Apache-2.0 */
/* fixed.c - members of constant vectors where the compiler needs a number: int a[size.x], with
 * `constexpr int2 size = {4, 5}`.
 *
 * A target's vectors may keep their members in a union, whose inactive member is no constant: the
 * variable compiles, and its members are read at run time alone. A member of which the variable's
 * list has a number is that number there; others are told. */
#include "cuda/classes.h"

/* Whether something between the statement's start and token i asks for a constant. */
static bool wants_constant(const struct cu *f, uint32_t i) {
    for (uint32_t t = i; t-- > 0;) {
        uint32_t partner = f->tokens.v[t].partner;
        if (f->tokens.v[t].directive != f->tokens.v[i].directive) return false;
        if (cu_is(f, t, "constexpr") || cu_is(f, t, "static_assert") || cu_is(f, t, "case") ||
            cu_is(f, t, CU_LAUNCH_BOUNDS))
            return true;
        if (cu_is(f, t, "[")) /* T name[size.x] */
            return t > 1 && cu_is_word(f, t - 1) && cu_type_start(f, t - 1) < t - 1;
        if (cu_is(f, t, "<")) {
            uint32_t end = t > 0 && cu_is_word(f, t - 1) ? cu_template_end(f, t) : NO_NODE;
            if (end != NO_NODE && end > i) return true;
        }
        if (cu_is(f, t, ";") || cu_is(f, t, "{") || cu_is(f, t, "}")) return false;
        if (partner != NO_NODE && partner < t) t = partner;
    }
    return false;
}

/* What the list of the variable that is declared at token i gives its k-th member: none where that
 * is zero; false: it is no list, or gives it no number. */
static bool member_value(struct cu *f, uint32_t i, uint32_t k, struct cu_argument *value) {
    uint32_t open = i + (cu_is(f, i + 1, "=") ? 2 : 1);
    struct cu_call list = {0};
    if (!cu_is(f, open, "{") || f->tokens.v[open].partner == NO_NODE) return false;
    cu_split(f, open + 1, f->tokens.v[open].partner, &list);
    *value = (struct cu_argument){0, 0}; /* zero */
    if (k >= list.arguments.n) return list.arguments.n > 0 && !cu_is(f, open + 1, ".");
    *value = list.arguments.v[k];
    return value->last == value->first + 1 && f->tokens.v[value->first].kind == CU_NUMBER;
}

/* The declaration of the constant vector that token i means, or NO_NODE. */
static uint32_t declaration(struct cu *f, uint32_t i) {
    for (uint32_t p = i; (p = cu_same_before(f, p)) != NO_NODE;) {
        uint32_t start = cu_type_start(f, p), fixed = 0;
        if (start == p) continue;
        for (uint32_t t = start; t < p; t++) fixed |= cu_is(f, t, "constexpr");
        struct cu_shape shape = cu_shape_of(f, cu_span(f, start, p));
        bool vector =
            cu_is_vector(f, shape.type) && !shape.arrays && !str_is(shape.type, CU_EXTENT_TYPE);
        return fixed && vector ? p : NO_NODE;
    }
    return NO_NODE;
}

void cu_match_fixed(struct cu *f) {
    static const char *const names[] = {"x", "y", "z", "w"};
    struct cu_match m = {.kind = CU_SEQUENCE};
    bool any = false;
    for (uint32_t i = 0; i < f->tokens.n && !any; i++) any = cu_is(f, i, "constexpr");
    if (!any || !cu_find_row(f, "cm::constant_member($v..., $x...)", &m)) return;
    for (uint32_t i = 1; i + 2 < f->tokens.n; i++) {
        uint32_t k = 0, at;
        struct cu_argument value;
        if (!cu_is_word(f, i) || !cu_is(f, i + 1, ".") || cu_is(f, i - 1, ".")) continue;
        if (cu_is(f, i - 1, "(") && i > 1 && cu_is(f, i - 2, "decltype")) continue;
        while (k < ARRAY_LEN(names) && !cu_is(f, i + 2, names[k])) k++;
        if (k == ARRAY_LEN(names) || !wants_constant(f, i)) continue;
        if ((at = declaration(f, i)) == NO_NODE || cu_region_at(f, f->tokens.v[i].start)) continue;
        if (!member_value(f, at, k, &value)) {
            cu_report(f, "cm::constant_of_vector", i);
            continue;
        }
        m.first = i, m.last = i + 3;
        struct cu_match one = m;
        bool zero = value.first == value.last;
        if (zero && !cu_find_row(f, "cm::constant_zero($v...)", &one)) continue;
        struct cu_capture x = {S("x"), value.first, value.last}, v = {S("v"), i, i + 3};
        vec_push(f->a, &one.captures, v);
        if (!zero) vec_push(f->a, &one.captures, x);
        one.token = cu_span(f, i, i + 3);
        one.start = f->tokens.v[i].start;
        one.end = f->tokens.v[i + 2].end;
        one.directive = f->tokens.v[i].directive;
        one.certainty = C_EXACT;
        one.verdict = one.cell->verdict;
        vec_push(f->a, &f->matches, one);
    }
}
