/* SPDX-License-Identifier: Apache-2.0 */
/* ignore.c - ignore files on the way down to a path. git itself is not asked: it may not be
 * there, and a process for each directory would be most of the time. */
#include "ignore.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"

enum { MAX_IGNORE_FILE = 1024 * 1024 };

static void read_rules(struct arena *a, const char *directory, const char *name,
                       struct glob_rules *rules, struct str_list *errors) {
    struct str text, error;
    struct str path = arena_printf(a, "%s/%s", directory, name);
    if (file_read(a, path.p, MAX_IGNORE_FILE, &text, NULL, &error))
        glob_add_rules(a, rules, text);
    else {
        error = arena_printf(a, "%.*s; nothing below that folder is taken", STR_ARG(error));
        vec_push(a, errors, error);
    }
}

static bool is_file(struct arena *a, const char *directory, const char *name) {
    struct stat st;
    return stat(arena_printf(a, "%s/%s", directory, name).p, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- git's own files ---- */

/* What all worktrees of a repository share: a worktree's own folder says where it is. */
static struct str shared_folder(struct arena *a, struct str own) {
    struct str text, error;
    struct str path = arena_printf(a, "%.*s/commondir", STR_ARG(own));
    if (!file_read(a, path.p, MAX_IGNORE_FILE, &text, NULL, &error)) return own;
    struct str line = str_sub(text, 0, str_find(text, S("\n"), 0));
    while (line.n && strchr(" \t\r", line.p[line.n - 1])) line.n--;
    return line.n && line.p[0] == '/' ? arena_str(a, line)
                                      : arena_printf(a, "%.*s/%.*s", STR_ARG(own), STR_ARG(line));
}

static bool same_word(struct str s, const char *word) {
    size_t n = strlen(word);
    for (size_t i = 0; i < s.n && i < n; i++) {
        bool upper = s.p[i] >= 'A' && s.p[i] <= 'Z';
        if ((upper ? s.p[i] + 32 : s.p[i]) != word[i]) return false;
    }
    return s.n == n;
}

static struct str bare(struct str s) {
    while (s.n && strchr(" \t\"", s.p[0])) s = str_sub(s, 1, s.n);
    while (s.n && strchr(" \t\"\r", s.p[s.n - 1])) s.n--;
    return s;
}

/* core.excludesFile of a configuration of git's, where it says one. */
static void find_excludes_file(struct arena *a, const char *path, struct str *out) {
    struct str text, error;
    bool in_core = false;
    if (!file_read(a, path, MAX_IGNORE_FILE, &text, NULL, &error)) return;
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        struct str line = bare(str_sub(text, at, end));
        size_t equals = str_find(line, S("="), 0), value = equals + (equals < line.n);
        at = end + 1;
        if (line.n && line.p[0] == '[')
            in_core = same_word(str_sub(line, 0, str_find(line, S("]"), 0)), "[core");
        else if (in_core && same_word(bare(str_sub(line, 0, equals)), "excludesfile"))
            *out = arena_str(a, bare(str_sub(line, value, line.n)));
    }
}

/* What the user never wants to see, in any repository. */
static void read_global(struct arena *a, const char *git, struct glob_rules *rules) {
    const char *home = getenv("HOME"), *base = getenv("XDG_CONFIG_HOME");
    const char *global = getenv("GIT_CONFIG_GLOBAL");
    struct str path = {0}, text, error;
    if (!home || !*home) home = "/nonexistent";
    if (!base || !*base) base = arena_printf(a, "%s/.config", home).p;
    if (global) {
        find_excludes_file(a, global, &path);
    } else {
        find_excludes_file(a, arena_printf(a, "%s/git/config", base).p, &path);
        find_excludes_file(a, arena_printf(a, "%s/.gitconfig", home).p, &path);
    }
    find_excludes_file(a, arena_printf(a, "%s/config", git).p, &path);
    if (str_starts(path, S("~/")))
        path = arena_printf(a, "%s/%.*s", home, (int)path.n - 2, path.p + 2);
    if (!path.n) path = arena_printf(a, "%s/git/ignore", base);
    /* One that is not there is none, as for git. */
    if (file_read(a, path.p, MAX_IGNORE_FILE, &text, NULL, &error)) glob_add_rules(a, rules, text);
}

static void read_repository(struct arena *a, const char *directory, struct ignore_level *level,
                            struct str_list *errors) {
    struct str git = git_folder(a, directory), shared = shared_folder(a, git);
    if (is_file(a, shared.p, "info/exclude"))
        read_rules(a, shared.p, "info/exclude", &level->exclude, errors);
    read_global(a, shared.p, &level->global);
    tracked_read(a, git, &level->tracked);
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
    if (present.git) read_repository(a, directory, level, errors);
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
    enum glob_verdict global = GLOB_UNDECIDED;
    bool in_repository = true;
    for (; level; level = level->parent) {
        struct str path = str_sub(full, level->base, full.n);
        enum glob_verdict ignore = glob_decide(&level->ignore, path, is_directory);
        if (ignore != GLOB_UNDECIDED) return ignore == GLOB_MATCH ? IGNORED_BY_USER : IGNORED_NOT;
        if (!in_repository) continue;
        if (gitignore == GLOB_UNDECIDED)
            gitignore = glob_decide(&level->gitignore, path, is_directory);
        if (exclude == GLOB_UNDECIDED) exclude = glob_decide(&level->exclude, path, is_directory);
        if (global == GLOB_UNDECIDED) global = glob_decide(&level->global, path, is_directory);
        in_repository = !level->repository;
    }
    enum glob_verdict git = gitignore != GLOB_UNDECIDED ? gitignore
                            : exclude != GLOB_UNDECIDED ? exclude
                                                        : global;
    return git == GLOB_MATCH ? IGNORED_BY_GIT : IGNORED_NOT;
}

bool ignore_is_tracked(const struct ignore_level *level, struct str full, bool is_directory) {
    while (level && !level->repository) level = level->parent;
    return level && tracked_has(&level->tracked, str_sub(full, level->base, full.n), is_directory);
}
