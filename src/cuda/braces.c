/* SPDX-License-Identifier: Apache-2.0 */
/* braces.c - what braces are for, and what a target does not take in them.
 *
 * CUDA's vectors are aggregates; HIP's have constructors, for all members or for one number that
 * all get. So `{.x = 1}` does not compile, and `{1}` means something else. And clang refuses a
 * number that braces narrow, which nvcc leaves to gcc. What a list initialises is told by the
 * words before it, by the class around it, by a function's result or parameter; classes and
 * functions are read in the file and its headers. Where nothing tells what members by a vector's
 * names are of, that is told. */
#include "cuda/classes.h"

#include <stdio.h>

enum { DEEP = 12 };

struct braces {
    struct cu *f;
    bool *known;  /* [token] of {: what it is for */
    bool narrows; /* clang compiles the file, which refuses numbers that braces narrow */
};

static void judge(struct braces *b, uint32_t open, struct cu_shape shape, int depth);

/* ---- vectors ---- */

/* How many members a type of CUDA's has that has no constructor there; 0: it is none. */
static uint32_t members_of_vector(struct cu *f, struct str type) {
    if (!cu_is_vector(f, type)) return 0;
    if (rules_lists(f->rules, "cuda.complex_types", type)) return 2;
    char last = type.p[type.n - 1];
    bool plain = !str_starts(type, S("__")) && !str_starts(type, S("nv_")) &&
                 !rules_lists(f->rules, "cuda.half_types", type) && !str_is(type, CU_EXTENT_TYPE);
    return plain && last >= '1' && last <= '4' ? (uint32_t)(last - '0') : 0;
}

/* Which member of a vector the designator at token i is of; 4: none. */
static uint32_t designated(const struct cu *f, uint32_t i) {
    static const char *const names[] = {"x", "y", "z", "w"};
    uint32_t k = 0;
    while (k < 4 && !(cu_is(f, i, ".") && cu_is(f, i + 1, names[k]))) k++;
    return k;
}

/* Whether tokens of another match are among [first, last). */
static bool is_taken(const struct cu *f, uint32_t first, uint32_t last) {
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        if (m->kind == CU_SEQUENCE && m->first <= first && m->last >= last) return true;
    }
    return false;
}

/* The vector's list at `open`, whose members are those of `mask`. */
static void write_members(struct cu *f, uint32_t open, uint32_t size, uint32_t mask,
                          const struct cu_capture *captures) {
    struct cu_match m = {.kind = CU_SEQUENCE, .first = open};
    char key[64], *at = key;
    m.last = f->tokens.v[open].partner + 1;
    if (is_taken(f, m.first, m.last)) return;
    at += snprintf(at, 32, "cm::vector%u(", size);
    for (uint32_t k = 0, any = 0; k < size; k++)
        if (mask >> k & 1) at += snprintf(at, 12, "%s$%c...", any++ ? ", " : "", "xyzw"[k]);
    snprintf(at, 2, ")");
    if (!cu_find_row(f, key, &m)) return;
    for (uint32_t k = 0; k < size; k++)
        if (mask >> k & 1) vec_push(f->a, &m.captures, captures[k]);
    cu_add_found(f, m);
}

static void judge_value(struct braces *b, uint32_t first, uint32_t last, struct cu_shape shape,
                        int depth);

/* Whether the target's vectors take other lists than CUDA's. */
static bool are_constructed(const struct cu *f) {
    struct cu_match unused = {0};
    return cu_find_row(f, "cm::vector_run($x...)", &unused);
}

