/* SPDX-License-Identifier: Apache-2.0 */
/* uses.c - what a use of a variable does to it: read, write, or let it escape.
 *
 * A use is a read only if it is known to be one: an operand, a condition, an index, what is
 * copied, an argument by value. All else may write the variable, now or later through a reference
 * or a pointer: what is not understood costs speed, never a result. The place that the use names
 * is followed outwards, through members, elements, parentheses, commas and branches of ?:, up to
 * what is done with it.
 *
 * Variables of a class (K_OBJECT) may be changed by any operator, conversion or function of it. */
#include "kernels/kernel.h"

/* The place that is looked at, tokens [first, last). */
struct place {
    const struct kernel *k;
    const struct k_variable *v;
    uint32_t first, last;
    bool object; /* of a class: operators and conversions are its functions */
};

/* Whether some operator of the file may change the place when it is an operand. */
static bool is_changed_by_operators(const struct place *p) {
    return k_operators_change(p->k->f) & (p->object ? K_CHANGES_OBJECT : K_CHANGES_SCALAR);
}

/* Operators that read a scalar on either side of them. */
static bool is_operator(const struct cu *f, uint32_t i) {
    static const char *const marks[] = {"+", "-",  "/",  "%",  "^",  "|",  "!",  "~",  "<", ">",
                                        "*", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"};
    for (size_t n = 0; n < ARRAY_LEN(marks); n++)
        if (cu_is(f, i, marks[n])) return true;
    return false;
}

/* Whether a type stands in the parentheses that end at token i. */
static bool is_cast(struct cu *f, uint32_t i) {
    uint32_t open = cu_partner(f, i);
    if (open == NO_NODE || cu_is_word(f, open - 1)) return false;
    if (cu_is(f, i - 1, "*") || cu_is(f, i - 1, "&")) return true;
    struct str word = cu_text(f, i - 1);
    return rules_lists(f->rules, "cuda.scalar_types", word) ||
           rules_lists(f->rules, "cuda.vector_types", word) || k_is_type(f, word, true);
}

/* Whether the & or * at token i has no operand before it. */
static bool is_unary(struct cu *f, uint32_t i) {
    if (f->tokens.v[i].directive != f->tokens.v[i - 1].directive) return true;
    if (cu_is(f, i - 1, "return") || cu_is(f, i - 1, "case") || cu_is(f, i - 1, "else"))
        return true;
    if (cu_is(f, i - 1, ")")) return is_cast(f, i - 1);
    return !(cu_is_word(f, i - 1) || f->tokens.v[i - 1].kind == CU_NUMBER || cu_is(f, i - 1, "]"));
}

static bool has_reference(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++)
        if (cu_is(f, i, "&") || cu_is(f, i, "&&")) return true;
    return false;
}

/* The innermost bracket that holds token i and is not closed before it, from `limit` on. */
static uint32_t opener_of(const struct cu *f, uint32_t i, uint32_t limit) {
    for (uint32_t at = i; at-- > limit;) {
        bool closes = cu_is(f, at, ")") || cu_is(f, at, "]") || cu_is(f, at, "}");
        if (closes && cu_partner(f, at) != NO_NODE && cu_partner(f, at) > limit) {
            at = cu_partner(f, at);
            continue;
        }
        if (cu_is(f, at, "(") || cu_is(f, at, "[") || cu_is(f, at, "{")) return at;
    }
    return NO_NODE;
}

/* ---- through members and elements ---- */

enum step { ON, THROUGH, CALLED };

