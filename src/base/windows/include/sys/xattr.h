/* SPDX-License-Identifier: Apache-2.0 */
/* xattr.h - there are none: access lists and streams stay with the name, as ReplaceFile keeps
 * them. */
#ifndef CM_WINDOWS_XATTR_H
#define CM_WINDOWS_XATTR_H

/* POSIX has none; these are of Linux. */
ssize_t flistxattr(int fd, char *names, size_t n);
ssize_t fgetxattr(int fd, const char *name, void *value, size_t n);
int fsetxattr(int fd, const char *name, const void *value, size_t n, int flags);

#endif
