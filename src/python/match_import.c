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

/* What stands in a module's place on some target, where that is a package of the runtime's. */
static struct str stand_in(struct py *f, struct row_ref row) {
    for (size_t s = 0; s < f->rules->n; s++) {
        struct ruleset set = f->rules->set[s];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (uint32_t i = 0; i < set.h->targets.n; i++) {
            const struct rcell *cell =
                row_cell(row, (struct target_ref){.set = set, .target = &t[i]});
            struct str to = cell ? rs_str(row.set, cell->to) : S("");
            if (str_starts(to, S(PY_HELPERS "."))) return to;
        }
    }
    return S("");
}

/* Whether the name, which `module` and its row are about, is none that the runtime has. The same
 * for all targets: what is found does not depend on them. */
static bool is_missing(struct py *f, struct row_ref row, struct str module, struct str path) {
    struct str to = stand_in(f, row);
    if (!to.n) return false;
    path = arena_concat(f->a, to, str_sub(path, module.n, path.n));
    return !py_lists(f, "runtime.names", path);
}

static void leave_missing(struct py *f, struct py_match *m, struct str path) {
    if (m->verdict == V_SAME || m->verdict == V_MANUAL) return; /* nobody takes its place anyway */
    m->verdict = V_MANUAL;
    m->cell = NULL;
    m->message = arena_printf(f->a, "the runtime's package has no `%.*s`", STR_ARG(path));
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
    } else if (is_missing(f, row, module, path)) {
        leave_missing(f, m, path);
    }
    return true;
}

/* Whether a call by that row was matched before. */
static bool is_said(const struct py *f, struct row_ref row) {
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].called && f->matches.v[i].row.row == row.row) return true;
    return false;
}

/* bnb.nn.Linear8bitLt(...): a call into a module that a rule is about is a part of what is said at
 * the import. By itself it counts, once, where the runtime's package lacks it, or where another
 * row is about it than about the import. */
bool py_match_module_call(struct py *f, uint32_t node, struct py_name n) {
    struct row_ref row;
    struct str module;
    if (n.root == NO_NODE || py_call_of(f, node) == NO_NODE ||
        !find_module(f, n.path, &row, &module) || !row.rule->calls || py_is_own_package(f, module))
        return false;
    struct row_ref imported;
    struct str whole;
    const struct py_binding *b = &f->bindings.v[n.root];
    bool missing = is_missing(f, row, module, n.path) && b->kind == B_IMPORT;
    bool same = find_module(f, b->path, &imported, &whole) && imported.row == row.row;
    if ((same && !missing) || is_said(f, row)) {
        vec_push(f->a, &f->module_uses, row.row);
        return false;
    }
    struct py_match *m = py_add_match(f, PM_MODULE, node, n.path, &row, n.certainty);
    if (missing) leave_missing(f, m, n.path);
    m->called = true;
    return true;
}

bool py_is_module_use(struct py *f, uint32_t node) {
    struct row_ref row;
    struct str module;
    struct py_name n = py_resolve(f, node);
    return n.path.p && n.root != NO_NODE && find_module(f, n.path, &row, &module);
}

/* How often the file calls what an import brings stands beside it. */
void py_count_module_uses(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        size_t uses = 0;
        if (m->kind != PM_MODULE || !m->row.row || m->verdict == V_SAME) continue;
        for (size_t k = 0; k < f->module_uses.n; k++) {
            uses += f->module_uses.v[k] == m->row.row;
            if (f->module_uses.v[k] == m->row.row) f->module_uses.v[k] = NULL;
        }
        m->uses = (uint32_t)uses;
    }
}

/* Whether the string is what a call of that kind imports. */
static bool is_imported_name(struct py *f, uint32_t string) {
    uint32_t args = py_parent(f, string);
    if (py_kind(f, args) == PY_KEYWORD_ARGUMENT) return false;
    if (py_kind(f, args) != PY_ARGUMENT_LIST || py_child(f, args, 0) != string) return false;
    struct str callee = str_last_dotted(py_text(f, py_callee(f, py_parent(f, args))));
    return py_lists(f, "python.module_calls", callee);
}

