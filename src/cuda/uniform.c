/* uniform.c - what has the same value for all threads of a block.
 *
 * Parameters, blockIdx, blockDim, gridDim and constants have; so has what is computed from them,
 * and what is read from memory at such an address: a program that lets one thread write it while
 * another one reads it has no defined result anyway. */
#include "cuda/kernel.h"

static bool no(uint32_t *token, uint32_t i) {
    *token = i;
    return false;
}

static bool is_statement_change(const struct kernel *k, uint32_t s, uint32_t i) {
    const struct cu *f = k->f;
    uint32_t start = k->s.v[s].start, last = k->s.v[s].last - 1;
    if (cu_is(f, start, "++") || cu_is(f, start, "--")) return i == start + 1 && last == i + 1;
    return i == start && (cu_is(f, i + 1, "++") || cu_is(f, i + 1, "--") ? last == i + 2 : true);
}

/* The innermost statement that holds a token. */
static uint32_t statement_at(const struct kernel *k, uint32_t token) {
    uint32_t found = NO_NODE;
    for (uint32_t s = 0; s < k->s.n; s++)
        if (k->s.v[s].first <= token && token < k->s.v[s].last) found = s;
    return found;
}

/* Whether all around a statement runs once per block. */
static bool at_block_level(const struct kernel *k, uint32_t s) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent)
        if (k->s.v[p].role != KR_HOISTED) return false;
    return true;
}

/* One change of a variable: in the head of a hoisted loop, or a statement of its own; by all of
 * the threads that see the variable. */
static bool uniform_change(struct kernel *k, uint32_t i, const struct kv *v, uint32_t *token) {
    const struct cu *f = k->f;
    uint32_t s = statement_at(k, i);
    if (s == NO_NODE || k->s.v[s].masked) return no(token, i);
    const struct ks *x = &k->s.v[s];
    if (x->kind == KS_LOOP_HEAD && k->s.v[x->parent].masked) return no(token, i);
    uint32_t seen = v->statement == NO_NODE ? NO_NODE : km_around(k, v->statement);
    if (km_around(k, s) != seen) return no(token, i);
    if (x->kind == KS_LOOP_HEAD || (x->role == KR_HOISTED && x->kind != KS_BLOCK))
        return at_block_level(k, s) || no(token, i); /* heads are asked for as a whole */
    if (x->kind != KS_EXPRESSION || !at_block_level(k, s) || !is_statement_change(k, s, i))
        return no(token, i);
    uint32_t value = i + 1;
    while (value < x->last && !cu_is(f, value, "=") && f->tokens.v[value].kind == CU_PUNCT &&
           !cu_is(f, value, ";"))
        value++;
    return ku_uniform(k, i + 1, x->last - 1, token);
}

/* Makes a variable one of the block, if all that it is ever given is uniform. */
static bool become_uniform(struct kernel *k, uint32_t n, uint32_t *token) {
    struct kv *v = &k->v.v[n];
    if (v->class == KV_SHARED) return true;
    if (v->class == KV_BLOCK && v->statement != NO_NODE) return true;
    if (v->statement == NO_NODE && k->function) return no(token, v->token);
    if (v->statement == NO_NODE && !v->changed) return !v->passed || no(token, v->token);
    if (v->twice || v->passed || v->reference || v->is_static || v->array_first != v->array_last)
        return no(token, v->token);
    if (v->asked) return true; /* it may depend on itself */
    uint8_t before = v->class;
    v->class = KV_BLOCK;
    v->asked = true;
    bool good = true;
    if (v->statement != NO_NODE) {
        const struct ks *s = &k->s.v[v->statement];
        bool head = s->kind == KS_LOOP_HEAD && k->s.v[s->parent].masked;
        good = (!head && at_block_level(k, v->statement)) || no(token, v->token);
        if (good && v->init) good = ku_uniform(k, v->init_first, v->init_last, token);
    }
    for (size_t u = 0; good && u < k->uses.n; u++)
        if (k->uses.v[u].variable == n && kv_changes(k, k->uses.v[u].token, v))
            good = uniform_change(k, k->uses.v[u].token, &k->v.v[n], token);
    v = &k->v.v[n];
    v->asked = false;
    if (!good) v->class = before;
    return good;
}

