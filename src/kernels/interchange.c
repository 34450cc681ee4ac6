/* SPDX-License-Identifier: Apache-2.0 */
/* interchange.c - loops without barriers that a block's threads go through step by step, all of
 * them together: then a step is a loop over the threads, which reads memory in its order and which
 * the compiler can vectorise. Loop interchange as in Allen and Kennedy's "Optimizing Compilers for
 * Modern Architectures": legal here because threads between barriers are independent, worth it
 * where neighbours read neighbours.
 *
 * Reductions in registers over what is uniform, or lies side by side:
 *     for (int j = 0; j < blockDim.x; j++) sum += weight[j] * mine;
 * Block-stride loops, whose elements go to the threads in turn:
 *     for (int i = threadIdx.x; i < n; i += blockDim.x) ...                                    */
#include "kernels/kernel.h"

/* ---- how a value differs between neighbours ---- */

/* Whether it is the same for all threads; what that needs becomes the block's only if it is. */
static bool is_same(struct kernel *k, uint32_t first, uint32_t last) {
    uint8_t *before = arena_alloc(k->f->a, k->v.n + 1);
    uint32_t token;
    for (uint32_t n = 0; n < k->v.n; n++) before[n] = k->v.v[n].class;
    if (k_is_uniform(k, first, last, &token)) return true;
    for (uint32_t n = 0; n < k->v.n; n++) k->v.v[n].class = before[n];
    return false;
}

static enum k_shape kind_of(struct kernel *k, uint32_t first, uint32_t last, int depth);

/* A word by itself. */
static enum k_shape kind_of_word(struct kernel *k, uint32_t i, int depth) {
    const struct cu *f = k->f;
    if (cu_is(f, i, CU_THREAD_INDEX)) return cu_is(f, i + 2, "x") ? K_NEXT : K_ROW;
    if (is_same(k, i, i + 1)) return K_SAME;
    uint32_t n = k_variable_at(k, i);
    if (n == NO_NODE) return K_OTHER;
    const struct k_variable *v = &k->v.v[n];
    bool plain = v->init && v->init != '{' && !v->changed && !v->passed && !v->reference &&
                 !v->pointer && !v->twice && v->array_first == v->array_last;
    return plain ? kind_of(k, v->init_first, v->init_last, depth + 1) : K_OTHER;
}

/* What has no sum in it. */
static enum k_shape kind_of_term(struct kernel *k, uint32_t first, uint32_t last, int depth) {
    const struct cu *f = k->f;
    if (is_same(k, first, last)) return K_SAME;
    if (cu_is(f, first, "(") && f->tokens.v[first].partner == last - 1)
        return kind_of(k, first + 1, last - 1, depth + 1);
    bool index = cu_is(f, first, CU_THREAD_INDEX) && cu_is(f, first + 1, ".") && last == first + 3;
    if (index || (last == first + 1 && cu_is_word(f, first))) return kind_of_word(k, first, depth);
    for (uint32_t i = first; i < last; i++) {
        if (cu_is(f, i, "[") || cu_is(f, i, "->") || cu_is(f, i, "?")) return K_OTHER;
        if (!cu_is_word(f, i) || cu_is(f, i - 1, ".")) continue;
        enum k_shape kind = kind_of_word(k, i, depth);
        if (kind != K_SAME && kind != K_ROW) return K_OTHER;
    }
    return K_ROW;
}

static enum k_shape kind_of(struct kernel *k, uint32_t first, uint32_t last, int depth) {
    enum { DEEP = 8 };
    const struct cu *f = k->f;
    bool row = false, next = false, minus = false;
    if (depth > DEEP || first >= last) return K_OTHER;
    for (uint32_t i = first, from = first; i <= last; i++) {
        bool sign = i > from && (cu_is(f, i, "+") || cu_is(f, i, "-"));
        if (i < last && f->tokens.v[i].partner != NO_NODE && f->tokens.v[i].partner > i)
            i = f->tokens.v[i].partner;
        if (i < last && !sign) continue;
        enum k_shape kind = kind_of_term(k, from, i, depth);
        bool steps = kind == K_NEXT || kind == K_ROW_NEXT;
        if (kind == K_OTHER || (steps && (next || minus))) return K_OTHER;
        next |= steps;
        row |= kind == K_ROW || kind == K_ROW_NEXT;
        minus = i < last && cu_is(f, i, "-");
        from = i + 1;
    }
    return next ? (row ? K_ROW_NEXT : K_NEXT) : row ? K_ROW : K_SAME;
}

