/* SPDX-License-Identifier: Apache-2.0 */
/* declare.c - names of rules that the user's own code declares: they are the user's, whatever CUDA
 * calls by that name. */
#include "cuda/cu.h"

static bool is_no_type(const struct cu *f, struct str word) {
    return rules_lists(f->rules, "cuda.no_types", word);
}

static bool is_elaborated(struct str word) {
    return str_is(word, "struct") || str_is(word, "class") || str_is(word, "union") ||
           str_is(word, "enum");
}

static bool ends_declarator(const struct cu *f, uint32_t i) {
    static const char *const marks[] = {"(", ";", "=", ",", ")", "[", "{"};
    for (size_t k = 0; k < ARRAY_LEN(marks); k++)
        if (cu_is(f, i, marks[k])) return true;
    return false;
}

static bool starts_statement(const struct cu *f, uint32_t i) {
    return cu_is(f, i, ";") || cu_is(f, i, "{") || cu_is(f, i, "}") || cu_is(f, i, ":") ||
           (cu_is_word(f, i) && f->tokens.v[i].directive);
}

static bool ends_type(const struct cu *f, uint32_t i) {
    return cu_is(f, i, "*") || cu_is(f, i, "&") || cu_is(f, i, ">") ||
           (cu_is_word(f, i) && !is_no_type(f, cu_text(f, i)));
}

/* `float *name;` at the start of a statement: as an expression it would make no sense. */
static bool is_pointer_declarator(const struct cu *f, uint32_t i) {
    uint32_t p = i;
    while (p > 0 && (cu_is(f, p - 1, "*") || cu_is(f, p - 1, "&") || cu_is(f, p - 1, "&&"))) p--;
    if (p > 1 && p < i && cu_is(f, p - 1, "(") && cu_is(f, i + 1, ")") && cu_is(f, i + 2, "("))
        return ends_type(f, p - 2); /* int (*name)(int) */
    if (p == i || p == 0 || !cu_is_word(f, p - 1) || is_no_type(f, cu_text(f, p - 1)))
        return false;
    while (p > 0 && (cu_is_word(f, p - 1) || cu_is(f, p - 1, "::"))) {
        if (str_is(cu_text(f, p - 1), "return")) return false;
        p--;
    }
    return p == 0 || starts_statement(f, p - 1) ||
           f->tokens.v[p - 1].directive != f->tokens.v[i].directive;
}

static bool ends_statement(const struct cu *f, uint32_t i) {
    return cu_is(f, i, ";") || cu_is(f, i, "{") || cu_is(f, i, "}");
}

/* `int a, *b, name;`: a further name of a declaration, whose statement begins with a type and a
 * declarator. */
static bool is_further_declarator(const struct cu *f, uint32_t i) {
    enum { FAR = 200 };
    uint32_t p = i, n = 0, directive = f->tokens.v[i].directive;
    while (p > 0 && (cu_is(f, p - 1, "*") || cu_is(f, p - 1, "&"))) p--;
    if (p == 0 || !cu_is(f, --p, ",") || directive) return false;
    for (; !ends_statement(f, p); p--) {
        uint32_t partner = f->tokens.v[p].partner;
        bool closes = cu_is(f, p, ")") || cu_is(f, p, "]");
        bool opens = cu_is(f, p, "(") || cu_is(f, p, "[") || cu_is(f, p, "<");
        if (p == 0 || n++ == FAR || opens || (closes && partner == NO_NODE)) return false;
        if (f->tokens.v[p].directive) { /* between two statements, not in the midst of one */
            uint32_t before = p;
            while (before > 0 && f->tokens.v[before].directive) before--;
            if (before > 0 && !ends_statement(f, before)) return false;
            break;
        }
        if (closes) p = partner;
    }
    do p++;
    while (cu_is(f, p, "static") || cu_is(f, p, "const") || cu_is(f, p, "extern"));
    uint32_t type = p;
    if (!cu_is_word(f, p) || is_no_type(f, cu_text(f, p))) return false;
    while (cu_is_word(f, p + 1) || cu_is(f, p + 1, "*") || cu_is(f, p + 1, "&") ||
           cu_is(f, p + 1, "::"))
        p++;
    bool declarator = cu_is(f, p + 1, ",") || cu_is(f, p + 1, "=") || cu_is(f, p + 1, "[");
    return declarator && p > type && cu_is_word(f, p) && !cu_is(f, p - 1, "::");
}

