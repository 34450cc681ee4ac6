/* SPDX-License-Identifier: Apache-2.0 */
/* indices.c - threadIdx and its likes as whole vectors.
 *
 * In CUDA threadIdx and blockIdx are a uint3, blockDim and gridDim a dim3, and either becomes the
 * other. A target may give them types of its own that become a dim3 alone: then whatever is no
 * member (threadIdx.x) and is not known to want a dim3 gets the type that CUDA gives it
 * ("cm::index_argument", "cm::index_extent"), or that is asked for there. Where nothing that can
 * be read tells which ("cm::index_unknown"), or where it has to have an address
 * ("cm::index_address"), it is told. */
#include "cuda/classes.h"

/* What a place wants, as far as declarations tell: bits. */
enum {
    AS_IS = 0, /* a member is taken, or nothing compiles it */
    INDEX = 1,
    EXTENT = 2,
    VALUE = 4, /* what CUDA has there: a template, auto, an operator */
    ADDRESS = 8,
    UNKNOWN = 16,
    NOTHING = 32, /* a macro is known, and takes members */
    ITSELF = 64   /* beside INDEX: no class or array that has one */
};
enum { DEEP = 6 };

/* A search for what a place wants. */
struct search {
    struct cu *f;
    int depth;
    bool chosen; /* it is an operand of ?: */
    bool braced; /* it is all that a uint3 in braces has */
};

static unsigned wanted(struct search *s, struct cu *f, uint32_t first, uint32_t last);

/* Whether token t is that text, in the same macro or in none, as token i is. */
static bool near_is(const struct cu *f, uint32_t i, uint32_t t, const char *text) {
    return t < f->tokens.n && f->tokens.v[t].directive == f->tokens.v[i].directive &&
           cu_is(f, t, text);
}
static bool near_word(const struct cu *f, uint32_t i, uint32_t t) {
    return t < f->tokens.n && f->tokens.v[t].directive == f->tokens.v[i].directive &&
           cu_is_word(f, t) && !rules_lists(f->rules, "cuda.no_types", cu_text(f, t));
}

/* The text that is n-th to be read: the file, then its headers. NULL: no more. */
static struct cu *text_of(struct search *s, size_t n) {
    if (n == 0) return s->f;
    cu_read_included(s->f);
    return n <= s->f->included.n ? s->f->included.v[n - 1] : NULL;
}

/* ---- types ---- */

/* What tokens [first, last) say: uint3, dim3, or that it is to be deduced. */
static unsigned words_say(const struct cu *f, uint32_t first, uint32_t last) {
    unsigned said = 0, plain = ITSELF;
    for (uint32_t i = first; i < last; i++) {
        if (cu_is(f, i, "<") || cu_is(f, i, "[")) plain = 0;
        if (cu_is(f, i, CU_INDEX_TYPE)) said |= INDEX | plain;
        if (cu_is(f, i, CU_EXTENT_TYPE)) said |= EXTENT;
        if (cu_is(f, i, "auto") || cu_is(f, i, "decltype")) said |= VALUE;
    }
    return said;
}

static unsigned type_says(struct search *s, struct cu *f, uint32_t first, uint32_t last);

/* What the definition of a type at token i, if it is one, says. */
static unsigned definition_says(struct search *s, struct cu *f, uint32_t i) {
    if (cu_is(f, i - 1, "typename") || (cu_is(f, i - 1, "class") && !cu_is(f, i + 1, "{")))
        if (cu_is(f, i + 1, ",") || cu_is(f, i + 1, ">") || cu_is(f, i + 1, "=")) return VALUE;
    uint32_t open = NO_NODE;
    if (cu_is(f, i - 1, "using") && cu_is(f, i + 1, "=")) {
        uint32_t end = i + 2;
        while (end < f->tokens.n && !cu_is(f, end, ";")) end++;
        return type_says(s, f, i + 2, end);
    }
    if (cu_is(f, i + 1, ";") && cu_is(f, i - 1, "}")) {
        open = f->tokens.v[i - 1].partner; /* typedef struct { ... } name; */
    } else if (cu_is(f, i + 1, ";")) {
        uint32_t p = i;
        while (p > 0 && (cu_is_word(f, p - 1) || cu_is(f, p - 1, "::"))) {
            if (cu_is(f, --p, "typedef")) return type_says(s, f, p + 1, i);
        }
        return 0;
    } else if (cu_is(f, i + 1, "{")) {
        open = i + 1;
    } else if (cu_is(f, i + 1, ":") && (cu_is(f, i - 1, "struct") || cu_is(f, i - 1, "class"))) {
        for (open = i + 1; open < f->tokens.n && !cu_is(f, open, "{") && !cu_is(f, open, ";");)
            open++;
    }
    if (open == NO_NODE || !cu_is(f, open, "{") || f->tokens.v[open].partner == NO_NODE) return 0;
    for (uint32_t p = i, n = 0; p > 0 && n < 8; p--, n++) { /* struct __align__(16) name { */
        if (cu_is(f, p - 1, ";") || cu_is(f, p - 1, "{") || cu_is(f, p - 1, "}")) break;
        if (cu_is(f, p - 1, "struct") || cu_is(f, p - 1, "class") || cu_is(f, p - 1, "union")) {
            unsigned said = words_say(f, open, f->tokens.v[open].partner) & (INDEX | EXTENT);
            return said ? said : VALUE;
        }
    }
    return 0;
}

