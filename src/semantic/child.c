/* SPDX-License-Identifier: Apache-2.0 */
/* child.c - limits of time and memory, and no way to write. */
#include "semantic/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#endif

/* A sanitizer's shadow takes terabytes of addresses. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                        \
    __has_feature(memory_sanitizer)
#define HAS_SHADOW 1
#endif
#endif
#ifndef HAS_SHADOW
#define HAS_SHADOW 0
#endif

static void keep_one(int fd) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd != CHILD_FD) dup2(fd, CHILD_FD);
    for (int i = 0; i < CHILD_FD && null >= 0; i++) dup2(null, i);
#ifdef SYS_close_range
    if (syscall(SYS_close_range, CHILD_FD + 1, ~0U, 0) == 0) return;
#endif
    struct rlimit most = {0};
    getrlimit(RLIMIT_NOFILE, &most);
    for (int i = CHILD_FD + 1; i < (int)most.rlim_cur && i < 65536; i++) close(i);
}

static void limit(int resource, rlim_t value) {
    struct rlimit both = {value, value}, now;
    if (getrlimit(resource, &now) == 0 && now.rlim_max < value)
        both.rlim_cur = both.rlim_max = now.rlim_max;
    setrlimit(resource, &both);
}

/* Bytes of addresses that this process has. */
static rlim_t addresses(void) {
    char text[64] = "";
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = 0;
    return (rlim_t)strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Of all that changes a file system, nothing is allowed but regular files in one folder. */
static void write_nothing_but(const char *writable) {
#if defined(SYS_landlock_create_ruleset) && defined(LANDLOCK_ACCESS_FS_WRITE_FILE)
    struct landlock_ruleset_attr all = {
        .handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE |
                             LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                             LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                             LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                             LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                             LANDLOCK_ACCESS_FS_MAKE_SYM};
    long rules = syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (rules < 0) return;
    struct landlock_path_beneath_attr folder = {
        .allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                          LANDLOCK_ACCESS_FS_MAKE_REG,
        .parent_fd = writable ? open(writable, O_PATH | O_CLOEXEC) : -1};
    if (folder.parent_fd >= 0) {
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &folder, 0);
        close(folder.parent_fd);
    }
    syscall(SYS_landlock_restrict_self, rules, 0);
    close((int)rules);
#else
    (void)writable;
#endif
}

void child_confine(int fd, unsigned seconds, unsigned megabytes, const char *writable) {
    enum { MOST_WRITTEN = 256 << 20 };
    static const int ending[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL, SIGABRT,
                                 SIGINT,  SIGTERM, SIGHUP, SIGXCPU};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) signal(ending[i], SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* a write fails; the file is still read */
    keep_one(fd);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, writable ? MOST_WRITTEN : 0);
    limit(RLIMIT_CPU, seconds + 2); /* the parent looks at the clock, and comes first */
    if (!HAS_SHADOW) limit(RLIMIT_AS, addresses() + ((rlim_t)megabytes << 20));
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    write_nothing_but(writable);
}
