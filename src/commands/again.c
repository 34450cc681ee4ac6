/* SPDX-License-Identifier: Apache-2.0 */
/* again.c - commands that are made of other commands start them as a user would: what they hold
 * (threads, caches, an arena without an end) goes with the process. */
#include "commands/again.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int run_again(struct cli *cli, char **words) {
    pid_t child;
    int status, error;
    char name[] = "cuda-morph";
    words[0] = name;
    stream_flush(cli->out);
    error = posix_spawn(&child, "/proc/self/exe", NULL, NULL, words, environ);
    if (error) {
        cli_error(cli, "this program cannot be started: %s", strerror(error));
        return -1;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