/* Inside the braces of an enum, where names are followed by `=` or `,`. */
static bool is_enumerator(const struct cu *f, uint32_t i, const uint32_t *enum_end) {
    return *enum_end > i && (cu_is(f, i - 1, "{") || cu_is(f, i - 1, ",")) &&
           (cu_is(f, i + 1, "=") || cu_is(f, i + 1, ",") || cu_is(f, i + 1, "}"));
}

/* `void __launch_bounds__(256) kernel(...)`: a specifier with an argument. */
static bool is_specifier(const struct cu *f, uint32_t i) {
    static const char *const after[] = {"const", "noexcept", "override", "final", "volatile"};
    if (!cu_is(f, i + 1, "(") || f->tokens.v[i + 1].partner == NO_NODE) return false;
    uint32_t next = f->tokens.v[i + 1].partner + 1;
    for (size_t k = 0; k < ARRAY_LEN(after); k++)
        if (cu_is(f, next, after[k])) return false;
    return cu_is_word(f, next);
}

static bool is_rule_name(const struct cu *f, uint32_t i) {
    return cu_is_word(f, i) && cu_is_rule_name(f->rules, cu_text(f, i));
}

/* Whether the file defines the class of the name at token i. */
static bool is_own_class(const struct cu *f, uint32_t i) {
    for (uint32_t k = 1; k + 1 < f->tokens.n; k++)
        if (cu_is(f, k + 1, "{") && is_elaborated(cu_text(f, k - 1)) &&
            str_eq(cu_text(f, k), cu_text(f, i)))
            return true;
    return false;
}

/* `typedef struct CUstream_st *cudaStream_t;` only says again what CUDA says. */
static bool repeats_cuda(const struct cu *f, uint32_t i) {
    enum { NEAR = 8 };
    bool other = false;
    for (uint32_t p = i, n = 0; p > 0 && n < NEAR; p--, n++) {
        if (cu_is(f, p - 1, "typedef")) return other;
        if (!cu_is_word(f, p - 1) && !cu_is(f, p - 1, "*")) return false;
        other |= is_rule_name(f, p - 1) && !is_own_class(f, p - 1);
    }
    return false;
}

/* `CHECK` on a line of its own before `cudaMemset(...)`, inside of braces: a macro that is a whole
 * statement, and no type. */
static bool is_statement_macro(const struct cu *f, uint32_t i) {
    struct str word = cu_text(f, i);
    for (size_t k = 0; k < word.n; k++)
        if (word.p[k] >= 'a' && word.p[k] <= 'z') return false;
    struct str between = str_sub(f->src, f->tokens.v[i].end, f->tokens.v[i + 1].start);
    return cu_is(f, i + 2, "(") && i > 0 && starts_statement(f, i - 1) &&
           str_find(between, S("\n"), 0) < between.n;
}

/* `inside`: braces are open there; `space`: those of a namespace, where a name of its own is used
 * with the namespace before it, which says whose it is. */
static bool declares(const struct cu *f, uint32_t i, bool inside, bool space,
                     const uint32_t *enum_end) {
    uint32_t directive = f->tokens.v[i].directive;
    if (directive && f->directives.v[directive - 1].kind == CD_DEFINE &&
        f->directives.v[directive - 1].first + 2 == i)
        return !cu_is_compilers_macro(f->rules, cu_text(f, i));
    if (i == 0) return false;
    if (is_enumerator(f, i, enum_end)) return true;
    if (!ends_declarator(f, i + 1) || is_specifier(f, i)) return false;
    if (!space && repeats_cuda(f, i)) return false;
    if (cu_is_word(f, i - 1)) {
        struct str before = cu_text(f, i - 1);
        if (f->tokens.v[i - 1].directive != directive) return false;
        if (directive && f->directives.v[directive - 1].first + 1 >= i - 1) return false;
        if (is_elaborated(before))
            return cu_is(f, i + 1, "{") || (cu_is(f, i + 1, ";") && is_own_class(f, i));
        if (inside && is_statement_macro(f, i - 1)) return false;
        /* `#define CALL cudaMalloc(...)`: what stands before is the macro's name */
        if (directive && f->directives.v[directive - 1].kind == CD_DEFINE &&
            f->directives.v[directive - 1].first + 2 == i - 1)
            return false;
        return !is_no_type(f, before);
    }
    if (cu_is(f, i - 1, "}")) { /* typedef struct { ... } name; */
        uint32_t open = f->tokens.v[i - 1].partner;
        if (open == NO_NODE || !cu_is(f, i + 1, ";")) return false;
        for (uint32_t p = open, n = 0; p > 0 && n < 6; p--, n++)
            if (is_elaborated(cu_text(f, p - 1))) return true;
        return false;
    }
    return is_pointer_declarator(f, i) || is_further_declarator(f, i);
}

