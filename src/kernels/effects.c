/* SPDX-License-Identifier: Apache-2.0 */
/* effects.c - a summary of what a kernel's callees do, bottom-up over the call graph: may block,
 * reads the thread's index, or neither. Functions that do neither can stand in a loop over the
 * threads. Unknown callees are assumed to block; those that are known not to are rows of
 * rules/words.json (cuda.nonblocking), not code. */
#include "kernels/kernel.h"

enum { DEEP = 16 };

#define CALLABLES "(callables)" /* the name of all that a value may be that is called */

/* The ( of the call whose callee is the word at i, or NO_NODE. */
static uint32_t call_of(const struct cu *f, uint32_t i) {
    if (cu_is(f, i + 1, "(")) return i + 1;
    if (!cu_is(f, i + 1, "<")) return NO_NODE;
    uint32_t close = cu_template_end(f, i + 1);
    return close != NO_NODE && cu_is(f, close + 1, "(") ? close + 1 : NO_NODE;
}

struct names {
    VEC(struct str) v;
};

struct look {
    const struct kernel *k;
    struct cu *f;           /* whose tokens are looked at */
    uint32_t open, close;   /* the body that they stand in */
    bool inside;            /* in a function, not in the kernel */
    bool returns;           /* what an atomic of the function saw may decide over a loop of the
                               caller's */
    bool reads_id;          /* a function looks at threadIdx */
    bool cut;               /* something was too deep to be looked at */
    struct names *later;    /* names to be looked at in turn, where only reads_id is asked for */
    uint32_t token;         /* of the kernel: what may block */
    struct str word;        /* the same, where it stands in a function */
    struct str asked[DEEP]; /* functions that are being looked at */
    int cycle;              /* the first of them that was come upon again; DEEP: none was */
};

static bool nonblocking(struct look *l, uint32_t first, uint32_t last, int depth);

/* Whether tokens are those that the kernel's variables and operations are known by. */
static bool in_kernel(const struct look *l) { return !l->inside && l->f == l->k->f; }

/* Looks at tokens that stand elsewhere. */
static bool nonblocking_there(struct look *l, struct cu *f, uint32_t open, uint32_t close,
                              bool inside, int depth) {
    struct look before = *l;
    l->f = f;
    l->open = open, l->close = close;
    l->inside = inside;
    bool yes = nonblocking(l, open, close, depth);
    l->f = before.f;
    l->open = before.open, l->close = before.close;
    l->inside = before.inside;
    return yes;
}

static bool is_asked(struct look *l, struct str name, int depth) {
    for (int n = 0; n < depth; n++) {
        if (!str_eq(l->asked[n], name)) continue;
        if (n < l->cycle) l->cycle = n;
        return true;
    }
    l->asked[depth] = name;
    return false;
}

static bool is_too_deep(struct look *l, int depth) {
    bool deep = depth + 1 >= DEEP;
    l->cut |= deep;
    return deep;
}

/* Where only reads_id is asked for: each name is looked at once, however many call it. */
static bool look_later(struct look *l, struct str name) {
    if (l->later && k_visit(l->k->f, name)) vec_push(l->k->f->a, &l->later->v, name);
    return l->later != NULL;
}

/* What a macro holds counts as if it stood where its name, token i, does. */
static bool nonblocking_macro(struct look *l, uint32_t i, int depth) {
    struct k_macro m = {0};
    struct str name = cu_text(l->f, i);
    if (!k_is_macro(l->k->f, name) || look_later(l, name)) return true;
    if (is_too_deep(l, depth)) return false;
    if (is_asked(l, name, depth)) return true;
    bool yes = true, returned = l->returns;
    l->returns = false;
    while (yes && k_next_macro(l->k->f, name, &m))
        yes = nonblocking_there(l, m.f, m.d->first + 3, m.d->last, l->inside, depth + 1);
    if (l->returns && k_loop_may_wait(l->f, l->open, l->close, i)) yes = false;
    l->returns |= returned;
    return yes;
}

/* Whether all functions of that name, of which there are some, cannot block. */
static bool nonblocking_bodies(struct look *l, struct str name, int depth) {
    struct k_function d = {0};
    bool any = false;
    while (k_next_function(l->k->f, name, &d)) {
        uint32_t values = d.params, close = d.f->tokens.v[d.params].partner;
        while (values < close && !cu_is(d.f, values, "=")) values++; /* of arguments not given */
        any = true;
        if (!nonblocking_there(l, d.f, values, close, true, depth + 1) ||
            !nonblocking_there(l, d.f, d.open, d.close, true, depth + 1))
            return false;
    }
    return any;
}

