/* SPDX-License-Identifier: Apache-2.0 */
/* specifiers.c - functions that say twice on which side they run, and not the same.
 *
 * nvcc takes a specialization of a template with other specifiers than the template's, and the
 * definition of a member that leaves out those of its declaration; clang, which compiles HIP,
 * takes them for other functions. Where templates differ, those for the device alone become
 * functions of both sides: nothing calls them there that did not before. So do constructors for
 * the device of what a function of the host makes, which nvcc takes in templates, and macros that
 * are __device__ where only the device's side is read. Definitions that do not say what their
 * declaration says, here or in a header, get it where they say nothing, and are reported where
 * they say something else. What a macro says is read where its definition is at hand. */
#include "cuda/cu.h"

enum role { R_PLAIN, R_PRIMARY, R_SPECIAL };

struct said_function {
    struct str name, scope; /* the class that it is declared in, or that its name says */
    uint32_t token, device; /* its name; what says that it is the device's, or NO_NODE */
    enum role role;
    uint32_t first; /* what follows its template<> */
    bool host, explicit_host, out_of_class, inline_, unknown, by_macro;
    size_t parameters;
};

/* A macro of the program's that stands for specifiers. */
struct said_macro {
    struct str name;
    bool host, device, unknown;
};

struct said_scope {
    uint32_t close;
    struct str name;
};

struct said_functions {
    struct cu *f;
    VEC(struct said_function) all;
    VEC(struct said_scope) scopes;
    VEC(struct said_macro) macros;
};

/* A word of letters and digits that are all capitals: a macro, which may say anything. */
bool cu_is_capitals(struct str word) {
    bool letters = false;
    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];
        if (c >= 'a' && c <= 'z') return false;
        letters |= c >= 'A' && c <= 'Z';
    }
    return letters && word.n > 1;
}

/* The macros of specifiers that a file defines. Another branch of the build may leave one empty:
 * what is compiled as CUDA counts. */
static void read_macros(struct said_functions *s, const struct cu *from) {
    for (size_t i = 0; i < from->directives.n; i++) {
        const struct cu_directive *d = &from->directives.v[i];
        struct said_macro m = {.name = cu_text(from, d->first + 2)};
        if (d->kind != CD_DEFINE || d->in_string) continue;
        for (uint32_t t = d->first + 3; t < d->last; t++) {
            m.device |= cu_is(from, t, CU_DEVICE_WORD);
            m.host |= cu_is(from, t, CU_HOST_WORD);
            m.unknown |= !cu_is_word(from, t) || cu_is(from, t, CU_KERNEL_WORD);
        }
        if (m.device || m.host) vec_push(s->f->a, &s->macros, m);
    }
}

/* What a word of a function's head says, if it is such a macro; false: it is none. */
static bool read_macro(const struct said_functions *s, struct str word, uint32_t token,
                       struct said_function *fn) {
    bool any = false;
    for (size_t i = 0; i < s->macros.n; i++) {
        const struct said_macro *m = &s->macros.v[i];
        if (!str_eq(m->name, word)) continue;
        any = fn->by_macro = true;
        fn->unknown |= m->unknown;
        fn->explicit_host |= m->host;
        if (m->device) fn->device = token;
    }
    return any;
}

/* Whether the head of a function, from token first on, names a parameter of its template so. */
static bool is_parameter(const struct cu *f, uint32_t first, uint32_t last, uint32_t word) {
    for (uint32_t i = first; i < last; i++)
        if (str_eq(cu_text(f, i), cu_text(f, word))) return true;
    return false;
}

