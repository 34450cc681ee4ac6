/* SPDX-License-Identifier: Apache-2.0 */
/* ignore.c - ignore files on the way down to a path. git itself is not asked: it may not be
 * there, and a process for each directory would be most of the time. */
#include "ignore.h"

#include <sys/stat.h>

#include "base/file.h"

enum { MAX_IGNORE_FILE = 1024 * 1024 };

static void read_rules(struct arena *a, const char *directory, const char *name,
                       struct glob_rules *rules, struct str_list *errors) {
    struct str text, error;
    struct str path = arena_printf(a, "%s/%s", directory, name);
    if (file_read(a, path.p, MAX_IGNORE_FILE, &text, NULL, &error))
        glob_add_rules(a, rules, text);
    else
        vec_push(a, errors, error);
}

static bool is_file(struct arena *a, const char *directory, const char *name) {
    struct stat st;
    return stat(arena_printf(a, "%s/%s", directory, name).p, &st) == 0 && S_ISREG(st.st_mode);
}

const struct ignore_level *ignore_enter(struct arena *a, const struct ignore_level *parent,
                                        const char *directory, size_t base,
                                        struct ignore_files present, struct str_list *errors) {
    if (!present.ignore && !present.gitignore && !present.git) return parent;
    struct ignore_level *level = NEW(a, struct ignore_level);
    level->parent = parent;
    level->base = base;
    level->repository = present.git;
    if (present.ignore) read_rules(a, directory, ".ignore", &level->ignore, errors);
    if (present.gitignore) read_rules(a, directory, ".gitignore", &level->gitignore, errors);
    if (present.git && is_file(a, directory, ".git/info/exclude"))
        read_rules(a, directory, ".git/info/exclude", &level->exclude, errors);
    if (present.git) tracked_read(a, directory, &level->tracked);
    return level;
}

static bool has_git(struct arena *a, struct str directory) {
    struct stat st;
    return lstat(arena_printf(a, "%.*s/.git", STR_ARG(directory)).p, &st) == 0;
}

/* Length of path without its last component and the '/' before it; 0 is the root directory. */
static size_t parent_length(struct str path) {
    size_t n = path.n;
    while (n > 0 && path.p[n - 1] != '/') n--;
    return n > 0 ? n - 1 : 0;
}

const struct ignore_level *ignore_above(struct arena *a, struct str directory, struct str *prefix,
                                        struct str_list *errors) {
    *prefix = S("");
    if (directory.n == 1) directory.n = 0; /* "/" */
    struct str root = directory;
    while (!has_git(a, root)) {
        if (root.n == 0) return NULL;
        root.n = parent_length(root);
    }
    if (root.n == directory.n) return NULL; /* entered by the walk itself */
    const struct ignore_level *level = NULL;
    for (size_t end = root.n; end < directory.n;) {
        const char *path = arena_strdup(a, str_sub(directory, 0, end));
        struct ignore_files present = {
            .ignore = is_file(a, path, ".ignore"),
            .gitignore = is_file(a, path, ".gitignore"),
            .git = end == root.n,
        };
        size_t base = end > root.n ? end - root.n : 0; /* "/a/b" below "/a" begins with "b/" */
        level = ignore_enter(a, level, path, base, present, errors);
        end++;
        while (end < directory.n && directory.p[end] != '/') end++;
    }
    *prefix = arena_printf(a, "%.*s/", STR_ARG(str_sub(directory, root.n + 1, directory.n)));
    return level;
}

enum ignored ignore_matches(const struct ignore_level *level, struct str full, bool is_directory) {
    enum glob_verdict gitignore = GLOB_UNDECIDED, exclude = GLOB_UNDECIDED;
    bool in_repository = true;
    for (; level; level = level->parent) {
        struct str path = str_sub(full, level->base, full.n);
        enum glob_verdict ignore = glob_decide(&level->ignore, path, is_directory);
        if (ignore != GLOB_UNDECIDED)
            return ignore == GLOB_MATCH ? IGNORED_BY_USER : IGNORED_NOT;
        if (!in_repository) continue;
        if (gitignore == GLOB_UNDECIDED)
            gitignore = glob_decide(&level->gitignore, path, is_directory);
        if (exclude == GLOB_UNDECIDED) exclude = glob_decide(&level->exclude, path, is_directory);
        in_repository = !level->repository;
    }
    enum glob_verdict git = gitignore != GLOB_UNDECIDED ? gitignore : exclude;
    return git == GLOB_MATCH ? IGNORED_BY_GIT : IGNORED_NOT;
}

bool ignore_is_tracked(const struct ignore_level *level, struct str full, bool is_directory) {
    while (level && !level->repository) level = level->parent;
    return level &&
           tracked_has(&level->tracked, str_sub(full, level->base, full.n), is_directory);
}
