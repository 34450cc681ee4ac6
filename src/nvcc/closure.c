/* SPDX-License-Identifier: Apache-2.0 */
/* closure.c - the user's files behind a source: what a compile of it may read.
 *
 * Lines are searched for #include, on every branch of an #if: to follow a header too many costs a
 * look at it, to miss one leaves it as it was written for nvcc. Names are looked for where g++
 * looks. */
#include "base/file.h"
#include "nvcc/nvcc.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_FILE = 1 << 26, MAX_FILES = 20000 };

/* Where compilers and packages have their headers: nobody's own sources. */
static const char *const system_folders[] = {"/usr/include/", "/usr/local/include/", "/usr/lib/",
                                             "/opt/rocm"};

static size_t folder_length(struct str path) {
    size_t n = path.n;
    while (n > 0 && path.p[n - 1] != '/') n--;
    return n;
}

static struct str join(struct arena *a, struct str folder, struct str name) {
    bool slash = folder.n > 0 && folder.p[folder.n - 1] != '/';
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(folder), slash ? "/" : "", STR_ARG(name));
}

bool nv_is_toolkit(const struct nv_table *t, struct arena *a, struct str folder) {
    return file_exists(NULL, join(a, folder, t->toolkit));
}

static bool is_systems(const struct nv_closure *c, struct str path) {
    char real[PATH_MAX];
    if (!realpath(arena_strdup(c->a, path), real)) return false;
    struct str r = str_of(real);
    if (c->own.n && str_starts(r, c->own)) return true;
    for (size_t i = 0; i < ARRAY_LEN(system_folders); i++)
        if (str_starts(r, str_of(system_folders[i]))) return true;
    return false;
}

bool nv_next_include(struct str text, size_t *at, struct nv_directive *d) {
    while (*at < text.n) {
        size_t end = str_find(text, S("\n"), *at), i = *at;
        *at = end + 1;
        while (i < end && strchr(" \t", text.p[i])) i++;
        if (i == end || text.p[i] != '#') continue;
        i++;
        while (i < end && strchr(" \t", text.p[i])) i++;
        if (!str_starts(str_sub(text, i, end), S("include"))) continue;
        i += 7;
        while (i < end && strchr(" \t", text.p[i])) i++;
        if (i == end || (text.p[i] != '"' && text.p[i] != '<')) continue;
        d->quoted = text.p[i] == '"';
        d->start = i + 1;
        d->end = str_find(text, d->quoted ? S("\"") : S(">"), d->start);
        if (d->end < end && d->end > d->start) return true;
    }
    return false;
}

/* The path that a name leads to, or an empty string. */
static struct str look_for(const struct nv_closure *c, struct str from, struct str name,
                           bool quoted) {
    if (name.p[0] == '/') return file_exists(NULL, name) ? name : S("");
    if (quoted) {
        struct str beside = join(c->a, str_sub(from, 0, folder_length(from)), name);
        if (file_exists(NULL, beside)) return beside;
    }
    for (size_t i = quoted ? 0 : c->n_quotes; i < c->search.n; i++) {
        struct str path = join(c->a, c->search.v[i], name);
        if (file_exists(NULL, path)) return path;
    }
    return S("");
}

/* A path without `x/..` and links on the way to the file. Its own link stays: what it includes is
 * looked for beside that. */
static struct str without_detours(struct arena *a, struct str path) {
    char real[PATH_MAX];
    size_t n = folder_length(path);
    const char *folder = n ? arena_strdup(a, str_sub(path, 0, n)) : ".";
    if (!realpath(folder, real)) return path;
    return join(a, str_of(arena_strdup(a, str_of(real))), str_sub(path, n, path.n));
}

/* One file by two paths is one: its `#pragma once` holds for both. */
static uint32_t find_file(const struct nv_closure *c, struct str path) {
    for (uint32_t i = 0; i < c->files.n; i++)
        if (str_eq(c->files.v[i].path, path)) return i;
    struct str real = without_detours(c->a, path);
    for (uint32_t i = 0; i < c->files.n; i++)
        if (str_eq(c->files.v[i].real, real)) return i;
    return UINT32_MAX;
}

uint32_t nv_included(const struct nv_closure *c, const struct nv_file *from, struct str name,
                     bool quoted) {
    struct str path = look_for(c, from->path, name, quoted);
    return path.n ? find_file(c, path) : UINT32_MAX;
}

static uint32_t add_file(struct nv_closure *c, struct str path, struct str *error) {
    struct nv_file f = {.path = path, .real = without_detours(c->a, path)};
    if (c->files.n >= MAX_FILES) return UINT32_MAX;
    if (!file_read(c->a, arena_strdup(c->a, path), MAX_FILE, &f.text, NULL, error))
        return UINT32_MAX;
    vec_push(c->a, &c->files, f);
    return (uint32_t)c->files.n - 1;
}

static void follow(struct nv_closure *c, uint32_t index) {
    struct nv_directive d;
    struct str error;
    struct str text = c->files.v[index].text;
    for (size_t at = 0; nv_next_include(text, &at, &d);) {
        struct str name = str_sub(text, d.start, d.end);
        struct str path = look_for(c, c->files.v[index].path, name, d.quoted);
        if (!path.n) continue;
        uint32_t found = find_file(c, path);
        if (found == UINT32_MAX && !is_systems(c, path)) found = add_file(c, path, &error);
        if (found != UINT32_MAX) vec_push(c->a, &c->files.v[index].includes, found);
    }
}

/* -iquote, then -I, then -isystem, whatever their order on the line. */
static void order_folders(struct nv_closure *c) {
    const struct nv_line *l = c->line;
    for (size_t i = 0; i < l->quotes.n; i++) vec_push(c->a, &c->search, l->quotes.v[i]);
    c->n_quotes = c->search.n;
    for (int system = 0; system < 2; system++)
        for (size_t i = 0; i + 1 < l->folders.n; i += 2) {
            struct str folder = l->folders.v[i + 1];
            if (str_is(l->folders.v[i], "-isystem") != (system > 0)) continue;
            if (!nv_is_toolkit(l->table, c->a, folder)) vec_push(c->a, &c->search, folder);
        }
}

bool nv_closure(struct nv_closure *c, struct arena *a, const struct nv_line *line,
                struct str source, struct str own, struct str *error) {
    *c = (struct nv_closure){.a = a, .line = line, .own = own};
    order_folders(c);
    if (add_file(c, source, error) == UINT32_MAX) return false;
    for (size_t i = 0; i < line->pre_includes.n; i++) {
        struct str name = line->pre_includes.v[i], why;
        struct str path = look_for(c, S(""), name, true);
        if (path.n && find_file(c, path) == UINT32_MAX) add_file(c, path, &why);
    }
    for (uint32_t i = 0; i < c->files.n; i++) follow(c, i);
    return true;
}
