/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity.c - which values are the same for all threads of a block: uniform, or else varying.
 * It follows pocl's VariableUniformityAnalysis, a white list, to a fixpoint: a variable is uniform
 * if it is a scalar (types.c), does not escape (uses.c), and all that is stored to it is uniform,
 * in uniform control flow. Everything else varies; a wrong "varying" costs speed only.
 *
 * Parameters, blockIdx, blockDim, gridDim and constants are uniform; so is what is computed from
 * them, and what is read from memory at such an address: a program that lets one thread write it
 * while another one reads it has no defined result anyway. */
#include "kernels/kernel.h"

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
        if (k->s.v[p].role != K_CONTROL) return false;
    return true;
}

/* One change of a variable: in the head of a loop at block level, or a statement of its own; by
 * all of the threads that see the variable. */
static bool uniform_change(struct kernel *k, uint32_t i, const struct k_variable *v,
                           uint32_t *token) {
    const struct cu *f = k->f;
    uint32_t s = statement_at(k, i);
    if (s == NO_NODE || k->s.v[s].predicated) return no(token, i);
    const struct k_statement *x = &k->s.v[s];
    if (x->kind == K_LOOP_HEAD && k->s.v[x->parent].predicated) return no(token, i);
    uint32_t seen = v->statement == NO_NODE ? NO_NODE : k_predicate_around(k, v->statement);
    if (k_predicate_around(k, s) != seen) return no(token, i);
    if (x->kind == K_LOOP_HEAD || (x->role == K_CONTROL && x->kind != K_BLOCK))
        return at_block_level(k, s) || no(token, i); /* heads are asked for as a whole */
    if (x->kind != K_EXPRESSION || !at_block_level(k, s) || !is_statement_change(k, s, i))
        return no(token, i);
    uint32_t value = i + 1;
    while (value < x->last && !cu_is(f, value, "=") && f->tokens.v[value].kind == CU_PUNCT &&
           !cu_is(f, value, ";"))
        value++;
    return k_is_uniform(k, i + 1, x->last - 1, token);
}

/* Makes a variable one of the block, if all that it is ever given is uniform. */
static bool become_uniform(struct kernel *k, uint32_t n, uint32_t *token) {
    struct k_variable *v = &k->v.v[n];
    if (v->class == K_SHARED) return true;
    if (v->class == K_UNIFORM && v->statement != NO_NODE) return true;
    if (v->statement == NO_NODE && k->function) return no(token, v->token);
    if (v->statement == NO_NODE && !v->changed) return !v->passed || no(token, v->token);
    if (v->twice || v->passed || v->reference || v->is_static || v->array_first != v->array_last)
        return no(token, v->token);
    if (v->asked) return true; /* it may depend on itself */
    uint8_t before = v->class;
    v->class = K_UNIFORM;
    v->asked = true;
    bool good = true;
    if (v->statement != NO_NODE) {
        const struct k_statement *s = &k->s.v[v->statement];
        bool head = s->kind == K_LOOP_HEAD && k->s.v[s->parent].predicated;
        good = (!head && at_block_level(k, v->statement)) || no(token, v->token);
        if (good && v->init) good = k_is_uniform(k, v->init_first, v->init_last, token);
    }
    for (size_t u = 0; good && u < k->uses.n; u++)
        if (k->uses.v[u].variable == n && k_writes(k, k->uses.v[u].token, v))
            good = uniform_change(k, k->uses.v[u].token, &k->v.v[n], token);
    v = &k->v.v[n];
    v->asked = false;
    if (!good) v->class = before;
    return good;
}

/* ---- by type ---- */

/* What an expression is read as: tokens [first, last). */
struct expression {
    uint32_t first, last;
    bool loose; /* a pointer may be followed that is not a name */
};

