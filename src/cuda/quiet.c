/* quiet.c - what a kernel calls: functions that neither wait for other threads nor ask which
 * thread they run for can stand in a loop over the threads; of all others nothing is known. */
#include "cuda/kernel.h"

enum { DEEP = 16 };

struct str kq_words(const struct cu *f, const char *fact) {
    return target_fact(f->target, fact);
}

/* The ( of the call whose callee is the word at i, or NO_NODE. */
static uint32_t call_of(const struct cu *f, uint32_t i) {
    if (cu_is(f, i + 1, "(")) return i + 1;
    if (!cu_is(f, i + 1, "<")) return NO_NODE;
    uint32_t close = cu_template_end(f, i + 1);
    return close != NO_NODE && cu_is(f, close + 1, "(") ? close + 1 : NO_NODE;
}

static bool is_type_of(const struct cu *f, struct str name, bool parameters) {
    for (uint32_t i = 1; i < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        uint32_t before = i - 1; /* struct alignas(16) name */
        if (cu_is(f, before, ")") && f->tokens.v[before].partner != NO_NODE &&
            str_listed(cu_text(f, f->tokens.v[before].partner - 1), S("alignas __align__")))
            before = f->tokens.v[before].partner - 2;
        if (str_listed(cu_text(f, before), S("struct class enum union using"))) {
            bool parameter = cu_is(f, i - 2, "<") || cu_is(f, i - 2, ",");
            if (parameters || !parameter) return true;
        }
        if (parameters && str_listed(cu_text(f, i - 1), S("typename namespace"))) return true;
        if (cu_is(f, i + 1, ";") && cu_is(f, i - 1, "}")) return true;
        for (uint32_t t = i; cu_is(f, i + 1, ";") && t-- > 1 && i - t < 30;) {
            if (cu_is(f, t, "typedef")) return true;
            if (cu_is(f, t, ";") || cu_is(f, t, "}")) break;
        }
    }
    return false;
}

bool kq_is_type(struct cu *f, struct str name, bool parameters) {
    const struct cu *in;
    for (size_t n = 0; (in = kq_source(f, n)); n++)
        if (is_type_of(in, name, parameters)) return true;
    return false;
}

struct look {
    const struct kernel *k;
    struct cu *f;           /* whose tokens are looked at */
    uint32_t open, close;   /* the body that they stand in */
    bool inside;            /* in a function, not in the kernel */
    bool returns;           /* what an atomic of the function saw may decide over a loop of the
                               caller's */
    bool asks;              /* a function looks at threadIdx */
    uint32_t token;         /* of the kernel: what is not quiet */
    struct str word;        /* the same, where it stands in a function */
    struct str asked[DEEP]; /* functions that are being looked at */
};

static bool quiet(struct look *l, uint32_t first, uint32_t last, int depth);

/* Whether tokens are those that the kernel's variables and operations are known by. */
static bool in_kernel(const struct look *l) { return !l->inside && l->f == l->k->f; }

/* Looks at tokens that stand elsewhere. */
static bool quiet_there(struct look *l, struct cu *f, uint32_t open, uint32_t close, bool inside,
                        int depth) {
    struct look before = *l;
    l->f = f;
    l->open = open, l->close = close;
    l->inside = inside;
    bool yes = quiet(l, open, close, depth);
    l->f = before.f;
    l->open = before.open, l->close = before.close;
    l->inside = before.inside;
    return yes;
}

static bool is_asked(struct look *l, struct str name, int depth) {
    for (int n = 0; n < depth; n++)
        if (str_eq(l->asked[n], name)) return true;
    l->asked[depth] = name;
    return false;
}

/* What a macro holds counts as if it stood where its name, token i, does. */
static bool quiet_macro(struct look *l, uint32_t i, int depth) {
    struct kq_macro m = {0};
    struct str name = cu_text(l->f, i);
    if (!kq_is_macro(l->k->f, name)) return true;
    if (depth + 1 >= DEEP) return false;
    if (is_asked(l, name, depth)) return true;
    bool yes = true, returned = l->returns;
    l->returns = false;
    while (yes && kq_next_macro(l->k->f, name, &m))
        yes = quiet_there(l, m.f, m.d->first + 3, m.d->last, l->inside, depth + 1);
    if (l->returns && kq_loop_may_wait(l->f, l->open, l->close, i)) yes = false;
    l->returns |= returned;
    return yes;
}

static bool quiet_function(struct look *l, uint32_t i, struct str name, int depth) {
    struct kq_function d = {0};
    bool any = false, returned = l->returns;
    if (depth + 1 >= DEEP) return false;
    if (is_asked(l, name, depth)) return true; /* it calls itself */
    l->returns = false;
    while (kq_next_function(l->k->f, name, &d)) {
        any = true;
        if (!quiet_there(l, d.f, d.open, d.close, true, depth + 1)) return false;
    }
    if (l->returns && kq_loop_may_wait(l->f, l->open, l->close, i)) any = false;
    l->returns |= returned;
    return any;
}

