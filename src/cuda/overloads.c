/* SPDX-License-Identifier: Apache-2.0 */
/* overloads.c - functions that are one after the port, or that the target has already.
 *
 * CUDA's runtime and its driver have an error type each, and so has every library for its handle.
 * A target may have one for several: `check(cudaError_t)` beside `check(CUresult)` are the same
 * function there, and a specialization for each is the same one. Types of the target that are the
 * same under other names are a fact ("same_types"). The second of such a pair is for a human; only
 * definitions of one scope and one branch of #if are compared, which a compiler refuses twice. */
#include "cuda/cu.h"

struct defined {
    uint32_t name, scope; /* its token; that of the brace around it, or NO_NODE */
    struct str before, after;
};

struct overloads {
    struct cu *f;
    VEC(struct defined) all;
};

/* What the port makes of a token. */
static struct str ported_word(const struct cu *f, uint32_t i, size_t *match) {
    while (*match < f->matches.n && f->matches.v[*match].first < i) ++*match;
    for (size_t k = *match; k < f->matches.n && f->matches.v[k].first == i; k++) {
        const struct cu_match *m = &f->matches.v[k];
        bool applies = m->kind == CU_SYMBOL && m->cell && m->cell->to.n && m->last == i + 1;
        if (!applies || (m->verdict != V_EXACT && m->verdict != V_SHIM)) continue;
        return rs_str(m->row.set, m->cell->to);
    }
    return cu_text(f, i);
}

static struct str same_type(const struct cu *f, struct str word) {
    struct str types = target_fact(f->target, "same_types");
    if (!str_listed(word, types)) return word;
    return str_sub(types, 0, str_find(types, S(" "), 0));
}

/* Appends tokens [first, last), as they are or as the port writes them. */
static void put(const struct cu *f, uint32_t first, uint32_t last, bool ported, struct buf *b) {
    size_t match = 0;
    for (uint32_t i = first; i < last; i++) {
        if (f->tokens.v[i].directive) continue;
        buf_add(b, ported ? same_type(f, ported_word(f, i, &match)) : cu_text(f, i));
        buf_addc(b, ' ');
    }
}

static void put_signature(struct cu *f, uint32_t first, uint32_t open, uint32_t name, bool ported,
                          struct buf *b) {
    struct cu_call list = {0};
    if (cu_is(f, first, "template")) put(f, first, name, ported, b);
    put(f, name, open, ported, b);
    cu_split(f, open + 1, f->tokens.v[open].partner, &list);
    for (size_t i = 0; i < list.arguments.n; i++) {
        struct cu_argument a = list.arguments.v[i];
        put(f, a.first, cu_type_end(f, a), ported, b);
        buf_addc(b, ',');
    }
}

/* The brace around a token. */
static uint32_t scope_of(const struct cu *f, uint32_t i) {
    while (i-- > 0) {
        uint32_t partner = f->tokens.v[i].partner;
        if (cu_is(f, i, "}") && partner != NO_NODE && partner < i)
            i = partner;
        else if (cu_is(f, i, "{"))
            return i;
    }
    return NO_NODE;
}

/* The function whose head begins at token `first` and whose body ends before `end`. */
static void add_function(struct overloads *o, uint32_t first, uint32_t end) {
    struct cu *f = o->f;
    uint32_t open = first;
    for (; open < end && !cu_is(f, open, "{"); open++) {
        if (!cu_is(f, open, "(") || f->tokens.v[open].partner == NO_NODE || open == first)
            continue;
        if (!rules_lists(f->rules, "cuda.attributes", cu_text(f, open - 1))) break;
        open = f->tokens.v[open].partner;
    }
    if (open >= end || !cu_is(f, open, "(")) return;
    uint32_t name = open - 1;
    while (cu_is(f, open - 1, ">") && name > first &&
           !(cu_is(f, name, "<") && cu_template_end(f, name) == open - 1))
        name--;
    if (cu_is(f, name, "<")) name--;
    if (name <= first || !cu_is_word(f, name)) return;
    while (name > first + 1 && cu_is(f, name - 1, "::") && cu_is_word(f, name - 2)) name -= 2;
    struct defined d = {.name = name, .scope = scope_of(f, first)};
    struct buf before, after;
    buf_init(&before, f->a);
    buf_init(&after, f->a);
    put_signature(f, first, open, name, false, &before);
    put_signature(f, first, open, name, true, &after);
    d.before = buf_str(&before);
    d.after = buf_str(&after);
    if (!str_eq(d.before, d.after)) vec_push(f->a, &o->all, d);
}