/* What a type wants that tokens [first, last) spell. */
static unsigned type_says(struct search *s, struct cu *f, uint32_t first, uint32_t last) {
    unsigned said = words_say(f, first, last);
    if (said || s->depth >= DEEP) return said;
    uint32_t name = last;
    while (name > first && !cu_is_word(f, name - 1)) name--;
    while (name > first + 1 && cu_is(f, name - 1, "const")) name--;
    for (uint32_t i = first; i < last; i++) /* W of W<int>, N::T */
        if (cu_is(f, i, "<")) name = i;
    if (name == first) return 0;
    struct str text = cu_text(f, name - 1);
    struct cu *in;
    s->depth++;
    for (size_t n = 0; (in = text_of(s, n)) && !said; n++)
        for (uint32_t i = cu_first_word(in, text); i != NO_NODE; i = cu_next_word(in, i, text))
            if (i > 0 && i + 1 < in->tokens.n) said |= definition_says(s, in, i);
    s->depth--;
    return said;
}

/* Where the type begins that stands before the name at token i; i: none does. */
static uint32_t type_before(const struct cu *f, uint32_t i) {
    uint32_t p = i;
    while (p > 0 && (near_word(f, i, p - 1) || near_is(f, i, p - 1, "::") ||
                     near_is(f, i, p - 1, "&") || near_is(f, i, p - 1, "*") ||
                     near_is(f, i, p - 1, "const") || near_is(f, i, p - 1, ">"))) {
        if (near_is(f, i, p - 1, ">")) {
            uint32_t open = p - 1;
            while (open > 0 && i - open < 64 && !cu_is(f, open, "<")) open--;
            if (!cu_is(f, open, "<") || cu_template_end(f, open) != p - 1) break;
            p = open;
        } else {
            p--;
        }
    }
    while (p < i && (cu_is(f, p, "&") || cu_is(f, p, "*") || cu_is(f, p, "::"))) p++;
    return p;
}

/* What the statement that declares the name at token i behind a comma begins with. */
static unsigned list_says(struct search *s, struct cu *f, uint32_t i) {
    uint32_t start = i, end;
    while (start > 0 && !near_is(f, i, start - 1, ";") && !near_is(f, i, start - 1, "{") &&
           !near_is(f, i, start - 1, "(")) {
        uint32_t partner = f->tokens.v[start - 1].partner;
        if (cu_is(f, start - 1, "}") && !cu_is(f, start, ",")) break; /* of the statement before */
        start = partner != NO_NODE && partner < start ? partner : start - 1;
    }
    for (end = start; end < i && !cu_is(f, end, "=") && !cu_is(f, end, ","); end++) {
    }
    return end > start + 1 ? type_says(s, f, start, end - 1) : 0;
}

/* The bracket around the list that token i stands in, and how many commas lie between; NO_NODE:
 * a statement's end comes first. */
static uint32_t bracket_around(const struct cu *f, uint32_t i, uint32_t *commas) {
    *commas = 0;
    for (uint32_t t = i; t-- > 0;) {
        uint32_t partner = f->tokens.v[t].partner;
        if (f->tokens.v[t].directive != f->tokens.v[i].directive) return NO_NODE;
        if (cu_is(f, t, ","))
            ++*commas;
        else if (cu_is(f, t, "(") || cu_is(f, t, "{") || cu_is(f, t, "["))
            return t;
        else if (partner != NO_NODE && partner < t)
            t = partner;
        else if (cu_is(f, t, ";"))
            return NO_NODE;
    }
    return NO_NODE;
}

