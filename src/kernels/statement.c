/* SPDX-License-Identifier: Apache-2.0 */
/* statement.c - the statements of a kernel's body, as an array in preorder. A reader of its own,
 * since no grammar expands macros; in the manner of chibicc's parse.c, but over the tokens that
 * are there. What it does not understand ends it with a reason: the kernel runs on fibers. */
#include "kernels/kernel.h"

enum { DEEP = 60 };

static uint32_t add(struct kernel *k, enum k_statement_kind kind, uint32_t first, uint32_t start,
                    uint32_t parent) {
    struct k_statement s = {.kind = (uint8_t)kind,
                            .first = first,
                            .last = start,
                            .start = start,
                            .parent = parent,
                            .next = NO_NODE,
                            .child = NO_NODE,
                            .other = NO_NODE,
                            .region = NO_NODE};
    vec_push(k->f->a, &k->s, s);
    return (uint32_t)k->s.n - 1;
}

static bool is_pragma(const struct cu *f, uint32_t i) {
    uint32_t number = f->tokens.v[i].directive;
    return number && cu_is(f, f->directives.v[number - 1].first + 1, "pragma");
}

/* Behind #pragmas. NO_NODE: other directives stand here. */
static uint32_t skip_pragmas(struct kernel *k, uint32_t i, uint32_t end) {
    const struct cu *f = k->f;
    while (i < end && f->tokens.v[i].directive) {
        const struct cu_directive *d = &f->directives.v[f->tokens.v[i].directive - 1];
        if (!cu_is(f, d->first + 1, "pragma"))
            return k_fail(k, i, "a preprocessor directive stands in the body"), NO_NODE;
        i = d->last;
    }
    return i;
}