/* What the tokens before its name say of a function. */
static void read_head(const struct said_functions *s, const struct cu *f, uint32_t first,
                      uint32_t last, struct said_function *fn) {
    uint32_t i = first;
    fn->device = NO_NODE;
    while (i < last && cu_is(f, i, "template")) {
        uint32_t close = cu_is(f, i + 1, "<") ? cu_template_end(f, i + 1) : NO_NODE;
        if (close == NO_NODE) {
            fn->unknown = true; /* template class X<int>: an instantiation */
            return;
        }
        fn->role = close == i + 2 ? R_SPECIAL : R_PRIMARY;
        i = close + 1;
    }
    fn->first = i;
    for (; i < last; i++) {
        struct str word = cu_text(f, i);
        if (!cu_is_word(f, i) || read_macro(s, word, i, fn)) continue;
        if (str_is(word, CU_DEVICE_WORD)) fn->device = i;
        if (str_is(word, CU_HOST_WORD)) fn->explicit_host = true;
        bool macro = cu_is_capitals(word) && !is_parameter(f, first, fn->first, i);
        fn->unknown |= str_is(word, CU_KERNEL_WORD) || macro || str_is(word, "friend");
        fn->inline_ |= str_find(word, S("inline"), 0) < word.n || str_is(word, "constexpr");
    }
    fn->host = fn->explicit_host || fn->device == NO_NODE;
}

static size_t count_parameters(const struct cu *f, uint32_t open) {
    struct cu_call list = {0};
    cu_split((struct cu *)f, open + 1, f->tokens.v[open].partner, &list);
    return list.arguments.n;
}

/* The function whose parameters begin at `open`, in a statement that begins at `first`. */
static void add_function(struct said_functions *s, uint32_t first, uint32_t open) {
    const struct cu *f = s->f;
    uint32_t name = open - 1;
    if (cu_is(f, name, ">")) { /* name<int>(: a specialization names its arguments */
        while (name > first && !(cu_is(f, name, "<") && cu_template_end(f, name) == open - 1))
            name--;
        if (name == first) return;
        name--;
    }
    bool constructor = name == first && s->scopes.n &&
                       str_eq(cu_text(f, name), s->scopes.v[s->scopes.n - 1].name);
    if ((name <= first && !constructor) || !cu_is_word(f, name)) return;
    struct said_function fn = {.name = cu_text(f, name), .token = name};
    read_head(s, f, first, name, &fn);
    fn.out_of_class = cu_is(f, name - 1, "::") && name > first + 1;
    if (fn.out_of_class) {
        uint32_t class = name - 2; /* X<T>::name: its class stands before the < */
        while (cu_is(f, name - 2, ">") && class > first &&
               !(cu_is(f, class + 1, "<") && cu_template_end(f, class + 1) == name - 2))
            class -= 1;
        fn.unknown |= !cu_is_word(f, class);
        fn.scope = cu_text(f, class);
    } else if (s->scopes.n) {
        fn.scope = s->scopes.v[s->scopes.n - 1].name;
    }
    fn.parameters = count_parameters(f, open);
    vec_push(s->f->a, &s->all, fn);
}

/* The name of the class whose body opens at `open`, or nothing. */
static struct str class_name(const struct cu *f, uint32_t first, uint32_t open) {
    for (uint32_t i = first; i + 1 < open; i++) {
        if (cu_is(f, i, "<") && cu_template_end(f, i) != NO_NODE) i = cu_template_end(f, i);
        if (!cu_is(f, i, "class") && !cu_is(f, i, "struct")) continue;
        while (i + 1 < open && cu_is_word(f, i + 1) && cu_is_capitals(cu_text(f, i + 1))) i++;
        return cu_is_word(f, i + 1) ? cu_text(f, i + 1) : (struct str){0};
    }
    return (struct str){0};
}

static void find_all(struct said_functions *s) {
    struct cu *f = s->f;
    const struct byte_range *bodies;
    size_t n = cu_functions(f, &bodies), next = 0;
    uint32_t first = 0;
    bool seen = false; /* the function of this statement */
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        const struct cu_token *t = &f->tokens.v[i];
        while (s->scopes.n && s->scopes.v[s->scopes.n - 1].close <= i) s->scopes.n--;
        while (next < n && bodies[next].end <= i) next++;
        bool body = next < n && cu_is(f, i, "{") && t->partner + 1 == bodies[next].end;
        bool label = cu_is(f, i, ":") && i > first && str_is(cu_text(f, i - 1), "public");
        label |= cu_is(f, i, ":") && i == first + 1;
        if (t->directive || cu_is(f, i, ";") || cu_is(f, i, "}") || cu_is(f, i, "{") || label) {
            if (cu_is(f, i, "{") && !t->directive && !body && t->partner != NO_NODE) {
                struct said_scope scope = {t->partner, class_name(f, first, i)};
                vec_push(f->a, &s->scopes, scope);
            }
            if (body) i = t->partner;
            first = i + 1;
            seen = false;
        } else if (cu_is(f, i, "(") && t->partner != NO_NODE) {
            bool attribute = i > 0 && rules_lists(f->rules, "cuda.attributes", cu_text(f, i - 1));
            if (!seen && !attribute && i > first) add_function(s, first, i);
            seen |= !attribute;
            i = t->partner;
        }
    }
}

