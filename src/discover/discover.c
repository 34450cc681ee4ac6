/* SPDX-License-Identifier: Apache-2.0 */
/* discover.c - from paths to files, in byte order, the same on every machine.
 *
 * A file's language is told by its name or first line; no other content is read here. Directories
 * are walked without recursion, and links inside of them are left alone. */
#include "discover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- languages ---- */

enum cm_language language_of_name(struct str path) {
    static const struct {
        const char *pattern;
        enum cm_language language;
    } names[] = {
        {"*.py", CM_PYTHON},
        {"*.pyi", CM_PYTHON},
        {"*.pyw", CM_PYTHON},
        {"*.ipynb", CM_NOTEBOOK},
        {"*.cu", CM_CUDA},
        {"*.cuh", CM_CUDA},
        {"*.cu.h", CM_CUDA},
        {"*.cuknl", CM_CUDA},
        {"*.hcu", CM_CUDA},
        {"*.c", CM_CPP},
        {"*.cc", CM_CPP},
        {"*.cpp", CM_CPP},
        {"*.cxx", CM_CPP},
        {"*.h", CM_CPP},
        {"*.hh", CM_CPP},
        {"*.hpp", CM_CPP},
        {"*.hxx", CM_CPP},
        {"*.inl", CM_CPP},
        {"*.inc", CM_CPP},
        {"*.ipp", CM_CPP},
        {"*.tcc", CM_CPP},
        {"*.tpp", CM_CPP},
        {"*.txx", CM_CPP},
        {"requirements*.txt", CM_PROJECT},
        {"cuda-morph.toml", CM_NONE}, /* ours */
        {"*.toml", CM_PROJECT},
        {"*.ini", CM_PROJECT},
        {"*.json", CM_PROJECT},
        {"*.cfg", CM_PROJECT},
        {".flake8", CM_PROJECT},
        {".style.yapf", CM_PROJECT},
        {"CMakeLists.txt", CM_PROJECT},
        {"*.cmake", CM_PROJECT},
        {"Makefile", CM_PROJECT},
        {"*.mk", CM_PROJECT},
        {"Dockerfile*", CM_PROJECT},
        {"*.Dockerfile", CM_PROJECT},
        {"Containerfile*", CM_PROJECT},
        {"*.sh", CM_PROJECT},
        {"*.bash", CM_PROJECT},
        {"*.slurm", CM_PROJECT},
        {"*.sbatch", CM_PROJECT},
        {".env", CM_PROJECT},
        {".env.*", CM_PROJECT},
        {"*.env", CM_PROJECT},
        {"*.yml", CM_PROJECT},
        {"*.yaml", CM_PROJECT},
    };
    size_t base = path.n;
    while (base > 0 && path.p[base - 1] != '/') base--;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (glob_match(str_of(names[i].pattern), str_sub(path, base, path.n)))
            return names[i].language;
    return CM_NONE;
}

/* The next word of line at *i, without the directories before it. */
static struct str next_command(struct str line, size_t *i) {
    while (*i < line.n && (line.p[*i] == ' ' || line.p[*i] == '\t')) ++*i;
    size_t start = *i;
    for (; *i < line.n && !strchr(" \t\r\n", line.p[*i]); ++*i)
        if (line.p[*i] == '/') start = *i + 1;
    return str_sub(line, start, *i);
}

enum cm_language language_of_first_line(struct str line) {
    if (!str_starts(line, S("#!"))) return CM_NONE;
    size_t i = 2;
    struct str word = next_command(line, &i);
    if (str_is(word, "env")) { /* env [-S] [NAME=VALUE]... python */
        do word = next_command(line, &i);
        while (word.n && (word.p[0] == '-' || str_find(word, S("="), 0) < word.n));
    }
    static const char *const shells[] = {"sh", "bash", "dash", "ksh", "zsh"};
    for (i = 0; i < ARRAY_LEN(shells); i++)
        if (str_is(word, shells[i])) return CM_PROJECT;
    return str_starts(word, S("python")) ? CM_PYTHON : CM_NONE;
}

static enum cm_language language_of_shebang(const char *path) {
    char line[256];
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return CM_NONE;
    ssize_t n = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, line, sizeof line) : 0;
    close(fd);
    struct str head = {line, n > 0 ? (size_t)n : 0};
    head.n = str_find(head, S("\n"), 0);
    return language_of_first_line(head);
}

/* ---- a search ---- */

struct entry {
    struct str name;
    bool is_directory;
};

/* One directory on the way down. */
struct frame {
    struct str path; /* for opening; "" is the current directory */
    struct str full; /* from the outermost ignore level, "" or with a trailing '/' */
    const struct ignore_level *ignore;
    struct entry *entries;
    size_t n, i;
    bool copy_only;    /* hidden or excluded: only want_all lists what is here */
    bool tracked_only; /* ignored: only what git tracks in spite of that counts */
};

