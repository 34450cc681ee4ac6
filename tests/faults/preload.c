/* SPDX-License-Identifier: Apache-2.0 */
/* preload.c - makes the n-th call of one kind fail, or ends the process there.
 *
 * Loaded into a program by tests/faults.py. CM_FAULT is KIND:N:WHAT, where WHAT is the number of an
 * error, "short" (a write or read of one byte), "kill" (SIGKILL in place of the call) or "killed"
 * (behind it); KIND "all" counts every call. CM_FAULT_COUNTS is a file that gets the number of calls
 * of each kind when the process ends. Children are left alone. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind {
    OPEN, READ, WRITE, FSYNC, CLOSE, RENAME, LINK, UNLINK, MKDIR, OPENDIR, READDIR, STAT, REALPATH,
    CHMOD, CHOWN, TIMES, KINDS
};
static const char *const names[KINDS] = {"open",   "read",  "write",   "fsync",   "close", "rename",
                                         "link",   "unlink", "mkdir",  "opendir", "readdir", "stat",
                                         "realpath", "chmod", "chown", "times"};
enum { NONE = 0, SHORT = -1, KILL = -2, KILLED = -3 };

static atomic_int calls[KINDS], all;
static int wanted = -1, nth, what; /* wanted: KINDS for all */
static char counts_path[4096];

__attribute__((constructor)) static void start(void) {
    const char *text = getenv("CM_FAULT"), *path = getenv("CM_FAULT_COUNTS");
    char kind[32], action[32];
    if (path && strlen(path) < sizeof counts_path) strcpy(counts_path, path);
    if (text && sscanf(text, "%31[^:]:%d:%31s", kind, &nth, action) == 3) {
        for (int k = 0; k < KINDS; k++)
            if (!strcmp(kind, names[k])) wanted = k;
        if (!strcmp(kind, "all")) wanted = KINDS;
        what = !strcmp(action, "short")    ? SHORT
               : !strcmp(action, "kill")   ? KILL
               : !strcmp(action, "killed") ? KILLED
                                           : atoi(action);
    }
    unsetenv("LD_PRELOAD");
    unsetenv("CM_FAULT");
    unsetenv("CM_FAULT_COUNTS");
}

__attribute__((destructor)) static void end(void) {
    char text[1024];
    int n = 0;
    if (!counts_path[0]) return;
    for (int k = 0; k < KINDS; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s %d\n", names[k], calls[k]);
    n += snprintf(text + n, sizeof text - (size_t)n, "all %d\n", all);
    long fd = syscall(SYS_openat, AT_FDCWD, counts_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    syscall(SYS_write, fd, text, n);
    syscall(SYS_close, fd);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) {}
}

/* What is to become of this call. */
static int next(enum kind k) {
    int own = atomic_fetch_add(&calls[k], 1) + 1, total = atomic_fetch_add(&all, 1) + 1;
    int is = wanted == KINDS ? total == nth : wanted == (int)k && own == nth;
    if (!is) return NONE;
    if (what == KILL) die();
    return what;
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
    void *p = dlsym(RTLD_NEXT, name);
    if (!p) abort();
    return p;
}

/* result F(parameters): calls the real one unless it fails; `failed` is what failing returns. */
#define WRAP(kind, result, failed, f, parameters, arguments)                                      \
    result f parameters {                                                                         \
        static __typeof__(&f) own;                                                                \
        if (!own) own = REAL(f);                                                                  \
        int fault = next(kind);                                                                   \
        if (fault > 0) {                                                                          \
            errno = fault;                                                                        \
            return failed;                                                                        \
        }                                                                                         \
        result r = own arguments;                                                                 \
        if (fault == KILLED) die();                                                               \
        return r;                                                                                 \
    }

int open(const char *path, int flags, ...) {
    static __typeof__(&open) own;
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    if (!own) own = REAL(open);
    int fault = next(OPEN);
    if (fault > 0) {
        errno = fault;
        return -1;
    }
    int fd = own(path, flags, mode);
    if (fault == KILLED) die();
    return fd;
}

int openat(int dir, const char *path, int flags, ...) {
    static __typeof__(&openat) own;
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    if (!own) own = REAL(openat);
    int fault = next(OPEN);
    if (fault > 0) {
        errno = fault;
        return -1;
    }
    int fd = own(dir, path, flags, mode);
    if (fault == KILLED) die();
    return fd;
}

#define WRAP_BYTES(kind, f, parameters, arguments, short_arguments)                               \
    ssize_t f parameters {                                                                        \
        static __typeof__(&f) own;                                                                \
        if (!own) own = REAL(f);                                                                  \
        int fault = next(kind);                                                                   \
        if (fault > 0) {                                                                          \
            errno = fault;                                                                        \
            return -1;                                                                            \
        }                                                                                         \
        ssize_t r = (fault == SHORT || fault == KILLED) && n > 1 ? own short_arguments            \
                                                                 : own arguments;                 \
        if (fault == KILLED) die();                                                               \
        return r;                                                                                 \
    }

WRAP_BYTES(READ, read, (int fd, void *p, size_t n), (fd, p, n), (fd, p, 1))
WRAP_BYTES(READ, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), (fd, p, 1, at))
WRAP_BYTES(WRITE, write, (int fd, const void *p, size_t n), (fd, p, n), (fd, p, n / 2))
WRAP(FSYNC, int, -1, fsync, (int fd), (fd))
WRAP(RENAME, int, -1, renameat, (int d, const char *x, int e, const char *y), (d, x, e, y))
WRAP(LINK, int, -1, linkat, (int d, const char *x, int e, const char *y, int f), (d, x, e, y, f))
WRAP(UNLINK, int, -1, unlink, (const char *path), (path))
WRAP(UNLINK, int, -1, unlinkat, (int dir, const char *path, int flags), (dir, path, flags))
WRAP(MKDIR, int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(MKDIR, int, -1, mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode))
WRAP(OPENDIR, DIR *, NULL, opendir, (const char *path), (path))
WRAP(OPENDIR, DIR *, NULL, fdopendir, (int fd), (fd))
WRAP(READDIR, struct dirent *, NULL, readdir, (DIR * d), (d))
WRAP(STAT, int, -1, stat, (const char *path, struct stat *st), (path, st))
WRAP(STAT, int, -1, lstat, (const char *path, struct stat *st), (path, st))
WRAP(STAT, int, -1, fstat, (int fd, struct stat *st), (fd, st))
WRAP(STAT, int, -1, fstatat, (int d, const char *path, struct stat *st, int f), (d, path, st, f))
WRAP(REALPATH, char *, NULL, realpath, (const char *path, char *to), (path, to))
WRAP(CHMOD, int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(CHOWN, int, -1, fchown, (int fd, uid_t u, gid_t g), (fd, u, g))
WRAP(TIMES, int, -1, futimens, (int fd, const struct timespec t[2]), (fd, t))

/* It has closed the descriptor, whatever it says. */
int close(int fd) {
    static __typeof__(&close) own;
    if (!own) own = REAL(close);
    int fault = next(CLOSE), r = own(fd);
    if (fault == KILLED) die();
    if (fault > 0) {
        errno = fault;
        return -1;
    }
    return r;
}

/* A process that becomes another program runs no destructor. */
int execv(const char *path, char *const argv[]) {
    static __typeof__(&execv) own;
    if (!own) own = REAL(execv);
    end();
    return own(path, argv);
}
