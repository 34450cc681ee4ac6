/* SPDX-License-Identifier: Apache-2.0 */
/* growing.h - text that grows outside of any arena, for reports that are written at the end. */
#ifndef CM_REPORT_GROWING_H
#define CM_REPORT_GROWING_H

#include "base/base.h"

struct growing {
    char *p;
    size_t n, cap;
    bool failed; /* out of memory: what came after is lost */
};

/* Appends; once memory has ended it does nothing, and failed is set. */
void growing_add(struct growing *g, struct str text);
static inline struct str growing_str(const struct growing *g) { return (struct str){g->p, g->n}; }
void growing_free(struct growing *g);

#endif
