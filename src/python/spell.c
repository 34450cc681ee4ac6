/* SPDX-License-Identifier: Apache-2.0 */
/* spell.c - how a qualified name can be said at a place of the file, and what import lines make of
 * the names that they bind.
 *
 * An import whose names go to different modules becomes one statement for each. Which imports are
 * ported is imports.c's business, not this file's. */
#include "python/imports.h"

const char *const py_modules[3] = {PY_TORCH, PY_CONTEXTLIB, PY_HELPERS};

struct str py_eol(const struct py *f) {
    const char *nl = memchr(f->src.p, '\n', f->src.n);
    return nl && nl > f->src.p && nl[-1] == '\r' ? S("\r\n") : S("\n");
}

struct str py_cell_import_path(struct py *f, const struct py_match *m) {
    struct draft d = {.f = f, .m = m};
    struct str text, keywords;
    const struct rcell *c = m->cell;
    struct rstr forms[] = {c->to, c->call};
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        if (!forms[i].n) continue;
        if (!draft_expand(&d, rs_str(m->row.set, forms[i]), &text, &keywords))
            return (struct str){0};
        size_t n = draft_dotted_prefix(text), depth = 0, close = n;
        for (; i == 1 && close < text.n; close++) {
            if (text.p[close] == '(')
                depth++;
            else if (text.p[close] == ')' && --depth == 0)
                break;
        }
        bool fits = i == 0 ? n == text.n : close + 1 == text.n;
        if (n && fits && draft_components(str_sub(text, 0, n)) > 1) return str_sub(text, 0, n);
        return (struct str){0};
    }
    return (struct str){0};
}

/* ---- what bindings stand for after the port ---- */

/* New path of what a binding stands for after its import line was ported (its old path when it
 * stays). */
static struct str ported_path(struct py *f, uint32_t binding) {
    const struct py_binding *b = &f->bindings.v[binding];
    if (b->ported.p) return b->ported;
    if (b->kind == B_VALUE) {
        for (size_t i = 0; i < f->matches.n; i++) {
            const struct py_match *m = &f->matches.v[i];
            if (m->node == b->value && m->kind == PM_NAME && py_applicable(f, m)) {
                struct str path = py_cell_import_path(f, m);
                if (path.p) return path;
            }
        }
        return py_resolve(f, b->value).path;
    }
    return b->path;
}

static struct str local_name(const struct py_binding *b) {
    return b->renamed.p ? b->renamed : b->name;
}

/* A module-level import of exactly that module, or NO_NODE. */
uint32_t py_module_binding(struct py *f, struct str path) {
    for (uint32_t i = 0; i < f->bindings.n; i++) {
        const struct py_binding *b = &f->bindings.v[i];
        bool imported = b->kind == B_IMPORT || b->kind == B_FROM;
        if (b->scope == 0 && imported && str_eq(b->path, path)) return i;
        if (b->scope == 0 && b->kind == B_VALUE && py_kind(f, b->value) == PY_CALL &&
            str_eq(py_resolve(f, b->value).path, path))
            return i; /* torch = pytest.importorskip("torch") */
    }
    return NO_NODE;
}

struct str py_spell(struct py *f, uint32_t node, uint32_t root, struct str path,
                    struct str *needs_import) {
    *needs_import = (struct str){0};
    if (root != NO_NODE) {
        const struct py_binding *b = &f->bindings.v[root];
        struct str ported = ported_path(f, root);
        if (str_eq(ported, path)) return local_name(b);
        if (ported.p && str_starts(path, ported) && path.p[ported.n] == '.')
            return arena_concat(f->a, local_name(b), str_sub(path, ported.n, path.n));
    }
    struct str first = str_sub(path, 0, str_find(path, S("."), 0));
    uint32_t b = py_lookup(f, py_scope_at(f, node), first);
    if (b == NO_NODE) {
        /* Nothing binds it: the file's own unbound `torch` is as good as ours, anything else has
         * to be imported. */
        uint32_t alias = py_module_binding(f, path);
        if (alias != NO_NODE &&
            py_lookup(f, py_scope_at(f, node), f->bindings.v[alias].name) == alias)
            return f->bindings.v[alias].name;
        alias = py_module_binding(f, first);
        if (alias != NO_NODE &&
            py_lookup(f, py_scope_at(f, node), f->bindings.v[alias].name) == alias)
            return arena_concat(f->a, f->bindings.v[alias].name, str_sub(path, first.n, path.n));
        *needs_import = first;
        return path;
    }
    const struct py_binding *bound = &f->bindings.v[b];
    bool same = bound->kind == B_IMPORT && str_eq(bound->path, first);
    if (bound->kind == B_VALUE) same = str_eq(ported_path(f, b), first);
    return same ? path : (struct str){0};
}

/* ---- statements whose names part ---- */

struct str py_path_parent(struct str path) {
    size_t dot = path.n;
    while (dot > 0 && path.p[dot - 1] != '.') dot--;
    return str_sub(path, 0, dot ? dot - 1 : 0);
}

