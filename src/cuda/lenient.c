/* SPDX-License-Identifier: Apache-2.0 */
/* lenient.c - what nvcc lets pass and clang, which compiles for the target, does not.
 *
 * A macro that begins where a string ends, "%"PRIu64, extern "C"__global__: two words to nvcc, as
 * in C and to gcc; to clang one literal with a suffix of the user's, which nobody defines. In C++
 * only a suffix that begins with _ can be a program's own, and only those of the standard library
 * do without.
 *
 * `#pragma unroll` before what is no loop, which nvcc leaves out with a warning, also as
 * `_Pragma("unroll")` and behind a macro that is that alone.
 *
 * `x.template f()`, where no template arguments follow.
 *
 * `return;` in a function of the device's that returns a value. */
#include "cuda/cu.h"

/* Whether the file defines a literal operator of that suffix. */
static bool is_suffix(const struct cu *f, struct str word) {
    if (rules_lists(f->rules, "cuda.literal_suffixes", word)) return true;
    if (str_starts(word, S("__"))) return false;
    bool defined = false, macro = false;
    for (uint32_t i = 0; i + 2 < f->tokens.n; i++) {
        defined |= cu_is(f, i, "operator") && str_eq(cu_text(f, i + 2), word);
        macro |= cu_is(f, i, "define") && str_eq(cu_text(f, i + 1), word);
    }
    return defined || (word.p[0] == '_' && !macro); /* of a header that nobody has read */
}

/* Whether a source of CUDA's includes the header of that path, also by others. */
static bool is_in_source(const struct cu *f, struct str path) {
    enum { MOST = 24 };
    struct str seen[MOST] = {path};
    size_t n = 1;
    for (size_t k = 0; k < n && f->project; k++)
        for (const struct cu_inclusion *in = NULL;
             (in = cu_next_includer(f->project, seen[k], in));) {
            struct str by = f->project->files.v[in->file].path;
            if (str_ends(by, S(".cu"))) return true;
            if (n < MOST && !str_among(seen, n, by)) seen[n++] = by;
        }
    return false;
}

/* Whether nvcc's compiler reads the file. */
static bool has_device_code(const struct cu *f) {
    bool any = f->cuda;
    for (uint32_t i = 0; i < f->tokens.n && !any; i++)
        any = cu_is(f, i, CU_KERNEL_WORD) || cu_is(f, i, CU_DEVICE_WORD);
    return any || (cu_is_header(f->path) && is_in_source(f, f->path));
}

static void match_literals(struct cu *f) {
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        const struct cu_token *t = &f->tokens.v[i];
        bool apart = t->kind != CU_STRING || t->end != t[1].start || !cu_is_word(f, i + 1);
        if (!apart && !is_suffix(f, cu_text(f, i + 1))) cu_report(f, "cm::literal_suffix", i);
    }
}

/* Whether the file or a header of its defines that macro. */
static bool is_macro(struct cu *f, struct str word) {
    cu_read_included(f);
    for (size_t n = 0; n <= f->included.n; n++) {
        const struct cu *in = n ? f->included.v[n - 1] : f;
        for (size_t i = 0; i < in->directives.n; i++)
            if (in->directives.v[i].kind == CD_DEFINE &&
                str_eq(cu_text(in, in->directives.v[i].first + 2), word))
                return true;
    }
    return false;
}

/* Whether what begins at token i is certainly no loop, nor a macro that may be one. */
static bool is_no_loop(struct cu *f, uint32_t i) {
    if (i >= f->tokens.n || cu_is(f, i, "for") || cu_is(f, i, "while") || cu_is(f, i, "do"))
        return false;
    if (!cu_is_word(f, i)) return true;
    if (is_macro(f, cu_text(f, i))) return false;
    if (cu_is(f, i, "if") || cu_is(f, i, "switch") || !cu_is(f, i + 1, "("))
        return !cu_is(f, i + 1, "{");
    uint32_t close = f->tokens.v[i + 1].partner; /* f(x); */
    return close != NO_NODE && cu_is(f, close + 1, ";");
}

/* Whether the directive is `#pragma unroll`, with what stands behind it. */
static bool is_unroll(const struct cu *f, const struct cu_directive *d) {
    return cu_is(f, d->first + 1, "pragma") &&
           (cu_is(f, d->first + 2, "unroll") || cu_is(f, d->first + 2, "nounroll"));
}

static void match_unrolls(struct cu *f) {
    for (size_t k = 0; k < f->directives.n; k++) {
        const struct cu_directive *d = &f->directives.v[k], *next = d + 1;
        if (!is_unroll(f, d)) continue;
        bool follows = k + 1 < f->directives.n && next->first == d->last;
        bool twice = follows && is_unroll(f, next) &&
                     str_eq(cu_span(f, d->first, d->last), cu_span(f, next->first, next->last));
        if (twice || (!follows && is_no_loop(f, d->last)))
            cu_report_tokens(f, "cm::unroll_no_loop", d->first, d->last);
    }
}

