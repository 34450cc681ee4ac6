/* SPDX-License-Identifier: Apache-2.0 */
/* rules_names.h - `cuda-morph rules names`. */
#ifndef CM_RULES_NAMES_H
#define CM_RULES_NAMES_H

#include "cli/cli.h"

/* Prints every name of PyTorch and of the targets' adapters that a port of Python can write, with
 * the file of the adapter's sources that has it and the releases. */
int rules_names(struct cli *cli);

#endif