/* ---- what they say together ---- */

static bool row_of(struct cu *f, const char *key, struct row_ref *row) {
    size_t cursor = 0;
    return rules_find(f->rules, M_SYMBOL, str_of(key), &cursor, row) && row_cell(*row, f->target);
}

/* The match of the specifier at a token writes both. */
static void write_both(struct cu *f, uint32_t token, struct row_ref row) {
    const struct rcell *cell = row_cell(row, f->target);
    for (size_t i = 0; i < f->matches.n; i++) {
        struct cu_match *m = &f->matches.v[i];
        if (m->kind != CU_SYMBOL || m->first != token || m->last != token + 1) continue;
        if (cu_region_at(f, m->start)) continue;
        m->row = row;
        if (!cell->to.n) continue; /* the answer to the specifier stays */
        m->cell = cell;
        m->verdict = cell->verdict;
        m->message = (struct str){0};
    }
}

bool cu_find_row(const struct cu *f, const char *key, struct cu_match *m) {
    size_t cursor = 0;
    while (rules_find(f->rules, M_TOKENS, S("cm"), &cursor, &m->row))
        if (str_is(rs_str(m->row.set, m->row.row->key), key))
            return (m->cell = row_cell(m->row, f->target)) != NULL && m->cell->to.n;
    return false;
}

void cu_add_found(struct cu *f, struct cu_match m) {
    m.token = cu_span(f, m.first, m.last);
    m.start = f->tokens.v[m.first].start;
    m.end = f->tokens.v[m.last - 1].end;
    m.directive = f->tokens.v[m.first].directive;
    m.certainty = C_EXACT;
    m.verdict = m.cell->verdict;
    vec_push(f->a, &f->matches, m);
}

void cu_report_tokens(struct cu *f, const char *key, uint32_t first, uint32_t last) {
    struct cu_match m = {.kind = CU_SYMBOL, .first = first, .last = last};
    if (!row_of(f, key, &m.row) || cu_region_at(f, f->tokens.v[first].start)) return;
    m.token = cu_span(f, first, last);
    m.start = f->tokens.v[first].start;
    m.end = f->tokens.v[last - 1].end;
    m.certainty = C_EXACT;
    m.cell = row_cell(m.row, f->target);
    m.verdict = m.cell->verdict;
    vec_push(f->a, &f->matches, m);
}

void cu_report(struct cu *f, const char *key, uint32_t token) {
    cu_report_tokens(f, key, token, token + 1);
}

/* Whether a definition that is for the device alone can be for both sides: it calls nobody. */
static bool can_be_both(const struct cu *f, const struct said_function *fn) {
    uint32_t i = f->tokens.v[fn->token + 1].partner, close;
    if (fn->host || fn->by_macro || i == NO_NODE || !cu_is(f, i + 1, "{")) return false;
    for (i += 2, close = f->tokens.v[i - 1].partner; i < close; i++)
        if (cu_is(f, i, "(") || rules_is_anchor(f->rules, RL_CUDA, cu_text(f, i), NULL))
            return false;
    return close != NO_NODE;
}

/* The macro by which its declaration, in this file, says the sides, before a definition that says
 * nothing: where others than CUDA's compiler may read the file, the macro is what they know. */
static bool say_macro(struct cu *f, const struct said_function *fn, uint32_t macro) {
    struct cu_match m = {.kind = CU_SEQUENCE, .first = fn->first, .last = fn->first + 1};
    struct cu_capture said = {S("m"), macro, macro + 1}, start = {S("x"), m.first, m.last};
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].first <= m.first && f->matches.v[i].last > m.first) return false;
    if (!cu_find_row(f, "cm::said_by_macro($m, $x)", &m)) return false;
    vec_push(f->a, &m.captures, said);
    vec_push(f->a, &m.captures, start);
    cu_add_found(f, m);
    return true;
}

