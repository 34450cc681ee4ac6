/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - --watch: the command again whenever a file changes. */
#ifndef CM_WATCH_H
#define CM_WATCH_H

#include "cli/cli.h"

/* Runs the same command line without --watch, now and after each change below its paths, until
 * somebody ends it; returns only what went wrong. */
int watch(struct cli *cli);

#endif