enum k_shape k_shape_of(struct kernel *k, uint32_t first, uint32_t last) {
    return kind_of(k, first, last, 0);
}

/* ---- what stands in a loop ---- */

static bool is_in(const struct kernel *k, uint32_t s, uint32_t loop) {
    return k->s.v[s].first >= k->s.v[loop].first && k->s.v[s].last <= k->s.v[loop].last;
}

bool k_only_computes(const struct kernel *k, uint32_t first, uint32_t last, bool atomics) {
    struct cu *f = k->f;
    for (uint32_t i = first; i < last; i++) {
        struct str word = cu_text(f, i);
        if (k_lambda_length(f, i) || str_listed(word, S("volatile asm"))) return false;
        if (!cu_is_word(f, i)) continue;
        if (k_is_macro(f, word) && cu_is(f, i + 1, "(")) return false;
        bool cast = str_listed(word, S("if for while float int double unsigned"));
        if (!cu_is(f, i + 1, "(") || cast || k_variable_at(k, i) != NO_NODE) continue;
        if (rules_lists(f->rules, "cuda.nonblocking", word)) continue;
        if (!atomics || !rules_lists(f->rules, "cuda.block_atomics", word)) return false;
        uint32_t n = k_variable_at(k, i + 2 + cu_is(f, i + 2, "&"));
        bool statement = str_listed(cu_text(f, i - 1), S("; { } )"));
        if (n == NO_NODE || !statement) return false;
        const struct k_variable *v = &k->v.v[n];
        bool whole = false;
        for (uint32_t t = v->type_first; t < v->type_last; t++)
            whole |= str_listed(cu_text(f, t), S("int unsigned uint uint32_t int32_t"));
        if (!whole) return false;
    }
    return true;
}

/* ---- sums ---- */

/* Whether the words of a type may mean floating point, whose sums compilers keep in their order.
 */
static bool is_real(const struct kernel *k, const struct k_variable *v) {
    const struct cu *f = k->f;
    for (uint32_t t = v->type_first; t < v->type_last; t++) {
        struct str word = cu_text(f, t);
        if (str_starts(word, S("float")) || str_starts(word, S("double"))) return true;
        bool known = rules_lists(f->rules, "cuda.scalar_types", word) ||
                     rules_lists(f->rules, "cuda.vector_types", word) ||
                     rules_lists(f->rules, "cuda.qualifiers", word);
        if (cu_is_word(f, t) && !known) return true; /* T, DATA_TYPE */
    }
    return false;
}

/* The subscripts of `p[i] += x`, [*first, *last); none: p is no parameter. */
static bool is_element(const struct kernel *k, uint32_t s, uint32_t *first, uint32_t *last) {
    const struct cu *f = k->f;
    uint32_t n = k_variable_at(k, k->s.v[s].start);
    *first = *last = k->s.v[s].start + 1;
    if (n == NO_NODE || k->v.v[n].statement != NO_NODE || !k->v.v[n].pointer) return false;
    while (cu_is(f, *last, "[") && f->tokens.v[*last].partner != NO_NODE)
        *last = f->tokens.v[*last].partner + 1;
    return *last > *first;
}

/* v = x, v += x, v.y += x of a thread's own variable, or p[i] += x. *sums: a sum goes on in it. */
static bool is_own_change(const struct kernel *k, uint32_t s, uint32_t loop, bool *sums,
                          bool *in_memory) {
    const struct cu *f = k->f;
    uint32_t i = k->s.v[s].start, n = k_variable_at(k, i), at = i + 1, first;
    if (n == NO_NODE) return false;
    const struct k_variable *v = &k->v.v[n];
    bool element = is_element(k, s, &first, &at);
    if (!element && (v->statement == NO_NODE || v->pointer)) return false;
    if (v->reference || v->is_static || v->is_auto || v->class == K_SHARED ||
        v->array_first != v->array_last)
        return false;
    if (cu_is(f, at, ".") && cu_is_word(f, at + 1)) at += 2;
    bool sets = !element && cu_is(f, at, "="); /* and sums, products: what reductions are */
    if (!sets && !cu_is(f, at, "+=") && !cu_is(f, at, "-=") && !cu_is(f, at, "*=")) return false;
    *sums |= is_real(k, v) && !sets && v->token < k->s.v[loop].start;
    *in_memory |= element;
    return true;
}

