/* SPDX-License-Identifier: Apache-2.0 */
/* configuration.c - files of Python that are read as settings.
 *
 * MMEngine carries out no import of a configuration: every imported name is an object that notes
 * where it comes from, and a call of one raises. What stands in a `try` it does carry out, and a
 * module among the settings can't be copied, which its runner does. So such a file takes another
 * word for a device, but no question for it, no helper and no import; whoever reads it has those.
 *
 * Other readers make a dictionary of all names that a file of a folder for settings binds, and
 * write it down or copy it: a module among them stops that, too. Constants in capitals are
 * imported by name, and their file is a module like others. */
#include "python/imports.h"
#include "python/match.h"

/* Whether a line begins a function or a class. The text has all lines, the tree only some. */
static bool defines(struct str src) {
    static const char *const words[] = {"def ", "class ", "async def ", "@"};
    for (size_t at = 0; at < src.n; at = str_find(src, S("\n"), at) + 1) {
        struct str line = str_sub(src, str_skip_blanks(src, at), src.n);
        for (size_t i = 0; i < ARRAY_LEN(words); i++)
            if (str_starts(line, str_of(words[i]))) return true;
    }
    return false;
}

/* Whether one of the folders that the file lies in is called after settings. */
static bool in_settings(const struct py *f) {
    struct str path = f->path;
    for (size_t at = 0, end; (end = str_find(path, S("/"), at)) < path.n; at = end + 1)
        if (py_lists(f, "python.configuration_folders", str_sub(path, at, end))) return true;
    return false;
}

/* Whether the module binds a name that is not all capitals, by an assignment. */
static bool binds_settings(const struct py *f) {
    for (uint32_t s = py_child(f, 0, 0); s != NO_NODE; s = py_next(f, s)) {
        uint32_t assignment = py_child(f, s, 0);
        if (py_kind(f, assignment) != PY_ASSIGNMENT) continue;
        struct str name = py_text(f, py_child(f, assignment, 0));
        for (size_t i = 0; i < name.n; i++)
            if (name.p[i] >= 'a' && name.p[i] <= 'z') return true;
    }
    return false;
}

/* `dict` of dict(type=Name). */
static bool is_typed_dict(struct py *f, uint32_t call) {
    return str_is(py_text(f, py_callee(f, call)), "dict") &&
           py_argument(f, call, S("type"), -1) != NO_NODE;
}

/* Whether the name that is called comes from a module other than Python's own. */
static bool calls_import(struct py *f, uint32_t call) {
    struct py_name n = py_resolve(f, py_callee(f, call));
    if (n.root == NO_NODE) return false;
    const struct py_binding *b = &f->bindings.v[n.root];
    if (b->kind != B_IMPORT && b->kind != B_FROM) return false;
    struct str root = str_sub(b->path, 0, str_find(b->path, S("."), 0));
    return !py_lists(f, "python.standard_library", root) &&
           !py_lists(f, "python.configuration_names", b->name);
}

/* `with read_base():` imports what stands below it. */
static bool leads_imports(const struct py *f, uint32_t call) {
    return py_ancestor(f, call, PY_WITH_ITEM) != NO_NODE;
}

bool py_may_be_configuration(const struct py *f) {
    return !defines(f->src) &&
           (py_mentions(f, "python.configuration_marks", f->src) || in_settings(f));
}

void py_find_configuration(struct py *f) {
    f->is_configuration = false;
    if (!py_may_be_configuration(f)) return;
    if (f->partial) { /* what makes it one may stand elsewhere */
        f->wants_whole = true;
        return;
    }
    bool marked =
        in_settings(f) && py_module_binding(f, S(PY_TORCH)) == NO_NODE && binds_settings(f);
    for (uint32_t i = 0; i < f->tree.n; i++) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_CALL && calls_import(f, i) && !leads_imports(f, i)) return;
        marked |= k == PY_CALL && is_typed_dict(f, i);
        marked |= k == PY_IDENTIFIER && py_lists(f, "python.configuration_names", py_text(f, i));
    }
    f->is_configuration = marked;
}
