/* SPDX-License-Identifier: Apache-2.0 */
/* port_runtime.c - the Python runtime that a port imports, and the headers of libcmrt that it
 * includes: named in the summary, and with --with-runtime the Python part is put into the tree.
 *
 * A port that says "0 manual" and then fails at its first import would be no port. So what the
 * written texts import is read off the texts themselves, whoever wrote the import, and only those
 * parts are copied, with the parts that these import in turn. A part is what stands directly in
 * the package's folder: a module or a package. */
#include "base/file.h"
#include "commands/port.h"
#include "commands/python.h"
#include "commands/undo.h"
#include "edit/diff.h"
#include "python/py.h"
#include "rules/template.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

enum { MAX_MODULE = 1 << 22 };

/* The folder of libcmrt's headers, as an #include names it. */
#define RUNTIME_HEADERS "cuda_morph/"

/* ---- what a text imports ---- */

static void add_part(struct buf *b, struct str part) {
    if (!part.n) return;
    buf_add(b, part);
    buf_addc(b, 0);
}

/* The names of `from PACKAGE import a, b as c` or `(a, b)`, from behind the package on. */
static void add_imported(struct buf *b, struct str rest) {
    size_t at = 0;
    while (at < rest.n && rest.p[at] == ' ') at++;
    if (!str_eq(str_word(rest, at), S("import"))) return;
    for (at += 6; at < rest.n && rest.p[at] == ' ';) at++;
    bool folded = at < rest.n && rest.p[at] == '(';
    size_t end = str_find(rest, folded ? S(")") : S("\n"), at);
    bool is_alias = false;
    while (at < end) {
        struct str word = str_word(rest, at);
        if (!word.n) {
            at++;
            continue;
        }
        if (!is_alias && !str_eq(word, S("as"))) add_part(b, word);
        is_alias = str_eq(word, S("as"));
        at += word.n;
    }
}

void runtime_add_parts(struct buf *b, struct str text) {
    struct str package = S(PYTHON_RUNTIME);
    for (size_t at = 0; (at = str_find_word(text, package, at)) < text.n;) {
        size_t behind = at + package.n;
        if (behind < text.n && text.p[behind] == '.')
            add_part(b, str_word(text, behind + 1));
        else
            add_imported(b, str_sub(text, behind, text.n));
        at = behind;
    }
}

void runtime_add_headers(struct buf *b, struct str text) {
    struct str include = S("#include <");
    for (size_t at = 0; (at = str_find(text, include, at)) < text.n;) {
        at += include.n;
        struct str rest = str_sub(text, at, text.n);
        if (str_starts(rest, S(RUNTIME_HEADERS)))
            add_part(b, str_sub(rest, 0, str_find(rest, S(">"), 0)));
    }
}

static bool is_among(const struct str *names, size_t n, struct str name) {
    for (size_t i = 0; i < n; i++)
        if (str_eq(names[i], name)) return true;
    return false;
}

void port_need_part(struct port *port, struct str part) {
    struct port_target *t = port->current;
    if (is_among(t->parts.v, t->parts.n, part)) return;
    part = arena_str(port->cli->a, part);
    vec_push(port->cli->a, &t->parts, part);
}

void port_need_header(struct port *port, struct str header) {
    struct port_target *t = port->current;
    if (is_among(t->headers.v, t->headers.n, header)) return;
    header = arena_str(port->cli->a, header);
    vec_push(port->cli->a, &t->headers, header);
}

static int by_name(const void *x, const void *y) {
    return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static void add_names(struct buf *b, struct str *names, size_t n) {
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++) buf_printf(b, "%s%.*s", i ? ", " : "", STR_ARG(names[i]));
}

/* The header that stands for CUDA's own runtime has a library behind it; the others are whole. */
static void add_headers(const struct port_target *t, struct buf *b) {
    bool links =
        is_among(t->headers.v, t->headers.n, cm_target_fact(t->target, "compile_header"));
    buf_printf(b, "%.*s: the result includes ", STR_ARG(t->name));
    add_names(b, t->headers.v, t->headers.n);
    buf_add(b, links ? S("; compile and link it with $(pkg-config --cflags --libs cmrt)\n")
                     : S("; compile it with $(pkg-config --cflags cmrt)\n"));
}

