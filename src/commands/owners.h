/* SPDX-License-Identifier: Apache-2.0 */
/* owners.h - who a file belongs to, by the repository's CODEOWNERS. */
#ifndef CM_OWNERS_H
#define CM_OWNERS_H

#include "base/glob.h"
#include "commands/project.h"

struct owner_rule {
    struct glob_rules pattern; /* one */
    bool files_only;           /* the pattern ends with a star: not what lies deeper */
    struct str owners;         /* "@team @person", or empty: nobody */
};

struct owners {
    struct str path; /* of the file, from the project's root; empty: there is none */
    VEC(struct owner_rule) rules;
};

/* Reads .github/CODEOWNERS, CODEOWNERS, docs/CODEOWNERS or .gitlab/CODEOWNERS, the first that is
 * there. */
void owners_read(struct owners *o, struct arena *a, const struct project *project);
/* The owners of a path from the project's root, divided by blanks: those of the last pattern that
 * matches. */
struct str owners_of(const struct owners *o, struct str path);
/* What figures are added up by: the first owner, else the first folder, else ".". */
struct str owners_group(const struct owners *o, struct str path);

#endif
