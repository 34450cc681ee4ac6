/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h - one function per row of options.def: does the command's work and returns its exit
 * status. */
#ifndef CM_COMMANDS_H
#define CM_COMMANDS_H

#include "cli/cli.h"
#include "cudamorph.h"

#define COMMAND(id, name, operands, summary, text) int command_##name(struct cli *cli);
#include "cli/options.def"

/* Prints what --help prints for cli->command, or for the whole tool when it is NULL. */
int print_help(struct cli *cli);

/* A session with the rules of --rules; NULL after printing what is wrong with them. */
struct cm_session *open_session(struct cli *cli);
/* A note on the version of the target that --target-version gave, where there is one. */
void tell_of_version(struct cli *cli, const struct cm_target *t);

#endif