struct search {
    struct arena *a;
    const struct discover_options *options;
    struct discovery *out;
    struct glob_rules exclude, include;
    struct str current;  /* the current directory, "" when unknown */
    struct stat skipped; /* the directory not to enter; st_ino 0: none */
    struct {
        struct frame *v;
        size_t n, cap;
    } stack;
    size_t prefix;    /* length of the named directory's part in full paths */
    struct str real;  /* resolved path of the named path */
    bool watch_twins; /* several paths were named: a file may be reached twice */
    struct {
        struct str *v; /* open addressing, NULL is free; a power of two */
        size_t n, cap;
    } seen;
};

static void add_error(struct search *s, struct str path, const char *what) {
    struct str text = arena_printf(s->a, "%.*s: %s", STR_ARG(path), what);
    vec_push(s->a, &s->out->errors, text);
}

static struct str *seen_slot(struct str *table, size_t cap, struct str path) {
    size_t i = str_hash(path) & (cap - 1);
    while (table[i].p && !str_eq(table[i], path)) i = (i + 1) & (cap - 1);
    return &table[i];
}

/* Whether this resolved path is new; remembers it. */
static bool first_time(struct search *s, struct str real) {
    if (s->seen.n * 2 >= s->seen.cap) {
        size_t cap = s->seen.cap ? s->seen.cap * 2 : 64;
        struct str *table = arena_zalloc(s->a, cap * sizeof *table);
        for (size_t i = 0; i < s->seen.cap; i++)
            if (s->seen.v[i].p) *seen_slot(table, cap, s->seen.v[i]) = s->seen.v[i];
        s->seen.v = table;
        s->seen.cap = cap;
    }
    struct str *slot = seen_slot(s->seen.v, s->seen.cap, real);
    if (slot->p) return false;
    *slot = real;
    s->seen.n++;
    return true;
}

static struct str join(struct arena *a, struct str directory, struct str name) {
    if (directory.n == 0) return arena_str(a, name);
    const char *slash = directory.p[directory.n - 1] == '/' ? "" : "/";
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(directory), slash, STR_ARG(name));
}

/* To a pattern, "./a" and an absolute path below the current directory are "a". */
static struct str for_patterns(const struct search *s, struct str path) {
    if (s->current.n && path.n > s->current.n && path.p[s->current.n] == '/' &&
        str_starts(path, s->current))
        return str_sub(path, s->current.n + 1, path.n);
    while (str_starts(path, S("./"))) path = str_sub(path, 2, path.n);
    return path;
}

static struct str last_component(struct str path) {
    while (path.n > 1 && path.p[path.n - 1] == '/') path.n--;
    size_t base = path.n;
    while (base > 0 && path.p[base - 1] != '/') base--;
    return str_sub(path, base, path.n);
}

/* ---- one directory ---- */

static int key_byte(const struct entry *e, size_t i) {
    if (i < e->name.n) return (unsigned char)e->name.p[i];
    return i == e->name.n && e->is_directory ? '/' : -1;
}

/* A directory sorts as its name and '/': so the walk meets paths in byte order. */
static int compare_entries(const void *x, const void *y) {
    const struct entry *a = x, *b = y;
    size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;
    int c = memcmp(a->name.p, b->name.p, n);
    return c ? c : key_byte(a, n) - key_byte(b, n);
}

/* DT_DIR, DT_REG, or something we leave alone: links, devices, sockets. */
static int type_of(DIR *d, const struct dirent *e) {
    struct stat st;
    if (e->d_type != DT_UNKNOWN) return e->d_type;
    if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return S_ISDIR(st.st_mode) ? DT_DIR : S_ISREG(st.st_mode) ? DT_REG : DT_UNKNOWN;
}

/* Reads the entries; *err is an errno or 0. Closes d, even when the arena ends meanwhile. */
static void read_entries(struct arena *a, DIR *d, struct frame *f, struct ignore_files *present,
                         int *err) {
    jmp_buf here, *outer = a->escape;
    if (setjmp(here)) {
        closedir(d);
        a->escape = outer;
        if (outer) longjmp(*outer, 1);
        abort();
    }
    a->escape = &here;
    struct {
        struct entry *v;
        size_t n, cap;
    } list = {0};
    const struct dirent *e;
    for (errno = 0; (e = readdir(d)) != NULL; errno = 0) {
        struct str name = str_of(e->d_name);
        if (str_is(name, ".") || str_is(name, "..")) continue;
        int type = type_of(d, e);
        present->git |= str_is(name, ".git");
        if (type != DT_DIR && type != DT_REG) continue;
        present->ignore |= type == DT_REG && str_is(name, ".ignore");
        present->gitignore |= type == DT_REG && str_is(name, ".gitignore");
        struct entry item = {arena_str(a, name), type == DT_DIR};
        vec_push(a, &list, item);
    }
    *err = errno;
    a->escape = outer;
    closedir(d);
    f->entries = list.v;
    f->n = list.n;
}

