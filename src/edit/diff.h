/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h - the difference of two texts, for `patch -p1` and for eyes. */
#ifndef CM_DIFF_H
#define CM_DIFF_H

#include "base/base.h"

/* Appends to out a unified diff from old to new with three lines of context, or nothing when they
 * are equal. Lines end in '\n' alone and are reproduced byte for byte (so CRLF stays CRLF).
 * The headers name a/PATH and b/PATH, without leading "/" or "./", quoted as git does where path
 * holds a quote, a backslash, a control character or bytes that are not UTF-8.
 * colour adds terminal colours; such output is not for patch.
 * Memory is linear in both texts and comes from out's arena. Time is bounded too: texts with very
 * many differences get a correct diff that is longer than it had to be. */
void diff_unified(struct buf *out, struct str path, struct str old, struct str new, bool colour);
/* The same of a file that is not there yet. */
void diff_new_file(struct buf *out, struct str path, struct str text, bool colour);

#endif
