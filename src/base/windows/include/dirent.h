/* SPDX-License-Identifier: Apache-2.0 */
/* dirent.h - directories, by names in UTF-8. */
#ifndef CM_WINDOWS_DIRENT_H
#define CM_WINDOWS_DIRENT_H

enum { DT_UNKNOWN, DT_DIR = 4, DT_REG = 8, DT_LNK = 10 };
struct dirent {
    unsigned char d_type;
    char d_name[1024];
};
typedef struct win_dir DIR;
/* POSIX's. */
DIR *opendir(const char *path);
DIR *fdopendir(int fd);
struct dirent *readdir(DIR *d);
int closedir(DIR *d);
int dirfd(DIR *d);

#endif
