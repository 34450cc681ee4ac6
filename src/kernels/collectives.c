/* SPDX-License-Identifier: Apache-2.0 */
/* collectives.c - operations that all threads come to and that can be cut in two: in one region
 * each thread computes its operand, in the next it reads those of others. MCUDA knows barriers
 * only; AdaptiveCpp's CBS treats a group's operations as barriers with a value, and so it is done
 * here: shuffles, votes, what groups do together, and calls of functions that have a block variant
 * (block_variant.c). Operations in code that is run more than once per statement (`&&`, `?:`, an
 * operand of another one's operand that may block) are left to the fibers. */
#include "kernels/kernel.h"

/* The variable that a token names, if it is a group of lanes. */
static bool is_tile(const struct kernel *k, uint32_t i) {
    uint32_t n = k_variable_at(k, i);
    if (n == NO_NODE || !k->v.v[n].group) return false;
    const struct k_variable *v = &k->v.v[n];
    for (uint32_t t = v->type_first; t < v->type_last; t++)
        if (cu_is(k->f, t, CU_TILE_TYPE)) return true;
    for (uint32_t t = v->init_first; v->init && v->is_auto && t + 1 < v->init_last; t++)
        if (cu_is(k->f, t, CU_TILE_GROUP) && cu_is(k->f, t + 1, "<")) return true;
    return false;
}

/* Behind the template arguments at i, if some stand there. */
static uint32_t after_arguments(const struct cu *f, uint32_t i) {
    uint32_t close = cu_is(f, i, "<") ? cu_template_end(f, i) : NO_NODE;
    return close != NO_NODE ? close + 1 : i;
}

/* An argument that would be something else once it has a name. */
static bool loses_its_way(struct kernel *k, uint32_t word, struct cu_argument a, size_t number) {
    const struct cu *f = k->f;
    for (uint32_t i = a.first; i < a.last; i++)
        if (k_lambda_length(f, i)) return true;
    if (a.first == a.last || cu_is(f, a.first, "{") || cu_is(f, a.first, "NULL")) return true;
    bool zero = a.last == a.first + 1 && cu_is(f, a.first, "0");
    return zero && k_takes_pointer(k, word, number);
}

/* A call of a function with a second form, whose name is the word at i. */
static bool call_at(struct kernel *k, uint32_t i, struct k_operand *o) {
    struct cu *f = k->f;
    struct cu_call call = {0};
    uint32_t open = after_arguments(f, i + 1);
    if (!cu_is(f, open, "(") || cu_partner(f, open) == NO_NODE) return false;
    if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->") || k_variable_at(k, i) != NO_NODE)
        return false;
    cu_split(f, open + 1, cu_partner(f, open), &call);
    bool any = open + 1 < cu_partner(f, open);
    if (!k_has_block_variant(k, i, any ? call.arguments.n : 0, &o->waits)) return false;
    for (size_t n = 0; any && n < call.arguments.n; n++)
        if (loses_its_way(k, i, call.arguments.v[n], n)) return false;
    o->first = i;
    while (o->first > 1 && cu_is(f, o->first - 1, "::"))
        o->first -= cu_is_word(f, o->first - 2) ? 2 : 1;
    o->value_first = open + 1;
    o->value_last = cu_partner(f, open);
    o->call = true;
    return true;
}

/* Whether a name stands for cub::BlockReduce<...>. */
static bool is_reduction(struct cu *root, struct str name) {
    const struct cu *f;
    for (size_t n = 0; (f = k_source(root, n)); n++)
        for (uint32_t i = 4; i < f->tokens.n; i++) {
            if (!cu_is(f, i, CU_BLOCK_REDUCE) || !cu_is(f, i + 1, "<") || !cu_is(f, i - 2, CU_CUB))
                continue;
            uint32_t before = i - 3 - cu_is(f, i - 3, "typename");
            if (cu_is(f, before, "=") && str_eq(cu_text(f, before - 1), name)) return true;
            uint32_t close = cu_template_end(f, i + 1);
            if (cu_is(f, before, "typedef") && close != NO_NODE &&
                str_eq(cu_text(f, close + 1), name))
                return true;
        }
    return false;
}

/* X(storage).Sum(v) or Reduce(v, op), of cub::BlockReduce, whose method is token i. */
static bool reduction_at(struct kernel *k, uint32_t i, struct k_operand *o) {
    const struct cu *f = k->f;
    if (!cu_is(f, i, "Sum") && !cu_is(f, i, "Reduce")) return false;
    if (i < 5 || !cu_is(f, i - 1, ".") || !cu_is(f, i - 2, ")")) return false;
    uint32_t word = cu_partner(f, i - 2) == NO_NODE ? 0 : cu_partner(f, i - 2) - 1;
    if (!cu_is_word(f, word) || cu_is(f, word - 1, "::") || cu_is(f, word - 1, ".")) return false;
    if (!is_reduction(k->f, cu_text(f, word))) return false;
    o->first = word;
    o->waits = o->reduction = true;
    return true;
}

