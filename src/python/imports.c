/* SPDX-License-Identifier: Apache-2.0 */
/* imports.c - import lines: porting them, and adding what edits need.
 *
 * An import is ported when every use of what it binds can follow; else it stays as it is
 * ("pinned") and the uses are written with absolute names. The target's own import, `import torch`
 * and helper functions are added once, next to the first torch import or after the docstring and
 * `from __future__` lines. */
#include "python/imports.h"

/* ---- porting import statements ---- */

static uint32_t binding_of_node(const struct py *f, uint32_t node) {
    for (uint32_t i = 0; i < f->bindings.n; i++)
        if (f->bindings.v[i].node == node) return i;
    return NO_NODE;
}

static bool bound_anywhere(const struct py *f, struct str name) {
    for (uint32_t i = 0; i < f->bindings.n; i++)
        if (str_eq(f->bindings.v[i].name, name)) return true;
    return false;
}

/* `from torch import cuda` may become `from torch import npu` instead of `npu as cuda` when every
 * use of the name is a match that is rewritten anyway. */
static bool uses_can_be_renamed(struct py *f, uint32_t binding, struct str new_name) {
    const struct py_binding *b = &f->bindings.v[binding];
    if (b->next != NO_NODE || bound_anywhere(f, new_name) || bound_anywhere(f, S("__all__")))
        return false;
    for (uint32_t i = 0; i < f->tree.n; i++) {
        if (py_kind(f, i) != PY_IDENTIFIER || !str_eq(py_text(f, i), b->name)) continue;
        if (py_ancestor(f, i, PY_IMPORT_FROM) != NO_NODE) continue;
        uint32_t p = py_parent(f, i);
        if (py_kind(f, p) == PY_KEYWORD_ARGUMENT && py_child(f, p, 0) == i) continue;
        if (py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, 0) != i) continue;
        if (py_lookup(f, py_scope_at(f, i), b->name) != binding) continue;
        bool matched = false;
        for (size_t m = 0; m < f->matches.n && !matched; m++) {
            const struct py_match *x = &f->matches.v[m];
            matched = x->kind == PM_NAME && py_node(f, x->node)->start == py_node(f, i)->start &&
                      py_applicable(f, x) && py_cell_import_path(f, x).p;
        }
        if (!matched) return false;
    }
    return true;
}

static void port_name(struct draft *d, struct py_imported *n) {
    struct py *f = d->f;
    struct str last = str_last_dotted(n->path), old = py_text(f, n->name);
    if (str_eq(last, old)) return;
    draft_put(d, py_node(f, n->name)->start, py_node(f, n->name)->end, last);
    if (n->aliased) return;
    if (n->binding != NO_NODE && uses_can_be_renamed(f, n->binding, last))
        f->bindings.v[n->binding].renamed = last;
    else
        draft_put(d, py_node(f, n->name)->end, py_node(f, n->name)->end,
                  arena_printf(f->a, " as %.*s", STR_ARG(old)));
}

static bool port_from(struct draft *d, uint32_t statement, struct py_imported *v, size_t n) {
    struct py *f = d->f;
    struct str module = py_path_parent(v[0].path);
    for (size_t i = 1; i < n; i++)
        if (!str_eq(py_path_parent(v[i].path), module))
            return py_split_statement(d, statement, v, n);
    draft_rename_chain(d, py_child(f, statement, 0), module);
    for (size_t i = 0; i < n; i++) port_name(d, &v[i]);
    return true;
}

static bool port_import(struct draft *d, struct py_imported *v, size_t n) {
    struct py *f = d->f;
    for (size_t i = 0; i < n; i++) {
        if (v[i].match == NO_NODE) continue;
        struct str old = py_text(f, v[i].name);
        struct str root = str_sub(old, 0, str_find(old, S("."), 0));
        if (!v[i].aliased && !(str_starts(v[i].path, root) && v[i].path.p[root.n] == '.')) {
            d->why = S("the import binds another name after the rewrite");
            return false;
        }
        draft_rename_chain(d, v[i].name, v[i].path);
    }
    return true;
}

static uint32_t match_at(const struct py *f, uint32_t name) {
    for (uint32_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].node == name && f->matches.v[i].kind == PM_IMPORT) return i;
    return NO_NODE;
}

