/* SPDX-License-Identifier: Apache-2.0 */
/* clang_load.c - opens libclang, if there is one. It is a second opinion and never required, so
 * it is looked for at run time and not linked. */
#include "semantic/clang_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The versions that are looked for: 8 is the first whose parser goes on after a missing header
 * (KeepGoing) in CUDA code; none is as new as the last one yet. */
enum { OLDEST = 8, NEWEST = 40 };

struct str clang_str(const struct clang *c, struct arena *a, CXString s) {
    const char *z = c->getCString(s);
    struct str copy = z ? arena_str(a, str_of(z)) : S("");
    c->disposeString(s);
    return copy;
}

/* ---- finding the library ---- */

static void *open_named(struct arena *a, struct str *path, const char *fmt, int version) {
    *path = version ? arena_printf(a, fmt, version) : arena_str(a, str_of(fmt));
    return dlopen(arena_strdup(a, *path), RTLD_NOW | RTLD_LOCAL);
}

static void *open_newest(struct arena *a, struct str *path) {
    static const char *const numbered[] = {"libclang-%d.so.1",
                                           "/usr/lib/llvm-%d/lib/libclang.so.1"};
    static const char *const plain[] = {"libclang.so.1", "libclang.so"};
    for (int version = NEWEST; version >= OLDEST; version--)
        for (size_t i = 0; i < ARRAY_LEN(numbered); i++) {
            void *handle = open_named(a, path, numbered[i], version);
            if (handle) return handle;
        }
    for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
        void *handle = open_named(a, path, plain[i], 0);
        if (handle) return handle;
    }
    return NULL;
}

static bool fill_table(struct clang *c, struct arena *a, struct str *error) {
#define CLANG_LOOK_UP(name, result, parameters)                                                   \
    *(void **)&c->name = dlsym(c->handle, "clang_" #name);                                        \
    if (!c->name) {                                                                               \
        *error = arena_printf(a, "%.*s has no clang_" #name ": no libclang that is known",        \
                              STR_ARG(c->path));                                                  \
        return false;                                                                             \
    }
    CLANG_FUNCTIONS(CLANG_LOOK_UP)
#undef CLANG_LOOK_UP
    return true;
}

/* ---- clang's own headers ---- */

/* Distributions move the library away from the directory that its own search starts at. The
 * version in words names the directory: all of it up to clang 15, the first number since. */
static struct str find_resource(const struct clang *c, struct arena *a) {
    size_t at = str_find(c->version, S("version "), 0) + 8, end = at;
    if (at >= c->version.n) return S("");
    while (end < c->version.n && strchr("0123456789.", c->version.p[end])) end++;
    struct str full = str_sub(c->version, at, end);
    struct str major = str_sub(full, 0, str_find(full, S("."), 0));
    const struct str names[] = {full, major};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct str dir = arena_printf(a, "/usr/lib/llvm-%.*s/lib/clang/%.*s", STR_ARG(major),
                                      STR_ARG(names[i]));
        struct str header = arena_printf(a, "%.*s/include/stddef.h", STR_ARG(dir));
        if (access(header.p, R_OK) == 0) return dir;
    }
    return S("");
}

const struct clang *clang_open(struct arena *a, struct str *error) {
    const char *named = secure_getenv("CUDA_MORPH_LIBCLANG");
    struct clang *c = NEW(a, struct clang);
    if (named && *named) {
        c->path = arena_str(a, str_of(named));
        c->handle = dlopen(named, RTLD_NOW | RTLD_LOCAL);
        if (!c->handle) {
            *error = arena_printf(a, "$CUDA_MORPH_LIBCLANG: %s", dlerror());
            return NULL;
        }
    } else if (!(c->handle = open_newest(a, &c->path))) {
        *error = S("libclang was not found; install it (Debian: libclang1-14 and "
                   "libclang-common-14-dev, or newer), or name the file in $CUDA_MORPH_LIBCLANG");
        return NULL;
    }
    if (!fill_table(c, a, error)) return NULL;
    c->version = clang_str(c, a, c->getClangVersion());
    c->resource = find_resource(c, a);
    return c;
}
