/* SPDX-License-Identifier: Apache-2.0 */
/* rename.c - names in a draft: new names are written the way the file can say them, and with the
 * fewest bytes touched. */
#include "python/imports.h"

void draft_need(struct draft *d, struct str module) {
    for (size_t i = 0; i < ARRAY_LEN(py_modules); i++)
        if (str_is(module, py_modules[i])) d->modules |= 1u << i;
}

/* torch.f: a name below one of py_modules. */
static bool is_of_module(struct str name) {
    size_t dot = str_find(name, S("."), 0);
    for (size_t i = 0; dot < name.n && i < ARRAY_LEN(py_modules); i++)
        if (str_is(str_sub(name, 0, dot), py_modules[i])) return true;
    return false;
}

/* Writes `torch.` and its like the way the file can say them, and notes which import that
 * needs. */
bool draft_spell_roots(struct draft *d, struct str *text) {
    struct py *f = d->f;
    struct buf b;
    buf_init(&b, f->a);
    for (size_t i = 0; i < text->n;) {
        char before = i ? text->p[i - 1] : ' ';
        if (draft_identifier_char(text->p[i]) && !draft_identifier_char(before) && before != '.') {
            size_t n = draft_dotted_prefix(str_sub(*text, i, text->n));
            struct str name = str_sub(*text, i, i + n), module = {0};
            if (is_of_module(name)) {
                struct str spelled = py_spell(f, d->m->node, NO_NODE, name, &module);
                if (!spelled.p)
                    return draft_fail(d, arena_printf(f->a, "`%.*s` means something else here",
                                                      (int)str_find(name, S("."), 0), name.p));
                draft_need(d, module);
                name = spelled;
            } else if (py_hides_helper(f, d->m->node,
                                       str_sub(name, 0, str_find(name, S("."), 0)))) {
                return draft_fail(
                    d, arena_printf(f->a, "`%.*s` means something else here", STR_ARG(name)));
            }
            if (n == 0) name = str_sub(*text, i, i + (n = 1));
            buf_add(&b, name);
            i += n;
        } else {
            buf_addc(&b, text->p[i++]);
        }
    }
    *text = b.p ? buf_str(&b) : S("");
    return true;
}

/* Identifiers of a pure chain a.b.c or dotted_name, in order; 0 when it is not one. */
static size_t chain_parts(const struct py *f, uint32_t node, uint32_t *parts, size_t max) {
    size_t n = 0;
    for (uint32_t i = node; i < py_node(f, node)->next; i++) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_IDENTIFIER) {
            if (n == max) return 0;
            parts[n++] = i;
        } else if (py_node(f, i)->named && k != PY_ATTRIBUTE && k != PY_DOTTED_NAME &&
                   k != PY_COMMENT && k != PY_PARENTHESIZED &&
                   f->src.p[py_node(f, i)->start] != '\\') {
            return 0;
        }
    }
    return n;
}

/* Makes the chain at `node` read `text`, touching only what differs. */
void draft_rename_chain(struct draft *d, uint32_t node, struct str text) {
    struct py *f = d->f;
    uint32_t parts[32];
    size_t n = chain_parts(f, node, parts, ARRAY_LEN(parts));
    if (n == 0 || n != draft_components(text) || draft_dotted_prefix(text) != text.n) {
        if (draft_has_comment(f, node))
            draft_fail(d, S("a comment inside the expression would be lost"));
        if (!str_eq(py_text(f, node), text))
            draft_put(d, py_node(f, node)->start, py_node(f, node)->end, text);
        return;
    }
    for (size_t i = 0, at = 0; i < n; i++) {
        size_t end = str_find(text, S("."), at);
        struct str part = str_sub(text, at, end);
        if (!str_eq(part, py_text(f, parts[i])))
            draft_put(d, py_node(f, parts[i])->start, py_node(f, parts[i])->end, part);
        at = end + 1;
    }
}

/* getattr(torch, "cuda", None) keeps its form and its default. */
static bool rename_getattr(struct draft *d, uint32_t call, struct str path) {
    struct py *f = d->f;
    uint32_t object = py_argument(f, call, S(""), 0), string = py_argument(f, call, S(""), 1);
    struct str last = str_last_dotted(path), module = {0};
    struct str parent = str_sub(path, 0, path.n - last.n - 1);
    struct py_literal lit;
    if (draft_dotted_prefix(path) != path.n || !py_literal(f, string, &lit))
        return draft_fail(d, S("getattr can't name what it becomes"));
    struct str spelled = py_spell(f, object, d->m->name.root, parent, &module);
    if (!spelled.p) return draft_fail(d, S("the new name can't be reached here"));
    draft_need(d, module);
    draft_rename_chain(d, object, spelled);
    draft_put(d, lit.start, lit.end, last);
    return true;
}

/* Whether the old name's own package would have to be imported by its name, which is done for
 * py_modules alone. */
static bool is_unbound_package(const struct draft *d, struct str module) {
    struct str old = d->m->name.path;
    for (size_t i = 0; i < ARRAY_LEN(py_modules); i++)
        if (str_is(module, py_modules[i])) return false;
    return module.n && str_eq(module, str_sub(old, 0, str_find(old, S("."), 0)));
}

bool draft_rename_to(struct draft *d, uint32_t node, struct str path) {
    struct py *f = d->f;
    struct str spelled;
    d->callee = path;
    if (py_kind(f, node) == PY_CALL && draft_components(path) > 1 &&
        draft_dotted_prefix(path) == path.n)
        return rename_getattr(d, node, path);
    if (draft_dotted_prefix(path) !=
        path.n) { /* an expression such as torch.get_device_module().x */
        spelled = path;
        if (!draft_spell_roots(d, &spelled)) return false;
    } else {
        struct str module = {0};
        spelled = py_spell(f, node, d->m->name.root, path, &module);
        if (!spelled.p)
            return draft_fail(d,
                              S("the new name can't be reached here: another `torch` hides it"));
        if (is_unbound_package(d, module))
            return draft_fail(d, arena_printf(f->a,
                                              "the import stays for another use of its name, and "
                                              "nothing here is called `%.*s`",
                                              STR_ARG(module)));
        draft_need(d, module);
    }
    draft_rename_chain(d, node, spelled);
    return true;
}
