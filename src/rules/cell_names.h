/* SPDX-License-Identifier: Apache-2.0 */
/* cell_names.h - the names that a cell writes. */
#ifndef CM_RULES_CELL_NAMES_H
#define CM_RULES_CELL_NAMES_H

#include "rules/rules.h"

/* Hands over the dotted names and words of all that the cell can write on the target, each as it
 * stands: "torch.npu.Stream", "if", "HCCL_BLOCKING_WAIT"; of attribute rules ".npu_stream", too.
 * What depends on the code is left out. Memory comes from `a`. */
void cell_names(struct arena *a, struct row_ref row, struct target_ref target,
                const struct rcell *cell, void (*use)(void *context, struct str name),
                void *context);

/* Whether the cell is one that a port applies. */
static inline bool cell_is_applied(const struct rcell *cell) {
    return !cell->unverified && cell->verdict >= V_EXACT && cell->verdict <= V_CLOSE;
}

#endif
