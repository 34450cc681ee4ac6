/* SPDX-License-Identifier: Apache-2.0 */
/* files.c - POSIX's calls for files, over those of Windows.
 *
 * Everything is opened such that others may delete or replace it meanwhile, as POSIX has it: a
 * file is read, its successor written beside it and put in its place while the old one is open. */
#include "base/windows/names.h"

#include <stdarg.h>
#include <sys/xattr.h>

/* ---- what is there ---- */

static struct timespec time_of(FILETIME t) {
    const uint64_t epoch = 116444736000000000u, second = 10000000;
    uint64_t all = ((uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime) - epoch;
    return (struct timespec){(time_t)(all / second), (long)(all % second * 100)};
}

static bool is_link(HANDLE h, DWORD attributes) {
    FILE_ATTRIBUTE_TAG_INFO tag;
    return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           GetFileInformationByHandleEx(h, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK ||
            tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

static int stat_of(HANDLE h, struct win_stat *st) {
    BY_HANDLE_FILE_INFORMATION info;
    *st = (struct win_stat){.st_nlink = 1};
    DWORD type = GetFileType(h);
    if (type != FILE_TYPE_DISK) {
        st->st_mode = (mode_t)(0600 | (type == FILE_TYPE_CHAR ? S_IFCHR : S_IFIFO));
        return 0;
    }
    if (!GetFileInformationByHandle(h, &info)) return win_failed();
    DWORD attributes = info.dwFileAttributes;
    mode_t kind = is_link(h, attributes)                  ? S_IFLNK
                  : attributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR | 0111
                                                          : S_IFREG;
    *st = (struct win_stat){
        .st_dev = info.dwVolumeSerialNumber,
        .st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
        .st_mode = (mode_t)(kind | (attributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0644)),
        .st_nlink = info.nNumberOfLinks,
        .st_size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow),
        .st_atim = time_of(info.ftLastAccessTime),
        .st_mtim = time_of(info.ftLastWriteTime),
        .st_ctim = time_of(info.ftLastWriteTime),
    };
    return 0;
}

static int look_at(const char *path, bool link, struct win_stat *st) {
    wchar_t wide[WIN_PATH];
    if (!win_wide(path, wide)) return -1;
    HANDLE h = win_look(wide, link);
    if (h == INVALID_HANDLE_VALUE) return win_failed();
    int result = stat_of(h, st);
    CloseHandle(h);
    size_t n = strlen(path);
    if (result == 0 && path[n - 1] == '/' && !S_ISDIR(st->st_mode)) {
        errno = ENOTDIR;
        return -1;
    }
    return result;
}

int win_stat(const char *path, struct win_stat *st) { return look_at(path, false, st); }
int win_lstat(const char *path, struct win_stat *st) { return look_at(path, true, st); }

int win_fstat(int fd, struct win_stat *st) {
    const char *path = win_directory(fd);
    if (path) return win_stat(path, st);
    HANDLE h = (HANDLE)_get_osfhandle(fd);
    if (h != INVALID_HANDLE_VALUE) return stat_of(h, st);
    errno = EBADF;
    return -1;
}

int win_fstatat(int dir, const char *name, struct win_stat *st, int flags) {
    char path[WIN_PATH];
    return win_join(dir, name, path) ? look_at(path, flags & AT_SYMLINK_NOFOLLOW, st) : -1;
}

int win_access(const char *path, int mode) {
    struct win_stat st;
    if (win_stat(path, &st) != 0) return -1;
    if (!(mode & W_OK) || (st.st_mode & 0222)) return 0;
    errno = EACCES;
    return -1;
}

int win_faccessat(int dir, const char *name, int mode, int flags) {
    char path[WIN_PATH];
    (void)flags;
    return win_join(dir, name, path) ? win_access(path, mode) : -1;
}

/* ---- opening, reading, writing ---- */

static int open_file(const wchar_t *wide, int flags, int mode) {
    static const DWORD wants[] = {GENERIC_READ, GENERIC_WRITE, GENERIC_READ | GENERIC_WRITE};
    DWORD how = flags & O_CREAT   ? flags & O_EXCL    ? CREATE_NEW
                                    : flags & O_TRUNC ? CREATE_ALWAYS
                                                      : OPEN_ALWAYS
                : flags & O_TRUNC ? TRUNCATE_EXISTING
                                  : OPEN_EXISTING;
    HANDLE h = CreateFileW(
        wide, wants[flags & O_ACCMODE] | FILE_READ_ATTRIBUTES,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
        mode & 0200 || !(flags & O_CREAT) ? FILE_ATTRIBUTE_NORMAL : FILE_ATTRIBUTE_READONLY, NULL);
    if (h == INVALID_HANDLE_VALUE) return win_failed();
    int fd = _open_osfhandle((intptr_t)h, (flags & (O_ACCMODE | O_APPEND)) | _O_BINARY);
    if (fd < 0) CloseHandle(h);
    return fd;
}

static int open_any(const char *path, int flags, int mode) {
    wchar_t wide[WIN_PATH];
    struct win_stat st;
    if (!win_wide(path, wide)) return -1;
    bool is_there = look_at(path, flags & O_NOFOLLOW, &st) == 0;
    if (!is_there && errno != ENOENT) return -1;
    if (is_there && S_ISLNK(st.st_mode)) {
        errno = ELOOP;
        return -1;
    }
    bool is_directory = is_there && S_ISDIR(st.st_mode);
    if (is_directory && (flags & O_ACCMODE) == O_RDONLY) return win_open_directory(path);
    if (is_there && (is_directory || flags & O_DIRECTORY)) {
        errno = is_directory ? EISDIR : ENOTDIR;
        return -1;
    }
    return open_file(wide, flags, mode);
}

int win_open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    return open_any(path, flags, mode);
}

int win_openat(int dir, const char *name, int flags, ...) {
    char path[WIN_PATH];
    va_list args;
    va_start(args, flags);
    int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    if (strcmp(name, ".") == 0 && win_directory(dir))
        return open_any(win_directory(dir), flags, 0);
    return win_join(dir, name, path) ? open_any(path, flags, mode) : -1;
}

/* Their counts are unsigned there. */
enum { PIECE = 1 << 30 };

ssize_t win_read(int fd, void *p, size_t n) {
    return _read(fd, p, (unsigned)(n < PIECE ? n : PIECE));
}

ssize_t win_write(int fd, const void *p, size_t n) {
    int put = _write(fd, p, (unsigned)(n < PIECE ? n : PIECE));
    /* A reader that has gone away: the C library knows no better. */
    if (put < 0 && errno == EINVAL) errno = EPIPE;
    return put;
}

ssize_t pread(int fd, void *p, size_t n, long long at) {
    OVERLAPPED place = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
    DWORD got = 0;
    HANDLE h = (HANDLE)_get_osfhandle(fd);
    if (ReadFile(h, p, (DWORD)(n < PIECE ? n : PIECE), &got, &place)) return got;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : win_failed();
}

int win_fsync(int fd) { return win_directory(fd) ? 0 : _commit(fd); }

/* Whether it is open is all that is asked. */
int win_fcntl(int fd, int command, ...) {
    (void)command;
    if (win_directory(fd) || _get_osfhandle(fd) != -1) return 0;
    errno = EBADF;
    return -1;
}

FILE *win_fopen(const char *path, const char *mode) {
    wchar_t wide[WIN_PATH], how[16];
    if (!win_wide(path, wide)) return NULL;
    swprintf(how, 16, L"%hs%hs", mode, strchr(mode, 'b') ? "" : "b");
    return _wfopen(wide, how);
}

ssize_t getdelim(char **line, size_t *room, int end, FILE *f) {
    size_t n = 0;
    for (int c; (c = getc(f)) != EOF;) {
        if (n + 2 > *room) {
            char *more = realloc(*line, *room = 2 * *room + 128);
            if (!more) return -1;
            *line = more;
        }
        (*line)[n++] = (char)c;
        if (c == end) break;
    }
    if (n) (*line)[n] = 0;
    return n ? (ssize_t)n : -1;
}

/* ---- names ---- */

int win_unlink(const char *path) {
    wchar_t wide[WIN_PATH];
    return win_wide(path, wide) && (DeleteFileW(wide) || win_failed() == 0) ? 0 : -1;
}

int win_rmdir(const char *path) {
    wchar_t wide[WIN_PATH];
    return win_wide(path, wide) && (RemoveDirectoryW(wide) || win_failed() == 0) ? 0 : -1;
}

int win_unlinkat(int dir, const char *name, int flags) {
    char path[WIN_PATH];
    if (!win_join(dir, name, path)) return -1;
    return flags & AT_REMOVEDIR ? win_rmdir(path) : win_unlink(path);
}

int win_mkdir(const char *path, mode_t mode) {
    wchar_t wide[WIN_PATH];
    (void)mode;
    if (!win_wide(path, wide)) return -1;
    if (CreateDirectoryW(wide, NULL)) return 0;
    win_failed();
    if (GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES) errno = EEXIST; /* a drive, too */
    return -1;
}

int win_mkdirat(int dir, const char *name, mode_t mode) {
    char path[WIN_PATH];
    return win_join(dir, name, path) ? win_mkdir(path, mode) : -1;
}

/* ReplaceFile keeps the old file's access list and attributes, but replaces only what is there. */
int win_rename(const char *from, const char *to) {
    wchar_t old[WIN_PATH], new[WIN_PATH];
    if (!win_wide(from, old) || !win_wide(to, new)) return -1;
    if (ReplaceFileW(new, old, NULL, REPLACEFILE_IGNORE_MERGE_ERRORS, NULL, NULL) ||
        MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING))
        return 0;
    return win_failed();
}

