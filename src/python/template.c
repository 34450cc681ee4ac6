/* SPDX-License-Identifier: Apache-2.0 */
/* template.c - a call becomes what a rule's template says; the bytes of its arguments stay. */
#include "python/imports.h"

/* ---- templates ---- */

/* Positional arguments get the keyword names that the template lists. */
static bool name_positionals(struct draft *d, uint32_t args, struct str keywords) {
    struct py *f = d->f;
    size_t at = 0;
    for (uint32_t a = py_child(f, args, 0); a != NO_NODE; a = py_next(f, a)) {
        if (py_kind(f, a) == PY_KEYWORD_ARGUMENT) continue;
        if (py_kind(f, a) == PY_LIST_SPLAT)
            return draft_fail(d, S("`*args` hides which argument is which"));
        if (py_kind(f, a) != PY_IDENTIFIER && py_text(f, a).n && py_text(f, a).p[0] == '*')
            continue; /* **kw */
        if (at > keywords.n)
            return draft_fail(d, S("there are more positional arguments than the function takes"));
        size_t end = str_find(keywords, S(","), at);
        struct str name = str_sub(keywords, at, end);
        if (!name.n)
            return draft_fail(d, S("there are more positional arguments than the function takes"));
        draft_put(d, py_node(f, a)->start, py_node(f, a)->start,
                  arena_printf(f->a, "%.*s=", STR_ARG(name)));
        at = end + 1;
    }
    return true;
}

static bool ends_with_comma(const struct py *f, uint32_t args) {
    uint32_t last = NO_NODE, before = NO_NODE;
    for (uint32_t c = tree_first_child(&f->tree, args); c != NO_NODE;
         c = tree_next_sibling(&f->tree, c)) {
        if (py_kind(f, c) == PY_COMMENT) continue;
        before = last;
        last = c;
    }
    return before != NO_NODE && py_kind(f, before) == PY_TOKEN_COMMA;
}

static struct str trim_end(struct str s, const char *set) {
    while (s.n && strchr(set, s.p[s.n - 1])) s.n--;
    return s;
}

static struct str trim_start(struct str s, const char *set) {
    while (s.n && strchr(set, s.p[0])) s = str_sub(s, 1, s.n);
    return s;
}

/* f({.}, {*}): the receiver becomes the first argument, where it stands. */
static bool put_receiver_first(struct draft *d, uint32_t args, struct str prefix, size_t mark,
                               bool empty) {
    struct py *f = d->f;
    uint32_t receiver = py_child(f, d->m->node, 0);
    size_t end = py_node(f, receiver)->end, open = py_node(f, args)->start + 1;
    struct str before = str_sub(prefix, 0, mark), after = str_sub(prefix, mark + 1, prefix.n);
    if (memchr(f->src.p + end, '#', open - end))
        return draft_fail(d, S("a comment inside the expression would be lost"));
    if (empty) after = trim_end(after, ", ");
    if (!draft_spell_roots(d, &before) || !draft_spell_roots(d, &after)) return false;
    draft_put(d, py_node(f, d->m->node)->start, py_node(f, receiver)->start, before);
    draft_put(d, end, open, after);
    return true;
}

/* The part of a template before the arguments: `callee(` and what goes before the first argument.
 */