/* Looks at the functions of a name, and keeps what is found out: it is the same for each call. But
 * it is not where a function was taken for harmless that is still being looked at. */
static struct k_summary summary_of(struct look *l, struct str name, int depth) {
    const struct k_summary *known = k_summary_of(l->k->f, name);
    if (known) return *known;
    bool cut = l->cut;
    struct str outer = l->word;
    l->word = (struct str){0};
    l->returns = l->reads_id = l->cut = false;
    bool harmless = nonblocking_bodies(l, name, depth);
    struct k_summary found = {l->word, harmless, l->returns, l->reads_id};
    bool blocks = found.word.n && !l->cut && !k_is_spent(l->k->f);
    if (blocks || (harmless && l->cycle >= depth)) k_note_summary(l->k->f, name, found);
    l->word = outer;
    l->cut |= cut;
    return found;
}

static bool nonblocking_function(struct look *l, uint32_t i, struct str name, int depth) {
    struct look before = *l;
    struct k_function any = {0};
    if (l->later) return k_next_function(l->k->f, name, &any) && look_later(l, name);
    if (is_too_deep(l, depth)) return false;
    if (is_asked(l, name, depth)) return true; /* it calls itself */
    l->cycle = DEEP;
    struct k_summary found = summary_of(l, name, depth);
    bool yes = found.harmless;
    if (yes && found.returns && k_loop_may_wait(l->f, l->open, l->close, i)) yes = false;
    if (!l->word.n) l->word = found.word;
    l->returns = before.returns || found.returns;
    l->reads_id = before.reads_id || found.reads_id;
    if (l->cycle >= depth || before.cycle < l->cycle) l->cycle = before.cycle;
    return yes;
}

/* Whether tokens name a type that is known here. */
static bool names_own_type(const struct look *l, uint32_t first, uint32_t last) {
    for (uint32_t t = first; t < last; t++)
        if (cu_is_word(l->f, t) && k_is_type(l->k->f, cu_text(l->f, t), false)) return true;
    return false;
}

/* The word that the type of a declaration ends with whose name is token i: T of `T<U> &name`. */
static uint32_t type_word(const struct cu *f, uint32_t i) {
    uint32_t t = i;
    while (t > 0 &&
           (cu_is(f, t - 1, "*") || str_listed(cu_text(f, t - 1), S("& && const __restrict__"))))
        t--;
    if (t == 0 || (!cu_is(f, t - 1, ">") && !cu_is_word(f, t - 1))) return NO_NODE;
    for (int depth = 0; t-- > 0;) {
        depth += cu_is(f, t, ">");
        depth -= cu_is(f, t, "<");
        if (depth <= 0 && cu_is_word(f, t)) return t;
        if (cu_is(f, t, ";") || cu_is(f, t, "{") || cu_is(f, t, ")")) return NO_NODE;
    }
    return NO_NODE;
}

bool k_find_declaration(const struct cu *f, uint32_t i, uint32_t *at, uint32_t *word) {
    enum { FAR = 3000 };
    struct str name = cu_text(f, i);
    for (uint32_t t = i; t-- > 1 && i - t < FAR;) {
        if (!cu_is_word(f, t) || !str_eq(cu_text(f, t), name)) continue;
        if (cu_is(f, t + 1, "(")) continue; /* a function */
        *at = t, *word = type_word(f, t);
        if (*word != NO_NODE && !str_listed(cu_text(f, *word), S("return else case new delete")))
            return true;
    }
    return false;
}

/* The variable at token i is of a type that is known here. */
static bool is_of_own_type(const struct look *l, uint32_t i) {
    if (!cu_is_word(l->f, i)) return false;
    uint32_t n = in_kernel(l) ? k_variable_at(l->k, i) : NO_NODE, at, word;
    const struct k_variable *v = n == NO_NODE ? NULL : &l->k->v.v[n];
    if (v && !v->is_auto) return names_own_type(l, v->type_first, v->type_last);
    bool member = cu_is(l->f, i - 1, ".") || cu_is(l->f, i - 1, "->") || cu_is(l->f, i - 1, "::");
    if (v || member || k_is_type(l->k->f, cu_text(l->f, i), true)) return false;
    return k_find_declaration(l->f, i, &at, &word) && names_own_type(l, word, word + 1);
}