/* What a variable or a member of that name wants, wherever it is declared. */
static unsigned variable_says(struct search *s, struct cu *f, uint32_t i) {
    bool member = near_is(f, i, i - 1, ".") || near_is(f, i, i - 1, "->");
    struct str name = cu_text(f, i);
    uint32_t type = type_before(f, i);
    if (!member && type < i) return type_says(s, f, type, i);
    if (!member && near_is(f, i, i - 1, ",")) {
        unsigned said = list_says(s, f, i);
        if (said) return said;
    }
    if (!member && near_is(f, i, i - 1, ")")) /* decltype(x) name */
        return words_say(f, f->tokens.v[i - 1].partner - 1, i);
    for (uint32_t p = i; !member && p != NO_NODE; p = cu_same_before(f, p)) {
        bool own = p < i && !near_is(f, p, p - 1, ".") && !near_is(f, p, p - 1, "->");
        type = own ? type_before(f, p) : p;
        unsigned said = type < p ? type_says(s, f, type, p) : 0;
        if (said) return said;
    }
    unsigned said = 0;
    struct cu *in;
    for (size_t n = 0; (in = text_of(s, n)); n++)
        for (uint32_t k = 1; k + 1 < in->tokens.n; k++) {
            if (!cu_is_word(in, k) || !str_eq(cu_text(in, k), name) || cu_is(in, k + 1, "("))
                continue;
            uint32_t commas, open = member ? bracket_around(in, k, &commas) : NO_NODE;
            if (open != NO_NODE && cu_is(in, open, "(")) continue; /* a parameter */
            uint32_t p = k;
            while (p > 1 && cu_is(in, p - 1, ",") && cu_is_word(in, p - 2))
                p -= 2; /* uint3 a, b; */
            type = type_before(in, p);
            if (type < p && !cu_is(in, type, "using")) said |= type_says(s, in, type, p);
        }
    return said ? said : UNKNOWN;
}

/* ---- functions and macros ---- */

/* What the k-th parameter of a macro that is defined at token i wants. */
static unsigned macro_says(struct search *s, struct cu *f, uint32_t i, const struct cu_call *call,
                           uint32_t k) {
    const struct cu_directive *d = &f->directives.v[f->tokens.v[i].directive - 1];
    struct str name = cu_span(f, call->arguments.v[k].first, call->arguments.v[k].last);
    unsigned said = 0;
    for (uint32_t t = call->close + 1; t < d->last; t++)
        if (cu_is_word(f, t) && str_eq(cu_text(f, t), name)) said |= wanted(s, f, t, t + 1);
    return said ? said : NOTHING;
}

/* Whether tokens [a.first, a.last) declare a parameter. */
static bool is_parameter(const struct cu *f, struct cu_argument a, bool defined) {
    for (uint32_t i = a.first; i + 1 < a.last; i++) {
        if (cu_is(f, i, "=")) break;
        bool type = cu_is_word(f, i) || cu_is(f, i, "&") || cu_is(f, i, "*") || cu_is(f, i, ">");
        if (type && cu_is_word(f, i + 1) && (cu_is_word(f, i) || defined)) return true;
    }
    for (uint32_t i = a.first; i + 1 < a.last && !defined; i++)
        if (cu_is_word(f, i) && (cu_is(f, i + 1, "(") || cu_is(f, i + 1, "{"))) return false;
    return a.first < a.last && (defined || words_say(f, a.first, a.last));
}

/* What the k-th argument of the callable of that name is to be. */
static unsigned parameter_says(struct search *s, struct str name, uint32_t k) {
    unsigned said = 0;
    struct cu *f;
    if (s->depth >= DEEP) return UNKNOWN;
    s->depth++;
    for (size_t n = 0; (f = text_of(s, n)); n++)
        for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
            struct cu_call call = {0};
            if (!cu_is_word(f, i) || !cu_is(f, i + 1, "(") || !str_eq(cu_text(f, i), name))
                continue;
            if (!cu_read_call(f, i + 1, &call) || k >= call.arguments.n) continue;
            uint32_t directive = f->tokens.v[i].directive;
            const struct cu_directive *d = directive ? &f->directives.v[directive - 1] : NULL;
            if (d && d->kind == CD_DEFINE && d->first + 2 == i) {
                said |= macro_says(s, f, i, &call, k);
                continue;
            }
            struct cu_argument a = call.arguments.v[k];
            if (rules_lists(f->rules, "cuda.index_vectors", cu_span(f, a.first, a.last))) continue;
            bool defined = cu_is(f, call.close + 1, "{") || cu_is(f, call.close + 1, ":") ||
                           (cu_is(f, call.close + 1, ";") && near_word(f, i, i - 1));
            if (is_parameter(f, a, defined)) {
                unsigned type = type_says(s, f, a.first, cu_type_end(f, a));
                said |= type ? type : UNKNOWN;
            }
        }
    s->depth--;
    return said;
}