/* Loops of a constant length are unrolled by compilers. */
static bool has_constant_length(const struct kernel *k, uint32_t s) {
    const struct cu *f = k->f;
    uint32_t from, to;
    k_head_part(k, s, K_HEAD_CONDITION, &from, &to);
    for (uint32_t i = from; i < to; i++) {
        uint32_t n = k_variable_at(k, i);
        if (str_listed(cu_text(f, i), S(CU_BLOCK_SIZE " " CU_GRID_SIZE))) return false;
        if (n == NO_NODE || k->v.v[n].statement == k->s.v[s].other) continue;
        const struct k_variable *v = &k->v.v[n];
        bool literal = v->constant && v->init && v->init_last == v->init_first + 1 &&
                       k_variable_at(k, v->init_first) == NO_NODE;
        if (!literal) return false;
    }
    return true;
}

bool k_is_reduction(const struct kernel *k, uint32_t s, bool alone, bool *in_memory) {
    const struct k_statement *x = &k->s.v[s];
    const struct cu *f = k->f;
    bool sums = false;
    *in_memory = false;
    if (x->kind != K_FOR || has_constant_length(k, s)) return false;
    for (uint32_t n = s + 1; n < k->s.n && is_in(k, n, s); n++) {
        uint8_t kind = k->s.v[n].kind;
        bool flow = kind == K_BLOCK || kind == K_DECLARATION || kind == K_LOOP_HEAD ||
                    (alone && (kind == K_FOR || kind == K_IF || kind == K_EMPTY));
        if (kind == K_EXPRESSION ? !is_own_change(k, n, s, &sums, in_memory) : !flow) return false;
    }
    if (*in_memory && !alone) return false;
    for (uint32_t i = x->close; i < x->last; i++) {
        bool unary = !cu_is_word(f, i - 1) && f->tokens.v[i - 1].kind != CU_NUMBER &&
                     !cu_is(f, i - 1, ")") && !cu_is(f, i - 1, "]");
        if (cu_is(f, i, "->") || (cu_is(f, i, "*") && unary)) return false;
    }
    return sums && k_only_computes(k, x->close, x->last, false);
}

bool k_reads_in_step(struct kernel *k, uint32_t s) {
    const struct cu *f = k->f;
    for (uint32_t i = k->s.v[s].close; i < k->s.v[s].last; i++) {
        uint32_t close = f->tokens.v[i].partner;
        if (!cu_is(f, i, "[") || close == NO_NODE || close < i) continue;
        enum k_shape kind = kind_of(k, i + 1, close, 0);
        bool side = kind == K_NEXT || kind == K_ROW_NEXT;
        if (kind == K_OTHER || (side && cu_is(f, close + 1, "["))) return false;
    }
    return true;
}

bool k_sums_side_by_side(struct kernel *k, uint32_t s) {
    for (uint32_t n = s + 1; n < k->s.n && is_in(k, n, s); n++) {
        uint32_t first, last;
        if (k->s.v[n].kind != K_EXPRESSION || !is_element(k, n, &first, &last)) continue;
        enum k_shape kind = kind_of(k, k->f->tokens.v[last - 1].partner + 1, last - 1, 0);
        if (kind != K_NEXT && kind != K_ROW_NEXT) return false;
    }
    return true;
}

/* ---- elements in turn ---- */

