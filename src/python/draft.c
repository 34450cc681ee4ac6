/* draft.c - the edits of one match while it is not yet known whether all of them are possible:
 * putting them, expanding a rule's templates, renaming chains with the fewest bytes touched. */
#include "python/imports.h"

/* ---- the edits of one match, kept apart until all of them are possible ---- */

void draft_put(struct draft *d, size_t start, size_t end, struct str text) {
    if (str_eq(str_sub(d->f->src, start, end), text))
        return; /* an edit that changes nothing is none */
    struct match_edit e = {(uint32_t)start, (uint32_t)end, text, d->match, false};
    vec_push(d->f->a, &d->edits, e);
}

void draft_put_after(struct draft *d, size_t at, struct str text) {
    size_t n = d->edits.n;
    draft_put(d, at, at, text);
    if (d->edits.n > n) d->edits.v[n].after = true;
}

bool draft_fail(struct draft *d, struct str why) {
    if (!d->why.p) d->why = why;
    return false;
}

void draft_need(struct draft *d, struct str module) {
    for (size_t i = 0; i < ARRAY_LEN(py_modules); i++)
        if (str_is(module, py_modules[i])) d->modules |= 1u << i;
}

/* ---- text ---- */

bool draft_identifier_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           c == '_' || (unsigned char)c >= 0x80;
}

/* Length of the dotted name at the start of s. */
size_t draft_dotted_prefix(struct str s) {
    size_t i = 0;
    while (i < s.n && (draft_identifier_char(s.p[i]) ||
                       (s.p[i] == '.' && i + 1 < s.n && draft_identifier_char(s.p[i + 1]))))
        i++;
    return s.n && (s.p[0] < '0' || s.p[0] > '9') ? i : 0;
}

/* Replaces {fact}, {name}, {tail}; leaves {*...}, {.} and {0} for the caller as bytes \1, \2, \3
 * (the keyword list of
 * {*:...} goes to *keywords). */
bool draft_expand(struct draft *d, struct str template, struct str *out, struct str *keywords) {
    struct py *f = d->f;
    const struct py_match *m = d->m;
    struct buf b;
    buf_init(&b, f->a);
    *keywords = (struct str){0};
    for (size_t i = 0; i < template.n; i++) {
        char c = template.p[i];
        if ((c == '{' || c == '}') && i + 1 < template.n && template.p[i + 1] == c) {
            buf_addc(&b, c);
            i++;
            continue;
        }
        if (c != '{') {
            buf_addc(&b, c);
            continue;
        }
        size_t end = str_find(template, S("}"), i);
        if (end == template.n) return draft_fail(d, S("the rule's template is broken"));
        struct str key = str_sub(template, i + 1, end);
        i = end;
        if (str_starts(key, S("*"))) {
            buf_addc(&b, '\1');
            if (key.n > 2) *keywords = str_sub(key, 2, key.n);
        } else if (str_is(key, ".")) {
            buf_addc(&b, '\2');
        } else if (str_is(key, "0")) {
            buf_addc(&b, '\3');
        } else if (str_is(key, "name")) {
            buf_add(&b, m->token);
        } else if (str_is(key, "tail")) {
            struct str ns = rs_str(m->row.set, m->row.rule->name_space);
            bool under = m->token.n > ns.n && str_starts(m->token, ns) && m->token.p[ns.n] == '.';
            buf_add(&b,
                    under ? str_sub(m->token, ns.n + 1, m->token.n) : str_last_dotted(m->token));
        } else {
            char z[64];
            if (key.n >= sizeof z) return draft_fail(d, S("the rule's template is broken"));
            memcpy(z, key.p, key.n);
            z[key.n] = 0;
            struct str fact = target_fact(f->target, z);
            if (!fact.p || (fact.n == 0 && key.n))
                return draft_fail(d, arena_printf(f->a, "target %.*s has no %s",
                                                  STR_ARG(target_name(f->target)), z));
            buf_add(&b, fact);
        }
    }
    *out = b.p ? buf_str(&b) : S("");
    return true;
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
            if (py_lists(f, "python.template_roots", name)) {
                struct str spelled = py_spell(f, d->m->node, NO_NODE, name, &module);
                if (!spelled.p)
                    return draft_fail(d, arena_printf(f->a, "`%.*s` means something else here",
                                                      (int)str_find(name, S("."), 0), name.p));
                draft_need(d, module);
                name = spelled;
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

/* ---- renames ---- */

size_t draft_components(struct str s) {
    size_t n = 1;
    for (size_t i = 0; i < s.n; i++) n += s.p[i] == '.';
    return n;
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
bool draft_has_comment(const struct py *f, uint32_t node) {
    for (uint32_t i = node; i < py_node(f, node)->next; i++)
        if (py_kind(f, i) == PY_COMMENT) return true;
    return false;
}

void draft_rename_chain(struct draft *d, uint32_t node, struct str text) {
    struct py *f = d->f;
    uint32_t parts[32];
    size_t n = chain_parts(f, node, parts, ARRAY_LEN(parts));
    if (n == 0 || n != draft_components(text) || draft_dotted_prefix(text) != text.n) {
        if (draft_has_comment(f, node))
            draft_fail(d, S("a comment in the middle of it would be lost"));
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
        draft_need(d, module);
    }
    draft_rename_chain(d, node, spelled);
    return true;
}

/* ---- what an edit must not lose ---- */

bool draft_has_effect(struct py *f, uint32_t node) {
    for (uint32_t i = node; i < py_node(f, node)->next; i++) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_COMMENT || k == PY_AWAIT || k == PY_YIELD || k == PY_NAMED_EXPRESSION)
            return true;
        if (k != PY_CALL) continue;
        struct py_name n = py_resolve(f, py_callee(f, i));
        struct str callee = py_text(f, py_callee(f, i));
        bool pure =
            (n.path.p && n.certainty == C_EXACT &&
             (py_lists(f, "torch.module", n.path) || py_lists(f, "torch.device", n.path))) ||
            py_lists(f, "python.pure_functions", callee) ||
            py_lists(f, "python.questions", str_last_dotted(callee));
        if (!pure) return true;
    }
    return false;
}

struct str draft_cell_str(const struct draft *d, struct rstr r) {
    return rs_str(d->m->row.set, r);
}
