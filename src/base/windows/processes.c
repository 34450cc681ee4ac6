/* SPDX-License-Identifier: Apache-2.0 */
/* processes.c - POSIX's calls for processes, signals and patterns of paths, as far as the program
 * needs them on Windows. The rest fails as a call does that a system has not. */
#include "base/windows/names.h"

#include "base/base.h"
#include "base/glob.h"

#include <dirent.h>
#include <dlfcn.h>
#include <glob.h>
#include <poll.h>
#include <spawn.h>
#include <sys/utsname.h>
#include <sys/wait.h>

/* ---- processes ---- */

/* A word of a command line, as the C library of the other side takes it apart. */
static wchar_t *quoted(const char *word) {
    size_t n = strlen(word), backslashes = 0;
    char *text = malloc(2 * n + 3), *p = text;
    wchar_t *wide = malloc((2 * n + 3) * sizeof *wide);
    if (!text || !wide) abort();
    *p++ = '"';
    for (; *word; word++) {
        for (size_t i = 0; *word == '"' && i <= backslashes; i++) *p++ = '\\';
        backslashes = *word == '\\' ? backslashes + 1 : 0;
        *p++ = *word;
    }
    while (backslashes--) *p++ = '\\';
    strcpy(p, "\"");
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, (int)(2 * n + 3));
    free(text);
    return wide;
}

int posix_spawn(pid_t *pid, const char *path, const void *actions, const void *attributes,
                char *const *words, char *const *environment) {
    wchar_t program[WIN_PATH];
    size_t n = 0;
    (void)actions, (void)attributes, (void)environment;
    if (strcmp(path, "/proc/self/exe") != 0) return ENOSYS;
    if (!GetModuleFileNameW(NULL, program, WIN_PATH)) return ENOENT;
    while (words[n]) n++;
    wchar_t **wide = calloc(n + 1, sizeof *wide);
    if (!wide) return ENOMEM;
    for (size_t i = 0; i < n; i++) wide[i] = quoted(words[i]);
    intptr_t child = _wspawnv(_P_NOWAIT, program, (const wchar_t *const *)wide);
    int error = child == -1 ? errno : 0;
    for (size_t i = 0; i < n; i++) free(wide[i]);
    free(wide);
    *pid = (pid_t)child;
    return error;
}

pid_t waitpid(pid_t pid, int *status, int flags) {
    (void)flags;
    return (pid_t)_cwait(status, (intptr_t)pid, 0);
}

static int absent(void) {
    errno = ENOSYS;
    return -1;
}

pid_t fork(void) { return absent(); }
int setpgid(pid_t pid, pid_t group) { return (void)pid, (void)group, 0; }
int pipe2(int ends[2], int flags) { return _pipe(ends, 1 << 16, flags | _O_BINARY); }

/* Only whether it is alive is asked. */
int kill(pid_t pid, int number) {
    if (number) return absent();
    HANDLE h = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)pid);
    DWORD code = STILL_ACTIVE;
    if (!h && GetLastError() != ERROR_INVALID_PARAMETER) return 0;
    if (h) {
        GetExitCodeProcess(h, &code);
        CloseHandle(h);
        if (code == STILL_ACTIVE) return 0;
    }
    errno = ESRCH;
    return -1;
}

long sysconf(int name) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return name == _SC_NPROCESSORS_ONLN ? (long)info.dwNumberOfProcessors : -1;
}

int uname(struct utsname *out) {
    strcpy(out->sysname, "Windows");
    strcpy(out->release, "");
    strcpy(out->machine, "x86_64");
    return 0;
}

struct tm *gmtime_r(const time_t *t, struct tm *out) {
    return gmtime_s(out, t) == 0 ? out : NULL;
}

void *dlopen(const char *name, int flags) { return (void)name, (void)flags, NULL; }
void *dlsym(void *library, const char *name) { return (void)library, (void)name, NULL; }
int dlclose(void *library) { return (void)library, 0; }
char *dlerror(void) {
    static char text[] = "no library is opened on Windows";
    return text;
}

/* ---- text ---- */

