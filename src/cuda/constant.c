/* SPDX-License-Identifier: Apache-2.0 */
/* constant.c - integer expressions whose value the file or a header of its tells: literals, sizes
 * of types, macros, constants, and how many threads a dim3 stands for. */
#include "cuda/cu.h"

struct reader {
    struct cu *f;
    const struct cu *text;    /* what is read: the file, or the condition of a rule ... */
    const struct cu_match *m; /* ... whose names are these captures */
    uint32_t i, end;
    int depth;
};

enum { DEEP = 24 };

static bool operand(struct reader *r, int64_t *out);
static bool expression(struct reader *r, int weakest, int64_t *out);

/* ---- names ---- */

static bool read_range(struct cu *f, uint32_t first, uint32_t last, int depth, int64_t *out) {
    struct reader r = {.f = f, .text = f, .i = first, .end = last, .depth = depth};
    return depth < DEEP && first < last && expression(&r, 0, out) && r.i == last;
}

/* The product of the arguments between the parentheses at `open`. */
static bool read_product(struct cu *f, uint32_t open, int depth, int64_t *out) {
    struct cu_call call = {0};
    if (f->tokens.v[open].partner == NO_NODE) return false;
    cu_split(f, open + 1, f->tokens.v[open].partner, &call);
    *out = 1;
    for (size_t k = 0; k < call.arguments.n; k++) {
        int64_t value;
        if (!read_range(f, call.arguments.v[k].first, call.arguments.v[k].last, depth, &value) ||
            __builtin_mul_overflow(*out, value, out))
            return false;
    }
    return call.arguments.n > 0;
}

/* Whether the declaration that the name at token i belongs to has that word; NULL: a type that
 * counts threads. */
static bool declared_as(const struct cu *f, uint32_t i, const char *word) {
    enum { FAR = 200 };
    for (uint32_t p = i, n = 0; p > 0 && n < FAR; p--, n++) {
        uint32_t t = p - 1, partner = f->tokens.v[t].partner;
        if (f->tokens.v[t].directive != f->tokens.v[i].directive) break;
        if (word ? cu_is(f, t, word) : cu_role(f, t) == ROLE_EXTENT) return true;
        if (partner != NO_NODE && partner < t)
            p = partner + 1; /* an initializer of a name before */
        else if (cu_is(f, t, ";") || cu_is(f, t, "{") || cu_is(f, t, "}") || cu_is(f, t, "("))
            break;
    }
    return false;
}

/* Token i defines the name: *first and *last are its value; *product: of a dim3's arguments. */
static bool defines(const struct cu *f, uint32_t i, uint32_t *first, uint32_t *last,
                    bool *product) {
    uint32_t directive = f->tokens.v[i].directive;
    *product = false;
    *last = i;
    if (directive) {
        const struct cu_directive *d = &f->directives.v[directive - 1];
        if (d->kind != CD_DEFINE || d->first + 2 != i) return false;
        *first = i + 1, *last = d->last;
        return true;
    }
    if (cu_is(f, i + 1, "(") && (cu_is_word(f, i - 1) || cu_is(f, i - 1, ",")) &&
        declared_as(f, i, NULL)) {
        *first = i + 1, *product = true;
        return true;
    }
    bool fixed = declared_as(f, i, "const") || declared_as(f, i, "constexpr");
    if (!cu_is(f, i + 1, "=") || !fixed) return false;
    *first = *last = i + 2;
    while (*last < f->tokens.n && !cu_is(f, *last, ";") && !cu_is(f, *last, ",")) {
        uint32_t partner = f->tokens.v[*last].partner;
        *last = partner != NO_NODE && partner > *last ? partner + 1 : *last + 1;
    }
    return true;
}

/* Assignments such as `n = 5` or `grid.y = 2` make a name that looks constant none. */
static bool changes(const struct cu *f, uint32_t i) {
    return cu_assigns(f, i + 1) || cu_is(f, i + 1, ".");
}

/* Where a name gets its value. */
struct definition {
    struct cu *in;
    uint32_t first, last;
    bool product;
};

/* Adds to *found the definitions of one text, of which *d becomes the last; false: an assignment
 * changes the name. */
static bool find_definition(struct cu *f, struct str name, struct definition *d, size_t *found) {
    for (uint32_t i = cu_first_word(f, name); i != NO_NODE; i = cu_next_word(f, i, name)) {
        struct definition now = {.in = f};
        if (i == 0) continue;
        if (defines(f, i, &now.first, &now.last, &now.product))
            *d = now, ++*found;
        else if (changes(f, i))
            return false;
    }
    return true;
}

/* kThreads or THREADS. */
static bool looks_constant(struct str name) {
    bool capitals = name.n > 2;
    for (size_t i = 0; i < name.n; i++) capitals &= name.p[i] < 'a' || name.p[i] > 'z';
    return capitals || (name.n > 2 && name.p[0] == 'k' && name.p[1] >= 'A' && name.p[1] <= 'Z');
}

