/* SPDX-License-Identifier: Apache-2.0 */
/* uniform.c - whether a condition is the same for all work-items of a group, by its words: where
 * it is not, some return in front of a barrier that SYCL wants all of them to come to.
 *
 * What nobody knows may vary. A variable is uniform that is given one value, of uniform words; a
 * parameter of a kernel is, and one of a device function where all calls in sight give it such. */
#include "sycl/sycl.h"

enum { DEEPEST = 6, MOST_STEPS = 20 * 1000 * 1000 };

/* A return of the file's, and what divides a group in front of it. */
struct sy_return {
    uint32_t token, body; /* of its function */
    uint32_t block;       /* the brace behind the innermost condition that varies; NO_NODE: none */
};

struct sy_returns {
    VEC(struct sy_return) all; /* those that some of a group may take */
    int8_t *conditions;        /* [parenthesis] 1: it varies, -1: it does not */
    uint64_t steps;            /* tokens looked at: with too many, all varies */
};

/* Looks at n tokens more; false: there were too many. */
static bool spend(struct sycl *s, size_t n) {
    s->returns->steps += n;
    return s->returns->steps < MOST_STEPS;
}

/* Whether the brace begins a lambda's body: [..](..) mutable -> T { */
static bool begins_lambda(const struct cu *f, uint32_t brace) {
    uint32_t i = brace - 1;
    while (i > 0 && (cu_is_word(f, i) || cu_is(f, i, "->") || cu_is(f, i, "::"))) i--;
    if (cu_is(f, i, ")") && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i) - 1;
    return cu_is(f, i, "]");
}

static bool in_lambda(const struct cu *f, uint32_t body, uint32_t token) {
    for (uint32_t i = body + 1; i < token; i++) {
        uint32_t end = cu_is(f, i, "{") ? cu_partner(f, i) : NO_NODE;
        if (end == NO_NODE) continue;
        if (end > token && begins_lambda(f, i)) return true;
        if (end < token) i = end;
    }
    return false;
}

static bool varies(struct sycl *s, const struct sy_function *in, uint32_t i, int depth);
static void find_returns(struct sycl *s);

static bool any_varies(struct sycl *s, const struct sy_function *in, uint32_t first, uint32_t last,
                       int depth) {
    for (uint32_t i = first; i < last; i++)
        if (varies(s, in, i, depth)) return true;
    return false;
}

/* Whether the use of a name at token i may change what it holds. */
static bool changes(const struct cu *f, uint32_t i) {
    if (cu_is(f, i - 1, "&") || cu_is(f, i - 1, "++") || cu_is(f, i - 1, "--")) return true;
    uint32_t next = i + 1;
    while (cu_is(f, next, "[") && cu_partner(f, next) != NO_NODE) next = cu_partner(f, next) + 1;
    return cu_is(f, next, "++") || cu_is(f, next, "--") || cu_assigns(f, next) ||
           cu_is(f, next, ".") || cu_is(f, next, ">>");
}

/* Whether the word at token i begins a declaration's value: T name = .. */
static bool is_declared(const struct cu *f, uint32_t i) {
    return cu_is(f, i + 1, "=") && (cu_is_word(f, i - 1) || cu_is(f, i - 1, ">")) &&
           !cu_is(f, i - 1, "return");
}

/* Whether the name at token i is an argument of a function that takes a reference. */
static bool is_referred_to(const struct sycl *s, const struct cu *f, uint32_t i) {
    if (!str_listed(cu_text(f, i - 1), S("( ,")) || !str_listed(cu_text(f, i + 1), S(", )")))
        return false;
    uint32_t open = i;
    while (open-- > 0 && !cu_is(f, open, "("))
        if (cu_is(f, open, ")") && cu_partner(f, open) != NO_NODE) open = cu_partner(f, open);
    if (open == NO_NODE || open == 0 || !cu_is_word(f, open - 1)) return false;
    const struct sy_function *one = sy_first_named(s, cu_text(f, open - 1));
    for (; one; one = sy_next_named(s, one))
        for (uint32_t t = one->open; t < one->close; t++)
            if (cu_is(one->f, t, "&")) return true;
    return false;
}

