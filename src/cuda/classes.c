/* SPDX-License-Identifier: Apache-2.0 */
/* classes.c - types as far as tokens tell: what classes without constructors hold, by the file and
 * its headers, and which types are lists of others. */
#include "cuda/classes.h"

enum { DEEP = 6 };

static struct str trim(struct str s) {
    while (s.n && s.p[0] == ' ') s = str_sub(s, 1, s.n);
    while (s.n && s.p[s.n - 1] == ' ') s = str_sub(s, 0, s.n - 1);
    return s;
}

/* The first word of the text. */
static struct str first_word(struct str s) {
    size_t n = 0;
    while (n < s.n && is_word_char(s.p[n])) n++;
    return str_sub(s, 0, n);
}

/* What stands between the angle brackets of `s`, up to its first comma; empty: it has none. */
static struct str first_argument(struct str s) {
    size_t open = str_find(s, S("<"), 0), end = open + 1;
    if (open == s.n || s.p[s.n - 1] != '>') return (struct str){0};
    for (int depth = 1; end < s.n; end++) {
        if (s.p[end] == '<') depth++;
        if (s.p[end] == '>' && --depth == 0) break;
        if (s.p[end] == ',' && depth == 1) break;
    }
    return str_sub(s, open + 1, end);
}

struct cu_shape cu_shape_of(const struct cu *f, struct str words) {
    struct cu_shape shape = {0};
    for (int deep = 0; deep < DEEP; deep++) {
        words = trim(words);
        struct str word = first_word(words);
        while (word.n && word.n < words.n &&
               (rules_lists(f->rules, "cuda.no_types", word) ||
                rules_lists(f->rules, "cuda.qualifiers", word))) {
            words = trim(str_sub(words, word.n, words.n));
            word = first_word(words);
        }
        while (words.n && (words.p[words.n - 1] == '&' || str_ends(words, S(" const"))))
            words = trim(str_sub(words, 0, words.n - (words.p[words.n - 1] == '&' ? 1 : 6)));
        if (str_starts(words, S("std::"))) words = str_sub(words, 5, words.n);
        if (str_find(words, S("*"), 0) < words.n) return (struct cu_shape){0};
        word = first_word(words);
        bool list = str_is(word, "vector") || str_is(word, "initializer_list");
        if (!list && !str_is(word, "array")) break;
        struct str of = first_argument(words);
        if (!of.n) break;
        shape.arrays++;
        shape.nests |= !list;
        shape.grows |= list;
        words = of;
    }
    shape.type = words;
    return shape;
}

/* The number between the bracket at `open` and its other one; 0: another thing stands there. */
static uint32_t extent_at(const struct cu *in, uint32_t open) {
    int64_t n = 0;
    bool number = in->tokens.v[open].partner == open + 2 && cu_integer(cu_text(in, open + 1), &n);
    return number && n > 0 && n < UINT16_MAX ? (uint32_t)n : 0;
}

/* The members that tokens [first, last), a statement of a class's body, declare. */
static void read_members(struct cu *f, struct cu *in, uint32_t first, uint32_t last,
                         struct cu_class *class) {
    uint32_t name = first, end;
    while (name < last && !cu_is(in, name, ",") && !cu_is(in, name, "=") &&
           !cu_is(in, name, "{") && !cu_is(in, name, "[") && !cu_is(in, name, ":"))
        name++;
    if (name < first + 2 || !cu_is_word(in, name - 1)) return;
    uint32_t type_end = --name;
    while (type_end > first && cu_is(in, type_end - 1, "*")) type_end--;
    for (; name < last; name = end + 1) {
        struct cu_member m = {.type = cu_shape_of(in, cu_span(in, first, type_end))};
        while (cu_is(in, name, "*") || cu_is(in, name, "&")) name++;
        if (!cu_is_word(in, name)) return;
        if (cu_is(in, name - 1, "*") || cu_is(in, name - 1, "&")) m.type = (struct cu_shape){0};
        m.name = cu_text(in, name);
        m.type.elements = m.type.arrays == 0;
        for (end = name + 1; end < last && !cu_is(in, end, ",");) {
            uint32_t partner = in->tokens.v[end].partner;
            if (cu_is(in, end, "[")) m.type.arrays++, m.type.elements *= extent_at(in, end);
            class->given |= cu_is(in, end, "=") || cu_is(in, end, "{");
            end = partner != NO_NODE && partner > end ? partner + 1 : end + 1;
        }
        vec_push(f->a, &class->members, m);
    }
}

