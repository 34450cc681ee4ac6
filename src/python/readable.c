/* SPDX-License-Identifier: Apache-2.0 */
/* readable.c - what tree-sitter's grammar of Python refuses but Python takes, and what it takes
 * but Python 3 does not. A text that the grammar refuses is left alone as a whole, so each form
 * that real programs hold is worth its few lines here. */
#include "python/py.h"

bool py_is_python_2(const struct py *f, uint32_t *node) {
    for (uint32_t i = 0; i < f->tree.n; i++)
        if (py_kind(f, i) == PY_PRINT || py_kind(f, i) == PY_EXEC) {
            *node = i;
            return true;
        }
    return false;
}

/* What the grammar knows behind no star: parentheses, literals. */
static bool is_bare(struct str text) {
    return text.n && (strchr("([{'\"0123456789", text.p[0]) || str_starts(text, S("False")) ||
                      str_starts(text, S("True")) || str_starts(text, S("None")));
}

/* Whether the * at i unpacks such a thing outside of all brackets of its line. */
static bool unpacks_bare(struct str line, size_t i) {
    size_t before = i, depth = 0;
    while (before && (line.p[before - 1] == ' ' || line.p[before - 1] == '\t')) before--;
    bool follows = before && (strchr(",=", line.p[before - 1]) ||
                              str_ends(str_sub(line, 0, before), S("return")) ||
                              str_ends(str_sub(line, 0, before), S("yield")));
    for (size_t k = 0; k < i; k++) {
        depth += !!strchr("([{", line.p[k]);
        depth -= depth && strchr(")]}", line.p[k]);
    }
    return follows && !depth && is_bare(str_sub(line, i + 1, line.n));
}

bool py_hide_stars(const struct py *f, struct str *text) {
    const struct node *error = py_node(f, f->tree.first_error);
    size_t start = error->start, end = error->end;
    while (start && text->p[start - 1] != '\n') start--;
    char *copy = NULL;
    for (size_t next; start < end; start = next) {
        next = str_find(*text, S("\n"), start);
        struct str line = str_sub(*text, start, next++);
        for (size_t i = 0; i < line.n; i++) {
            if (line.p[i] != '*' || !unpacks_bare(line, i)) continue;
            if (!copy) {
                copy = arena_zalloc(f->a, text->n + 64);
                memcpy(copy, text->p, text->n);
            }
            copy[start + i] = ' ';
        }
    }
    if (copy) text->p = copy;
    return copy != NULL;
}

/* ---- a star binds less than what follows it ---- */

static bool follows_a_star(enum py_kind k) {
    return k == PY_ATTRIBUTE || k == PY_CALL || k == PY_SUBSCRIPT || k == PY_BINARY_OPERATOR;
}

/* From (*a).b to *(a.b): the star at `last` and its token come before the nodes first ... last - 1
 * that it is the beginning of, and those begin behind it. */
static void lift_star(struct node *v, uint32_t first, uint32_t last) {
    struct node star = v[last], token = v[last + 1];
    uint32_t around = last - first, begin = v[last + 2].start;
    for (uint32_t i = first; i < last; i++)
        for (uint32_t c = i + 1; c < v[i].next; c = v[c].next) v[c].parent = i + 2;
    v[last + 2].parent = last + 1;
    star.parent = v[first].parent;
    star.end = v[first].end;
    star.next = v[first].next;
    token.parent = first;
    token.next = first + 2;
    memmove(&v[first + 2], &v[first], around * sizeof *v);
    v[first] = star;
    v[first + 1] = token;
    v[first + 2].parent = first;
    for (uint32_t i = 0; i < around; i++) v[first + 2 + i].start = begin;
}

void py_lift_stars(struct tree *t) {
    struct node *v = t->v;
    for (uint32_t i = 1; i + 2 < t->n; i++) {
        if (v[i].kind != PY_LIST_SPLAT || v[i + 2].parent != i || v[i + 2].next != v[i].next)
            continue;
        uint32_t first = i;
        while (follows_a_star((enum py_kind)v[first - 1].kind) && v[first].parent == first - 1)
            first--;
        if (first < i) lift_star(v, first, i);
    }
}
