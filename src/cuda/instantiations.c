/* SPDX-License-Identifier: Apache-2.0 */
/* instantiations.c - explicit instantiations outside of their template's namespace.
 *
 *     using namespace box;
 *     template class item<float>;     becomes     template class box::item<float>;
 *
 * nvcc looks the template up as it does any name; clang, which compiles HIP, takes one without its
 * namespace for another template. The namespace is one that the file uses as a whole, in which a
 * header of its, or it itself, has the template. */
#include "cuda/cu.h"

/* The token behind `namespace a::b {`, whose braces are around token i, and whether all braces
 * around it are of namespaces; the names are written behind each other, `a::b`. */
static bool namespace_of(const struct cu *f, uint32_t i, struct buf *names) {
    for (uint32_t t = 0; t < i; t++) {
        uint32_t partner = f->tokens.v[t].partner;
        if (!cu_is(f, t, "{") || partner == NO_NODE) continue;
        if (partner < i) {
            t = partner;
            continue;
        }
        uint32_t name = t;
        while (name > 0 && (cu_is_word(f, name - 1) || cu_is(f, name - 1, "::")) &&
               !cu_is(f, name - 1, "namespace"))
            name--;
        if (name == 0 || !cu_is(f, name - 1, "namespace") || name == t) return false;
        struct str within = cu_span(f, name, t);
        buf_printf(names, "%s%.*s", names->n ? "::" : "", STR_ARG(within));
    }
    return true;
}

/* Whether a template of that name is declared in the namespace, in one file. */
static bool declares(struct cu *f, const struct cu *in, struct str name, struct str where) {
    for (uint32_t i = 1; i + 1 < in->tokens.n; i++) {
        if (!cu_is_word(in, i) || !str_eq(cu_text(in, i), name)) continue;
        uint32_t word = i - 1; /* class EXPORT item */
        while (word > 0 && cu_is_word(in, word) && !cu_is(in, word, "class") &&
               !cu_is(in, word, "struct"))
            word--;
        if (!cu_is(in, word, "class") && !cu_is(in, word, "struct")) continue;
        struct buf names;
        buf_init(&names, f->a);
        if (namespace_of(in, i, &names) && str_eq(buf_str(&names), where)) return true;
    }
    return false;
}

/* The name that `template class EXPORT item<float>;` at token i is of, or NO_NODE; one that says
 * its namespace is none, nor is a function's, which nvcc does not look up so. */
static uint32_t instantiated(const struct cu *f, uint32_t i) {
    uint32_t name = i + 2;
    if (!cu_is(f, i + 1, "class") && !cu_is(f, i + 1, "struct")) return NO_NODE;
    while (cu_is_word(f, name) && cu_is_word(f, name + 1)) name++;
    return cu_is_word(f, name) && cu_is(f, name + 1, "<") ? name : NO_NODE;
}

/* Whether nothing but braces of namespaces, or nothing, is around a token. */
static bool at_top(struct cu *f, uint32_t i) {
    struct buf names;
    buf_init(&names, f->a);
    return namespace_of(f, i, &names) && !names.n;
}

/* The names behind a `using namespace` before token i, at the top, that have the template. */
static bool find_used(struct cu *f, uint32_t i, struct str name, struct cu_capture *used) {
    bool found = false;
    cu_read_included(f);
    for (uint32_t t = 0; t + 3 < i; t++) {
        uint32_t end = t + 2;
        if (!cu_is(f, t, "using") || !cu_is(f, t + 1, "namespace") || !at_top(f, t)) continue;
        while (end < i && !cu_is(f, end, ";")) end++;
        struct str where = cu_span(f, t + 2, end);
        bool has = declares(f, f, name, where);
        for (size_t n = 0; n < f->included.n && !has; n++)
            has = declares(f, f->included.v[n], name, where);
        if (has && found && !str_eq(where, cu_span(f, used->first, used->last))) return false;
        if (has) *used = (struct cu_capture){S("n"), t + 2, end};
        found |= has;
    }
    return found;
}

void cu_match_instantiations(struct cu *f) {
    for (uint32_t i = 1; i + 3 < f->tokens.n; i++) {
        struct cu_match m = {.kind = CU_SEQUENCE};
        struct cu_capture used;
        bool starts =
            cu_is(f, i, "template") && !cu_is(f, i + 1, "<") &&
            (cu_is(f, i - 1, ";") || cu_is(f, i - 1, "}") || f->tokens.v[i - 1].directive);
        if (!starts || f->tokens.v[i].directive) continue;
        if (!cu_find_row(f, "cm::instantiation($n..., $x)", &m)) return;
        m.first = instantiated(f, i);
        if (m.first == NO_NODE || !at_top(f, i)) continue;
        if (!find_used(f, m.first, cu_text(f, m.first), &used)) continue;
        m.last = m.first + 1;
        vec_push(f->a, &m.captures, used);
        struct cu_capture name = {S("x"), m.first, m.last};
        vec_push(f->a, &m.captures, name);
        cu_add_found(f, m);
    }
}