/* x.f(...), x[i].f(...). Where x's type is not known, all functions of that name count; but not
 * those that groups, pipelines and collectives have. */
static bool nonblocking_member(struct look *l, uint32_t i, int depth) {
    uint32_t of = i - 2;
    struct str name = cu_text(l->f, i);
    if (cu_is(l->f, of, "]") && l->f->tokens.v[of].partner != NO_NODE)
        of = l->f->tokens.v[of].partner - 1;
    if (cu_is(l->f, i + 1, "<") && !k_defines(l->k->f, name)) return true; /* a.x < b */
    bool waits = rules_lists(l->f->rules, "cuda.group_methods", name);
    return (!waits || l->later || is_of_own_type(l, of)) &&
           nonblocking_function(l, i, name, depth);
}

/* A call of a value: a local lambda, or whatever was handed over. */
static bool nonblocking_value(struct look *l, uint32_t i, int depth) {
    struct cu *root = l->k->f;
    uint32_t at, word;
    if (!k_find_declaration(l->f, i, &at, &word) || is_too_deep(l, depth)) return false;
    if (cu_is(l->f, at + 1, "=") && k_lambda_length(l->f, at + 2))
        return is_asked(l, cu_text(l->f, i), depth) ||
               nonblocking_there(l, l->f, at + 2, at + 2 + k_lambda_length(l->f, at + 2), true,
                                 depth + 1);
    k_find_callables(root);
    if (look_later(l, S(CALLABLES)) || is_asked(l, S("()"), depth)) return true;
    for (size_t n = 0; n < root->callables.n; n++) {
        const struct cu_body *b = &root->callables.v[n];
        if (!nonblocking_there(l, b->f, b->open, b->close, true, depth + 1)) return false;
    }
    return root->callables.n > 0;
}

/* A function of a cooperative group that says which thread of it this one is. */
static bool reads_group_rank(const struct look *l, uint32_t i) {
    const struct cu *f = l->f;
    struct str name = cu_text(f, i);
    if (!rules_lists(f->rules, "cuda.group_queries", name)) return false;
    if (!str_listed(name, S("size " CU_GROUP_INDEX " " CU_GROUP_DIM))) return true;
    if (!cu_is(f, i - 1, ".") || !cu_is_word(f, i - 2)) return false;
    uint32_t n = in_kernel(l) ? k_variable_at(l->k, i - 2) : NO_NODE, at, word;
    if (n != NO_NODE) return l->k->v.v[n].group;
    return !in_kernel(l) && k_find_declaration(f, i - 2, &at, &word) &&
           rules_lists(f->rules, "cuda.thread_groups", cu_text(f, word));
}

/* Whether the names before token i begin with a namespace whose functions wait for nobody. */
static bool in_nonblocking_namespace(const struct look *l, uint32_t i) {
    const struct cu *f = l->f;
    while (i > 1 && cu_is(f, i - 1, "::")) {
        uint32_t before = i - 2;
        if (cu_is(f, before, ">")) { /* a<b>::c */
            int depth = 0;
            for (; before > 0; before--) {
                depth += cu_is(f, before, ">");
                if (cu_is(f, before, "<") && --depth == 0) break;
            }
            before--;
        }
        if (!cu_is_word(f, before)) return false;
        if (rules_lists(f->rules, "cuda.nonblocking_namespaces", cu_text(f, before))) return true;
        i = before;
    }
    return false;
}

/* T<U> name(...) */
static bool declares_own(const struct look *l, uint32_t i) {
    uint32_t word = cu_is(l->f, i - 1, ">") ? type_word(l->f, i) : NO_NODE;
    return word != NO_NODE && names_own_type(l, word, word + 1);
}

