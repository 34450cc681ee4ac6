/* SPDX-License-Identifier: Apache-2.0 */
/* nvcc.h - the command line of nvcc: what it asks for, and the files that a compile reads.
 *
 * nv_read() makes a struct nv_line of the words, by the table of rules/data/nvcc-options.json;
 * nv_closure() finds the user's files behind a source; nv_lined() writes a ported text with the
 * lines of the original. Nothing here starts a program or writes a file. */
#ifndef CM_NVCC_H
#define CM_NVCC_H

#include "cudamorph.h"

/* ---- the table ---- */

enum nv_action {
#define ACTION(id, word) NV_##id,
#include "nvcc/actions.def"
    NV_ACTIONS
};

enum nv_takes { NV_NOTHING, NV_ONE, NV_LIST };

struct nv_option {
    struct str name, letters; /* long and short, without dashes; letters may be empty */
    enum nv_action does;
    enum nv_takes takes;
    bool joined;        /* a value may follow the letters at once */
    struct str as, why; /* the host compiler's spelling; the reason of a refusal */
};

typedef VEC(struct str) nv_words;

struct nv_pair {
    struct str name, value;
};
typedef VEC(struct nv_pair) nv_pairs;

/* What a target's sources are compiled with. */
struct nv_target {
    struct str language, pre_include, least_standard;
    nv_words compilers, flags, link;
    nv_words sanitize_flags, sanitize_link; /* more of them for a program to be watched */
    nv_words defines;                       /* NAME or NAME=VALUE */
    nv_words cu_defines;                    /* for CUDA's sources alone */
    nv_pairs libraries;                     /* what each is replaced by; empty: nothing */
    nv_pairs missing;                       /* and why nothing answers it */
};

struct nv_table {
    VEC(struct nv_option) options;
    struct str version;     /* what --version prints */
    struct str toolkit;     /* a header that tells NVIDIA's own folder of headers */
    nv_words architectures; /* their numbers */
    struct str default_architecture;
    nv_pairs environment;    /* variables for builds */
    struct nv_target target; /* of the name that was asked for */
    bool has_target;
};

/* Reads the table and the target's part of it; false with a sentence in *error. */
bool nv_table_read(struct nv_table *t, struct arena *a, struct str target, struct str *error);
/* What stands for a library; *why is set, and the answer has p NULL, where nothing does. One that
 * is not CUDA's stands for itself. */
struct str nv_library(const struct nv_target *t, struct str name, struct str *why);

/* ---- a command line ---- */

enum nv_language { NV_BY_NAME, NV_C, NV_CXX, NV_CU, NV_OBJECT };

struct nv_source {
    struct str path;
    enum nv_language language;
};

enum nv_phase {
    NV_TO_PROGRAM,
    NV_TO_OBJECT,
    NV_TO_TEXT,         /* -E */
    NV_TO_DEPENDENCIES, /* -M */
    NV_TO_MODULE,       /* -ptx */
    NV_TO_ARCHIVE,      /* -lib */
    NV_TO_DEVICE_LINK   /* -dlink */
};

struct nv_line {
    const struct nv_table *table;
    struct arena *a;
    VEC(struct nv_source) sources; /* to be compiled */
    nv_words link;                 /* objects, libraries and what goes between, in their order;
                                      p NULL: the object of the next source */
    enum nv_phase phase;
    struct str output, output_directory, compiler, archiver, standard, optimize, target;
    nv_words quotes;       /* -iquote, of the host's options */
    nv_words folders;      /* -I and -isystem, with the flag in front */
    nv_words defines;      /* -D and -U, with the flag in front */
    nv_words pre_includes; /* files of -include */
    nv_words host;         /* other flags for the host's compiler */
    nv_words archive;      /* flags for ar */
    nv_words run_arguments;
    struct str dependency_file;
    nv_words dependency_targets;
    nv_words notes; /* sentences about what was given and is not done */
    bool with_dependencies, only_own, dependency_phony;
    bool shared, run, dry_run, verbose, quiet, fatal_warnings, device_debug, syntax_only, clean,
        sanitize;
    bool forward, help, version, list_code, list_architectures;
    struct str refused; /* a sentence: an option that can't be had, or is none; or empty */
    struct str stray;   /* the first word that is neither option nor file, or empty */
};

/* Reads the words of a command line, with the files of options that it names. What is wrong stands
 * in `refused`. */
void nv_read(struct nv_line *line, const struct nv_table *t, struct arena *a, nv_words words);
/* The words of a file of options or of a variable, as a shell would split them. */
void nv_split_words(struct arena *a, struct str text, nv_words *out);
/* By the name of a file. */
enum nv_language nv_language_of(struct str path);

/* ---- the files of a compile ---- */

struct nv_file {
    struct str path; /* as the compiler would say it */
    struct str real; /* the same for all paths that lead to it */
    struct str text;
    bool ported; /* its text, or that of a file that it includes, is another after the port */
    VEC(uint32_t) includes; /* files of the closure */
    struct str overlay;     /* where the text lies that is compiled, or empty */
};

struct nv_closure {
    struct arena *a;
    const struct nv_line *line;
    struct str own;
    nv_words search;           /* folders, in the compiler's order */
    size_t n_quotes;           /* of them, those for names in quotes alone */
    VEC(struct nv_file) files; /* the source first, then those of -include */
};

/* The source, the files of -include and all files of the user's that they include, directly or
 * not, on any branch of an #if. Files of the system and below `own`, this tool's headers, are not
 * among them. False with a sentence in *error where the source cannot be read. */
bool nv_closure(struct nv_closure *c, struct arena *a, const struct nv_line *line,
                struct str source, struct str own, struct str *error);
/* Whether a folder of -I holds NVIDIA's own headers: those of this tool stand in for them. */
bool nv_is_toolkit(const struct nv_table *t, struct arena *a, struct str folder);
/* The file that an #include of `name` in `from` means, or UINT32_MAX: none of the closure. */
uint32_t nv_included(const struct nv_closure *c, const struct nv_file *from, struct str name,
                     bool quoted);

/* A #include line of a text. */
struct nv_directive {
    size_t start, end; /* what is between the quotes */
    bool quoted;
};
/* The next one at or after *at, which moves on; false: there is none. */
bool nv_next_include(struct str text, size_t *at, struct nv_directive *d);

/* ---- lines ---- */

/* The ported text of a file with #line directives that give back the numbers of the original, and
 * its includes written so that they mean the same files: those of the overlay by where they lie.
 */
struct str nv_lined(struct nv_closure *c, const struct nv_file *file, struct str input,
                    const struct cm_result *r);

#endif