/* A definition that says nothing of its side gets what its declaration says, or is reported. */
static void say_the_same(struct said_functions *s, const struct said_function *fn,
                         const struct said_function *declared) {
    struct cu *f = s->f;
    bool silent = fn->device == NO_NODE && !fn->explicit_host && !fn->by_macro;
    bool here = declared >= s->all.v && declared < s->all.v + s->all.n;
    bool read_by_cuda = f->cuda || (here && !declared->by_macro); /* who else knows the words? */
    bool free = read_by_cuda && declared->device != NO_NODE;
    struct row_ref both;
    if (declared->host && declared->device != NO_NODE && can_be_both(f, fn) &&
        row_of(f, "cm::host_device", &both)) {
        write_both(f, fn->device, both);
        return;
    }
    for (size_t i = 0; i < f->matches.n; i++)
        free &= f->matches.v[i].first > fn->first || f->matches.v[i].last <= fn->first;
    const char *row = !silent || !free ? "cm::specifiers"
                      : declared->host ? "cm::say_both"
                                       : "cm::say_device";
    cu_report(f, row, free && silent ? fn->first : fn->token);
}

/* Specializations that say nothing of their side, of a template for the device. */
static void settle_special(struct said_functions *s, const struct said_function *primary) {
    for (size_t i = 0; i < s->all.n; i++) {
        const struct said_function *fn = &s->all.v[i];
        bool same = fn->role == R_SPECIAL && str_eq(fn->name, primary->name) &&
                    str_eq(fn->scope, primary->scope);
        if (same && !fn->unknown && fn->device == NO_NODE && !fn->explicit_host)
            say_the_same(s, fn, primary);
    }
}

/* A template and its specializations, by one name: where some are for the device alone. */
static void settle_template(struct said_functions *s, const struct said_function *primary) {
    struct row_ref both;
    bool hosts = false, devices = false;
    if (!row_of(s->f, "cm::host_device", &both)) return;
    for (size_t i = 0; i < s->all.n; i++) {
        const struct said_function *fn = &s->all.v[i];
        if (fn->role == R_PLAIN || !str_eq(fn->name, primary->name)) continue;
        bool plain = fn->device == NO_NODE || fn->by_macro;
        if (fn->unknown || !str_eq(fn->scope, primary->scope) || plain) return;
        hosts |= fn->host;
        devices |= !fn->host;
    }
    if (!hosts || !devices) return;
    for (size_t i = 0; i < s->all.n; i++) {
        const struct said_function *fn = &s->all.v[i];
        if (fn->role == R_PLAIN || !str_eq(fn->name, primary->name) || fn->host) continue;
        if (fn->role == R_PRIMARY || fn->inline_)
            write_both(s->f, fn->device, both);
        else
            cu_report(s->f, "cm::specifiers", fn->token);
    }
}

/* A template that says nothing, and specializations of it for both sides: it gets what they say.
 * One for the device alone is another function to clang, and is reported. */
static void settle_silent(struct said_functions *s, const struct said_function *primary) {
    for (size_t i = 0; i < s->all.n; i++) {
        const struct said_function *fn = &s->all.v[i];
        bool same = fn->role == R_SPECIAL && str_eq(fn->name, primary->name) &&
                    str_eq(fn->scope, primary->scope);
        if (!same || fn->unknown || fn->device == NO_NODE) continue;
        if (!fn->host)
            cu_report(s->f, "cm::specifiers", fn->token);
        else if (!fn->by_macro)
            cu_report(s->f, "cm::say_both", primary->first);
        else if (!say_macro(s->f, primary, fn->device))
            cu_report(s->f, "cm::specifiers", fn->token);
        return;
    }
}

static bool is_special(const struct said_functions *s, struct str name) {
    for (size_t i = 0; i < s->all.n; i++)
        if (s->all.v[i].role == R_SPECIAL && str_eq(s->all.v[i].name, name)) return true;
    return false;
}

