/* SPDX-License-Identifier: Apache-2.0 */
/* remarks.h - notes that many files have in common, told once with their number. */
#ifndef CM_REPORT_REMARKS_H
#define CM_REPORT_REMARKS_H

#include "base/base.h"

struct remark {
    struct str message;
    const char *first; /* the path of the first file that has it */
    size_t files;
};

struct remarks {
    VEC(struct remark) list;
};

/* The message is copied into `a`; path has to live as long. */
void remarks_add(struct remarks *r, struct arena *a, struct str message, const char *path);
/* Appends "path: note: message (12 files like this; -v names them)" for each. */
void remarks_print(const struct remarks *r, struct buf *b, bool color);

#endif
