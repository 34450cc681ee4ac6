/* SPDX-License-Identifier: Apache-2.0 */
/* child.h - what a forked child gives up before it does something on behalf of a stranger. */
#ifndef CM_SEMANTIC_CHILD_H
#define CM_SEMANTIC_CHILD_H

/* The one way out that it keeps. */
enum { CHILD_FD = 3 };

/* Called in the child: the file descriptor becomes CHILD_FD and all others go (0 to 2 lead
 * nowhere); no time beyond `seconds`, no memory beyond `megabytes` more than now, no file is
 * written but in the folder `writable` (or NULL), no privilege gained, and the child does not
 * outlive the thread that made it. What this system does not offer is left out. */
void child_confine(int fd, unsigned seconds, unsigned megabytes, const char *writable);

#endif
