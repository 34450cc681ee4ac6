/* SPDX-License-Identifier: Apache-2.0 */
/* again.h - this program once more, as a process of its own. */
#ifndef CM_AGAIN_H
#define CM_AGAIN_H

#include "cli/cli.h"

/* Runs this program with the words, a list that ends with NULL and has a place for the program's
 * name at its start, and waits for it. Its exit status; -1 after a message. */
int run_again(struct cli *cli, char **words);

#endif
