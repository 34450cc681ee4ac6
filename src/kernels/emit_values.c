/* SPDX-License-Identifier: Apache-2.0 */
/* emit_values.c - members of threadIdx and blockDim where their own type would be seen.
 *
 * In CUDA they are unsigned int. Here they are of types of the runtime's that convert to it: one
 * that a loop over the threads counts with, one that aliases no memory of the program. That is not
 * the same where C++ deduces a type from them (auto, templates, decltype), where any type is taken
 * (printf), or where a class is made of them, which is a conversion too many: there
 * `unsigned(threadIdx.x)` is written.
 *
 * And the other way round: a variable that is no more than threadIdx.x does not say to the
 * compiler that neighbours follow each other in `blockIdx.x * blockDim.x + t`, which is unsigned
 * and may wrap. There its own name gives way to threadIdx.x. */
#include "kernels/emit.h"

/* threadIdx.x */
static bool is_coordinate(const struct cu *f, uint32_t i) {
    static const char *const names =
        CU_THREAD_INDEX " " CU_BLOCK_INDEX " " CU_BLOCK_SIZE " " CU_GRID_SIZE;
    return str_listed(cu_text(f, i), str_of(names)) && cu_is(f, i + 1, ".") &&
           str_listed(cu_text(f, i + 2), S("x y z"));
}

static bool is_class(struct cu *f, uint32_t word) {
    return k_is_type(f, cu_text(f, word), true) &&
           k_type_of(f, f, word, word + 1).kind == K_OBJECT;
}

/* The declaration before token i that says of what type its name is, also as a second one:
 * `T a, b(0);`. NO_NODE: there is none. */
static uint32_t type_of_name(struct cu *f, uint32_t i) {
    uint32_t at, word;
    if (k_find_declaration(f, i, &at, &word)) return word;
    for (at = i; at-- > 1 && i - at < 3000;) {
        if (!cu_is_word(f, at) || !str_eq(cu_text(f, at), cu_text(f, i))) continue;
        if (!cu_is(f, at - 1, ",")) continue;
        uint32_t t = at;
        while (t > 0 && !str_listed(cu_text(f, t - 1), S("; { } (")))
            t -= cu_partner(f, t - 1) != NO_NODE && cu_partner(f, t - 1) < t - 1
                     ? t - cu_partner(f, t - 1)
                     : 1;
        while (cu_is_word(f, t + 1) || cu_is(f, t + 1, "::")) t++;
        if (t > 0 && cu_is_word(f, t - 1)) return t - 1;
    }
    return NO_NODE;
}

/* What stands before the = gets its type from the value, or is of a class. */
static bool is_given_to_class(struct cu *f, uint32_t assign) {
    uint32_t name = assign - 1, type = assign - 2;
    if (!cu_is_word(f, name)) return false;
    while (cu_is(f, type, "const")) type--;
    if (cu_is(f, type, "auto")) return true;
    if (cu_is_word(f, type)) return is_class(f, type);
    bool statement = str_listed(cu_text(f, type), S("; { } )"));
    uint32_t word = statement ? type_of_name(f, name) : NO_NODE;
    return word != NO_NODE && is_class(f, word);
}

/* The ( of the call whose argument token i begins; *number: which one. */
static uint32_t call_around(const struct cu *f, uint32_t i, uint32_t *number) {
    *number = 0;
    for (uint32_t t = i; t-- > 0 && i - t < 200;) {
        if (str_listed(cu_text(f, t), S("; { }"))) return NO_NODE;
        if (cu_is(f, t, "(") && cu_partner(f, t) > i) return t;
        if (cu_partner(f, t) != NO_NODE && cu_partner(f, t) < t) t = cu_partner(f, t);
        *number += cu_is(f, t, ",");
    }
    return NO_NODE;
}

/* Whether the head of a function takes argument `number` by a type that is deduced, or a class. */
static bool takes_deduced(struct cu *root, const struct k_function *d, uint32_t number) {
    struct cu_call list = {0};
    cu_split(d->f, d->params + 1, cu_partner(d->f, d->params), &list);
    if (number >= list.arguments.n) return false;
    struct cu_argument a = list.arguments.v[number];
    for (uint32_t t = a.first; t < a.last && !cu_is(d->f, t, "="); t++)
        if (cu_is(d->f, t, "auto") ||
            (cu_is_word(d->f, t) && k_is_type(root, cu_text(d->f, t), true) &&
             k_type_of(root, d->f, t, t + 1).kind == K_OBJECT))
            return true;
    return false;
}

static bool is_argument_of_deduced(struct cu *f, uint32_t i) {
    uint32_t number, open = call_around(f, i, &number), at, word;
    if (open == NO_NODE || open == 0 || !cu_is_word(f, open - 1)) return false;
    struct str name = cu_text(f, open - 1);
    if (str_listed(name, S("decltype printf"))) return true;
    if (rules_lists(f->rules, "cuda.keywords", name) || k_is_macro(f, name)) return false;
    if (cu_is(f, open - 2, "::"))
        return rules_lists(f->rules, "cuda.nonblocking_namespaces", cu_text(f, open - 3));
    struct k_function d = {0};
    while (k_next_function(f, name, &d))
        if (takes_deduced(f, &d, number)) return true;
    return k_find_declaration(f, open - 1, &at, &word) && cu_is(f, word, "auto");
}