static bool is_loose(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++) {
        bool behind = cu_is(f, i, ")") &&
                      (cu_is(f, i + 1, "[") || cu_is(f, i + 1, "->") || cu_is(f, i + 1, "."));
        bool operand = i > first && (cu_is_word(f, i - 1) || cu_is(f, i - 1, ")") ||
                                     cu_is(f, i - 1, "]") || f->tokens.v[i - 1].kind == CU_NUMBER);
        if (behind || (cu_is(f, i, "*") && !operand)) return true;
    }
    return false;
}

/* Whether the value that token i, a variable, begins is one that no code of the user's computes
 * with: a scalar, or a member that is one. */
static bool is_plain_value(const struct kernel *k, uint32_t i, const struct k_variable *v,
                           const struct expression *e) {
    const struct cu *f = k->f;
    struct k_type type = v->type;
    bool address = v->pointer || type.pointer, element = false;
    uint32_t at = i + 1;
    if (v->is_auto) return true; /* as what it is made of */
    for (;;) {
        if (cu_is(f, at, "[") && f->tokens.v[at].partner != NO_NODE) {
            element = true;
            at = f->tokens.v[at].partner + 1;
        } else if ((cu_is(f, at, ".") || cu_is(f, at, "->")) && cu_is_word(f, at + 1)) {
            type = k_member(k->f, type, cu_text(f, at + 1));
            address = type.pointer, element = false;
            at += 2;
        } else {
            break;
        }
    }
    if (type.kind == K_SCALAR) return true;
    if (address && !element) return !e->loose;
    bool copied = type.kind != K_OBJECT && e->first == i && e->last == at; /* T v = u; */
    return copied;
}

/* By its looks: what the compiler's command line defines (-DTILE=16). If threadIdx stood in it,
 * the port would not compile at the block's level. */