int win_renameat(int from_dir, const char *from, int to_dir, const char *to) {
    char old[WIN_PATH], new[WIN_PATH];
    return win_join(from_dir, from, old) && win_join(to_dir, to, new) ? win_rename(old, new) : -1;
}

int win_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags) {
    char old[WIN_PATH], new[WIN_PATH];
    wchar_t wide_old[WIN_PATH], wide_new[WIN_PATH];
    (void)flags;
    if (!win_join(from_dir, from, old) || !win_join(to_dir, to, new)) return -1;
    if (!win_wide(old, wide_old) || !win_wide(new, wide_new)) return -1;
    return CreateHardLinkW(wide_new, wide_old, NULL) ? 0 : win_failed();
}

int win_symlink(const char *to, const char *path) {
    wchar_t target[WIN_PATH], wide[WIN_PATH];
    if (!win_wide(to, target) || !win_wide(path, wide)) return -1;
    return CreateSymbolicLinkW(wide, target, 2) ? 0 : win_failed();
}

ssize_t win_readlink(const char *path, char *p, size_t n) {
    wchar_t wide[WIN_PATH];
    if (strcmp(path, "/proc/self/exe") != 0) {
        errno = EINVAL;
        return -1;
    }
    if (!GetModuleFileNameW(NULL, wide, WIN_PATH) || !win_utf8(wide, p, n)) return -1;
    return (ssize_t)strlen(p);
}