/* Whether two lists of parameters, of two files, have the same types. */
static bool same_types(const struct cu *f, uint32_t open, const struct cu *g, uint32_t other) {
    struct cu_call a = {0}, b = {0};
    cu_split((struct cu *)f, open + 1, f->tokens.v[open].partner, &a);
    cu_split((struct cu *)g, other + 1, g->tokens.v[other].partner, &b);
    if (a.arguments.n != b.arguments.n) return false;
    for (size_t i = 0; i < a.arguments.n; i++) {
        struct cu_argument x = a.arguments.v[i], y = b.arguments.v[i];
        uint32_t n = cu_type_end(f, x) - x.first;
        if (cu_type_end(g, y) - y.first != n) return false;
        for (uint32_t t = 0; t < n; t++)
            if (!str_eq(cu_text(f, x.first + t), cu_text(g, y.first + t))) return false;
    }
    return true;
}

/* A member's definition out of its class, of which no declaration says the same. */
static void settle_member(struct said_functions *s, const struct said_function *fn) {
    const struct said_function *declared = NULL;
    bool settled = false, exact = false; /* by one that has the same types: no overload */
    for (size_t i = 0; i < s->all.n; i++) {
        const struct said_function *d = &s->all.v[i];
        if (d->out_of_class || d->parameters != fn->parameters) continue;
        if (!str_eq(d->name, fn->name) || !str_eq(d->scope, fn->scope)) continue;
        bool types = cu_is(s->f, fn->token + 1, "(") && cu_is(s->f, d->token + 1, "(") &&
                     same_types(s->f, fn->token + 1, s->f, d->token + 1);
        if (exact && !types) continue;
        bool same = d->host == fn->host && (d->device == NO_NODE) == (fn->device == NO_NODE);
        settled = (settled && exact == types) || d->unknown || same;
        exact = types;
        declared = d;
    }
    if (!declared || settled) return;
    bool silent = fn->device == NO_NODE && !fn->explicit_host && !fn->by_macro;
    bool macro = silent && !s->f->cuda && declared->by_macro && declared->device != NO_NODE;
    if (!macro || !say_macro(s->f, fn, declared->device)) say_the_same(s, fn, declared);
}

/* Whether a body follows the parameters of a function: `) const {`, `) : a(1) {`. */
static bool has_body(const struct cu *f, const struct said_function *fn) {
    enum { NEAR = 4 };
    uint32_t close = f->tokens.v[fn->token + 1].partner;
    for (uint32_t i = 0; close != NO_NODE && i < NEAR; i++) {
        if (cu_is(f, close + 1 + i, "{") || cu_is(f, close + 1 + i, ":")) return true;
        if (!cu_is_word(f, close + 1 + i)) return false;
    }
    return false;
}

/* A definition of which no declaration in `from`, a header or the file itself, says the same.
 * Returns one that does not, or NULL. */
static const struct said_function *differs(const struct said_functions *s,
                                           const struct said_function *fn,
                                           const struct said_functions *from) {
    const struct said_function *declared = NULL;
    for (size_t i = 0; i < from->all.n; i++) {
        const struct said_function *d = &from->all.v[i];
        bool member = fn->out_of_class && d->role == R_PLAIN; /* of a class template */
        if (d == fn || (d->role != fn->role && !member) || d->out_of_class) continue;
        if (!str_eq(d->name, fn->name) || !str_eq(d->scope, fn->scope)) continue;
        if (!cu_is(from->f, d->token + 1, "(") || has_body(from->f, d)) continue;
        if (!same_types(s->f, fn->token + 1, from->f, d->token + 1)) continue;
        bool same = d->host == fn->host && (d->device == NO_NODE) == (fn->device == NO_NODE);
        if (d->unknown || same) return NULL;
        declared = d;
    }
    return declared;
}

