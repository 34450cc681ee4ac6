/* SPDX-License-Identifier: Apache-2.0 */
/* interpreter.c - which Python runs where `python3` is called, and where that one looks.
 *
 * The commonest fault is the wrong environment: PyTorch is installed, and not for the python3 that
 * runs. So the packages that count are those of the first python3 of PATH: of its virtual
 * environment (pyvenv.cfg beside its folder, and the system's where that says so), of the version
 * that pyenv's shim starts, of conda's prefix, of the system. */
#include "diag/interpreter.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct interpreter {
    struct str path;    /* what PATH finds, or what a shim of pyenv starts; empty: none */
    struct str version; /* 3.11, where its prefix tells */
    str_vec dirs;       /* patterns of its package directories, the first wins */
};

static struct str parent(struct str path) {
    while (path.n && path.p[path.n - 1] != '/') path.n--;
    while (path.n > 1 && path.p[path.n - 1] == '/') path.n--;
    return path;
}

/* "key = value" of pyvenv.cfg. */
static struct str setting_of(struct str text, struct str key) {
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        struct str line = str_sub(text, at, end);
        size_t equals = str_find(line, S("="), 0);
        struct str name = str_sub(line, 0, equals);
        while (name.n && name.p[name.n - 1] == ' ') name.n--;
        if (equals < line.n && str_eq(name, key)) {
            struct str value = str_sub(line, equals + 1, line.n);
            while (value.n && value.p[0] == ' ') value = str_sub(value, 1, value.n);
            while (value.n && strchr(" \r", value.p[value.n - 1])) value.n--;
            return value;
        }
        at = end + 1;
    }
    return S("");
}

static void add_prefix(struct machine *m, struct interpreter *out, struct str prefix) {
    static const char *const places[] = {
        "lib/python3*/site-packages", "lib64/python3*/site-packages", "lib/python3*/dist-packages",
        "lib/python3/dist-packages"};
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        vec_push(m->a, &out->dirs,
                 arena_printf(m->a, "%.*s/%s", STR_ARG(str_is(prefix, "/") ? S("") : prefix),
                              places[i]));
}

static bool is_system(struct str prefix) {
    return str_is(prefix, "/usr") || str_is(prefix, "/") || str_is(prefix, "/usr/local");
}

/* A prefix that is no virtual environment: the user's own packages come first, and Debian's
 * python3 looks below /usr/local, too. */
static void add_base(struct machine *m, struct interpreter *out, struct str prefix) {
    struct str home = machine_variable(m, "HOME");
    if (home.n && !machine_variable(m, "PYTHONNOUSERSITE").p)
        vec_push(m->a, &out->dirs,
                 arena_printf(m->a, "%.*s/.local/lib/python3*/site-packages", STR_ARG(home)));
    if (is_system(prefix)) {
        add_prefix(m, out, S("/usr/local"));
        add_prefix(m, out, S("/usr"));
    } else {
        add_prefix(m, out, prefix);
    }
}

/* The first word of pyenv's choice: its variable, else the global version. */
static struct str pyenv_version(struct machine *m, struct str root) {
    struct str text = machine_variable(m, "PYENV_VERSION");
    if (text.n == 0) text = machine_read(m, arena_concat(m->a, root, S("/version")));
    size_t n = 0;
    while (n < text.n && !strchr(" \t\r\n:", text.p[n])) n++;
    return str_sub(text, 0, n);
}

/* What a shim starts; the shim itself where that cannot be said, or where it is the system's. */
static struct str behind_shim(struct machine *m, struct str path) {
    size_t at = str_find(path, S("/shims/python3"), 0);
    if (at == path.n) return path;
    struct str root = str_sub(path, 0, at), version = pyenv_version(m, root);
    if (version.n == 0 || str_is(version, "system")) return path;
    struct str real =
        arena_printf(m->a, "%.*s/versions/%.*s/bin/python3", STR_ARG(root), STR_ARG(version));
    return machine_match(m, real).n ? real : path;
}

static struct str without_links(const struct machine *m, struct str path) {
    char *real = m->is_real ? realpath(machine_path(m, path), NULL) : NULL;
    struct str text = real ? arena_str(m->a, str_of(real)) : path;
    free(real);
    return text;
}

/* 3.11 where the prefix has packages of one version only. */
static struct str version_below(struct machine *m, struct str prefix) {
    str_vec all =
        machine_matches(m, arena_printf(m->a, "%.*s/lib/python3.[0-9]*", STR_ARG(prefix)));
    if (all.n != 1) return S("");
    size_t at = str_find(all.v[0], S("/python3."), 0);
    return str_sub(all.v[0], at + strlen("/python"), all.v[0].n);
}

static void find(struct machine *m, struct interpreter *out) {
    struct str found = machine_tool(m, S("python3"), NULL);
    *out = (struct interpreter){0};
    if (found.n == 0) return;
    out->path = behind_shim(m, found);
    struct str prefix = parent(parent(out->path));
    struct str venv = machine_read(m, arena_printf(m->a, "%.*s/pyvenv.cfg", STR_ARG(prefix)));
    if (venv.n) {
        add_prefix(m, out, prefix);
        out->version = version_below(m, prefix);
        if (str_is(setting_of(venv, S("include-system-site-packages")), "true"))
            add_base(m, out, parent(setting_of(venv, S("home"))));
        return;
    }
    prefix = parent(parent(without_links(m, out->path)));
    if (str_find(out->path, S("/shims/"), 0) < out->path.n) prefix = S("/usr");
    if (!is_system(prefix)) out->version = version_below(m, prefix);
    add_base(m, out, prefix);
}

void interpreter_use(struct machine *m) {
    struct interpreter python;
    find(m, &python);
    m->python3 = python.path;
    m->python = python.version;
    str_vec *dirs = python.path.n ? &python.dirs : &m->other_dirs;
    for (size_t i = 0; i < dirs->n; i++) vec_push(m->a, &m->python_dirs, dirs->v[i]);
    if (python.path.n == 0) m->other_dirs.n = 0;
}
