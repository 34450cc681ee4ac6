/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h - what the files of this block share: the opened library and one parsed file. */
#ifndef CM_SEMANTIC_UNIT_H
#define CM_SEMANTIC_UNIT_H

#include "semantic/clang_api.h"
#include "semantic/semantic.h"

struct sem {
    const struct clang *clang;
    struct str cuda_decls;
};

struct sem_unit {
    const struct sem *sem;
    const char *path;
    CXIndex index;
    CXTranslationUnit tu;
};

/* Whether a place is in a file of the user: no system header, and not the stand-in for CUDA's. */
bool sem_is_users_place(const struct sem *s, struct arena *a, CXSourceLocation at);

#endif
