/* SPDX-License-Identifier: Apache-2.0 */
/* parses.h - the trees of one text, for the targets that it is run for one after the other. */
#ifndef CM_PARSES_H
#define CM_PARSES_H

#include "syntax/tree.h"

struct parses;
/* One for each workspace; NULL without memory. */
struct parses *parses_new(void);
void parses_free(struct parses *p);

/* From now on trees are those of `text`: the ones kept of another are forgotten. Out of memory, it
 * and parses_keep jump to `escape`; then parses_forget is due. */
void parses_begin(struct parses *p, struct str text, jmp_buf *escape);
/* Forgets all trees. */
void parses_forget(struct parses *p);
/* A tree of these ranges (none: of the whole text), or of more where that has no error; *whole: it
 * is one of the whole text. False: there is none, or p is NULL. Nobody may write to it. */
bool parses_find(const struct parses *p, const struct byte_range *ranges, size_t n,
                 struct tree *tree, bool *whole);
/* Keeps a copy of the tree; nothing where p is NULL, or where it keeps too much already. */
void parses_keep(struct parses *p, const struct byte_range *ranges, size_t n,
                 const struct tree *tree);

#endif
