/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.h - what the commands that read source files share: rules, targets, threads and the list
 * of sources, from the command line. */
#ifndef CM_INPUTS_H
#define CM_INPUTS_H

#include "base/file.h"
#include "commands/commands.h"

/* Larger files are refused. */
enum { MAX_SOURCE_BYTES = 1 << 29 };

/* Of more targets than these, text for people has sums only, unless -v asks for all. */
enum { FEW_TARGETS = 3 };

struct source {
    const char *path;          /* for opening and for messages */
    struct str relative;       /* its place below -o */
    enum cm_language language; /* CM_NONE: only to be copied */
    bool is_stdin;
};

typedef VEC(const char *) path_list;

struct inputs {
    struct cli *cli;
    const struct cm_session *session;
    const struct cm_project_facts *facts; /* of look_at_sources, or NULL */
    const struct cm_target **targets;
    size_t n_targets;
    bool narrow; /* files need tell only what matters to these targets: nothing is kept of it */
    size_t jobs; /* threads; once the sources are read, not more than there are of them */
    VEC(struct source) sources;
    struct str stdin_bytes;
    size_t n_ignored; /* files and folders that were left out, as .gitignore says */
    bool one_file;    /* a single file was named, or standard input */
    bool failed;      /* something could not be done: exit status 2 */
};

/* How a command wants its sources to be looked for. */
struct source_search {
    const char *const *otherwise; /* paths where none was named; NULL: naming none is an error */
    size_t n_otherwise;
    const char *skip_directory; /* not entered, or NULL */
    bool want_all;              /* files in no known language, too: they are to be copied */
    bool skip_unknown;          /* such a file among `otherwise` is no error */
};

/* All of these print what is wrong and then return false. Of `all`, those of a family together. */
bool inputs_read_targets(struct inputs *in, const struct str *names, size_t n);
/* Adds it where it is new; its number. */
size_t inputs_add_target(struct inputs *in, const struct cm_target *t);
bool inputs_read_jobs(struct inputs *in);
bool inputs_read_sources(struct inputs *in, const struct source_search *search);
/* A file that a command reads beside its sources: "-" is standard input. */
bool inputs_read_list(struct cli *cli, struct str path, struct str *text);

/* Reads a source into `a`; false with a sentence in *error. id may be NULL. */
bool source_read(const struct inputs *in, struct arena *a, const struct source *s,
                 struct str *bytes, struct file_id *id, struct str *error);

/* Prints the paths of the sources: --show-files. */
void inputs_show_files(const struct inputs *in);

/* Whether there is a directory; links are followed. */
bool is_directory(const char *path);

#endif
