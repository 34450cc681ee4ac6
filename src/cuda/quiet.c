/* quiet.c - what a kernel calls: functions that neither wait for other threads nor ask which
 * thread they run for can stand in a loop over the threads; of all others nothing is known. */
#include "cuda/kernel.h"

enum { DEEP = 8 };

bool kq_listed(struct str word, struct str words) {
    for (size_t i = 0; i < words.n;) {
        size_t end = str_find(words, S(" "), i);
        struct str one = str_sub(words, i, end);
        bool prefix = one.n && one.p[one.n - 1] == '*';
        if (prefix ? str_starts(word, str_sub(one, 0, one.n - 1)) : str_eq(word, one)) return true;
        i = end + 1;
    }
    return false;
}

struct str kq_words(const struct cu *f, const char *fact) {
    return target_fact(f->target, fact);
}

const struct cu_directive *kq_macro(const struct cu *f, struct str name) {
    for (size_t i = 0; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->kind == CD_DEFINE && str_eq(cu_text(f, d->first + 2), name)) return d;
    }
    return NULL;
}

/* The ( of the call whose callee is the word at i, or NO_NODE. */
static uint32_t call_of(const struct cu *f, uint32_t i) {
    if (cu_is(f, i + 1, "(")) return i + 1;
    if (!cu_is(f, i + 1, "<")) return NO_NODE;
    uint32_t close = cu_template_end(f, i + 1);
    return close != NO_NODE && cu_is(f, close + 1, "(") ? close + 1 : NO_NODE;
}

/* A function's definition. */
struct definition {
    uint32_t params, open, close; /* ( { } */
};

/* The next definition of a function of that name from token *i on. */
static bool next_definition(const struct cu *f, struct str name, uint32_t *i,
                            struct definition *d) {
    for (; *i + 1 < f->tokens.n; ++*i) {
        if (!cu_is_word(f, *i) || f->tokens.v[*i].directive || !str_eq(cu_text(f, *i), name))
            continue;
        uint32_t open = *i + 1, close = cu_is(f, open, "(") ? f->tokens.v[open].partner : NO_NODE;
        if (close == NO_NODE) continue;
        uint32_t body = close + 1;
        while (cu_is(f, body, "const") || cu_is(f, body, "noexcept")) body++;
        if (!cu_is(f, body, "{") || f->tokens.v[body].partner == NO_NODE) continue;
        *d = (struct definition){open, body, f->tokens.v[body].partner};
        *i = d->close;
        return true;
    }
    return false;
}

static bool is_defined_type(const struct cu *f, struct str name) {
    static const char *const words[] = {"struct",   "class", "enum",     "union",
                                        "typename", "using", "namespace"};
    for (uint32_t i = 1; i < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        for (size_t n = 0; n < ARRAY_LEN(words); n++)
            if (cu_is(f, i - 1, words[n])) return true;
        if (cu_is(f, i - 1, "class") || (cu_is(f, i + 1, ";") && cu_is(f, i - 1, "}")))
            return true;
    }
    return false;
}

struct look {
    const struct cu *f;
    const struct kernel *k; /* NULL inside a function */
    uint32_t token;         /* what is not quiet */
    struct str asked[DEEP]; /* functions that are being looked at */
};

static bool quiet(struct look *l, uint32_t first, uint32_t last, int depth);

static bool quiet_macro(struct look *l, struct str name, int depth) {
    const struct cu_directive *d = kq_macro(l->f, name);
    if (!d || depth + 1 >= DEEP) return !d;
    for (int n = 0; n < depth; n++)
        if (str_eq(l->asked[n], name)) return true;
    l->asked[depth] = name;
    return quiet(l, d->first + 3, d->last, depth + 1);
}

static bool quiet_function(struct look *l, struct str name, int depth) {
    struct definition d;
    bool any = false;
    for (int n = 0; n < depth; n++)
        if (str_eq(l->asked[n], name)) return true; /* it calls itself */
    if (depth + 1 >= DEEP) return false;
    l->asked[depth] = name;
    for (uint32_t i = 0; next_definition(l->f, name, &i, &d);) {
        const struct kernel *k = l->k;
        any = true;
        l->k = NULL;
        bool yes = quiet(l, d.open, d.close, depth + 1);
        l->k = k;
        if (!yes) return false;
    }
    return any;
}