void port_add_needs(struct port *port, struct buf *b) {
    struct port_target *t = port->current;
    if (t->headers.n) add_headers(t, b);
    if (!t->parts.n) return;
    buf_printf(b, "%.*s: the result imports " PYTHON_RUNTIME " (", STR_ARG(t->name));
    add_names(b, t->parts.v, t->parts.n);
    buf_printf(b, ")%s\n",
               cli_has(port->cli, OPT_WITH_RUNTIME)
                   ? ", which was put into the tree"
                   : "; -o DIR --with-runtime puts it into the tree");
}

/* ---- helpers of a package ---- */

void port_need_helper(struct port *port, struct port_helper helper) {
    struct port_target *t = port->current;
    struct arena *a = port->cli->a;
    for (size_t i = 0; i < t->helpers.n; i++)
        if (str_eq(t->helpers.v[i].path, helper.path)) return;
    helper = (struct port_helper){arena_str(a, helper.path), arena_str(a, helper.relative)};
    vec_push(a, &t->helpers, helper);
}

/* The module of helpers that an earlier port left there; false: another file is there. Nothing is
 * an empty text. */
static bool read_older(struct arena *a, const char *path, struct str *old, struct file_id *id) {
    struct str error;
    *old = S("");
    if (!file_exists(NULL, str_of(path))) return true;
    return file_read(a, path, MAX_MODULE, old, id, &error) && str_starts(*old, S(PY_ADDED));
}

/* `undo` removes what was empty before. */
static bool write_helper(struct port *port, const char *path, struct str text, struct str *error) {
    struct arena *a = port->cli->a;
    struct file_id id;
    struct str old;
    if (!read_older(a, path, &old, &id) || str_eq(old, text)) return true;
    if (!old.n && !file_create(a, path, old, 0666, error)) return false;
    undo_record(port->undo, path, old, text);
    if (old.n && !file_replace(a, path, text, &id, error)) return false;
    undo_replaced(port->undo);
    return old.n || file_create(a, path, text, 0666, error);
}

static void show_helper(struct port *port, struct str path, struct str text) {
    struct arena *a = port->cli->a;
    struct file_id id;
    struct str old;
    struct buf out;
    if (!read_older(a, arena_strdup(a, path), &old, &id) || str_eq(old, text)) return;
    buf_init(&out, a);
    if (old.n)
        diff_unified(&out, path, old, text, port->cli->out->color);
    else
        diff_new_file(&out, path, text, port->cli->out->color);
    stream_add(port->cli->out, buf_str(&out));
}

bool port_write_helpers(struct port *port) {
    struct port_target *t = port->current;
    struct cli *cli = port->cli;
    bool done = true;
    for (size_t i = 0; i < t->helpers.n; i++) {
        const struct port_helper *h = &t->helpers.v[i];
        const char *path = arena_strdup(cli->a, h->path);
        struct str name, error = {0}, text = cm_target_helper(t->target, cli->a, &name);
        bool written = true;
        if (port->mode == PORT_DIRECTORY)
            written = file_create_in(cli->a, t->root, arena_strdup(cli->a, h->relative), text,
                                     0666, &error);
        else if (port->mode == PORT_IN_PLACE)
            written = write_helper(port, path, text, &error);
        else if (port->mode == PORT_DIFF)
            show_helper(port, h->path, text);
        if (!written) cli_error(cli, "%.*s", STR_ARG(error));
        done &= written;
    }
    return done;
}

/* ---- copying ---- */

struct copying {
    struct port *port;
    const char *from;       /* the package's folder */
    VEC(struct str) known;  /* its parts */
    VEC(struct str) wanted; /* those to copy, in the order in which they were found to be needed */
    bool failed;
};

static void copy_file(struct copying *c, struct str relative) {
    struct cli *cli = c->port->cli;
    struct str error, to = arena_printf(cli->a, PYTHON_RUNTIME "/%.*s", STR_ARG(relative));
    struct str from = arena_printf(cli->a, "%s/%.*s", c->from, STR_ARG(relative));
    if (file_copy_in(cli->a, c->port->current->root, to.p, from.p, &error)) return;
    cli_error(cli, "%.*s", STR_ARG(error));
    c->failed = true;
}