static void judge_vector(struct braces *b, uint32_t open, uint32_t size, struct str type,
                         int depth) {
    struct cu *f = b->f;
    static const char *const names[] = {"x", "y", "z", "w"};
    struct cu_call list = {0};
    struct cu_capture captures[4];
    uint32_t mask = 0;
    cu_split(f, open + 1, f->tokens.v[open].partner, &list);
    if (list.arguments.n && list.arguments.v[list.arguments.n - 1].first ==
                                list.arguments.v[list.arguments.n - 1].last)
        list.arguments.n--; /* {1, 2,} */
    uint32_t n = (uint32_t)list.arguments.n;
    if (n == 0 || n > size) return;
    bool by_name = cu_is(f, open + 1, ".");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = list.arguments.v[i].first, last = list.arguments.v[i].last, k = i;
        if (by_name) {
            k = designated(f, first);
            first += 2;
            if (k >= size || mask >> k) return;
            if (cu_is(f, first, "="))
                first++;
            else if (!cu_is(f, first, "{") || f->tokens.v[first].partner != last - 1)
                return;
            else
                first++, last--;
        }
        if (first >= last || cu_is(f, first, "{") || cu_is(f, last - 1, "...")) return;
        captures[k] = (struct cu_capture){str_of(names[k]), first, last};
        mask |= 1U << k;
    }
    if (!are_constructed(f)) { /* they are aggregates there, too */
        struct cu_shape element = {.type = cu_vector_element(f->rules, type)};
        for (uint32_t k = 0; k < size && element.type.n; k++)
            if (mask >> k & 1) judge_value(b, captures[k].first, captures[k].last, element, depth);
        return;
    }
    if (!by_name && n == size) return;
    if (!by_name && n == 1 && !cu_computes_number(f, captures[0].first, captures[0].last)) return;
    write_members(f, open, size, mask, captures);
}

/* ---- lists ---- */

static void judge_value(struct braces *b, uint32_t first, uint32_t last, struct cu_shape shape,
                        int depth) {
    struct cu *f = b->f;
    struct cu_class unused;
    if (cu_is(f, first, "{") && f->tokens.v[first].partner == last - 1) {
        judge(b, first, shape, depth + 1);
        return;
    }
    if (!cu_is_number_type(shape.type)) cu_resolve(f, &shape, &unused); /* using real = float; */
    if (b->narrows) cu_cast_narrowed(f, shape.type, first, last);
}

/* Whether tokens [first, last) are an object of the type, as far as can be read. */
static bool is_object(struct cu *f, uint32_t first, uint32_t last, struct cu_shape shape) {
    struct cu_class unused;
    if (!cu_is_word(f, first)) return false;
    if (str_eq(cu_text(f, first), shape.type)) return true; /* T(...), T{...} */
    bool element = cu_is(f, first + 1, "[") && f->tokens.v[first + 1].partner + 1 == last;
    if (last != first + 1 && !element) return false;
    struct cu_shape own = cu_variable_shape(f, first, element);
    cu_resolve(f, &own, &unused);
    return !own.arrays && own.type.n && str_eq(own.type, shape.type);
}

/* Puts braces around values [k, end) of a list; false: there are some already. */
static bool wrap(struct cu *f, const struct cu_call *list, size_t k, size_t end) {
    struct cu_match m = {.kind = CU_SEQUENCE, .first = list->arguments.v[k].first};
    if (end > list->arguments.n) end = list->arguments.n;
    while (list->arguments.v[end - 1].first == list->arguments.v[end - 1].last) end--; /* {1,} */
    m.last = list->arguments.v[end - 1].last;
    if (is_taken(f, m.first, m.last)) return false;
    if (!cu_find_row(f, "cm::vector_run($x...)", &m)) return true;
    struct cu_capture x = {S("x"), m.first, m.last};
    vec_push(f->a, &m.captures, x);
    cu_add_found(f, m);
    return true;
}

/* Tells that the vectors from token i on need braces. */
static void report(struct cu *f, uint32_t i) {
    if (!is_taken(f, i, i + 1)) cu_report(f, "cm::vector_run_part", i);
}

/* Whether as many values of a list as the vector has members are numbers. */
static bool are_numbers(struct cu *f, const struct cu_call *list, size_t k, uint32_t size) {
    for (uint32_t i = 0; i < size; i++) {
        if (k + i >= list->arguments.n) return false;
        struct cu_argument a = list->arguments.v[k + i];
        if (a.first >= a.last || !cu_computes_number(f, a.first, a.last)) return false;
    }
    return true;
}