static bool is_macro_name(struct str word) {
    for (size_t i = 0; i < word.n; i++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", word.p[i])) return false;
    return true;
}

/* Whether a word that is none of the kernel's variables names a value that all threads share, or
 * says of what type one is. */
static bool is_constant_word(struct kernel *k, const struct cu *f, uint32_t i, int depth) {
    struct cu *root = k->f;
    struct str word = cu_text(f, i);
    struct k_macro m = {0};
    if (str_listed(word, S(CU_THREAD_INDEX " volatile asm")) || depth > 4) return false;
    if (cu_is(f, i + 1, "::") || cu_is(f, i - 1, "new")) return true; /* the last name counts */
    bool call = cu_is(f, i + 1, "(") || cu_is(f, i + 1, "{");
    if (cu_is(f, i + 1, "<")) {
        uint32_t close = cu_template_end(f, i + 1);
        call = close != NO_NODE && (cu_is(f, close + 1, "(") || cu_is(f, close + 1, "{"));
        if (close != NO_NODE && cu_is(f, close + 1, "::")) return true;
    }
    if (rules_lists(f->rules, "cuda.pure", word)) return true;
    if (k_is_macro(root, word)) {
        while (k_next_macro(root, word, &m)) {
            uint32_t t = m.d->first + 3, close = m.f->tokens.v[t].partner;
            bool parameters = cu_is(m.f, t, "(") && close != NO_NODE &&
                              m.f->tokens.v[t].start == m.f->tokens.v[t - 1].end;
            uint32_t names = t, names_end = parameters ? close : t;
            for (t = names_end; t < m.d->last; t++) {
                bool given = false;
                for (uint32_t n = names; n < names_end && !given; n++)
                    given = str_eq(cu_text(m.f, n), cu_text(m.f, t));
                if (!cu_is_word(m.f, t) || given) continue;
                bool member = cu_is(m.f, t - 1, ".") || cu_is(m.f, t - 1, "->");
                if (member ? cu_is(m.f, t + 1, "(") : !is_constant_word(k, m.f, t, depth + 1))
                    return false;
            }
        }
        return true;
    }
    if (rules_lists(f->rules, "cuda.uniform_words", word)) return true;
    if (rules_lists(f->rules, "cuda.scalar_types", word)) return true;
    if (call) return k_type_of(root, f, i, i + 1).kind == K_SCALAR;
    for (uint32_t n = 0; depth && n < k->v.n; n++) /* in a macro: looked at where it stands */
        if (str_eq(k->v.v[n].name, word)) return true;
    enum k_constant constant = k_constant_of(root, word);
    if (constant == K_CONSTANT || (constant == K_UNKNOWN && is_macro_name(word))) return true;
    return k_is_type(root, word, true) && k_type_of(root, f, i, i + 1).kind != K_OBJECT;
}

static bool uniform_word(struct kernel *k, uint32_t i, const struct expression *e,
                         uint32_t *token) {
    struct cu *f = k->f;
    uint32_t n = k_variable_at(k, i);
    if (n != NO_NODE) {
        bool plain = is_plain_value(k, i, &k->v.v[n], e) && !cu_is(f, i + 1, "(");
        return (plain || no(token, i)) && become_uniform(k, n, token);
    }
    if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"))
        return !cu_is(f, i + 1, "(") || no(token, i);
    if (!is_constant_word(k, f, i, 0)) return no(token, i);
    for (size_t u = 0; u < k->hidden.n; u++)
        if (k->hidden.v[u].token == i) {
            const struct k_variable *v = &k->v.v[k->hidden.v[u].variable];
            if ((v->type.kind != K_SCALAR && !v->is_auto) ||
                !become_uniform(k, k->hidden.v[u].variable, token))
                return no(token, i);
        }
    return true;
}

bool k_is_uniform(struct kernel *k, uint32_t first, uint32_t last, uint32_t *token) {
    struct expression e = {first, last, is_loose(k->f, first, last)};
    for (uint32_t i = first; i < last; i++) {
        bool number = k->f->tokens.v[i].kind == CU_NUMBER; /* 1_x calls a function */
        struct str text = cu_text(k->f, i);
        if (k_lambda_length(k->f, i) || (number && memchr(text.p, '_', text.n)))
            return no(token, i);
        if (cu_is_word(k->f, i) && !uniform_word(k, i, &e, token)) return false;
    }
    return true;
}

/* ---- rematerialisation: declarations that each region can repeat ---- */

static bool repeatable_variable(struct kernel *k, uint32_t n, const struct k_variable *v) {
    const struct k_variable *x = &k->v.v[n];
    if (x->class == K_REMATERIALISED) return true;
    if (x->class != K_UNIFORM || x->passed) return false;
    for (size_t u = 0; x->changed && u < k->uses.n; u++) {
        uint32_t at = k->uses.v[u].token;
        if (k->uses.v[u].variable == n && at >= v->scope_first && at < v->scope_last &&
            k_writes(k, at, x))
            return false;
    }
    return true;
}

bool k_is_rematerialisable(struct kernel *k, const struct k_variable *v) {
    const struct cu *f = k->f;
    if (v->twice || v->changed || v->passed || v->is_static || v->reference || !v->init ||
        k_is_object(v) || v->init == '{' || v->array_first != v->array_last ||
        k->s.v[v->statement].kind != K_DECLARATION)
        return false;
    for (uint32_t i = v->init_first; i < v->init_last; i++) {
        bool unary =
            !cu_is_word(f, i - 1) && f->tokens.v[i - 1].kind != CU_NUMBER && !cu_is(f, i - 1, ")");
        if ((cu_is(f, i, "*") && unary) || cu_is(f, i, "[") || cu_is(f, i, "->") ||
            cu_is(f, i, "=") || cu_is(f, i, "++") || cu_is(f, i, "--") || cu_is(f, i, "{"))
            return false;
        if (!cu_is_word(f, i)) continue;
        uint32_t n = k_variable_at(k, i);
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
        bool pure = rules_lists(f->rules, "cuda.pure", word) ||
                    rules_lists(f->rules, "cuda.group_queries", word) ||
                    str_listed(word, S("int unsigned float double char bool size_t uint"));
        if (call && !pure) return false;
        if (!call && !member && !cu_is(f, i + 1, "::") && k_changes_elsewhere(f, word))
            return false;
    }
    return true;
}
