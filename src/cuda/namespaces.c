/* SPDX-License-Identifier: Apache-2.0 */
/* namespaces.c - a program's namespace beside one of the target's of the same name.
 *
 * Behind `using namespace lib;` a program may call lib::detail just detail. Where the target's
 * headers have such a namespace for all to see (a fact, "global_namespaces"), that is ambiguous:
 * the program's is written with its own namespace before it ("cm::shadowed_namespace").
 *
 * Behind `using namespace std;` a type of the program's, `typedef double real;`, or a variable
 * outside of all functions, is ambiguous as well where the target's runtime header brings a header
 * of C++ along that CUDA's does not, and so std::real (a fact, "brought_names"): it is written
 * ::real. Functions are overloads. */
#include "cuda/cu.h"

/* The token behind a brace's namespace: of `namespace a::b {` it is a. NO_NODE: it is none. */
static uint32_t namespace_of(const struct cu *f, uint32_t brace) {
    uint32_t p = brace;
    while (p > 0 && (cu_is_word(f, p - 1) || cu_is(f, p - 1, "::"))) p--;
    for (; p < brace; p++)
        if (cu_is(f, p, "namespace")) return p + 1;
    return NO_NODE;
}

/* Whether one namespace stands in the braces of the other, at any depth. */
static bool has_inner(const struct cu *f, struct str outer, struct str inner) {
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        uint32_t end = f->tokens.v[i].partner;
        if (!cu_is(f, i, "{") || end == NO_NODE) continue;
        uint32_t name = namespace_of(f, i);
        if (name == NO_NODE || !str_eq(cu_text(f, name), outer)) continue;
        if (name + 3 == i && str_eq(cu_text(f, name + 2), inner)) return true;
        for (uint32_t k = i + 1; name + 1 == i && k + 1 < end; k++) {
            if (cu_is(f, k, "namespace") && cu_is(f, k + 2, "{") &&
                str_eq(cu_text(f, k + 1), inner))
                return true;
            bool deeper = cu_is(f, k, "{") && f->tokens.v[k].partner != NO_NODE;
            if (deeper) k = f->tokens.v[k].partner;
        }
    }
    return false;
}

/* Whether the token stands in no namespace, where unqualified names are looked for last. */
static bool is_outside(const struct cu *f, uint32_t i) {
    for (uint32_t k = 0; k < i; k++) {
        uint32_t end = f->tokens.v[k].partner;
        if (!cu_is(f, k, "{") || end == NO_NODE) continue;
        if (end > i && namespace_of(f, k) != NO_NODE) return false;
        if (end < i) k = end;
    }
    return true;
}

/* The name in `using namespace X;` above the token, whose X has such a namespace within. */
static uint32_t used_above(struct cu *f, uint32_t i, struct str name) {
    cu_read_included(f);
    for (uint32_t k = 0; k + 3 < i; k++) {
        if (!cu_is(f, k, "using") || !cu_is(f, k + 1, "namespace") || !cu_is(f, k + 3, ";"))
            continue;
        struct str outer = cu_text(f, k + 2);
        bool has = has_inner(f, outer, name);
        for (size_t n = 0; n < f->included.n && !has; n++)
            has = has_inner(f->included.v[n], outer, name);
        if (has) return k + 2;
    }
    return NO_NODE;
}

/* Whether a header that brings the target's namespaces along is included, here or by a header. */
static bool has_header(const struct cu *f) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind != CU_HEADER || text.n < 3) continue;
        struct str folder = str_sub(text, 1, str_find(text, S("/"), 0));
        if (rules_lists(f->rules, "cuda.template_libraries", folder)) return true;
    }
    return false;
}