/* `::name`, and no X::name. */
static bool is_global(const struct cu *f, uint32_t token) {
    return token > 0 && cu_is(f, token - 1, "::") &&
           (token < 2 || !(cu_is_word(f, token - 2) || cu_is(f, token - 2, ">")) ||
            is_no_type(f, cu_text(f, token - 2)));
}

/* Whether a declaration of the file's own covers that name at a token. */
static bool is_declared(const struct cu *f, uint32_t token, struct str name) {
    bool global = is_global(f, token), in_macro = f->tokens.v[token].directive != 0;
    for (size_t i = 0; i < f->declared.n; i++) {
        const struct cu_declared *d = &f->declared.v[i];
        bool behind = token >= d->first || (d->global && in_macro); /* a macro's text waits */
        if (behind && token <= d->last && (d->global || !global) && str_eq(d->name, name))
            return true;
    }
    return false;
}

bool cu_is_users(const struct cu *f, uint32_t first, uint32_t last, struct str name) {
    /* Of a chain its first name decides: a library's namespace is not the user's. */
    const struct sem_name *known =
        f->semantic ? sem_name_at(f->semantic, f->tokens.v[first].start) : NULL;
    if (known && known->origin != SEM_UNKNOWN) return known->origin == SEM_USER;
    return last == first + 1 && is_declared(f, first, name);
}

/* The braces of `extern "C"` and of an enum let their names out. */
static bool is_scope(const struct cu *f, uint32_t open, uint32_t enum_end) {
    if (f->tokens.v[open].partner == NO_NODE || f->tokens.v[open].partner == enum_end)
        return false;
    return open == 0 || f->tokens.v[open - 1].kind != CU_STRING;
}

/* Whether all that any target does with the name is to call it by another one. */
static bool is_renamed(const struct cu *f, struct str name) {
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, name, &cursor, &row)) return false;
    for (size_t s = 0; s < f->rules->n; s++) {
        struct ruleset set = f->rules->set[s];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (size_t i = 0; i < set.h->targets.n; i++) {
            const struct rcell *c =
                row_cell(row, (struct target_ref){.set = set, .target = &t[i]});
            if (c && (c->call.n || c->value.n || c->statement.n || c->cases.n || c->remove))
                return false;
        }
    }
    return true;
}

static bool is_namespace(const struct cu *f, uint32_t brace) {
    uint32_t p = brace;
    while (p > 0 && (cu_is_word(f, p - 1) || cu_is(f, p - 1, "::"))) p--;
    for (; p < brace; p++)
        if (cu_is(f, p, "namespace")) return true;
    return false;
}

/* `#ifndef X`, `#define X` around less than the file: says that CUDA's header need not come. */
static bool stands_for_header(const struct cu *f, uint32_t i) {
    uint32_t number = f->tokens.v[i].directive;
    if (number < 2) return false;
    const struct cu_directive *d = &f->directives.v[number - 1], *end = d;
    const struct cu_directive *last = f->directives.v + f->directives.n;
    if (d->kind != CD_DEFINE || d->last != i + 1) return false;
    if (d[-1].kind != CD_IF || !cu_is_guard(f, d - 1)) return false;
    for (int depth = 1; depth > 0 && ++end < last;)
        depth += (end->kind == CD_IF) - (end->kind == CD_ENDIF);
    if (end == last) return false;
    for (uint32_t t = end->last; t < f->tokens.n; t++)
        if (!f->tokens.v[t].directive) return true;
    return false;
}