/* Whether what is of that shape begins with a vector: braces around that one would be its. */
static bool starts_with_vector(struct cu *f, struct cu_shape shape, int depth) {
    struct cu_class class;
    if (members_of_vector(f, shape.type)) return true;
    return depth < DEEP && cu_resolve(f, &shape, &class) && class.members.n &&
           starts_with_vector(f, class.members.v[0].type, depth + 1);
}

static bool take(struct braces *b, const struct cu_call *list, size_t *k, struct cu_shape shape,
                 bool leads, int depth);

/* The same for all elements of an array, or for all members of a class, that has no braces: it
 * gets them if a vector leads it, whose own would be taken for these. */
static bool take_parts(struct braces *b, const struct cu_call *list, size_t *k,
                       struct cu_shape shape, const struct cu_class *class, bool leads,
                       int depth) {
    struct cu *f = b->f;
    size_t start = *k, n = shape.arrays ? shape.elements : class->members.n;
    uint32_t first = list->arguments.v[start].first;
    bool vector = starts_with_vector(f, shape, 0), nested = shape.arrays > 1;
    if (vector && (leads || nested || !n)) return report(f, first), false;
    for (size_t i = 0; i < n; i++) {
        struct cu_shape part = shape;
        part.arrays = 0;
        if (!take(b, list, k, shape.arrays ? part : class->members.v[i].type, false, depth + 1))
            return false;
    }
    if (vector && !wrap(f, list, start, *k)) report(f, first);
    return n > 0;
}

/* Gives what is of that shape its values from the k-th of the list on, as braces within may be
 * left out; false: how many it takes cannot be read. `leads`: braces before it would be those of
 * what is around it. */
static bool take(struct braces *b, const struct cu_call *list, size_t *k, struct cu_shape shape,
                 bool leads, int depth) {
    struct cu *f = b->f;
    struct cu_class class;
    if (*k >= list->arguments.n) return true;
    uint32_t first = list->arguments.v[*k].first, last = list->arguments.v[*k].last;
    if (depth > DEEP || cu_is(f, first, ".") || cu_is(f, first, "[")) return false;
    bool one = first >= last || cu_is(f, first, "{"); /* {1, 2,} */
    one |= shape.arrays && f->tokens.v[first].kind == CU_STRING;
    bool values = !one && cu_computes_number(f, first, last);
    bool resolved = !one && cu_resolve(f, &shape, &class);
    uint32_t size = one ? 0 : members_of_vector(f, shape.type);
    bool numbers = !one && shape.arrays && cu_is_number_type(shape.type);
    if (numbers || (values && (shape.arrays || resolved)))
        return take_parts(b, list, k, shape, &class, leads, depth);
    if (!one && shape.arrays) return false;
    if (size && values) {
        bool whole = !leads && are_numbers(f, list, *k, size);
        if (whole)
            wrap(f, list, *k, *k + size);
        else
            report(f, first);
        *k += size;
        return whole;
    }
    bool told = one || !shape.type.n || cu_is_number_type(shape.type) ||
                is_object(f, first, last, shape) || cu_resolve_constructed(f, &shape, &class);
    if (!told && (resolved || values)) return false;
    if (first < last) judge_value(b, first, last, shape, depth);
    return ++*k, true;
}

/* The members of a class, in their order or by their names. */
static void judge_class(struct braces *b, const struct cu_call *list, const struct cu_class *class,
                        int depth) {
    struct cu *f = b->f;
    size_t k = 0;
    for (size_t i = 0; i < class->members.n && k < list->arguments.n; i++)
        if (!take(b, list, &k, class->members.v[i].type, false, depth)) break;
    for (k = 0; k < list->arguments.n; k++) { /* .x = 1 */
        uint32_t first = list->arguments.v[k].first, last = list->arguments.v[k].last;
        if (first >= last || !cu_is(f, first, ".")) continue;
        const struct cu_member *m = cu_member_of(class, cu_text(f, first + 1));
        first += cu_is(f, first + 2, "=") ? 3 : 2;
        if (m && first < last) judge_value(b, first, last, m->type, depth);
    }
}

/* What the constructor takes that gets these. */
static void judge_constructed(struct braces *b, const struct cu_call *list,
                              const struct cu_class *class, int depth) {
    for (size_t k = 0; k < list->arguments.n; k++) {
        struct cu_argument a = list->arguments.v[k];
        if (a.first < a.last)
            judge_value(b, a.first, a.last, cu_constructor_shape(class, k, list->arguments.n),
                        depth);
    }
}

