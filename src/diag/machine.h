/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h - the machine that is looked at: its files below a root, its variables, its libraries,
 * tools and Python packages. With a root other than "/" nothing of the machine we run on counts:
 * variables are those of ROOT/etc/environment, one KEY=VALUE on a line. */
#ifndef CM_MACHINE_H
#define CM_MACHINE_H

#include "diag/data.h"

struct machine {
    struct arena *a;
    struct str root;   /* "" for the machine itself, else a path without a slash at its end */
    bool is_real;      /* root is "" */
    bool asks_tools;   /* programs that are found are asked for their version */
    str_vec variables; /* KEY=VALUE; empty when is_real */
    str_vec library_dirs, path_dirs;
    str_vec python_dirs; /* of PYTHONPATH and of the python3 that runs */
    str_vec other_dirs;  /* of every other Python: what is there does not run */
    struct str python3;  /* the python3 that runs; empty: none */
    struct str python;   /* its version, where its folders tell */
};

struct python_package {
    struct str name, version, python; /* python: 3.11, from the path */
    struct str path;
};

/* False with a sentence when root is no directory. An empty root is the machine itself. Which
 * Python runs is interpreter_use's to say. */
bool machine_open(struct machine *m, struct arena *a, struct str root, struct str *error);

/* The value of a variable; p == NULL when it is not set. */
struct str machine_variable(const struct machine *m, const char *name);
/* The first path that matches a glob(7) pattern, without the root; p == NULL: none. */
struct str machine_match(const struct machine *m, struct str pattern);
/* All of them, sorted. */
str_vec machine_matches(const struct machine *m, struct str pattern);
/* Where this path of the machine is for us. */
const char *machine_path(const struct machine *m, struct str path);
/* A small file's text (also of /proc and /sys); empty when it cannot be read. */
struct str machine_read(const struct machine *m, struct str path);
/* The same; *error: why it cannot be read, or empty. */
struct str machine_read_or_say(const struct machine *m, struct str path, struct str *error);
/* A library by the pattern of its file name, where the loader looks; extra: directories that are
 * tried, too. */
struct str machine_library(const struct machine *m, struct str name, const str_vec *extra);
struct str machine_tool(const struct machine *m, struct str name, const str_vec *extra);
/* An installed Python distribution of the python3 that runs, whatever of - and _ its name is
 * written with; false: none. */
bool machine_python(const struct machine *m, struct str name, struct python_package *out);
/* The same where only other Pythons look. */
bool machine_python_elsewhere(const struct machine *m, struct str name,
                              struct python_package *out);

/* What tells one machine from another in reports. */
struct fingerprint {
    struct str os, kernel, arch, cpu, python;
    long cpus;
    uint64_t memory; /* bytes; 0: unknown */
};
void machine_fingerprint(const struct machine *m, struct fingerprint *out);
/* The members of a JSON object, without braces. */
void fingerprint_json(struct buf *b, const struct fingerprint *f);

#endif