/* Extends the place by what stands behind it. THROUGH: a pointer's target is meant. */
static enum step postfix(struct place *p) {
    const struct cu *f = p->k->f;
    const struct k_variable *v = p->v;
    uint32_t elements = 0;
    for (uint32_t i = v->array_first; i < v->array_last; i = cu_partner(f, i) + 1) elements++;
    for (;;) {
        uint32_t at = p->last;
        if (cu_is(f, at, "[") && cu_partner(f, at) != NO_NODE) {
            if ((v->pointer || v->type.pointer) && !elements) return THROUGH;
            elements -= elements > 0;
            p->last = cu_partner(f, at) + 1;
        } else if (cu_is(f, at, ".") && cu_is_word(f, at + 1)) {
            p->last = at + 2;
            p->object = false;
            if (cu_is(f, at + 2, "(")) return CALLED;
        } else if (cu_is(f, at, "->") && cu_is_word(f, at + 1)) {
            return THROUGH;
        } else {
            return ON;
        }
    }
}

/* ---- arguments ---- */

/* The callee of the call whose ( is token `open`, or NO_NODE: the parentheses are no call's. */
static uint32_t callee_of(const struct cu *f, uint32_t open) {
    uint32_t i = open - 1;
    if (cu_is(f, i, ">")) {
        int depth = 0;
        for (; i > 0 && open - i < 200; i--) {
            depth += cu_is(f, i, ">");
            if (cu_is(f, i, "<") && --depth == 0) break;
            if (cu_is(f, i, ";") || cu_is(f, i, "{")) return NO_NODE;
        }
        if (i > 0) i--;
    }
    return cu_is_word(f, i) && !str_listed(cu_text(f, i), S("return case else do and or not"))
               ? i
               : NO_NODE;
}

/* A variable is an argument, as it is, of what stands before token `open`. */
static enum k_access as_argument(const struct place *p, uint32_t open, uint32_t callee) {
    const struct kernel *k = p->k;
    const struct cu *f = k->f;
    struct str name = cu_text(f, callee);
    if (str_listed(name, S("sizeof decltype alignof noexcept if while switch constexpr")))
        return is_changed_by_operators(p) ? K_ESCAPE : K_READ;
    if (str_listed(name, S("asm __asm__ volatile"))) return K_ESCAPE;
    if (str_listed(name, S("static_cast reinterpret_cast const_cast dynamic_cast")))
        return has_reference(f, callee + 1, open) ? K_ESCAPE : K_READ;
    for (uint32_t n = 0; n < k->v.n; n++) { /* T name(v) */
        const struct k_variable *made = &k->v.v[n];
        if (made->token != callee) continue;
        bool copied = made->pointer || made->type.kind != K_OBJECT || made->is_auto;
        return copied && !made->reference ? K_READ : K_ESCAPE;
    }
    bool cast = rules_lists(f->rules, "cuda.scalar_types", name) ||
                rules_lists(f->rules, "cuda.vector_types", name);
    if (cast || k_type_of(k->f, f, callee, callee + 1).kind == K_SCALAR) return K_READ;
    if (k_variable_at(k, callee) != NO_NODE) name = S("()");
    return k_keeps_arguments(k, name) ? K_READ : K_ESCAPE;
}

/* In braces: values of what is declared with them. */
static enum k_access in_braces(const struct place *p, uint32_t open) {
    const struct kernel *k = p->k;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct k_variable *made = &k->v.v[n];
        if (!made->init || open + 1 < made->init_first || open >= made->init_last) continue;
        bool copied = made->pointer || made->type.kind != K_OBJECT;
        return copied && !made->reference ? K_READ : K_ESCAPE;
    }
    struct str name = cu_text(k->f, open - 1);
    bool cast = rules_lists(k->f->rules, "cuda.scalar_types", name) ||
                rules_lists(k->f->rules, "cuda.vector_types", name);
    return cast ? K_READ : K_ESCAPE;
}

/* In a lambda's [...]: a copy, or a reference. */
static enum k_access in_captures(const struct place *p) {
    const struct cu *f = p->k->f;
    uint32_t i = p->first;
    while (!cu_is(f, i - 1, "[") && !cu_is(f, i - 1, ",")) i--;
    return has_reference(f, i, p->first) ? K_ESCAPE : K_READ;
}

/* ---- what is done with the place ---- */