/* Whether tokens name a type that is known here. */
static bool names_own_type(const struct look *l, uint32_t first, uint32_t last) {
    for (uint32_t t = first; t < last; t++)
        if (cu_is_word(l->f, t) && kq_is_type(l->k->f, cu_text(l->f, t), false)) return true;
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

/* The declaration before token i that gives its name a type: *word, in tokens. */
static bool find_declaration(const struct cu *f, uint32_t i, uint32_t *at, uint32_t *word) {
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
    uint32_t n = in_kernel(l) ? kv_at(l->k, i) : NO_NODE, at, word;
    const struct kv *v = n == NO_NODE ? NULL : &l->k->v.v[n];
    if (v && !v->is_auto) return names_own_type(l, v->type_first, v->type_last);
    bool member = cu_is(l->f, i - 1, ".") || cu_is(l->f, i - 1, "->") || cu_is(l->f, i - 1, "::");
    if (v || member || kq_is_type(l->k->f, cu_text(l->f, i), true)) return false;
    return find_declaration(l->f, i, &at, &word) && names_own_type(l, word, word + 1);
}

/* x.f(...), x[i].f(...). Where x's type is not known, all functions of that name count; but not
 * those that groups, pipelines and collectives have. */
static bool quiet_member(struct look *l, uint32_t i, int depth) {
    uint32_t of = i - 2;
    struct str name = cu_text(l->f, i);
    if (cu_is(l->f, of, "]") && l->f->tokens.v[of].partner != NO_NODE)
        of = l->f->tokens.v[of].partner - 1;
    if (cu_is(l->f, i + 1, "<") && !kq_defines(l->k->f, name)) return true; /* a.x < b */
    bool waits = str_listed(name, kq_words(l->f, "group_methods"));
    return (!waits || is_of_own_type(l, of)) && quiet_function(l, i, name, depth);
}

/* A call of a value: a local lambda, or whatever was handed over. */
static bool quiet_value(struct look *l, uint32_t i, int depth) {
    struct cu *root = l->k->f;
    uint32_t at, word;
    if (!find_declaration(l->f, i, &at, &word) || depth + 1 >= DEEP) return false;
    if (cu_is(l->f, at + 1, "=") && ks_lambda(l->f, at + 2))
        return is_asked(l, cu_text(l->f, i), depth) ||
               quiet_there(l, l->f, at + 2, at + 2 + ks_lambda(l->f, at + 2), true, depth + 1);
    kq_find_callables(root);
    if (is_asked(l, S("()"), depth)) return true;
    for (size_t n = 0; n < root->callables.n; n++) {
        const struct cu_body *b = &root->callables.v[n];
        if (!quiet_there(l, b->f, b->open, b->close, true, depth + 1)) return false;
    }
    return root->callables.n > 0;
}

/* A function of a cooperative group that says which thread of it this one is. */
static bool asks_group(const struct look *l, uint32_t i) {
    const struct cu *f = l->f;
    struct str name = cu_text(f, i);
    if (!str_listed(name, kq_words(f, "group_functions"))) return false;
    if (!str_listed(name, S("size thread_index dim_threads"))) return true;
    if (!cu_is(f, i - 1, ".") || !cu_is_word(f, i - 2)) return false;
    uint32_t n = in_kernel(l) ? kv_at(l->k, i - 2) : NO_NODE, at, word;
    if (n != NO_NODE) return l->k->v.v[n].group;
    return !in_kernel(l) && find_declaration(f, i - 2, &at, &word) &&
           rules_lists(f->rules, "cuda.thread_groups", cu_text(f, word));
}

/* Whether the names before token i begin with a namespace whose functions wait for nobody. */
static bool in_quiet_namespace(const struct look *l, uint32_t i) {
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
        if (str_listed(cu_text(f, before), kq_words(f, "quiet_namespaces"))) return true;
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
static bool quiet_call(struct look *l, uint32_t i, int depth) {
    const struct cu *f = l->f;
    struct str name = cu_text(f, i);
    if (str_listed(name, S("if for while switch return sizeof alignof decltype do else defined "
                           "static_cast reinterpret_cast const_cast static_assert "
                           "__typeof__ typeof new delete case noexcept alignas operator")))
        return true;
    if (asks_group(l, i)) return l->asks = true;
    if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) return quiet_member(l, i, depth);
    if (str_listed(name, kq_words(f, "quiet_functions")) || in_quiet_namespace(l, i)) return true;
    if (rules_lists(f->rules, "cuda.constructed", name)) return true;
    for (uint32_t n = 0; in_kernel(l) && n < l->k->v.n; n++)
        if (l->k->v.v[n].token == i) return true; /* T name(...) */
    bool given = str_listed(name, kq_words(f, "group_operators")) ||
                 str_listed(name, kq_words(f, "cub_types"));
    if (cu_is(f, i - 1, "::") && given && !kq_defines(l->k->f, name)) return true;
    bool declares = cu_is_word(f, i - 1) && !cu_is(f, i - 1, "return") && //
                    !cu_is(f, i - 1, "else") && !cu_is(f, i - 1, "do");
    if (declares || declares_own(l, i)) return true;
    if (kq_is_macro(l->k->f, name)) return true; /* macros are looked at as words */
    if (is_of_own_type(l, i)) return quiet_function(l, i, S("()"), depth);
    if (quiet_function(l, i, name, depth)) return true;
    if (l->word.n) return false;
    return kq_is_type(l->k->f, name, true) ||
           (!kq_defines(l->k->f, name) && quiet_value(l, i, depth));
}

/* Names of other namespaces than std and the project's. */
static bool is_foreign(const struct look *l, uint32_t i) {
    if (!cu_is(l->f, i + 1, "::") || cu_is(l->f, i - 1, "::")) return false;
    struct str name = cu_text(l->f, i);
    bool inner =
        str_listed(cu_text(l->f, i + 2), kq_words(l->f, "quiet_namespaces")) ||
        (str_is(name, "cub") && str_listed(cu_text(l->f, i + 2), kq_words(l->f, "cub_types")));
    if (inner || str_is(name, "return")) return false; /* cuda::std::, return ::f() */
    return !str_listed(name, kq_words(l->f, "quiet_namespaces")) &&
           !str_listed(name, kq_words(l->f, "group_namespaces")) &&
           !kq_is_type(l->k->f, name, true);
}

/* An atomic function that waits for nobody. */
static bool quiet_atomic(struct look *l, uint32_t i) {
    bool leaks;
    if (!str_starts(cu_text(l->f, i), S("atomic"))) return false;
    if (kq_may_spin(l->f, l->open, l->close, i, &leaks)) return false;
    l->returns |= leaks;
    return true;
}

static bool is_loud(struct look *l, uint32_t i, int depth) {
    const struct cu *f = l->f;
    struct str word = cu_text(f, i);
    if (str_is(word, "threadIdx")) {
        l->asks |= l->inside;
        return false;
    }
    if (str_listed(word, kq_words(f, "waiting_words"))) return true;
    if (str_listed(word, kq_words(f, "asking_words"))) {
        l->asks = true;
        return false;
    }
    if (str_listed(word, kq_words(f, "calling_words"))) {
        if (!quiet_atomic(l, i)) return true;
        return kq_defines(l->k->f, word) ? !quiet_function(l, i, word, depth)
                                         : !str_listed(word, kq_words(f, "atomic_functions"));
    }
    if (is_foreign(l, i)) return true;
    if (call_of(f, i) != NO_NODE && !quiet_call(l, i, depth)) return true;
    return !quiet_macro(l, i, depth);
}

static bool quiet(struct look *l, uint32_t first, uint32_t last, int depth) {
    for (uint32_t i = first; i < last; i++) {
        bool loud = cu_is(l->f, i, "<<<");
        if (!loud && !cu_is_word(l->f, i)) continue;
        if (in_kernel(l) && kw_is_offer(l->k, i)) continue; /* it is cut there */
        if (!loud && !is_loud(l, i, depth)) continue;
        if (!l->word.n) l->word = cu_text(l->f, i);
        l->token = i;
        return false;
    }
    return true;
}

enum kq_manner kq_manner(const struct kernel *k, uint32_t first, uint32_t last, uint32_t *token,
                         struct str *word) {
    struct look l = {.k = k, .f = k->f, .open = k->open, .close = k->close};
    if (quiet(&l, first, last, 0)) return l.asks ? KQ_ASKS : KQ_QUIET;
    *token = l.token, *word = l.word;
    return KQ_CALLS;
}

bool kq_only_reads(const struct cu *f, const struct cu_directive *d) {
    static const char *const marks[] = {"=", "+=", "-=", "*=", "/=", "&", "++", "--", "##"};
    for (uint32_t t = d->first + 3; t < d->last; t++)
        for (size_t n = 0; n < ARRAY_LEN(marks); n++)
            if (cu_is(f, t, marks[n])) return false;
    return true;
}

bool kq_keeps_arguments(const struct kernel *k, struct str name) {
    struct cu *f = k->f;
    struct kq_function d = {0};
    struct kq_macro m = {0};
    bool any = str_listed(name, kq_words(f, "quiet_functions")) ||
               str_listed(name, kq_words(f, "waiting_words")) ||
               str_listed(name, kq_words(f, "calling_words")) ||
               rules_lists(f->rules, "cuda.constructed", name);
    if (kq_is_macro(f, name)) {
        while (kq_next_macro(f, name, &m))
            if (!kq_only_reads(m.f, m.d)) return false;
        return true;
    }
    while (kq_next_function(f, name, &d)) {
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
