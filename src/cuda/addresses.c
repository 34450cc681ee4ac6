/* SPDX-License-Identifier: Apache-2.0 */
/* addresses.c - addresses on the device that are numbers in CUDA and pointers on the target.
 *
 * A target's fact, "address_types", lists CUDA's names of such types. What is added to a number is
 * bytes; to a void pointer clang adds nothing. So a sum becomes that of a pointer to bytes, which
 * the type takes, and what changes the variable itself is told. Members of objects, whose types
 * other files know, are not judged.
 *
 * So it is with the program's own void pointers, of which nvcc's host compiler adds bytes, too:
 * those that the same function declares. */
#include "cuda/cu.h"

static bool is_address_type(const struct cu *f, struct str type) {
    struct str types = target_fact(f->target, "address_types"), bare = type;
    if (str_starts(bare, S("const "))) bare = str_sub(bare, 6, bare.n);
    while (bare.n && strchr(" &", bare.p[bare.n - 1])) bare = str_sub(bare, 0, bare.n - 1);
    return bare.n && str_listed(bare, types);
}

/* Whether the - or + at token i has an operand before it. */
static bool is_binary(const struct cu *f, uint32_t i) {
    if (i == 0 || f->tokens.v[i].directive) return false;
    uint8_t kind = f->tokens.v[i - 1].kind;
    bool word = kind == CU_WORD && !cu_is(f, i - 1, "return") && !cu_is(f, i - 1, "case");
    return word || kind == CU_NUMBER || cu_is(f, i - 1, ")") || cu_is(f, i - 1, "]");
}

static bool is_sum(const struct cu *f, uint32_t i) { return cu_is(f, i, "+") || cu_is(f, i, "-"); }

/* Operators that make another number of one, and no pointer of a pointer. */
static bool is_other(const struct cu *f, uint32_t i) {
    if (cu_assigns(f, i)) return !cu_is(f, i, "=");
    if (str_listed(cu_text(f, i), S("% / ^ |"))) return true;
    return cu_is(f, i, "&") && (cu_is_word(f, i + 1) || f->tokens.v[i + 1].kind == CU_NUMBER);
}

/* Whether the function around token i declares its word as a pointer to void, and nothing nearer
 * declares it otherwise. */
static bool is_void_pointer(struct cu *f, uint32_t i) {
    const struct byte_range *bodies;
    size_t n = cu_functions(f, &bodies), k = 0;
    for (size_t high = n; k < high;) { /* the first that ends behind it: they are in order */
        size_t middle = k + (high - k) / 2;
        if (bodies[middle].end <= i)
            k = middle + 1;
        else
            high = middle;
    }
    if (k == n || bodies[k].start > i) return false;
    for (uint32_t t = cu_same_before(f, i); t != NO_NODE && t > bodies[k].start + 1;
         t = cu_same_before(f, t)) {
        uint32_t star = t - 1;
        while (star > bodies[k].start &&
               (cu_is(f, star, "const") || cu_is(f, star, "__restrict__")))
            star--;
        if (!cu_is(f, star, "*")) continue;
        bool is_void = cu_is(f, star - 1, "void") ||
                       (cu_is(f, star - 1, "const") && cu_is(f, star - 2, "void"));
        if (!is_void) continue;
        struct str type = cu_declared_type(f, i, cu_text(f, i));
        return str_find(type, S("void"), 0) < type.n;
    }
    return false;
}

static void match_void_pointers(struct cu *f) {
    for (uint32_t i = 2; f->cuda && i + 1 < f->tokens.n; i++) {
        bool step = cu_is(f, i + 1, "+=") || cu_is(f, i + 1, "-=") || cu_is(f, i + 1, "++");
        bool sum = is_sum(f, i + 1) || (is_sum(f, i - 1) && is_binary(f, i - 1));
        if (!cu_is_word(f, i) || (!sum && !step) || f->tokens.v[i].directive) continue;
        if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->") || cu_is(f, i - 1, "::")) continue;
        if (cu_is(f, i - 1, ")") || cu_is(f, i - 1, "*") || cu_is(f, i - 1, "&")) continue;
        if (cu_is(f, i + 1, "[") || cu_is(f, i + 1, "(")) continue;
        if (is_void_pointer(f, i)) cu_report(f, step ? "cm::void_step" : "cm::void_sum", i);
    }
}

void cu_match_addresses(struct cu *f) {
    struct str types = target_fact(f->target, "address_types");
    if (types.n) match_void_pointers(f);
    bool any = false;
    for (size_t i = 0; types.n && i < f->matches.n && !any; i++)
        any = str_listed(f->matches.v[i].token, types);
    for (uint32_t i = 1; any && i + 1 < f->tokens.n; i++) {
        bool other = is_other(f, i + 1) || cu_is(f, i - 1, "++") || cu_is(f, i - 1, "--");
        bool sum = is_sum(f, i + 1) || (is_sum(f, i - 1) && is_binary(f, i - 1));
        if (!cu_is_word(f, i) || (!sum && !other) || f->tokens.v[i].directive) continue;
        if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->") || cu_is(f, i - 1, "::")) continue;
        if (cu_is(f, i - 1, ")")) continue; /* (size_t)p + 1, or nobody knows */
        if (!is_address_type(f, cu_declared_type(f, i, cu_text(f, i)))) continue;
        cu_report(f, other ? "cm::address_step" : "cm::address_sum", i);
    }
}
