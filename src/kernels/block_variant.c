/* SPDX-License-Identifier: Apache-2.0 */
/* block_variant.c - device functions with barriers or operations of warps in them: a second form
 * that runs for all threads of a block at once, which kernels call where all of their threads
 * come. pocl and AdaptiveCpp's CBS inline such functions before they form regions; here the
 * source stays readable, so the function gets a variant of its own, cut like a kernel.
 *
 * The function stays as it is; the variant stands behind it, under #ifndef CUDA_MORPH_FIBERS. What
 * a call does is settled when it is compiled (CM_CALL of cpu/split.hpp): where there is no
 * variant, the function itself is called, in threads that become fibers. */
#include "kernels/kernel.h"

/* ---- what of a declaration is understood ---- */

/* Whether only namespaces and extern "C" stand around a token. */
static bool in_namespace(const struct cu *f, uint32_t token) {
    for (uint32_t i = 0; i < token; i++) {
        if (!cu_is(f, i, "{") || cu_partner(f, i) == NO_NODE) continue;
        if (cu_partner(f, i) < token) {
            i = cu_partner(f, i);
            continue;
        }
        uint32_t at = i;
        while (at > 0 && (cu_is_word(f, at - 1) || cu_is(f, at - 1, "::")) &&
               !cu_is(f, at - 1, "namespace"))
            at--;
        bool language = i > 1 && f->tokens.v[i - 1].kind == CU_STRING && cu_is(f, i - 2, "extern");
        if (!language && !(at > 0 && cu_is(f, at - 1, "namespace"))) return false;
    }
    return true;
}

/* The same of a macro behind `depth` others: one may name itself. */
static bool specifies(struct cu *f, struct str word, int depth) {
    enum { DEEPEST = 3 }; /* with 60 words in each: a fifth of a million */
    struct k_macro m = {0};
    if (rules_lists(f->rules, "cuda.function_specifiers", word)) return true;
    if (depth == DEEPEST || !k_next_macro(f, word, &m)) return false;
    for (uint32_t i = m.d->first + 3; i < m.d->last; i++)
        if (cu_is_word(m.f, i) && !specifies(f, cu_text(m.f, i), depth + 1) &&
            !str_listed(cu_text(m.f, i), S("__attribute__ __declspec")))
            return false;
    return m.d->last > m.d->first + 3;
}

/* Words before a function's type that say how it is compiled, or macros for them. */
static bool is_specifier(struct cu *f, struct str word) { return specifies(f, word, 0); }

/* The template's parameters and the type of what k returns. False: they are not understood. */
static bool read_head(struct kernel *k) {
    const struct cu *f = k->f;
    uint32_t i = k->name;
    while (i > 0 && !f->tokens.v[i - 1].directive && k->name - i < 120 &&
           !str_listed(cu_text(f, i - 1), S("; { }")))
        i--;
    k->head = i;
    if (cu_is(f, i, "template")) {
        uint32_t close = cu_is(f, i + 1, "<") ? cu_template_end(f, i + 1) : NO_NODE;
        if (close == NO_NODE || close == i + 2 || cu_is(f, close + 1, "template")) return false;
        k->template_first = i + 2, k->template_last = close;
        i = close + 1;
    }
    for (uint32_t t = k->template_first; t < k->template_last; t++)
        if (cu_is(f, t, "...") || f->tokens.v[t].directive) return false;
    bool device = false;
    for (; i < k->name; i++) {
        device |= cu_is(f, i, CU_DEVICE_WORD);
        bool attribute = cu_is(f, i, "__attribute__") || cu_is(f, i, CU_LAUNCH_BOUNDS);
        if (attribute && cu_is(f, i + 1, "("))
            i = cu_partner(f, i + 1);
        else if (!(cu_is_word(f, i) && is_specifier(k->f, cu_text(f, i))) &&
                 f->tokens.v[i].kind != CU_STRING)
            break;
    }
    k->result_first = i, k->result_last = k->name;
    while (k->result_last > i && is_specifier(k->f, cu_text(f, k->result_last - 1)))
        k->result_last--; /* void __device__ f() */
    for (uint32_t t = i; t < k->name; t++) {
        device |= cu_is(f, t, CU_DEVICE_WORD);
        if (str_listed(cu_text(f, t), S("& && auto [ ( decltype operator")) ||
            (t < k->result_last && is_specifier(k->f, cu_text(f, t))))
            return false;
    }
    k->returns = !(k->result_last == i + 1 && cu_is(f, i, "void"));
    return device && k->result_first < k->result_last && !cu_is(f, k->name - 1, "::") &&
           cu_is(f, k->params_close + 1, "{");
}