static size_t collect(struct py *f, uint32_t statement, struct py_imported **out, bool *moves) {
    bool from = py_kind(f, statement) == PY_IMPORT_FROM;
    VEC(struct py_imported) v = {0};
    uint32_t c = py_child(f, statement, 0);
    struct str base = py_text(f, c);
    *moves = false;
    for (c = from ? py_next(f, c) : c; c != NO_NODE; c = py_next(f, c)) {
        struct py_imported n = {.item = c, .aliased = py_kind(f, c) == PY_ALIASED_IMPORT};
        n.name = n.aliased ? py_child(f, c, 0) : c;
        uint32_t bound = n.aliased ? py_child(f, c, -1) : from ? c : py_child(f, c, 0);
        n.binding = binding_of_node(f, bound);
        n.match = match_at(f, n.name);
        n.path = from ? arena_printf(f->a, "%.*s.%.*s", STR_ARG(base), STR_ARG(py_text(f, n.name)))
                      : py_text(f, n.name);
        struct py_match *m = n.match == NO_NODE ? NULL : &f->matches.v[n.match];
        if (m && py_applicable(f, m) &&
            !(n.binding != NO_NODE && f->bindings.v[n.binding].pinned)) {
            struct str path = py_cell_import_path(f, m);
            if (path.p && !str_eq(path, n.path)) {
                n.path = path;
                *moves = true;
            } else {
                n.match = path.p ? n.match : (uint32_t)NO_NODE;
            }
        } else {
            n.match = NO_NODE;
        }
        vec_push(f->a, &v, n);
    }
    *out = v.v;
    return v.n;
}

void py_port_imports(struct py *f, struct draft **drafts) {
    for (uint32_t i = 0; i < f->bindings.n; i++)
        f->bindings.v[i].ported = f->bindings.v[i].renamed = (struct str){0};
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].kind == PM_IMPORT) f->matches.v[i].applied = false;
    for (uint32_t s = 0; s < f->tree.n; s++) {
        enum py_kind k = py_kind(f, s);
        if (k != PY_IMPORT && k != PY_IMPORT_FROM) continue;
        struct py_imported *v;
        bool moves;
        size_t n = collect(f, s, &v, &moves);
        if (!moves) continue;
        uint32_t lead = NO_NODE;
        for (size_t i = 0; i < n && lead == NO_NODE; i++) lead = v[i].match;
        struct draft *d = NEW(f->a, struct draft);
        *d = (struct draft){.f = f, .match = lead, .m = &f->matches.v[lead]};
        for (size_t i = 0; i < n; i++)
            if (v[i].match != NO_NODE && v[i].binding != NO_NODE &&
                (v[i].aliased || k == PY_IMPORT_FROM))
                f->bindings.v[v[i].binding].ported = v[i].path; /* `import a.b` binds a */
        bool ok = k == PY_IMPORT ? port_import(d, v, n) : port_from(d, s, v, n);
        for (size_t i = 0; i < n; i++) {
            if (v[i].match == NO_NODE) continue;
            struct py_match *m = &f->matches.v[v[i].match];
            m->applied = ok;
            if (!ok) {
                m->advice = d->why;
                if (v[i].binding != NO_NODE) f->bindings.v[v[i].binding].ported = (struct str){0};
            } else {
                m->replacement = v[i].path;
            }
        }
        if (ok) drafts[lead] = d;
    }
}

/* ---- adding lines ---- */

static void add_line(struct py *f, size_t at, struct str text) {
    struct match_edit e = {(uint32_t)at, (uint32_t)at, text, NO_NODE, false, f->need};
    vec_push(f->a, &f->edits, e);
}

static struct str indent_of(const struct py *f, uint32_t statement) {
    size_t start = py_node(f, statement)->start, i = start;
    while (i > 0 && (f->src.p[i - 1] == ' ' || f->src.p[i - 1] == '\t')) i--;
    return str_sub(f->src, i, start);
}

/* End of the line that the statement's last line is, before its line break; a statement that
 * follows after `;` on the same line counts to it. */
static size_t line_end_after(const struct py *f, uint32_t statement) {
    size_t i = py_node(f, statement)->end;
    for (uint32_t s = py_next(f, statement); s != NO_NODE; s = py_next(f, s)) {
        if (memchr(f->src.p + i, '\n', py_node(f, s)->start - i)) break;
        i = py_node(f, s)->end;
    }
    while (i < f->src.n && f->src.p[i] != '\n') i++;
    return i > 0 && i < f->src.n && f->src.p[i - 1] == '\r' ? i - 1 : i;
}

static size_t line_start_of(const struct py *f, uint32_t statement) {
    size_t i = py_node(f, statement)->start;
    while (i > 0 && f->src.p[i - 1] != '\n') i--;
    return i == 0 && str_starts(f->src, S("\xEF\xBB\xBF")) ? 3 : i;
}