/* Whether the function gives its variable one value, of uniform words. */
static bool is_uniform_variable(struct sycl *s, const struct sy_function *in, struct str name,
                                int depth) {
    const struct cu *f = in->f;
    uint32_t value = NO_NODE;
    if (!spend(s, in->end - in->body)) return false;
    for (uint32_t i = in->body + 1; i < in->end; i++) {
        if (!str_eq(cu_text(f, i), name) || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"))
            continue;
        if (is_declared(f, i)) {
            if (value != NO_NODE) return false;
            value = i + 2;
        } else if (changes(f, i) || is_referred_to(s, f, i)) {
            return false;
        }
    }
    if (value == NO_NODE) return false;
    uint32_t last = value;
    while (last < in->end && !cu_is(f, last, ";") && !cu_is(f, last, ",")) {
        if ((cu_is(f, last, "(") || cu_is(f, last, "[")) && cu_partner(f, last) != NO_NODE)
            last = cu_partner(f, last);
        last++;
    }
    return !any_varies(s, in, value, last, depth + 1);
}

/* Which parameter has that name; -1: none. */
static int parameter_of(const struct sy_function *in, struct str name) {
    struct cu_call list = {0};
    cu_split(in->f, in->open + 1, in->close, &list);
    for (size_t k = 0; k < list.arguments.n; k++)
        for (uint32_t i = list.arguments.v[k].first; i < list.arguments.v[k].last; i++)
            if (str_eq(cu_text(in->f, i), name)) return (int)k;
    return -1;
}

/* The function of any file in sight whose body holds the token. */
static const struct sy_function *around(const struct sycl *s, const struct cu *f, uint32_t i) {
    const struct sy_function *best = NULL;
    for (size_t k = 0; k < s->functions.n; k++) {
        const struct sy_function *one = &s->functions.v[k];
        bool holds = one->f == f && one->body != NO_NODE && one->body < i && i < one->end;
        if (holds && (!best || one->body > best->body)) best = one;
    }
    return best;
}

/* Whether each call in the file gives a uniform value to the function's parameter number k; what
 * was found is counted. */
static bool all_give_uniform(struct sycl *s, struct cu *f, const struct sy_function *to, size_t k,
                             int depth, size_t *calls) {
    struct str name = cu_text(to->f, to->name);
    if (!spend(s, f->tokens.n)) return false;
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name) || (f == to->f && i == to->name))
            continue;
        const struct sy_function *from = around(s, f, i);
        struct cu_call call = {0};
        uint32_t open = i + 1;
        if (cu_is(f, open, "<") && cu_template_end(f, open) != NO_NODE)
            open = cu_template_end(f, open) + 1;
        if (!from) continue; /* another declaration, or the host's */
        if (!cu_read_call(f, open, &call) || call.arguments.n <= k) return false;
        ++*calls;
        struct cu_argument a = call.arguments.v[k];
        if (any_varies(s, from, a.first, a.last, depth + 1)) return false;
    }
    return true;
}

static bool is_uniform_parameter(struct sycl *s, const struct sy_function *in, struct str name,
                                 int k, int depth) {
    for (uint32_t i = in->body + 1; i < in->end; i++)
        if (str_eq(cu_text(in->f, i), name) && changes(in->f, i) && !cu_is(in->f, i + 1, "[") &&
            !cu_is(in->f, i + 1, "."))
            return false;
    if (in->kernel) return true;
    size_t calls = 0;
    bool all = all_give_uniform(s, s->f, in, (size_t)k, depth, &calls);
    for (size_t n = 0; n < s->f->included.n && all; n++)
        all = all_give_uniform(s, s->f->included.v[n], in, (size_t)k, depth, &calls);
    return all && calls;
}

/* Whether the file has a constant of that name. */
static bool is_constant_in(const struct cu *f, struct str name) {
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        if (!is_declared(f, i) && !(cu_is(f, i - 1, ",") && cu_is(f, i + 1, "="))) continue;
        for (uint32_t k = i; k-- > 0 && !str_listed(cu_text(f, k), S("; { } ("));) {
            if (cu_is(f, k, "const") || cu_is(f, k, "constexpr")) return true;
            if (cu_is(f, k, ")") && cu_partner(f, k) != NO_NODE) k = cu_partner(f, k);
        }
    }
    return false;
}

/* A macro whose text is uniform, or a constant of the file's or of its headers'; a macro of the
 * command line. */