/* Reads the directory that the frame names. */
static void enter_directory(struct search *s, struct frame f, bool named) {
    struct ignore_files present = {0};
    struct stat st;
    const char *z = f.path.n ? f.path.p : ".";
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (named ? 0 : O_NOFOLLOW), err = 0;
    int fd = open(z, flags);
    if (fd >= 0 && s->skipped.st_ino && fstat(fd, &st) == 0 && st.st_ino == s->skipped.st_ino &&
        st.st_dev == s->skipped.st_dev) {
        close(fd);
        return;
    }
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (d) {
        read_entries(s->a, d, &f, &present, &err);
    } else {
        err = errno;
        if (fd >= 0) close(fd);
    }
    if (err) add_error(s, str_of(z), arena_printf(s->a, "cannot be read: %s", strerror(err)).p);
    if (f.n) qsort(f.entries, f.n, sizeof *f.entries, compare_entries);
    size_t n_errors = s->out->errors.n;
    if (!s->options->no_ignore)
        f.ignore = ignore_enter(s->a, f.ignore, z, f.full.n, present, &s->out->errors);
    /* What an ignore file protects is not known when it cannot be read, or may be among the names
     * that were not. */
    if (s->out->errors.n > n_errors || (err && !s->options->no_ignore)) f.n = 0;
    vec_push(s->a, &s->stack, f);
}

/* ---- one entry ---- */