/* The bases between the class's name and its body; false: not all of them are everybody's. */
static bool read_bases(struct cu *f, struct cu_class *class, uint32_t name) {
    struct cu *in = class->in;
    struct cu_call bases = {0};
    bool open = cu_is(in, name - 1, "struct");
    if (name + 1 < class->open) cu_split(in, name + 2, class->open, &bases);
    for (size_t k = 0; k < bases.arguments.n; k++) {
        struct cu_argument a = bases.arguments.v[k];
        bool public = open;
        for (; cu_is(in, a.first, "public") || cu_is(in, a.first, "private") ||
               cu_is(in, a.first, "protected") || cu_is(in, a.first, "virtual");
             a.first++)
        public = cu_is(in, a.first, "public");
        struct cu_member m = {.type = cu_shape_of(in, cu_span(in, a.first, a.last))};
        if (!public) return false;
        vec_push(f->a, &class->members, m);
    }
    return true;
}

/* Fills *class with what its body holds; false: it has a constructor. */
static bool read_body(struct cu *f, struct cu_class *class) {
    struct cu *in = class->in;
    struct str name = class->name;
    uint32_t first = class->open + 1, close = in->tokens.v[class->open].partner;
    for (uint32_t i = first; i < close; i++) {
        uint32_t partner = in->tokens.v[i].partner;
        bool call = cu_is(in, i, "(");
        if (cu_is(in, i, "virtual") || cu_is(in, i, "private") || in->tokens.v[i].directive)
            return false;
        if (call && i > first && str_eq(cu_text(in, i - 1), name)) return false;
        if (cu_is(in, i, ":") && i == first + 1) { /* public: */
            first = i + 1;
        } else if (call || cu_is(in, first, "static") || cu_is(in, first, "using") ||
                   cu_is(in, first, "friend") || cu_is(in, first, "typedef") ||
                   cu_is(in, first, "template") || cu_is(in, first, "enum")) {
            bool function = call; /* skipped with its body */
            while (i < close && !cu_is(in, i, ";") && !(function && cu_is(in, i, "{"))) {
                partner = in->tokens.v[i].partner;
                if (cu_is(in, i, "(")) function = true;
                if (function && cu_is(in, i, "(") && i > first && str_eq(cu_text(in, i - 1), name))
                    return false;
                i = partner != NO_NODE && partner > i ? partner + 1 : i + 1;
            }
            if (cu_is(in, i, "{")) i = in->tokens.v[i].partner;
            if (i == NO_NODE) return false;
            if (cu_is(in, i, "}") && cu_is(in, i + 1, ";")) i++;
            first = i + 1;
        } else if (cu_is(in, i, ";")) {
            read_members(f, in, first, i, class);
            first = i + 1;
        } else if (partner != NO_NODE && partner > i) {
            i = partner;
        }
    }
    return true;
}

/* Where the class's body opens that the name at token i is of, or what it is another name of. */
static uint32_t body_of(const struct cu *in, uint32_t i, struct str *alias) {
    uint32_t p = i;
    if (cu_is(in, i - 1, "using") && cu_is(in, i + 1, "=")) {
        while (p < in->tokens.n && !cu_is(in, p, ";")) p++;
        *alias = cu_span(in, i + 2, p);
    } else if (cu_is(in, i + 1, ";") && cu_is(in, i - 1, "}")) {
        uint32_t open = in->tokens.v[i - 1].partner;
        for (p = open; open != NO_NODE && p > 0 && open - p < 8; p--)
            if (cu_is(in, p, "typedef")) return open;
    } else if (cu_is(in, i + 1, ";")) {
        while (p > 0 &&
               (cu_is_word(in, p - 1) || cu_is(in, p - 1, "::") || cu_is(in, p - 1, ">") ||
                cu_is(in, p - 1, "<")) &&
               !cu_is(in, p - 1, "typedef"))
            p--;
        if (p > 0 && cu_is(in, p - 1, "typedef")) *alias = cu_span(in, p, i);
    } else if (cu_is(in, i + 1, "{") || cu_is(in, i + 1, ":")) {
        uint32_t open = i + 1;
        bool derived = cu_is(in, open, ":"); /* struct name : base { */
        if (derived && (cu_is(in, i - 2, "enum") ||
                        (!cu_is(in, i - 1, "struct") && !cu_is(in, i - 1, "class"))))
            return NO_NODE;
        while (derived && open < in->tokens.n && !cu_is(in, open, "{") && !cu_is(in, open, ";"))
            open++;
        if (!cu_is(in, open, "{")) return NO_NODE;
        for (; p > 0 && i - p < 8 && !cu_is(in, p - 1, ";") && !cu_is(in, p - 1, "}") &&
               !cu_is(in, p - 1, ":");
             p--)
            if (cu_is(in, p - 1, "struct") || cu_is(in, p - 1, "class") ||
                cu_is(in, p - 1, "union"))
                return in->tokens.v[open].partner == NO_NODE ? NO_NODE : open;
    }
    return NO_NODE;
}