static bool is_constant(struct sycl *s, const struct sy_function *in, struct str name, int depth) {
    for (size_t n = 0; n <= s->f->included.n; n++) {
        const struct cu *f = n ? s->f->included.v[n - 1] : s->f;
        for (size_t d = 0; d < f->directives.n; d++) {
            const struct cu_directive *one = &f->directives.v[d];
            if (one->kind != CD_DEFINE || !str_eq(cu_text(f, one->first + 2), name)) continue;
            for (uint32_t i = one->first + 3; i < one->last; i++) {
                if (!cu_is_word(f, i)) continue;
                struct str rest, word = cu_text(f, i);
                bool known = rules_word_row(s->f->rules, "sycl.builtins", word, &rest)
                                 ? !str_is(word, CU_THREAD_INDEX)
                                 : is_constant(s, in, word, depth + 1) ||
                                       rules_lists(s->f->rules, "cuda.type_words", word);
                if (depth >= DEEPEST || !known) return false;
            }
            return true;
        }
    }
    for (size_t n = 0; n <= s->f->included.n; n++)
        if (spend(s, n ? s->f->included.v[n - 1]->tokens.n : s->f->tokens.n) &&
            is_constant_in(n ? s->f->included.v[n - 1] : s->f, name))
            return true;
    return cu_is_capitals(name);
}

/* Whether the token is a word that may differ between the work-items of a group. */
static bool varies(struct sycl *s, const struct sy_function *in, uint32_t i, int depth) {
    const struct cu *f = in->f;
    const struct rules *rules = s->f->rules;
    struct str word = cu_text(f, i), rest;
    if (!cu_is_word(f, i) || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) return false;
    if (str_is(word, CU_THREAD_INDEX)) return true;
    if (rules_word_row(rules, "sycl.builtins", word, &rest) ||
        rules_lists(rules, "cuda.uniform_words", word) ||
        rules_lists(rules, "cuda.type_words", word))
        return false;
    bool template = cu_is(f, i + 1, "<") && cu_template_end(f, i + 1) != NO_NODE;
    if (cu_is(f, i + 1, "(") || template) /* its arguments are looked at, too */
        return !template && !rules_lists(rules, "cuda.pure", word);
    if (depth >= DEEPEST) return true;
    int k = parameter_of(in, word);
    if (k >= 0) return !is_uniform_parameter(s, in, word, k, depth);
    if (is_uniform_variable(s, in, word, depth)) return false;
    for (uint32_t t = in->body + 1; t < in->end; t++) /* declared in another way */
        if (str_eq(cu_text(f, t), word) && (cu_is_word(f, t - 1) || changes(f, t)) &&
            !str_listed(cu_text(f, t - 1), S("return case else")))
            return true;
    for (uint32_t t = in->head; t < in->name; t++) /* template <int N> */
        if (str_eq(cu_text(f, t), word)) return false;
    return !is_constant(s, in, word, depth + 1);
}

/* The opening brace of the block that token i is in. */
static uint32_t block_of(const struct cu *f, uint32_t i) {
    while (i-- > 0) {
        if (cu_is(f, i, "{")) return i;
        if (cu_is(f, i, "}") && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i);
    }
    return NO_NODE;
}

static bool holds(const struct cu *f, uint32_t block, uint32_t token) {
    return block < token && token < cu_partner(f, block);
}

static bool condition_varies(struct sycl *s, const struct sy_function *in, uint32_t open) {
    int8_t *known = &s->returns->conditions[open];
    if (!*known) *known = any_varies(s, in, open + 1, cu_partner(in->f, open), 0) ? 1 : -1;
    return *known > 0;
}

/* Whether some of a group may run the statement at token i, and others not: then *block is the one
 * behind the innermost condition that divides them, or NO_NODE where it has none. */
static bool is_divided(struct sycl *s, const struct sy_function *in, uint32_t i, uint32_t *block) {
    const struct cu *f = in->f;
    *block = NO_NODE;
    while (i > in->body + 1 && spend(s, 1)) {
        uint32_t before = i - 1;
        if (cu_is(f, before, "else")) {
            if (!cu_is(f, before - 1, "}") || cu_partner(f, before - 1) == NO_NODE) return true;
            i = cu_partner(f, before - 1); /* that of its if */
            continue;
        }
        if (cu_is(f, before, "do")) return true;
        if (cu_is(f, before, ")") && cu_partner(f, before) != NO_NODE) {
            uint32_t open = cu_partner(f, before);
            if (condition_varies(s, in, open)) return true;
            i = open;
            while (i > in->body + 1 && (cu_is_word(f, i - 1) && !cu_is(f, i - 1, "else"))) i--;
            continue;
        }
        uint32_t around = block_of(f, i);
        if (around == NO_NODE || around <= in->body) return false;
        if (!spend(s, i - around)) return true;
        i = *block = around;
    }
    return i > in->body + 1;
}

/* Whether a use of the word at token i differs between the work-items of a group for certain:
 * their number, or a variable that is given one value with it, outside of calls and subscripts. */
