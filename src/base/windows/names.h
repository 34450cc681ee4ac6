/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - what the files of this folder share: names as Windows has them, errors as POSIX has.
 */
#ifndef CM_WINDOWS_NAMES_H
#define CM_WINDOWS_NAMES_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* A path as Windows has it: in wide characters and with backslashes, marked as long where it is.
 * False with errno: it is too long, or no UTF-8. */
bool win_wide(const char *path, wchar_t wide[WIN_PATH]);
/* A name of Windows as the program has it. False with errno: no room. */
bool win_utf8(const wchar_t *wide, char *p, size_t n);
/* The length of what begins an absolute path of Windows in UTF-8, "C:\\" or "\\\\"; or 0. */
size_t win_root(const char *path);
/* Sets errno to what GetLastError() says, and gives -1. */
int win_failed(void);
/* Opens for looking at: a directory, too, and with `link` the link itself. */
HANDLE win_look(const wchar_t *wide, bool link);
/* The path of `name` in the directory that is open as `dir`. False with errno. */
bool win_join(int dir, const char *name, char path[WIN_PATH]);
/* A descriptor of a directory, for openat and its like; -1 with errno. */
int win_open_directory(const char *path);
/* The path of a descriptor of a directory, or NULL. */
const char *win_directory(int fd);

#endif