/* The ; that ends a simple statement, or NO_NODE. */
static uint32_t semicolon(struct kernel *k, uint32_t i, uint32_t end) {
    const struct cu *f = k->f;
    uint32_t start = i;
    for (; i < end; i++) {
        if (f->tokens.v[i].directive)
            return k_fail(k, i, "a preprocessor directive stands in the body"), NO_NODE;
        if (cu_is(f, i, ";")) return i;
        bool macro = i > start + 1 && cu_is(f, i - 1, ")") && cu_is_word(f, i) &&
                     cu_partner(f, i - 1) == start + 1 && cu_is_word(f, start) &&
                     !cu_aligns(f, start);
        if (macro)
            return k_fail(k, start, "a macro without a semicolon stands in the body"), NO_NODE;
        bool opens = cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{");
        if (opens && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i);
    }
    return k_fail(k, start, "a statement has no end"), NO_NODE;
}

static uint32_t statement(struct kernel *k, uint32_t at, uint32_t end, uint32_t parent, int depth);

static bool is_type_statement(const struct cu *f, uint32_t i) {
    static const char *const words[] = {"using", "typedef", "static_assert", "struct",   "enum",
                                        "class", "union",   "template",      "namespace"};
    for (size_t n = 0; n < ARRAY_LEN(words); n++)
        if (cu_is(f, i, words[n])) return true;
    return false;
}

/* What follows the { } of the type that is defined at i, before `stop`; NO_NODE: none is. */
static uint32_t behind_type(const struct cu *f, uint32_t i, uint32_t stop) {
    if (!str_listed(cu_text(f, i), S("struct class union enum"))) return NO_NODE;
    for (; i < stop && !cu_is(f, i, "="); i++) {
        if (cu_is(f, i, "{")) return cu_partner(f, i) == NO_NODE ? NO_NODE : cu_partner(f, i) + 1;
        if ((cu_is(f, i, "(") || cu_is(f, i, "[")) && cu_partner(f, i) != NO_NODE)
            i = cu_partner(f, i);
    }
    return NO_NODE;
}

/* `struct T v`, not `struct T` or `enum T : int`. */
static bool names_variable(const struct cu *f, uint32_t i, uint32_t stop) {
    if (!str_listed(cu_text(f, i), S("struct class union enum"))) return false;
    i += cu_is(f, i + 1, "class") || cu_is(f, i + 1, "struct") ? 2 : 1;
    return i + 1 < stop && !cu_is(f, i + 1, ":");
}

static uint32_t simple(struct kernel *k, uint32_t first, uint32_t at, uint32_t end,
                       uint32_t parent) {
    const struct cu *f = k->f;
    uint32_t stop = semicolon(k, at, end);
    if (stop == NO_NODE) return NO_NODE;
    enum k_statement_kind kind = K_EXPRESSION;
    bool label = cu_is(f, at, "goto") || cu_is(f, at, "case") || cu_is(f, at, "default") ||
                 (cu_is_word(f, at) && cu_is(f, at + 1, ":"));
    if (label) return k_fail(k, at, "the kernel jumps (goto, a label)"), NO_NODE;
    if (cu_is(f, at, ";")) kind = K_EMPTY;
    if (cu_is(f, at, "return")) kind = K_RETURN;
    if (cu_is(f, at, "break")) kind = K_BREAK;
    if (cu_is(f, at, "continue")) kind = K_CONTINUE;
    uint32_t rest = behind_type(f, at, stop);
    if (rest != NO_NODE && rest < stop)
        return k_fail(k, at, "a type is declared with a variable of it"), NO_NODE;
    bool type = is_type_statement(f, at);
    if (type && (rest != NO_NODE || !names_variable(f, at, stop))) kind = K_TYPE;
    uint32_t s = add(k, kind, first, at, parent);
    k->s.v[s].last = stop + 1;
    if (kind == K_EXPRESSION && k_declare(k, at, stop, s)) k->s.v[s].kind = K_DECLARATION;
    return k->why ? NO_NODE : s;
}

/* A line of #if, #else, #endif, #define, #undef; NO_NODE: none begins at i. */
static uint32_t directive(struct kernel *k, uint32_t i, uint32_t parent) {
    const struct cu *f = k->f;
    if (!f->tokens.v[i].directive) return NO_NODE;
    const struct cu_directive *d = &f->directives.v[f->tokens.v[i].directive - 1];
    if (d->kind == CD_OTHER || d->kind == CD_INCLUDE || d->first != i) return NO_NODE;
    uint32_t s = add(k, K_DIRECTIVE, i, i, parent);
    k->s.v[s].last = d->last;
    return s;
}

/* { ... } */
static uint32_t block(struct kernel *k, uint32_t first, uint32_t at, uint32_t parent, int depth) {
    uint32_t close = cu_partner(k->f, at), s = add(k, K_BLOCK, first, at, parent),
             before = NO_NODE;
    if (close == NO_NODE) return k_fail(k, at, "a brace is not closed"), NO_NODE;
    k->s.v[s].open = at;
    k->s.v[s].close = close;
    k->s.v[s].last = close + 1;
    for (uint32_t i = at + 1; i < close;) {
        uint32_t child = directive(k, i, s);
        if (child == NO_NODE) child = statement(k, i, close, s, depth + 1);
        if (child == NO_NODE) return NO_NODE;
        if (before == NO_NODE)
            k->s.v[s].child = child;
        else
            k->s.v[before].next = child;
        before = child;
        i = k->s.v[child].last;
        if (i < close && is_pragma(k->f, i) && skip_pragmas(k, i, close) == close)
            return k_fail(k, i, "a preprocessor directive stands at the end of a block"), NO_NODE;
    }
    return s;
}

/* What the head of a `for` declares is a statement of its own, the loop's `other`. */
static void head_of_for(struct kernel *k, uint32_t s, uint32_t parent) {
    const struct cu *f = k->f;
    uint32_t i = k->s.v[s].open + 1;
    while (i < k->s.v[s].close && !cu_is(f, i, ";") && !cu_is(f, i, ":")) {
        bool opens = cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{");
        i = opens && cu_partner(f, i) != NO_NODE ? cu_partner(f, i) + 1 : i + 1;
    }
    uint32_t head = add(k, K_LOOP_HEAD, k->s.v[s].open + 1, k->s.v[s].open + 1, parent);
    k->s.v[head].last = i;
    k->s.v[s].other = head;
    k_declare(k, k->s.v[s].open + 1, i, head);
    if (cu_is(f, i, ":")) k->s.v[s].kind = K_OPAQUE;
}

static uint32_t control(struct kernel *k, uint32_t first, uint32_t at, uint32_t end,
                        uint32_t parent, int depth) {
    const struct cu *f = k->f;
    enum k_statement_kind kind = cu_is(f, at, "if")      ? K_IF
                                 : cu_is(f, at, "for")   ? K_FOR
                                 : cu_is(f, at, "while") ? K_WHILE
                                                         : K_OPAQUE;
    uint32_t s = add(k, kind, first, at, parent), open = at + 1;
    if (cu_is(f, open, "constexpr")) open++;
    if (!cu_is(f, open, "(") || cu_partner(f, open) == NO_NODE)
        return k_fail(k, at, "a statement is not understood"), NO_NODE;
    k->s.v[s].open = open;
    k->s.v[s].close = cu_partner(f, open);
    if (kind == K_FOR) head_of_for(k, s, s);
    if (kind == K_OPAQUE) { /* switch: looked at as a whole */
        uint32_t body = cu_partner(f, open) + 1;
        if (!cu_is(f, body, "{") || cu_partner(f, body) == NO_NODE)
            return k_fail(k, at, "a statement is not understood"), NO_NODE;
        k->s.v[s].last = cu_partner(f, body) + 1;
        return s;
    }
    uint32_t child = statement(k, k->s.v[s].close + 1, end, s, depth + 1);
    if (child == NO_NODE) return NO_NODE;
    k->s.v[s].child = child;
    k->s.v[s].last = k->s.v[child].last;
    if (kind != K_IF || !cu_is(f, k->s.v[s].last, "else")) return s;
    uint32_t other = statement(k, k->s.v[s].last + 1, end, s, depth + 1);
    if (other == NO_NODE) return NO_NODE;
    k->s.v[s].other = other;
    k->s.v[s].last = k->s.v[other].last;
    return s;
}

static uint32_t do_while(struct kernel *k, uint32_t first, uint32_t at, uint32_t end,
                         uint32_t parent, int depth) {
    const struct cu *f = k->f;
    uint32_t s = add(k, K_DO, first, at, parent);
    uint32_t child = statement(k, at + 1, end, s, depth + 1);
    if (child == NO_NODE) return NO_NODE;
    uint32_t i = k->s.v[child].last;
    if (!cu_is(f, i, "while") || !cu_is(f, i + 1, "(") || cu_partner(f, i + 1) == NO_NODE)
        return k_fail(k, at, "a statement is not understood"), NO_NODE;
    k->s.v[s].child = child;
    k->s.v[s].open = i + 1;
    k->s.v[s].close = cu_partner(f, i + 1);
    k->s.v[s].last = k->s.v[s].close + 2;
    return s;
}

static uint32_t statement(struct kernel *k, uint32_t at, uint32_t end, uint32_t parent,
                          int depth) {
    const struct cu *f = k->f;
    uint32_t first = at;
    at = skip_pragmas(k, at, end);
    if (at == NO_NODE) return NO_NODE;
    if (at >= end || depth > DEEP)
        return k_fail(k, first, "a statement is not understood"), NO_NODE;
    if (cu_is(f, at, "{")) return block(k, first, at, parent, depth);
    if (cu_is(f, at, "do")) return do_while(k, first, at, end, parent, depth);
    if (cu_is(f, at, "if") || cu_is(f, at, "for") || cu_is(f, at, "while") ||
        cu_is(f, at, "switch"))
        return control(k, first, at, end, parent, depth);
    return simple(k, first, at, end, parent);
}

static bool read_body(struct kernel *k) {
    k->s.n = k->v.n = 0;
    k_declare_parameters(k);
    return !k->why && block(k, k->open, k->open, NO_NODE, 0) != NO_NODE;
}

bool k_read_statements(struct kernel *k) {
    if (read_body(k)) return true;
    k->s.n = k->v.n = 0;
    k_declare_parameters(k);
    return true; /* the uses of its parameters matter all the same */
}

bool k_is_exit(const struct kernel *k, uint32_t s) {
    const struct k_statement *x = &k->s.v[s];
    if (x->kind != K_IF || x->other != NO_NODE) return false;
    uint32_t body = x->child;
    if (k->s.v[body].kind == K_BLOCK) body = k->s.v[body].child;
    return body != NO_NODE && k->s.v[body].kind == K_RETURN;
}