/* `(dim3 *name, ...)`: a parameter that is a pointer or a reference. What else may stand so is a
 * product in a call's arguments, of which no factor is a type. */
static bool is_pointer_parameter(const struct cu *f, uint32_t i) {
    uint32_t p = i;
    if (!cu_is(f, i + 1, ",") && !cu_is(f, i + 1, ")")) return false;
    while (p > 0 && (cu_is(f, p - 1, "*") || cu_is(f, p - 1, "&"))) p--;
    if (p == i || p < 2 || !cu_is_word(f, p - 1)) return false;
    if (rules_lists(f->rules, "cuda.index_vectors", cu_text(f, p - 1))) return false;
    if (cu_is(f, p - 2, "const") || cu_is(f, p - 2, "struct")) return true;
    if (cu_is(f, i - 1, "&") && cu_is(f, i - 2, "*")) return true; /* T *&name */
    bool begins = cu_is(f, p - 2, "(") || cu_is(f, p - 2, ",");
    return begins && (rules_lists(f->rules, "cuda.scalar_types", cu_text(f, p - 1)) ||
                      is_rule_name(f, p - 1));
}

/* Where the declaration ends that a token is in: with its body, or with its semicolon. */
static uint32_t end_of_declaration(const struct cu *f, uint32_t i) {
    for (; i < f->tokens.n; i++) {
        uint32_t partner = f->tokens.v[i].partner;
        if (cu_is(f, i, ";") || cu_is(f, i, "}")) return i;
        if (cu_is(f, i, "(") && partner != NO_NODE) i = partner;
        if (!cu_is(f, i, "{")) continue;
        if (partner == NO_NODE) return i;
        i = partner;
        if (!cu_is(f, i + 1, ",") && !cu_is(f, i + 1, "{")) return i; /* : member{x} { body } */
    }
    return i;
}

/* Declares the name at token i, whose braces open at `scope` or nowhere. In a class it is seen
 * everywhere, else behind its declaration; a parameter, whose parentheses end at `list`, in its
 * function. One that only some builds declare is ported together with its uses where a name is all
 * that changes; else it is the user's in its branch. What a namespace has is used by other files
 * with its name before it: those stay, and so does it. */
static void add_declared(struct cu *f, uint32_t i, struct str name, uint32_t scope,
                         uint32_t list) {
    bool macro = f->tokens.v[i].directive != 0, global = scope == NO_NODE || macro;
    struct cu_declared d = {name, i, (uint32_t)f->tokens.n, global};
    if (!global) d.last = f->tokens.v[scope].partner;
    if (!macro && list != NO_NODE) {
        d.last = end_of_declaration(f, list);
        d.global = false;
        vec_push(f->a, &f->declared, d);
        return;
    }
    if (!global && !is_namespace(f, scope)) {
        d.first = scope;
        vec_push(f->a, &f->declared, d);
        return;
    }
    const struct cu_branch *branch = cu_optional_branch(f, i);
    bool renamed = (branch || stands_for_header(f, i)) && is_renamed(f, name);
    if (renamed && global) return;
    if (branch && !renamed) d.last = branch->last - 1;
    vec_push(f->a, &f->declared, d);
}

/* The name of the class whose body opens at that brace, or NO_NODE. */
static uint32_t class_of(const struct cu *f, uint32_t brace) {
    enum { FAR = 60 };
    for (uint32_t p = brace, n = 0; p > 0 && n < FAR; p--, n++) {
        if (cu_is(f, p - 1, ";") || cu_is(f, p - 1, "{") || cu_is(f, p - 1, "}")) break;
        if (!cu_is(f, p - 1, "struct") && !cu_is(f, p - 1, "class")) continue;
        for (uint32_t i = p; i < brace; i++)
            if (cu_is_word(f, i) && (i + 1 == brace || cu_is(f, i + 1, ":") ||
                                     cu_is(f, i + 1, "<") || cu_is(f, i + 1, "final")))
                return i;
        break;
    }
    return NO_NODE;
}

static void find_scopes(struct cu *f) {
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (cu_is(f, i, "::")) vec_push(f->a, &f->scopes, i);
    f->scopes_known = true;
}

