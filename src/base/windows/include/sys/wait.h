/* SPDX-License-Identifier: Apache-2.0 */
/* wait.h - how a process of posix_spawn ended. */
#ifndef CM_WINDOWS_WAIT_H
#define CM_WINDOWS_WAIT_H

#define WNOHANG 1
#define WIFEXITED(status) 1
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) 0
#define WTERMSIG(status) 0
/* POSIX's; it waits. */
pid_t waitpid(pid_t pid, int *status, int flags);

#endif