/* A word that is called, or constructed. */
static bool nonblocking_call(struct look *l, uint32_t i, int depth) {
    const struct cu *f = l->f;
    struct str name = cu_text(f, i);
    if (rules_lists(f->rules, "cuda.keywords", name)) return true;
    if (reads_group_rank(l, i)) return l->reads_id = true;
    if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) return nonblocking_member(l, i, depth);
    if (rules_lists(f->rules, "cuda.nonblocking", name) || in_nonblocking_namespace(l, i))
        return true;
    if (rules_lists(f->rules, "cuda.constructed", name)) return true;
    for (uint32_t n = 0; in_kernel(l) && n < l->k->v.n; n++)
        if (l->k->v.v[n].token == i) return true; /* T name(...) */
    bool given = rules_lists(f->rules, "cuda.group_operators", name) ||
                 rules_lists(f->rules, "cuda.cub_types", name);
    if (cu_is(f, i - 1, "::") && given && !k_defines(l->k->f, name)) return true;
    bool declares = cu_is_word(f, i - 1) && !cu_is(f, i - 1, "return") && //
                    !cu_is(f, i - 1, "else") && !cu_is(f, i - 1, "do");
    if (declares || declares_own(l, i)) return true;
    if (k_is_macro(l->k->f, name)) return true; /* macros are looked at as words */
    if (is_of_own_type(l, i)) return nonblocking_function(l, i, S("()"), depth);
    if (nonblocking_function(l, i, name, depth)) return true;
    if (l->word.n) return false;
    return k_is_type(l->k->f, name, true) ||
           (!k_defines(l->k->f, name) && nonblocking_value(l, i, depth));
}

/* Names of other namespaces than std and the project's. */
static bool is_foreign(const struct look *l, uint32_t i) {
    if (!cu_is(l->f, i + 1, "::") || cu_is(l->f, i - 1, "::")) return false;
    struct str name = cu_text(l->f, i);
    bool inner =
        rules_lists(l->f->rules, "cuda.nonblocking_namespaces", cu_text(l->f, i + 2)) ||
        (str_is(name, CU_CUB) && rules_lists(l->f->rules, "cuda.cub_types", cu_text(l->f, i + 2)));
    if (inner || str_is(name, "return")) return false; /* cuda::std::, return ::f() */
    return !rules_lists(l->f->rules, "cuda.nonblocking_namespaces", name) &&
           !rules_lists(l->f->rules, "cuda.group_namespaces", name) &&
           !k_is_type(l->k->f, name, true);
}

/* An atomic function that waits for nobody. */
static bool nonblocking_atomic(struct look *l, uint32_t i) {
    bool leaks;
    if (!str_starts(cu_text(l->f, i), S("atomic"))) return false;
    if (k_may_spin(l->f, l->open, l->close, i, &leaks)) return false;
    l->returns |= leaks;
    return true;
}

/* A function's name that is not called where it stands: whoever gets it may call it. */
static bool names_function(const struct look *l, uint32_t i) {
    const struct cu *f = l->f;
    uint32_t at, word;
    if (!cu_is_word(f, i) || !k_is_handed_on(f, i) || !k_defines(l->k->f, cu_text(f, i)))
        return false;
    if (in_kernel(l) && k_variable_at(l->k, i) != NO_NODE) return false;
    return in_kernel(l) || !k_find_declaration(f, i, &at, &word) || at < l->open || at > l->close;
}

static bool may_block(struct look *l, uint32_t i, int depth) {
    const struct cu *f = l->f;
    struct str word = cu_text(f, i);
    if (str_is(word, CU_THREAD_INDEX)) {
        l->reads_id |= l->inside;
        return false;
    }
    if (rules_lists(f->rules, "cuda.may_block", word) || str_is(word, "CM_SPIN")) return true;
    if (rules_lists(f->rules, "cuda.reads_thread_id", word)) {
        l->reads_id = true;
        return false;
    }
    enum k_assembly assembly = k_assembly_at(f, i);
    if (assembly == K_ASSEMBLY_COMPUTES || assembly == K_ASSEMBLY_READS_ID) {
        l->reads_id |= assembly == K_ASSEMBLY_READS_ID;
        return false;
    }
    if (rules_lists(f->rules, "cuda.may_spin", word)) {
        if (!nonblocking_atomic(l, i) && !l->later) return true; /* else it may be the program's */
        return k_defines(l->k->f, word) ? !nonblocking_function(l, i, word, depth)
                                        : !rules_lists(f->rules, "cuda.atomics", word);
    }
    if (is_foreign(l, i)) return true;
    if (call_of(f, i) != NO_NODE && !nonblocking_call(l, i, depth)) return true;
    if (names_function(l, i) && !nonblocking_function(l, i, word, depth)) return true;
    return !nonblocking_macro(l, i, depth);
}

