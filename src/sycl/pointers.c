/* SPDX-License-Identifier: Apache-2.0 */
/* pointers.c - kernels where they are values: kept in pointers, handed to functions, cast.
 *
 * A kernel in SYCL has the work-item among its parameters, and nothing on the host can call it. So
 * what stands for it there is cm::kernel<name>(): a pointer to a function with CUDA's parameters,
 * which launches the kernel. Types of pointers stay what they are. Which places these are is found
 * here; what is written for them is a rule's. */
#include "sycl/sycl.h"

#define BEFORE S("( , = { & return ? : == != )")
#define BEHIND S(", ) ; } : == !=")

/* The kernel of that name that is defined, or declared; *many: there are several that differ. */
static const struct sy_function *kernel_of(const struct sycl *s, struct str name, bool *many) {
    const struct sy_function *found = NULL;
    *many = false;
    for (const struct sy_function *one = sy_first_named(s, name); one;
         one = sy_next_named(s, one)) {
        if (!one->kernel || one->lambda) continue;
        bool differs = found && one->body != NO_NODE && found->body != NO_NODE &&
                       !str_eq(cu_span(one->f, one->open, one->close),
                               cu_span(found->f, found->open, found->close));
        *many |= differs;
        if (!found || one->body != NO_NODE) found = one;
    }
    return found;
}

static bool is_template(const struct sy_function *kernel) {
    for (uint32_t i = kernel->head; i < kernel->name; i++)
        if (cu_is(kernel->f, i, "template")) return true;
    return false;
}

/* (void *)name: the parenthesis at `close` ends a cast. */
static bool ends_cast(const struct cu *f, uint32_t close) {
    uint32_t open = cu_partner(f, close);
    return open != NO_NODE && open > 0 &&
           (!cu_is_word(f, open - 1) || cu_is(f, open - 1, "return"));
}

/* The word whose parentheses token i is in, as an argument; casts are looked through. NO_NODE:
 * there is none. */
static uint32_t callee_of(const struct cu *f, uint32_t i) {
    while (i-- > 1) {
        if (str_listed(cu_text(f, i), S("; { }"))) return NO_NODE;
        if (cu_is(f, i, ")") && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i);
        if (!cu_is(f, i, "(") || cu_partner(f, i) == NO_NODE || cu_partner(f, i) < i) continue;
        uint32_t name = i - 1;
        if (cu_is(f, name, ">"))
            while (name > 0 && !(cu_is(f, name, "<") && cu_template_end(f, name) == i - 1)) name--;
        if (name < i - 1 && name > 0) name--;
        if (cu_is_word(f, name) && !str_ends(cu_text(f, name), S("_cast"))) return name;
    }
    return NO_NODE;
}

/* Whether what is called may be a macro: then the name is no value yet. */
static bool may_be_macro(const struct sycl *s, struct str name) {
    bool small = false;
    for (size_t i = 0; i < name.n; i++) small |= name.p[i] >= 'a' && name.p[i] <= 'z';
    return !small || sy_defines(s, name);
}

/* Where the name at token i begins, with its qualifiers and an &. */
static uint32_t value_start(const struct cu *f, uint32_t i) {
    while (i > 1 && cu_is(f, i - 1, "::")) i -= 1 + (i > 2 && cu_is_word(f, i - 2));
    return i > 0 && cu_is(f, i - 1, "&") ? i - 1 : i;
}

/* What the rule's row is called for the kernel's name at token i; NULL: it is no value. */
static const char *key_of(struct sycl *s, uint32_t i, uint32_t *first, uint32_t *last) {
    struct cu *f = s->f;
    bool many;
    const struct sy_function *kernel = kernel_of(s, cu_text(f, i), &many);
    if (!kernel || sy_is_declared_at(s, i) || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"))
        return NULL;
    const struct sy_function *in = sy_function_at(s, i);
    if ((in && !in->host) || sy_is_shadowed_at(s, i, cu_text(f, i))) return NULL;
    uint32_t close = cu_is(f, i + 1, "<") ? cu_template_end(f, i + 1) : NO_NODE;
    *last = close == NO_NODE ? i + 1 : close + 1;
    *first = value_start(f, i);
    if (*first == 0 || *last >= f->tokens.n) return NULL;
    bool inside = cu_is(f, *first - 1, "<") && (cu_is(f, *last, ">") || cu_is(f, *last, ","));
    if (inside || (cu_is(f, *first - 1, ",") && cu_is(f, *last, ">")))
        return cu_is(f, i, "<<<") ? NULL : "argument";
    if (!str_listed(cu_text(f, *first - 1), BEFORE) || !str_listed(cu_text(f, *last), BEHIND))
        return NULL;
    if (cu_is(f, *first - 1, ")") && !ends_cast(f, *first - 1)) return NULL;
    uint32_t callee = callee_of(f, *first);
    if (callee != NO_NODE && (rules_lists(f->rules, "sycl.takes_kernels", cu_text(f, callee)) ||
                              may_be_macro(s, cu_text(f, callee))))
        return NULL;
    if (many || (is_template(kernel) && close == NO_NODE)) return "open";
    bool type = cu_is(f, *first - 2, "decltype") && cu_is(f, *last, ")") && !cu_is(f, *first, "&");
    return type ? "type" : "value";
}

void sycl_match_pointers(struct cu *f) {
    if (!f->target.sycl || f->options->lint) return;
    struct sycl *s = sy_functions(f);
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        uint32_t first, last;
        if (!cu_is_word(f, i) || f->tokens.v[i].directive) continue;
        if (cu_region_at(f, f->tokens.v[i].start) || cu_in_string(f, f->tokens.v[i].start))
            continue;
        const char *key = key_of(s, i, &first, &last);
        if (!key) continue;
        struct cu_match m = {.kind = CU_SEQUENCE, .first = first, .last = last};
        struct cu_capture name = {.name = S("kernel"), .first = first, .last = last};
        if (cu_is(f, first, "&")) name.first++;
        vec_push(f->a, &m.captures, name);
        size_t cursor = 0;
        while (rules_find(f->rules, M_LANES, str_of(key), &cursor, &m.row))
            if (cu_add_lanes(f, m)) break;
    }
}