/* What the macro that is this place and no more wants, by its uses in the file. */
static unsigned uses_say(struct search *s, struct cu *f, uint32_t name) {
    unsigned said = 0, seen = 0;
    if (s->depth >= DEEP) return UNKNOWN;
    s->depth++;
    for (uint32_t i = cu_same_after(f, name); i != NO_NODE; i = cu_same_after(f, i)) {
        said |= wanted(s, f, i, i + 1);
        seen = 1;
    }
    s->depth--;
    return seen ? said : VALUE;
}

/* ---- places ---- */

/* What the function or the lambda returns that token i stands in. */
static unsigned result_says(struct search *s, struct cu *f, uint32_t i) {
    for (uint32_t t = i; t-- > 0;) {
        uint32_t partner = f->tokens.v[t].partner;
        if (!cu_is(f, t, "{")) {
            if (partner != NO_NODE && partner < t) t = partner;
            continue;
        }
        uint32_t p = t;
        while (p > 0 && t - p < 12 && (cu_is_word(f, p - 1) || cu_is(f, p - 1, "::"))) p--;
        if (cu_is(f, p - 1, "->")) return type_says(s, f, p, t);
        if (cu_is(f, p - 1, "]")) return VALUE; /* [] { ... } */
        if (!cu_is(f, p - 1, ")")) continue;
        uint32_t open = f->tokens.v[p - 1].partner;
        if (open == NO_NODE || open == 0) return UNKNOWN;
        if (cu_is(f, open - 1, "]")) return VALUE;
        if (!near_word(f, open, open - 1) && !cu_is(f, open - 1, ">")) continue; /* if (...) */
        uint32_t name = open - 1, type;
        while (name > 1 && cu_is(f, name - 1, "::")) name -= 2;
        type = type_before(f, name);
        unsigned said = type < name ? type_says(s, f, type, name) : 0;
        if (said || type < name) return said ? said : UNKNOWN;
    }
    return UNKNOWN;
}

/* What the k-th value in the bracket at `open` wants, before which stands a class's name, or a
 * variable's that is declared there: of one that can be read it is a member, or a constructor's
 * parameter. */
static unsigned value_says(struct search *s, struct cu *f, uint32_t open, uint32_t k) {
    struct cu_shape shape, value = {0};
    struct cu_class class;
    struct cu_call list = {0};
    uint32_t name = open - (near_is(f, open, open - 1, "=") ? 2 : 1), type = type_before(f, name);
    if (f != s->f || !cu_is_word(f, name) || f->tokens.v[open].partner == NO_NODE) return 0;
    shape = cu_shape_of(f, type < name ? cu_span(f, type, name) : cu_text(f, name));
    if (!shape.type.n || shape.arrays) return 0;
    cu_split(f, open + 1, f->tokens.v[open].partner, &list);
    if (cu_resolve(f, &shape, &class) && k < class.members.n)
        value = class.members.v[k].type;
    else if (cu_resolve_constructed(f, &shape, &class))
        value = cu_constructor_shape(&class, k, list.arguments.n);
    if (value.arrays || !value.type.n) return 0;
    return str_is(value.type, CU_INDEX_TYPE)    ? INDEX
           : str_is(value.type, CU_EXTENT_TYPE) ? EXTENT
                                                : 0;
}

