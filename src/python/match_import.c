/* SPDX-License-Identifier: Apache-2.0 */
/* match_import.c - imports meet the rules: of names, of modules that go by another name, of
 * packages that a rule is about; and the calls into those. */
#include "python/match.h"

/* The nearest module around `path` that the rules know. */
bool py_find_holder(struct py *f, struct str path, struct row_ref *row) {
    for (;;) {
        struct str last = str_last_dotted(path);
        if (last.n == path.n) return false;
        path = str_sub(path, 0, path.n - last.n - 1);
        if (py_find_row(f, M_NAME, path, row) && row->row->module) return true;
    }
}

/* The rule about the module that holds `path`, or about the nearest package around it. */
static bool find_module(struct py *f, struct str path, struct row_ref *row, struct str *module) {
    for (size_t n = path.n; n > 0;) {
        *module = str_sub(path, 0, n);
        if (py_find_row(f, M_MODULE, *module, row)) return true;
        while (n > 0 && path.p[n - 1] != '.') n--;
        if (n) n--;
    }
    return false;
}

static bool match_module(struct py *f, uint32_t node, struct str path) {
    struct row_ref row;
    struct str module;
    if (!find_module(f, path, &row, &module)) return false;
    struct py_match *m = py_add_match(f, PM_MODULE, node, module, &row, C_EXACT);
    if (py_is_own_package(f, module)) {
        m->verdict = V_SAME;
        m->cell = NULL;
        m->message = arena_printf(f->a, "`%.*s` is a module of your own", STR_ARG(module));
    }
    return true;
}

/* flash_attn_func(q, k, v): a call into a module that a rule is about. */
bool py_match_module_call(struct py *f, uint32_t node, struct py_name n) {
    struct row_ref row;
    struct str module;
    if (n.root == NO_NODE || py_call_of(f, node) == NO_NODE ||
        !find_module(f, n.path, &row, &module) || !row.rule->calls || py_is_own_package(f, module))
        return false;
    struct py_match *m = py_add_match(f, PM_MODULE, node, n.path, &row, n.certainty);
    if (m->cell && m->cell->to.n && m->verdict != V_MANUAL) {
        m->verdict = V_SAME;
        m->message = S("the name follows its import, which is rewritten");
        m->name = n;
        m->follows = true;
    }
    return true;
}

static void match_imported(struct py *f, uint32_t node, struct str path) {
    struct row_ref row;
    if (py_find_row(f, M_NAME, path, &row)) {
        if (row.rule->without.n || row.rule->with_is.n) return; /* about calls */
        py_add_match(f, PM_IMPORT, node, path, &row, C_EXACT);
        return;
    }
    if (py_find_holder(f, path, &row)) {
        struct py_match *m = py_add_match(f, PM_UNKNOWN, node, path, NULL, C_EXACT);
        m->row = row;
        if (f->target.target->keep_names) m->verdict = V_SAME;
        m->message = arena_printf(f->a, "`%.*s` is no name that the rules know", STR_ARG(path));
    }
}

void py_match_import(struct py *f, uint32_t statement) {
    for (uint32_t c = py_child(f, statement, 0); c != NO_NODE; c = py_next(f, c)) {
        uint32_t name = py_kind(f, c) == PY_ALIASED_IMPORT ? py_child(f, c, 0) : c;
        struct str path = py_dotted(f, name);
        if (match_module(f, name, path)) continue;
        match_imported(f, name, path);
    }
}

/* Names of a package that a rule is about, with a row of their own: they don't follow their
 * module, as what the runtime lacks does not. Returns whether that is all that the statement
 * imports. */
static bool match_left_behind(struct py *f, uint32_t module, struct str base) {
    struct row_ref row;
    struct str package;
    if (!find_module(f, base, &row, &package) || py_is_own_package(f, package)) return false;
    bool all = true;
    for (uint32_t c = py_next(f, module); c != NO_NODE; c = py_next(f, c)) {
        uint32_t name = py_kind(f, c) == PY_ALIASED_IMPORT ? py_child(f, c, 0) : c;
        struct str path =
            arena_printf(f->a, "%.*s.%.*s", STR_ARG(base), STR_ARG(py_dotted(f, name)));
        if (py_kind(f, c) == PY_COMMENT) continue;
        if (py_kind(f, c) != PY_WILDCARD_IMPORT && py_find_row(f, M_MODULE, path, &row))
            py_add_match(f, PM_MODULE, name, path, &row, C_EXACT)->behind = true;
        else
            all = false;
    }
    return all;
}

void py_match_import_from(struct py *f, uint32_t statement) {
    uint32_t module = py_child(f, statement, 0);
    if (py_kind(f, module) != PY_DOTTED_NAME) return;
    struct str base = py_dotted(f, module);
    if (match_left_behind(f, module, base) || match_module(f, module, base)) return;
    for (uint32_t c = py_next(f, module); c != NO_NODE; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_WILDCARD_IMPORT) {
            struct row_ref row;
            if (!py_find_row(f, M_NAME, base, &row)) continue;
            struct py_match *m = py_add_match(
                f, PM_UNKNOWN, c, arena_printf(f->a, "%.*s.*", STR_ARG(base)), NULL, C_EXACT);
            m->row = row;
            if (f->target.target->keep_names) m->verdict = V_SAME;
            m->message = S("a star import hides which names are used");
            if (f->partial) f->wants_whole = true;
            continue;
        }
        uint32_t name = py_kind(f, c) == PY_ALIASED_IMPORT ? py_child(f, c, 0) : c;
        struct str path =
            arena_printf(f->a, "%.*s.%.*s", STR_ARG(base), STR_ARG(py_dotted(f, name)));
        if (!match_module(f, name, path)) match_imported(f, name, path);
    }
}