void cu_declare_in_bodies(struct cu *f, struct str class, struct str name, uint32_t from) {
    if (!f->scopes_known) find_scopes(f);
    for (size_t n = 0; n < f->scopes.n; n++) {
        uint32_t i = f->scopes.v[n];
        if (i <= from || i + 2 >= f->tokens.n || !cu_is_word(f, i + 1)) continue;
        uint32_t owner = i - 1;
        if (cu_is(f, owner, ">")) /* X<T>::f */
            while (owner > from && !cu_is(f, owner + 1, "<")) owner--;
        if (!str_eq(cu_text(f, owner), class)) continue;
        uint32_t open = i + 2;
        if (!cu_is(f, open, "(") || f->tokens.v[open].partner == NO_NODE) continue;
        uint32_t body = f->tokens.v[open].partner + 1;
        while (body < f->tokens.n && !cu_is(f, body, "{") && !cu_is(f, body, ";")) body++;
        if (!cu_is(f, body, "{") || f->tokens.v[body].partner == NO_NODE) continue;
        struct cu_declared inside = {name, open, f->tokens.v[body].partner, false};
        vec_push(f->a, &f->declared, inside);
    }
}

/* template <int blockDim>: a parameter is the user's to the end of what is the template. */
static void declare_parameters(struct cu *f, uint32_t template) {
    uint32_t open = template + 1;
    uint32_t close = cu_is(f, open, "<") ? cu_template_end(f, open) : NO_NODE;
    if (close == NO_NODE) return;
    for (uint32_t i = open + 1; i < close; i++) {
        bool ends = cu_is(f, i + 1, ",") || cu_is(f, i + 1, "=") || cu_is(f, i + 1, ">");
        if (!ends || !is_rule_name(f, i) || !ends_type(f, i - 1)) continue;
        if (cu_is(f, i - 1, "=") || is_declared(f, i, cu_text(f, i))) continue;
        struct cu_declared d = {cu_text(f, i), i, end_of_declaration(f, close), false};
        vec_push(f->a, &f->declared, d);
    }
}

/* #define GO(blockDim): in the macro's text it is the parameter. */
static void declare_macros_parameters(struct cu *f, const struct cu_directive *d) {
    uint32_t open = d->first + 3;
    if (d->kind != CD_DEFINE || open >= d->last || !cu_is(f, open, "(") ||
        f->tokens.v[open].start != f->tokens.v[open - 1].end)
        return;
    for (uint32_t i = open + 1; i < d->last && !cu_is(f, i, ")"); i++) {
        struct cu_declared one = {cu_text(f, i), i, d->last - 1, false};
        if (is_rule_name(f, i)) vec_push(f->a, &f->declared, one);
    }
}

/* A name of `auto [a, b] = pair;`, `const auto &[a, b]`. */
static bool is_binding(const struct cu *f, uint32_t i) {
    while (i > 0 && (cu_is_word(f, i) || cu_is(f, i, ","))) i--;
    if (!cu_is(f, i, "[") || i == 0) return false;
    while (i > 1 && (cu_is(f, i - 1, "&") || cu_is(f, i - 1, "&&"))) i--;
    return cu_is(f, i - 1, "auto");
}

