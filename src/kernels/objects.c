/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c - the code that classes run without being called by name: constructors, destructors,
 * conversions, operators, and what members are initialised with.
 *
 * Where a region is a plain loop over the threads, functions see no thread's number in threadIdx.
 * Calls are looked into (effects.c); these functions are not called by any name, so they are asked
 * about as a whole: if any of the file and its headers may read threadIdx, every region has to set
 * it. Classes that other files hand to a template are not seen. */
#include "kernels/kernel.h"

static uint32_t partner(const struct cu *f, uint32_t i) { return f->tokens.v[i].partner; }

/* Behind the declaration that goes on at token i: its ; or the } of its body. */
static uint32_t end_of_declaration(const struct cu *f, uint32_t i) {
    for (; i < f->tokens.n && !cu_is(f, i, ";"); i++) {
        bool brackets = cu_is(f, i, "(") || cu_is(f, i, "[");
        if (brackets && partner(f, i) != NO_NODE) i = partner(f, i);
        if (!cu_is(f, i, "{") || partner(f, i) == NO_NODE) continue;
        i = partner(f, i);
        if (!cu_is(f, i + 1, ",") && !cu_is(f, i + 1, "{")) return i + 1; /* : a{1}, b{2} {} */
    }
    return i;
}

/* Whether a constructor or destructor of a class is defined at token i, or an operator that is not
 * called by its name. */
static bool is_implicit(struct cu *root, struct cu *f, uint32_t i) {
    if (cu_is(f, i, "operator")) return !(cu_is(f, i + 1, "(") && cu_is(f, i + 2, ")"));
    struct k_function d;
    if (!cu_is_word(f, i) || !cu_is(f, i + 1, "(") || !k_function_at(f, i, cu_text(f, i), &d))
        return false;
    return (i > 0 && cu_is(f, i - 1, "~")) || k_is_type(root, cu_text(f, i), false);
}

/* Whether the members' own values in the braces of a class may read a thread's number. */
static bool members_read_id(const struct kernel *k, struct cu *f, uint32_t open) {
    for (uint32_t i = open + 1; i < partner(f, open); i++) {
        bool body = cu_is(f, i, "{") &&
                    (cu_is(f, i - 1, ")") || cu_is(f, i - 1, "}") ||
                     str_listed(cu_text(f, i - 1), S("const noexcept override final")));
        if (body && partner(f, i) != NO_NODE) {
            i = partner(f, i);
            continue;
        }
        bool value = cu_is(f, i, "=") || (cu_is(f, i, "{") && cu_is_word(f, i - 1));
        if (!value) continue;
        uint32_t end = i;
        while (end < partner(f, open) && !cu_is(f, end, ";")) {
            bool opens = cu_is(f, end, "{") || cu_is(f, end, "(");
            end = opens && partner(f, end) != NO_NODE ? partner(f, end) + 1 : end + 1;
        }
        if (k_may_read_id(k, f, i, end)) return true;
        i = end;
    }
    return false;
}

static bool find(const struct kernel *k) {
    struct cu *f;
    for (size_t n = 0; (f = k_source(k->f, n)); n++)
        for (uint32_t i = 0; i < f->tokens.n; i++) {
            if (f->tokens.v[i].directive || !cu_is_word(f, i)) continue;
            if (is_implicit(k->f, f, i) && k_may_read_id(k, f, i + 1, end_of_declaration(f, i)))
                return true;
            if (!str_listed(cu_text(f, i), S("struct class union"))) continue;
            uint32_t open = i + 1;
            while (open < i + 40 && !str_listed(cu_text(f, open), S("{ ; ) = >"))) open++;
            if (cu_is(f, open, "{") && partner(f, open) != NO_NODE && members_read_id(k, f, open))
                return true;
        }
    return false;
}

bool k_objects_read_id(const struct kernel *k) {
    struct cu *root = k->f;
    if (root->objects) return root->objects - 1;
    root->objects = 2; /* of themselves: yes */
    bool reads = find(k);
    root->objects = (uint8_t)(reads + 1);
    return reads;
}

bool k_has_destructors(struct cu *root) {
    struct cu *f;
    for (size_t n = 0; (f = k_source(root, n)); n++)
        for (uint32_t i = 0; i + 2 < f->tokens.n; i++)
            if (cu_is(f, i, "~") && cu_is(f, i + 2, "(") &&
                k_is_type(root, cu_text(f, i + 1), false))
                return true;
    return false;
}