/* Definitions of functions whose declarations, here or in headers, say another side. */
static void settle_definitions(struct said_functions *s) {
    struct cu *f = s->f;
    VEC(struct said_functions) all = {0};
    vec_push(f->a, &all, *s);
    cu_read_included(f);
    for (size_t n = 0; n < f->included.n; n++) {
        struct said_functions header = {.f = f->included.v[n], .macros = s->macros};
        find_all(&header);
        vec_push(f->a, &all, header);
    }
    for (size_t i = 0; i < s->all.n; i++) {
        const struct said_function *fn = &s->all.v[i];
        bool plain = fn->role != R_SPECIAL && cu_is(f, fn->token + 1, "(");
        if (!plain || fn->unknown || !has_body(f, fn)) continue;
        bool member = fn->out_of_class;
        const struct said_function *found = NULL;
        if (!member && fn->scope.n) continue;
        for (size_t n = member; n < all.n && !found; n++) found = differs(s, fn, &all.v[n]);
        if (found) say_the_same(s, fn, found);
    }
}

/* Whether the function that token i stands in is for the host. */
static bool in_host_function(struct cu *f, uint32_t i) {
    const struct byte_range *bodies;
    size_t n = cu_functions(f, &bodies);
    for (size_t k = 0; k < n; k++) {
        if (i < bodies[k].start || i >= bodies[k].end) continue;
        for (uint32_t t = bodies[k].start; t < bodies[k].end && !cu_is(f, t, "{"); t++)
            if (cu_is(f, t, CU_DEVICE_WORD) || cu_is(f, t, CU_KERNEL_WORD)) return false;
        return true;
    }
    return false;
}

/* Whether an object of that class is made at token i: X(..), X<..> name(..). */
static bool makes_object(const struct cu *f, uint32_t i) {
    uint32_t next = i + 1;
    if (cu_is(f, next, "<")) {
        next = cu_template_end(f, next);
        if (next == NO_NODE) return false;
        next++;
    }
    if (cu_is_word(f, next)) next++;
    return cu_is(f, next, "(") || cu_is(f, next, "{");
}

/* A constructor for the device alone, of a class whose objects a function of the host makes to
 * hand them to kernels: nvcc takes that in templates. */
static void settle_constructor(struct said_functions *s, const struct said_function *fn) {
    struct cu *f = s->f;
    struct row_ref both;
    uint32_t close = f->tokens.v[fn->token + 1].partner;
    bool has_body = close != NO_NODE && (cu_is(f, close + 1, "{") || cu_is(f, close + 1, ":"));
    if (!has_body || !row_of(f, "cm::host_device", &both)) return;
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), fn->name)) continue;
        if (i == fn->token || !makes_object(f, i) || !in_host_function(f, i)) continue;
        write_both(f, fn->device, both);
        return;
    }
}

/* Whether the innermost #if around a directive, past guards, asks which side is compiled; *branch
 * is it. */
static bool asks_for_side(const struct cu *f, size_t number, size_t *branch) {
    int depth = 0;
    while (number-- > 0) {
        const struct cu_directive *d = &f->directives.v[number];
        depth += d->kind == CD_ENDIF;
        if (d->kind == CD_IF && depth-- == 0) {
            *branch = number;
            for (uint32_t t = d->first + 2; t < d->last; t++)
                if (cu_is_word(f, t) && cu_is_device_macro(f->rules, cu_text(f, t))) return true;
            if (!cu_is(f, d->first + 1, "ifndef")) return false;
            depth = 0; /* a guard is within the question */
        }
    }
    return false;
}

/* Whether the port asks in that directive for whoever compiles, not for one pass of it, or an
 * earlier one has. */
static bool is_for_both(const struct cu *f, size_t number) {
    const struct cu_directive *d = &f->directives.v[number];
    struct str own = target_fact(f->target, "own_macros");
    for (uint32_t t = d->first + 2; t < d->last; t++)
        if (cu_is(f, t, "||"))
            for (uint32_t k = t + 1; k < d->last && !cu_is(f, k, "||"); k++)
                if (cu_is_word(f, k) && str_listed(cu_text(f, k), own) &&
                    !cu_is_device_macro(f->rules, cu_text(f, k)))
                    return true;
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        if (m->directive != number + 1 || !m->row.rule) continue;
        struct str id = rs_str(m->row.set, m->row.rule->id);
        if (rules_lists(f->rules, "cuda.specifier_rules", id)) return true;
    }
    return false;
}