void cu_find_declared(struct cu *f) {
    uint32_t enum_end = 0, list = NO_NODE; /* the end of the parentheses around a token */
    VEC(uint32_t) scopes = {0};
    for (size_t i = 0; i < f->directives.n; i++) declare_macros_parameters(f, &f->directives.v[i]);
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        while (scopes.n && f->tokens.v[scopes.v[scopes.n - 1]].partner <= i) scopes.n--;
        if (cu_is(f, i, "{") && !f->tokens.v[i].directive && is_scope(f, i, enum_end))
            vec_push(f->a, &scopes, i);
        if (list != NO_NODE && i >= list) list = NO_NODE;
        if (cu_is(f, i, "{")) list = NO_NODE;
        if (cu_is(f, i, "(") && list == NO_NODE) list = f->tokens.v[i].partner;
        if (f->tokens.v[i].kind != CU_WORD) continue;
        struct str name = cu_text(f, i);
        if (str_is(name, "template")) declare_parameters(f, i);
        if (str_is(name, "enum")) {
            uint32_t open = i + 1;
            while (open < f->tokens.n && open < i + 8 && !cu_is(f, open, "{") &&
                   !cu_is(f, open, ";"))
                open++;
            if (cu_is(f, open, "{") && f->tokens.v[open].partner != NO_NODE)
                enum_end = f->tokens.v[open].partner;
            continue;
        }
        if (!is_rule_name(f, i) || is_declared(f, i, name)) continue;
        bool space = scopes.n && is_namespace(f, scopes.v[scopes.n - 1]);
        const struct cu_region *region = cu_region_at(f, f->tokens.v[i].start);
        if (region && !(space && region->kind == CR_OWN)) continue;
        bool inner = scopes.n && cu_is(f, i - 1, "namespace") && cu_is(f, i + 1, "{");
        if (inner || is_binding(f, i) || (list != NO_NODE && is_pointer_parameter(f, i)) ||
            declares(f, i, scopes.n > 0, space, &enum_end))
            add_declared(f, i, name, scopes.n ? scopes.v[scopes.n - 1] : NO_NODE, list);
    }
    for (size_t i = 0, n = f->declared.n; i < n; i++) {
        struct cu_declared d = f->declared.v[i];
        uint32_t class = d.last < f->tokens.n ? class_of(f, d.first) : NO_NODE;
        if (class != NO_NODE) cu_declare_in_bodies(f, cu_text(f, class), d.name, d.last);
    }
}

/* The words before the name, back to what ends the declaration before it. */
static struct str type_before(const struct cu *f, uint32_t name) {
    uint32_t p = name;
    while (p > 0) {
        uint32_t t = p - 1;
        bool part = f->tokens.v[t].kind == CU_WORD || cu_is(f, t, "::") || cu_is(f, t, "*") ||
                    cu_is(f, t, "&");
        if (!part || f->tokens.v[t].directive != f->tokens.v[name].directive) break;
        p--;
    }
    while (p < name && !cu_is_word(f, p)) p++; /* &x[0] declares nothing */
    return cu_span(f, p, name);
}

/* `typedef type name;` with the name at token i, or `using name = type;`. */
static struct str alias_at(const struct cu *f, uint32_t i) {
    uint32_t other = i;
    if (cu_is(f, i - 1, "using") && cu_is(f, i + 1, "=")) {
        while (other < f->tokens.n && !cu_is(f, other, ";")) other++;
        return cu_span(f, i + 2, other);
    }
    while (other > 0 && (cu_is_word(f, other - 1) || cu_is(f, other - 1, "::"))) {
        other--;
        if (cu_is(f, other, "typedef") && cu_is(f, i + 1, ";")) return cu_span(f, other + 1, i);
    }
    return (struct str){0};
}

static void find_aliases(struct cu *f) {
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || (!cu_is(f, i + 1, "=") && !cu_is(f, i + 1, ";"))) continue;
        struct cu_alias alias = {cu_text(f, i), alias_at(f, i)};
        if (alias.type.n) vec_push(f->a, &f->aliases, alias);
    }
    f->aliases_known = true;
}

/* The type that the file gives a name, or an empty string. */
static struct str alias_of(struct cu *f, struct str name) {
    if (!f->aliases_known) find_aliases(f);
    for (size_t i = 0; i < f->aliases.n; i++)
        if (str_eq(f->aliases.v[i].name, name)) return f->aliases.v[i].type;
    return (struct str){0};
}

static struct str written_type(struct cu *f, uint32_t token, struct str name);

struct str cu_declared_type(struct cu *f, uint32_t token, struct str name) {
    struct str type = written_type(f, token, name), bare = type;
    static const char *const qualifiers[] = {"static ", "const ", "volatile "};
    for (size_t i = 0; i < ARRAY_LEN(qualifiers); i++)
        if (str_starts(bare, str_of(qualifiers[i])))
            bare = str_sub(bare, strlen(qualifiers[i]), bare.n);
    bool one_word = bare.n && str_find(bare, S(" "), 0) == bare.n;
    struct str alias = one_word ? alias_of(f, bare) : (struct str){0};
    return alias.n ? alias : type;
}