/* What the file and its headers say of a name. */
struct cu_known_class {
    struct str name;
    struct cu_class class;
    struct cu_shape other; /* that it is another name of */
    uint32_t many;         /* definitions */
    bool plain;            /* of `class`: there is one, without constructors */
    struct cu_known_class *next;
};

/* Reads what there is of that name. */
static void find_class(struct cu *f, struct cu_known_class *k) {
    struct cu_class *class = &k->class;
    uint32_t name = 0;
    struct str alias = {0};
    class->name = k->name;
    for (size_t n = 0; n <= f->included.n; n++) {
        struct cu *in = n ? f->included.v[n - 1] : f;
        for (uint32_t i = cu_first_word(in, k->name); i != NO_NODE;
             i = cu_next_word(in, i, k->name)) {
            if (i == 0 || i + 1 == in->tokens.n) continue;
            struct str now = {0};
            uint32_t at = body_of(in, i, &now);
            if (at != NO_NODE) class->in = in, class->open = at, name = i, k->many++;
            if (now.n) alias = now, k->many += !str_eq(now, k->name);
        }
    }
    if (k->many != 1) return;
    if (alias.n)
        k->other = cu_shape_of(f, alias);
    else
        k->plain = (name > class->open || read_bases(f, class, name)) && read_body(f, class);
}

/* What is known of a name; each is looked for once. */
static const struct cu_known_class *known_class(struct cu *f, struct str name) {
    enum { BUCKETS = 64 };
    struct cu_known_class *none = NULL;
    cu_read_included(f);
    while (f->classes.n < BUCKETS) vec_push(f->a, &f->classes, none);
    struct cu_known_class **bucket = &f->classes.v[str_hash(name) % BUCKETS], *k = *bucket;
    while (k && !str_eq(k->name, name)) k = k->next;
    if (k) return k;
    k = arena_zalloc(f->a, sizeof *k);
    k->name = name;
    k->next = *bucket;
    *bucket = k;
    find_class(f, k);
    return k;
}

bool cu_is_vector(struct cu *f, struct str type) {
    return rules_lists(f->rules, "cuda.vector_types", type) && !known_class(f, type)->many;
}

/* Follows other names of the type; NULL: no class is known by the last one. */
static const struct cu_known_class *resolve(struct cu *f, struct cu_shape *shape) {
    for (int deep = 0; deep < DEEP; deep++) {
        struct str name = shape->type;
        for (size_t i = 0; i + 1 < name.n; i++) /* N::T */
            if (name.p[i] == ':' && name.p[i + 1] == ':') {
                name = str_sub(name, i + 2, name.n);
                i = 0;
            }
        name = str_sub(name, 0, str_find(name, S("<"), 0));
        if (!name.n) return NULL;
        const struct cu_known_class *k = known_class(f, name);
        if (k->many == 1 && k->class.in) return k;
        if (!k->other.type.n) return NULL;
        shape->type = k->other.type;
        shape->arrays += k->other.arrays;
        if (k->other.arrays) shape->elements = 0;
    }
    return NULL;
}

bool cu_resolve(struct cu *f, struct cu_shape *shape, struct cu_class *class) {
    const struct cu_known_class *k = resolve(f, shape);
    *class = k && k->plain ? k->class : (struct cu_class) { 0 };
    return k && k->plain;
}

bool cu_resolve_constructed(struct cu *f, struct cu_shape *shape, struct cu_class *class) {
    const struct cu_known_class *k = resolve(f, shape);
    *class = k && !k->plain ? k->class : (struct cu_class) { 0 };
    return k && !k->plain;
}

/* How many of a function's parameters have no default. */
static size_t needed_parameters(const struct cu *in, const struct cu_call *call) {
    for (size_t k = 0; k < call->arguments.n; k++)
        for (uint32_t i = call->arguments.v[k].first; i < call->arguments.v[k].last; i++)
            if (cu_is(in, i, "=")) return k;
    return call->arguments.n;
}