void cu_match_namespaces(struct cu *f) {
    struct str shadows = target_fact(f->target, "global_namespaces");
    for (uint32_t i = 1; shadows.n && i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !cu_is(f, i + 1, "::") || cu_is(f, i - 1, "::")) continue;
        if (!str_listed(cu_text(f, i), shadows) || !is_outside(f, i)) continue;
        uint32_t space = used_above(f, i, cu_text(f, i));
        bool has = space != NO_NODE && has_header(f);
        for (size_t n = 0; space != NO_NODE && n < f->included.n && !has; n++)
            has = has_header(f->included.v[n]);
        if (!has) continue;
        size_t before = f->matches.n;
        cu_report(f, "cm::shadowed_namespace", i);
        if (f->matches.n == before) continue;
        struct cu_capture c = {S("."), space, space + 1};
        vec_push(f->a, &f->matches.v[before].captures, c);
    }
}

/* Whether the file includes that header of C++, or another one of that name. */
static bool includes_such(const struct cu *f, struct str header) {
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (f->tokens.v[i].kind == CU_HEADER &&
            str_find(cu_text(f, i), header, 0) < cu_text(f, i).n)
            return true;
    return false;
}

/* Whether the file says `using namespace std;` outside of all braces. */
static bool uses_std(const struct cu *f) {
    for (uint32_t i = 0; i + 3 < f->tokens.n; i++) {
        if (cu_is(f, i, "{") && f->tokens.v[i].partner != NO_NODE) i = f->tokens.v[i].partner;
        if (cu_is(f, i, "using") && cu_is(f, i + 1, "namespace") && cu_is(f, i + 2, "std"))
            return true;
    }
    return false;
}

/* Whether the token declares a type of its name: using name =, typedef T name;, struct name {. */
static bool declares_type(const struct cu *f, uint32_t i) {
    if (i == 0 || f->tokens.v[i].directive) return false;
    if (cu_is(f, i - 1, "using") && cu_is(f, i + 1, "=")) return true;
    if ((cu_is(f, i - 1, "struct") || cu_is(f, i - 1, "class")) && cu_is(f, i + 1, "{"))
        return true;
    if (!cu_is(f, i + 1, ";")) return false;
    while (i > 0 && !f->tokens.v[i - 1].directive &&
           (cu_is_word(f, i - 1) || cu_is(f, i - 1, "::")))
        i--;
    return cu_is(f, i, "typedef");
}

/* Whether the token declares a variable of its name, if it stands outside of all braces:
 * `__device__ double norm;`, `float *norm = 0, arg[4];` */
static bool declares_variable(const struct cu *f, uint32_t i) {
    static const char *const no_types[] = {"namespace", "using", "typedef", "goto",  "struct",
                                           "class",     "enum",  "union",   "return"};
    bool ends = cu_is(f, i + 1, ";") || cu_is(f, i + 1, "=") || cu_is(f, i + 1, "[") ||
                cu_is(f, i + 1, ",");
    if (i == 0 || !ends || f->tokens.v[i].directive || !cu_is_word(f, i)) return false;
    for (size_t k = 0; k < ARRAY_LEN(no_types); k++)
        if (cu_is(f, i - 1, no_types[k])) return false;
    if (cu_is(f, i - 1, "*") || cu_is(f, i - 1, "&")) return i > 1 && !cu_is(f, i - 2, "=");
    return (cu_is_word(f, i - 1) && !f->tokens.v[i - 1].directive) || cu_is(f, i - 1, ">") ||
           cu_is(f, i - 1, ",");
}

/* The token, from that one on, by which the file declares a type of that name, or a variable,
 * outside of all braces and parentheses; NO_NODE: it does not. */
static uint32_t declared_outside(const struct cu *f, uint32_t i, struct str name) {
    bool may = cu_may_have(f, name);
    for (; may && i + 1 < f->tokens.n; i++) {
        bool opens = cu_is(f, i, "{") || cu_is(f, i, "(");
        if (opens && f->tokens.v[i].partner != NO_NODE) i = f->tokens.v[i].partner;
        if (!str_eq(cu_text(f, i), name)) continue;
        if (declares_type(f, i) || declares_variable(f, i)) return i;
    }
    return NO_NODE;
}

