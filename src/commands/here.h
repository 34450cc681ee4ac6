/* SPDX-License-Identifier: Apache-2.0 */
/* here.h - what the program cannot do on the system that it was compiled for. */
#ifndef CM_HERE_H
#define CM_HERE_H

#include "cli/cli.h"

/* What of this command line cannot be done here, as a sentence; NULL: all of it can. */
const char *absent_here(const struct cli *cli);

#endif