void *memmem(const void *hay, size_t n, const void *needle, size_t m) {
    const char *p = hay, *end = p + n;
    if (m == 0) return (void *)p;
    for (; m <= (size_t)(end - p); p++) {
        p = memchr(p, *(const char *)needle, (size_t)(end - p) - m + 1);
        if (!p) return NULL;
        if (memcmp(p, needle, m) == 0) return (void *)p;
    }
    return NULL;
}

/* ---- signals ---- */

int sigfillset(sigset_t *set) { return *set = ~0ull, 0; }
int sigaltstack(const stack_t *new, stack_t *old) { return (void)new, (void)old, 0; }

int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    void (*before)(int) = signal(number, new ? new->sa_handler : SIG_DFL);
    if (!new &&before != SIG_ERR) signal(number, before);
    if (old) *old = (struct sigaction){.sa_handler = before};
    return before == SIG_ERR ? -1 : 0;
}

/* ---- waiting ---- */

/* A pipe is looked into every few milliseconds: Windows waits for no pipe. */
static bool has_input(int fd) {
    DWORD n = 0;
    HANDLE h = (HANDLE)_get_osfhandle(fd);
    if (GetFileType(h) != FILE_TYPE_PIPE) return true;
    return !PeekNamedPipe(h, NULL, 0, NULL, &n, NULL) || n > 0; /* its end is something to read */
}

int poll(struct pollfd *v, unsigned n, int milliseconds) {
    enum { STEP = 5 };
    for (int waited = 0;; waited += STEP) {
        int ready = 0;
        for (unsigned i = 0; i < n; i++) {
            bool yes = (v[i].events & POLLOUT) || ((v[i].events & POLLIN) && has_input(v[i].fd));
            v[i].revents = yes ? v[i].events : 0;
            ready += yes;
        }
        if (ready || (milliseconds >= 0 && waited >= milliseconds)) return ready;
        Sleep(STEP);
    }
}

/* ---- patterns ---- */

static void add_path(glob_t *out, const char *path) {
    char **v = realloc(out->gl_pathv, (out->gl_pathc + 2) * sizeof *v);
    if (!v) abort();
    out->gl_pathv = v;
    v[out->gl_pathc++] = strdup(path);
    v[out->gl_pathc] = NULL;
}

static int compare(const void *x, const void *y) {
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static bool has_pattern(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (strchr("*?[", s.p[i])) return true;
    return false;
}

/* What `rest`, components below `path`, names; "" ends it. */
static void expand(glob_t *out, const char *path, struct str rest) {
    char next[WIN_PATH];
    size_t end = str_find(rest, S("/"), 0);
    struct str part = str_sub(rest, 0, end), after = str_sub(rest, end + 1, rest.n);
    bool is_last = end >= rest.n;
    if (!has_pattern(part)) {
        snprintf(next, sizeof next, "%s%.*s%s", path, STR_ARG(part), is_last ? "" : "/");
        if (!is_last)
            expand(out, next, after);
        else if (win_access(next, F_OK) == 0)
            add_path(out, next);
        return;
    }
    DIR *d = opendir(*path ? path : ".");
    for (const struct dirent *e; d && (e = readdir(d));) {
        struct str name = str_of(e->d_name);
        if (name.p[0] == '.' || !glob_match(part, name)) continue;
        snprintf(next, sizeof next, "%s%s%s", path, e->d_name, is_last ? "" : "/");
        if (is_last)
            add_path(out, next);
        else
            expand(out, next, after);
    }
    if (d) closedir(d);
}

int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *out) {
    (void)flags, (void)failed;
    *out = (glob_t){0};
    expand(out, "", str_of(pattern));
    if (out->gl_pathc) qsort(out->gl_pathv, out->gl_pathc, sizeof *out->gl_pathv, compare);
    return out->gl_pathc ? 0 : 3;
}

void globfree(glob_t *out) {
    for (size_t i = 0; i < out->gl_pathc; i++) free(out->gl_pathv[i]);
    free(out->gl_pathv);
    *out = (glob_t){0};
}
