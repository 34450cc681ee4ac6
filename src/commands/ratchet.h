/* SPDX-License-Identifier: Apache-2.0 */
/* ratchet.h - figures that may only fall: findings for each owner, or each first folder where
 * nobody owns a file. */
#ifndef CM_RATCHET_H
#define CM_RATCHET_H

#include "commands/baseline.h"
#include "commands/owners.h"

struct ratchet_row {
    struct str group;
    size_t before, now; /* in the baseline, and found */
};

struct ratchet {
    struct arena *a;
    const struct owners *owners;
    VEC(struct ratchet_row) rows;
};

/* Counts what the baseline holds. */
void ratchet_start(struct ratchet *r, struct arena *a, const struct owners *owners,
                   const struct baseline *before);
/* Counts n findings of a file, by its path from the project's root. */
void ratchet_add(struct ratchet *r, struct str path, size_t n);
/* Whether any figure rose; says which rose and which fell. */
bool ratchet_rose(const struct ratchet *r, struct buf *b);

#endif
