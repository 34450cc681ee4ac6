/* SPDX-License-Identifier: Apache-2.0 */
/* tracked.h - which files git tracks, read from its index; without git. */
#ifndef CM_TRACKED_H
#define CM_TRACKED_H

#include "base/base.h"

/* The paths of an index, in the order of their bytes. */
struct tracked {
    struct str *v;
    size_t n, cap;
};

/* Where git keeps what is of this work tree alone: .git, or in a linked worktree or a submodule
 * the folder that the file .git names. */
struct str git_folder(struct arena *a, const char *directory);

/* Reads the index in that folder of git's; one that is missing or not understood tracks
 * nothing. */
void tracked_read(struct arena *a, struct str git, struct tracked *out);

/* Whether git tracks the path, or something below it where it is a directory. */
bool tracked_has(const struct tracked *t, struct str path, bool is_directory);

#endif
