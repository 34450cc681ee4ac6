/* SPDX-License-Identifier: Apache-2.0 */
/* assembly.c - what an asm statement of PTX does besides what it computes, by its instruction:
 * lists of rules/words.json. A port writes C++ for some of them (cuda-ptx/inline); its kernels
 * have to be the same kind of loops as those that a second port would make of that. */
#include "kernels/kernel.h"

/* The text of the literal of `asm volatile("..." ...)`, whose asm is token i: without quotes and
 * blanks around it; empty: there is none. */
static struct str text_of(const struct cu *f, uint32_t i) {
    uint32_t t = i + 1;
    if (!str_listed(cu_text(f, i), S("asm __asm__ __asm"))) return (struct str){0};
    while (cu_is(f, t, "volatile") || cu_is(f, t, "__volatile__")) t++;
    if (!cu_is(f, t, "(") || t + 1 >= f->tokens.n || f->tokens.v[t + 1].kind != CU_STRING)
        return (struct str){0};
    struct str s = cu_text(f, t + 1);
    while (s.n && strchr("\" \t", s.p[0])) s = str_sub(s, 1, s.n);
    while (s.n && strchr("\" \t", s.p[s.n - 1])) s.n--;
    return s;
}

/* mov.u32 %0, %%laneid; is about %laneid, other instructions are about themselves. */
static struct str subject_of(struct str s) {
    if (str_find(s, S(";"), 0) + 1 < s.n) return (struct str){0}; /* several of them */
    if (!str_starts(s, S("mov."))) return str_sub(s, 0, str_find(s, S(" "), 0));
    for (size_t i = 0; i + 1 < s.n; i++)
        if (s.p[i] == '%' && is_word_char(s.p[i + 1]) && !strchr("0123456789", s.p[i + 1]))
            return str_sub(s, i, str_find(s, S(";"), i));
    return (struct str){0};
}

enum k_assembly k_assembly_at(const struct cu *f, uint32_t i) {
    struct str text = text_of(f, i), subject = subject_of(text);
    if (rules_lists(f->rules, "cuda.ptx_barriers", text)) return K_ASSEMBLY_BARRIER;
    if (rules_lists(f->rules, "cuda.ptx_reads_thread_id", subject)) return K_ASSEMBLY_READS_ID;
    if (rules_lists(f->rules, "cuda.ptx_nonblocking", subject)) return K_ASSEMBLY_COMPUTES;
    return K_ASSEMBLY_UNKNOWN;
}