static bool in_lambda(const struct cu *f, uint32_t first, uint32_t i) {
    for (uint32_t t = first; t < i; t++)
        if (k_lambda_length(f, t) > i - t) return true;
    return false;
}

void k_write_values(struct cu *f, struct k_edits *edits) {
    struct writer w = {NULL, f, edits, edits->v.n, S("\n"), S(""), {0}, NULL};
    const struct byte_range *r;
    size_t n = cu_functions(f, &r);
    for (size_t k = 0; k < n; k++)
        for (uint32_t i = r[k].start + 1; i < r[k].end; i++) {
            if (!is_coordinate(f, i) || f->tokens.v[i].directive ||
                !str_listed(cu_text(f, i + 3), S("; ) , }")))
                continue;
            bool wrapped = false;
            if (cu_is(f, i - 1, "="))
                wrapped = is_given_to_class(f, i - 1);
            else if (cu_is(f, i - 1, "(") || cu_is(f, i - 1, ","))
                wrapped = is_argument_of_deduced(f, i);
            else if (cu_is(f, i - 1, "return"))
                wrapped = in_lambda(f, r[k].start, i);
            if (!wrapped || cu_region_at(f, f->tokens.v[i].start)) continue;
            k_insert(&w, start_of(f, i), S("unsigned("));
            /* not inserted behind it: a value that is written again would lose that */
            k_replace(&w, start_of(f, i + 2), end_of(f, i + 2),
                      arena_printf(f->a, "%.*s)", STR_ARG(cu_text(f, i + 2))));
        }
}

/* ---- sums with a column ---- */

/* Whether the factors of a product hold a member of blockIdx, blockDim or gridDim, and no cast or
 * call: then it is unsigned, or wider. [from, to): its tokens. */
static bool is_unsigned_product(const struct cu *f, uint32_t from, uint32_t to) {
    bool unsigned_one = false;
    for (uint32_t i = from; i < to; i++) {
        bool behind_word = i > from && (cu_is_word(f, i - 1) || cu_is(f, i - 1, ")"));
        if (cu_is(f, i, "(") || cu_is_word(f, i)) {
            if (behind_word) return false;
        } else if (!str_listed(cu_text(f, i), S(") * +")) && !cu_is(f, i, ".") &&
                   f->tokens.v[i].kind != CU_NUMBER) {
            return false;
        }
        if (!is_coordinate(f, i)) continue;
        unsigned_one |= !cu_is(f, i, CU_THREAD_INDEX);
        i += 2;
    }
    return unsigned_one;
}

/* Where the product begins that ends before token i, or ends that begins there. */
static uint32_t product_before(const struct cu *f, uint32_t i) {
    for (; i > 0; i--) {
        if (cu_is(f, i - 1, ")") && cu_partner(f, i - 1) < i)
            i = cu_partner(f, i - 1) + 1;
        else if (!cu_is_word(f, i - 1) && f->tokens.v[i - 1].kind != CU_NUMBER &&
                 !cu_is(f, i - 1, "*") && !cu_is(f, i - 1, "."))
            break;
    }
    return i;
}
static uint32_t product_behind(const struct cu *f, uint32_t i) {
    for (; i < f->tokens.n; i++) {
        if (cu_is(f, i, "(") && cu_partner(f, i) != NO_NODE)
            i = cu_partner(f, i);
        else if (!cu_is_word(f, i) && f->tokens.v[i].kind != CU_NUMBER && !cu_is(f, i, "*") &&
                 !cu_is(f, i, "."))
            break;
    }
    return i;
}

bool k_write_columns(struct kernel *k, struct k_edits *edits) {
    const struct cu *f = k->f;
    struct writer w = {k, k->f, edits, edits->v.n, S("\n"), S(""), {0}, NULL};
    static const char *const types =
        "const int unsigned unsigned uint uint32_t int32_t signed"; /* of 32 bits */
    for (size_t u = 0; u < k->uses.n; u++) {
        uint32_t i = k->uses.v[u].token, end;
        const struct k_variable *v = &k->v.v[k->uses.v[u].variable];
        bool small = k_is_column(k, i, &end) && !cu_is(f, i, CU_THREAD_INDEX);
        for (uint32_t t = v->type_first; small && t < v->type_last; t++)
            small = str_listed(cu_text(f, t), str_of(types));
        bool ends = str_listed(cu_text(f, i + 1), S("; ) , ] + - < > <= >="));
        bool begins = str_listed(cu_text(f, i - 1), S("= ( [ , return"));
        if (!small || f->tokens.v[i].directive || in_lambda(f, k->open, i)) continue;
        for (size_t n = 0; n < f->edits.n && small; n++) /* by the attempt before this one */
            small = f->edits.v[n].start != start_of(f, i);
        if (!small) continue;
        bool behind = ends && cu_is(f, i - 1, "+") &&
                      is_unsigned_product(f, product_before(f, i - 1), i - 1);
        bool before = begins && cu_is(f, i + 1, "+") &&
                      is_unsigned_product(f, i + 2, product_behind(f, i + 2));
        if (behind || before) k_replace(&w, start_of(f, i), end_of(f, i), S(CU_THREAD_INDEX ".x"));
    }
    return edits->v.n > w.first;
}
