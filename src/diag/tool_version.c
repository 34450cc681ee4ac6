/* SPDX-License-Identifier: Apache-2.0 */
/* tool_version.c - what a program says of itself.
 *
 * A compiler's version is in no file that all releases have; the compiler tells. It is a program
 * that nobody vouches for: it may hang, fork, write without an end, or be a script that waits for
 * input. So it gets a time limit, a bounded buffer and a process group that ends with it. */
#include "diag/tool_version.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_MS = 3000, MOST = 16 * 1024 };

static long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000L + t.tv_nsec / 1000000;
}

static void become_tool(const char *path, const char *argument, int out) {
    static const int signals[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGXFSZ};
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) signal(signals[i], SIG_DFL);
    setpgid(0, 0);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(out, STDERR_FILENO) < 0)
        _exit(127);
    execl(path, path, argument, (char *)NULL);
    _exit(127);
}

/* What programs that never answer may take of the whole run: a machine where all hang is told of
 * in seconds. Those that answer take nothing of it. */
static long patience_ms = 6000;

static struct str read_for(struct arena *a, int fd, long limit_ms) {
    struct buf b;
    char part[1024];
    long end = now_ms() + limit_ms;
    buf_init(&b, a);
    while (b.n < MOST) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        long left = end - now_ms();
        int ready = left > 0 ? poll(&p, 1, (int)left) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) patience_ms -= limit_ms;
        if (ready != 1) break;
        ssize_t n = read(fd, part, sizeof part);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        struct str read_part = {part, (size_t)n};
        buf_add(&b, read_part);
    }
    return buf_str(&b);
}

struct str tool_says(struct arena *a, const char *path, const char *argument) {
    int fds[2], status;
    long limit_ms = patience_ms < LIMIT_MS ? patience_ms : LIMIT_MS;
    if (limit_ms <= 0 || pipe2(fds, O_CLOEXEC) != 0) return S("");
    pid_t child = fork();
    if (child == 0) become_tool(path, argument, fds[1]);
    close(fds[1]);
    struct str text = child > 0 ? read_for(a, fds[0], limit_ms) : S("");
    if (child > 0) {
        setpgid(child, child); /* where the child had no time to do it */
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    }
    close(fds[0]);
    return text;
}