/* The list at `open`, which is for what `shape` says. */
static void judge(struct braces *b, uint32_t open, struct cu_shape shape, int depth) {
    struct cu *f = b->f;
    struct cu_call list = {0};
    struct cu_class class;
    uint32_t close = f->tokens.v[open].partner;
    if (b->known[open] || depth > DEEP || close == NO_NODE || !shape.type.n) return;
    bool number = cu_is_number_type(shape.type);
    b->known[open] = true;
    cu_split(f, open + 1, close, &list);
    if (!number && cu_resolve(f, &shape, &class) && !shape.arrays) {
        judge_class(b, &list, &class, depth);
        return;
    }
    if (!number && cu_resolve_constructed(f, &shape, &class) && !shape.arrays) {
        judge_constructed(b, &list, &class, depth);
        return;
    }
    number = cu_is_number_type(shape.type);
    uint32_t size = members_of_vector(f, shape.type);
    if (!shape.arrays && size) {
        judge_vector(b, open, size, shape.type, depth);
        return;
    }
    if (!shape.arrays && !number) return;
    if (shape.nests && list.arguments.n == 1 && cu_is(f, open + 1, "{") &&
        f->tokens.v[open + 1].partner == close - 1) {
        shape.nests = false; /* std::array<T, 2> a = {{x, y}} */
        judge(b, open + 1, shape, depth + 1);
        return;
    }
    struct cu_shape inner = shape;
    bool flat = false;
    if (inner.arrays) inner.arrays--;
    for (size_t k = 0; k < list.arguments.n;) {
        uint32_t first = list.arguments.v[k].first, last = list.arguments.v[k].last;
        bool names = cu_is(f, first, "[") && f->tokens.v[first].partner != NO_NODE;
        if (names) first = f->tokens.v[first].partner + 2; /* [0] = */
        if (names || number || shape.grows || cu_is(f, first, "{")) {
            if (first < last) judge_value(b, first, last, inner, depth);
            k++;
            continue;
        }
        struct cu_shape of = inner;
        if (k == 0 || flat) flat = true, of.arrays = 0; /* no braces at all */
        if (!take(b, &list, &k, of, inner.arrays > 0, depth)) return;
    }
}

/* ---- places ---- */

static bool same_directive(const struct cu *f, uint32_t a, uint32_t b) {
    return f->tokens.v[a].directive == f->tokens.v[b].directive;
}

/* What the function returns that token i stands in. */
static struct cu_shape result_of(const struct cu *f, uint32_t i) {
    struct cu_shape none = {0};
    for (uint32_t t = i; t-- > 0;) {
        uint32_t partner = f->tokens.v[t].partner, p = t;
        if (!cu_is(f, t, "{")) {
            if (partner != NO_NODE && partner < t) t = partner;
            continue;
        }
        while (p > 0 && t - p < 4 && cu_is_word(f, p - 1)) p--;
        if (!cu_is(f, p - 1, ")") || f->tokens.v[p - 1].partner == NO_NODE) {
            p = cu_type_start(f, t);
            if (cu_is(f, p - 1, "->")) return cu_shape_of(f, cu_span(f, p, t));
            if (p == t || cu_is(f, p, "else") || cu_is(f, p, "do") || cu_is(f, p, "try")) continue;
            return none;
        }
        uint32_t name = f->tokens.v[p - 1].partner, start;
        if (name-- == 0 || !cu_is_word(f, name)) return none;
        while (name > 1 && cu_is(f, name - 1, "::") && cu_is_word(f, name - 2)) name -= 2;
        start = cu_type_start(f, name);
        if (start < name) return cu_shape_of(f, cu_span(f, start, name));
        if (!rules_lists(f->rules, "cuda.keywords", cu_text(f, name))) return none;
    }
    return none;
}