/* Whether other code stands before the statement on its line: `if x: import torch`. */
static bool follows_on_line(const struct py *f, uint32_t statement) {
    size_t i = py_node(f, statement)->start;
    while (i > 0 && (f->src.p[i - 1] == ' ' || f->src.p[i - 1] == '\t')) i--;
    return i > 0 && f->src.p[i - 1] != '\n' && !(i == 3 && str_starts(f->src, S("\xEF\xBB\xBF")));
}

/* Whether other code shares the statement's line, as here or before or behind `;`. */
static bool shares_line(const struct py *f, uint32_t statement) {
    if (follows_on_line(f, statement)) return true;
    size_t i = py_node(f, statement)->end;
    while (i < f->src.n && (f->src.p[i] == ' ' || f->src.p[i] == '\t')) i++;
    return i < f->src.n && f->src.p[i] == ';';
}

static void add_after(struct py *f, uint32_t statement, struct str text) {
    if (shares_line(f, statement)) {
        add_line(f, py_node(f, statement)->end, arena_printf(f->a, "; %.*s", STR_ARG(text)));
        return;
    }
    add_line(f, line_end_after(f, statement),
             arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(py_eol(f)),
                          STR_ARG(indent_of(f, statement)), STR_ARG(text)));
}

static void add_before(struct py *f, uint32_t statement, struct str text) {
    if (follows_on_line(f, statement)) {
        add_line(f, py_node(f, statement)->start, arena_printf(f->a, "%.*s; ", STR_ARG(text)));
        return;
    }
    add_line(f, line_start_of(f, statement),
             arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(indent_of(f, statement)), STR_ARG(text),
                          STR_ARG(py_eol(f))));
}

static void add_beside(struct py *f, uint32_t statement, bool above, struct str text) {
    if (above)
        add_before(f, statement, text);
    else
        add_after(f, statement, text);
}

/* Lines of their own before a statement of the module; a line that it shares is cut there. */
static void add_lines_before(struct py *f, uint32_t statement, struct str text) {
    size_t start = py_node(f, statement)->start, i = start;
    while (i > 0 && strchr("; \t", f->src.p[i - 1])) i--;
    struct str cut = py_eol(f);
    if (i == line_start_of(f, statement)) cut = (struct str){0};
    struct match_edit e = {
        (uint32_t)i,
        (uint32_t)start,
        arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(cut), STR_ARG(text), STR_ARG(py_eol(f))),
        NO_NODE,
        false,
        f->need};
    vec_push(f->a, &f->edits, e);
}

/* Whether they stand on one line, which `;` divides. */
static bool same_line(const struct py *f, uint32_t statement, uint32_t next) {
    size_t end = py_node(f, statement)->end;
    return next != NO_NODE && !memchr(f->src.p + end, '\n', py_node(f, next)->start - end);
}

static bool is_docstring(const struct py *f, uint32_t s) {
    uint32_t e = py_child(f, s, 0);
    return py_kind(f, s) == PY_EXPRESSION_STATEMENT &&
           (py_kind(f, e) == PY_STRING || py_kind(f, e) == PY_CONCATENATED_STRING);
}

/* The last of the docstring and the `from __future__` lines, or NO_NODE; *next is the statement
 * after it. */
static uint32_t end_of_preamble(const struct py *f, uint32_t *next) {
    uint32_t last = NO_NODE, s = py_child(f, 0, 0);
    for (bool first = true; s != NO_NODE; s = py_next(f, s), first = false) {
        if (!(first && is_docstring(f, s)) && py_kind(f, s) != PY_FUTURE_IMPORT) break;
        last = s;
    }
    *next = s;
    return last;
}

static void add_at_top(struct py *f, struct str text) {
    uint32_t next, last = end_of_preamble(f, &next);
    bool import = py_kind(f, next) == PY_IMPORT || py_kind(f, next) == PY_IMPORT_FROM;
    bool lines = str_find(text, S("\n"), 0) < text.n;
    if (next != NO_NODE && lines && (last == NO_NODE || same_line(f, last, next)))
        add_lines_before(f, next, text);
    else if (next != NO_NODE && (last == NO_NODE || import || same_line(f, last, next)))
        add_before(f, next, text);
    else if (last != NO_NODE)
        add_after(f, last, arena_concat(f->a, py_eol(f), text));
    else
        add_line(f, f->src.n, arena_concat(f->a, text, py_eol(f)));
}

static bool imports_root(const struct py *f, uint32_t statement, struct str root) {
    for (uint32_t c = py_child(f, statement, 0); c != NO_NODE; c = py_next(f, c)) {
        uint32_t name = py_kind(f, c) == PY_ALIASED_IMPORT ? py_child(f, c, 0) : c;
        if (py_kind(f, name) == PY_DOTTED_NAME && str_eq(py_text(f, py_child(f, name, 0)), root))
            return true;
        if (py_kind(f, statement) == PY_IMPORT_FROM) return false;
    }
    return false;
}

