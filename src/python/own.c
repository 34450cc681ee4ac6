/* SPDX-License-Identifier: Apache-2.0 */
/* own.c - packages of the user's that have the name of one a rule is about: bitsandbytes in its
 * own repository, apex.py beside the script.
 *
 * Modules that the tree compiles, and those that it doesn't. And classes that define cuda()
 * themselves.
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

/* The folder around the file that is no package: there Python looks for modules. False: it lies
 * too deep, or in site-packages. */
static bool find_top(struct py *f) {
    struct str folder = str_folder(f->path);
    bool in_package = is_package(f, folder);
    for (int i = 0; in_package && i < MAX_LEVELS && go_up(&folder); i++)
        in_package = is_package(f, folder);
    f->top = folder;
    return !in_package && !str_ends(folder, S("-packages/"));
}

static bool lies_beside(struct py *f, struct str module) {
    if (!f->top.p) f->has_top = find_top(f);
    struct str folder = f->top;
    if (!f->has_top) return false;
    if (exists(f, "%.*s%.*s/__init__.py", folder, module)) return true;
    struct str file = arena_printf(f->a, "%.*s%.*s.py", STR_ARG(folder), STR_ARG(module));
    return !str_eq(file, f->path) && f->disk->exists(f->disk->context, file);
}

bool py_is_own_package(struct py *f, struct str module) {
    const struct py_project *p = f->project;
    module.n = str_find(module, S("."), 0);
    if (p && str_among(p->own_packages.v, p->own_packages.n, module)) return true;
    if (py_is_own_extension(f, module)) return true;
    if (!f->disk) return false;
    f->asked_disk = true;
    return lies_beside(f, module);
}

bool py_is_own_extension(const struct py *f, struct str module) {
    const struct py_project *p = f->project;
    return p && str_among(p->extensions.v, p->extensions.n, module);
}

/* Whether the file imports something that begins so. */
bool py_imports(const struct py *f, struct str package) {
    for (size_t i = 0; i < f->bindings.n; i++) {
        const struct py_binding *b = &f->bindings.v[i];
        if ((b->kind == B_IMPORT || b->kind == B_FROM) && str_starts(b->path, package) &&
            (b->path.n == package.n || b->path.p[package.n] == '.'))
            return true;
    }
    for (size_t i = 0; i < f->star_modules.n; i++)
        if (str_starts(f->star_modules.v[i], package)) return true;
    return false;
}

/* ---- classes with a cuda() of their own, read off the text ---- */

/* The indent of the line that holds the place, and where the line starts. */
static size_t indent_of(struct str src, size_t at, size_t *line) {
    size_t indent = 0;
    *line = str_line_start(src, at);
    while (*line + indent < src.n && strchr(" \t", src.p[*line + indent])) indent++;
    return indent;
}

/* The `class` line of the class around the `def` at `at`: the nearest one above it that has a
 * smaller indent; empty where there is none. */
static struct str class_line(struct str src, size_t at) {
    size_t line, indent = indent_of(src, at, &line);
    if (indent == 0 || line + indent != at) return S("");
    for (size_t end = line; end > 0;) {
        size_t start, in = indent_of(src, end - 1, &start);
        struct str text = str_sub(src, start + in, end);
        if (in < indent && str_starts(text, S("class "))) return text;
        if (in == 0 && text.n > 1 && !strchr("#\r\n)", text.p[0])) break;
        end = start;
    }
    return S("");
}

struct str py_class_around(struct str src, size_t def) {
    struct str line = class_line(src, def);
    size_t n = 6;
    while (n < line.n && !strchr("(: \n", line.p[n])) n++;
    return line.n ? str_sub(line, 6, n) : S("");
}

struct str py_member_kind(struct arena *a, struct str name, struct str src, size_t def) {
    bool is_property = false;
    size_t line = def;
    while (line && src.p[line - 1] != '\n') line--;
    while (line) { /* decorators, and comments between them */
        size_t start = line - 1, in;
        while (start && src.p[start - 1] != '\n') start--;
        for (in = start; in < line && strchr(" \t", src.p[in]);) in++;
        if (src.p[in] != '@' && src.p[in] != '#') break;
        struct str decorator = str_sub(src, in, line);
        is_property |= src.p[in] == '@' && str_find(decorator, S("property"), 0) < decorator.n;
        line = start;
    }
    return arena_printf(a, "%.*s%s", STR_ARG(name), is_property ? "@" : "()");
}

/* self.x.cuda() without a use of what it gives moves a module in place, and a tensor nowhere;
 * self.x.to(...) is what a port makes of it. */
static bool moves_member(struct str line) {
    size_t open = str_find(line, S("("), 0);
    struct str callee = str_sub(line, 0, open);
    return str_starts(line, S("self.")) && str_ends(line, S(")")) &&
           !memchr(line.p, ' ', line.n) &&
           (str_ends(callee, S(".to")) ||
            (str_ends(callee, S("." PY_CUDA)) && open == line.n - 2));
}

/* Whether all that the body of the `def` does is to move members that are modules. */
static bool only_moves_members(struct str src, size_t def) {
    size_t start, indent = indent_of(src, def, &start);
    bool any = false;
    for (size_t at = str_find(src, S("\n"), def) + 1, end; at < src.n; at = end + 1) {
        end = str_find(src, S("\n"), at);
        size_t in = 0;
        while (at + in < end && strchr(" \t", src.p[at + in])) in++;
        struct str line = str_sub(src, at + in, end);
        if (line.n && line.p[line.n - 1] == '\r') line.n--;
        if (!line.n || line.p[0] == '#') continue;
        if (in <= indent) break;
        if (!moves_member(line) && !str_is(line, "return self")) return false;
        any |= moves_member(line);
    }
    return any;
}

bool py_moves_by_to(struct str src, size_t def) {
    struct str line = class_line(src, def);
    if (!line.n) return false;
    size_t close = str_find(line, S(")"), 0);
    if (str_ends(str_sub(line, 0, close), S("Module")) && only_moves_members(src, def))
        return true;
    for (size_t at = 0; (at = str_find(src, S("def to("), at)) < src.n; at++)
        if (class_line(src, at).p == line.p) return true;
    return false;
}
