/* SPDX-License-Identifier: Apache-2.0 */
/* versions.h - which versions of driver, toolkit, adapter, PyTorch and Python go together: the
 * tables of the vendors, rules/versions/ (see its README). */
#ifndef CM_VERSIONS_H
#define CM_VERSIONS_H

#include "diag/data.h"

struct version {
    struct str key, value; /* torch, 2.5.1+cpu */
};
typedef VEC(struct version) version_set;

enum level { LEVEL_OK, LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR };

struct version_finding {
    enum level level;
    struct str text, source;
};
typedef VEC(struct version_finding) version_findings;

/* What the target's table says of a set; keys that it does not know are ignored. False with a
 * sentence in *error when the table itself is damaged. A target without a table has no findings.
 */
bool versions_check(struct arena *a, struct str target, const version_set *set,
                    version_findings *out, struct str *error);
/* The target whose table alone knows one of the keys besides torch and python; empty: none. */
struct str versions_target(struct arena *a, const version_set *set);

/* 0: other versions; 1: the same but for .postN; 2: the same. The local part (+cpu) is ignored,
 * and where one has fewer parts, only those count. */
int version_match(struct str x, struct str y);
/* Below 0, 0 or above, by numbers part after part. */
int version_compare(struct str x, struct str y);

#endif