static bool surely_varies(struct sycl *s, const struct sy_function *in, uint32_t i, int depth) {
    const struct cu *f = in->f;
    if (!cu_is_word(f, i) || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) return false;
    if (str_is(cu_text(f, i), CU_THREAD_INDEX)) return true;
    if (cu_is(f, i + 1, "(") || depth >= DEEPEST || !spend(s, in->end - in->body)) return false;
    uint32_t value = NO_NODE;
    for (uint32_t k = in->body + 1; k < in->end; k++) {
        if (!str_eq(cu_text(f, k), cu_text(f, i)) || cu_is(f, k - 1, ".")) continue;
        bool here = is_declared(f, k);
        if (here ? value != NO_NODE : changes(f, k) || is_referred_to(s, f, k)) return false;
        if (here) value = k + 2;
    }
    for (uint32_t k = value; k < in->end && !str_listed(cu_text(f, k), S("; ,")); k++) {
        if (surely_varies(s, in, k, depth + 1)) return true;
        if ((cu_is(f, k, "(") || cu_is(f, k, "[")) && cu_partner(f, k) != NO_NODE)
            k = cu_partner(f, k);
    }
    return false;
}

bool sy_is_in_branch(struct sycl *s, const struct sy_function *in, uint32_t barrier) {
    const struct cu *f = in->f;
    find_returns(s);
    for (uint32_t block = block_of(f, barrier); block != NO_NODE && block > in->body;
         block = block_of(f, block)) {
        uint32_t close = block - 1, open = cu_is(f, close, ")") ? cu_partner(f, close) : NO_NODE;
        if (open == NO_NODE || !cu_is(f, open - 1, "if")) continue;
        for (uint32_t i = open + 1; i < close; i++) {
            if (surely_varies(s, in, i, 0)) return true;
            if ((cu_is(f, i, "(") || cu_is(f, i, "[")) && cu_partner(f, i) != NO_NODE &&
                cu_is_word(f, i - 1))
                i = cu_partner(f, i);
        }
    }
    return false;
}

/* Whether a loop's block holds both tokens. */
static bool in_one_loop(const struct cu *f, uint32_t body, uint32_t barrier, uint32_t i) {
    uint32_t block = barrier;
    while ((block = block_of(f, block)) != NO_NODE && block > body) {
        if (!holds(f, block, i)) continue;
        uint32_t open = cu_is(f, block - 1, ")") ? cu_partner(f, block - 1) : NO_NODE;
        if (cu_is(f, block - 1, "do")) return true;
        if (open != NO_NODE && (cu_is(f, open - 1, "for") || cu_is(f, open - 1, "while")))
            return true;
    }
    return false;
}

/* All returns of the file that some of a group may take, once. */
static void find_returns(struct sycl *s) {
    struct cu *f = s->f;
    if (s->returns) return;
    s->returns = NEW(f->a, struct sy_returns);
    s->returns->conditions = arena_zalloc(f->a, f->tokens.n + 1);
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        const struct sy_function *in = cu_is(f, i, "return") ? sy_function_at(s, i) : NULL;
        struct sy_return one = {.token = i};
        if (!in || in_lambda(f, in->body, i) || !is_divided(s, in, i, &one.block)) continue;
        one.body = in->body;
        vec_push(f->a, &s->returns->all, one);
    }
}

bool sy_follows_return(struct sycl *s, const struct sy_function *in, uint32_t barrier) {
    const struct cu *f = s->f;
    find_returns(s);
    for (size_t k = 0; k < s->returns->all.n; k++) {
        const struct sy_return *one = &s->returns->all.v[k];
        if (one->body != in->body) continue;
        if (one->block != NO_NODE && holds(f, one->block, barrier)) continue;
        if (one->token < barrier || in_one_loop(f, in->body, barrier, one->token)) return true;
    }
    return false;
}

bool sy_divides(struct sycl *s, const struct sy_function *in, uint32_t token) {
    find_returns(s);
    for (size_t k = 0; k < s->returns->all.n; k++)
        if (s->returns->all.v[k].token == token && s->returns->all.v[k].body == in->body)
            return true;
    return false;
}

bool sy_varies(struct sycl *s, const struct sy_function *in, uint32_t token) {
    return varies(s, in, token, 0);
}

bool sy_may_change(const struct sycl *s, const struct cu *f, uint32_t token) {
    struct str rest; /* blockDim.x reads, whatever a member of another object does */
    if (rules_word_row(s->f->rules, "sycl.builtins", cu_text(f, token), &rest)) return false;
    return changes(f, token) || is_referred_to(s, f, token);
}
