/* SPDX-License-Identifier: Apache-2.0 */
/* around.c - what else is said around a token: in its function, or in the whole file. */
#include "cuda/cu.h"

/* Whether the brace at `open` begins the body of a function. */
static bool is_body(const struct cu *f, uint32_t open) {
    static const char *const words[] = {"const", "noexcept", "override", "final"};
    enum { NEAR = 8 };
    if (open == 0) return false;
    if (cu_is(f, open - 1, ")")) return true;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (cu_is(f, open - 1, words[i])) return true;
    for (uint32_t p = open; p > 0 && open - p < NEAR; p--) {
        if (cu_is(f, p - 1, "->")) return true;
        if (!cu_is_word(f, p - 1) && !cu_is(f, p - 1, "::")) break;
    }
    return false;
}

/* From the body back to what ends the declaration before it. */
static uint32_t head_of(const struct cu *f, uint32_t open) {
    uint32_t p = open;
    while (p > 0 && !cu_is(f, p - 1, ";") && !cu_is(f, p - 1, "}") && !cu_is(f, p - 1, "{") &&
           !f->tokens.v[p - 1].directive)
        p--;
    return p;
}

static void find_functions(struct cu *f) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        const struct cu_token *t = &f->tokens.v[i];
        if (t->directive || t->partner == NO_NODE || !cu_is(f, i, "{") || !is_body(f, i)) continue;
        struct byte_range r = {head_of(f, i), t->partner + 1};
        vec_push(f->a, &f->functions, r);
        i = t->partner;
    }
    f->functions_known = true;
}

size_t cu_functions(struct cu *f, const struct byte_range **out) {
    if (!f->functions_known) find_functions(f);
    *out = f->functions.v;
    return f->functions.n;
}

/* Tokens up to the #endif of the conditional that directive `d` belongs to. */
static uint32_t end_of_conditional(const struct cu *f, uint32_t d) {
    int depth = 1;
    for (uint32_t k = d + 1; k < f->directives.n; k++) {
        depth += f->directives.v[k].kind == CD_IF;
        depth -= f->directives.v[k].kind == CD_ENDIF;
        if (depth == 0) return f->directives.v[k].last;
    }
    return (uint32_t)f->tokens.n;
}

static bool in_condition(const struct cu *f, uint32_t token) {
    uint32_t d = f->tokens.v[token].directive;
    return d && (f->directives.v[d - 1].kind == CD_IF || f->directives.v[d - 1].kind == CD_ELIF);
}

/* The function whose body a token stands in; empty: none. */
static struct byte_range function_around(struct cu *f, uint32_t token) {
    if (!f->functions_known) find_functions(f);
    for (size_t i = 0; i < f->functions.n; i++)
        if (f->functions.v[i].start <= token && token < f->functions.v[i].end)
            return f->functions.v[i];
    return (struct byte_range){0, 0};
}

/* The function, macro or conditional that a token belongs to; else its declaration. */
static struct byte_range surroundings(struct cu *f, uint32_t token) {
    uint32_t d = f->tokens.v[token].directive;
    if (d)
        return (struct byte_range){f->directives.v[d - 1].first,
                                   in_condition(f, token) ? end_of_conditional(f, d - 1)
                                                          : f->directives.v[d - 1].last};
    struct byte_range function = function_around(f, token);
    if (function.end) return function;
    uint32_t end = token;
    while (end < f->tokens.n && !cu_is(f, end, ";") && !f->tokens.v[end].directive) end++;
    return (struct byte_range){head_of(f, token), end};
}

bool cu_says(struct cu *f, uint32_t token, bool in_file, const void *owner, struct str pattern,
             cu_word_goes *goes) {
    struct byte_range r = {0, (uint32_t)f->tokens.n};
    bool conditional = !in_file && in_condition(f, token);
    if (!in_file) r = surroundings(f, token);
    for (size_t i = 0; i < f->said.n; i++)
        if (f->said.v[i].owner == owner && f->said.v[i].start == r.start) return f->said.v[i].yes;
    bool yes = false;
    for (uint32_t i = r.start; i < r.end && !yes; i++)
        yes = (cu_is_word(f, i) || f->tokens.v[i].kind == CU_HEADER ||
               f->tokens.v[i].kind == CU_NUMBER) &&
              !(conditional && in_condition(f, i)) &&
              regex_match(f->regex, owner, pattern, cu_text(f, i)) && !goes(f, i);
    struct cu_said said = {owner, r.start, yes};
    vec_push(f->a, &f->said, said);
    return yes;
}

struct str cu_function_head(struct cu *f, uint32_t token) {
    bool condition = in_condition(f, token);
    struct byte_range r = condition ? function_around(f, token) : surroundings(f, token);
    uint32_t open = r.start;
    if (f->tokens.v[token].directive && !condition) return (struct str){0};
    while (open < r.end && !cu_is(f, open, "{")) open++;
    return cu_span(f, r.start, open);
}
