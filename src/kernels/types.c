/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - what a name stands for: a scalar, a structure of scalars, or something with code in
 * it.
 *
 * A value can be the same for all threads only if making, converting and computing with it runs no
 * code of the user's: a constructor, a conversion or an operator of a class may ask which thread
 * it runs for. So types are on a white list, as in pocl's VariableUniformityAnalysis: scalars (the
 * language's, enumerations, pointers), CUDA's vector types, and plain structures of such members
 * (K_RECORD), of which only members are looked at. Every other type is K_OBJECT, and so is a name
 * that means several things or that no file explains, a template's parameter among them.
 *
 * It reads declarations by their words, in the file and its headers; it resolves no templates and
 * no scopes: of two types with one name the worse one counts. */
#include "kernels/kernel.h"

enum { DEEP = 8, FAR = 400 };

struct entry {
    struct str name;
    struct k_type type;
    bool typed;               /* `type` is known, or being found out */
    uint8_t constant;         /* of a name that is no type: enum k_constant, + 1 */
    bool declared, parameter; /* as a type; as one or as a template's parameter */
    uint32_t next;            /* of the same hash, + 1 */
};

enum { BUCKETS = 1024 };

struct k_types {
    VEC(struct entry) v;
    uint32_t buckets[BUCKETS];
    bool found;        /* all names of types are there */
    uint8_t operators; /* k_operators_change(), + 1 */
};

static struct k_types *types_of(struct cu *root) {
    if (!root->types) root->types = arena_zalloc(root->a, sizeof *root->types);
    return root->types;
}

static struct entry *entry_of(struct cu *root, struct str name) {
    struct k_types *t = types_of(root);
    uint32_t *bucket = &t->buckets[str_hash(name) % BUCKETS];
    for (uint32_t i = *bucket; i; i = t->v.v[i - 1].next)
        if (str_eq(t->v.v[i - 1].name, name)) return &t->v.v[i - 1];
    struct entry e = {.name = name, .type.kind = K_OBJECT, .next = *bucket};
    vec_push(root->a, &t->v, e);
    *bucket = (uint32_t)t->v.n;
    return &t->v.v[t->v.n - 1];
}

/* Whether the word at token i is declared there as a type, or *parameter: as a template's. */
static bool declares_type(const struct cu *f, uint32_t i, bool *parameter) {
    uint32_t before = i - 1; /* struct alignas(16) name */
    *parameter = false;
    if (cu_is(f, before, ")") && f->tokens.v[before].partner != NO_NODE &&
        cu_aligns(f, f->tokens.v[before].partner - 1))
        before = f->tokens.v[before].partner - 2;
    *parameter = cu_is(f, i - 2, "<") || cu_is(f, i - 2, ",");
    if (str_listed(cu_text(f, before), S("struct class enum union using"))) return true;
    *parameter = true;
    if (str_listed(cu_text(f, i - 1), S("typename namespace"))) return true;
    *parameter = false;
    if (!cu_is(f, i + 1, ";")) return false;
    if (cu_is(f, i - 1, "}")) return true;
    for (uint32_t t = i; t-- > 1 && i - t < 30;) {
        if (cu_is(f, t, "typedef")) return true;
        if (cu_is(f, t, ";") || cu_is(f, t, "}")) break;
    }
    return false;
}

/* Marks all names of types, once. */
static void find_types(struct cu *root) {
    struct cu *f;
    bool parameter;
    for (size_t n = 0; (f = k_source(root, n)); n++)
        for (uint32_t i = 1; i < f->tokens.n; i++) {
            if (!cu_is_word(f, i) || !declares_type(f, i, &parameter)) continue;
            struct entry *e = entry_of(root, cu_text(f, i));
            e->parameter = true;
            e->declared |= !parameter;
        }
}

bool k_is_type(struct cu *root, struct str name, bool parameters) {
    if (!types_of(root)->found) {
        types_of(root)->found = true;
        find_types(root);
    }
    const struct entry *e = entry_of(root, name);
    return parameters ? e->parameter : e->declared;
}

static struct k_type type_of_name(struct cu *root, struct str name, int depth);

/* ---- what a declaration says ---- */

static struct k_type of_kind(enum k_kind kind) { return (struct k_type){.kind = kind}; }

