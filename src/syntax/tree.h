/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h - a syntax tree as one array.
 *
 * tree-sitter parses; its tree is then walked once with a cursor and copied into a preorder array,
 * because the engine asks for parents and siblings all the time and never changes the tree. Index
 * 0 is the root, the subtree of node i is [i, v[i].next). No function here or above recurses over
 * a tree: input nests as deep as it likes. */
#ifndef CM_TREE_H
#define CM_TREE_H

#include "base/base.h"

struct TSLanguage;

struct node {
    uint32_t start, end; /* bytes */
    uint32_t parent;     /* index; the root's is 0 */
    uint32_t next;       /* index after the last node of this subtree */
    uint16_t kind;       /* the language's own enum (python/py_kinds.def); 0 is "any other" */
    bool named;
};

enum { NO_NODE = UINT32_MAX };

struct tree {
    struct node *v;
    uint32_t n;
    uint32_t first_error; /* node of the first ERROR or MISSING, or NO_NODE */
};

/* One row of a kinds table: the grammar's name of a symbol, by the number of its enum. */
struct kind_table {
    const char *const *names; /* [kind] -> symbol name; [0] unused */
    uint16_t n;
    uint16_t error; /* the kind given to ERROR and MISSING nodes */
};

/* A grammar with its symbols mapped to kinds; made once per session. */
struct grammar {
    const struct TSLanguage *language;
    uint16_t *kind_of; /* [TSSymbol] */
    uint16_t error;
    bool errors_alone; /* of its trees nobody wants more than what holds errors, and the root */
};

/* Fails (with a sentence) when the runtime and the grammar don't fit, or a kind is not in the
 * grammar. */
bool grammar_init(struct grammar *g, struct arena *a, const struct TSLanguage *language,
                  const struct kind_table *kinds, struct str *error);

/* The same grammar with every symbol a kind of its own, for looking at trees as they are; and the
 * name of such a kind. */
struct grammar grammar_of_symbols(const struct grammar *g, struct arena *a);
const char *grammar_symbol(const struct grammar *g, uint16_t kind);

struct byte_range {
    uint32_t start, end;
};

enum parse_status { PARSE_OK, PARSE_TOO_SLOW };
enum { PARSE_SECONDS = 4 }; /* what every text is given, before it is left as it is */

/* Parses src, or only `ranges` of it (ordered, whole lines); everything, tree-sitter's memory
 * included, comes from `a`. seconds: the processor time after which it gives up with
 * PARSE_TOO_SLOW, as it does where damaged text takes memory by the square. Past the arena's limit
 * it escapes. */
enum parse_status tree_parse(struct tree *t, struct arena *a, const struct grammar *g,
                             struct str src, const struct byte_range *ranges, size_t n_ranges,
                             double seconds);

static inline uint32_t tree_first_child(const struct tree *t, uint32_t i) {
    return i + 1 < t->v[i].next ? i + 1 : (uint32_t)NO_NODE;
}
static inline uint32_t tree_next_sibling(const struct tree *t, uint32_t i) {
    uint32_t s = t->v[i].next;
    return i != 0 && s < t->v[t->v[i].parent].next ? s : (uint32_t)NO_NODE;
}

#endif