static bool for_type_checking(const struct py *f, uint32_t statement) {
    for (uint32_t i = statement; i != NO_NODE; i = py_parent(f, i))
        if (py_kind(f, i) == PY_IF &&
            str_is(str_last_dotted(py_text(f, py_child(f, i, 0))), "TYPE_CHECKING"))
            return true;
    return false;
}

/* The first import of torch at module level (in a try or if too), or NO_NODE. */
static uint32_t first_torch_import(const struct py *f) {
    uint32_t for_types = NO_NODE;
    for (uint32_t i = 0; i < f->tree.n; i++) {
        enum py_kind k = py_kind(f, i);
        if ((k != PY_IMPORT && k != PY_IMPORT_FROM) || f->scope_of[i] != 0 ||
            !imports_root(f, i, S(PY_TORCH)))
            continue;
        if (!for_type_checking(f, i)) return i;
        if (for_types == NO_NODE) for_types = i;
    }
    return for_types;
}

static bool edits_inside(const struct py *f, uint32_t node, struct str text) {
    for (size_t i = 0; i < f->edits.n; i++) {
        const struct match_edit *e = &f->edits.v[i];
        if (e->start >= py_node(f, node)->start && e->end <= py_node(f, node)->end &&
            (text.n == 0 || str_find(e->text, text, 0) < e->text.n))
            return true;
    }
    return false;
}

/* One inside a function helps only that function. */
static bool imports_in(const struct py *f, uint32_t scope, struct str module) {
    for (uint32_t i = 0; i < f->tree.n; i++) {
        enum py_kind k = py_kind(f, i);
        if ((k == PY_IMPORT || k == PY_IMPORT_FROM) && f->scope_of[i] == scope &&
            imports_root(f, i, module))
            return true;
    }
    return false;
}

/* The matches between these bytes need the lines that are added now. */
static void need_inside(struct py *f, uint32_t block, uint32_t number) {
    f->need = NEED_BLOCKS + number < MOST_NEEDS ? (uint8_t)(NEED_BLOCKS + number) : 0;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        bool inside = m->start >= py_node(f, block)->start && m->end <= py_node(f, block)->end;
        if (inside) m->needs |= 1U << f->need;
    }
}

/* Whether the tree imports the vendor's package where it may be missing. */
static bool may_be_missing(const struct py *f, struct str module) {
    const struct py_project *p = f->project;
    return p && str_among(p->guarded_packages.v, p->guarded_packages.n, module);
}

/* The lines behind the first, `try:`, with what stands before that. */
static struct str tried_import(struct py *f, struct str module, struct str indent) {
    struct str eol = py_eol(f);
    bool tabs = str_find(f->src, S("\n\t"), 0) < f->src.n;
    const char *in = tabs ? "\t" : "    ";
    return arena_printf(f->a, "try:%.*s%.*s%simport %.*s%.*s%.*sexcept ImportError:%.*s%.*s%spass",
                        STR_ARG(eol), STR_ARG(indent), in, STR_ARG(module), STR_ARG(eol),
                        STR_ARG(indent), STR_ARG(eol), STR_ARG(indent), in);
}

/* Where the line ends that begins at `at`, with those that it goes on in. */
static size_t end_of_logical_line(struct str src, size_t at) {
    size_t depth = 0;
    for (; at < src.n; at++) {
        depth += src.p[at] == '(';
        depth -= depth && src.p[at] == ')';
        bool goes_on = depth || (at && src.p[at - 1] == '\\') ||
                       (at > 1 && src.p[at - 1] == '\r' && src.p[at - 2] == '\\');
        if (src.p[at] == '\n' && !goes_on) break;
    }
    return at;
}

/* The end of the last of the imports at the left margin that follow one whose line ends at `at`.
 * By the text: what has nothing of CUDA's may not have been parsed. */
static size_t end_of_imports(struct str src, size_t at) {
    for (size_t end = at, next = at; next < src.n;) {
        while (next < src.n && strchr("\r\n", src.p[next])) next++;
        struct str rest = str_sub(src, next, src.n);
        if (!str_starts(rest, S("import ")) && !str_starts(rest, S("from "))) return end;
        at = end = next = end_of_logical_line(src, next);
        if (end && src.p[end - 1] == '\r') at = end = end - 1;
    }
    return at;
}

/* In a project for several vendors the package may be missing: the import is tried, behind the
 * imports that follow torch's. False: one of them needs it before. */
