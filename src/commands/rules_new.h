/* SPDX-License-Identifier: Apache-2.0 */
/* rules_new.h - `cuda-morph rules new-target`. */
#ifndef CM_RULES_NEW_H
#define CM_RULES_NEW_H

#include "commands/commands.h"

/* Writes the skeleton of a target's file; returns the exit status. */
int rules_new_target(struct cli *cli);

#endif
