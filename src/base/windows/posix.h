/* SPDX-License-Identifier: Apache-2.0 */
/* posix.h - what the sources expect of a POSIX system, for Windows.
 *
 * Every source of the program is compiled with this file before its first line (the Makefile says
 * so where CC makes programs for Windows), and base/windows/ is compiled nowhere else: so no other
 * file asks where it is. Names are UTF-8 with '/', and absolute ones begin with it: C:\dir is
 * /C:/dir, as in the address of a file, and \\server\share is /UNC/server/share. Files are binary,
 * a directory can be open as a descriptor, and what Windows has not (fork, extended attributes)
 * fails as a system call does. */
#ifndef CM_WINDOWS_POSIX_H
#define CM_WINDOWS_POSIX_H

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* Formats are those of C, not of Microsoft's library. */
#define CM_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
/* Microsoft's library has functions of these names, which no source here means. */
#define tell cm_tell

/* ---- files ---- */

enum { WIN_PATH = 4096 };
#undef PATH_MAX
#define PATH_MAX 4096
#ifndef NAME_MAX
#define NAME_MAX 255
#endif

#define O_CLOEXEC _O_NOINHERIT
#define O_NONBLOCK 0
#define O_NOCTTY 0
#define O_DIRECTORY 0x100000
#define O_NOFOLLOW 0x200000
enum { AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 0x100, AT_EACCESS = 0x200, AT_REMOVEDIR = 0x400 };
enum { LOCK_SH = 1, LOCK_EX = 2, LOCK_NB = 4, LOCK_UN = 8, F_GETFD = 1, F_GETFL = 3, F_SETFL = 4 };

typedef unsigned uid_t, gid_t;

struct win_stat {
    uint64_t st_dev, st_ino;
    mode_t st_mode;
    unsigned st_nlink;
    uid_t st_uid;
    gid_t st_gid;
    int64_t st_size;
    struct timespec st_atim, st_mtim, st_ctim;
};
#undef st_atime
#undef st_mtime
#define st_mtime st_mtim.tv_sec
#undef S_IFLNK
#undef S_ISLNK
#define S_IFLNK 0120000
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)
#undef S_ISSOCK
#define S_ISSOCK(mode) 0
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000

/* As POSIX or Linux has them. */
int win_stat(const char *path, struct win_stat *st);
int win_lstat(const char *path, struct win_stat *st);
int win_fstat(int fd, struct win_stat *st);
int win_fstatat(int dir, const char *name, struct win_stat *st, int flags);
int win_open(const char *path, int flags, ...);
int win_openat(int dir, const char *name, int flags, ...);
int win_close(int fd);
ssize_t win_read(int fd, void *p, size_t n);
ssize_t win_write(int fd, const void *p, size_t n);
int win_fsync(int fd);
int win_fcntl(int fd, int command, ...);
int win_access(const char *path, int mode);
int win_faccessat(int dir, const char *name, int mode, int flags);
int win_unlink(const char *path);
int win_unlinkat(int dir, const char *name, int flags);
int win_rmdir(const char *path);
int win_mkdir(const char *path, mode_t mode);
int win_mkdirat(int dir, const char *name, mode_t mode);
int win_rename(const char *from, const char *to);
int win_renameat(int from_dir, const char *from, int to_dir, const char *to);
int win_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags);
int win_symlink(const char *to, const char *path);
ssize_t win_readlink(const char *path, char *p, size_t n);
char *win_realpath(const char *path, char *p);
char *win_getcwd(char *p, size_t n);
int win_chdir(const char *path);
char *win_mkdtemp(char *pattern);
int win_mkstemp(char *pattern);
ssize_t getdelim(char **line, size_t *room, int end, FILE *f);
FILE *win_fopen(const char *path, const char *mode);
int futimens(int fd, const struct timespec times[2]);
int fchmod(int fd, mode_t mode);
int win_chmod(const char *path, mode_t mode);
int fchown(int fd, uid_t user, gid_t group);
int flock(int fd, int operation);
uid_t getuid(void);
uid_t geteuid(void);
mode_t win_umask(mode_t mode);

#undef stat
#undef lstat
#undef fstat
#undef open
#undef mkdir
#undef gmtime_r
#define stat win_stat
#define lstat win_lstat
#define fstat win_fstat
#define fstatat win_fstatat
#define open win_open
#define openat win_openat
#define close win_close
#define read win_read
#define write win_write
#define fsync win_fsync
#define fcntl win_fcntl
#define access win_access
#define faccessat win_faccessat
#define unlink win_unlink
#define unlinkat win_unlinkat
#define rmdir win_rmdir
#define mkdir win_mkdir
#define mkdirat win_mkdirat
#define rename win_rename
#define renameat win_renameat
#define linkat win_linkat
#define symlink win_symlink
#define readlink win_readlink
#define realpath win_realpath
#define getcwd win_getcwd
#define chdir win_chdir
#define mkdtemp win_mkdtemp
#define mkstemp win_mkstemp
#define fopen win_fopen
#define chmod win_chmod
#define umask win_umask

/* ---- processes, signals, time ---- */

#undef SIGHUP
#define SIGHUP 1
#define SIGKILL 9
#define SIGBUS 10
#define SIGPIPE 13
#define SIGXFSZ 25
#define SA_ONSTACK 1
#define SA_RESETHAND 2
#define SA_RESTART 4

struct sigaction {
    void (*sa_handler)(int);
    int sa_flags;
    unsigned long long sa_mask;
};
typedef struct {
    void *ss_sp;
    size_t ss_size;
    int ss_flags;
} stack_t;
typedef unsigned long long win_sigset;
#define sigset_t win_sigset
#undef pthread_sigmask
static inline int pthread_sigmask(int how, const win_sigset *set, win_sigset *before) {
    return (void)how, (void)set, (void)before, 0;
}
/* As POSIX or Linux has them. */
int sigfillset(sigset_t *set);
int sigaction(int number, const struct sigaction *new, struct sigaction *old);
int sigaltstack(const stack_t *new, stack_t *old);
int kill(pid_t pid, int number);
int setpgid(pid_t pid, pid_t group);
pid_t fork(void);
int pipe2(int ends[2], int flags);
int win_setenv(const char *name, const char *value, int overwrite);
int win_unsetenv(const char *name);
#define setenv win_setenv
#define unsetenv win_unsetenv
void *memmem(const void *hay, size_t n, const void *needle, size_t m);
#define secure_getenv getenv
long sysconf(int name);
enum { _SC_NPROCESSORS_ONLN = 84 };
struct tm *gmtime_r(const time_t *t, struct tm *out);
ssize_t pread(int fd, void *p, size_t n, long long at);

/* start.c makes the arguments UTF-8, and then calls the program's own. */
#define main win_main

#endif
