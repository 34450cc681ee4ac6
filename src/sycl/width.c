/* SPDX-License-Identifier: Apache-2.0 */
/* width.c - where it makes no difference that SYCL's ids are size_t and CUDA's unsigned.
 *
 * A sum, difference or product that ends in a variable of 32 bits is the same modulo 2^32, and so
 * is a comparison, a subscript, or what a constant divides. Elsewhere the port writes a cast: what
 * -threadIdx.x, or a division by a variable, comes to depends on the width. */
#include "sycl/sycl.h"

enum { LENGTH = 3 }; /* tokens of threadIdx.x */

static bool is_member(const struct cu *f, uint32_t i, const char *name, uint32_t of) {
    return cu_is(f, i, name) && cu_is(f, i + 1, ".") &&
           str_eq(cu_text(f, i + 2), cu_text(f, of + 2));
}

/* blockIdx.x * blockDim.x, or the other way round. */
static bool is_product(const struct cu *f, uint32_t i, uint32_t of) {
    uint32_t other = i + LENGTH + 1;
    if (!cu_is(f, i + LENGTH, "*")) return false;
    return (is_member(f, i, CU_BLOCK_INDEX, of) && is_member(f, other, CU_BLOCK_SIZE, of)) ||
           (is_member(f, i, CU_BLOCK_SIZE, of) && is_member(f, other, CU_BLOCK_INDEX, of));
}

uint32_t sy_global_id(const struct cu *f, uint32_t i) {
    enum { PRODUCT = 2 * LENGTH + 1 };
    uint32_t end = i + PRODUCT + 1 + LENGTH;
    if (end >= f->tokens.n || i == 0) return NO_NODE;
    bool behind = is_product(f, i, i) && cu_is(f, i + PRODUCT, "+") &&
                  is_member(f, i + PRODUCT + 1, CU_THREAD_INDEX, i);
    bool before = is_member(f, i, CU_THREAD_INDEX, i) && cu_is(f, i + LENGTH, "+") &&
                  is_product(f, i + LENGTH + 1, i);
    static const char *const tighter[] = {"*", "/", "%", "-", ".", "->", "&", "<<", ">>"};
    for (size_t k = 0; k < ARRAY_LEN(tighter); k++)
        if (cu_is(f, i - 1, tighter[k]) || (k != 3 && cu_is(f, end, tighter[k]))) return NO_NODE;
    return behind || before ? end : NO_NODE;
}

static bool is_builtin(const struct cu *f, uint32_t i) {
    struct str rest;
    return cu_is_word(f, i) && rules_word_row(f->rules, "sycl.builtins", cu_text(f, i), &rest) &&
           cu_is(f, i + 1, ".");
}

/* A number, or a name in capitals, which macros of numbers have. */
static bool is_constant(const struct cu *f, uint32_t i) {
    if (i < f->tokens.n && f->tokens.v[i].kind == CU_NUMBER) return true;
    struct str word = cu_text(f, i);
    bool capital = false;
    for (size_t k = 0; k < word.n; k++) {
        if (word.p[k] >= 'a' && word.p[k] <= 'z') return false;
        capital |= word.p[k] >= 'A' && word.p[k] <= 'Z';
    }
    return cu_is_word(f, i) && capital;
}

/* Behind `% 32` or `/ 32`, where that follows. */
static uint32_t after_division(const struct cu *f, uint32_t i) {
    bool division = cu_is(f, i, "%") || cu_is(f, i, "/") || cu_is(f, i, "&");
    if (cu_is(f, i, ">>") || (cu_is(f, i, ">") && cu_is(f, i + 1, ">"))) {
        division = true;
        i += cu_is(f, i, ">");
    }
    return division && is_constant(f, i + 1) ? i + 2 : i;
}

static bool is_comparison(const struct cu *f, uint32_t i) {
    return str_listed(cu_text(f, i), S("< > <= >= == !="));
}

static bool is_compared(const struct cu *f, uint32_t i, uint32_t end) {
    static const char *const ends[] = {"(", ")", "&&", "||"};
    uint32_t after = after_division(f, end);
    bool begins = false, finishes = false;
    if (i == 0) return false;
    for (size_t k = 0; k < ARRAY_LEN(ends); k++) {
        begins |= cu_is(f, i - 1, ends[k]) && !cu_is(f, i - 1, ")");
        finishes |= cu_is(f, after, ends[k]) && !cu_is(f, after, "(");
    }
    return (begins && is_comparison(f, after)) || (is_comparison(f, i - 1) && finishes);
}

/* Whether the token may stand in a sum that ends in 32 bits. */
static bool may_be_summed(const struct cu *f, uint32_t i) {
    if (f->tokens.v[i].kind == CU_NUMBER) return true;
    if (cu_is_word(f, i)) return !cu_is(f, i + 1, "(") && !cu_is(f, i + 1, "<");
    return cu_is(f, i, "*") || str_listed(cu_text(f, i), S("+ - . -> ( ) [ ]"));
}

/* Whether the = at the token gives a variable of 32 bits its value. */
static bool is_narrow(struct cu *f, uint32_t equals) {
    static const char *const types = "int unsigned uint uint32_t int32_t";
    if (equals < 2 || !cu_is_word(f, equals - 1)) return false;
    struct str type = cu_text(f, equals - 2);
    if (str_listed(type, str_of(types)))
        return !str_listed(cu_text(f, equals - 3), S("long short"));
    if (!str_listed(type, S("; { } ) ,"))) return false;
    struct str declared = cu_declared_type(f, equals, cu_text(f, equals - 1));
    if (str_starts(declared, S("const "))) declared = str_sub(declared, 6, declared.n);
    return str_listed(declared, str_of(types)) || str_is(declared, "unsigned int");
}

static bool is_summed(struct cu *f, uint32_t i) {
    uint32_t first = i, last = i;
    while (first > 0 && may_be_summed(f, first - 1)) first--;
    if (first < 2 || !cu_is(f, first - 1, "=") || !is_narrow(f, first - 1)) return false;
    while (last < f->tokens.n && !cu_is(f, last, ";") && !cu_is(f, last, ",")) {
        uint32_t next = last + 1;
        if (is_builtin(f, last))
            next = after_division(f, last + LENGTH);
        else if (!may_be_summed(f, last))
            return false;
        last = next;
    }
    return true;
}

bool sy_is_any_width(struct cu *f, uint32_t i, uint32_t end) {
    bool subscript = i > 0 && cu_is(f, i - 1, "[") && cu_is(f, after_division(f, end), "]");
    if (end == i + LENGTH && (subscript || is_compared(f, i, end))) return true;
    return is_summed(f, i);
}
