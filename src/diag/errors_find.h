/* SPDX-License-Identifier: Apache-2.0 */
/* errors_find.h - what errors.c, which explains codes, lends to errors_scan.c, which finds them in
 * logs. */
#ifndef CM_ERRORS_FIND_H
#define CM_ERRORS_FIND_H

#include "diag/errors.h"

/* Whether two words are the same, whatever the case. */
bool error_same_word(struct str x, struct str y);
/* Whether a family counts for a target (empty: for all). */
bool error_for_target(const struct error_family *f, struct str target);
/* An answer: the row of that family, for a code as it was written. */
void error_add_row(struct arena *a, const struct error_family *f, const struct error_row *r,
                   struct str code, error_hits *out);
/* The rows of one family for a code. */
void error_decode_in(struct arena *a, const struct error_family *f, struct str code,
                     error_hits *out);
/* What one family knows of codes like this, where it has no row. */
void error_classes_in(struct arena *a, const struct error_family *f, struct str code,
                      error_hits *out);

#endif