/* What the parenthesis at `open`, as whose k-th argument it stands, wants. */
static unsigned call_says(struct search *s, struct cu *f, uint32_t open, uint32_t k) {
    uint32_t name = open - 1;
    if (near_is(f, open, name, ">")) { /* f<T>(x), static_cast<T>(x) */
        uint32_t end = name;
        while (name > 0 && !cu_is(f, name, "<")) name--;
        if (name-- == 0) return UNKNOWN;
        if (str_ends(cu_text(f, name), S("_cast"))) return type_says(s, f, name + 2, end);
    }
    if (!near_is(f, open, name, "auto") && !cu_is_word(f, name)) return UNKNOWN;
    if (rules_lists(f->rules, "cuda.keywords", cu_text(f, name))) return VALUE;
    uint32_t type = type_before(f, name);
    bool qualified = near_is(f, open, name - 1, "::");
    unsigned said = qualified ? 0 : value_says(s, f, open, k);
    if (said) return said;
    if (type < name && !qualified) return variable_says(s, f, name); /* Type variable(x) */
    said = words_say(f, name, open);                                 /* uint3(x) */
    if (!said) said = parameter_says(s, cu_text(f, name), k);
    if (!said) {
        said = type_says(s, f, name, open);
        if (said & INDEX && said & EXTENT) return UNKNOWN; /* which one a specialization takes */
    }
    if (!said && qualified &&
        rules_lists(f->rules, "cuda.template_libraries", cu_text(f, name - 2)))
        return VALUE;
    if (!said && (near_is(f, open, name - 1, ":") || near_is(f, open, name - 1, ",")))
        return variable_says(s, f, name);    /* of a constructor's list */
    if (!said && !qualified && type == name) /* a lambda, or a parameter F f */
        said = variable_says(s, f, name) & VALUE;
    return said ? said : UNKNOWN;
}

/* What the brace at `open` makes wants. */
static unsigned braces_say(struct search *s, struct cu *f, uint32_t open, uint32_t k) {
    uint32_t before = open - 1;
    unsigned value = value_says(s, f, open, k);
    if (value) return value;
    if (near_is(f, open, before, "return")) return result_says(s, f, before);
    if (near_is(f, open, before, "=")) before--;
    if (near_is(f, open, before, "]"))
        return variable_says(s, f, f->tokens.v[before].partner - 1) & ~(unsigned)ITSELF;
    if (!cu_is_word(f, before) && !cu_is(f, before, ">")) return UNKNOWN;
    if (cu_is(f, before, ">") || type_before(f, before) == before) {
        unsigned said = type_says(s, f, type_before(f, open), open);
        if (said) return said;
    }
    return cu_is_word(f, before) ? variable_says(s, f, before) : UNKNOWN;
}

/* Whether what stands at token i ends, or begins, the operands of a ?: */
static bool ends_choice(const struct cu *f, uint32_t i) {
    static const char *const marks[] = {"(", ")", "{", "}", "[", "]", ",", ";", "=", "return"};
    for (size_t k = 0; k < ARRAY_LEN(marks); k++)
        if (cu_is(f, i, marks[k])) return true;
    return false;
}

/* What the ?: wants that has [first, last) for its second or third operand; false: it has not. */
static bool is_choice(struct search *s, struct cu *f, uint32_t first, uint32_t last,
                      unsigned *want) {
    bool asked = false;
    uint32_t start = first, end = last;
    if (!near_is(f, first, first - 1, "?") && !near_is(f, first, first - 1, ":")) return false;
    while (start > 0 && f->tokens.v[start - 1].directive == f->tokens.v[first].directive) {
        uint32_t t = start - 1, partner = f->tokens.v[t].partner;
        if (partner != NO_NODE && partner < t) {
            start = partner;
            continue;
        }
        if (ends_choice(f, t)) break;
        asked |= cu_is(f, t, "?");
        start = t;
    }
    while (end < f->tokens.n && f->tokens.v[end].directive == f->tokens.v[first].directive) {
        uint32_t partner = f->tokens.v[end].partner;
        if (partner != NO_NODE && partner > end)
            end = partner;
        else if (ends_choice(f, end))
            break;
        end++;
    }
    if (!asked) return false;
    s->chosen = true;
    *want = wanted(s, f, start, end);
    if (!*want) *want = VALUE; /* (c ? a : b).x */
    return true;
}

/* Whether an operator takes what ends before token `last`. */
static bool is_operand(const struct cu *f, uint32_t i, uint32_t last) {
    return last < f->tokens.n && f->tokens.v[last].directive == f->tokens.v[i].directive &&
           !cu_is(f, last, ":") && !ends_choice(f, last);
}

/* Whether the token is an operator between two operands, the second of which stands behind it. */
static bool is_binary(const struct cu *f, uint32_t i) {
    static const char *const all[] = {"+", "-", "*", "/", "%"};
    bool any = false;
    for (size_t k = 0; k < ARRAY_LEN(all); k++) any |= cu_is(f, i, all[k]);
    return any && i > 0 &&
           ((cu_is_word(f, i - 1) && !cu_is(f, i - 1, "return")) || cu_is(f, i - 1, ")") ||
            cu_is(f, i - 1, "]"));
}