struct cu_shape cu_constructor_shape(const struct cu_class *class, size_t k, size_t count) {
    struct cu_shape found = {0}, none = {0};
    struct cu *in = class->in;
    for (uint32_t i = class->open + 1; i < in->tokens.v[class->open].partner; i++) {
        struct cu_call call = {0};
        uint32_t partner = in->tokens.v[i].partner;
        bool own = cu_is_word(in, i) && str_eq(cu_text(in, i), class->name) &&
                   cu_is(in, i + 1, "(") && !cu_is(in, i - 1, "~");
        if (partner != NO_NODE && partner > i) i = partner;
        if (!own || !cu_read_call(in, i + 1, &call)) continue;
        if (call.arguments.n < count || needed_parameters(in, &call) > count) continue;
        struct cu_argument a = call.arguments.v[k];
        struct cu_shape now = cu_shape_of(in, cu_span(in, a.first, cu_type_end(in, a)));
        if (count == 1 && str_eq(now.type, class->name)) continue; /* it copies */
        if (!now.type.n || (found.type.n && !str_eq(found.type, now.type))) return none;
        found = now;
    }
    return found;
}

const struct cu_member *cu_member_of(const struct cu_class *class, struct str name) {
    for (size_t i = 0; i < class->members.n; i++)
        if (str_eq(class->members.v[i].name, name)) return &class->members.v[i];
    return NULL;
}

/* ---- variables ---- */

uint32_t cu_type_start(const struct cu *f, uint32_t i) {
    uint32_t p = i;
    while (p > 0 && f->tokens.v[p - 1].directive == f->tokens.v[i].directive) {
        if (cu_is(f, p - 1, ">")) {
            uint32_t open = p - 1;
            while (open > 0 && p - open < 64 &&
                   (!cu_is(f, open, "<") || cu_template_end(f, open) != p - 1))
                open--;
            if (!cu_is(f, open, "<") || open == 0 || cu_template_end(f, open) != p - 1) break;
            p = open;
        } else if (cu_is_word(f, p - 1) || cu_is(f, p - 1, "::") || cu_is(f, p - 1, "&") ||
                   cu_is(f, p - 1, "*")) {
            if (cu_is(f, p - 1, "return") || cu_is(f, p - 1, "else") || cu_is(f, p - 1, "new") ||
                cu_is(f, p - 1, "case") || cu_is(f, p - 1, "throw"))
                break;
            p--;
        } else {
            break;
        }
    }
    while (p < i && !cu_is_word(f, p)) p++;
    return p;
}

/* The words of the type with which the statement begins whose declarator behind a comma is the
 * name at token i. */
static struct str type_of_list(const struct cu *f, uint32_t i) {
    uint32_t start = i, name;
    while (start > 0 && !cu_is(f, start - 1, ";") && !cu_is(f, start - 1, "(")) {
        uint32_t partner = f->tokens.v[start - 1].partner;
        bool within = cu_is(f, start - 1, "}") && cu_is(f, start, ",");
        if (cu_is(f, start - 1, "{") || (cu_is(f, start - 1, "}") && !within)) break;
        start = partner != NO_NODE && partner < start ? partner : start - 1;
    }
    for (name = start; name < i && !cu_is(f, name, "=") && !cu_is(f, name, "{") &&
                       !cu_is(f, name, "(") && !cu_is(f, name, "[") && !cu_is(f, name, ",");) {
        uint32_t end = cu_is(f, name, "<") ? cu_template_end(f, name) : NO_NODE;
        name = end == NO_NODE ? name + 1 : end + 1;
    }
    bool declares = name > start + 1 && name < i && cu_type_start(f, name - 1) == start;
    return declares ? cu_span(f, start, name - 1) : (struct str){0};
}

struct cu_shape cu_variable_shape(struct cu *f, uint32_t i, uint32_t subscripts) {
    enum { FAR = 500 };
    struct str type = cu_declared_type(f, i, cu_text(f, i));
    uint32_t p = i;
    for (int n = 0; !first_word(type).n && p != NO_NODE && n < FAR;
         n++, p = cu_same_before(f, p)) {
        uint32_t start = cu_type_start(f, p); /* std::vector<int> &name */
        type = start < p ? cu_span(f, start, p) : (struct str){0};
        if (!type.n && cu_is(f, p - 1, ",")) type = type_of_list(f, p);
    }
    while (subscripts && type.n && (type.p[type.n - 1] == '*' || type.p[type.n - 1] == ' '))
        subscripts -= type.p[type.n - 1] == '*', type = str_sub(type, 0, type.n - 1);
    struct cu_shape shape = cu_shape_of(f, type);
    shape.arrays -= shape.arrays < subscripts ? shape.arrays : subscripts;
    return shape;
}
