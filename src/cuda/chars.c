/* SPDX-License-Identifier: Apache-2.0 */
/* chars.c - addresses of the characters of a vector that is a member: &p->color.x.
 *
 * CUDA's char4 has signed chars, a target's may have chars. Of a variable the rules know the type
 * (cuda-types/vector-char-address); here it is that of a member, by the classes of the file and
 * its headers. Where the address goes is what the row's conditions ask. */
#include "cuda/classes.h"

static bool is_char_vector(struct cu *f, struct str type) {
    return str_starts(type, S("char")) && cu_is_vector(f, type);
}

/* Behind the subscripts at token i, which *n counts. */
static uint32_t behind_subscripts(const struct cu *f, uint32_t i, uint32_t *n) {
    for (*n = 0; cu_is(f, i, "[") && f->tokens.v[i].partner != NO_NODE; ++*n)
        i = f->tokens.v[i].partner + 1;
    return i;
}

/* Whether tokens [first, *last) are a character of a vector that is a member. */
static bool is_character(struct cu *f, uint32_t first, uint32_t *last) {
    uint32_t n, i = behind_subscripts(f, first + 1, &n), members = 0;
    bool points = cu_is(f, i, "->");
    struct cu_shape shape = cu_variable_shape(f, first, n + points);
    struct cu_class class;
    for (; cu_is(f, i, ".") || (points && cu_is(f, i, "->")); members++, points = false) {
        if (shape.arrays || !shape.type.n || !cu_is_word(f, i + 1)) return false;
        if (is_char_vector(f, shape.type)) {
            *last = i + 2;
            return members > 0;
        }
        if (!cu_resolve(f, &shape, &class)) return false;
        const struct cu_member *m = cu_member_of(&class, cu_text(f, i + 1));
        if (!m) return false;
        shape = m->type;
        i = behind_subscripts(f, i + 2, &n);
        if (n > shape.arrays) return false;
        shape.arrays -= n;
    }
    return false;
}

void cu_match_chars(struct cu *f) {
    for (uint32_t i = 1; i + 4 < f->tokens.n; i++) {
        struct cu_match m = {.kind = CU_SEQUENCE, .first = i};
        bool address = cu_is(f, i, "&") && cu_is_word(f, i + 1) && !f->tokens.v[i].directive &&
                       !cu_region_at(f, f->tokens.v[i].start);
        if (!address || !is_character(f, i + 1, &m.last)) continue;
        struct str type = cu_declared_type(f, i + 1, cu_text(f, i + 1));
        bool constant = str_find(type, S("const"), 0) < type.n;
        if (!cu_find_row(f, constant ? "cm::const_char_address($p...)" : "cm::char_address($p...)",
                         &m))
            return;
        struct cu_capture p = {S("p"), i + 1, m.last};
        vec_push(f->a, &m.captures, p);
        if (cu_conditions_hold(f, &m)) cu_add_found(f, m);
    }
}
