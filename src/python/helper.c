/* SPDX-License-Identifier: Apache-2.0 */
/* helper.c - helpers that ported files of one package share.
 *
 * A function that is copied into each file of a package is no change that a maintainer takes; a
 * module of the package is. But whether `from ._accelerator import f` is found depends on how the
 * file is run: as a script it has no package, and the folder from which a package is imported may
 * be any of those around the file. What the imports of the files say is believed, and nothing
 * else: the module lies as far out as a file beside or below this one reaches by its own imports.
 * Files that neither import anything of their package nor are imported by it keep the function. */
#include "python/imports.h"

static bool is_within(struct str path, struct str folder) {
    return str_eq(path, folder) || (str_starts(path, folder) && path.p[folder.n] == '/');
}

/* Whether the folders from the one up to the other are packages. */
static bool are_packages(const struct py_project *p, struct str folder, struct str outermost) {
    if (!is_within(folder, outermost)) return false;
    for (; folder.n >= outermost.n; folder = str_folder_above(folder)) {
        if (!str_among(p->packages.v, p->packages.n, folder)) return false;
        if (folder.n == outermost.n) return true;
    }
    return false;
}

/* Whether the module, a path without its ending, is in the tree. */
static bool is_in_tree(struct py *f, struct str module) {
    static const char *const endings[] = {".py", "/__init__.py", ""};
    for (size_t i = 0; f->disk && i < ARRAY_LEN(endings); i++)
        if (f->disk->exists(f->disk->context,
                            arena_printf(f->a, "%.*s%s", STR_ARG(module), endings[i])))
            return true;
    return false;
}

/* The outermost package that files in the folder, or below it, are known to be imported from. */
static struct str outermost_of(struct py *f, struct str folder) {
    const struct py_project *p = f->project;
    struct str best = {0};
    for (size_t i = 0; i < p->reaches.n; i++) {
        const struct py_reach *r = &p->reaches.v[i];
        if (is_within(r->folder, folder) && (!best.n || r->package.n < best.n) &&
            are_packages(p, folder, r->package) && (!r->module.n || is_in_tree(f, r->module)))
            best = r->package;
    }
    return best;
}

/* The dots that `from ..a import b` begins with; 0: the statement is none. */
static size_t level_of(const struct py *f, uint32_t statement) {
    if (py_kind(f, statement) != PY_IMPORT_FROM) return 0;
    uint32_t from = py_child(f, statement, 0);
    if (py_kind(f, from) != PY_RELATIVE_IMPORT) return 0;
    struct str text = py_text(f, from);
    size_t n = 0;
    while (n < text.n && text.p[n] == '.') n++;
    return n;
}

/* Imports of the module's own package, as formatters sort them: more dots first. */
static bool by_dots(struct py *f, struct py_helper *h, size_t level) {
    h->statement = NO_NODE;
    for (uint32_t s = py_child(f, 0, 0); s != NO_NODE; s = py_next(f, s)) {
        size_t n = level_of(f, s);
        if (!n) continue;
        h->statement = s;
        h->behind = n > level;
        if (!h->behind) return true;
    }
    return h->statement != NO_NODE;
}

/* Imports of the package by its name, of a module that is there. */
static bool by_name(struct py *f, struct py_helper *h, struct str name) {
    for (uint32_t s = py_child(f, 0, 0); s != NO_NODE; s = py_next(f, s)) {
        struct str module = py_text(f, py_child(f, s, 0));
        size_t dot = str_find(module, S("."), 0);
        if (py_kind(f, s) != PY_IMPORT_FROM || dot == module.n ||
            !str_eq(str_sub(module, 0, dot), name))
            continue;
        struct str first = str_sub(module, dot + 1, str_find(module, S("."), dot + 1));
        if (!is_in_tree(f, arena_printf(f->a, "%.*s/%.*s", STR_ARG(h->folder), STR_ARG(first))))
            continue;
        h->statement = s;
        h->behind = false;
        return true;
    }
    return false;
}

/* A module that others of the package import, and that is no script. */
static bool behind_imports(struct py *f, struct py_helper *h) {
    const struct py_project *p = f->project;
    h->statement = NO_NODE;
    h->behind = true;
    if (!str_among(p->imported.v, p->imported.n, f->path) ||
        str_find(f->src, S("__main__"), 0) < f->src.n)
        return false;
    for (uint32_t s = py_child(f, 0, 0); s != NO_NODE; s = py_next(f, s)) {
        if (py_kind(f, s) == PY_IMPORT || py_kind(f, s) == PY_IMPORT_FROM)
            h->statement = s;
        else if (h->statement != NO_NODE)
            break;
    }
    h->gap = h->statement != NO_NODE;
    return h->statement != NO_NODE;
}

