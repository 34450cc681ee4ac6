/* SPDX-License-Identifier: Apache-2.0 */
/* project.h - where the project is: services and baselines name files from its root. */
#ifndef CM_PROJECT_H
#define CM_PROJECT_H

#include "base/base.h"

struct project {
    struct str root;    /* absolute, without a trailing '/' (but for "/" itself: "") */
    struct str current; /* the current directory, likewise */
};

/* The root is the CI server's checkout (CI_PROJECT_DIR) or the nearest directory upwards that
 * holds a .git, where the current directory lies in it; else the current directory. */
void project_find(struct project *p, struct arena *a);

/* The nearest directory that holds a .git, from an absolute path upwards; p == NULL: none. */
struct str project_repository(struct arena *a, struct str path);

/* The path from the root, or absolute for a file outside of it. Links in directories are resolved;
 * a path that does not exist is taken as it is written. */
struct str project_path(const struct project *p, struct arena *a, const char *path);

/* `path` from the directory `base`, both absolute; an empty string with p == NULL when it is not
 * below it. */
struct str path_below(struct str base, struct str path);
/* An absolute path for `path`, which is taken from the directory `base`; "." and ".." are resolved
 * as text. */
struct str path_absolute(struct arena *a, struct str base, struct str path);

#endif
