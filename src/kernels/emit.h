/* SPDX-License-Identifier: Apache-2.0 */
/* emit.h - what the files that write kernels as loops share.
 *
 * emit_text.c           edits, and the lines that they stand in
 * emit_context.c        what each thread has for itself: types, declarations
 * emit_region.c         regions, operations of warps
 * emit_predicate.c      control flow that only some threads go through
 * emit.c                statements, whole kernels
 * emit_block_variant.c  device functions for all threads of a block at once
 * emit_values.c         members of threadIdx where their type would be seen */
#ifndef CM_LOOPS_H
#define CM_LOOPS_H

#include "kernels/kernel.h"

struct writer {
    struct kernel *k;
    struct cu *f;
    struct k_edits *edits;
    size_t first; /* of this kernel's edits */
    struct str eol;
    struct str extra;       /* indentation of a statement that got braces */
    VEC(uint32_t) repeated; /* statements that a region has repeated, with their comments */
    /* k_write_list(), for what stands inside of a predicated statement. */
    void (*write_list)(struct writer *w, uint32_t first);
};

static inline uint32_t start_of(const struct cu *f, uint32_t token) {
    return f->tokens.v[token].start;
}
static inline uint32_t end_of(const struct cu *f, uint32_t token) {
    return f->tokens.v[token].end;
}

/* ---- emit_text.c ---- */

/* Adds an edit to the kernel's. */
void k_replace(struct writer *w, uint32_t start, uint32_t end, struct str text);
void k_insert(struct writer *w, uint32_t at, struct str text);
/* The blanks that a line begins with, and one step more. */
struct str k_indent_of(const struct cu *f, uint32_t byte);
struct str k_indent_for(const struct writer *w, uint32_t byte);
struct str k_deeper(const struct cu *f, uint32_t byte);
uint32_t k_after_line_break(const struct cu *f, uint32_t at);
/* Behind the comment that ends the line, if one does. */
uint32_t k_with_comment(const struct cu *f, uint32_t at);
/* Whether one edit writes anew what another one is about, with what that says. */
bool k_covers(const struct match_edit *e, const struct match_edit *other);

/* ---- emit_region.c ---- */

/* cm_if_3: which threads go through predicated statement s; of an `if`, also those that don't. */
struct str k_mask_of(struct writer *w, uint32_t s, bool other);
/* The head of a region's loop, with what it repeats. False: nothing stands behind its brace yet.
 */
bool k_open_region(struct writer *w, uint32_t number, struct buf *b, uint32_t at);
/* Text of the file with its operations of warps cut. */
struct str k_text(struct writer *w, uint32_t first, uint32_t last);
/* Adds what the operations of a statement are offered. */
void k_add_operands(struct writer *w, uint32_t s, struct buf *b, uint32_t at);
/* The edits for them in a statement that is not predicated. */
void k_write_operands(struct writer *w, uint32_t s);

/* The condition of an `if` that keeps threads within bounds: CM_MOSTLY(i < n, j < m). */
void k_write_bound(struct writer *w, uint32_t s, bool leaves);

/* ---- emit.c ---- */

/* The last edits. False: they don't go with those of the rules. */
bool k_finish(struct writer *w);
/* The edits of a list of statements. */
void k_write_list(struct writer *w, uint32_t first);

/* ---- emit_context.c ---- */

/* The type of a variable, as it is declared. */
void k_add_type(struct writer *w, const struct k_variable *v, struct buf *b);
/* cm::each<T> v; or CM_OBJECT(v, T); */
void k_add_context_array(struct writer *w, const struct k_variable *v, struct buf *b);
/* cm::each<T> v(cm_v); */
void k_add_copies(struct writer *w, const struct k_variable *v, struct buf *b);
/* What gives the variables of a statement their values. False: it declares none. */
bool k_add_assignments(struct writer *w, uint32_t statement, struct buf *b);
/* Whether something is left of the declaration where it stood. */
bool k_has_init(const struct kernel *k, uint32_t statement);
/* A statement that goes, with its line where it has one for itself, and with what a comment behind
 * it says where the statement is repeated elsewhere. */
void k_remove_statement(struct writer *w, uint32_t s, bool line);
/* The token behind a variable, what it is made of included. */
uint32_t k_declarator_end(const struct k_variable *v);
/* What of a declaration stands before a region, because all threads share it. */
void k_add_uniform_part(struct writer *w, uint32_t s, struct buf *b, struct str indent);
/* The same where all else of it is repeated. */
void k_write_uniform_part(struct writer *w, uint32_t s);
void k_write_declaration(struct writer *w, uint32_t s, bool inner);

/* ---- emit_predicate.c ---- */

/* A statement that only some threads go through, and all that stands inside of it. */
void k_write_predicated(struct writer *w, uint32_t s);

#endif
