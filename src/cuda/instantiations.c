/* SPDX-License-Identifier: Apache-2.0 */
/* instantiations.c - explicit instantiations that do not say all that their template says.
 *
 *     using namespace box;
 *     template class item<float>;     becomes     template class box::item<float>;
 *     template void fill<int>(int);   becomes     template __global__ void fill<int>(int);
 *
 * nvcc looks the template up as it does any name, whatever side it is for; clang, which compiles
 * HIP, takes one without its namespace, or a function for another side, for another template. The
 * namespace is one that the file uses as a whole, in which a header of its, or it itself, has the
 * template; the side is what the templates of the function's name and number of parameters say.
 *
 *     template <int N, class T> void sum<4, T>(T x) {}    becomes    ... void sum(T x) {}
 *
 * A function's template has no partial specialization: clang refuses one, nvcc takes it for the
 * template itself, whatever it is called with. */
#include "cuda/cu.h"

/* The token behind `namespace a::b {`, whose braces are around token i, and whether all braces
 * around it are of namespaces; the names are written behind each other, `a::b`. */
static bool namespace_of(const struct cu *f, uint32_t i, struct buf *names) {
    for (uint32_t t = 0; t < i; t++) {
        uint32_t partner = f->tokens.v[t].partner;
        if (!cu_is(f, t, "{") || partner == NO_NODE) continue;
        if (partner < i) {
            t = partner;
            continue;
        }
        uint32_t name = t;
        while (name > 0 && (cu_is_word(f, name - 1) || cu_is(f, name - 1, "::")) &&
               !cu_is(f, name - 1, "namespace"))
            name--;
        if (name == 0 || !cu_is(f, name - 1, "namespace") || name == t) return false;
        struct str within = cu_span(f, name, t);
        buf_printf(names, "%s%.*s", names->n ? "::" : "", STR_ARG(within));
    }
    return true;
}

/* Whether a template of that name is declared in the namespace, in one file. */
static bool declares(struct cu *f, const struct cu *in, struct str name, struct str where) {
    for (uint32_t i = 1; i + 1 < in->tokens.n; i++) {
        if (!cu_is_word(in, i) || !str_eq(cu_text(in, i), name)) continue;
        uint32_t word = i - 1; /* class EXPORT item */
        while (word > 0 && cu_is_word(in, word) && !cu_is(in, word, "class") &&
               !cu_is(in, word, "struct"))
            word--;
        if (!cu_is(in, word, "class") && !cu_is(in, word, "struct")) continue;
        struct buf names;
        buf_init(&names, f->a);
        if (namespace_of(in, i, &names) && str_eq(buf_str(&names), where)) return true;
    }
    return false;
}

/* The name that `template class EXPORT item<float>;` at token i is of, or NO_NODE; one that says
 * its namespace is none, nor is a function's, which nvcc does not look up so. */
static uint32_t instantiated(const struct cu *f, uint32_t i) {
    uint32_t name = i + 2;
    if (!cu_is(f, i + 1, "class") && !cu_is(f, i + 1, "struct")) return NO_NODE;
    while (cu_is_word(f, name) && cu_is_word(f, name + 1)) name++;
    return cu_is_word(f, name) && cu_is(f, name + 1, "<") ? name : NO_NODE;
}

/* Whether nothing but braces of namespaces, or nothing, is around a token. */
static bool at_top(struct cu *f, uint32_t i) {
    struct buf names;
    buf_init(&names, f->a);
    return namespace_of(f, i, &names) && !names.n;
}

/* The names behind a `using namespace` before token i, at the top, that have the template. */
static bool find_used(struct cu *f, uint32_t i, struct str name, struct cu_capture *used) {
    bool found = false;
    cu_read_included(f);
    for (uint32_t t = 0; t + 3 < i; t++) {
        uint32_t end = t + 2;
        if (!cu_is(f, t, "using") || !cu_is(f, t + 1, "namespace") || !at_top(f, t)) continue;
        while (end < i && !cu_is(f, end, ";")) end++;
        struct str where = cu_span(f, t + 2, end);
        bool has = declares(f, f, name, where);
        for (size_t n = 0; n < f->included.n && !has; n++)
            has = declares(f, f->included.v[n], name, where);
        if (has && found && !str_eq(where, cu_span(f, used->first, used->last))) return false;
        if (has) *used = (struct cu_capture){S("n"), t + 2, end};
        found |= has;
    }
    return found;
}

/* Which sides a function says that it is for, and the macro that says so, in the file `in`. */
struct sides {
    bool host, device, kernel, unknown;
    const struct cu *in;
    uint32_t macro;
};