/* The place gives something its value: a reference to it, or a copy. */
static enum k_access as_value(const struct place *p) {
    const struct kernel *k = p->k;
    const struct cu *f = k->f;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct k_variable *made = &k->v.v[n];
        if (made->init && p->first >= made->init_first && p->last <= made->init_last &&
            made->reference && !made->constant)
            return K_ESCAPE;
    }
    /* if (T &r = v; ...): what a head declares is no variable here */
    bool constant = false, reference = false;
    for (uint32_t i = p->first - 1; i-- > k->open;) {
        if ((cu_is(f, i, ")") || cu_is(f, i, "]")) && cu_partner(f, i) != NO_NODE)
            i = cu_partner(f, i);
        else if (str_listed(cu_text(f, i), S("( [ { } ; ,")))
            break;
        constant |= cu_is(f, i, "const");
        reference |= cu_is(f, i, "&") || cu_is(f, i, "&&");
    }
    return cu_is(f, p->first - 1, "=") && reference && !constant ? K_ESCAPE : K_READ;
}

static bool is_lambda_with_result(const struct kernel *k, uint32_t i) {
    for (uint32_t at = i; at-- > k->open;) {
        uint32_t length = k_lambda_length(k->f, at), body = at;
        if (!length || at + length <= i) continue;
        while (body < i && !cu_is(k->f, body, "{")) body++;
        for (uint32_t t = at; t < body; t++)
            if (cu_is(k->f, t, "->")) return true;
    }
    return false;
}

/* (type)v */
static enum k_access behind_cast(const struct place *p) {
    const struct cu *f = p->k->f;
    uint32_t open = cu_partner(f, p->first - 1);
    if (open == NO_NODE) return K_ESCAPE;
    bool control = cu_is_word(f, open - 1) &&
                   str_listed(cu_text(f, open - 1), S("if for while switch constexpr"));
    if (control) return cu_is(f, p->last, ";") ? K_READ : K_ESCAPE;
    return has_reference(f, open, p->first) ? K_ESCAPE : K_READ;
}

/* Whether statements stand in the braces, not values. */
static bool is_block(const struct cu *f, uint32_t open) {
    return str_listed(cu_text(f, open - 1), S(") ; { } else do mutable const noexcept try"));
}

/* One bracket further out, or what the place is there. */
static bool outwards(struct place *p, enum k_access *access) {
    const struct cu *f = p->k->f;
    uint32_t before = p->first - 1, open = opener_of(f, p->first, p->k->params_open);
    bool comma_before = cu_is(f, before, ","), comma = cu_is(f, p->last, ",");
    *access = K_READ;
    if (open == NO_NODE) *access = K_ESCAPE;
    if (open == NO_NODE) return false;
    if (cu_is(f, open, "[")) {
        if (k_lambda_length(f, open)) *access = in_captures(p);
        return false;
    }
    if (cu_is(f, open, "{")) {
        *access = is_block(f, open) ? as_value(p) : in_braces(p, open);
        return false;
    }
    uint32_t callee = callee_of(f, open), close = cu_partner(f, open);
    bool loop = cu_is(f, open - 1, "for");
    if (loop && cu_is(f, before, ":")) {
        *access = K_ESCAPE; /* for (auto &x : v) */
        return false;
    }
    if (loop) return false;
    if (callee != NO_NODE || f->tokens.v[open - 1].kind == CU_STRING) {
        *access = callee == NO_NODE ? K_ESCAPE : as_argument(p, open, callee);
        return false;
    }
    if (comma && !comma_before && close != NO_NODE) return false; /* (v, ...): nothing is done */
    if (comma || close == NO_NODE) return false;
    p->first = open, p->last = close + 1;
    return true;
}