static bool whole_line(const struct py *f, uint32_t statement, size_t *indent) {
    size_t start = py_node(f, statement)->start, i = start;
    while (i > 0 && (f->src.p[i - 1] == ' ' || f->src.p[i - 1] == '\t')) i--;
    *indent = start - i;
    if (i > 0 && f->src.p[i - 1] != '\n') return false;
    for (i = py_node(f, statement)->end; i < f->src.n && f->src.p[i] != '\n' && f->src.p[i] != '#';
         i++)
        if (f->src.p[i] == ';') return false;
    for (uint32_t c = statement; c < py_node(f, statement)->next; c++)
        if (py_kind(f, c) == PY_COMMENT) return false;
    return true;
}

/* Names that move to different modules: one statement per module. */
bool py_split_statement(struct draft *d, uint32_t statement, struct py_imported *v, size_t n) {
    struct py *f = d->f;
    size_t indent;
    bool alone = whole_line(f, statement, &indent);
    if (!alone && draft_has_comment(f, statement)) {
        d->why = S("the names of this import go to different modules: split it by hand");
        return false;
    }
    struct buf b;
    buf_init(&b, f->a);
    for (size_t i = 0; i < n; i++) {
        struct str module = py_path_parent(v[i].path);
        bool first = true, done = false;
        for (size_t k = 0; k < i; k++) done |= str_eq(py_path_parent(v[k].path), module);
        if (done) continue;
        if (b.n) {
            if (!alone) buf_addz(&b, "; "); /* beside other statements of its line */
            if (alone) {
                buf_add(&b, py_eol(f));
                buf_add(&b, str_sub(f->src, py_node(f, statement)->start - indent,
                                    py_node(f, statement)->start));
            }
        }
        buf_printf(&b, "from %.*s import ", STR_ARG(module));
        for (size_t k = i; k < n; k++) {
            if (!str_eq(py_path_parent(v[k].path), module)) continue;
            struct str last = str_last_dotted(v[k].path);
            buf_printf(&b, "%s%.*s", first ? "" : ", ", STR_ARG(last));
            struct str local = py_text(f, v[k].aliased ? py_child(f, v[k].item, -1) : v[k].name);
            if (!str_eq(local, last)) buf_printf(&b, " as %.*s", STR_ARG(local));
            first = false;
        }
    }
    draft_put(d, py_node(f, statement)->start, py_node(f, statement)->end, buf_str(&b));
    return true;
}

bool py_split_module_import(struct draft *d, uint32_t statement, struct str module) {
    struct py *f = d->f;
    VEC(struct py_imported) v = {0};
    bool behind = false;
    uint32_t c = py_child(f, statement, 0);
    struct str base = py_text(f, c);
    while ((c = py_next(f, c)) != NO_NODE) {
        if (py_kind(f, c) == PY_COMMENT) continue;
        struct py_imported n = {.item = c, .aliased = py_kind(f, c) == PY_ALIASED_IMPORT};
        n.name = n.aliased ? py_child(f, c, 0) : c;
        bool stays = false;
        for (uint32_t i = 0; i < f->matches.n; i++)
            stays |= f->matches.v[i].node == n.name && f->matches.v[i].behind;
        behind |= stays;
        n.path = arena_printf(f->a, "%.*s.%.*s", STR_ARG(stays ? base : module),
                              STR_ARG(py_text(f, n.name)));
        vec_push(f->a, &v, n);
    }
    if (!behind) return false;
    py_split_statement(d, statement, v.v, v.n);
    return true;
}

/* The statement as lines of a block: what follows a line break is indented by one step more. */
static void add_in_block(struct py *f, struct buf *b, struct str indent, struct str statement) {
    struct str step = indent.n && indent.p[0] == '\t' ? S("\t") : S("    ");
    buf_add(b, py_eol(f));
    buf_add(b, indent);
    buf_add(b, step);
    for (size_t i = 0; i < statement.n; i++) {
        buf_addc(b, statement.p[i]);
        if (statement.p[i] == '\n') buf_add(b, step);
    }
}

bool py_import_in_its_stead(struct draft *d, uint32_t statement, struct str handler,
                            struct str other) {
    struct py *f = d->f;
    size_t n;
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].behind && py_parent(f, f->matches.v[i].node) == statement)
            return draft_fail(d, S("not all that is imported here has something in its place"));
    if (!whole_line(f, statement, &n))
        return draft_fail(d, S("the import shares its line with other code or a comment"));
    const struct node *s = py_node(f, statement);
    struct str indent = str_sub(f->src, s->start - n, s->start);
    struct buf b;
    buf_init(&b, f->a);
    buf_addz(&b, "try:");
    add_in_block(f, &b, indent, str_sub(f->src, s->start, s->end));
    buf_add(&b, py_eol(f));
    buf_add(&b, indent);
    buf_add(&b, handler);
    buf_addz(&b, ":");
    add_in_block(f, &b, indent, other);
    draft_put(d, s->start, s->end, buf_str(&b));
    return true;
}