static bool put_prefix(struct draft *d, uint32_t args, struct str prefix, bool empty) {
    struct py *f = d->f;
    const struct py_match *m = d->m;
    size_t open = py_node(f, args)->start;
    size_t name = 0;
    uint32_t target = m->node;
    size_t receiver = str_find(prefix, S("\2"), 0);
    if (receiver && receiver < prefix.n)
        return put_receiver_first(d, args, prefix, receiver, empty);
    if (prefix.n && prefix.p[0] == '\2') { /* {.}.to( : the receiver stays where it is */
        prefix = str_sub(prefix, 1, prefix.n);
        if (!prefix.n || prefix.p[0] != '.')
            return draft_fail(d, S("the rule's template is broken"));
        prefix = str_sub(prefix, 1, prefix.n);
        name = draft_dotted_prefix(prefix);
        target = py_child(f, m->node, -1);
        if (name < prefix.n && prefix.p[name] == '(')
            draft_rename_chain(d, target, str_sub(prefix, 0, name));
        else
            return draft_fail(d, S("the rule's template is broken"));
    } else {
        name = draft_dotted_prefix(prefix);
        if (name == 0 || name == prefix.n || prefix.p[name] != '(') {
            if (!draft_spell_roots(d, &prefix)) return false;
            if (draft_has_comment(f, m->node))
                return draft_fail(d, S("a comment inside the expression would be lost"));
            draft_put(d, py_node(f, m->node)->start, open + 1, prefix);
            size_t from = prefix.n - 1;
            while (from > 0 &&
                   (draft_identifier_char(prefix.p[from - 1]) || prefix.p[from - 1] == '.'))
                from--;
            d->callee = str_sub(prefix, from, prefix.n - 1);
            return true;
        }
        if (!draft_rename_to(d, m->node, str_sub(prefix, 0, name))) return false;
    }
    struct str rest = str_sub(prefix, name + 1, prefix.n);
    if (empty) rest = trim_end(rest, ", ");
    if (open + 1 < f->src.n && (f->src.p[open + 1] == '\n' || f->src.p[open + 1] == '\r'))
        rest = trim_end(rest, " ");
    if (rest.n && !draft_spell_roots(d, &rest)) return false;
    if (rest.n) draft_put(d, open + 1, open + 1, rest);
    return true;
}

static bool put_suffix(struct draft *d, uint32_t args, struct str suffix, bool empty) {
    struct py *f = d->f;
    size_t close = py_node(f, args)->end - 1;
    if (str_is(suffix, ")")) return true;
    size_t at = str_find(suffix, S(")"), 0);
    if (at == suffix.n) return draft_fail(d, S("the rule's template is broken"));
    struct str inside = str_sub(suffix, 0, at), after = str_sub(suffix, at + 1, suffix.n);
    if (empty || ends_with_comma(f, args)) inside = trim_start(inside, ", ");
    if (!draft_spell_roots(d, &inside) || !draft_spell_roots(d, &after)) return false;
    if (inside.n) draft_put_after(d, close, inside);
    if (after.n) draft_put_after(d, close + 1, after);
    return true;
}

/* Replaces [start, end) by text in which `mark` stands for a node, which stays where it is, and
 * with it what is rewritten there. */
static bool put_around(struct draft *d, size_t start, size_t end, struct str text, char mark,
                       uint32_t node) {
    size_t at = str_find(text, (struct str){&mark, 1}, 0);
    if (at == text.n) {
        if (!draft_spell_roots(d, &text)) return false;
        draft_put(d, start, end, text);
        return true;
    }
    struct str before = str_sub(text, 0, at), after = str_sub(text, at + 1, text.n);
    if (!draft_spell_roots(d, &before) || !draft_spell_roots(d, &after)) return false;
    draft_put(d, start, py_node(d->f, node)->start, before);
    draft_put(d, py_node(d->f, node)->end, end, after);
    return true;
}

/* Replaces [start, end) by text in which \2 stands for the receiver, which stays where it is. */
bool template_around_receiver(struct draft *d, size_t start, size_t end, struct str text) {
    return put_around(d, start, end, text, '\2', py_child(d->f, d->m->node, 0));
}

/* Drops the parentheses around a template's text where it stands alone anyway. */
struct str template_alone(const struct py *f, uint32_t node, struct str text) {
    if (text.n < 2 || text.p[0] != '(' || text.p[text.n - 1] != ')') return text;
    int depth = 0;
    for (size_t i = 0; i + 1 < text.n; i++) {
        depth += (text.p[i] == '(') - (text.p[i] == ')');
        if (depth == 0) return text;
    }
    bool ternary = str_find(text, S(" if "), 0) < text.n;
    if (!ternary && str_find(text, S(" == "), 0) == text.n) return text; /* a tuple */
    switch (py_kind(f, py_parent(f, node))) {
    case PY_ASSIGNMENT:
    case PY_RETURN:
    case PY_ARGUMENT_LIST:
    case PY_KEYWORD_ARGUMENT:
    case PY_PARENTHESIZED:
        return str_sub(text, 1, text.n - 1);
    case PY_IF:
    case PY_ELIF:
    case PY_WHILE:
    case PY_ASSERT:
    case PY_BOOLEAN_OPERATOR:
        return ternary ? text : str_sub(text, 1, text.n - 1);
    default:
        return text;
    }
}

