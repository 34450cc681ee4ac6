/* loops.h - what the files that write kernels as loops share.
 *
 * owned.c     what each thread has for itself: types, declarations
 * loops.c     pieces, operations of warps, whole kernels
 * branches.c  control flow that only some threads go through
 * forms.c     device functions for all threads of a block at once */
#ifndef CM_LOOPS_H
#define CM_LOOPS_H

#include "cuda/kernel.h"

struct writer {
    struct kernel *k;
    struct cu *f;
    struct kl_edits *edits;
    size_t first; /* of this kernel's edits */
    struct str eol;
    struct str extra; /* indentation of a statement that got braces */
};

static inline uint32_t start_of(const struct cu *f, uint32_t token) {
    return f->tokens.v[token].start;
}
static inline uint32_t end_of(const struct cu *f, uint32_t token) {
    return f->tokens.v[token].end;
}

/* ---- loops.c ---- */

void lw_replace(struct writer *w, uint32_t start, uint32_t end, struct str text);
void lw_insert(struct writer *w, uint32_t at, struct str text);
/* The blanks that a line begins with, and one step more. */
struct str lw_indent_of(const struct cu *f, uint32_t byte);
struct str lw_indent_for(const struct writer *w, uint32_t byte);
struct str lw_deeper(const struct cu *f, uint32_t byte);
uint32_t lw_after_line_break(const struct cu *f, uint32_t at);
/* Behind the comment that ends the line, if one does. */
uint32_t lw_with_comment(const struct cu *f, uint32_t at);
/* The head of a piece's loop, with what it repeats. */
/* False: nothing stands behind its brace yet. */
bool lw_open_piece(struct writer *w, uint32_t number, struct buf *b, uint32_t at);
/* Text of the file with its operations of warps cut. */
struct str lw_text(struct writer *w, uint32_t first, uint32_t last);
/* Adds what the operations of a statement are offered. */
void lw_add_offers(struct writer *w, uint32_t s, struct buf *b, uint32_t at);
/* The last edits. False: they don't go with those of the rules. */
bool lw_finish(struct writer *w);
/* The edits of a list of statements. */
void lw_list(struct writer *w, uint32_t first);

/* ---- owned.c ---- */

void lw_add_type(struct writer *w, const struct kv *v, struct buf *b);
/* cm::each<T> v; */
void lw_add_each(struct writer *w, const struct kv *v, struct buf *b);
bool lw_has_init(const struct kernel *k, uint32_t statement);
/* A statement that goes, with its line where it has one for itself. */
void lw_remove_statement(struct writer *w, uint32_t s, bool line);
/* The token behind a variable, what it is made of included. */
uint32_t lw_declarator_end(const struct kv *v);
/* What of a declaration stands before a piece, because all threads share it. */
void lw_add_shared_part(struct writer *w, uint32_t s, struct buf *b, struct str indent);
void lw_declaration(struct writer *w, uint32_t s, bool inner);

/* ---- branches.c ---- */

/* cm_if_3: which threads go through masked statement s; of an `if`, also those that don't. */
struct str lw_mask_of(struct writer *w, uint32_t s, bool other);
void lw_masked(struct writer *w, uint32_t s);

#endif