static struct k_type type_of_words(struct cu *root, const struct cu *f, uint32_t first,
                                   uint32_t last, int depth) {
    struct k_type type = of_kind(K_OBJECT);
    bool any = false, pointer = false;
    for (uint32_t i = first; i < last; i++) {
        struct str word = cu_text(f, i);
        if (cu_is(f, i, "*")) pointer = true;
        if (cu_is(f, i, "(") && cu_aligns(f, i - 1))
            i = cu_partner(f, i) != NO_NODE ? cu_partner(f, i) : i;
        else if (cu_is(f, i, "&") || cu_is(f, i, "&&") || cu_is(f, i, "*") || cu_is(f, i, "::") ||
                 rules_lists(root->rules, "cuda.qualifiers", word) ||
                 str_listed(word, S("__restrict__ __restrict restrict __managed__ enum std")))
            continue;
        else if (!cu_is_word(f, i) || cu_is(f, i + 1, "::"))
            return of_kind(K_OBJECT);
        else if (any && type.kind == K_SCALAR)
            type.kind = rules_lists(root->rules, "cuda.scalar_types", word) ? K_SCALAR : K_OBJECT;
        else if (any)
            return of_kind(K_OBJECT);
        else
            type = type_of_name(root, word, depth + 1), any = true;
    }
    type.pointer |= pointer;
    return type;
}

/* The declaration of a member or of a variable, [first, last): its type; *name: token. */
static struct k_type member_type(struct cu *root, struct cu *f, uint32_t first, uint32_t last,
                                 uint32_t *name, int depth) {
    uint32_t end = first;
    while (end < last && !cu_is(f, end, "[") && !cu_is(f, end, ",") && !cu_is(f, end, ":")) end++;
    *name = end > first ? end - 1 : NO_NODE;
    if (end < first + 2 || !cu_is_word(f, end - 1)) return of_kind(K_OBJECT);
    struct k_type type = type_of_words(root, f, first, end - 1, depth);
    for (uint32_t i = first; i < end; i++)
        if (cu_is(f, i, "&") || cu_is(f, i, "static")) return of_kind(K_OBJECT);
    return type;
}

/* Whether the braces hold members that are data, and nothing else. */
static bool is_record(struct cu *root, struct cu *f, uint32_t open, uint32_t close, int depth) {
    uint32_t first = open + 1, name;
    for (uint32_t i = first; i < close; i++) {
        if (f->tokens.v[i].directive) return false;
        if (str_listed(cu_text(f, i), S("( { = operator using typedef template virtual friend")))
            return false;
        if (cu_is(f, i, "public") && cu_is(f, i + 1, ":")) first = i + 2;
        if (!cu_is(f, i, ";")) continue;
        struct k_type type = member_type(root, f, first, i, &name, depth + 1);
        if (name == NO_NODE || (type.kind == K_OBJECT && !type.pointer)) return false;
        first = i + 1;
    }
    return close > open + 1;
}

static struct k_type type_of_braces(struct cu *root, struct cu *f, uint32_t open, int depth) {
    struct k_type type = of_kind(K_OBJECT);
    if (cu_partner(f, open) == NO_NODE || !is_record(root, f, open, cu_partner(f, open), depth))
        return type;
    return (struct k_type){.kind = K_RECORD, .f = f, .open = open};
}

/* The parentheses of the operator's parameters, whose word is token i; NO_NODE: it is no
 * declaration. */
static uint32_t parameters_of(const struct cu *f, uint32_t i) {
    uint32_t open = i + 1;
    while (open < i + 5 && !cu_is(f, open, "(") && !cu_is(f, open, ";")) open++;
    if (!cu_is(f, open, "(") || cu_partner(f, open) == NO_NODE) return NO_NODE;
    if (open == i + 1) open = cu_partner(f, open) + 1; /* operator()( */
    return cu_is(f, open, "(") && cu_partner(f, open) != NO_NODE ? open : NO_NODE;
}

/* Whether an operator is defined for the type: then what it computes is the user's code. */
static bool has_operator(struct cu *root, struct str name) {
    struct cu *f;
    for (size_t n = 0; (f = k_source(root, n)); n++)
        for (uint32_t i = 0; i < f->tokens.n; i++) {
            if (!cu_is(f, i, "operator")) continue;
            uint32_t open = parameters_of(f, i);
            for (uint32_t t = open; open != NO_NODE && t < cu_partner(f, open); t++)
                if (str_eq(cu_text(f, t), name)) return true;
        }
    return false;
}