/* Whether the expression that begins at token i is one of a launch's: kernel<<<x, y>>>. */
static bool is_configuration(const struct cu *f, uint32_t i) {
    for (uint32_t t = i; t-- > 0 && f->tokens.v[t].directive == f->tokens.v[i].directive;) {
        uint32_t partner = f->tokens.v[t].partner;
        if (cu_is(f, t, "<<<")) return true;
        if (cu_is(f, t, ";") || cu_is(f, t, ">>>")) return false;
        if (partner == NO_NODE) continue;
        if (partner > t) return false; /* a bracket around it */
        t = partner;
    }
    return false;
}

/* What the place of the expression [first, last) wants. */
static unsigned wanted(struct search *s, struct cu *f, uint32_t first, uint32_t last) {
    uint32_t i = first, before, commas;
    unsigned said;
    for (before = first - 1; first > 1 && near_is(f, i, before, "(") && near_is(f, i, last, ")");
         before = first - 1) {
        bool callee = cu_is_word(f, before - 1) || cu_is(f, before - 1, ">") ||
                      cu_is(f, before - 1, ")") || cu_is(f, before - 1, "]");
        if (callee && !cu_is(f, before - 1, "return")) break;
        first--, last++;
    }
    uint32_t begin = first;
    if (!f->tokens.v[i].directive)
        while (begin > 0 && f->tokens.v[begin - 1].directive) begin--;
    if (begin == 0) return AS_IS; /* no code is before it */
    if (near_is(f, i, before, "&")) {
        bool binary = near_word(f, i, before - 1) || near_is(f, i, before - 1, ")") ||
                      near_is(f, i, before - 1, "]");
        if (!binary) return ADDRESS;
    }
    uint32_t directive = f->tokens.v[i].directive;
    if (directive) {
        const struct cu_directive *d = &f->directives.v[directive - 1];
        if (d->kind != CD_DEFINE || i <= d->first + 2) return AS_IS;
        if (first == d->first + 3 && last >= d->last) return uses_say(s, f, d->first + 2);
    }
    if (near_is(f, i, last, ".") || near_word(f, i, before))
        return AS_IS; /* extern dim3 blockDim */
    uint32_t list = near_is(f, i, before, ")") ? f->tokens.v[before].partner : NO_NODE;
    if (list != NO_NODE && list > 0 && near_word(f, i, list - 1)) return AS_IS; /* f(x) blockDim */
    if (is_choice(s, f, first, last, &said)) return said;
    bool closes = near_is(f, i, last, ">") && near_is(f, i, last + 1, ">") &&
                  near_is(f, i, last + 2, ">"); /* perhaps a launch's */
    if ((is_operand(f, i, last) && !closes) || is_binary(f, before)) return VALUE;
    if (is_configuration(f, first)) return EXTENT;
    if (near_is(f, i, before, "return")) return result_says(s, f, before);
    if (near_is(f, i, before, ")")) { /* (T)x */
        uint32_t open = f->tokens.v[before].partner;
        said = open == NO_NODE ? 0 : type_says(s, f, open + 1, before);
        return said ? said : UNKNOWN;
    }
    if (near_is(f, i, before, "=")) {
        uint32_t name = before - 1;
        uint32_t open = bracket_around(f, name + 1, &commas);
        if (near_is(f, i, name, "]") && near_is(f, i, f->tokens.v[name].partner - 1, "auto"))
            return UNKNOWN; /* auto [x, y, z] = */
        while (near_is(f, i, name, "]") && f->tokens.v[name].partner != NO_NODE)
            name = f->tokens.v[name].partner - 1;
        if (!near_word(f, i, name)) return UNKNOWN;
        return open != NO_NODE && cu_is(f, open, "[") ? VALUE : variable_says(s, f, name);
    }
    if (near_is(f, i, before, "(") || near_is(f, i, before, ",") || near_is(f, i, before, "{") ||
        near_is(f, i, before, "[")) {
        uint32_t open = bracket_around(f, first, &commas);
        if (open == NO_NODE || open == 0) return UNKNOWN;
        if (cu_is(f, open, "(")) return call_says(s, f, open, commas);
        if (!cu_is(f, open, "{")) return VALUE;
        said = braces_say(s, f, open, commas);
        s->braced = said & ITSELF && open + 1 == first && near_is(f, i, last, "}");
        return said;
    }
    return near_is(f, i, before, ";") || near_is(f, i, before, "}") ? AS_IS : VALUE;
}

