/* SPDX-License-Identifier: Apache-2.0 */
/* external.c - functions of the device, kernels among them, that another file defines. nvcc links
 * them with -rdc; a compiler for SYCL has them among its device code only where their declaration
 * says SYCL_EXTERNAL, which stands in the place of __device__ then. Functions that a header
 * defines need no such word, templates neither: they are in each file's own code. Where a source
 * file declares a function for itself, the one that defines it has to say the word, too: the tree
 * knows which (tree.c). */
#include "sycl/sycl.h"

/* The innermost brace that holds the token, + 1. */
static uint32_t walk_out(const struct cu *f, uint32_t token) {
    uint32_t open = token;
    while (open > 0 && !cu_is(f, open - 1, "{")) {
        open--;
        if (cu_is(f, open, "}") && f->tokens.v[open].partner != NO_NODE)
            open = f->tokens.v[open].partner;
    }
    return open;
}

/* The name of the class whose braces are the innermost around the token; empty: it is in none. */
static struct str class_around(const struct sycl *s, const struct cu *f, uint32_t token,
                               bool *template) {
    uint32_t open = f == s->f ? s->at[token].open : walk_out(f, token);
    struct str name = {0};
    for (uint32_t i = open; i-- > 0;) {
        if (cu_is(f, i, "template")) *template = true;
        if (str_listed(cu_text(f, i), S("class struct union"))) name = cu_text(f, i + 1);
        if (i > 0 && i < open - 1 && str_listed(cu_text(f, i - 1), S("; { }"))) break;
    }
    return name;
}

static struct str class_of(const struct sycl *s, const struct sy_function *one, bool *template) {
    const struct cu *f = one->f;
    for (uint32_t i = one->head; i < one->name; i++) *template |= cu_is(f, i, "template");
    if (one->name < 2 || !cu_is(f, one->name - 1, "::"))
        return class_around(s, f, one->head, template);
    return cu_text(f, one->name - 2);
}

bool sy_is_header(const struct sycl *s, const struct cu *f) {
    const struct cu_project *p = s->f->project;
    return cu_is_header(f->path) || (p && cu_next_includer(p, f->path, NULL));
}

/* Whether a body stands where each file that sees the declaration sees it, too: here, or in a
 * header. */
static bool is_seen(const struct sycl *s, const struct sy_function *one, struct str class) {
    const struct sy_function *other = sy_first_named(s, cu_text(one->f, one->name));
    for (; other; other = sy_next_named(s, other)) {
        bool template = false;
        if (other->body == NO_NODE || other->lambda) continue;
        if (!str_eq(class_of(s, other, &template), class)) continue;
        if (template || other->f == s->f || sy_is_header(s, other->f)) return true;
    }
    return false;
}

/* Whether it is a declaration of what has a body somewhere: no friend's, deleted or pure one. */
static bool is_declaration(const struct sycl *s, const struct sy_function *one) {
    const struct cu *f = one->f;
    if (f != s->f || one->body != NO_NODE || one->lambda || one->ported) return false;
    if (f->tokens.v[one->head].directive) return false;
    for (uint32_t i = one->head; i < one->name; i++)
        if (str_listed(cu_text(f, i), S("static inline constexpr friend template"))) return false;
    for (uint32_t i = one->close; i < f->tokens.n && !cu_is(f, i, "="); i++)
        if (cu_is(f, i, ";")) return true;
    return false;
}

/* Its first qualifier, or where it begins. */
static uint32_t place_of(const struct sycl *s, const struct sy_function *one) {
    for (uint32_t i = one->head; i < one->name; i++)
        if (rules_lists(s->f->rules, "sycl.removed", cu_text(s->f, i))) return i;
    return one->head;
}

bool sy_is_declared_alone(const struct sycl *s, const struct sy_function *one) {
    bool template = false;
    if (sy_is_header(s, s->f) || !is_declaration(s, one)) return false;
    struct str class = class_of(s, one, &template);
    return !class.n && !template && !is_seen(s, one, class);
}

/* Whether other files may link with the function: nothing says that it is this file's own. */
static bool is_linked(const struct sycl *s, const struct sy_function *one) {
    const struct cu *f = one->f;
    bool template = false;
    if (f != s->f || one->lambda || one->ported || f->tokens.v[one->head].directive) return false;
    for (uint32_t i = one->head; i < one->name; i++)
        if (str_listed(cu_text(f, i), S("static inline constexpr friend template"))) return false;
    for (uint32_t open = s->at[one->head].open; open; open = s->at[open - 1].open)
        if (open > 1 && cu_is(f, open - 2, "namespace")) return false; /* one without a name */
    return !class_of(s, one, &template).n && !template;
}

static bool tree_links(const struct sycl *s, const struct sy_function *one) {
    const struct cu_project *p = s->f->project;
    return s->part && sy_tree_links(p->tree, s->part, cu_text(one->f, one->name));
}

void sy_find_external(struct sycl *s) {
    bool header = sy_is_header(s, s->f);
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct sy_function *one = &s->functions.v[i];
        bool template = false, linked = !header && tree_links(s, one) && is_linked(s, one);
        if (linked) vec_push(s->f->a, &s->external, place_of(s, one));
        if (linked || !is_declaration(s, one)) continue;
        struct str class = class_of(s, one, &template);
        if (template || is_seen(s, one, class)) continue;
        uint32_t place = place_of(s, one);
        if (!header)
            sy_refuse(sy_match_at(s->f, place),
                      S("another file defines it: SYCL links the two where a header that both "
                        "include declares it"));
        else
            vec_push(s->f->a, &s->external, place);
    }
}

bool sy_write_external(struct sycl *s, uint32_t token) {
    struct cu *f = s->f;
    for (size_t i = 0; i < s->external.n; i++) {
        if (s->external.v[i] != token || sy_is_refused(s, token)) continue;
        uint32_t start = f->tokens.v[token].start;
        bool removed = rules_lists(f->rules, "sycl.removed", cu_text(f, token));
        if (removed)
            sy_edit(s, token, token + 1, S("SYCL_EXTERNAL"));
        else
            sy_push(s, start, start, S("SYCL_EXTERNAL "), UINT32_MAX);
        return removed;
    }
    return false;
}
