/* SPDX-License-Identifier: Apache-2.0 */
/* literals.c - macros that begin where a string ends: "%"PRIu64, extern "C"__global__.
 *
 * nvcc reads two words there, as C did, and so does gcc. To clang it is one literal with a suffix
 * of the user's, which nobody defines. In C++ only a suffix that begins with _ can be a program's
 * own, and only those of the standard library do without. */
#include "cuda/cu.h"

/* Whether the file defines a literal operator of that suffix. */
static bool is_suffix(const struct cu *f, struct str word) {
    if (rules_lists(f->rules, "cuda.literal_suffixes", word)) return true;
    if (str_starts(word, S("__"))) return false;
    bool defined = false, macro = false;
    for (uint32_t i = 0; i + 2 < f->tokens.n; i++) {
        defined |= cu_is(f, i, "operator") && str_eq(cu_text(f, i + 2), word);
        macro |= cu_is(f, i, "define") && str_eq(cu_text(f, i + 1), word);
    }
    return defined || (word.p[0] == '_' && !macro); /* of a header that nobody has read */
}

/* Whether nvcc's compiler reads the file. */
static bool has_device_code(const struct cu *f) {
    bool any = f->cuda;
    for (uint32_t i = 0; i < f->tokens.n && !any; i++)
        any = cu_is(f, i, CU_KERNEL_WORD) || cu_is(f, i, CU_DEVICE_WORD);
    return any;
}

void cu_match_literals(struct cu *f) {
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::literal_suffix"), &cursor, &row)) return;
    if (!row_cell(row, f->target) || !has_device_code(f)) return;
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        const struct cu_token *t = &f->tokens.v[i];
        bool apart = t->kind != CU_STRING || t->end != t[1].start || !cu_is_word(f, i + 1);
        if (!apart && !is_suffix(f, cu_text(f, i + 1))) cu_report(f, "cm::literal_suffix", i);
    }
}