/* Where else the file defines the macro of directive number i, than behind #ifndef of its name. */
enum elsewhere { NOWHERE, FOR_BOTH, FOR_ONE };
static enum elsewhere defined_elsewhere(const struct cu *f, size_t i, size_t branch,
                                        size_t *where) {
    struct str name = cu_text(f, f->directives.v[i].first + 2);
    enum elsewhere found = NOWHERE;
    for (size_t k = 0; k < f->directives.n; k++) {
        const struct cu_directive *d = &f->directives.v[k], *before = k ? d - 1 : d;
        size_t other;
        if (k == i || d->kind != CD_DEFINE || !str_eq(cu_text(f, d->first + 2), name)) continue;
        bool device = false;
        for (uint32_t t = d->first + 3; t < d->last; t++) device |= cu_is(f, t, CU_DEVICE_WORD);
        if ((k < branch || device) && !asks_for_side(f, k, &other)) return FOR_BOTH;
        bool guarded =
            cu_is(f, before->first + 1, "ifndef") && str_eq(cu_text(f, before->first + 2), name);
        if (!guarded) found = FOR_ONE, *where = k;
    }
    return found;
}

/* Says of a macro that is nothing in the other branch of the #if, that of the host, what it is in
 * both, where that is compiled as HIP. */
static bool say_in_other(struct cu *f, size_t where, size_t branch) {
    const struct cu_directive *d = &f->directives.v[where];
    struct cu_match m = {.kind = CU_SEQUENCE, .first = d->first, .last = d->last};
    struct cu_capture said = {S("m"), d->first + 2, d->first + 3};
    size_t other;
    bool empty = d->last == d->first + 3 && asks_for_side(f, where, &other) && other == branch;
    if (!empty || !cu_find_row(f, "cm::side_macro_other($m)", &m)) return false;
    vec_push(f->a, &m.captures, said);
    cu_add_found(f, m);
    return true;
}

/* Says of a macro that only the device's pass defines, in a branch that stays one for it, what it
 * is in both: above the #if, where nobody defines it for the host. */
static void say_above(struct cu *f, size_t i, size_t branch) {
    uint32_t name = f->directives.v[i].first + 2, mark = f->directives.v[branch].first;
    struct cu_match m = {.kind = CU_SEQUENCE, .first = mark - 1, .last = mark};
    struct cu_capture said = {S("m"), name, name + 1}, before = {S("x"), mark - 1, mark};
    size_t where = 0;
    enum elsewhere other = defined_elsewhere(f, i, branch, &where);
    if (other == FOR_BOTH || (other == FOR_ONE && say_in_other(f, where, branch))) return;
    bool free = mark > 0 && other == NOWHERE;
    for (size_t k = 0; k < f->matches.n; k++)
        free &= f->matches.v[k].first >= mark || f->matches.v[k].last < mark;
    if (!free || !cu_find_row(f, "cm::side_macro_above($m, $x)", &m)) {
        cu_report(f, "cm::side_macro", name);
        return;
    }
    vec_push(f->a, &m.captures, said);
    vec_push(f->a, &m.captures, before);
    cu_add_found(f, m);
}

/* `#ifdef __CUDA_ARCH__`, `#define BOTH __device__`: a macro that is another specifier for each
 * side. It is one for both where both are read at once, which is not said of a branch with more
 * than such macros: there the host's pass has none. */
static void settle_macros(struct cu *f) {
    struct row_ref both;
    if (!row_of(f, "cm::host_device", &both)) return;
    for (size_t i = 0; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        uint32_t device = NO_NODE;
        bool plain = d->kind == CD_DEFINE && !d->in_string, host = false;
        for (uint32_t t = d->first + 3; plain && t < d->last; t++) {
            if (cu_is(f, t, CU_DEVICE_WORD)) device = t;
            host |= cu_is(f, t, CU_HOST_WORD);
            plain = cu_is_word(f, t);
        }
        size_t branch;
        if (!plain || device == NO_NODE || !asks_for_side(f, i, &branch)) continue;
        if (!host) write_both(f, device, both);
        if (!is_for_both(f, branch)) say_above(f, i, branch);
    }
}

/* <mylib/dev.h>: a program's own, which its build finds; nobody can tell that of <dev.h>. */
static bool is_own_folder(const struct cu *f, struct str path) {
    size_t slash = str_find(path, S("/"), 0);
    if (slash == path.n) return false;
    return !rules_lists(f->rules, "cuda.system_folders", str_sub(path, 0, slash));
}