/* Belongs to tools, never to the project. */
static bool is_tool_data(struct str name) {
    static const char *const names[] = {
        ".git",  ".hg",  ".svn",        "node_modules",      "__pycache__",
        ".venv", ".tox", ".mypy_cache", ".cuda-morph-*.tmp",
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (glob_match(str_of(names[i]), name)) return true;
    return false;
}

/* Hidden, and yet as much the project's as its sources. */
static bool is_of_project(struct str name) {
    static const char *const names[] = {
        ".circleci",  ".flake8", ".github", ".gitlab-ci.yml", ".pre-commit-config.yaml",
        ".style.yapf"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_is(name, names[i])) return true;
    return false;
}

/* The standard library has a package called venv; a virtual environment says that it is one. */
static bool is_virtual_environment(const struct search *s, struct str path) {
    return access(join(s->a, path, S("pyvenv.cfg")).p, F_OK) == 0;
}

static bool is_excluded(const struct search *s, struct str path, struct str relative,
                        bool is_directory) {
    return glob_decide(&s->exclude, relative, is_directory) == GLOB_MATCH ||
           glob_decide(&s->exclude, for_patterns(s, path), is_directory) == GLOB_MATCH;
}

static bool is_included(const struct search *s, struct str path, struct str relative) {
    return s->include.n == 0 || glob_covers(&s->include, relative, false) ||
           glob_covers(&s->include, for_patterns(s, path), false);
}

static void add_file(struct search *s, struct found_file file, struct str real) {
    if (!s->watch_twins || first_time(s, real)) vec_push(s->a, s->out, file);
}

/* A file of settings that no human wrote by its size. */
static bool is_mere_data(struct str path) {
    enum { MOST_SETTINGS = 1 << 17 };
    struct stat st;
    return str_ends(path, S(".json")) && stat(path.p, &st) == 0 && st.st_size > MOST_SETTINGS;
}

static void visit_file(struct search *s, struct str path, struct str relative, bool copy_only) {
    struct found_file file = {.path = path, .relative = relative};
    if (!copy_only && is_included(s, path, relative)) {
        struct str name = last_component(path);
        file.language = language_of_name(name);
        if (file.language == CM_NONE && str_find(name, S("."), 0) == name.n)
            file.language = language_of_shebang(path.p);
    }
    if (is_mere_data(path)) file.language = CM_NONE;
    if (file.language == CM_NONE && !s->options->want_all) return;
    add_file(s, file, s->watch_twins ? join(s->a, s->real, relative) : path);
}

static void visit_entry(struct search *s, const struct frame *f, const struct entry *e) {
    bool want_all = s->options->want_all;
    bool hidden = e->name.p[0] == '.' && !s->options->no_ignore && !is_of_project(e->name);
    if (is_tool_data(e->name) || (hidden && !want_all)) return;
    struct str full = arena_concat(s->a, f->full, e->name);
    enum ignored ignored = ignore_matches(f->ignore, full, e->is_directory);
    bool tracked_only = f->tracked_only || ignored == IGNORED_BY_GIT;
    bool left_out = ignored == IGNORED_BY_USER ||
                    (tracked_only && !ignore_is_tracked(f->ignore, full, e->is_directory));
    s->out->n_ignored += left_out;
    if (left_out) return;
    struct str relative = str_sub(full, s->prefix, full.n);
    struct str path = join(s->a, f->path, e->name);
    if (e->is_directory && is_virtual_environment(s, path)) return;
    bool copy_only = f->copy_only || hidden || is_excluded(s, path, relative, e->is_directory);
    if (copy_only && !want_all) return;
    if (e->is_directory)
        enter_directory(s,
                        (struct frame){.path = path,
                                       .full = arena_concat(s->a, full, S("/")),
                                       .ignore = f->ignore,
                                       .copy_only = copy_only,
                                       .tracked_only = tracked_only},
                        false);
    else
        visit_file(s, path, relative, copy_only);
}

/* ---- named paths ---- */

static void search_directory(struct search *s, struct str path) {
    const struct ignore_level *above = NULL;
    struct str prefix = S("");
    size_t n_errors = s->out->errors.n;
    if (!s->options->no_ignore) above = ignore_above(s->a, s->real, &prefix, &s->out->errors);
    if (s->out->errors.n > n_errors) return;
    s->prefix = prefix.n;
    if (str_is(path, ".") || str_is(path, "./")) path = S("");
    enter_directory(s, (struct frame){.path = path, .full = prefix, .ignore = above}, true);
    while (s->stack.n) {
        struct frame *f = &s->stack.v[s->stack.n - 1];
        if (f->i == f->n) {
            s->stack.n--;
            continue;
        }
        const struct entry *e = &f->entries[f->i++];
        struct frame here = *f; /* the stack may move when it grows */
        visit_entry(s, &here, e);
    }
}

static void take_file(struct search *s, struct str path) {
    struct found_file file = {.path = path, .relative = last_component(path), .named = true};
    file.language = language_of_name(path);
    if (file.language == CM_NONE) file.language = language_of_shebang(path.p);
    if (file.language == CM_NONE) {
        if (s->options->force_exclude && !s->options->want_all) return; /* as in a directory */
        add_error(s, path, "is not in a language that cuda-morph reads");
        if (!s->options->want_all) return;
    }
    add_file(s, file, s->real);
}

static bool is_force_excluded(const struct search *s, struct str path, bool is_directory) {
    if (!s->options->force_exclude) return false;
    path = for_patterns(s, path);
    if (glob_covers(&s->exclude, path, is_directory)) return true;
    if (path.n && path.p[0] == '/') return false; /* where the project lies is no matter */
    for (size_t start = 0; start < path.n;) {
        size_t end = str_find(path, S("/"), start);
        if (is_tool_data(str_sub(path, start, end))) return true;
        start = end + 1;
    }
    return false;
}

static void take_named(struct search *s, const char *z) {
    struct stat st;
    struct str path = arena_str(s->a, str_of(z));
    if (stat(path.p, &st) != 0) {
        add_error(s, path, arena_printf(s->a, "cannot be opened: %s", strerror(errno)).p);
        return;
    }
    if (is_force_excluded(s, path, S_ISDIR(st.st_mode))) return;
    char real[PATH_MAX];
    s->real = realpath(path.p, real) ? arena_str(s->a, str_of(real)) : path;
    if (S_ISDIR(st.st_mode))
        search_directory(s, path);
    else if (S_ISREG(st.st_mode))
        take_file(s, path);
    else
        add_error(s, path, "is neither a regular file nor a directory");
}

static void add_patterns(const struct search *s, struct glob_rules *rules,
                         const struct str *patterns, size_t n) {
    struct glob_rule rule;
    for (size_t i = 0; i < n; i++)
        if (glob_parse_rule(for_patterns(s, patterns[i]), &rule)) vec_push(s->a, rules, rule);
}

void discover(struct arena *a, const struct discover_options *options, const char *const *paths,
              size_t n, struct discovery *out) {
    struct search s = {.a = a, .options = options, .out = out, .watch_twins = n > 1};
    *out = (struct discovery){0};
    if (options->skip_directory && stat(options->skip_directory, &s.skipped) != 0)
        s.skipped.st_ino = 0;
    char current[PATH_MAX];
    if (getcwd(current, sizeof current)) s.current = str_of(current);
    add_patterns(&s, &s.exclude, options->exclude, options->n_exclude);
    add_patterns(&s, &s.include, options->include, options->n_include);
    for (size_t i = 0; i < n; i++) take_named(&s, paths[i]);
}
