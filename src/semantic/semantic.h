/* SPDX-License-Identifier: Apache-2.0 */
/* semantic.h - libclang as the second opinion: what a C++ file's names are, and whether a text
 * would compile.
 *
 * libclang is opened at run time (clang_api.h); where there is none, sem_open says so and
 * everything else works. Parsing needs no CUDA toolkit: the declarations of
 * rules/data/cuda_decls.h, which the binary carries, stand in for its headers.
 *
 * Ownership: a struct sem is read-only and shared by threads; a struct sem_unit is one parsed
 * file, belongs to one thread and holds libclang's memory until sem_unit_free. Strings that the
 * readers give live in the arena they are given. Nothing but sem_save writes to a disk. */
#ifndef CM_SEMANTIC_H
#define CM_SEMANTIC_H

#include "base/base.h"
#include "semantic/flags.h"

/* ---- opening ---- */

struct sem;

/* NULL with a sentence in *error when there is no libclang. Lives in `a`. */
const struct sem *sem_open(struct arena *a, struct str *error);

/* ---- parsing ---- */

/* A file whose text is not the one on disk, or that is on no disk; path is absolute. */
struct sem_file {
    const char *path;
    struct str text; /* NUL-terminated */
};

struct sem_input {
    const char *path;              /* of the file to parse: absolute */
    const struct flag_list *flags; /* after the language and the headers' flags */
    const char *language;          /* flags of its own that say what it is: "-x cuda ..." */
    bool cuda_decls;               /* the stand-in for CUDA's headers comes first */
    const char *prelude;           /* text that comes first, or NULL */
    const char *precompiled;       /* what sem_save wrote, which then comes first; or NULL */
    bool to_save;                  /* only what sem_save writes is wanted of it */
    const struct sem_file *files;
    size_t n_files;
};

struct sem_unit;

/* Parses. NULL with a sentence in *error when libclang gives nothing at all. */
struct sem_unit *sem_parse(const struct sem *s, struct arena *a, const struct sem_input *in,
                           struct str *error);
void sem_unit_free(struct sem_unit *u);
/* Writes a unit that was parsed `to_save` as a precompiled header. False: it has errors, or the
 * file cannot be written. */
bool sem_save(const struct sem_unit *u, const char *path);

/* ---- what would not compile ---- */

struct sem_error {
    const char *path; /* the user's file: real path; NULL: no file at all, such as a bad flag */
    size_t offset;    /* bytes in the text that was parsed */
    uint32_t line, column;
    struct str message;        /* libclang's sentence */
    struct str missing_header; /* the name in <> or "", when that is what was not found */
};

/* Errors in the order of libclang. One inside a system header stands at the user's line that led
 * there; where there is none, it is left out. */
void sem_errors(const struct sem_unit *u, struct arena *a, struct sem_error **v, size_t *n);

/* The real paths of the files that are part of the unit and no system headers, the file itself
 * first. */
void sem_inclusions(const struct sem_unit *u, struct arena *a, struct flag_list *paths);

/* ---- what names mean ---- */

enum sem_origin {
    SEM_UNKNOWN, /* not resolved: an inactive branch, a template's dependent name ... */
    SEM_USER,    /* declared or #defined in a file that is no system header */
    SEM_SYSTEM   /* declared in a system header, or by the stand-in for CUDA's */
};

/* What an identifier token is. */
struct sem_name {
    uint32_t start, end; /* bytes of the file */
    enum sem_origin origin;
    bool declares;   /* it is declared or #defined right here */
    struct str type; /* as the program spells it, "unsigned int": of a variable, field, parameter
                        or function; else empty */
    struct str usr;  /* libclang's unified symbol resolution: equal for equal symbols; or empty */
};

/* The facts of one file, by position. */
struct semantic_facts {
    const struct sem_name *v;
    size_t n;
};

/* The facts of one file of the unit; `path` as in sem_input. Every identifier outside comments has
 * an entry. */
struct semantic_facts sem_facts(const struct sem_unit *u, struct arena *a, const char *path);

/* The entry of the identifier that starts at this byte, or NULL. */
const struct sem_name *sem_name_at(const struct semantic_facts *f, size_t start);
/* Whether the identifier that starts there is the user's own symbol: to be left alone. */
static inline bool sem_is_users(const struct semantic_facts *f, size_t start) {
    const struct sem_name *name = f ? sem_name_at(f, start) : NULL;
    return name && name->origin == SEM_USER;
}

#endif