static bool name_value(struct reader *r, struct str name, int64_t *out) {
    struct cu *f = r->f;
    for (size_t k = 0; r->m && k < r->m->captures.n; k++)
        if (str_eq(r->m->captures.v[k].name, name))
            return read_range(f, r->m->captures.v[k].first, r->m->captures.v[k].last, r->depth + 1,
                              out);
    size_t found = 0;
    struct definition d = {.in = f};
    if (!find_definition(f, name, &d, &found)) return false;
    if (!found && looks_constant(name)) { /* no parameter's name: a header may define it */
        cu_read_included(f);
        for (size_t n = 0; n < f->included.n; n++)
            if (!find_definition(f->included.v[n], name, &d, &found)) return false;
    }
    if (found != 1) return false;
    return d.product ? read_product(d.in, d.first, r->depth + 1, out)
                     : read_range(d.in, d.first, d.last, r->depth + 1, out);
}

static bool size_of(const struct cu *f, struct str type, int64_t *out) {
    static const struct {
        const char *list;
        int size;
    } sizes[] = {{"cuda.bytes_1", 1},
                 {"cuda.bytes_2", 2},
                 {"cuda.bytes_4", 4},
                 {"cuda.bytes_8", 8},
                 {"cuda.bytes_16", 16}};
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        if (rules_lists(f->rules, sizes[i].list, type)) return *out = sizes[i].size, true;
    return false;
}

/* ---- expressions ---- */

static bool only_words(const struct cu *t, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++)
        if (!cu_is_word(t, i) && !cu_is(t, i, "::")) return false;
    return first < last;
}

/* `(` at r->i: a cast, or an expression. */
static bool parenthesized(struct reader *r, int64_t *out) {
    uint32_t open = r->i, close = r->text->tokens.v[open].partner;
    if (close == NO_NODE || close >= r->end) return false;
    bool follows = close + 1 < r->end && (cu_is_word(r->text, close + 1) ||
                                          r->text->tokens.v[close + 1].kind == CU_NUMBER ||
                                          cu_is(r->text, close + 1, "("));
    if (follows && only_words(r->text, open + 1, close)) {
        r->i = close + 1;
        return operand(r, out);
    }
    struct reader inner = *r;
    inner.i = open + 1, inner.end = close, inner.depth++;
    r->i = close + 1;
    return inner.depth < DEEP && expression(&inner, 0, out) && inner.i == close;
}

static bool operand(struct reader *r, int64_t *out) {
    const struct cu *t = r->text;
    if (r->i >= r->end || ++r->depth > 4 * DEEP) return false;
    struct str text = cu_text(t, r->i);
    if (t->tokens.v[r->i].kind == CU_NUMBER) return r->i++, cu_integer(text, out);
    if (str_is(text, "(")) return parenthesized(r, out);
    if (str_is(text, "-") || str_is(text, "~") || str_is(text, "!") || str_is(text, "+")) {
        r->i++;
        if (!operand(r, out)) return false;
        *out = text.p[0] == '~' ? ~*out : text.p[0] == '!' ? !*out : *out;
        return text.p[0] != '-' || !__builtin_sub_overflow((int64_t)0, *out, out);
    }
    if (!cu_is_word(t, r->i)) return false;
    bool call = cu_is(t, r->i + 1, "(") && t->tokens.v[r->i + 1].partner != NO_NODE;
    if (call) {
        uint32_t open = r->i + 1, close = t->tokens.v[open].partner;
        r->i = close + 1;
        if (str_is(text, "sizeof")) return size_of(r->f, cu_span(t, open + 1, close), out);
        return t == r->f && cu_role(t, open - 1) == ROLE_EXTENT &&
               read_product(r->f, open, r->depth + 1, out);
    }
    r->i++;
    return name_value(r, text, out);
}

/* Reads what binds at least as strongly as `weakest`. */
static bool expression(struct reader *r, int weakest, int64_t *out) {
    if (!operand(r, out)) return false;
    for (;;) {
        uint32_t tokens, at = r->i;
        int strength = (int)cu_operator(r->text, at, r->end, &tokens);
        if (strength == CU_NO_OPERATOR || strength < weakest) return true;
        int64_t b;
        r->i += tokens;
        if (!expression(r, strength + 1, &b) ||
            !cu_compute(cu_span(r->text, at, at + tokens), *out, b, out))
            return false;
    }
}

bool cu_holds(struct cu *f, struct str condition, const struct cu_match *m) {
    struct cu text = {.a = f->a, .src = condition};
    cu_lex(&text);
    struct reader r = {.f = f, .text = &text, .m = m, .end = (uint32_t)text.tokens.n};
    int64_t value;
    return expression(&r, 0, &value) && r.i == r.end && value != 0;
}
