/* SPDX-License-Identifier: Apache-2.0 */
/* glob.h - the paths that a pattern names. */
#ifndef CM_WINDOWS_GLOB_H
#define CM_WINDOWS_GLOB_H

typedef struct {
    size_t gl_pathc;
    char **gl_pathv;
} glob_t;
/* POSIX's; no flag has a meaning. */
int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *out);
void globfree(glob_t *out);

#endif
