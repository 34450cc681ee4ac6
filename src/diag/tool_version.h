/* SPDX-License-Identifier: Apache-2.0 */
/* tool_version.h - what a program says of itself (`hipcc --version`). */
#ifndef CM_TOOL_VERSION_H
#define CM_TOOL_VERSION_H

#include "base/base.h"

/* Runs a program with one argument in a child process of its own group, with nothing to read, for
 * three seconds at most, and returns the first of what it wrote to both of its streams; empty when
 * it did not start or wrote nothing. All of its group is ended afterwards. */
struct str tool_says(struct arena *a, const char *path, const char *argument);

#endif
