/* SPDX-License-Identifier: Apache-2.0 */
/* semantic.c - opening, parsing, and what would not compile. */
#include "semantic/semantic.h"

#include "diag/embed.h"
#include "semantic/unit.h"

#include <stdlib.h>
#include <unistd.h>

const struct sem *sem_open(struct arena *a, struct str *error) {
    struct sem *s = NEW(a, struct sem);
    s->clang = clang_open(a, error);
    s->cuda_decls = embed_text(embed_find(S("rules/data/cuda_decls.h")));
    return s->clang ? s : NULL;
}

/* ---- parsing ---- */

/* Names that no file has: they are only ever given to libclang together with their text. */
static const char decls_path[] = "/cuda-morph/cuda_decls.h";
static const char prelude_path[] = "/cuda-morph/prelude.h";
/* The headers of runtime/include, which ported sources include: no need to have them installed. */
static const char runtime_path[] = "/cuda-morph/include";

static void add_words(struct arena *a, struct flag_list *args, const char *text) {
    if (text) flags_split(a, str_of(text), args);
}

/* Whether a directory has CUDA's own headers, which the stand-in replaces. */
static bool is_toolkit(struct arena *a, const struct sem_input *in, const char *directory) {
    struct str header = arena_printf(a, "%s/cuda_runtime.h", directory);
    return in->cuda_decls && access(header.p, R_OK) == 0;
}

static void add_flags(struct arena *a, const struct sem_input *in, struct flag_list *args) {
    for (size_t i = 0; in->flags && i < in->flags->n; i++) {
        const char *word = in->flags->v[i];
        const char *next = i + 1 < in->flags->n ? in->flags->v[i + 1] : NULL;
        bool is_pair = strcmp(word, "-I") == 0 || strcmp(word, "-isystem") == 0;
        if (is_pair && next) {
            i++;
            if (is_toolkit(a, in, next)) continue;
            vec_push(a, args, word);
            vec_push(a, args, next);
        } else if (strncmp(word, "-I", 2) != 0 || !is_toolkit(a, in, word + 2)) {
            vec_push(a, args, word);
        }
    }
}

/* No -working-directory: until version 15 libclang changes that of the whole process. */
static void collect_args(const struct sem *s, struct arena *a, const struct sem_input *in,
                         struct flag_list *args) {
    if (s->clang->resource.n) {
        vec_push(a, args, "-resource-dir");
        vec_push(a, args, s->clang->resource.p);
    }
    add_words(a, args, in->language);
    if (in->precompiled) {
        vec_push(a, args, "-include-pch");
        vec_push(a, args, in->precompiled);
    }
    if (in->cuda_decls) {
        vec_push(a, args, "-include");
        vec_push(a, args, decls_path);
    }
    if (in->prelude) {
        vec_push(a, args, "-include");
        vec_push(a, args, prelude_path);
    }
    add_flags(a, in, args);
    vec_push(a, args, "-isystem");
    vec_push(a, args, runtime_path);
    /* One file with many errors is the case we are here for. */
    vec_push(a, args, "-ferror-limit=0");
    vec_push(a, args, "-Wno-everything");
}

typedef VEC(struct CXUnsavedFile) file_list;

static void add_file(struct arena *a, file_list *files, const char *path, struct str text) {
    struct CXUnsavedFile file = {path, text.p, (unsigned long)text.n};
    vec_push(a, files, file);
}

static void collect_files(const struct sem *s, struct arena *a, const struct sem_input *in,
                          file_list *files) {
    struct str folder = S("runtime/include");
    for (size_t i = 0; i < in->n_files; i++)
        add_file(a, files, in->files[i].path, in->files[i].text);
    if (in->cuda_decls) add_file(a, files, decls_path, s->cuda_decls);
    if (in->prelude) add_file(a, files, prelude_path, str_of(in->prelude));
    for (const struct embedded *e = NULL; (e = embed_next(e, folder));)
        add_file(a, files, arena_printf(a, "%s%s", runtime_path, e->path + folder.n).p,
                 embed_text(e));
}

struct sem_unit *sem_parse(const struct sem *s, struct arena *a, const struct sem_input *in,
                           struct str *error) {
    const struct clang *c = s->clang;
    struct sem_unit *u = NEW(a, struct sem_unit);
    struct flag_list args = {0};
    file_list files = {0};
    collect_files(s, a, in, &files);
    collect_args(s, a, in, &args);
    *u = (struct sem_unit){.sem = s, .path = in->path};
    u->index = c->createIndex(0, 0);
    unsigned options =
        in->to_save ? CXTranslationUnit_Incomplete | CXTranslationUnit_ForSerialization
                    : CXTranslationUnit_KeepGoing | CXTranslationUnit_DetailedPreprocessingRecord;
    int status = c->parseTranslationUnit2(u->index, in->path, args.v, (int)args.n, files.v,
                                          (unsigned)files.n, options, &u->tu);
    if (status == CXError_Success && u->tu) return u;
    *error = arena_printf(a, "libclang (%.*s) %s", STR_ARG(c->path),
                          status == CXError_Crashed ? "crashed on it, or got too little memory"
                                                    : "could not read it with these flags");
    sem_unit_free(u);
    return NULL;
}