static bool nonblocking(struct look *l, uint32_t first, uint32_t last, int depth) {
    for (uint32_t i = first; i < last; i++) {
        uint32_t from, to;
        bool loud = k_spend(l->k->f) || cu_is(l->f, i, "<<<") ||
                    k_spins_on_memory(l->f, i, l->close, &from, &to);
        if (!loud && !cu_is_word(l->f, i)) continue;
        if (in_kernel(l) && k_is_operand(l->k, i)) continue; /* it is cut there */
        if (!loud && !may_block(l, i, depth)) continue;
        if (!l->word.n) l->word = cu_text(l->f, i);
        l->token = i;
        if (!l->later || k_is_spent(l->k->f)) return false;
    }
    return true;
}

static void look_at_macros(struct look *l, struct str name) {
    struct k_macro m = {0};
    while (k_is_macro(l->k->f, name) && k_next_macro(l->k->f, name, &m))
        nonblocking_there(l, m.f, m.d->first + 3, m.d->last, true, 0);
}

static void look_at_callables(struct look *l) {
    struct cu *root = l->k->f;
    for (size_t n = 0; n < root->callables.n; n++)
        nonblocking_there(l, root->callables.v[n].f, root->callables.v[n].open,
                          root->callables.v[n].close, true, 0);
}

bool k_may_read_id(const struct kernel *k, struct cu *f, uint32_t first, uint32_t last) {
    struct names later = {0};
    struct look l = {.k = k,
                     .f = f,
                     .open = first,
                     .close = last,
                     .inside = true,
                     .cycle = DEEP,
                     .later = &later};
    for (uint32_t i = first; i < last; i++)
        if (cu_is(f, i, CU_THREAD_INDEX)) return true;
    nonblocking(&l, first, last, 0);
    for (size_t n = 0; n < later.v.n && !l.reads_id && !k_is_spent(k->f); n++) {
        struct str name = later.v.v[n];
        look_at_macros(&l, name);
        nonblocking_bodies(&l, name, 0);
        if (str_is(name, CALLABLES)) look_at_callables(&l);
    }
    bool reads = l.reads_id || l.cut || k_is_spent(k->f);
    if (reads) k_forget_visits(k->f); /* else none of those that were visited reads it */
    return reads;
}

static bool keeps_arguments(const struct kernel *k, struct str name, int depth);

static bool only_reads(const struct kernel *k, const struct cu *f, const struct cu_directive *d,
                       int depth) {
    uint32_t i = d->first + 3; /* behind # define name */
    if (depth >= DEEP) return false;
    for (uint32_t t = i; t < d->last; t++) {
        if (k_spend(k->f) || cu_assigns(f, t) || cu_is(f, t, "&") || cu_is(f, t, "##"))
            return false;
        struct k_macro m = {0};
        while (t > i && cu_is_word(f, t) && depth < DEEP && k_next_macro(k->f, cu_text(f, t), &m))
            if (!only_reads(k, m.f, m.d, depth + 1)) return false;
        bool call = t > i && cu_is_word(f, t) && cu_is(f, t + 1, "(");
        if (call && !keeps_arguments(k, cu_text(f, t), depth)) return false;
    }
    return true;
}

bool k_only_reads(const struct kernel *k, const struct cu *f, const struct cu_directive *d) {
    return only_reads(k, f, d, 0);
}

static bool keeps_arguments(const struct kernel *k, struct str name, int depth) {
    struct cu *f = k->f;
    struct k_function d = {0};
    struct k_macro m = {0};
    bool any = rules_lists(f->rules, "cuda.nonblocking", name) ||
               rules_lists(f->rules, "cuda.may_block", name) ||
               rules_lists(f->rules, "cuda.may_spin", name) ||
               rules_lists(f->rules, "cuda.reads_thread_id", name) ||
               rules_lists(f->rules, "cuda.keywords", name) ||
               rules_lists(f->rules, "cuda.constructed", name);
    if (depth > DEEP) return false;
    if (k_is_macro(f, name)) {
        while (k_next_macro(f, name, &m))
            if (!only_reads(k, m.f, m.d, depth + 1)) return false;
        return true;
    }
    while (k_next_function(f, name, &d)) {
        any = true;
        for (uint32_t t = d.params; t < d.f->tokens.v[d.params].partner; t++)
            if (cu_is(d.f, t, "&") && !cu_is(d.f, t + 1, "&")) {
                uint32_t from = t;
                while (from > d.params && !cu_is(d.f, from, ",")) from--;
                if (!cu_is(d.f, from + 1, "const")) return false;
            }
    }
    return any;
}

