/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - names between UTF-8 and Windows' own form, and directories that are open.
 *
 * Windows has no descriptor of a directory; here it is a number that stands for a path. A program
 * that is about to replace a directory by a link can so lead another one astray, which openat
 * prevents elsewhere. */
#include "base/windows/names.h"

#include <dirent.h>

static bool is_slash(char c) { return c == '/' || c == '\\'; }

static bool has_drive(const char *path) {
    bool letter = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z');
    return letter && path[1] == ':' && (is_slash(path[2]) || !path[2]);
}

size_t win_root(const char *path) {
    if (has_drive(path)) return 2 + is_slash(path[2]);
    return is_slash(path[0]) && is_slash(path[1]) ? 2 : 0;
}

/* The same path, as Windows takes it but for the slashes. */
static const char *without_slash(const char *path, char share[WIN_PATH]) {
    if (strcmp(path, "/dev/null") == 0) return "NUL";
    if (*path == '/' && has_drive(path + 1)) return path + 1;
    if (strncmp(path, "/UNC/", 5) != 0) return path;
    snprintf(share, WIN_PATH, "//%s", path + 5);
    return share;
}

bool win_wide(const char *path, wchar_t wide[WIN_PATH]) {
    enum { SHORT = 240, MARK = 4 };
    char share[WIN_PATH];
    if (!*path) {
        errno = ENOENT;
        return false;
    }
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, without_slash(path, share), -1,
                                wide, WIN_PATH - MARK);
    if (n <= 0) {
        errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
        return false;
    }
    for (wchar_t *p = wide; *p; p++)
        if (*p == L'/') *p = L'\\';
    if (n == 3 && wide[1] == L':') wcscpy(wide + 2, L"\\"); /* a drive, not where we are on it */
    if (n < SHORT || wide[0] == L'\\') return true;
    wchar_t full[WIN_PATH - MARK];
    DWORD length = GetFullPathNameW(wide, WIN_PATH - MARK, full, NULL);
    if (!length || length >= WIN_PATH - MARK) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(wide, L"\\\\?\\", MARK * sizeof *wide);
    memcpy(wide + MARK, full, (length + 1) * sizeof *full);
    return true;
}

bool win_utf8(const wchar_t *wide, char *p, size_t n) {
    char text[WIN_PATH];
    const char *prefix = "";
    if (wcsncmp(wide, L"\\\\?\\UNC\\", 8) == 0) {
        wide += 8;
        prefix = "/UNC/";
    } else if (wcsncmp(wide, L"\\\\?\\", 4) == 0)
        wide += 4;
    else if (wcsncmp(wide, L"\\\\", 2) == 0) {
        wide += 2;
        prefix = "/UNC/";
    }
    bool fits = WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, sizeof text, NULL, NULL) > 0;
    if (fits && has_drive(text)) prefix = "/";
    if (!fits || strlen(prefix) + strlen(text) >= n) {
        errno = ENAMETOOLONG;
        return false;
    }
    size_t end = (size_t)snprintf(p, n, "%s%s", prefix, text);
    for (size_t i = 0; i < end; i++)
        if (p[i] == '\\') p[i] = '/';
    if (end > 4 && p[end - 1] == '/') p[end - 1] = 0; /* C:\ is /C: */
    return true;
}

int win_failed(void) {
    static const struct {
        DWORD windows;
        int posix;
    } errors[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_INVALID_FUNCTION, EPERM},
        {ERROR_NOT_SUPPORTED, EPERM},
        {ERROR_PRIVILEGE_NOT_HELD, EPERM},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
        {ERROR_OPERATION_ABORTED, EINTR},
    };
    DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].windows == error) errno = errors[i].posix;
    return -1;
}

HANDLE win_look(const wchar_t *wide, bool link) {
    return CreateFileW(wide, FILE_READ_ATTRIBUTES,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS | (link ? FILE_FLAG_OPEN_REPARSE_POINT : 0),
                       NULL);
}

/* ---- directories that are open ---- */

enum { FIRST = 0x40000000, MOST = 1024 };
static char *directories[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int win_open_directory(const char *path) {
    char *own = strdup(path);
    int fd = -1;
    if (!own) return -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST && fd < 0; i++)
        if (!directories[i]) {
            directories[i] = own;
            fd = FIRST + i;
        }
    pthread_mutex_unlock(&lock);
    if (fd < 0) {
        free(own);
        errno = EMFILE;
    }
    return fd;
}

const char *win_directory(int fd) {
    if (fd < FIRST || fd >= FIRST + MOST) return NULL;
    pthread_mutex_lock(&lock);
    const char *path = directories[fd - FIRST];
    pthread_mutex_unlock(&lock);
    return path;
}

int win_close(int fd) {
    if (!win_directory(fd)) return _close(fd);
    pthread_mutex_lock(&lock);
    free(directories[fd - FIRST]);
    directories[fd - FIRST] = NULL;
    pthread_mutex_unlock(&lock);
    return 0;
}

bool win_join(int dir, const char *name, char path[WIN_PATH]) {
    const char *folder = dir == AT_FDCWD ? "." : win_directory(dir);
    if (!folder) {
        errno = EBADF;
        return false;
    }
    size_t n = strlen(folder);
    const char *slash = n && folder[n - 1] == '/' ? "" : "/";
    if (snprintf(path, WIN_PATH, "%s%s%s", folder, slash, name) < WIN_PATH) return true;
    errno = ENAMETOOLONG;
    return false;
}

/* ---- their entries ---- */

struct win_dir {
    HANDLE search;
    WIN32_FIND_DATAW found;
    bool is_ready; /* `found` has not been given yet */
    int fd;
    struct dirent entry;
};

DIR *fdopendir(int fd) {
    char path[WIN_PATH];
    wchar_t wide[WIN_PATH];
    DIR *d = calloc(1, sizeof *d);
    if (!d || !win_join(fd, "*", path) || !win_wide(path, wide)) {
        free(d);
        return NULL;
    }
    d->fd = fd;
    d->search = FindFirstFileW(wide, &d->found);
    if (d->search == INVALID_HANDLE_VALUE) {
        win_failed();
        free(d);
        return NULL;
    }
    d->is_ready = true;
    return d;
}

DIR *opendir(const char *path) {
    int fd = win_open(path, O_RDONLY | O_DIRECTORY);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d && fd >= 0) {
        int error = errno;
        win_close(fd);
        errno = error;
    }
    return d;
}

struct dirent *readdir(DIR *d) {
    while (d->is_ready || FindNextFileW(d->search, &d->found)) {
        d->is_ready = false;
        if (!win_utf8(d->found.cFileName, d->entry.d_name, sizeof d->entry.d_name)) continue;
        DWORD attributes = d->found.dwFileAttributes, tag = d->found.dwReserved0;
        bool link = (attributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
                    (tag == IO_REPARSE_TAG_SYMLINK || tag == IO_REPARSE_TAG_MOUNT_POINT);
        d->entry.d_type = link ? DT_LNK : attributes & FILE_ATTRIBUTE_DIRECTORY ? DT_DIR : DT_REG;
        return &d->entry;
    }
    if (GetLastError() != ERROR_NO_MORE_FILES) win_failed();
    return NULL;
}

int closedir(DIR *d) {
    FindClose(d->search);
    win_close(d->fd);
    free(d);
    return 0;
}

int dirfd(DIR *d) { return d->fd; }
