/* SPDX-License-Identifier: Apache-2.0 */
/* compile.h - how the C++ files of a run are compiled, for --semantic and --verify: libclang, and
 * each file's flags from -p or from behind "--". */
#ifndef CM_COMPILE_H
#define CM_COMPILE_H

#include "commands/commands.h"
#include "semantic/ask.h"

#include <pthread.h>

/* Names of flags of -p that libclang is not told, collected by all threads. */
struct refused_flags {
    pthread_mutex_t lock;
    struct arena a;
    struct flag_list names;
};

struct compile_setup {
    struct cli *cli;
    const struct sem *sem;       /* NULL: nobody asked */
    const struct compile_db *db; /* of -p, or NULL */
    struct flag_list given;      /* behind "--", translated */
    bool semantic;               /* --semantic: facts for the engine */
    struct sem_limits limits;    /* what libclang may take for a file */
    struct refused_flags *refused;
};

/* Reads the options, and takes what stands behind "--" out of the operands when it is flags. False
 * after a message: bad options, no libclang, no compile_commands.json. */
bool compile_setup_read(struct cli *cli, struct compile_setup *setup);

/* The flags of a file. */
struct flag_list compile_flags(const struct compile_setup *setup, struct arena *a,
                               const char *real_path);

/* Says, once and unless -q is given, which flags of -p were refused, and ends with the setup. */
void compile_setup_end(struct compile_setup *setup);

/* The absolute path of a file: without links and dots where it exists. */
const char *compile_real_path(struct arena *a, const char *path);

/* How CUDA C++ itself is parsed: "-x cuda ..." for text with kernels or launches, else "-x c++
 * ..." or "-x c"; cuda_decls has to be set with it. */
const char *compile_cuda_language(const char *path, struct str text);
/* Whether it has kernels or launches, whatever its name. */
bool compile_is_device_code(const char *path, struct str text);
bool compile_is_c(const char *path);
bool compile_is_header(const char *path);

/* What libclang says of a C++ file's names, for struct cm_input; NULL without --semantic, and for
 * other languages. When libclang fails, *problem (a note; what was asked for was not done) says
 * why. */
const struct semantic_facts *compile_facts(const struct compile_setup *setup, struct arena *a,
                                           const char *path, enum cm_language language,
                                           struct str bytes, struct str *problem);

#endif