static void find_same(struct cu *f) {
    size_t buckets = 64, n = f->tokens.n;
    while (buckets < n) buckets *= 2;
    uint32_t *last = arena_alloc(f->a, buckets * sizeof *last); /* of a hash */
    uint32_t *chain = arena_alloc(f->a, (n + 1) * sizeof *chain);
    uint32_t *before = arena_alloc(f->a, 3 * (n + 1) * sizeof *before), *after = before + n;
    uint32_t *others = after + n; /* [first of its word] another first one of the same hash */
    f->firsts = arena_alloc(f->a, buckets * sizeof *f->firsts);
    f->n_firsts = buckets;
    memset(last, 0xff, buckets * sizeof *last);
    memset(f->firsts, 0xff, buckets * sizeof *last);
    memset(before, 0xff, 3 * (n + 1) * sizeof *before);
    for (uint32_t i = 0; i < n; i++) {
        if (!cu_is_word(f, i)) continue;
        struct str name = cu_text(f, i);
        uint32_t *bucket = &last[str_hash(name) & (buckets - 1)], *at = bucket;
        while (*at != NO_NODE && !str_eq(cu_text(f, *at), name)) at = &chain[*at];
        before[i] = *at;
        if (*at != NO_NODE) {
            after[*at] = i;
            *at = chain[*at]; /* the chain has the last one of each word */
        } else {
            uint32_t *first = &f->firsts[bucket - last];
            others[i] = *first;
            *first = i;
        }
        chain[i] = *bucket;
        *bucket = i;
    }
    f->before = before;
}

uint32_t cu_same_before(struct cu *f, uint32_t token) {
    if (!f->before) find_same(f);
    return f->before[token];
}

uint32_t cu_same_after(struct cu *f, uint32_t token) {
    if (!f->before) find_same(f);
    return f->before[f->tokens.n + token];
}

static uint32_t look_for_word(const struct cu *f, uint32_t i, struct str word) {
    while (i < f->tokens.n && (!cu_is_word(f, i) || !str_eq(cu_text(f, i), word))) i++;
    return i < f->tokens.n ? i : NO_NODE;
}

uint32_t cu_first_word(struct cu *f, struct str word) {
    enum { WORTH_AN_INDEX = 4 }; /* a header is read anew for each file, and asked little */
    if (!cu_may_have(f, word)) return NO_NODE;
    if (!f->before && ++f->sought < WORTH_AN_INDEX) return look_for_word(f, 0, word);
    if (!f->before) find_same(f);
    uint32_t i = f->firsts[str_hash(word) & (f->n_firsts - 1)];
    while (i != NO_NODE && !str_eq(cu_text(f, i), word)) i = f->before[2 * f->tokens.n + i];
    return i;
}

uint32_t cu_next_word(struct cu *f, uint32_t i, struct str word) {
    return f->before ? cu_same_after(f, i) : look_for_word(f, i + 1, word);
}

static struct str written_type(struct cu *f, uint32_t token, struct str name) {
    enum { FAR = 4000 };
    const struct sem_name *known =
        f->semantic ? sem_name_at(f->semantic, f->tokens.v[token].start) : NULL;
    if (known && known->type.n && str_eq(cu_text(f, token), name)) return known->type;
    uint32_t i = token;
    while (i > 0 && token - i < FAR && (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name))) i--;
    for (; i != NO_NODE && i > 0 && token - i < FAR; i = cu_same_before(f, i)) {
        if (!ends_declarator(f, i + 1) || cu_is(f, i + 1, "(")) continue;
        struct str type = type_before(f, i);
        if (!type.n && cu_is(f, i - 1, ",")) { /* unsigned a, mask; */
            uint32_t p = i - 1;
            while (p > 0 && !starts_statement(f, p - 1) && !cu_is(f, p - 1, "(")) p--;
            uint32_t q = p;
            while (q + 1 < i && cu_is_word(f, q) && cu_is_word(f, q + 1)) q++;
            if (q > p) type = cu_span(f, p, q);
        }
        struct str word = type;
        for (size_t k = 0; k < type.n; k++)
            if (type.p[k] == ' ') {
                word = str_sub(type, 0, k);
                break;
            }
        if (type.n && !str_is(word, "return") && !str_is(word, "else")) return type;
    }
    return (struct str){0};
}