/* `struct name<...> {`: a specialization. */
static void add_class(struct overloads *o, uint32_t i) {
    struct cu *f = o->f;
    uint32_t name = i + 1, close = cu_is(f, i + 2, "<") ? cu_template_end(f, i + 2) : NO_NODE;
    if (!cu_is_word(f, name) || close == NO_NODE) return;
    if (!cu_is(f, close + 1, "{") && !cu_is(f, close + 1, ":")) return;
    struct defined d = {.name = name, .scope = scope_of(f, i)};
    struct buf before, after;
    buf_init(&before, f->a);
    buf_init(&after, f->a);
    put(f, name, close, false, &before);
    put(f, name, close, true, &after);
    d.before = buf_str(&before);
    d.after = buf_str(&after);
    if (!str_eq(d.before, d.after)) vec_push(f->a, &o->all, d);
}

/* ---- operators of vectors ---- */

/* Whether the file makes the name another one of a vector type: typedef float3 real3; */
static bool makes_alias(const struct cu *f, const struct rules *rules, struct str name) {
    for (uint32_t i = 2; i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        uint32_t type = NO_NODE;
        if (cu_is(f, i - 2, "typedef") && cu_is(f, i + 1, ";")) type = i - 1;
        if (cu_is(f, i - 1, "using") && cu_is(f, i + 1, "=") && cu_is(f, i + 3, ";")) type = i + 2;
        if (type != NO_NODE && rules_lists(rules, "cuda.vector_types", cu_text(f, type)))
            return true;
    }
    return false;
}

/* The last word of a parameter's type. */
static struct str type_of(const struct cu *f, struct cu_argument a) {
    struct str type = {0};
    for (uint32_t i = a.first; i < cu_type_end(f, a); i++)
        if (cu_is_word(f, i) && !cu_is(f, i, "const")) type = cu_text(f, i);
    return type;
}

/* Whether the file or a header of its makes that another name of a vector type. */
static bool is_alias(struct cu *f, struct str name) {
    if (!name.n || rules_lists(f->rules, "cuda.vector_types", name)) return false;
    bool found = makes_alias(f, f->rules, name);
    if (!found) cu_read_included(f);
    for (size_t n = 0; n < f->included.n && !found; n++)
        found = makes_alias(f->included.v[n], f->rules, name);
    return found;
}

/* A macro, and those of the file that call it in their texts: their names. */
struct callers {
    struct str names[8];
    size_t n;
};

static bool is_caller(const struct callers *c, struct str name) {
    for (size_t i = 0; i < c->n; i++)
        if (str_eq(c->names[i], name)) return true;
    return false;
}

static void find_callers(const struct cu *f, struct callers *c) {
    for (size_t before = 0; before < c->n;) {
        before = c->n;
        for (size_t k = 0; k < f->directives.n && c->n < ARRAY_LEN(c->names); k++) {
            const struct cu_directive *d = &f->directives.v[k];
            if (d->kind != CD_DEFINE || is_caller(c, cu_text(f, d->first + 2))) continue;
            for (uint32_t t = d->first + 3; t + 1 < d->last; t++) {
                bool calls = cu_is(f, t + 1, "(") && is_caller(c, cu_text(f, t));
                if (!calls) continue;
                c->names[c->n++] = cu_text(f, d->first + 2);
                break;
            }
        }
    }
}

/* Whether a word of a macro's text is its parameter, and the file gives a vector type for one, to
 * the macro or to one that calls it. */
