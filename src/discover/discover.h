/* SPDX-License-Identifier: Apache-2.0 */
/* discover.h - from the paths of a command line to an ordered list of files and languages. */
#ifndef CM_DISCOVER_H
#define CM_DISCOVER_H

#include "cudamorph.h"
#include "discover/ignore.h"

/* By the last component of path alone. */
enum cm_language language_of_name(struct str path);
/* CM_PYTHON for a first line such as "#!/usr/bin/env python3", CM_PROJECT for a shell's, else
 * CM_NONE. */
enum cm_language language_of_first_line(struct str line);

struct discover_options {
    const struct str *exclude, *include; /* patterns as in .gitignore */
    size_t n_exclude, n_include;
    bool no_ignore;             /* take what .gitignore and .ignore leave out, and hidden files */
    bool force_exclude;         /* named paths are treated like those of a directory */
    bool want_all;              /* list every regular file, for mirroring the tree */
    const char *skip_directory; /* not entered, e.g. where output goes; NULL: none */
};

struct found_file {
    struct str path;     /* for opening and for reports: the named path, joined; NUL-terminated */
    struct str relative; /* from the named directory; the last component for a named file */
    enum cm_language language;
    bool named; /* on the command line itself */
};

struct discovery {
    struct found_file *v;
    size_t n, cap;
    struct str_list errors; /* what could not be read, or is no language of ours */
    size_t n_ignored;       /* files and folders that .gitignore and .ignore leave out */
};

/* Fills *out, all in a's memory. The order is that of the named paths, and byte order of
 * `relative` below each; a file reached twice is listed once, where it came first.
 *
 * A named file is always taken; one in no known language is an error (with want_all: it is
 * listed as well). A named directory is searched: symbolic links in it are not followed, hidden
 * files, ignored files and a few directories of tools (such as node_modules) are left out, and
 * only files in a known language are listed. Patterns see the path from the named directory and
 * the path as written. With include patterns, a file must match one or lie below a match.
 *
 * With want_all, hidden and excluded files are listed too, as CM_NONE: they are part of the
 * tree and to be copied unchanged. Ignored files are not: they are by-products.
 *
 * Of contents, only the first line of files without extension is read, for a "#!". */
void discover(struct arena *a, const struct discover_options *options, const char *const *paths,
              size_t n, struct discovery *out);

#endif