static void want(struct copying *c, struct str part) {
    for (size_t i = 0; i < c->wanted.n; i++)
        if (str_eq(c->wanted.v[i], part)) return;
    vec_push(c->port->cli->a, &c->wanted, part);
}

/* Lines such as `from . import cpu` and `from ..fallbacks import warn`: any part whose name is in
 * one may be meant. */
static void want_imported(struct copying *c, struct str text) {
    for (size_t at = 0, end; at < text.n; at = end + 1) {
        end = str_find(text, S("\n"), at);
        while (at < end && text.p[at] == ' ') at++;
        struct str line = str_sub(text, at, end);
        if (!str_starts(line, S("from ."))) continue;
        for (size_t i = 5; i < line.n; i += str_word(line, i).n + 1)
            for (size_t k = 0; k < c->known.n; k++)
                if (str_eq(str_word(line, i), c->known.v[k])) want(c, c->known.v[k]);
    }
}

static void copy_module(struct copying *c, struct str relative) {
    struct cli *cli = c->port->cli;
    struct str text, error;
    struct str path = arena_printf(cli->a, "%s/%.*s", c->from, STR_ARG(relative));
    copy_file(c, relative);
    if (file_read(cli->a, path.p, MAX_MODULE, &text, NULL, &error)) want_imported(c, text);
}

/* The sorted names in a folder of the package that are modules or packages; "" is the package. */
static bool list(struct copying *c, struct str folder, bool suffixes, struct str **names,
                 size_t *n) {
    struct arena *a = c->port->cli->a;
    VEC(struct str) found = {0};
    struct str path = arena_printf(a, "%s/%.*s", c->from, STR_ARG(folder));
    DIR *d = opendir(path.p);
    if (!d) return false;
    for (const struct dirent *e; (e = readdir(d));) {
        struct str name = str_of(e->d_name);
        bool module = str_ends(name, S(".py"));
        if (name.p[0] == '.' || name.p[0] == '_' ||
            (!module && str_find(name, S("."), 0) < name.n))
            continue;
        if (module && !suffixes) name.n -= 3;
        name = arena_str(a, name);
        vec_push(a, &found, name);
    }
    closedir(d);
    if (found.n) qsort(found.v, found.n, sizeof *found.v, by_name);
    *names = found.v;
    *n = found.n;
    return true;
}

/* Packages nest as deep as their authors made them. */
static void copy_package(struct copying *c, struct str folder) {
    struct arena *a = c->port->cli->a;
    struct str *names;
    size_t n;
    if (!list(c, folder, true, &names, &n)) {
        copy_module(c, arena_printf(a, "%.*s.py", STR_ARG(folder)));
        return;
    }
    copy_module(c, arena_printf(a, "%.*s/__init__.py", STR_ARG(folder)));
    for (size_t i = 0; i < n; i++) {
        struct str below = arena_printf(a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(names[i]));
        if (str_ends(names[i], S(".py")))
            copy_module(c, below);
        else
            copy_package(c, below);
    }
}

bool port_copy_runtime(struct port *port) {
    struct port_target *t = port->current;
    struct copying c = {.port = port};
    struct python_place place = {.cli = port->cli};
    if (!t->parts.n) return true;
    char *init = python_find_program(&place)
                     ? python_find_part(&place, PYTHON_RUNTIME "/__init__.py")
                     : NULL;
    if (!init) return false;
    *strrchr(init, '/') = '\0';
    c.from = init;
    struct str *known;
    if (!list(&c, S("."), false, &known, &c.known.n))
        return cli_error(port->cli, "%s: %s", init, strerror(errno)) == 0;
    c.known.v = known;
    copy_file(&c, S("__init__.py"));
    for (size_t i = 0; i < t->parts.n; i++) {
        bool is_part = false;
        for (size_t k = 0; k < c.known.n; k++) is_part |= str_eq(c.known.v[k], t->parts.v[i]);
        for (size_t k = 0; k < c.known.n;
             k++) /* a name of the package itself: any may define it */
            if (!is_part || str_eq(c.known.v[k], t->parts.v[i])) want(&c, c.known.v[k]);
    }
    for (size_t i = 0; i < c.wanted.n; i++) copy_package(&c, c.wanted.v[i]);
    return !c.failed;
}