/* Whether the token is the name of something else than the type: real of `float real;`. */
static bool declares_other(const struct cu *f, uint32_t i) {
    static const char *const ends[] = {";", "=", "[", ",", ")", "(", "{", ":"};
    static const char *const before[] = {"const",     "static",   "volatile", "inline", "extern",
                                         "return",    "else",     "case",     "new",    "operator",
                                         "constexpr", "typename", "register", "friend"};
    bool ended = false;
    for (size_t k = 0; k < ARRAY_LEN(ends); k++) ended |= cu_is(f, i + 1, ends[k]);
    if (ended && (cu_is(f, i - 1, "*") || cu_is(f, i - 1, "&"))) /* else the address of it */
        return i > 1 && (cu_is_word(f, i - 2) || cu_is(f, i - 2, "*") || cu_is(f, i - 2, ">"));
    if (!ended || cu_is(f, i - 1, ">")) return ended;
    if (!cu_is_word(f, i - 1) || cu_is_capitals(cu_text(f, i - 1))) return false;
    for (size_t k = 0; k < ARRAY_LEN(before); k++)
        if (cu_is(f, i - 1, before[k])) return false;
    return !str_starts(cu_text(f, i - 1), S("__"));
}

/* Writes ::name for the program's type, or reports it where the file has other things of its
 * name. */
static void qualify(struct cu *f, struct str name) {
    bool other = false;
    uint32_t own = declared_outside(f, 0, name); /* the next one that is not behind i */
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        if (own < i) own = declared_outside(f, i, name);
        if (!str_eq(cu_text(f, i), name) || !cu_is_word(f, i) || f->tokens.v[i].directive)
            continue;
        bool glued = cu_is(f, i - 1, ":") && f->tokens.v[i - 1].end == f->tokens.v[i].start;
        other |= glued || (i != own && !declares_type(f, i) && declares_other(f, i));
    }
    own = declared_outside(f, 0, name);
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        if (own < i) own = declared_outside(f, i, name);
        if (!str_eq(cu_text(f, i), name) || !cu_is_word(f, i) || f->tokens.v[i].directive)
            continue;
        if (cu_is(f, i - 1, "::") || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) continue;
        if (i == own || declares_type(f, i) || cu_is(f, i - 1, "typedef") ||
            cu_in_string(f, f->tokens.v[i].start))
            continue;
        if (other && declares_other(f, i)) continue;
        cu_report(f, other ? "cm::brought_name_of_more" : "cm::brought_name", i);
        if (other) return;
    }
}

/* Whether the target's compiler reads the file as device code. */
static bool is_for_device(const struct cu *f) {
    bool any = f->cuda;
    for (uint32_t i = 0; i < f->tokens.n && !any; i++)
        any = cu_is(f, i, CU_DEVICE_WORD) || cu_is(f, i, CU_KERNEL_WORD);
    return any;
}

void cu_match_brought(struct cu *f) {
    struct str names = target_fact(f->target, "brought_names");
    size_t end = str_find(names, S(" "), 0);
    struct str header = str_sub(names, 0, end);
    if (!names.n || !is_for_device(f)) return;
    for (size_t at = end + 1; at < names.n; at = end + 1) {
        end = str_find(names, S(" "), at);
        struct str name = str_sub(names, at, end);
        if (cu_first_word(f, name) == NO_NODE) continue;
        cu_read_included(f);
        bool own = declared_outside(f, 0, name) != NO_NODE;
        bool std = uses_std(f), there = includes_such(f, header);
        for (size_t n = 0; n < f->included.n; n++) {
            own |= declared_outside(f->included.v[n], 0, name) != NO_NODE;
            std |= uses_std(f->included.v[n]);
            there |= includes_such(f->included.v[n], header);
        }
        if (own && std && !there) qualify(f, name);
    }
}
