/* SPDX-License-Identifier: Apache-2.0 */
/* cell_names.c - the names that a cell writes: its templates with the target's facts filled in,
 * cut into dotted names. It asks nobody whether they exist. */
#include "rules/cell_names.h"

#include "rules/template.h"

struct reading {
    struct arena *a;
    struct row_ref row;
    struct target_ref target;
    void (*use)(void *context, struct str name);
    void *context;
};

static struct str placeholder(const struct reading *r, struct str text) {
    struct str key = rs_str(r->row.set, r->row.row->key);
    struct str space = rs_str(r->row.set, r->row.rule->name_space);
    if (str_is(text, "name")) return key;
    if (str_is(text, "tail")) return space.n < key.n ? str_sub(key, space.n + 1, key.n) : key;
    struct str fact = target_fact(r->target, arena_strdup(r->a, text));
    return fact.p ? fact : S(" ");
}

static struct str expanded(const struct reading *r, struct str template) {
    struct str part;
    struct buf b;
    buf_init(&b, r->a);
    for (size_t at = 0;;) {
        enum template_part kind = template_next(template, &at, &part);
        if (kind == TEMPLATE_END || kind == TEMPLATE_BROKEN) return buf_str(&b);
        buf_add(&b, kind == TEMPLATE_PLACEHOLDER ? placeholder(r, part) : part);
    }
}

/* `a.b` in a text that asks hasattr(a, "b") is not relied upon. */
static bool is_guarded(const struct reading *r, struct str text, struct str name) {
    struct str last = str_last_dotted(name);
    if (last.n == name.n) return false;
    struct str above = str_sub(name, 0, name.n - last.n - 1);
    struct str guard =
        arena_printf(r->a, "hasattr(%.*s, \"%.*s\")", STR_ARG(above), STR_ARG(last));
    return str_find(text, guard, 0) < text.n;
}

/* A member of what a call returns is no name of its own. */
static void read_text(const struct reading *r, struct str text) {
    for (size_t i = 0; i < text.n;) {
        size_t start = i;
        while (i < text.n && (is_word_char(text.p[i]) || text.p[i] == '.')) i++;
        struct str name = str_sub(text, start, i);
        while (name.n && name.p[name.n - 1] == '.') name.n--;
        bool of_receiver = r->row.rule->match == M_ATTRIBUTE && start && text.p[start - 1] == ' ';
        if (name.n > 1 && (name.p[0] != '.' || of_receiver) && !is_guarded(r, text, name))
            r->use(r->context, name);
        if (i == start) i++;
    }
    if (r->row.rule->match == M_ATTRIBUTE && is_identifier(text))
        r->use(r->context, arena_printf(r->a, ".%.*s", STR_ARG(text)));
}

void cell_names(struct arena *a, struct row_ref row, struct target_ref target,
                const struct rcell *cell, void (*use)(void *context, struct str name),
                void *context) {
    const struct reading r = {a, row, target, use, context};
    const struct rstr forms[] = {cell->to,     cell->call,  cell->bare,       cell->statement,
                                 cell->number, cell->value, cell->expression, cell->compare,
                                 cell->chosen, cell->text,  cell->none};
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (forms[i].n) read_text(&r, expanded(&r, rs_str(row.set, forms[i])));
}
