/* match.h - what match.c and match_import.c share. */
#ifndef CUDA_MORPH_PYTHON_MATCH_H
#define CUDA_MORPH_PYTHON_MATCH_H

#include "python/py.h"

/* The first row of that key that says something about the target, else the first. */
bool py_find_row(struct py *f, enum match_kind kind, struct str key, struct row_ref *out);
/* Adds a match at `node`; row == NULL: the rules know nothing of it, and a human has to look. The
 * result is valid until the next one is added. */
struct py_match *py_add_match(struct py *f, enum py_match_kind kind, uint32_t node,
                              struct str token, const struct row_ref *row,
                              enum certainty certainty);

/* ---- match_import.c ---- */

/* The nearest module around `path` that the rules know; false: none. */
bool py_find_holder(struct py *f, struct str path, struct row_ref *row);
/* flash_attn_func(q, k, v): matches a call into a module that a rule is about; false: it is none.
 */
bool py_match_module_call(struct py *f, uint32_t node, struct py_name n);

/* Whether `import module` finds the user's own: in the tree that is ported (f->project), or beside
 * the file (f->disk). */
bool py_is_own_package(struct py *f, struct str module);
/* Matches of an `import` and of a `from ... import` statement. */
void py_match_import(struct py *f, uint32_t statement);
void py_match_import_from(struct py *f, uint32_t statement);

#endif