/* Whether an operator of the program's own takes a dim3. */
static bool takes_extent(struct search *s) {
    struct cu *f;
    for (size_t n = 0; (f = text_of(s, n)); n++)
        for (uint32_t i = 0; i + 2 < f->tokens.n; i++) {
            uint32_t close = f->tokens.v[i + 2].partner;
            if (!cu_is(f, i, "operator") || !cu_is(f, i + 2, "(") || close == NO_NODE) continue;
            if (words_say(f, i + 3, close) & EXTENT) return true;
        }
    return false;
}

/* Whether the other operand of the operator beside tokens [first, last) is a whole index. */
static bool is_beside_index(const struct cu *f, uint32_t first, uint32_t last) {
    uint32_t t = first - 2, u = last + 1;
    bool before = first > 2 && is_binary(f, first - 1) && cu_is_word(f, t) &&
                  !near_is(f, first, t - 1, ".") && str_ends(cu_text(f, t), S("Idx"));
    bool behind = u + 1 < f->tokens.n && is_binary(f, last) && cu_is_word(f, u) &&
                  !near_is(f, first, u + 1, ".") && str_ends(cu_text(f, u), S("Idx"));
    return (before && rules_lists(f->rules, "cuda.index_vectors", cu_text(f, t))) ||
           (behind && rules_lists(f->rules, "cuda.index_vectors", cu_text(f, u)));
}

/* The row for what is wanted of the vector of that name; NULL: it stays. */
static const char *answer(const struct search *s, unsigned want, bool is_index) {
    bool chosen = s->chosen;
    if (want & ADDRESS) return "cm::index_address";
    unsigned own = is_index ? INDEX : EXTENT, other = is_index ? EXTENT : INDEX;
    if (want & own)
        want = own;
    else if (want & VALUE)
        want = own, chosen = true;
    else if (want & other)
        want = other;
    else
        return want & UNKNOWN ? "cm::index_unknown" : NULL;
    if (want == INDEX) return s->braced ? "cm::index_members" : "cm::index_argument";
    return chosen ? "cm::index_extent" : NULL;
}

/* A dim3 where a uint3 is wanted, or the other way round: the variable, or the member of one, that
 * tokens [first, last) are. */
static void judge_variable(struct cu *f, uint32_t first, uint32_t last, struct str type) {
    struct search s = {.f = f};
    struct cu_match m = {.kind = CU_SYMBOL, .first = first, .last = last};
    bool is_index = str_is(type, CU_INDEX_TYPE);
    if ((!is_index && !str_is(type, CU_EXTENT_TYPE)) || cu_region_at(f, f->tokens.v[first].start))
        return;
    unsigned want = wanted(&s, f, first, last);
    if (!(want & (is_index ? EXTENT : INDEX)) || want & ~(unsigned)(INDEX | EXTENT | ITSELF) ||
        want & (is_index ? INDEX : EXTENT))
        return;
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].kind == CU_SEQUENCE && f->matches.v[i].first <= first &&
            f->matches.v[i].last >= last)
            return;
    const char *key = is_index   ? "cm::extent_members"
                      : s.braced ? "cm::index_members"
                                 : "cm::index_argument";
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, str_of(key), &cursor, &m.row)) return;
    m.cell = row_cell(m.row, f->target);
    if (!m.cell || m.cell->verdict == V_SAME) return;
    m.token = cu_span(f, first, last);
    m.start = f->tokens.v[first].start;
    m.end = f->tokens.v[last - 1].end;
    m.directive = f->tokens.v[first].directive;
    m.certainty = C_EXACT;
    m.verdict = m.cell->verdict;
    vec_push(f->a, &f->matches, m);
}

/* dim3(x, y, z) where a uint3 is wanted, make_uint3(x, y, z) where a dim3 is: the call at token
 * i. */