/* The token behind `_Pragma("unroll")`, where one begins at that token; else 0. */
static uint32_t behind_pragma(const struct cu *f, uint32_t i) {
    if (!cu_is(f, i, "_Pragma") || !cu_is(f, i + 1, "(") || i + 3 >= f->tokens.n) return 0;
    struct str text = cu_text(f, i + 2);
    bool unroll = str_starts(text, S("\"unroll")) || str_starts(text, S("\"nounroll"));
    return unroll && cu_is(f, i + 3, ")") ? i + 4 : 0;
}

/* Whether the file or a header of its defines that macro, without parameters, as such a pragma. */
static bool is_unroll_macro(struct cu *f, struct str word) {
    cu_read_included(f);
    for (size_t n = 0; n <= f->included.n; n++) {
        const struct cu *in = n ? f->included.v[n - 1] : f;
        for (size_t i = 0; i < in->directives.n; i++) {
            const struct cu_directive *d = &in->directives.v[i];
            if (d->kind == CD_DEFINE && str_eq(cu_text(in, d->first + 2), word) &&
                behind_pragma(in, d->first + 3) == d->last)
                return true;
        }
    }
    return false;
}

/* Whether a word may be the name of such a macro: UNROLL, CUB_PRAGMA_UNROLL, loop_unroll. */
static bool sounds_like_unroll(struct str word) {
    return str_find(word, S("UNROLL"), 0) < word.n || str_find(word, S("unroll"), 0) < word.n;
}

static void match_pragmas(struct cu *f) {
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || f->tokens.v[i].directive) continue;
        uint32_t behind = behind_pragma(f, i);
        if (!behind && sounds_like_unroll(cu_text(f, i)) && is_unroll_macro(f, cu_text(f, i)))
            behind = i + 1;
        if (!behind || behind >= f->tokens.n || f->tokens.v[behind].directive) continue;
        if (is_no_loop(f, behind) && !behind_pragma(f, behind))
            cu_report_tokens(f, "cm::unroll_no_loop", i, behind);
    }
}

static void match_templates(struct cu *f) {
    for (uint32_t i = 1; i + 2 < f->tokens.n; i++)
        if (cu_is(f, i, "template") && cu_is_word(f, i + 1) && cu_is(f, i + 2, "(") &&
            (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->") || cu_is(f, i - 1, "::")) &&
            !cu_is(f, i + 1, "operator"))
            cu_report(f, "cm::template_of_none", i);
}

/* Whether the head [first, open) of a function says that it runs on the device alone and returns a
 * value, not a reference. */
static bool gives_value(const struct cu *f, uint32_t first, uint32_t open) {
    bool device = false, type = false;
    for (uint32_t i = first; i < open; i++) {
        if (cu_is(f, i, "(") && f->tokens.v[i].partner != NO_NODE &&
            rules_lists(f->rules, "cuda.attributes", cu_text(f, i - 1)))
            i = f->tokens.v[i].partner;
        else if (cu_is(f, i, "("))
            return device && type;
        if (cu_is(f, i, CU_HOST_WORD) || cu_is(f, i, "auto") || cu_is(f, i, "&")) return false;
        if (cu_is(f, i, "void") && !cu_is(f, i + 1, "*")) return false;
        device |= cu_is(f, i, CU_DEVICE_WORD);
        type |= cu_is_word(f, i) && !cu_is(f, i + 1, "(") && !cu_is(f, i + 1, "::") &&
                !str_starts(cu_text(f, i), S("__")) &&
                !rules_lists(f->rules, "cuda.no_types", cu_text(f, i));
    }
    return false;
}

/* Whether a lambda's body stands around token i, within the one that opens at `open`. */
static bool in_lambda(const struct cu *f, uint32_t open, uint32_t i) {
    for (uint32_t t = i; t-- > open + 1;) {
        uint32_t partner = f->tokens.v[t].partner, list;
        if (partner != NO_NODE && partner < t) {
            t = partner;
        } else if (cu_is(f, t, "{")) {
            list = cu_is(f, t - 1, ")") ? f->tokens.v[t - 1].partner : NO_NODE;
            if (cu_is(f, t - 1, "]") || cu_is(f, t - 1, "mutable")) return true;
            if (list != NO_NODE && list > 0 && !cu_is_word(f, list - 1)) return true;
            for (uint32_t k = 2; list == NO_NODE && k < 5 && k < t; k++)
                if (cu_is(f, t - k, "->")) return true;
        }
    }
    return false;
}

static void match_returns(struct cu *f) {
    const struct byte_range *bodies;
    size_t n = cu_functions(f, &bodies);
    for (size_t k = 0; k < n; k++) {
        uint32_t open = bodies[k].start, end = bodies[k].end;
        while (open < end && !cu_is(f, open, "{")) open++;
        if (open == end || !gives_value(f, bodies[k].start, open)) continue;
        for (uint32_t i = open; i + 1 < end; i++)
            if (cu_is(f, i, "return") && cu_is(f, i + 1, ";") && !in_lambda(f, open, i))
                cu_report(f, "cm::return_of_none", i);
    }
}

void cu_match_lenient(struct cu *f) {
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::literal_suffix"), &cursor, &row)) return;
    if (!row_cell(row, f->target) || !has_device_code(f)) return;
    match_literals(f);
    match_unrolls(f);
    match_pragmas(f);
    match_templates(f);
    match_returns(f);
}
