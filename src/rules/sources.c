/* SPDX-License-Identifier: Apache-2.0 */
/* sources.c - which files make up a set of rules, in the same order everywhere. */
#include "rules/rules.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"

typedef VEC(struct rule_source) source_list;

static bool is_source_name(struct str name) {
    return str_ends(name, S(".json")) && !str_ends(name, S(".schema.json")) && name.p[0] != '.';
}

/* Writes the NUL-terminated names of a directory's sources into blob as far as they fit and
 * returns how many bytes all of them need, or SIZE_MAX with errno. Allocates nothing in between,
 * so that no arena can jump away from an open directory. */
static size_t list_names(const char *path, char *blob, size_t cap) {
    DIR *dir = opendir(path);
    if (!dir) return SIZE_MAX;
    size_t need = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct str name = str_of(e->d_name);
        if (!is_source_name(name)) continue;
        if (need + name.n + 1 <= cap) memcpy(blob + need, name.p, name.n + 1);
        need += name.n + 1;
    }
    closedir(dir);
    return need;
}

static int by_name(const void *x, const void *y) {
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static bool read_source(struct arena *a, const char *path, source_list *out, struct str *error) {
    struct rule_source s = {.path = str_of(path)};
    if (!file_read(a, path, JSON_MAX_SIZE, &s.text, NULL, error)) return false;
    vec_push(a, out, s);
    return true;
}

/* Adds the sources directly in a directory. What is no directory leaves *opened false and errno
 * set. */
static bool read_directory(struct arena *a, const char *path, source_list *out, bool *opened,
                           struct str *error) {
    size_t cap = list_names(path, NULL, 0);
    *opened = cap != SIZE_MAX;
    if (!*opened) return false;
    char *blob = arena_zalloc(a, cap + 1);
    list_names(path, blob, cap);
    VEC(const char *) names = {0};
    for (char *p = blob; *p; p += strlen(p) + 1) vec_push(a, &names, p);
    if (names.n) qsort(names.v, names.n, sizeof *names.v, by_name);
    for (size_t i = 0; i < names.n; i++) {
        struct str full = arena_printf(a, "%s/%s", path, names.v[i]);
        if (!read_source(a, full.p, out, error)) return false;
    }
    return true;
}

static bool fail_to_read(struct arena *a, const char *path, struct str *error) {
    *error = arena_printf(a, "%s: cannot be read: %s", path, strerror(errno));
    return false;
}

/* A directory and, where they are there, its folders of targets and releases; or a single file. */
static bool read_path(struct arena *a, const char *path, source_list *list, struct str *error) {
    static const char *const folders[] = {"targets", "releases"};
    bool opened;
    if (!read_directory(a, path, list, &opened, error)) {
        if (opened) return false;
        return errno == ENOTDIR ? read_source(a, path, list, error) : fail_to_read(a, path, error);
    }
    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        struct str folder = arena_printf(a, "%s/%s", path, folders[i]);
        if (read_directory(a, folder.p, list, &opened, error)) continue;
        if (opened) return false;
        if (errno != ENOENT && errno != ENOTDIR) return fail_to_read(a, folder.p, error);
    }
    return true;
}

bool rules_read_sources(struct arena *a, const char *path, struct rule_source **out, size_t *n,
                        struct str *error) {
    source_list list = {0};
    char *root = arena_strdup(a, str_of(path));
    for (size_t k = strlen(root); k > 1 && root[k - 1] == '/'; k--) root[k - 1] = 0;
    if (!read_path(a, root, &list, error)) return false;
    if (list.n == 0) {
        *error = arena_printf(a, "%s: holds no *.json file with rules or targets", path);
        return false;
    }
    *out = list.v;
    *n = list.n;
    return true;
}