/* blockDim.x, blockDim.x * gridDim.x, or a variable with that value. */
static bool is_width(const struct kernel *k, uint32_t first, uint32_t last, int depth) {
    const struct cu *f = k->f;
    uint32_t n = last == first + 1 ? k_variable_at(k, first) : NO_NODE;
    if (n != NO_NODE && depth < 3) {
        const struct k_variable *v = &k->v.v[n];
        return v->init && v->init != '{' && !v->changed && !v->passed &&
               is_width(k, v->init_first, v->init_last, depth + 1);
    }
    bool width = false;
    for (uint32_t i = first; i < last; i++) {
        bool block = cu_is(f, i, CU_BLOCK_SIZE), grid = cu_is(f, i, CU_GRID_SIZE);
        if (cu_is(f, i, "*") || str_listed(cu_text(f, i), S("( )"))) continue;
        if ((!block && !grid) || !cu_is(f, i + 1, ".") || !cu_is(f, i + 2, "x")) return false;
        width |= block;
        i += 2;
    }
    return width;
}

/* The one variable that the head of a `for` declares, or NO_NODE. */
static uint32_t counter_of(const struct kernel *k, uint32_t s) {
    uint32_t found = NO_NODE;
    for (uint32_t n = 0; n < k->v.n; n++) {
        if (k->v.v[n].statement != k->s.v[s].other || k->s.v[s].other == NO_NODE) continue;
        if (found != NO_NODE) return NO_NODE;
        found = n;
    }
    if (found == NO_NODE) return NO_NODE;
    const struct k_variable *v = &k->v.v[found];
    bool plain = v->init == '=' && v->mark_first == v->mark_last && !v->is_auto && !v->passed &&
                 v->array_first == v->array_last;
    return plain ? found : NO_NODE;
}

/* for (T i = side by side; i < same; i += width) */
static bool has_block_stride(struct kernel *k, uint32_t s) {
    const struct cu *f = k->f;
    uint32_t n = counter_of(k, s), from, to;
    if (n == NO_NODE) return false;
    const struct k_variable v = k->v.v[n];
    k_head_part(k, s, K_HEAD_STEP, &from, &to);
    if (from + 2 >= to || k_variable_at(k, from) != n || !cu_is(f, from + 1, "+=") ||
        !is_width(k, from + 2, to, 0))
        return false;
    k_head_part(k, s, K_HEAD_CONDITION, &from, &to);
    if (from + 2 >= to || k_variable_at(k, from) != n || !cu_is(f, from + 1, "<")) return false;
    for (uint32_t i = from + 2; i < to; i++)
        if (str_listed(cu_text(f, i), S(", < > && || ?"))) return false;
    for (size_t u = 0; u < k->uses.n; u++)
        if (k->uses.v[u].variable == n && k->uses.v[u].token > k->s.v[s].close &&
            k_writes(k, k->uses.v[u].token, &v))
            return false;
    return is_same(k, from + 2, to) && kind_of(k, v.init_first, v.init_last, 0) == K_NEXT;
}

/* Whether what the loop uses of the thread's own can be kept from step to step. */
static bool keeps_variables(const struct kernel *k, uint32_t s) {
    const struct k_statement *x = &k->s.v[s];
    for (size_t u = 0; u < k->hidden.n; u++)
        if (k->hidden.v[u].token >= x->first && k->hidden.v[u].token < x->last) return false;
    for (size_t u = 0; u < k->uses.n; u++) {
        const struct k_variable *v = &k->v.v[k->uses.v[u].variable];
        bool used = k->uses.v[u].token >= x->first && k->uses.v[u].token < x->last;
        bool inside = v->statement != NO_NODE && is_in(k, v->statement, s);
        if (!used || inside || v->class == K_UNIFORM || v->class == K_SHARED) continue;
        if (v->reference || v->is_auto || v->is_static || v->array_first != v->array_last)
            return false;
    }
    return true;
}

bool k_is_block_stride(struct kernel *k, uint32_t s) {
    const struct k_statement *x = &k->s.v[s];
    if (x->kind != K_FOR || x->first != x->start || x->role == K_CONTROL) return false;
    for (uint32_t n = s + 1; n < k->s.n && is_in(k, n, s); n++) {
        uint8_t kind = k->s.v[n].kind;
        bool ends = kind == K_BREAK && k_loop_of(k, n) == s;
        if (ends || kind == K_RETURN || kind == K_OPAQUE || kind == K_DIRECTIVE) return false;
    }
    return k_only_computes(k, x->close + 1, x->last, true) && keeps_variables(k, s) &&
           has_block_stride(k, s);
}