static bool add_tried_import(struct py *f, uint32_t torch, struct str module) {
    struct str name = str_last_dotted(target_fact(f->target, "module"));
    if (py_kind(f, py_parent(f, torch)) != PY_MODULE || shares_line(f, torch)) return false;
    size_t end = end_of_imports(f->src, line_end_after(f, torch));
    for (size_t i = 0; i < f->edits.n; i++) {
        const struct match_edit *e = &f->edits.v[i];
        if (e->start >= py_node(f, torch)->start && e->end <= end &&
            str_find(e->text, name, 0) < e->text.n)
            return false;
    }
    add_line(f, end,
             arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(py_eol(f)), STR_ARG(py_eol(f)),
                          STR_ARG(tried_import(f, module, S("")))));
    return true;
}

/* The module that an import statement is about begins with it; empty: no import. */
static struct str import_root(const struct py *f, uint32_t s) {
    enum py_kind k = py_kind(f, s);
    if (k != PY_IMPORT && k != PY_IMPORT_FROM) return S("");
    struct str name = py_text(f, py_child(f, s, 0));
    size_t n = 0;
    while (n < name.n && (is_word_char(name.p[n]) || (n == 0 && name.p[n] == '.'))) n++;
    return str_sub(name, 0, n);
}

/* The import of a library in a file that begins with imports of Python's own modules: in the group
 * behind them, as formatters sort it. False: there are none, or it is used before. */
static bool add_behind_standard(struct py *f, struct str module, struct str line) {
    uint32_t next, last = NO_NODE, s;
    if (py_lists(f, "python.standard_library", module)) return false;
    end_of_preamble(f, &next);
    for (s = next; py_lists(f, "python.standard_library", import_root(f, s)); s = py_next(f, s))
        last = s;
    if (last == NO_NODE || same_line(f, last, s) || shares_line(f, last)) return false;
    for (size_t i = 0; i < f->edits.n; i++)
        if (f->edits.v[i].start < py_node(f, last)->end) return false;
    uint32_t first = s;
    for (struct str root; (root = import_root(f, s)).n && root.p[0] != '.'; s = py_next(f, s)) {
        bool behind = py_kind(f, s) == PY_IMPORT_FROM || str_cmp(line, py_text(f, s)) < 0;
        if (behind && s == first) {
            add_before(f, s, line);
            return true;
        }
        if (behind) break;
        last = s;
    }
    if (shares_line(f, last)) return false;
    for (size_t i = 0; i < f->edits.n; i++)
        if (f->edits.v[i].start < py_node(f, last)->end) return false;
    add_after(f, last, s == first ? arena_concat(f->a, py_eol(f), line) : line);
    return true;
}

/* The function whose body the node runs in; a default runs where the function is defined. */
static uint32_t function_around(const struct py *f, uint32_t node) {
    uint32_t function = py_ancestor(f, node, PY_FUNCTION);
    while (function != NO_NODE && node < py_child(f, function, -1))
        function = py_ancestor(f, py_parent(f, function), PY_FUNCTION);
    return function;
}

/* The statement of the function that what the edit needs is imported at: the last import above it,
 * or the first statement; `*above`: it goes in front of that. */
static uint32_t place_within(const struct py *f, uint32_t function, size_t edit, bool *above) {
    uint32_t found = NO_NODE, block = py_child(f, function, -1);
    for (uint32_t i = function; i < py_node(f, function)->next; i++) {
        enum py_kind k = py_kind(f, i);
        uint32_t around = py_parent(f, i);
        if ((k == PY_IMPORT || k == PY_IMPORT_FROM) &&
            py_ancestor(f, i, PY_FUNCTION) == function && py_node(f, i)->end <= edit &&
            py_kind(f, around) == PY_BLOCK && py_node(f, around)->end > edit && !shares_line(f, i))
            found = i;
    }
    *above = found == NO_NODE;
    if (found != NO_NODE || py_kind(f, block) != PY_BLOCK) return found;
    found = py_child(f, block, 0);
    while (found != NO_NODE && (is_docstring(f, found) || py_kind(f, found) == PY_COMMENT))
        found = py_next(f, found);
    return found;
}

/* Whether the function, or one around it, imports the package. */
static bool function_imports(const struct py *f, uint32_t function, struct str root) {
    for (; function != NO_NODE; function = py_ancestor(f, py_parent(f, function), PY_FUNCTION))
        for (uint32_t i = function; i < py_node(f, function)->next; i++) {
            enum py_kind k = py_kind(f, i);
            if ((k == PY_IMPORT || k == PY_IMPORT_FROM) && imports_root(f, i, root) &&
                py_ancestor(f, i, PY_FUNCTION) == function)
                return true;
        }
    return false;
}

