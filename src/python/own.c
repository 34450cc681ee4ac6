/* SPDX-License-Identifier: Apache-2.0 */
/* own.c - packages of the user's that have the name of one a rule is about: bitsandbytes in its
 * own repository, apex.py beside the script.
 *
 * Python looks in the script's folder first, and for the modules of a package in the folder around
 * it; a tree that is ported tells its packages itself. What lies in site-packages is nobody's own.
 */
#include "python/match.h"

enum { MAX_LEVELS = 8 };

static bool exists(struct py *f, const char *format, struct str folder, struct str module) {
    struct str path = arena_printf(f->a, format, STR_ARG(folder), STR_ARG(module));
    return f->disk->exists(f->disk->context, path);
}

static bool is_package(struct py *f, struct str folder) {
    return exists(f, "%.*s%.*s", folder, S("__init__.py"));
}

/* "a/b/" -> "a/"; false where the path has no more above. */
static bool go_up(struct str *folder) {
    size_t n = folder->n;
    if (n < 2) return false;
    for (n--; n > 0 && folder->p[n - 1] != '/';) n--;
    struct str last = str_sub(*folder, n, folder->n);
    if (str_is(last, "../") || str_is(last, "./")) return false;
    folder->n = n;
    return true;
}

static bool lies_beside(struct py *f, struct str module) {
    struct str folder = f->path;
    while (folder.n && folder.p[folder.n - 1] != '/') folder.n--;
    bool in_package = is_package(f, folder);
    for (int i = 0; in_package && i < MAX_LEVELS && go_up(&folder); i++)
        in_package = is_package(f, folder);
    if (in_package || str_ends(folder, S("-packages/"))) return false;
    if (exists(f, "%.*s%.*s/__init__.py", folder, module)) return true;
    struct str file = arena_printf(f->a, "%.*s%.*s.py", STR_ARG(folder), STR_ARG(module));
    return !str_eq(file, f->path) && f->disk->exists(f->disk->context, file);
}

bool py_is_own_package(struct py *f, struct str module) {
    const struct py_project *p = f->project;
    module.n = str_find(module, S("."), 0);
    if (p && str_among(p->own_packages.v, p->own_packages.n, module)) return true;
    if (!f->disk) return false;
    f->asked_disk = true;
    return lies_beside(f, module);
}