/* What stands around the place tells what is done with it. False: it is in brackets. */
static bool decided(struct place *p, enum k_access *access) {
    struct cu *f = p->k->f;
    uint32_t before = p->first - 1;
    bool pointer = p->v->pointer || p->v->type.pointer;
    bool operand = is_changed_by_operators(p);
    bool array = p->v->array_first != p->v->array_last;
    bool target = cu_is(f, before, "*") && pointer && !array && is_unary(f, before);
    *access = target && !cu_is(f, p->last, "++") && !cu_is(f, p->last, "--") ? K_READ : K_WRITE;
    if (target || cu_assigns(f, p->last)) return true;
    if (cu_is(f, before, "++") || cu_is(f, before, "--")) return true;
    *access = K_ESCAPE;
    if (cu_is(f, before, "&") && is_unary(f, before)) return true;
    if (cu_is(f, before, "*") && is_unary(f, before)) return true; /* of an array, or an object */
    if (p->object && cu_is(f, p->last, "(")) return true;
    *access = operand ? K_ESCAPE : K_READ;
    if (cu_is(f, p->last, "?")) return true;
    bool branch = cu_is(f, before, "?") || (cu_is(f, before, ":") && !cu_is(f, p->last, ")")) ||
                  cu_is(f, p->last, ":");
    if (cu_is(f, before, "case")) return true;
    if (is_operator(f, before) || is_operator(f, p->last) || cu_is(f, p->last, "&") ||
        cu_is(f, before, "&"))
        return true;
    if (cu_is(f, before, ")")) {
        *access = behind_cast(p);
        return true;
    }
    if (cu_is(f, before, "return") || cu_is(f, before, "co_return")) {
        if (is_lambda_with_result(p->k, before)) *access = K_ESCAPE;
        return true;
    }
    if (str_listed(cu_text(f, before), S("sizeof delete else do throw and or not"))) return true;
    if (cu_assigns(f, before) && (cu_is(f, p->last, ";") || cu_is(f, p->last, ")") || //
                                  cu_is(f, p->last, ",") || cu_is(f, p->last, "]"))) {
        *access = as_value(p);
        uint32_t open = opener_of(f, p->first, p->k->params_open);
        if (open != NO_NODE && cu_is(f, open, "[") && k_lambda_length(f, open))
            *access = in_captures(p);
        return true;
    }
    if (branch) return false;
    *access = K_ESCAPE;
    return cu_is_word(f, before) && !cu_is(f, before, "constexpr") &&
           !f->tokens.v[before].directive;
}

/* Whether every function of that name that is known changes nothing of its object. */
static bool is_const_method(const struct kernel *k, struct str name) {
    struct k_function d = {0};
    bool any = false;
    struct cu *f;
    for (size_t n = 0; (f = k_source(k->f, n)); n++) {
        d.at = 0;
        while (k_function_in(f, name, &d)) {
            uint32_t close = cu_partner(f, d.params);
            if (!cu_is(f, close + 1, "const")) return false;
            any = true;
        }
    }
    return any;
}

enum k_access k_access_of(const struct kernel *k, uint32_t token, const struct k_variable *v) {
    const struct cu *f = k->f;
    struct place p = {k, v, token, token + 1, k_is_object(v)};
    enum k_access access;
    if (token == v->token) return K_READ;
    if (v->group) /* a cooperative group: handed around, and called */
        return cu_assigns(f, token + 1) ? K_WRITE : K_READ;
    enum step step = postfix(&p);
    if (step == THROUGH) return k_is_object(v) ? K_ESCAPE : K_READ;
    if (step == CALLED) return is_const_method(k, cu_text(f, p.last - 1)) ? K_READ : K_ESCAPE;
    if (p.last == token + 1 && cu_is(f, p.last, "(")) /* v(...) */
        return !k_is_object(v) || is_const_method(k, S("()")) ? K_READ : K_ESCAPE;
    while (!decided(&p, &access)) {
        if (!outwards(&p, &access)) break;
        step = postfix(&p);
        if (step != ON) return step == THROUGH ? K_READ : K_ESCAPE;
    }
    return access;
}