static bool imports_torch_late(const struct py *f) {
    for (uint32_t i = 0; i < f->tree.n; i++)
        if ((py_kind(f, i) == PY_IMPORT || py_kind(f, i) == PY_IMPORT_FROM) &&
            imports_root(f, i, S(PY_TORCH)) && py_ancestor(f, i, PY_FUNCTION) != NO_NODE)
            return true;
    return false;
}

/* A function that is ported and imports no torch, in a file whose functions do so one by one. */
static void add_to_other_functions(struct py *f, struct str module, struct str line, bool tried,
                                   uint32_t blocks) {
    uint32_t last = NO_NODE;
    for (size_t i = 0, n = f->edits.n; i < n; i++) {
        struct match_edit edit = f->edits.v[i], *e = &edit; /* lines are added below */
        if (e->match == NO_NODE || !(f->matches.v[e->match].needs >> NEED_VENDOR & 1)) continue;
        uint32_t function = function_around(f, f->matches.v[e->match].node);
        bool above;
        if (function == NO_NODE || function == last ||
            function_imports(f, function, S(PY_TORCH)) || function_imports(f, function, module))
            continue;
        uint32_t place = place_within(f, function, e->start, &above);
        if (place == NO_NODE || py_node(f, place)->start > e->start) continue;
        last = function;
        need_inside(f, function, blocks++);
        struct str here = tried ? tried_import(f, module, indent_of(f, place)) : line;
        add_beside(f, place, above, here);
    }
}

static void add_vendor_import(struct py *f, struct str module, bool names_changed) {
    if (imports_in(f, 0, module)) return;
    f->need = NEED_VENDOR;
    if (f->is_configuration) return; /* its reader imports the package */
    struct str line = arena_printf(f->a, "import %.*s", STR_ARG(module));
    uint32_t torch = first_torch_import(f);
    if (f->stub || (torch != NO_NODE && for_type_checking(f, torch)))
        return; /* nothing runs there */
    bool tried = may_be_missing(f, module);
    if (torch != NO_NODE) {
        if (tried && add_tried_import(f, torch, module)) return;
        if (tried && !shares_line(f, torch)) line = tried_import(f, module, indent_of(f, torch));
        /* `from torch.npu import ...` exists only once the vendor's package is imported */
        add_beside(f, torch, edits_inside(f, torch, S("")), line);
        return;
    }
    uint32_t last_scope = 0, blocks = 0; /* once per function */
    for (uint32_t i = 0; i < f->tree.n; i++) {
        enum py_kind k = py_kind(f, i);
        if ((k != PY_IMPORT && k != PY_IMPORT_FROM) || !imports_root(f, i, S(PY_TORCH)) ||
            for_type_checking(f, i))
            continue;
        uint32_t block = py_ancestor(f, i, PY_FUNCTION); /* it may stand in a try there */
        if (block == NO_NODE) block = py_ancestor(f, i, PY_BLOCK);
        if (block == NO_NODE || !edits_inside(f, block, S("")) || f->scope_of[i] == last_scope)
            continue;
        last_scope = f->scope_of[i];
        if (imports_in(f, last_scope, module)) continue;
        need_inside(f, block, blocks++);
        struct str here =
            tried && !shares_line(f, i) ? tried_import(f, module, indent_of(f, i)) : line;
        add_beside(f, i, edits_inside(f, i, S("")), here);
    }
    if (imports_torch_late(f) && (last_scope != 0 || !names_changed))
        add_to_other_functions(f, module, line, tried, blocks);
    f->need = NEED_VENDOR_NAME;
    if (last_scope == 0 && names_changed && !add_behind_standard(f, module, line))
        add_at_top(f, line);
}

/* Whether any edit does; its match then needs the prelude, and torch for it. */
static bool prelude_used(struct py *f, struct str prelude) {
    bool any = false;
    for (size_t i = 0; i < f->edits.n; i++) {
        const struct match_edit *e = &f->edits.v[i];
        if (e->match == NO_NODE || !py_uses_helpers(prelude, e->text)) continue;
        f->matches.v[e->match].needs |= 1U << NEED_PRELUDE | 1U << NEED_MODULES;
        any = true;
    }
    return any;
}

static bool is_import_like(const struct py *f, uint32_t s) {
    enum py_kind k = py_kind(f, s);
    if (k == PY_IMPORT || k == PY_IMPORT_FROM || k == PY_FUTURE_IMPORT) return true;
    if (k != PY_TRY && k != PY_IF) return false;
    for (uint32_t i = s; i < py_node(f, s)->next; i++) {
        enum py_kind c = py_kind(f, i);
        if (c == PY_IMPORT || c == PY_IMPORT_FROM) return true;
    }
    return false;
}

