/* SPDX-License-Identifier: Apache-2.0 */
/* spawn.h - this program as another process; no other is started. */
#ifndef CM_WINDOWS_SPAWN_H
#define CM_WINDOWS_SPAWN_H

/* POSIX's; actions, attributes and environment are not looked at. */
int posix_spawn(pid_t *pid, const char *path, const void *actions, const void *attributes,
                char *const *words, char *const *environment);

#endif