/* The names that the helpers define, `a, b`. */
static struct str names_of(const struct py *f, struct str prelude) {
    struct str names = {0};
    for (size_t at = 0; (at = str_find(prelude, S("def "), at)) < prelude.n; at++) {
        struct str name = str_sub(prelude, at + 4, str_find(prelude, S("("), at));
        names = names.n ? arena_printf(f->a, "%.*s, %.*s", STR_ARG(names), STR_ARG(name)) : name;
    }
    return names;
}

bool py_find_helper(struct py *f, struct py_helper *h) {
    const struct py_project *p = f->project;
    struct str module = target_fact(f->target, "prelude_module");
    struct str folder = str_folder_above(f->path);
    if (!p || !f->options->helper_modules || !module.n || f->stub || !str_ends(f->path, S(".py")))
        return false;
    h->folder = outermost_of(f, folder);
    if (!h->folder.n) return false;
    struct str path = arena_printf(f->a, "%.*s/%.*s.py", STR_ARG(h->folder), STR_ARG(module));
    bool ours = str_among(p->helpers.v, p->helpers.n, path);
    if (!f->disk || (!ours && f->disk->exists(f->disk->context, path))) return false;
    size_t level = 1;
    struct str dots = S("."), up, name = h->folder;
    for (up = folder; up.n > h->folder.n; up = str_folder_above(up), level++)
        dots = arena_concat(f->a, dots, S("."));
    for (size_t slash; (slash = str_find(name, S("/"), 0)) < name.n;)
        name = str_sub(name, slash + 1, name.n);
    struct str package = arena_concat(f->a, name, S("."));
    struct str names = names_of(f, rs_str(f->target.set, f->target.target->prelude));
    bool dotted = by_dots(f, h, level), named = !dotted && by_name(f, h, name);
    h->line = arena_printf(f->a, "from %.*s%.*s import %.*s", STR_ARG(named ? package : dots),
                           STR_ARG(module), STR_ARG(names));
    return dotted || named || behind_imports(f, h);
}

/* ---- the helpers themselves ---- */

bool py_uses_helpers(struct str prelude, struct str text) {
    for (size_t at = 0; (at = str_find(prelude, S("def "), at)) < prelude.n; at++) {
        struct str name = str_sub(prelude, at + 4, str_find(prelude, S("("), at));
        if (str_find_word(text, name, 0) < text.n) return true;
    }
    return false;
}

struct str py_spell_helpers(struct py *f, struct str prelude) {
    struct buf b;
    buf_init(&b, f->a);
    uint32_t torch = py_module_binding(f, S(PY_TORCH));
    struct str alias = torch == NO_NODE ? S(PY_TORCH) : f->bindings.v[torch].name;
    for (size_t i = 0; i < prelude.n; i++) {
        if (prelude.p[i] == '\n') {
            buf_add(&b, py_eol(f));
        } else if (str_starts(str_sub(prelude, i, prelude.n), S(PY_TORCH ".")) &&
                   !is_word_char(prelude.p[i - 1])) {
            buf_add(&b, alias);
            i += 4;
        } else {
            buf_addc(&b, prelude.p[i]);
        }
    }
    return buf_str(&b);
}

/* def _accelerator(): ... current_accelerator(), as this or an older version of the port wrote it.
 */
static bool defines_helper(const struct py *f, struct str name) {
    enum { MOST = 200 };
    struct str def = arena_printf(f->a, "def %.*s():", STR_ARG(name));
    size_t at = str_find(f->src, def, 0), end = at + MOST;
    struct str body = str_sub(f->src, at, end < f->src.n ? end : f->src.n);
    return str_find(body, S("accelerator.current_accelerator()"), 0) < body.n;
}

/* from ._accelerator import _accelerator */
static bool imports_helper(const struct py *f, struct str name) {
    struct str line =
        arena_printf(f->a, "%.*s import %.*s", STR_ARG(target_fact(f->target, "prelude_module")),
                     STR_ARG(name));
    return str_find(f->src, line, 0) < f->src.n;
}

bool py_has_helpers(struct py *f, struct str prelude) {
    struct str name = str_sub(prelude, 4, str_find(prelude, S("("), 0));
    return defines_helper(f, name) || imports_helper(f, name);
}

bool py_hides_helper(struct py *f, uint32_t node, struct str name) {
    struct str prelude = rs_str(f->target.set, f->target.target->prelude);
    if (!prelude.n || !py_uses_helpers(prelude, name)) return false;
    uint32_t b = py_lookup(f, py_scope_at(f, node), name);
    return b != NO_NODE && (f->bindings.v[b].scope != 0 || !py_has_helpers(f, prelude));
}

void py_ask_for_helpers(struct py *f) {
    struct str prelude = rs_str(f->target.set, f->target.target->prelude);
    if (prelude.n && f->partial && py_uses_helpers(prelude, f->src) && !py_has_helpers(f, prelude))
        f->wants_whole = true;
}