bool template_apply(struct draft *d, struct str template, uint32_t call) {
    struct py *f = d->f;
    uint32_t args = py_arguments(f, call);
    struct str text, keywords;
    if (args == NO_NODE) return draft_fail(d, S("the call's argument is a generator"));
    if (!draft_expand(d, template, &text, &keywords)) return false;
    text = template_alone(f, call, text);
    bool empty = py_child(f, args, 0) == NO_NODE;
    size_t mark = str_find(text, S("\1"), 0);
    if (mark < text.n) {
        return put_prefix(d, args, str_sub(text, 0, mark), empty) &&
               (!keywords.n || name_positionals(d, args, keywords)) &&
               put_suffix(d, args, str_sub(text, mark + 1, text.n), empty);
    }
    size_t first = str_find(text, S("\3"), 0);
    for (uint32_t a = py_child(f, args, 0); a != NO_NODE; a = py_next(f, a)) {
        bool stays = first < text.n && a == py_child(f, args, 0);
        if (!stays && draft_has_effect(f, a))
            return draft_fail(d, S("the arguments have side effects that would be lost"));
    }
    if (draft_has_comment(f, args))
        return draft_fail(d, S("a comment between its arguments would be lost"));
    uint32_t argument = first < text.n ? py_argument(f, call, S("device"), 0) : NO_NODE;
    if (first < text.n && argument == NO_NODE)
        return draft_fail(d, S("the call lacks the argument that the rewrite needs"));
    if (text.n > 2 && text.p[0] == '\2' &&
        text.p[1] == '.') { /* {.}.cpu(): only the name and the arguments change */
        size_t name = draft_dotted_prefix(str_sub(text, 2, text.n));
        struct str rest = str_sub(text, 2 + name, text.n);
        if (name && rest.n && rest.p[0] == '(' && rest.p[rest.n - 1] == ')') {
            draft_rename_chain(d, py_child(f, d->m->node, -1), str_sub(text, 2, 2 + name));
            if (argument != NO_NODE || !str_eq(rest, py_text(f, args)))
                return put_around(d, py_node(f, args)->start, py_node(f, args)->end, rest, '\3',
                                  argument);
            return true;
        }
    }
    if (d->m->kind != PM_ATTRIBUTE && draft_has_comment(f, d->m->node))
        return draft_fail(d, S("a comment inside the expression would be lost"));
    size_t start = py_node(f, d->m->node)->start, end = py_node(f, call)->end;
    if (argument == NO_NODE) return template_around_receiver(d, start, end, text);
    return put_around(d, start, end, text, '\3', argument);
}

/* Whether the call is all there is on its logical line, so that a compound statement may stand
 * there. */
bool template_fits_line(const struct py *f, uint32_t statement) {
    size_t i = py_node(f, statement)->start;
    while (i > 0 && (f->src.p[i - 1] == ' ' || f->src.p[i - 1] == '\t')) i--;
    if (i > 0 && f->src.p[i - 1] != '\n') return false;
    for (i = py_node(f, statement)->end; i < f->src.n && f->src.p[i] != '\n' && f->src.p[i] != '#';
         i++)
        if (f->src.p[i] != ' ' && f->src.p[i] != '\t' && f->src.p[i] != '\r') return false;
    return true;
}

/* `if X: y` on two lines, as the statement is indented. */
struct str template_on_two_lines(struct draft *d, uint32_t statement, struct str template) {
    struct py *f = d->f;
    size_t colon = str_find(template, S(": "), 0), start = py_node(f, statement)->start,
           line = start;
    while (line > 0 && f->src.p[line - 1] != '\n') line--;
    struct str indent = str_sub(f->src, line, start);
    if (line == 0 && str_starts(f->src, S("\xEF\xBB\xBF"))) indent = S("");
    struct str step = indent.n && indent.p[0] == '\t' ? S("\t") : S("    ");
    return arena_printf(f->a, "%.*s:%.*s%.*s%.*s%.*s", (int)colon, template.p, STR_ARG(py_eol(f)),
                        STR_ARG(indent), STR_ARG(step),
                        STR_ARG(str_sub(template, colon + 2, template.n)));
}

bool template_is_compound(struct str template) {
    return str_starts(template, S("if ")) || str_starts(template, S("with "));
}