/* Whether all of its parameters have names and types that can be kept. */
static bool read_parameters(struct kernel *k) {
    const struct cu *f = k->f;
    struct cu_call list = {0};
    bool none = k->params_open + 1 == k->params_close ||
                (k->params_open + 2 == k->params_close && cu_is(f, k->params_open + 1, "void"));
    k_declare_parameters(k);
    if (none) k->v.n = 0;
    cu_split(f, k->params_open + 1, k->params_close, &list);
    if (!none && list.arguments.n != k->v.n) return false;
    for (uint32_t n = 0; n < k->v.n; n++) {
        struct cu_argument a = list.arguments.v[n];
        const struct k_variable *v = &k->v.v[n];
        uint32_t i = v->token + 1;
        if (v->token == a.first) return false; /* a type alone */
        for (uint32_t t = a.first; t < v->token; t++)
            if (str_listed(cu_text(f, t), S("&& ( ... [ auto register")) ||
                f->tokens.v[t].directive)
                return false;
        if (cu_is(f, i, "[") && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i) + 1;
        if (i != a.last && !cu_is(f, i, "=")) return false;
    }
    return true;
}

/* Reads the function whose name is token `name` of f. */
static bool read_function(struct cu *f, uint32_t name, uint32_t params, uint32_t open,
                          k_splitter *split, struct kernel *k) {
    *k = (struct kernel){.f = f,
                         .split = split,
                         .name = name,
                         .params_open = params,
                         .params_close = cu_partner(f, params),
                         .open = open,
                         .close = cu_partner(f, open),
                         .fallback = NO_NODE,
                         .function = true,
                         .no_interchange = true};
    if (name + 1 != params) return false; /* f<int>(...) */
    return in_namespace(f, name) && read_head(k) && read_parameters(k);
}

/* ---- what may be called ---- */

/* Whether the first that is done to what its threads share is a write: then it does not matter
 * that calls of the form in two places have two of them. */
static bool writes_first(const struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++) {
        if (k->v.v[n].class != K_SHARED || k->v.v[n].array_last == k->v.v[n].array_first + 2)
            continue;
        bool written = cu_is(k->f, k->v.v[n].type_last - 1, "TempStorage"); /* of CUB: scratch */
        for (size_t u = 0; u < k->uses.n && !written; u++) {
            if (k->uses.v[u].variable != n || k->uses.v[u].token == k->v.v[n].token) continue;
            uint32_t i = k->uses.v[u].token + 1;
            while (cu_is(k->f, i, "[") && cu_partner(k->f, i) != NO_NODE)
                i = cu_partner(k->f, i) + 1;
            if (!cu_is(k->f, i, "=")) return false;
            written = true;
        }
    }
    return true;
}

/* Whether a function's name is handed on somewhere: with a second form it would be overloaded. */
static bool is_value(struct cu *root, struct str name) {
    struct cu *in;
    for (size_t n = 0; (in = k_source(root, n)); n++)
        for (uint32_t i = 1; i + 1 < in->tokens.n; i++)
            if (cu_is_word(in, i) && str_eq(cu_text(in, i), name) && k_is_handed_on(in, i) &&
                !(cu_is(in, i + 1, ")") && cu_is(in, i + 2, "(")))
                return true;
    return false;
}

/* Whether one definition has a second form; an answer is remembered in its file. */
static bool has_variant(struct cu *f, const struct k_function *d, k_splitter *split, bool *waits) {
    struct kernel k;
    for (size_t n = 0; n < f->forms.n; n++)
        if (f->forms.v[n].name == d->name) {
            *waits |= f->forms.v[n].waits;
            return f->forms.v[n].good;
        }
    size_t at = f->forms.n;
    vec_push(f->a, &f->forms, ((struct cu_form){.name = d->name})); /* it calls itself: none */
    cu_read_included(f);
    if (!read_function(f, d->name, d->params, d->open, split, &k) || !split(&k) ||
        !writes_first(&k) || is_value(f, cu_text(f, d->name)))
        return false;
    bool barrier = false;
    for (uint32_t s = 0; s < k.s.n; s++)
        barrier |= k.s.v[s].barrier && !cu_is(f, k.s.v[s].start, CU_WARP_BARRIER);
    for (uint32_t n = 0; n < k.operands.n; n++) barrier |= k.operands.v[n].waits;
    f->forms.v[at].good = true;
    f->forms.v[at].waits = barrier;
    *waits |= barrier;
    return true;
}

/* A declaration of the function without its body. */
static bool is_prototype(const struct cu *f, uint32_t i) {
    uint32_t close = cu_is(f, i + 1, "(") ? cu_partner(f, i + 1) : NO_NODE;
    bool typed = i > 0 && (cu_is_word(f, i - 1) || cu_is(f, i - 1, "*") || cu_is(f, i - 1, ">"));
    return close != NO_NODE && typed && cu_is(f, close + 1, ";") &&
           !str_listed(cu_text(f, i - 1), S("return else do")) && in_namespace(f, i);
}