/* The operation whose word is token i. */
static bool operand_at(struct kernel *k, uint32_t i, struct k_operand *o) {
    struct cu *f = k->f;
    struct str word = cu_text(f, i);
    struct cu_call call = {0};
    *o = (struct k_operand){.word = i, .first = i, .variable = NO_NODE, .group = NO_NODE};
    if (!cu_is_word(f, i)) return false;
    uint32_t open = after_arguments(f, i + 1), value = 1;
    bool member = cu_is(f, i - 1, "."), tile = member && is_tile(k, i - 2);
    bool shuffle = rules_lists(f->rules, "cuda.shuffles", word);
    o->vote = rules_lists(f->rules, "cuda.votes", word);
    if (rules_lists(f->rules, "cuda.unmasked", word)) value = 0;
    bool method = tile && rules_lists(f->rules, "cuda.tile_methods", word);
    bool fold = !member && rules_lists(f->rules, "cuda.tile_functions", word) &&
                cu_is(f, open, "(") && is_tile(k, open + 1) && cu_is(f, open + 2, ",");
    if (method) value = 0, o->group = i - 2, o->first = i - 2;
    if (fold) o->group = open + 1;
    o->vote |= method && str_listed(word, S("any all ballot"));
    if (member && reduction_at(k, i, o)) value = 0, method = true;
    if (!method && !fold && (member || (!shuffle && !o->vote))) return call_at(k, i, o);
    if (!method && !fold && cu_is(f, i - 1, "::")) o->first = i - 1;
    if (open != i + 1 || !cu_is(f, open, "(") || cu_partner(f, open) == NO_NODE) return false;
    cu_split(f, open + 1, cu_partner(f, open), &call);
    if (call.arguments.n <= value) return false;
    if (call.arguments.v[value].first == call.arguments.v[value].last) return false;
    o->value_first = call.arguments.v[value].first;
    o->value_last = call.arguments.v[value].last;
    while (fold && o->first > 1 && cu_is(f, o->first - 1, "::"))
        o->first -= cu_is_word(f, o->first - 2) ? 2 : 1;
    o->waits = str_starts(word, S(CU_BLOCK_BARRIER));
    uint32_t n = k_variable_at(k, o->value_first);
    bool plain = n != NO_NODE && o->value_last == o->value_first + 1 && !o->vote;
    const struct k_variable *v = plain ? &k->v.v[n] : NULL;
    if (v && !v->is_auto && !k_is_object(v) && !v->reference && v->array_first == v->array_last &&
        v->class != K_SHARED && v->type_first < v->type_last)
        o->variable = n;
    return true;
}

static uint32_t operand_end(const struct cu *f, const struct k_operand *o) {
    return cu_partner(f, after_arguments(f, o->word + 1)) + 1;
}

/* Where a statement may hold operations: all of it, or its condition. */
static bool looked_at(const struct kernel *k, uint32_t s, uint32_t *from, uint32_t *to) {
    const struct k_statement *x = &k->s.v[s];
    *from = x->start, *to = x->last;
    if (x->kind == K_EXPRESSION || x->kind == K_DECLARATION) return true;
    if (x->kind == K_RETURN) return k->returns;
    if (x->kind != K_IF && x->kind != K_FOR && x->kind != K_WHILE && x->kind != K_DO) return false;
    if (cu_is(k->f, x->start + 1, "constexpr")) return false;
    k_head_part(k, s, K_HEAD_CONDITION, from, to);
    return *from < *to;
}

/* A value that is made with what the same statement declares. */
static bool is_own_value(const struct kernel *k, uint32_t s, const struct k_operand *o) {
    for (uint32_t i = o->value_first; i < o->value_last; i++) {
        uint32_t n = k_variable_at(k, i);
        if (n != NO_NODE && k->v.v[n].statement == s) return true;
    }
    return false;
}

static bool is_waiting(const struct cu *f, uint32_t i) {
    return cu_is_word(f, i) && rules_lists(f->rules, "cuda.may_block", cu_text(f, i));
}

/* Whether its arguments wait for nobody themselves. */
static bool is_simple(struct kernel *k, const struct k_operand *o) {
    struct k_operand inner;
    for (uint32_t i = o->word + 1; i < o->last; i++)
        if (is_waiting(k->f, i) || operand_at(k, i, &inner)) return false;
    return !is_own_value(k, o->statement, o);
}

/* The operations of a statement, if it comes to all of them whatever its other parts are. */
static void operands_in(struct kernel *k, uint32_t s) {
    struct cu *f = k->f;
    const struct k_statement *x = &k->s.v[s];
    uint32_t from, to, depth = x->kind == K_DECLARATION;
    if (!looked_at(k, s, &from, &to)) return;
    size_t before = k->operands.n;
    bool certain = true;
    for (uint32_t i = from; i < to && certain; i++) {
        struct k_operand o;
        if (operand_at(k, i, &o)) {
            o.statement = s;
            o.last = operand_end(f, &o);
            o.alone = o.call && o.first == x->start && o.last + 1 == x->last;
            certain = is_simple(k, &o);
            vec_push(f->a, &k->operands, o);
            i = o.last - 1;
            continue;
        }
        depth += cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{");
        depth -= cu_is(f, i, ")") || cu_is(f, i, "]") || cu_is(f, i, "}");
        bool either = cu_is(f, i, "?") || cu_is(f, i, "&&") || cu_is(f, i, "||");
        if (either || is_waiting(f, i) || k_lambda_length(f, i) || (cu_is(f, i, ",") && !depth))
            certain = false;
    }
    if (!certain) k->operands.n = before;
}

bool k_find_operands(struct kernel *k) {
    for (uint32_t s = 0; s < k->s.n; s++) operands_in(k, s);
    return true;
}
