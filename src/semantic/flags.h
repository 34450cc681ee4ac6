/* SPDX-License-Identifier: Apache-2.0 */
/* flags.h - how a file is compiled: from what a build says (compile_commands.json, or flags on the
 * command line) to what libclang is told.
 *
 * rules/data/nvcc-flags.json says what becomes of each flag. A compile_commands.json may be
 * anybody's, so of its flags only those that have a row there are passed on. */
#ifndef CM_SEMANTIC_FLAGS_H
#define CM_SEMANTIC_FLAGS_H

#include "base/base.h"

struct flag_list {
    const char **v;
    size_t n, cap;
};

/* Splits a command line as a POSIX shell does: quotes and backslashes; nothing is expanded. The
 * words live in `a`. */
void flags_split(struct arena *a, struct str command, struct flag_list *words);

/* Where words come from. */
struct flag_source {
    const char *directory;        /* what relative names start from; NULL: where we are */
    const struct flag_list *tree; /* real paths of folders: files that flags name lie below one of
                                     them. NULL: the words are the user's own, and all pass */
    struct flag_list *refused;    /* with a tree: gets the names of flags that don't pass */
};

/* Adds to *out what clang should know of these words (without the compiler's own name). Files of
 * more flags (@FILE, --options-file) are opened up; one that cannot be read is left out. */
void flags_translate(struct arena *a, const struct flag_source *source, const char *const *words,
                     size_t n, struct flag_list *out);

/* ---- compile_commands.json ---- */

struct compile_command {
    const char *file;       /* the real path, where the file exists; else as joined */
    const char *directory;  /* what relative paths in the flags start from */
    struct flag_list words; /* as they stand there, the compiler first */
};

struct compile_db {
    const char *folder; /* real path of the folder that it lies in */
    struct compile_command *v;
    size_t n;
};

/* Reads DIR/compile_commands.json, or a file of that kind. NULL with a sentence in *error for
 * anything that is none. Values live in `a`. */
const struct compile_db *compile_db_read(struct arena *a, const char *path, struct str *error);

/* The command of the file with this real path. For a file that has none of its own, such as a
 * header: that of the nearest file, by the longest common directory, then by the same name without
 * extension, then the first. NULL only when there are no commands at all. */
const struct compile_command *compile_db_find(const struct compile_db *db, const char *real_path);

/* Adds the flags of a command to *out, translated, without the compiler and the source file, for
 * the file with this real path; the names of those that are refused to *refused. Files that flags
 * name lie with that file or with the database. */
void compile_command_flags(struct arena *a, const struct compile_db *db,
                           const struct compile_command *c, const char *real_path,
                           struct flag_list *refused, struct flag_list *out);

#endif
