/* SPDX-License-Identifier: Apache-2.0 */
/* growing.c - text that lives until the end of a run, when arenas of files have long been reset.
 * */
#include "report/growing.h"

#include <stdlib.h>

void growing_add(struct growing *g, struct str text) {
    if (g->n + text.n > g->cap) {
        size_t cap = (g->n + text.n) + (g->n + text.n) / 2 + 4096;
        char *p = g->failed ? NULL : realloc(g->p, cap);
        g->failed = !p;
        if (!p) return;
        g->p = p;
        g->cap = cap;
    }
    if (text.n) memcpy(g->p + g->n, text.p, text.n);
    g->n += text.n;
}

void growing_free(struct growing *g) {
    free(g->p);
    *g = (struct growing){0};
}
