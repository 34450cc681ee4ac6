/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h - findings that are one piece of work are one finding with its places. */
#ifndef CM_FOLD_H
#define CM_FOLD_H

#include "report/finding.h"

struct fold {
    struct arena *a;
    const struct cm_session *session;
    const struct cm_target **targets; /* of the run, by number */
    struct str text;                  /* of the file */
    bool is_cpp;                      /* C++, with or without CUDA */
    bool is_own;                      /* a script or build file for CUDA by its name */
    /* The rules of findings that stand for a file; NULL: that of the first place. */
    const struct check_rule *cuda_file, *cuda_source;
};

/* Folds findings that are in order, in place; what is left of n. A kernel that the target cannot
 * have is one, a file of CUDA C++ where the target has no C++ of its own, and a script that is for
 * CUDA by its name. What --fix rewrites stays by itself. */
size_t fold_findings(const struct fold *f, struct check_finding *v, size_t n);

#endif