/* What the words of that macro say, where a file defines it. */
static void read_macro(const struct cu *in, struct str name, struct sides *s) {
    for (size_t i = 0; i < in->directives.n; i++) {
        const struct cu_directive *d = &in->directives.v[i];
        if (d->kind != CD_DEFINE || !str_eq(cu_text(in, d->first + 2), name)) continue;
        for (uint32_t t = d->first + 3; t < d->last; t++) {
            s->host |= cu_is(in, t, CU_HOST_WORD);
            s->device |= cu_is(in, t, CU_DEVICE_WORD);
            s->kernel |= cu_is(in, t, CU_KERNEL_WORD);
        }
    }
}

/* What the tokens before a function's name say; a macro may be defined in any of the files. */
static struct sides sides_of(const struct cu *f, const struct cu *in, uint32_t i, uint32_t name) {
    struct sides s = {.in = in, .macro = NO_NODE};
    for (; i < name; i++) {
        struct sides by = {0};
        s.host |= cu_is(in, i, CU_HOST_WORD);
        s.device |= cu_is(in, i, CU_DEVICE_WORD);
        s.kernel |= cu_is(in, i, CU_KERNEL_WORD);
        if (!cu_is_word(in, i) || !cu_is_capitals(cu_text(in, i))) continue;
        read_macro(f, cu_text(in, i), &by);
        for (size_t n = 0; n < f->included.n; n++)
            read_macro(f->included.v[n], cu_text(in, i), &by);
        if (!by.host && !by.device && !by.kernel) continue;
        s.unknown |= s.macro != NO_NODE;
        s.macro = i;
        s.host |= by.host, s.device |= by.device, s.kernel |= by.kernel;
    }
    s.host |= !s.device && !s.kernel;
    return s;
}

static bool same_sides(struct sides a, struct sides b) {
    return a.host == b.host && a.device == b.device && a.kernel == b.kernel;
}

/* The name of the function whose head begins at token i, in front of its parameters; *open is
 * their parenthesis. NO_NODE: there is none. */
static uint32_t function_name(const struct cu *f, uint32_t i, uint32_t *open) {
    uint32_t first = i, directive = f->tokens.v[i].directive;
    for (; i < f->tokens.n && f->tokens.v[i].directive == directive; i++) {
        if (cu_is(f, i, ";") || cu_is(f, i, "{") || cu_is(f, i, "}") || cu_is(f, i, "="))
            return NO_NODE;
        if (!cu_is(f, i, "(") || i == first) continue;
        if (f->tokens.v[i].partner == NO_NODE) return NO_NODE;
        if (rules_lists(f->rules, "cuda.attributes", cu_text(f, i - 1))) {
            i = f->tokens.v[i].partner;
            continue;
        }
        uint32_t name = i - 1;
        for (uint32_t t = first; cu_is(f, i - 1, ">") && t < i - 1; t++)
            if (cu_is(f, t, "<") && cu_template_end(f, t) == i - 1) name = t - 1;
        *open = i;
        return name > first && cu_is_word(f, name) ? name : NO_NODE;
    }
    return NO_NODE;
}

static size_t count_parameters(const struct cu *f, uint32_t open) {
    struct cu_call list = {0};
    cu_split(f, open + 1, f->tokens.v[open].partner, &list);
    return list.arguments.n;
}

/* What the templates of that name in one file say of the sides. Returns whether any speaks of the
 * device; those that do not agree are unknown. */
static bool find_sides(const struct cu *f, const struct cu *in, struct str name, size_t parameters,
                       bool found, struct sides *sides) {
    for (uint32_t i = 0; i + 3 < in->tokens.n; i++) {
        uint32_t open, head = i;
        while (cu_is(in, head, "template") && cu_is(in, head + 1, "<") &&
               cu_template_end(in, head + 1) != NO_NODE)
            head = cu_template_end(in, head + 1) + 1;
        if (head == i) continue;
        uint32_t at = head < in->tokens.n ? function_name(in, head, &open) : NO_NODE;
        i = head - 1;
        if (at == NO_NODE || !str_eq(cu_text(in, at), name)) continue;
        if (cu_is(in, at - 1, "::") || count_parameters(in, open) != parameters) continue;
        struct sides now = sides_of(f, in, head, at);
        if (!now.device && !now.kernel) continue; /* another declaration says it */
        if (found && !same_sides(now, *sides)) sides->unknown = true;
        if (!found) *sides = now;
        found = true;
    }
    return found;
}

/* The row that writes the sides of a template behind the word `template` of its instantiation. */
static const char *row_of_sides(struct sides s) {
    if (s.kernel) return "cm::instantiate_kernel";
    return s.host ? "cm::instantiate_both" : "cm::instantiate_device";
}

/* Says of the function's instantiation at token i what its template says: by the template's words,
 * or, where others than CUDA's compiler may read the file, by its macro. */