static bool stands_for_vector(const struct cu *f, uint32_t i, struct str word) {
    uint32_t d = f->tokens.v[i].directive;
    if (!d || f->directives.v[d - 1].kind != CD_DEFINE) return false;
    uint32_t name = f->directives.v[d - 1].first + 2, open = name + 1;
    struct callers callers = {.names = {cu_text(f, name)}, .n = 1};
    bool parameter = false;
    if (!cu_is(f, open, "(") || f->tokens.v[open].partner == NO_NODE) return false;
    for (uint32_t k = open + 1; k < f->tokens.v[open].partner; k++)
        parameter |= cu_is_word(f, k) && str_eq(cu_text(f, k), word);
    if (parameter) find_callers(f, &callers);
    for (uint32_t k = 0; parameter && k + 2 < f->tokens.n; k++) {
        if (!cu_is_word(f, k) || !cu_is(f, k + 1, "(")) continue;
        uint32_t close = f->tokens.v[k + 1].partner;
        if (close == NO_NODE || !is_caller(&callers, cu_text(f, k))) continue;
        for (uint32_t t = k + 2; t < close; t++)
            if (cu_is_word(f, t) && rules_lists(f->rules, "cuda.vector_types", cu_text(f, t)))
                return true;
    }
    return false;
}

/* The row about an operator of two such types, or NULL. */
static const char *row_of_operator(struct cu *f, uint32_t i, struct str a, struct str b) {
    if (str_eq(a, b) && a.n && stands_for_vector(f, i, a)) return "cm::vector_operator";
    bool complex = rules_lists(f->rules, "cuda.complex_types", a);
    if (complex && rules_lists(f->rules, "cuda.complex_types", b)) return "cm::complex_operator";
    return is_alias(f, a) && is_alias(f, b) ? "cm::vector_operator" : NULL;
}

/* Whether a parameter is of a type that the template leaves open, itself or by reference: T a,
 * const T &a. The template's list is within tokens [first, last). */
static bool is_open(const struct cu *f, uint32_t first, uint32_t last, struct cu_argument a) {
    struct str type = {0};
    for (uint32_t i = a.first; i < cu_type_end(f, a); i++) {
        if (cu_is(f, i, "const") || cu_is(f, i, "&") || cu_is(f, i, "&&")) continue;
        if (!cu_is_word(f, i) || type.n) return false;
        type = cu_text(f, i);
    }
    for (uint32_t i = first; type.n && i + 1 < last; i++) {
        bool opens = cu_is(f, i, "typename") || cu_is(f, i, "class");
        if (opens && str_eq(cu_text(f, i + 1), type)) return true;
    }
    return false;
}

static bool names_vector(const struct cu *f, const struct rules *rules) {
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (cu_is_word(f, i) && rules_lists(rules, "cuda.vector_types", cu_text(f, i)))
            return true;
    return false;
}

/* Whether the operator is a device template's for operands of any two types, in a program of
 * vectors: the target's own for vectors are more special. */
static bool is_template_operator(struct cu *f, uint32_t i, const struct cu_call *list) {
    uint32_t start = i;
    bool device = false, vectors = false;
    while (start > 0 && !cu_is(f, start, "template") && !cu_is(f, start, ";") &&
           !cu_is(f, start, "{") && !cu_is(f, start, "}"))
        device |= cu_is(f, start--, CU_DEVICE_WORD);
    if (!device || !cu_is(f, start, "template") || !cu_is(f, start + 1, "<")) return false;
    for (size_t k = 0; k < list->arguments.n; k++)
        if (!is_open(f, start + 2, i, list->arguments.v[k])) return false;
    cu_read_included(f);
    vectors = names_vector(f, f->rules);
    for (size_t n = 0; n < f->included.n && !vectors; n++)
        vectors = names_vector(f->included.v[n], f->rules);
    return vectors;
}

/* The target may have that operator for vectors itself; where the types are spelled, rules about
 * it speak. A macro may stand for the operator. */