/* Where the first edit is that needs the helpers. */
static size_t first_use_of(const struct py *f, struct str prelude) {
    size_t first = f->src.n;
    for (size_t i = 0; i < f->edits.n; i++)
        if (f->edits.v[i].match != NO_NODE && f->edits.v[i].start < first &&
            py_uses_helpers(prelude, f->edits.v[i].text))
            first = f->edits.v[i].start;
    return first;
}

/* The import of torch within a function that an edit stands in, behind it; NO_NODE: none is. */
static uint32_t torch_import_for(const struct py *f, const struct match_edit *e) {
    for (uint32_t i = 0; i < f->tree.n && py_node(f, i)->start < e->start; i++) {
        enum py_kind k = py_kind(f, i);
        if ((k != PY_IMPORT && k != PY_IMPORT_FROM) || py_node(f, i)->end > e->start ||
            !imports_root(f, i, S(PY_TORCH)) || for_type_checking(f, i))
            continue;
        uint32_t function = py_ancestor(f, i, PY_FUNCTION);
        if (function != NO_NODE && e->end <= py_node(f, function)->end) return i;
    }
    return NO_NODE;
}

typedef VEC(uint32_t) nodes;

/* The imports of torch within functions for all that the helpers are for, in a file that does
 * without torch until one of those runs. False: some place needs them elsewhere; `*bare`: one is
 * in a function that imports no torch. */
static bool late_imports(struct py *f, struct str prelude, nodes *out, bool *bare) {
    nodes imports = {0};
    *bare = false;
    if (first_torch_import(f) != NO_NODE || !imports_torch_late(f)) return false;
    for (size_t i = 0; i < f->edits.n; i++) {
        const struct match_edit *e = &f->edits.v[i];
        if (e->match == NO_NODE || !py_uses_helpers(prelude, e->text)) continue;
        uint32_t torch = torch_import_for(f, e);
        if (torch == NO_NODE) {
            if (function_around(f, f->matches.v[e->match].node) == NO_NODE) return false;
            *bare = true;
            continue;
        }
        bool known = false;
        for (size_t k = 0; k < imports.n; k++) known |= imports.v[k] == torch;
        if (!known) vec_push(f->a, &imports, torch);
    }
    *out = imports;
    return imports.n > 0 || *bare;
}

/* Such a file stays so: the helper, whose module imports torch, is imported behind it. */
static bool import_inside(struct py *f, struct str prelude, struct str line) {
    nodes imports;
    bool bare;
    if (!late_imports(f, prelude, &imports, &bare)) return false;
    for (size_t k = 0; k < imports.n; k++) add_after(f, imports.v[k], line);
    uint32_t last = NO_NODE;
    for (size_t i = 0, n = f->edits.n; bare && i < n; i++) {
        struct match_edit e = f->edits.v[i];
        if (e.match == NO_NODE || !py_uses_helpers(prelude, e.text) ||
            torch_import_for(f, &e) != NO_NODE)
            continue;
        uint32_t function = function_around(f, f->matches.v[e.match].node);
        bool above;
        uint32_t place = place_within(f, function, e.start, &above);
        if (function == last || place == NO_NODE) continue;
        last = function;
        if (above)
            add_before(f, place, line);
        else
            add_after(f, place, line);
    }
    return true;
}

/* From a module of the package, where the file can import one. */
static bool import_prelude(struct py *f, struct str prelude) {
    struct py_helper h;
    if (!py_find_helper(f, &h) || first_use_of(f, prelude) < py_node(f, h.statement)->end)
        return false;
    bool inside = import_inside(f, prelude, h.line);
    bool gap = h.gap && !inside && !shares_line(f, h.statement);
    if (!inside && h.behind)
        add_after(f, h.statement, gap ? arena_concat(f->a, py_eol(f), h.line) : h.line);
    if (!inside && !h.behind) add_before(f, h.statement, h.line);
    f->helper = h.folder;
    return true;
}