void sem_unit_free(struct sem_unit *u) {
    const struct clang *c = u->sem->clang;
    if (u->tu) c->disposeTranslationUnit(u->tu);
    if (u->index) c->disposeIndex(u->index);
    u->tu = NULL;
    u->index = NULL;
}

bool sem_save(const struct sem_unit *u, const char *path) {
    return u->sem->clang->saveTranslationUnit(u->tu, path, 0) == 0;
}

/* ---- files ---- */

/* The real path of a file, in `a`; its name where it is on no disk. */
static const char *path_of_file(const struct sem *s, struct arena *a, CXFile file) {
    struct str name = clang_str(s->clang, a, s->clang->getFileName(file));
    char *real = realpath(name.p, NULL);
    const char *path = real ? arena_strdup(a, str_of(real)) : name.p;
    free(real);
    return path;
}

bool sem_is_users_place(const struct sem *s, struct arena *a, CXSourceLocation at) {
    CXFile file = NULL;
    s->clang->getFileLocation(at, &file, NULL, NULL, NULL);
    if (!file || s->clang->Location_isInSystemHeader(at)) return false;
    struct arena_mark mark = arena_mark(a);
    struct str name = clang_str(s->clang, a, s->clang->getFileName(file));
    bool is_users = name.n && !str_starts(name, S("/cuda-morph/"));
    arena_release(a, mark);
    return is_users;
}

struct inclusions {
    const struct sem *sem;
    struct arena *a;
    struct flag_list *paths;
};

static void add_inclusion(CXFile file, CXSourceLocation *stack, unsigned n, void *ctx) {
    struct inclusions *in = ctx;
    const struct clang *c = in->sem->clang;
    /* The stack says where the #include stands; whether the file is a system header, only a place
     * inside it does. */
    (void)stack;
    const char *path = path_of_file(in->sem, in->a, file);
    if (str_starts(str_of(path), S("/cuda-morph/"))) return;
    if (n && c->Location_isInSystemHeader(stack[0])) return;
    for (size_t i = 0; i < in->paths->n; i++)
        if (strcmp(in->paths->v[i], path) == 0) return;
    vec_push(in->a, in->paths, path);
}

static bool is_system_file(const struct sem_unit *u, const char *path) {
    const struct clang *c = u->sem->clang;
    CXFile file = c->getFile(u->tu, path);
    return file && c->Location_isInSystemHeader(c->getLocationForOffset(u->tu, file, 0));
}

void sem_inclusions(const struct sem_unit *u, struct arena *a, struct flag_list *paths) {
    struct inclusions in = {u->sem, a, paths};
    u->sem->clang->getInclusions(u->tu, add_inclusion, &in);
    size_t kept = 0;
    for (size_t i = 0; i < paths->n; i++)
        if (!is_system_file(u, paths->v[i])) paths->v[kept++] = paths->v[i];
    paths->n = kept;
}

/* ---- errors ---- */

/* 'x.h' file not found */
static struct str missing_header(struct arena *a, struct str message) {
    struct str end = S("' file not found");
    size_t at = str_find(message, end, 0);
    if (message.n == 0 || message.p[0] != '\'' || at == message.n) return S("");
    return arena_str(a, str_sub(message, 1, at));
}

/* Sets *e's place to the diagnostic's, if that is in a file of the user. */
static bool take_place(const struct sem *s, struct arena *a, CXDiagnostic d, struct sem_error *e) {
    CXSourceLocation at = s->clang->getDiagnosticLocation(d);
    CXFile file = NULL;
    unsigned line = 0, column = 0, offset = 0;
    if (!sem_is_users_place(s, a, at)) return false;
    s->clang->getFileLocation(at, &file, &line, &column, &offset);
    e->path = path_of_file(s, a, file);
    e->line = line;
    e->column = column;
    e->offset = offset;
    return true;
}

static bool read_error(const struct sem *s, struct arena *a, CXDiagnostic d, struct sem_error *e) {
    const struct clang *c = s->clang;
    *e = (struct sem_error){.message = clang_str(c, a, c->getDiagnosticSpelling(d))};
    e->missing_header = missing_header(a, e->message);
    CXFile file = NULL;
    c->getFileLocation(c->getDiagnosticLocation(d), &file, NULL, NULL, NULL);
    if (!file || take_place(s, a, d, e)) return true;
    CXDiagnosticSet notes = c->getChildDiagnostics(d);
    for (unsigned i = 0; i < c->getNumDiagnosticsInSet(notes); i++)
        if (take_place(s, a, c->getDiagnosticInSet(notes, i), e)) return true;
    return false;
}

void sem_errors(const struct sem_unit *u, struct arena *a, struct sem_error **v, size_t *n) {
    const struct clang *c = u->sem->clang;
    VEC(struct sem_error) errors = {0};
    unsigned count = c->getNumDiagnostics(u->tu);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic d = c->getDiagnostic(u->tu, i);
        struct sem_error e;
        if (c->getDiagnosticSeverity(d) >= CXDiagnostic_Error && read_error(u->sem, a, d, &e))
            vec_push(a, &errors, e);
        c->disposeDiagnostic(d);
    }
    *v = errors.v;
    *n = errors.n;
}