static bool has_prototype(struct cu *root, struct str name) {
    const struct cu *in;
    for (size_t n = 0; (in = k_source(root, n)); n++)
        for (uint32_t i = 0; i + 1 < in->tokens.n; i++)
            if (cu_is_word(in, i) && str_eq(cu_text(in, i), name) && is_prototype(in, i))
                return true;
    return false;
}

static bool is_ported(const struct cu *root, const struct cu *in) {
    for (size_t i = 0; root->project && i < root->project->files.n; i++)
        if (str_eq(root->project->files.v[i].path, in->path)) return true;
    return in == root;
}

/* Whether a definition can be meant by a call with that many arguments. */
static bool takes(const struct k_function *d, size_t given) {
    struct cu_call list = {0};
    uint32_t close = cu_partner(d->f, d->params);
    size_t least = 0;
    if (d->params + 1 == close) return given == 0;
    cu_split(d->f, d->params + 1, close, &list);
    for (size_t n = 0; n < list.arguments.n; n++) {
        bool optional = false;
        for (uint32_t t = list.arguments.v[n].first; t < list.arguments.v[n].last; t++)
            optional |= cu_is(d->f, t, "=") || cu_is(d->f, t, "...");
        least += !optional;
    }
    return given >= least && given <= list.arguments.n;
}

bool k_has_block_variant(struct kernel *k, uint32_t i, size_t given, bool *waits) {
    struct cu *f = k->f;
    struct str name = cu_text(f, i);
    struct k_function d = {0};
    size_t any = 0;
    *waits = false;
    if (rules_lists(f->rules, "cuda.nonblocking", name) || k_is_macro(f, name)) return false;
    while (k_next_function(f, name, &d)) {
        if (!takes(&d, given)) continue;
        if (d.far || !is_ported(f, d.f)) return false;
        if ((d.f != f || d.name > k->name) && has_prototype(f, name)) return false;
        if (d.f == f && d.name > k->name) continue; /* not seen there */
        if (!d.f->reader) d.f->reader = f->reader, d.f->project = f->project;
        if (!has_variant(d.f, &d, k->split, waits)) return false;
        any++;
    }
    return any > 0;
}

bool k_takes_pointer(struct kernel *k, uint32_t i, size_t number) {
    struct k_function d = {0};
    while (k_next_function(k->f, cu_text(k->f, i), &d)) {
        struct cu_call list = {0};
        cu_split(d.f, d.params + 1, cu_partner(d.f, d.params), &list);
        if (number >= list.arguments.n) continue;
        for (uint32_t t = list.arguments.v[number].first; t < list.arguments.v[number].last; t++)
            if (cu_is(d.f, t, "*") || cu_is(d.f, t, "[")) return true;
    }
    return false;
}

/* ---- the block variants of a file ---- */

/* Whether the file has a block variant of a function by that name: it is a port. */
static bool is_there(const struct cu *f, struct str name) {
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        if (!cu_is(f, i, "CM_FUNCTION")) continue;
        uint32_t at = i;
        while (at > 0 && !cu_is(f, at, "{")) at--;
        if (at > 1 && cu_is(f, at - 1, ")") && cu_partner(f, at - 1) != NO_NODE &&
            str_eq(cu_text(f, cu_partner(f, at - 1) - 1), name))
            return true;
    }
    return false;
}

void k_write_block_variants(struct cu *f, k_splitter *split, struct k_edits *edits) {
    const struct byte_range *r;
    size_t n = cu_functions(f, &r);
    for (size_t i = 0; i < n; i++) {
        bool device = false, waits = false;
        uint32_t name = NO_NODE;
        for (uint32_t t = r[i].start; t < r[i].end && !cu_is(f, t, "{"); t++) {
            device |= cu_is(f, t, CU_DEVICE_WORD);
            bool attribute = str_listed(cu_text(f, t), S("__attribute__ " CU_LAUNCH_BOUNDS));
            if (attribute && cu_is(f, t + 1, "(") && cu_partner(f, t + 1) != NO_NODE)
                t = cu_partner(f, t + 1);
            else if (cu_is_word(f, t) && cu_is(f, t + 1, "(") && name == NO_NODE)
                name = t;
        }
        if (!device || name == NO_NODE || cu_region_at(f, f->tokens.v[name].start)) continue;
        struct k_function d = {.f = f, .name = name, .params = name + 1};
        if (cu_partner(f, name + 1) == NO_NODE || cu_in_string(f, f->tokens.v[name].start))
            continue;
        d.open = cu_partner(f, name + 1) + 1;
        struct kernel k;
        if (!cu_is(f, d.open, "{") || !has_variant(f, &d, split, &waits)) continue;
        if (is_there(f, cu_text(f, name))) continue;
        if (read_function(f, name, d.params, d.open, split, &k) && split(&k))
            k_write_block_variant(&k, edits);
    }
}