static bool uniform_word(struct kernel *k, uint32_t i, uint32_t *token) {
    struct cu *f = k->f;
    struct str word = cu_text(f, i);
    uint32_t n = kv_at(k, i);
    if (n != NO_NODE) return become_uniform(k, n, token);
    if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"))
        return !cu_is(f, i + 1, "(") || no(token, i);
    if (str_listed(word, S("threadIdx volatile asm"))) return no(token, i);
    for (struct kq_macro m = {0}; kq_next_macro(f, word, &m);)
        for (uint32_t t = m.d->first + 3; t < m.d->last; t++)
            if (str_listed(cu_text(m.f, t), S("threadIdx volatile")) ||
                kq_is_macro(f, cu_text(m.f, t)))
                return no(token, i);
    for (size_t u = 0; u < k->hidden.n; u++)
        if (k->hidden.v[u].token == i && !become_uniform(k, k->hidden.v[u].variable, token))
            return no(token, i);
    bool call = cu_is(f, i + 1, "(");
    if (cu_is(f, i + 1, "<")) {
        uint32_t close = cu_template_end(f, i + 1);
        call = close != NO_NODE && cu_is(f, close + 1, "(");
    }
    return !call || str_listed(word, kq_words(f, "pure_functions")) || no(token, i);
}

bool ku_uniform(struct kernel *k, uint32_t first, uint32_t last, uint32_t *token) {
    for (uint32_t i = first; i < last; i++) {
        if (ks_lambda(k->f, i)) return no(token, i);
        if (cu_is_word(k->f, i) && !uniform_word(k, i, token)) return false;
    }
    return true;
}

/* ---- declarations that each piece can repeat ---- */

static bool repeatable_variable(struct kernel *k, uint32_t n, const struct kv *v) {
    const struct kv *x = &k->v.v[n];
    if (x->class == KV_REPEATED) return true;
    if (x->class != KV_BLOCK || x->passed) return false;
    for (size_t u = 0; x->changed && u < k->uses.n; u++) {
        uint32_t at = k->uses.v[u].token;
        if (k->uses.v[u].variable == n && at >= v->scope_first && at < v->scope_last &&
            kv_changes(k, at, x))
            return false;
    }
    return true;
}

/* A variable of the file that kernels or the host can write. */
static bool changes_elsewhere(const struct cu *f, struct str name) {
    for (uint32_t i = 1; i < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        for (uint32_t t = i; t-- > 0 && i - t < 12;) {
            if (cu_is(f, t, ";") || cu_is(f, t, "}") || cu_is(f, t, "{") || cu_is(f, t, ")"))
                break;
            if (rules_lists(f->rules, "cuda.changeable", cu_text(f, t))) return true;
        }
    }
    return false;
}

bool ku_repeatable(struct kernel *k, const struct kv *v) {
    const struct cu *f = k->f;
    if (v->twice || v->changed || v->passed || v->is_static || v->reference || !v->init ||
        v->init == '{' || v->array_first != v->array_last ||
        k->s.v[v->statement].kind != KS_DECLARATION)
        return false;
    for (uint32_t i = v->init_first; i < v->init_last; i++) {
        bool unary =
            !cu_is_word(f, i - 1) && f->tokens.v[i - 1].kind != CU_NUMBER && !cu_is(f, i - 1, ")");
        if ((cu_is(f, i, "*") && unary) || cu_is(f, i, "[") || cu_is(f, i, "->") ||
            cu_is(f, i, "=") || cu_is(f, i, "++") || cu_is(f, i, "--") || cu_is(f, i, "{"))
            return false;
        if (!cu_is_word(f, i)) continue;
        uint32_t n = kv_at(k, i);
        if (n != NO_NODE) {
            if (!repeatable_variable(k, n, v)) return false;
            continue;
        }
        for (size_t u = 0; u < k->hidden.n; u++)
            if (k->hidden.v[u].token == i) return false;
        struct str word = cu_text(f, i);
        bool member = cu_is(f, i - 1, ".");
        bool call = cu_is(f, i + 1, "(") ||
                    (cu_is(f, i + 1, "<") && cu_template_end(f, i + 1) != NO_NODE &&
                     cu_is(f, cu_template_end(f, i + 1) + 1, "("));
        bool pure = str_listed(word, kq_words(f, "pure_functions")) ||
                    str_listed(word, kq_words(f, "group_functions")) ||
                    str_listed(word, S("int unsigned float double char bool size_t uint"));
        if (call && !pure) return false;
        if (!call && !member && !cu_is(f, i + 1, "::") && changes_elsewhere(f, word)) return false;
    }
    return true;
}
