/* SPDX-License-Identifier: Apache-2.0 */
/* diff_lines.h - the lines that a unified diff adds: the file of --diff-lines. */
#ifndef CM_DIFF_LINES_H
#define CM_DIFF_LINES_H

#include "commands/project.h"

struct line_range {
    uint32_t first, last;
};

struct diff_file {
    struct str path;               /* from the project's root, or absolute */
    const char *to_open;           /* from the current directory, or absolute */
    VEC(struct line_range) ranges; /* ascending */
};

struct diff_lines {
    VEC(struct diff_file) files; /* those that exist, in the order of the diff */
};

/* Reads what git diff, diff -u or svn diff print. Names are looked up from the root of the project
 * and from the current directory, with and without their first component (git's a/ and b/). False
 * with a sentence in *error for a text that is no unified diff. */
bool diff_lines_read(struct diff_lines *d, struct arena *a, const struct project *project,
                     struct str text, struct str *error);

/* Whether one of these lines of the file is added. */
bool diff_lines_touch(const struct diff_lines *d, struct str path, uint32_t first, uint32_t last);

#endif
