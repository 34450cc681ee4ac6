/* SPDX-License-Identifier: Apache-2.0 */
/* edit.h - edits are values; applying them is one small function. */
#ifndef CM_EDIT_H
#define CM_EDIT_H

#include "cudamorph.h"

/* The input with every edit applied. Edits are sorted, inside the input and don't overlap
 * (asserted): all bytes outside them are copied as they are. */
struct str edits_apply(struct arena *a, struct str input, const struct cm_edit *edits, size_t n);

#endif