/* After the last import that stands before the first edit which needs the helper. */
static void add_prelude(struct py *f, struct str prelude, bool torch_added, bool late) {
    size_t first_use = first_use_of(f, prelude);
    uint32_t last = NO_NODE;
    for (uint32_t s = py_child(f, 0, 0); s != NO_NODE && py_node(f, s)->start < first_use;
         s = py_next(f, s)) {
        enum py_kind k = py_kind(f, s);
        if (k == PY_FUNCTION || k == PY_CLASS || k == PY_DECORATED) break;
        if (is_import_like(f, s) && py_node(f, s)->end <= first_use) last = s;
    }
    struct str eol = py_eol(f);
    struct buf b;
    buf_init(&b, f->a);
    struct str text = py_spell_helpers(f, prelude);
    size_t head = str_find(text, eol, 0);
    buf_add(&b, str_sub(text, 0, head));
    if (late) /* it imports torch itself */
        buf_printf(&b, "%.*s    import " PY_TORCH "%.*s", STR_ARG(eol), STR_ARG(eol));
    buf_add(&b, str_sub(text, head, text.n));
    uint32_t first_statement;
    if (last == NO_NODE) last = end_of_preamble(f, &first_statement);
    if (last == NO_NODE) {
        struct str gap = arena_concat(f->a, eol, eol);
        struct str before = torch_added ? gap : S("");
        add_at_top(f, arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(before), STR_ARG(buf_str(&b)),
                                   STR_ARG(gap)));
        return;
    }
    size_t at = line_end_after(f, last), next = at;
    if (at > first_use) {
        struct str gap = arena_concat(f->a, eol, eol);
        add_lines_before(
            f, py_next(f, last),
            arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(gap), STR_ARG(buf_str(&b)), STR_ARG(gap)));
        return;
    }
    while (next < f->src.n && (f->src.p[next] == '\r' || f->src.p[next] == '\n')) next++;
    size_t blank = 0;
    for (size_t i = at; i < next; i++) blank += f->src.p[i] == '\n';
    if (next < f->src.n)
        for (; blank < 3; blank++) buf_add(&b, eol);
    add_line(f, at,
             arena_printf(f->a, "%.*s%.*s%.*s%.*s", STR_ARG(eol), STR_ARG(eol), STR_ARG(eol),
                          STR_ARG(buf_str(&b))));
}

/* A piece of a program that uses the name without binding it gets it from elsewhere. */
static bool uses_unbound(const struct py *f, struct str name) {
    for (uint32_t i = 0; i < f->tree.n; i++)
        if (py_kind(f, i) == PY_IDENTIFIER && str_eq(py_text(f, i), name) &&
            py_lookup(f, py_scope_at(f, i), name) == NO_NODE &&
            py_kind(f, py_parent(f, i)) != PY_DOTTED_NAME)
            return true;
    return false;
}

/* A library's import stands before torch's, with those of its kind; contextlib at the top. */
static void add_module_import(struct py *f, const char *name) {
    struct str module = str_of(name), line = arena_concat(f->a, S("import "), module);
    uint32_t torch = str_is(module, PY_CONTEXTLIB) ? (uint32_t)NO_NODE : first_torch_import(f);
    bool beside = torch != NO_NODE && py_kind(f, py_parent(f, torch)) == PY_MODULE;
    for (size_t i = 0; beside && i < f->edits.n; i++)
        if (f->edits.v[i].start < py_node(f, torch)->start &&
            str_find_word(f->edits.v[i].text, module, 0) < f->edits.v[i].text.n)
            beside = false; /* it is used before */
    if (beside)
        add_before(f, torch, line);
    else if (!add_behind_standard(f, module, line))
        add_at_top(f, line);
}

void py_add_imports(struct py *f, const struct needs *needs) {
    struct str prelude = rs_str(f->target.set, f->target.target->prelude);
    bool helper = prelude.n && prelude_used(f, prelude) && !py_has_helpers(f, prelude);
    struct str torch = S(PY_TORCH);
    uint32_t bound = py_module_binding(f, torch);
    bool has_torch = bound != NO_NODE && !for_type_checking(f, f->bindings.v[bound].node);
    f->need = NEED_PRELUDE;
    if (helper && import_prelude(f, prelude)) helper = false;
    nodes imports;
    bool bare, late = helper && !has_torch && late_imports(f, prelude, &imports, &bare);
    bool asked = (helper && !late) || ((needs->modules & 1) && !uses_unbound(f, torch));
    bool torch_added = !has_torch && asked;
    f->need = NEED_MODULES;
    if (torch_added && !add_behind_standard(f, torch, S("import " PY_TORCH)))
        add_at_top(f, S("import " PY_TORCH));
    for (size_t i = 1; i < ARRAY_LEN(py_modules); i++) {
        f->need = (uint8_t)(NEED_MODULES + i);
        if (needs->modules >> i & 1 && py_module_binding(f, str_of(py_modules[i])) == NO_NODE)
            add_module_import(f, py_modules[i]);
    }
    struct str vendor = target_fact(f->target, "import");
    if (vendor.n && needs->any) add_vendor_import(f, vendor, needs->names);
    f->need = NEED_PRELUDE;
    if (helper) add_prelude(f, prelude, torch_added, late);
}