/* What the word at token i, one of that name, is said to be there. False: nothing. */
static bool type_at(struct cu *root, struct cu *f, uint32_t i, struct k_type *type, int depth) {
    uint32_t before = i - 1, end = i + 1;
    if (cu_is(f, before, ")") && cu_partner(f, before) != NO_NODE) /* struct alignas(16) name */
        before = cu_partner(f, before) - 2;
    *type = of_kind(K_OBJECT);
    if (cu_is(f, i - 1, "using") && cu_is(f, end, "=")) {
        while (end < f->tokens.n && !cu_is(f, end, ";")) end++;
        if (!cu_is(f, i - 2, ">")) *type = type_of_words(root, f, i + 2, end, depth);
        return true;
    }
    bool class = str_listed(cu_text(f, before), S("struct class union"));
    if (cu_is(f, before, "enum") || (class && cu_is(f, before - 1, "enum"))) {
        *type = of_kind(has_operator(root, cu_text(f, i)) ? K_OBJECT : K_SCALAR);
        return true;
    }
    if (class && cu_is(f, end, "{")) {
        if (!cu_is(f, before - 1, ">")) *type = type_of_braces(root, f, end, depth);
        return true;
    }
    if (class && cu_is(f, end, ":")) return true;
    if (class || cu_is(f, before, "typename")) /* forward, or a template's parameter */
        return cu_is(f, before - 1, "<") || cu_is(f, before - 1, ",");
    if (!cu_is(f, end, ";")) return false;
    uint32_t first = i;
    while (first > 0 && i - first < FAR && !cu_is(f, first, "typedef")) {
        first--;
        if (cu_is(f, first, ";") || cu_is(f, first, "{")) return false;
        if (cu_is(f, first, "}") && cu_partner(f, first) != NO_NODE) first = cu_partner(f, first);
    }
    if (!cu_is(f, first, "typedef")) return false;
    if (cu_is(f, i - 1, "}") && cu_partner(f, i - 1) != NO_NODE) {
        bool scalar = cu_is(f, first + 1, "enum");
        *type = scalar ? of_kind(K_SCALAR) : type_of_braces(root, f, cu_partner(f, i - 1), depth);
    } else {
        *type = type_of_words(root, f, first + 1, i, depth);
    }
    return true;
}

static void merge(struct k_type *all, struct k_type one, bool first) {
    bool same =
        !first && all->kind == one.kind && all->pointer == one.pointer && all->kind != K_RECORD;
    if (first)
        *all = one;
    else if (!same)
        *all = of_kind(K_OBJECT);
}

static struct k_type find_type(struct cu *root, struct str name, int depth) {
    struct k_type all = of_kind(K_OBJECT), one;
    struct k_macro m = {0};
    struct cu *f;
    bool first = true;
    while (k_next_macro(root, name, &m)) {
        merge(&all, type_of_words(root, m.f, m.d->first + 3, m.d->last, depth), first);
        first = false;
    }
    for (size_t n = 0; (f = k_source(root, n)); n++)
        for (uint32_t i = 1; i < f->tokens.n; i++) {
            if (!cu_is_word(f, i) || f->tokens.v[i].directive) continue;
            if (!str_eq(cu_text(f, i), name) || !type_at(root, f, i, &one, depth)) continue;
            merge(&all, one, first);
            first = false;
        }
    return all;
}

static struct k_type type_of_name(struct cu *root, struct str name, int depth) {
    if (rules_lists(root->rules, "cuda.scalar_types", name)) return of_kind(K_SCALAR);
    if (depth > DEEP) return of_kind(K_OBJECT);
    struct entry *e = entry_of(root, name);
    if (e->typed) return e->type;
    e->typed = true; /* in itself: K_OBJECT */
    struct k_type type = find_type(root, name, depth);
    bool known = type.kind != K_OBJECT || !rules_lists(root->rules, "cuda.vector_types", name);
    if (!known && !k_is_type(root, name, true)) type = of_kind(K_VECTOR);
    return entry_of(root, name)->type = type;
}

struct k_type k_type_of(struct cu *root, const struct cu *f, uint32_t first, uint32_t last) {
    return type_of_words(root, f, first, last, 0);
}

struct k_type k_member(struct cu *root, struct k_type of, struct str name) {
    if (of.kind == K_VECTOR) return of_kind(K_SCALAR);
    if (of.kind != K_RECORD) return of_kind(K_OBJECT);
    uint32_t first = of.open + 1, close = cu_partner(of.f, of.open), at;
    for (uint32_t i = first; i < close; i++) {
        if (cu_is(of.f, i, "public") && cu_is(of.f, i + 1, ":")) first = i + 2;
        if (!cu_is(of.f, i, ";")) continue;
        struct k_type type = member_type(root, of.f, first, i, &at, 0);
        for (uint32_t t = at; at != NO_NODE && t < i; t++)
            if (str_eq(cu_text(of.f, t), name) &&
                (t == at || cu_is(of.f, t - 1, ",") || cu_is(of.f, t - 1, "*"))) {
                type.pointer |= cu_is(of.f, t - 1, "*");
                return type;
            }
        first = i + 1;
    }
    return of_kind(K_OBJECT);
}

/* ---- what operators do ---- */