/* What the k-th parameter of the functions of that name is, where all agree. */
static struct cu_shape parameter_of(struct cu *f, struct str name, size_t k, size_t count) {
    struct cu_shape found = {0}, none = {0};
    cu_read_included(f);
    for (size_t n = 0; n <= f->included.n; n++) {
        struct cu *in = n ? f->included.v[n - 1] : f;
        for (uint32_t i = 1; i + 1 < in->tokens.n; i++) {
            struct cu_call call = {0};
            if (!cu_is_word(in, i) || !str_eq(cu_text(in, i), name) || !cu_is(in, i + 1, "("))
                continue;
            if (cu_type_start(in, i) == i || !cu_read_call(in, i + 1, &call)) continue;
            if (call.arguments.n < count) continue;
            struct cu_argument a = call.arguments.v[k];
            struct str type = cu_span(in, a.first, cu_type_end(in, a));
            struct cu_shape now = cu_shape_of(in, type);
            if (!now.type.n || (found.type.n && !str_eq(found.type, now.type))) return none;
            found = now;
        }
    }
    return found;
}

/* What a member of that name is, where all classes of the file that have one agree: of the class
 * of the object before token i, if that is a name. */
static struct cu_shape member_at(struct cu *f, uint32_t i, uint32_t subscripts) {
    struct cu_shape none = {0}, of;
    struct cu_class class;
    uint32_t object = i - 2, below = 0;
    bool points = cu_is(f, i - 1, "->");
    if (cu_is(f, object, "]") && f->tokens.v[object].partner != NO_NODE)
        object = f->tokens.v[object].partner - 1, below = 1;
    if (!cu_is_word(f, object) || cu_is(f, object - 1, ".") || cu_is(f, object - 1, "->"))
        return none;
    of = cu_variable_shape(f, object, below + points);
    if (!of.type.n || of.arrays || !cu_resolve(f, &of, &class)) return none;
    const struct cu_member *m = cu_member_of(&class, cu_text(f, i));
    if (!m) return none;
    of = m->type;
    of.arrays -= of.arrays < subscripts ? of.arrays : subscripts;
    return of;
}

/* What the list at `open` is for that stands in a call's parentheses. */
static struct cu_shape argument_at(struct cu *f, uint32_t open) {
    struct cu_shape none = {0};
    uint32_t t = open, name;
    size_t k = 0;
    while (t-- > 0 && !cu_is(f, t, "(")) {
        uint32_t partner = f->tokens.v[t].partner;
        if (cu_is(f, t, ",")) k++;
        if (cu_is(f, t, "{") || cu_is(f, t, "[") || cu_is(f, t, ";")) return none;
        if (partner != NO_NODE && partner < t) t = partner;
    }
    if (t == NO_NODE || t == 0 || f->tokens.v[t].partner == NO_NODE) return none;
    name = t - 1;
    if (!cu_is_word(f, name) || rules_lists(f->rules, "cuda.keywords", cu_text(f, name)))
        return none;
    if (cu_is(f, name, "push_back") && name > 1 && cu_is(f, name - 1, ".")) {
        struct cu_shape list = cu_variable_shape(f, name - 2, 0);
        if (!cu_is_word(f, name - 2) || !list.arrays) return none;
        list.arrays--;
        return list;
    }
    struct cu_call call = {0};
    if (!cu_read_call(f, t, &call)) return none;
    uint32_t start = cu_type_start(f, name);
    bool declares = start < name && !cu_is(f, start, "new"); /* T name(...), or T(...) */
    struct cu_shape shape = cu_shape_of(f, cu_span(f, declares ? start : name, name + !declares));
    struct cu_class class;
    if (cu_resolve_constructed(f, &shape, &class) && !shape.arrays)
        return cu_constructor_shape(&class, k, call.arguments.n);
    return declares ? none : parameter_of(f, cu_text(f, name), k, call.arguments.n);
}

/* What stands between the list at `open` and its statement says struct or enum. */
static bool defines_type(const struct cu *f, uint32_t open) {
    for (uint32_t t = open; t-- > 0;) {
        if (cu_is(f, t, "struct") || cu_is(f, t, "class") || cu_is(f, t, "enum") ||
            cu_is(f, t, "union") || cu_is(f, t, "namespace") || cu_is(f, t, "concept"))
            return true;
        if (cu_is(f, t, ";") || cu_is(f, t, "{") || cu_is(f, t, "}") || cu_is(f, t, "(") ||
            cu_is(f, t, "="))
            return false;
    }
    return false;
}