static void say_sides(struct cu *f, uint32_t i) {
    uint32_t open, name = function_name(f, i + 1, &open);
    struct sides said, sides = {0};
    if (name == NO_NODE) return;
    cu_read_included(f);
    bool found = find_sides(f, f, cu_text(f, name), count_parameters(f, open), false, &sides);
    for (size_t n = 0; n < f->included.n; n++)
        found = find_sides(f, f->included.v[n], cu_text(f, name), count_parameters(f, open), found,
                           &sides);
    said = sides_of(f, f, i + 1, name);
    if (!found || same_sides(said, sides)) return;
    bool here = sides.in == f, silent = !said.device && !said.kernel && said.macro == NO_NODE;
    for (uint32_t t = i + 1; t < name; t++) silent &= !cu_is(f, t, CU_HOST_WORD);
    if (silent && !sides.unknown && (f->cuda || (here && sides.macro == NO_NODE))) {
        cu_report(f, row_of_sides(sides), i);
        return;
    }
    struct cu_match m = {.kind = CU_SEQUENCE, .first = i, .last = i + 1};
    struct cu_capture by = {S("m"), sides.macro, sides.macro + 1}, start = {S("x"), i, i + 1};
    if (silent && !sides.unknown && here && cu_find_row(f, "cm::instantiate_by($m, $x)", &m)) {
        vec_push(f->a, &m.captures, by);
        vec_push(f->a, &m.captures, start);
        cu_add_found(f, m);
        return;
    }
    cu_report(f, "cm::specifiers", name);
}

/* Whether the word `template` at token i begins an instantiation. */
static bool instantiates(const struct cu *f, uint32_t i) {
    if (!cu_is(f, i, "template") || cu_is(f, i + 1, "<")) return false;
    return i == 0 || (!cu_is(f, i - 1, ".") && !cu_is(f, i - 1, "->") && !cu_is(f, i - 1, "::"));
}

static void match_class(struct cu *f, uint32_t i) {
    struct cu_match m = {.kind = CU_SEQUENCE};
    struct cu_capture used;
    if (f->tokens.v[i].directive || i == 0) return;
    if (!cu_is(f, i - 1, ";") && !cu_is(f, i - 1, "}") && !f->tokens.v[i - 1].directive) return;
    if (!cu_find_row(f, "cm::instantiation($n..., $x)", &m)) return;
    m.first = instantiated(f, i);
    if (m.first == NO_NODE || !at_top(f, i)) return;
    if (!find_used(f, m.first, cu_text(f, m.first), &used)) return;
    m.last = m.first + 1;
    vec_push(f->a, &m.captures, used);
    struct cu_capture name = {S("x"), m.first, m.last};
    vec_push(f->a, &m.captures, name);
    cu_add_found(f, m);
}

/* A function's template with arguments behind its name, at the word `template`. */
static void match_partial(struct cu *f, uint32_t i) {
    uint32_t close = cu_template_end(f, i + 1), open;
    if (close == NO_NODE || close == i + 2 || f->tokens.v[i].directive) return;
    uint32_t name = function_name(f, close + 1, &open);
    struct cu_match m = {.kind = CU_SEQUENCE};
    if (name == NO_NODE || name + 1 == open || cu_is(f, name - 1, "::")) return;
    if (cu_is(f, name - 1, "operator") || !cu_find_row(f, "cm::partial($x)", &m)) return;
    for (uint32_t t = close + 1; t < name; t++)
        if (cu_is(f, t, "friend") || cu_is(f, t, "template")) return;
    m.first = name;
    m.last = open;
    struct cu_capture x = {S("x"), name, name + 1};
    vec_push(f->a, &m.captures, x);
    cu_add_found(f, m);
}

/* A default argument at the definition of a class template's member, out of its class: nvcc lets
 * it pass, clang takes defaults only where the member is declared. */
static void match_default(struct cu *f, uint32_t i) {
    uint32_t close = cu_template_end(f, i + 1), open;
    struct cu_call list = {0};
    if (close == NO_NODE || close == i + 2 || f->tokens.v[i].directive) return;
    uint32_t name = function_name(f, close + 1, &open);
    if (name == NO_NODE || name + 1 != open || !cu_is(f, name - 1, "::")) return;
    if (!cu_is(f, name - 2, ">")) return; /* of a class that is no template */
    uint32_t end = f->tokens.v[open].partner;
    cu_split(f, open + 1, end, &list);
    for (size_t k = 0; k < list.arguments.n; k++)
        for (uint32_t t = list.arguments.v[k].first; t < list.arguments.v[k].last; t++) {
            uint32_t partner = f->tokens.v[t].partner;
            if (partner != NO_NODE && partner > t) t = partner;
            if (!cu_is(f, t, "=")) continue;
            cu_report(f, "cm::default_of_member", t - 1);
            return;
        }
}

void cu_match_instantiations(struct cu *f) {
    for (uint32_t i = 0; i + 3 < f->tokens.n; i++) {
        if (cu_is(f, i, "template") && cu_is(f, i + 1, "<")) {
            match_partial(f, i);
            match_default(f, i);
        }
        if (!instantiates(f, i)) continue;
        bool class = cu_is(f, i + 1, "class") || cu_is(f, i + 1, "struct");
        if (class)
            match_class(f, i);
        else
            say_sides(f, i);
    }
}