static void match_operators(struct cu *f) {
    static const char *const operators[] = {"*", "/", "+=", "-=", "*=", "/="};
    for (uint32_t i = 0; i + 3 < f->tokens.n; i++) {
        bool ours = false;
        if (!cu_is(f, i, "operator") || !cu_is(f, i + 2, "(")) continue;
        for (size_t k = 0; k < ARRAY_LEN(operators); k++) ours |= cu_is(f, i + 1, operators[k]);
        bool open = ours || cu_is(f, i + 1, "+") || cu_is(f, i + 1, "-") || cu_is_word(f, i + 1);
        if (!open || f->tokens.v[i + 2].partner == NO_NODE) continue;
        struct cu_call list = {0};
        cu_split(f, i + 3, f->tokens.v[i + 2].partner, &list);
        if (list.arguments.n != 2) continue;
        const char *row = NULL;
        if (ours || f->tokens.v[i].directive)
            row = row_of_operator(f, i, type_of(f, list.arguments.v[0]),
                                  type_of(f, list.arguments.v[1]));
        if (!row && is_template_operator(f, i, &list)) row = "cm::template_operator";
        if (row) cu_report(f, row, i);
    }
}

/* The target may have a template of a name for all to see, T min(T, T), which is a function of no
 * namespace in CUDA: the program's own of that form is one too many. */
static void match_templates(struct cu *f) {
    struct str names = target_fact(f->target, "global_templates");
    for (uint32_t i = 1; names.n && i + 1 < f->tokens.n; i++) {
        struct cu_call list = {0};
        uint32_t start = i;
        bool device = false;
        if (!cu_is_word(f, i) || !str_listed(cu_text(f, i), names) || !cu_is(f, i + 1, "("))
            continue;
        while (start > 0 && !cu_is(f, start, "template") && !cu_is(f, start, ";") &&
               !cu_is(f, start, "{") && !cu_is(f, start, "}"))
            device |= cu_is(f, start--, CU_DEVICE_WORD);
        bool template = cu_is(f, start, "template") && cu_is(f, start + 1, "<");
        if (!device || !template || scope_of(f, i) != NO_NODE) continue;
        if (f->tokens.v[i + 1].partner == NO_NODE) continue;
        cu_split(f, i + 2, f->tokens.v[i + 1].partner, &list);
        if (list.arguments.n != 2) continue;
        bool same = true;
        for (size_t k = 0; k < 2; k++) {
            struct cu_argument a = list.arguments.v[k];
            same &= cu_type_end(f, a) == a.first + 1 && is_open(f, start + 2, i, a) &&
                    str_eq(cu_text(f, a.first), cu_text(f, i - 1));
        }
        if (same) cu_report(f, "cm::global_template", i);
    }
}

/* A class of the program's that the target has one of for all to see, as CUDA had before 12. */
static void match_classes(struct cu *f) {
    struct str names = target_fact(f->target, "global_classes");
    for (uint32_t i = 1; names.n && i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_listed(cu_text(f, i), names)) continue;
        bool class = cu_is(f, i - 1, "struct") || cu_is(f, i - 1, "class");
        bool begins = cu_is(f, i + 1, "{") || cu_is(f, i + 1, ":") || cu_is(f, i + 1, "final") ||
                      cu_is(f, i + 1, ";");
        bool inner = i > 1 && (cu_is(f, i - 2, ",") || cu_is(f, i - 2, "<"));
        if (class && begins && !inner && scope_of(f, i) == NO_NODE)
            cu_report(f, "cm::global_class", i);
    }
}

void cu_match_overloads(struct cu *f) {
    struct overloads o = {.f = f};
    const struct byte_range *bodies;
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::overload"), &cursor, &row)) return;
    const struct rcell *cell = row_cell(row, f->target);
    if (!cell || cell->verdict == V_SAME) return;
    match_classes(f);
    if (!f->matches.n) return;
    match_operators(f);
    match_templates(f);
    size_t n = cu_functions(f, &bodies);
    for (size_t i = 0; i < n; i++) add_function(&o, bodies[i].start, bodies[i].end);
    for (uint32_t i = 0; i + 2 < f->tokens.n; i++)
        if (cu_is(f, i, "struct") || cu_is(f, i, "class")) add_class(&o, i);
    for (size_t i = 0; i < o.all.n; i++) {
        struct defined *d = &o.all.v[i], *first = NULL;
        for (size_t k = 0; k < i && !first; k++) {
            struct defined *e = &o.all.v[k];
            if (e->scope == d->scope && str_eq(e->after, d->after) &&
                !str_eq(e->before, d->before) &&
                cu_optional_branch(f, e->name) == cu_optional_branch(f, d->name))
                first = e;
        }
        if (first) cu_report(f, "cm::overload", d->name);
    }
}
