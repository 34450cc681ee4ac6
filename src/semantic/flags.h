/* flags.h - how a file is compiled: from what a build says (compile_commands.json, or flags on the
 * command line) to what libclang is told.
 *
 * Flags that clang does not know, or that have nothing to do with reading the text, are taken out
 * by the table of rules/data/nvcc-flags.json; all others are passed on. */
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

/* Adds to *out what clang should know of these words (without the compiler's own name). Files of
 * more flags (@FILE, --options-file) are read relative to `directory` (NULL: where we are); one
 * that cannot be read is left out. */
void flags_translate(struct arena *a, const char *directory, const char *const *words, size_t n,
                     struct flag_list *out);

/* ---- compile_commands.json ---- */

struct compile_command {
    const char *file;       /* the real path, where the file exists; else as joined */
    const char *directory;  /* what relative paths in the flags start from */
    struct flag_list words; /* as they stand there, the compiler first */
};

struct compile_db {
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

/* Adds the flags of a command to *out, translated, without the compiler and the source file. */
void compile_command_flags(struct arena *a, const struct compile_command *c,
                           struct flag_list *out);

#endif