/* A word that is called, or constructed. */
static bool quiet_call(struct look *l, uint32_t i, int depth) {
    const struct cu *f = l->f;
    struct str name = cu_text(f, i);
    if (kq_listed(name, S("if for while switch return sizeof alignof decltype do else defined "
                          "static_cast reinterpret_cast const_cast")))
        return true;
    if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) return false;
    if (kq_listed(name, kq_words(f, "quiet_functions"))) return true;
    if (kq_listed(name, S("int unsigned float double char bool short long uint size_t int2 "
                          "dim3 __half half int8_t uint8_t int16_t uint16_t int32_t uint32_t "
                          "int64_t uint64_t void auto const")))
        return true;
    for (uint32_t n = 0; l->k && n < l->k->v.n; n++)
        if (l->k->v.v[n].token == i) return true;                         /* T name(...) */
    bool declares = cu_is_word(f, i - 1) && !cu_is(f, i - 1, "return") && //
                    !cu_is(f, i - 1, "else") && !cu_is(f, i - 1, "do");
    if (declares || kq_macro(f, name)) return true; /* macros are looked at as words */
    return quiet_function(l, name, depth) || is_defined_type(f, name);
}

/* Names of other namespaces than std and this file's. */
static bool is_foreign(const struct cu *f, uint32_t i) {
    if (!cu_is(f, i + 1, "::")) return false;
    struct str name = cu_text(f, i);
    return !str_is(name, "std") && !str_is(name, "numeric_limits") && !is_defined_type(f, name);
}

static bool quiet(struct look *l, uint32_t first, uint32_t last, int depth) {
    const struct cu *f = l->f;
    for (uint32_t i = first; i < last; i++) {
        if (!cu_is_word(f, i)) {
            if (!cu_is(f, i, "<<<")) continue;
            l->token = i;
            return false;
        }
        if (l->k && kw_is_offer(l->k, i)) continue; /* it does not wait there */
        struct str word = cu_text(f, i);
        bool index = str_is(word, "threadIdx");
        bool loud =
            (index && !l->k) || kq_listed(word, kq_words(f, "waiting_words")) || is_foreign(f, i);
        if (!loud && call_of(f, i) != NO_NODE) loud = !quiet_call(l, i, depth);
        if (!loud && !index) loud = !quiet_macro(l, word, depth);
        if (!loud) continue;
        l->token = i;
        return false;
    }
    return true;
}

bool kq_quiet(const struct kernel *k, uint32_t first, uint32_t last, uint32_t *token) {
    struct look l = {.f = k->f, .k = k};
    bool yes = quiet(&l, first, last, 0);
    if (!yes) *token = l.token;
    return yes;
}

/* Whether a macro only reads what it is given. */
static bool only_reads(const struct cu *f, const struct cu_directive *d) {
    static const char *const marks[] = {"=", "+=", "-=", "*=", "/=", "&", "++", "--", "##"};
    for (uint32_t t = d->first + 3; t < d->last; t++)
        for (size_t n = 0; n < ARRAY_LEN(marks); n++)
            if (cu_is(f, t, marks[n])) return false;
    return true;
}

bool kq_keeps_arguments(const struct kernel *k, struct str name) {
    const struct cu *f = k->f;
    struct definition d;
    bool any = kq_listed(name, kq_words(f, "quiet_functions")) ||
               kq_listed(name, kq_words(f, "waiting_words")) ||
               kq_listed(name, kq_words(f, "calling_words")) ||
               kq_listed(name, S("int unsigned float double char bool dim3 printf"));
    const struct cu_directive *macro = kq_macro(f, name);
    if (macro) return only_reads(f, macro);
    for (uint32_t i = 0; next_definition(f, name, &i, &d);) {
        any = true;
        for (uint32_t t = d.params; cu_is(f, t, ")") == false && t < d.open; t++)
            if (cu_is(f, t, "&") && !cu_is(f, t + 1, "&")) {
                uint32_t from = t;
                while (from > d.params && !cu_is(f, from, ",")) from--;
                if (!cu_is(f, from + 1, "const")) return false;
            }
    }
    return any;
}