static uint32_t meant(const struct kernel *k, uint32_t token) {
    const struct cu *f = k->f;
    uint32_t found = NO_NODE;
    if (!cu_is_word(f, token) || f->tokens.v[token].directive) return NO_NODE;
    if (cu_is(f, token - 1, ".") || cu_is(f, token - 1, "->") || cu_is(f, token - 1, "::"))
        return NO_NODE;
    struct str name = cu_text(f, token);
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct k_variable *v = &k->v.v[n];
        if (token < v->scope_first || token >= v->scope_last || !str_eq(v->name, name)) continue;
        if (found == NO_NODE || v->scope_first >= k->v.v[found].scope_first) found = n;
    }
    return found;
}

bool k_writes(const struct kernel *k, uint32_t i, const struct k_variable *v) {
    return k_access_of(k, i, v) == K_WRITE;
}

/* Variables of one name in one block. */
static void find_twice(struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++)
        for (uint32_t m = 0; k->v.v[n].statement != NO_NODE && m < n; m++) {
            struct k_variable *a = &k->v.v[n], *b = &k->v.v[m];
            if (b->statement == NO_NODE || !str_eq(a->name, b->name)) continue;
            if (k->s.v[a->statement].parent == k->s.v[b->statement].parent)
                a->twice = b->twice = true;
        }
}

/* Whether a macro's text names a variable that is none of its parameters. */
static bool macro_names(struct cu *root, struct cu *f, const struct cu_directive *d,
                        struct str name) {
    uint32_t i = d->first + 3, body = i;
    bool call = cu_is(f, i, "(") && cu_partner(f, i) != NO_NODE &&
                f->tokens.v[i].start == f->tokens.v[i - 1].end;
    if (call) body = cu_partner(f, i) + 1;
    for (; i < body; i++)
        if (str_eq(cu_text(f, i), name)) return false;
    for (; i < d->last && !k_spend(root); i++)
        if (str_eq(cu_text(f, i), name) && !cu_is(f, i - 1, ".") && !cu_is(f, i - 1, "->"))
            return true;
    return false;
}

/* Uses of variables in the macros at token `at`, and in those that these hold. */
static void find_hidden(struct kernel *k, uint32_t at, struct str word, int depth) {
    for (struct k_macro m = {0}; depth < 4 && k_next_macro(k->f, word, &m);) {
        for (uint32_t n = 0; n < k->v.n; n++) {
            struct k_variable *v = &k->v.v[n];
            if (at < v->scope_first || at >= v->scope_last ||
                !macro_names(k->f, m.f, m.d, v->name))
                continue;
            struct k_use use = {at, n};
            vec_push(k->f->a, &k->hidden, use);
            v->passed |= !k_only_reads(k, m.f, m.d);
        }
        for (uint32_t i = m.d->first + 3; i < m.d->last && !k_spend(k->f); i++)
            if (cu_is_word(m.f, i)) find_hidden(k, at, cu_text(m.f, i), depth + 1);
    }
}

bool k_find_uses(struct kernel *k) {
    find_twice(k);
    for (uint32_t s = 0; s < k->s.n; s++) /* the heads of loops know their ends now */
        for (uint32_t n = 0; n < k->v.n; n++)
            if (k->v.v[n].statement == s && k->v.v[n].scope_last == NO_NODE)
                k->v.v[n].scope_last = k->s.v[k->s.v[s].parent].last;
    for (uint32_t i = k->open; i < k->close; i++) {
        struct k_use use = {i, meant(k, i)};
        if (use.variable != NO_NODE) vec_push(k->f->a, &k->uses, use);
    }
    for (uint32_t i = k->open; i < k->close; i++)
        if (cu_is_word(k->f, i)) find_hidden(k, i, cu_text(k->f, i), 0);
    for (size_t n = 0; n < k->uses.n; n++) {
        struct k_variable *v = &k->v.v[k->uses.v[n].variable];
        enum k_access access = k_access_of(k, k->uses.v[n].token, v);
        v->changed |= access == K_WRITE;
        v->passed |= access == K_ESCAPE;
    }
    return k->s.n > 0;
}
