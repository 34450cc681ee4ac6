/* SPDX-License-Identifier: Apache-2.0 */
/* undo.h - what `undo` needs to take back the last run that rewrote files in place.
 *
 * A file below the user's cache folder holds, for each file of the run, its path, its old bytes,
 * and a hash of the new ones. A file's entry is written before the file is replaced, so a run that
 * is killed can be taken back as far as it came. Of the runs that were started in one folder the
 * last is kept. Where there is no cache folder that is ours alone, nothing is recorded. */
#ifndef CM_UNDO_H
#define CM_UNDO_H

#include "cli/cli.h"

/* The records of one run; NULL where there can be none. Nothing is written yet. */
struct undo *undo_open(struct cli *cli);

/* The file at `path`, which is `before`, is about to become `after`. May be called by several
 * threads; `u` may be NULL. */
void undo_record(struct undo *u, const char *path, struct str before, struct str after);
/* That has happened. */
void undo_replaced(struct undo *u);

/* The end of the run: what earlier ones recorded goes, if anything was rewritten. Says where that
 * cannot be taken back. */
void undo_close(struct undo *u);

#endif
