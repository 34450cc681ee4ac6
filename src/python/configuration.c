/* SPDX-License-Identifier: Apache-2.0 */
/* configuration.c - files of Python that are read as settings.
 *
 * MMEngine carries out no import of a configuration: every imported name is an object that notes
 * where it comes from, and a call of one raises. What stands in a `try` it does carry out, and a
 * module among the settings can't be copied, which its runner does. So such a file takes another
 * word for a device, but no question for it, no helper and no import; whoever reads it has those.
 */
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

bool py_may_be_configuration(const struct py *f) {
    return !defines(f->src) && py_mentions(f, "python.configuration_marks", f->src);
}

void py_find_configuration(struct py *f) {
    f->is_configuration = false;
    if (!py_may_be_configuration(f)) return;
    if (f->partial) { /* what makes it one may stand elsewhere */
        f->wants_whole = true;
        return;
    }
    bool marked = false;
    for (uint32_t i = 0; i < f->tree.n; i++) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_CALL && calls_import(f, i)) return;
        marked |= k == PY_CALL && is_typed_dict(f, i);
        marked |= k == PY_IDENTIFIER && py_lists(f, "python.configuration_names", py_text(f, i));
    }
    f->is_configuration = marked;
}