bool k_keeps_arguments(const struct kernel *k, struct str name) {
    return keeps_arguments(k, name, 0);
}

/* ---- what classes run without being called by name ---- */

/* Constructors, destructors, conversions, operators, and what members are initialised with. Where
 * a region is a plain loop over the threads, functions see no thread's number in threadIdx. These
 * are asked about as a whole: if any of the file and its headers may read threadIdx, every region
 * has to set it. Classes that other files hand to a template are not seen. */

/* Behind the declaration that goes on at token i: its ; or the } of its body. */
static uint32_t end_of_declaration(const struct cu *f, uint32_t i) {
    for (; i < f->tokens.n && !cu_is(f, i, ";"); i++) {
        bool brackets = cu_is(f, i, "(") || cu_is(f, i, "[");
        if (brackets && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i);
        if (!cu_is(f, i, "{") || cu_partner(f, i) == NO_NODE) continue;
        i = cu_partner(f, i);
        if (!cu_is(f, i + 1, ",") && !cu_is(f, i + 1, "{")) return i + 1; /* : a{1}, b{2} {} */
    }
    return i;
}

/* Whether a constructor or destructor of a class is defined at token i, or an operator that is not
 * called by its name. */
static bool is_implicit(struct cu *root, struct cu *f, uint32_t i) {
    if (cu_is(f, i, "operator")) return !(cu_is(f, i + 1, "(") && cu_is(f, i + 2, ")"));
    struct k_function d;
    if (!cu_is_word(f, i) || !cu_is(f, i + 1, "(") || !k_function_at(f, i, cu_text(f, i), &d))
        return false;
    return (i > 0 && cu_is(f, i - 1, "~")) || k_is_type(root, cu_text(f, i), false);
}

/* Whether the members' own values in the braces of a class may read a thread's number. */
static bool members_read_id(const struct kernel *k, struct cu *f, uint32_t open) {
    for (uint32_t i = open + 1; i < cu_partner(f, open); i++) {
        bool body = cu_is(f, i, "{") &&
                    (cu_is(f, i - 1, ")") || cu_is(f, i - 1, "}") ||
                     str_listed(cu_text(f, i - 1), S("const noexcept override final")));
        if (body && cu_partner(f, i) != NO_NODE) {
            i = cu_partner(f, i);
            continue;
        }
        bool value = cu_is(f, i, "=") || (cu_is(f, i, "{") && cu_is_word(f, i - 1));
        if (!value) continue;
        uint32_t end = i;
        while (end < cu_partner(f, open) && !cu_is(f, end, ";")) {
            bool opens = cu_is(f, end, "{") || cu_is(f, end, "(");
            end = opens && cu_partner(f, end) != NO_NODE ? cu_partner(f, end) + 1 : end + 1;
        }
        if (k_may_read_id(k, f, i, end)) return true;
        i = end;
    }
    return false;
}

static bool find(const struct kernel *k) {
    struct cu *f;
    for (size_t n = 0; (f = k_source(k->f, n)); n++)
        for (uint32_t i = 0; i < f->tokens.n; i++) {
            if (f->tokens.v[i].directive || !cu_is_word(f, i)) continue;
            if (is_implicit(k->f, f, i) && k_may_read_id(k, f, i + 1, end_of_declaration(f, i)))
                return true;
            if (!str_listed(cu_text(f, i), S("struct class union"))) continue;
            uint32_t open = i + 1;
            while (open < i + 40 && !str_listed(cu_text(f, open), S("{ ; ) = >"))) open++;
            if (cu_is(f, open, "{") && cu_partner(f, open) != NO_NODE &&
                members_read_id(k, f, open))
                return true;
        }
    return false;
}

static bool objects_read_id(const struct kernel *k) {
    struct cu *root = k->f;
    if (root->objects) return root->objects - 1;
    root->objects = 2; /* of themselves: yes */
    bool reads = find(k);
    root->objects = (uint8_t)(reads + 1);
    return reads;
}

enum k_effect k_effect_of(const struct kernel *k, uint32_t first, uint32_t last, uint32_t *token,
                          struct str *word) {
    struct look l = {.k = k, .f = k->f, .open = k->open, .close = k->close, .cycle = DEEP};
    if (nonblocking(&l, first, last, 0))
        return l.reads_id || objects_read_id(k) ? K_READS_THREAD_ID : K_NONBLOCKING;
    *token = l.token, *word = l.word;
    return K_MAY_BLOCK;
}
