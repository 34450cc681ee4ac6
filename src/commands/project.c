/* SPDX-License-Identifier: Apache-2.0 */
/* project.c - the project's root, and paths below it: what services and baselines know files by.
 * */
#include "commands/project.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static struct str without_slash(struct str path) {
    while (path.n && path.p[path.n - 1] == '/') path.n--;
    return path;
}

struct str path_below(struct str base, struct str path) {
    bool is_below = path.n > base.n && path.p[base.n] == '/' && str_starts(path, base);
    return is_below ? str_sub(path, base.n + 1, path.n) : (struct str){NULL, 0};
}

struct str path_absolute(struct arena *a, struct str base, struct str path) {
    struct buf b;
    buf_init(&b, a);
    if (path.n == 0 || path.p[0] != '/') buf_add(&b, base);
    for (size_t at = 0; at < path.n;) {
        size_t end = str_find(path, S("/"), at);
        struct str part = str_sub(path, at, end);
        at = end + 1;
        if (part.n == 0 || str_is(part, ".")) continue;
        if (str_is(part, "..")) {
            while (b.n && b.p[--b.n] != '/') continue;
            continue;
        }
        buf_addc(&b, '/');
        buf_add(&b, part);
    }
    return arena_str(a, buf_str(&b));
}

static bool has_git(struct arena *a, struct str directory) {
    return access(arena_printf(a, "%.*s/.git", STR_ARG(directory)).p, F_OK) == 0;
}

struct str project_repository(struct arena *a, struct str path) {
    for (struct str up = without_slash(path); up.n; up = without_slash(up)) {
        if (has_git(a, up)) return up;
        while (up.n && up.p[up.n - 1] != '/') up.n--;
    }
    return (struct str){NULL, 0};
}

void project_find(struct project *p, struct arena *a) {
    char current[PATH_MAX];
    *p = (struct project){0};
    if (getcwd(current, sizeof current)) p->current = without_slash(str_of(current));
    p->current = p->root = arena_str(a, p->current);
    char real[PATH_MAX];
    const char *checkout = getenv("CI_PROJECT_DIR");
    if (checkout && *checkout && realpath(checkout, real)) {
        struct str root = without_slash(str_of(real));
        if (str_eq(root, p->current) || path_below(root, p->current).p) {
            p->root = arena_str(a, root);
            return;
        }
    }
    struct str root = project_repository(a, p->current);
    if (root.p) p->root = root;
}

struct str project_path(const struct project *p, struct arena *a, const char *path) {
    struct str absolute = path_absolute(a, p->current, str_of(path));
    size_t slash = absolute.n;
    while (slash > 0 && absolute.p[slash - 1] != '/') slash--;
    char real[PATH_MAX];
    struct str directory = slash > 1 ? str_sub(absolute, 0, slash - 1) : S("/");
    if (realpath(arena_strdup(a, directory), real)) {
        directory = without_slash(str_of(real));
        absolute = arena_printf(a, "%.*s/%.*s", STR_ARG(directory), (int)(absolute.n - slash),
                                absolute.p + slash);
    }
    struct str below = path_below(p->root, absolute);
    return below.p ? below : absolute;
}