char *win_realpath(const char *path, char *p) {
    wchar_t wide[WIN_PATH];
    char text[WIN_PATH];
    if (!win_wide(path, wide)) return NULL;
    HANDLE h = win_look(wide, false);
    if (h == INVALID_HANDLE_VALUE) {
        win_failed();
        return NULL;
    }
    DWORD n = GetFinalPathNameByHandleW(h, wide, WIN_PATH, 0);
    if (!n || n >= WIN_PATH) win_failed();
    CloseHandle(h);
    if (!n || n >= WIN_PATH || !win_utf8(wide, text, sizeof text)) return NULL;
    return p ? strcpy(p, text) : strdup(text);
}

char *win_getcwd(char *p, size_t n) {
    wchar_t wide[WIN_PATH];
    DWORD length = GetCurrentDirectoryW(WIN_PATH, wide);
    return length && length < WIN_PATH && win_utf8(wide, p, n) ? p : NULL;
}

int win_chdir(const char *path) {
    wchar_t wide[WIN_PATH];
    return win_wide(path, wide) && (SetCurrentDirectoryW(wide) || win_failed() == 0) ? 0 : -1;
}

/* Fills the six X at its end. */
static bool fill(char *pattern) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    static unsigned counter;
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    uint64_t bits = ((uint64_t)now.QuadPart * 31 + GetCurrentProcessId() * 7919u + counter++) *
                    0x9E3779B97F4A7C15u;
    size_t n = strlen(pattern);
    if (n < 6) return false;
    for (size_t i = 0; i < 6; i++, bits <<= 5) pattern[n - 6 + i] = letters[bits >> 59];
    return true;
}

char *win_mkdtemp(char *pattern) {
    for (int i = 0; i < 1000 && fill(pattern); i++) {
        if (win_mkdir(pattern, 0700) == 0) return pattern;
        if (errno != EEXIST) break;
    }
    return NULL;
}

int win_mkstemp(char *pattern) {
    for (int i = 0; i < 1000 && fill(pattern); i++) {
        int fd = win_open(pattern, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* ---- what belongs to a file ---- */

static FILETIME file_time(struct timespec t) {
    uint64_t all = (uint64_t)t.tv_sec * 10000000 + (uint64_t)t.tv_nsec / 100 + 116444736000000000u;
    return (FILETIME){(DWORD)all, (DWORD)(all >> 32)};
}

int futimens(int fd, const struct timespec times[2]) {
    FILETIME used = file_time(times[0]), changed = file_time(times[1]);
    HANDLE h = (HANDLE)_get_osfhandle(fd);
    return SetFileTime(h, NULL, &used, &changed) ? 0 : win_failed();
}

int win_chmod(const char *path, mode_t mode) {
    wchar_t wide[WIN_PATH];
    if (!win_wide(path, wide)) return -1;
    DWORD now = GetFileAttributesW(wide);
    if (now == INVALID_FILE_ATTRIBUTES) return win_failed();
    now = mode & 0200 ? now & ~(DWORD)FILE_ATTRIBUTE_READONLY : now | FILE_ATTRIBUTE_READONLY;
    return SetFileAttributesW(wide, now) ? 0 : win_failed();
}

/* What they would keep, ReplaceFile keeps. */
int fchmod(int fd, mode_t mode) { return (void)fd, (void)mode, 0; }
int fchown(int fd, uid_t user, gid_t group) { return (void)fd, (void)user, (void)group, 0; }
int flock(int fd, int operation) { return (void)fd, (void)operation, 0; }
mode_t win_umask(mode_t mode) { return (void)mode, 022; }
uid_t getuid(void) { return 0; }
uid_t geteuid(void) { return 0; }

ssize_t flistxattr(int fd, char *names, size_t n) { return (void)fd, (void)names, (void)n, 0; }
ssize_t fgetxattr(int fd, const char *name, void *value, size_t n) {
    return (void)fd, (void)name, (void)value, (void)n, -1;
}
int fsetxattr(int fd, const char *name, const void *value, size_t n, int flags) {
    return (void)fd, (void)name, (void)value, (void)n, (void)flags, -1;
}