static void judge_maker(struct cu *f, uint32_t i) {
    struct search s = {.f = f};
    struct cu_call call = {0};
    struct row_ref row;
    size_t cursor = 0;
    bool is_index = !cu_is(f, i, CU_EXTENT_TYPE);
    if (!cu_read_call(f, i + 1, &call) || cu_region_at(f, f->tokens.v[i].start)) return;
    unsigned want = wanted(&s, f, i, call.close + 1);
    if (!(want & (is_index ? EXTENT : INDEX)) || want & ~(unsigned)(INDEX | EXTENT | ITSELF) ||
        want & (is_index ? INDEX : EXTENT) || s.braced)
        return;
    const char *key = is_index                ? "cm::extent_maker"
                      : call.arguments.n == 3 ? "cm::index_maker"
                                              : "cm::index_unknown";
    if (!rules_find(f->rules, M_SYMBOL, str_of(key), &cursor, &row)) return;
    const struct rcell *cell = row_cell(row, f->target);
    for (size_t n = 0; cell && n < f->matches.n; n++) {
        struct cu_match *m = &f->matches.v[n];
        if (m->kind == CU_SEQUENCE && m->first <= i && m->last > i) return;
        if (m->kind != CU_SYMBOL || m->first != i) continue;
        m->row = row;
        m->cell = cell;
        m->verdict = cell->verdict;
        m->message = (struct str){0};
    }
}

/* Variables of both types, calls that make one, and members of them whose class can be read. */
static void match_variables(struct cu *f) {
    bool any = cu_first_word(f, S(CU_INDEX_TYPE)) != NO_NODE;
    cu_read_included(f);
    for (size_t n = 0; n < f->included.n && !any; n++)
        any = cu_first_word(f->included.v[n], S(CU_INDEX_TYPE)) != NO_NODE;
    for (uint32_t i = 1; any && i + 1 < f->tokens.n; i++) {
        bool named = cu_is_word(f, i) && !near_is(f, i, i - 1, ".") &&
                     !near_is(f, i, i - 1, "->") && !near_is(f, i, i - 1, "::") &&
                     !near_word(f, i, i - 1) && !near_is(f, i, i + 1, "(");
        bool makes = cu_is(f, i, CU_EXTENT_TYPE) || cu_is(f, i, CU_INDEX_MAKER);
        if (makes && !f->tokens.v[i].directive && cu_is(f, i + 1, "(") && !near_word(f, i, i - 1))
            judge_maker(f, i);
        if (!named || f->tokens.v[i].directive) continue;
        uint32_t last = i + 1;
        bool points = cu_is(f, last, "->");
        bool member = (points || cu_is(f, last, ".")) && cu_is_word(f, last + 1);
        if (member) last += 2;
        bool ends = cu_is(f, last, ";") || cu_is(f, last, ",") || cu_is(f, last, ")") ||
                    cu_is(f, last, "}") || cu_is(f, last, ":") || cu_is(f, last, "?") ||
                    (cu_is(f, last, ">") && cu_is(f, last + 1, ">")); /* >>> of a launch */
        if (!ends || cu_is(f, i - 1, "*") || cu_is(f, i - 1, "<")) continue;
        if (cu_is(f, i - 1, "&") && !is_binary(f, i - 1)) continue;
        struct cu_shape shape = cu_variable_shape(f, i, points && member);
        struct cu_class class;
        if (shape.arrays || !shape.type.n) continue;
        if (member) {
            if (!cu_resolve(f, &shape, &class) || shape.arrays) continue;
            const struct cu_member *m = cu_member_of(&class, cu_text(f, last - 1));
            if (!m || m->type.arrays) continue;
            shape = m->type;
        }
        judge_variable(f, i, last, shape.type);
    }
}

void cu_match_indices(struct cu *f) {
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::index_argument"), &cursor, &row)) return;
    const struct rcell *cell = row_cell(row, f->target);
    if (!cell || cell->verdict == V_SAME) return;
    for (size_t n = 0; n < f->matches.n; n++) {
        struct cu_match *m = &f->matches.v[n];
        bool whole = m->kind == CU_SYMBOL && m->first > 0 && m->last == m->first + 1 &&
                     rules_lists(f->rules, "cuda.index_vectors", m->token);
        if (!whole) continue;
        struct search s = {.f = f};
        unsigned want = wanted(&s, f, m->first, m->last);
        bool is_index = str_ends(m->token, S("Idx"));
        if (!is_index && want == VALUE && is_beside_index(f, m->first, m->last) &&
            !takes_extent(&s))
            want = INDEX;
        const char *key = answer(&s, want, is_index);
        cursor = 0;
        if (!key || !rules_find(f->rules, M_SYMBOL, str_of(key), &cursor, &row)) continue;
        cell = row_cell(row, f->target);
        if (!cell) continue;
        m->row = row;
        m->cell = cell;
        m->verdict = cell->verdict;
        m->message = (struct str){0};
    }
    match_variables(f);
}
