/* SPDX-License-Identifier: Apache-2.0 */
/* ignore.h - what .gitignore, .ignore, .git/info/exclude and core.excludesFile say about a path;
 * without git. What git tracks is ignored by .ignore alone. */
#ifndef CM_IGNORE_H
#define CM_IGNORE_H

#include "base/glob.h"
#include "discover/tracked.h"

/* The ignore files of one directory, linked to those of the directory above. */
struct ignore_level {
    const struct ignore_level *parent;
    size_t base;     /* length of the directory's own prefix (with its '/') in every full path */
    bool repository; /* has a .git: .gitignore files above it do not count */
    struct glob_rules ignore, gitignore, exclude;
    struct glob_rules global; /* core.excludesFile, or git/ignore of the user's configuration */
    struct tracked tracked;   /* of a repository */
};

struct str_list {
    struct str *v;
    size_t n, cap;
};

/* What is in a directory, as far as it matters here. */
struct ignore_files {
    bool ignore, gitignore, git;
};

/* The level for a directory: `directory` is its path for opening files, base as above. Without
 * any ignore file in it, this is parent itself (which may be NULL). Unreadable files are reported
 * in errors: then nobody knows what of the directory is to be left alone. */
const struct ignore_level *ignore_enter(struct arena *a, const struct ignore_level *parent,
                                        const char *directory, size_t base,
                                        struct ignore_files present, struct str_list *errors);

/* The levels of the directories above the absolute path `directory`, down from the root of the
 * repository it lies in; NULL outside of a repository. *prefix receives directory's path from
 * that root with a trailing '/', or "" when it is the root or in no repository: full paths, for
 * ignore_matches and bases, begin with it. */
const struct ignore_level *ignore_above(struct arena *a, struct str directory, struct str *prefix,
                                        struct str_list *errors);

enum ignored { IGNORED_NOT, IGNORED_BY_GIT, IGNORED_BY_USER };
/* What ignores a full path. The nearest level that has a say wins, the last rule within a
 * file; .ignore files go before .gitignore files, these before .git/info/exclude. */
enum ignored ignore_matches(const struct ignore_level *level, struct str full, bool is_directory);
/* Whether git tracks the path, or something below it: then only an .ignore file can ignore it. */
bool ignore_is_tracked(const struct ignore_level *level, struct str full, bool is_directory);

#endif
