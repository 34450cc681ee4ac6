/* SPDX-License-Identifier: Apache-2.0 */
/* provenance.h - where the answers of the rule database were read. */
#ifndef CM_PROVENANCE_H
#define CM_PROVENANCE_H

#include "rules/rules.h"

/* Where that cell of the row was read: the file, repository and commit of the newest release that
 * has the name which it writes, else the rule's reference that is about the target. A sentence
 * without its end, in `a`; empty where nothing is named. */
struct str cell_source(struct arena *a, struct row_ref row, struct target_ref t,
                       const struct rcell *cell);

#endif