/* Whether the file tells what type it is. */
static bool is_type(struct cu *f, struct cu_shape shape) {
    struct cu_class class;
    return cu_resolve(f, &shape, &class) || members_of_vector(f, shape.type) ||
           cu_is_number_type(shape.type);
}

/* What the list at `open` is for, by what stands before it. */
static struct cu_shape shape_before(struct cu *f, uint32_t open) {
    struct cu_shape shape = {0};
    bool gives = cu_is(f, open - 1, "=");
    uint32_t name = open - (gives ? 2 : 1), subscripts = 0, start;
    if (!same_directive(f, open, open - 1) || cu_is(f, open - 1, ")")) return shape;
    if (cu_is(f, open - 1, "return")) return result_of(f, open);
    if (cu_is(f, open - 1, "(") || cu_is(f, open - 1, ",")) return argument_at(f, open);
    for (; cu_is(f, name, "]") && f->tokens.v[name].partner != NO_NODE && name > 1; subscripts++)
        name = f->tokens.v[name].partner - 1;
    if (!gives && name == open - 1 && cu_is(f, name, ">")) /* std::vector<T>{...} */
        return cu_shape_of(f, cu_span(f, cu_type_start(f, open), open));
    if (!cu_is_word(f, name) || (!gives && defines_type(f, open))) return shape;
    if (cu_is(f, name - 1, ".") || cu_is(f, name - 1, "->"))
        return gives ? member_at(f, name, subscripts) : shape;
    start = cu_type_start(f, name);
    if (start < name && !cu_is(f, name - 1, "::")) {
        shape = cu_shape_of(f, cu_span(f, start, name));
        shape.arrays += subscripts;
        return cu_is_number_type(cu_span(f, start, open)) ? cu_shape_of(f, cu_span(f, start, open))
                                                          : shape; /* unsigned int{x} */
    }
    if (gives && cu_is(f, name - 1, "*")) subscripts++; /* *p = {...} */
    if (gives || subscripts) return cu_variable_shape(f, name, subscripts);
    shape = cu_shape_of(f, cu_span(f, start, open)); /* T{...}, or T a{x}, b{y} */
    return cu_is(f, name - 1, ",") && !is_type(f, shape) ? cu_variable_shape(f, name, 0) : shape;
}

/* Whether all that the list at `open` has is called as members of vectors are. */
static bool names_members(struct cu *f, uint32_t open) {
    struct cu_call list = {0};
    if (designated(f, open + 1) == 4) return false;
    cu_split(f, open + 1, f->tokens.v[open].partner, &list);
    for (size_t k = 0; k < list.arguments.n; k++)
        if (list.arguments.v[k].first < list.arguments.v[k].last &&
            designated(f, list.arguments.v[k].first) == 4)
            return false;
    return true;
}

/* Whether something in the file may be for a vector that takes other lists than CUDA's. */
static bool has_vectors(const struct cu *f) {
    if (!are_constructed(f)) return false;
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (cu_is_word(f, i) && rules_lists(f->rules, "cuda.vector_types", cu_text(f, i)))
            return true;
    return false;
}

void cu_match_braces(struct cu *f) {
    bool narrows = cu_refuses_narrowing(f);
    if (!narrows && !has_vectors(f)) return;
    struct braces b = {f, arena_zalloc(f->a, (f->tokens.n + 1) * sizeof *b.known), narrows};
    for (uint32_t i = 2; i < f->tokens.n; i++) {
        bool list = cu_is(f, i, "{") && f->tokens.v[i].partner != NO_NODE && !b.known[i];
        if (!list || cu_region_at(f, f->tokens.v[i].start)) continue;
        struct cu_shape shape = shape_before(f, i);
        if (shape.type.n)
            judge(&b, i, shape, 0);
        else if (names_members(f, i) && !is_taken(f, i, f->tokens.v[i].partner))
            cu_report(f, "cm::members_of_unknown", i);
    }
}