/* The path of an #include of the program's own, without its quotes; empty: it is none. */
static struct str own_header(const struct cu *f, const struct cu_directive *d) {
    struct str path = {0};
    for (uint32_t t = d->first; d->kind == CD_INCLUDE && !d->in_string && t < d->last; t++)
        if (f->tokens.v[t].kind == CU_HEADER) path = cu_text(f, t);
    if (path.n < 3) return (struct str){0};
    bool quoted = path.p[0] == '"';
    path = str_sub(path, 1, path.n - 1);
    bool own = quoted || (is_own_folder(f, path) &&
                          cu_is_project_header(f->rules, f->project, f->path, path, false));
    return own ? path : (struct str){0};
}

/* `#ifdef __CUDA_ARCH__`, a header, `#else`, another: what they define is other classes for each
 * side. clang reads the kernels with those of the host, too. */
static void settle_headers(struct cu *f) {
    for (size_t i = 0; i < f->directives.n; i++) {
        struct str first = own_header(f, &f->directives.v[i]);
        size_t k = i + 1, depth = 0, branch;
        if (!first.n || !asks_for_side(f, i, &branch)) continue;
        for (bool other = false; k < f->directives.n; k++) {
            const struct cu_directive *d = &f->directives.v[k];
            if (d->kind == CD_ENDIF && depth-- == 0) break;
            depth += d->kind == CD_IF;
            other |= !depth && (d->kind == CD_ELSE || d->kind == CD_ELIF);
            struct str path = own_header(f, d);
            if (!other || !path.n || str_eq(path, first)) continue;
            cu_report(f, "cm::side_headers", f->directives.v[i].last - 1);
            break;
        }
        while (k < f->directives.n && f->directives.v[k].kind != CD_ENDIF) k++;
        i = k;
    }
}

/* Whether words in capitals that sound like specifiers stand in the file: DEVICE_INLINE. */
static bool may_say_by_macro(const struct cu *f) {
    static const char *const parts[] = {"CUDA", "DEV", "GPU", "HOST"};
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        struct str word = cu_text(f, i);
        if (!cu_is_word(f, i) || !cu_is_capitals(word) || !cu_is_word(f, i + 1)) continue;
        for (size_t k = 0; k < ARRAY_LEN(parts); k++)
            if (str_find(word, str_of(parts[k]), 0) < word.n) return true;
    }
    return false;
}

void cu_match_specifiers(struct cu *f) {
    struct said_functions s = {.f = f};
    struct row_ref row;
    if (!row_of(f, "cm::specifiers", &row)) return;
    settle_macros(f);
    settle_headers(f);
    bool any = false;
    for (size_t i = 0; i < f->matches.n && !any; i++)
        any = str_is(f->matches.v[i].token, CU_DEVICE_WORD);
    if (any || f->cuda || may_say_by_macro(f)) read_macros(&s, f);
    if (s.macros.n || f->cuda || may_say_by_macro(f)) {
        cu_read_included(f);
        for (size_t n = 0; n < f->included.n; n++) read_macros(&s, f->included.v[n]);
    }
    if (!any && !s.macros.n) return;
    find_all(&s);
    for (size_t i = 0; i < s.all.n; i++) {
        const struct said_function *fn = &s.all.v[i];
        if (fn->unknown) continue;
        bool constructor = !fn->out_of_class && str_eq(fn->name, fn->scope);
        if (constructor && !fn->host) settle_constructor(&s, fn);
        if (fn->out_of_class && fn->role != R_SPECIAL) settle_member(&s, fn);
        if (fn->role == R_PRIMARY && !fn->out_of_class && is_special(&s, fn->name))
            settle_template(&s, fn);
        bool silent = fn->device == NO_NODE && !fn->explicit_host && !fn->by_macro;
        if (fn->role == R_PRIMARY && silent && !fn->out_of_class) settle_silent(&s, fn);
        bool device = fn->role == R_PRIMARY && fn->device != NO_NODE && f->cuda;
        if (device && !fn->out_of_class) settle_special(&s, fn);
    }
    settle_definitions(&s);
}
