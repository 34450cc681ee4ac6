/* SPDX-License-Identifier: Apache-2.0 */
/* file.h - reading inputs and writing results so that no crash, signal or full disk loses a file.
 *
 * Every error is a sentence that starts with the path as the caller gave it; it may hold any byte
 * of a file name, so printers pass it through buf_add_visible. Paths are NUL-terminated.
 * All functions may be called from several threads at once unless they say otherwise. */
#ifndef CM_FILE_H
#define CM_FILE_H

#include "base.h"

#include <time.h>

/* What tells one state of a file from another. */
struct file_id {
    uint64_t dev, ino, size;
    int64_t mtime_ns;
    uint32_t mode, nlink, uid, gid;
};

/* Zero bytes that follow every text read here, so that scanners may look ahead. */
enum { FILE_PADDING = 64 };

/* Reads a whole regular file into a's memory. *out is followed by FILE_PADDING zero bytes.
 * False with *error for anything that is not a regular file, is larger than max bytes, cannot be
 * read, or changes its size meanwhile. id may be NULL. */
bool file_read(struct arena *a, const char *path, size_t max, struct str *out, struct file_id *id,
               struct str *error);

/* Reads an open descriptor (a pipe, standard input) to its end; name is for the error. */
bool file_read_fd(struct arena *a, int fd, const char *name, size_t max, struct str *out,
                  struct str *error);

/* Rewrites a file in place, atomically: at every moment path holds the old or the new bytes.
 * A symbolic link is followed and stays; mode, owner and extended attributes are kept as far as
 * the system lets us. Bytes that are already there: true, and nothing is opened for writing.
 * Refused with *error: a file no longer in the state `expected` (as file_read gave it), without
 * write permission, with a second hard link, or not regular. */
bool file_replace(struct arena *a, const char *path, struct str bytes,
                  const struct file_id *expected, struct str *error);

/* Copies path (its target, for a link) to a new file beside it, named with suffix, with mode and
 * times. A backup that exists already is the first original: it is kept, and the answer is true.
 */
bool file_backup(struct arena *a, const char *path, const char *suffix, struct str *error);

/* Whether both paths lead to one file or directory, which is there. */
bool file_is(const char *x, const char *y);
/* Writes an output file the user named: atomically where a file is or will be (its mode is kept,
 * else `mode` less the umask), straight through to a device or pipe such as /dev/stdout. */
bool file_create(struct arena *a, const char *path, struct str bytes, unsigned mode,
                 struct str *error);

/* Writes `relative` (see file_safe_relative) below the existing directory root, making the
 * directories on the way; atomic. A symbolic link below root is an error, never followed. */
bool file_create_in(struct arena *a, const char *root, const char *relative, struct str bytes,
                    unsigned mode, struct str *error);

/* The same with the bytes and permissions of the regular file `source`, of any size. */
bool file_copy_in(struct arena *a, const char *root, const char *relative, const char *source,
                  struct str *error);

/* Makes every missing directory above path (not path itself). */
bool file_make_parents(struct arena *a, const char *path, struct str *error);

/* True for a path that stays below the directory it is joined to: not empty, not absolute, no
 * empty, "." or ".." component, no NUL. */
bool file_safe_relative(struct str path);

/* Nanoseconds since 1970; of dates that no 64 bits hold (files of the year 2500) some number that
 * differs with the date. */
static inline int64_t file_time_ns(struct timespec t) {
    return (int64_t)((uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec);
}

/* Whether something is at the path. `context` is not used: the function serves as a struct
 * py_disk's. */
bool file_exists(void *context, struct str path);

/* For main, before any thread: SIGINT, SIGTERM and SIGHUP remove unfinished temporary files and
 * then end the process as they would have; SIGPIPE and SIGXFSZ are ignored, so that they appear
 * as errors of write. A child process must set those two back to their default. */
void file_install_signal_handlers(void);

/* For main, first of all: makes descriptors 0 to 2 exist, so that no file opened later takes the
 * place of a closed standard stream. */
void file_reserve_standard_fds(void);

#endif