/* What an operator that is no assignment can change: operands of its class, or scalars, too. */
static uint8_t changes(struct cu *root, const struct cu *f, uint32_t i) {
    if (cu_assigns(f, i + 1) || str_listed(cu_text(f, i + 1), S("( [ new delete"))) return 0;
    uint32_t open = parameters_of(f, i), close, n = 0;
    if (open == NO_NODE) return 0;
    close = cu_partner(f, open);
    uint8_t all = 0;
    for (uint32_t t = open; t < close; t++) {
        n += cu_is(f, t, ",");
        uint32_t from = t;
        if (!cu_is(f, t, "&") && !cu_is(f, t, "&&")) continue;
        while (from > open && !cu_is(f, from, ",") && !cu_is(f, from, "const")) from--;
        if (cu_is(f, from, "const")) continue;
        struct str type = cu_text(f, t - 1);
        bool parameter = k_is_type(root, type, true) && !k_is_type(root, type, false);
        bool scalar = parameter || k_type_of(root, f, t - 1, t).kind == K_SCALAR;
        all |= scalar ? K_CHANGES_SCALAR | K_CHANGES_OBJECT : K_CHANGES_OBJECT;
    }
    bool member = n == 0 && (close == open + 1 || !cu_is_word(f, i + 1));
    bool free_unary = member && close > open + 1 && str_listed(cu_text(f, i + 1), S("! ~"));
    if (member && !free_unary && !cu_is(f, close + 1, "const")) all |= K_CHANGES_OBJECT;
    return all;
}

uint8_t k_operators_change(struct cu *root) {
    struct k_types *t = types_of(root);
    struct cu *f;
    if (t->operators) return t->operators - 1;
    uint8_t all = 0;
    for (size_t n = 0; (f = k_source(root, n)); n++)
        for (uint32_t i = 0; i < f->tokens.n; i++)
            if (cu_is(f, i, "operator")) all |= changes(root, f, i);
    t->operators = (uint8_t)(all + 1);
    return all;
}

/* ---- names that are no types ---- */

/* Whether the braces that hold token i are an enumeration's. */
static bool in_enumeration(const struct cu *f, uint32_t i) {
    uint32_t at = i;
    while (at > 0 && i - at < 20 * FAR && !cu_is(f, at, "{")) {
        at--;
        bool closes = cu_is(f, at, "}") || cu_is(f, at, ")");
        if (closes && cu_partner(f, at) != NO_NODE) at = cu_partner(f, at) - 1;
        if (cu_is(f, at, ";")) return false;
    }
    for (uint32_t t = at; t > 0 && at - t < 6; t--) {
        if (cu_is(f, t - 1, "enum")) return true;
        if (!cu_is_word(f, t - 1) && !cu_is(f, t - 1, ":")) return false;
    }
    return false;
}

/* What a declaration of the name at token i makes it. */
static enum k_constant constant_at(struct cu *root, struct cu *f, uint32_t i) {
    static const char *const behind = "= ; [ , ) { > ( :";
    bool value = cu_is(f, i - 1, "{") || cu_is(f, i - 1, ",");
    if (value && str_listed(cu_text(f, i + 1), S(", } =")) && in_enumeration(f, i))
        return K_CONSTANT;
    uint32_t t = i - 1;
    bool pointer = false;
    for (; cu_is(f, t, "*") || str_listed(cu_text(f, t), S("const constexpr __restrict__")); t--)
        pointer |= cu_is(f, t, "*");
    if (!cu_is_word(f, t) || !str_listed(cu_text(f, i + 1), str_of(behind))) return K_UNKNOWN;
    struct str word = cu_text(f, t);
    if (rules_lists(root->rules, "cuda.keywords", word) ||
        rules_lists(root->rules, "cuda.qualifiers", word) ||
        str_listed(word, S("return else goto case throw public private protected")))
        return K_UNKNOWN;
    struct k_type type = k_type_of(root, f, t, t + 1);
    if (pointer && type.kind == K_OBJECT && !k_is_type(root, word, true)) return K_UNKNOWN; /* * */
    return type.kind == K_SCALAR ? K_CONSTANT : K_VARIED;
}

enum k_constant k_constant_of(struct cu *root, struct str name) {
    struct entry *e = entry_of(root, name);
    if (e->constant) return (enum k_constant)(e->constant - 1);
    enum k_constant all = K_UNKNOWN;
    struct cu *f;
    e->constant = K_VARIED + 1;
    for (size_t n = 0; (f = k_source(root, n)); n++)
        for (uint32_t i = 1; i < f->tokens.n && all != K_VARIED; i++) {
            if (!cu_is_word(f, i) || f->tokens.v[i].directive) continue;
            if (!str_eq(cu_text(f, i), name)) continue;
            enum k_constant one = constant_at(root, f, i);
            all = one > all ? one : all;
        }
    entry_of(root, name)->constant = (uint8_t)(all + 1);
    return all;
}

bool k_has_destructors(struct cu *root) {
    struct cu *f;
    for (size_t n = 0; (f = k_source(root, n)); n++)
        for (uint32_t i = 0; i + 2 < f->tokens.n; i++)
            if (cu_is(f, i, "~") && cu_is(f, i + 2, "(") &&
                k_is_type(root, cu_text(f, i + 1), false))
                return true;
    return false;
}
