/* SPDX-License-Identifier: Apache-2.0 */
/* target_names.h - which targets commands and their help speak of: by the facts of targets, so
 * that no command knows one by its name. */
#ifndef CM_TARGET_NAMES_H
#define CM_TARGET_NAMES_H

#include "rules/rules.h"

/* The target of the built-in rules that the command takes where none is named: its fact
 * "default_for" lists the command. */
struct target_ref default_target(const char *command);

/* What the first target of the built-in rules says that has the fact; empty: none has it. */
struct str first_fact(const char *fact);

/* The names of those of the built-in rules that have the fact, in order: "rocm and musa". */
struct str targets_with(struct arena *a, const char *fact);

/* Help with its {placeholders} filled in, NUL-terminated:
 * {default:COMMAND}  the name of default_target(COMMAND)
 * {with:FACT}        targets_with(FACT)
 * {example:0}        the name of the first target, for examples; {example:1}: of the second
 * {each:FACT}        "T: VALUE" of each target that has the fact, the default one's name marked
 * {devices:COMMAND}  the names that PyTorch has for their devices, the default one first */
const char *fill_target_names(struct arena *a, const char *text);

#endif