bool py_match_module_name(struct py *f, uint32_t string) {
    struct py_literal lit;
    struct row_ref row;
    struct str module;
    if (!is_imported_name(f, string) || !py_literal(f, string, &lit) || lit.composed) return false;
    bool internal = py_lists(f, "torch.internals", lit.text);
    if (py_is_own_package(f, lit.text)) return false;
    if (internal) {
        size_t cursor = 0; /* the row about words that nobody else is about */
        if (!rules_find(f->rules, M_STRING, S(PY_WORD_ROW), &cursor, &row)) return false;
    } else if (!find_module(f, lit.text, &row, &module)) {
        return false;
    }
    struct py_match *m = py_add_match(f, PM_UNKNOWN, lit.string, lit.text, NULL, C_EXACT);
    const struct rcell *cell = internal ? NULL : row_cell(row, f->target);
    m->row = row;
    m->start = lit.start;
    m->end = lit.end;
    m->literal = lit;
    if (f->target.target->keep_names || (cell && cell->verdict == V_SAME)) m->verdict = V_SAME;
    m->message = arena_printf(f->a, "`%.*s` is imported by its name, which a text spells",
                              STR_ARG(lit.text));
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
        if (py_kind(f, c) == PY_WILDCARD_IMPORT) {
            all = false;
        } else if (py_find_row(f, M_MODULE, path, &row)) {
            py_add_match(f, PM_MODULE, name, path, &row, C_EXACT)->behind = true;
        } else if (find_module(f, path, &row, &package) && is_missing(f, row, package, path)) {
            struct py_match *m = py_add_match(f, PM_MODULE, name, path, &row, C_EXACT);
            m->behind = true;
            leave_missing(f, m, path);
        } else {
            all = false;
        }
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

/* knn_cuda.knn(x, y): a module; to_cuda(x) is none. */
static bool is_used_as_module(const struct py *f, struct str name) {
    for (size_t at = 0; (at = str_find(f->src, name, at)) < f->src.n; at += name.n) {
        size_t end = at + name.n;
        bool starts = !at || (!is_word_char(f->src.p[at - 1]) && f->src.p[at - 1] != '.');
        if (starts && end < f->src.n && f->src.p[end] == '.') return true;
    }
    return false;
}

uint32_t py_compiled_module(struct py *f, uint32_t statement) {
    struct str path = py_text(f, py_child(f, statement, 0));
    struct str root = str_word(path, 0);
    if (!root.n || str_is(root, PY_HELPERS) || py_lists(f, "python.accounted_imports", root) ||
        py_is_own_package(f, root))
        return NO_NODE;
    for (uint32_t i = statement; i < py_node(f, statement)->next; i++) {
        struct str name = py_text(f, i);
        uint32_t p = py_parent(f, i);
        if (py_kind(f, i) != PY_IDENTIFIER || py_is_own_extension(f, name)) continue;
        if (py_lists(f, "python.compiled_modules", name)) return i;
        if (!str_ends(name, S("_" PY_CUDA))) continue;
        uint32_t alias = py_parent(f, p);
        if (py_kind(f, alias) == PY_ALIASED_IMPORT) name = py_text(f, py_child(f, alias, -1));
        if (is_used_as_module(f, name)) return i;
    }
    return NO_NODE;
}

/* from riva.decoder import BatchedDecoderCuda, where no file around has that path. */
bool py_is_class_of_library(struct py *f, uint32_t statement, struct str name) {
    struct str path = py_text(f, py_child(f, statement, 0)), folder = str_folder(f->path);
    struct str root = str_word(path, 0);
    bool is_class = name.n && name.p[0] >= 'A' && name.p[0] <= 'Z', lower = false;
    for (size_t i = 0; i < name.n; i++) lower |= name.p[i] >= 'a' && name.p[i] <= 'z';
    if (!is_class || !lower || !root.n || py_kind(f, statement) != PY_IMPORT_FROM ||
        str_is(root, PY_TORCH) || str_is(root, PY_HELPERS) || py_is_own_package(f, root))
        return false;
    if (!f->disk) return true;
    char *inside = arena_strdup(f->a, path);
    for (size_t i = 0; i < path.n; i++)
        if (inside[i] == '.') inside[i] = '/';
    enum { MAX_LEVELS = 8 };
    f->asked_disk = true;
    for (int level = 0; level < MAX_LEVELS; level++) {
        struct str base = arena_printf(f->a, "%.*s%s", STR_ARG(folder), inside);
        if (f->disk->exists(f->disk->context, arena_concat(f->a, base, S(".py"))) ||
            f->disk->exists(f->disk->context, arena_concat(f->a, base, S("/__init__.py"))))
            return false;
        if (!folder.n) break;
        folder = str_folder(str_sub(folder, 0, folder.n - 1));
    }
    return true;
}
