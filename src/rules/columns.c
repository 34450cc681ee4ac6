/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c - answers that stand in a target's own file, so that a vendor is one file.
 *
 * "cells" of a target are cells of rules, by the rule's id and the row's key ("*": the rule's
 * default for it). Of rules in the same sources they become ordinary cells. A target that is
 * loaded with --rules finds the rules in another set, which cannot change: there the rows it
 * speaks of are copied, with nothing but its own answer, and everybody else goes on to the row
 * behind. Both look the same to whoever asks. */
#include "rules/compiler.h"

void read_column(struct compiler *c, const struct cJSON *target, struct str name) {
    const struct cJSON *cells = json_get(target, "cells");
    const struct cJSON *templates = json_get(target, "templates");
    if (templates && !is_object(templates))
        complain(c, templates, "must be an object {\"name\": cell}");
    if (cells && !is_object(cells))
        complain(c, cells, "must be an object {\"rule\": {\"row\": cell}}");
    json_each(rule, cells) if (!is_object(rule)) complain(
        c, rule, "must be an object {\"row\": cell}; the row \"*\" stands for all others");
    struct column column = {c->doc, cells, templates, arena_str(c->a, name), c->doc->name};
    vec_push(c->a, &c->columns, column);
}

/* Its templates are its own; those of the rule stand behind them. */
static struct rcell column_cell(struct compiler *c, struct cell_context *x,
                                const struct column *column, const struct cJSON *v) {
    struct str text = is_text(v) ? json_str(column->doc, v) : S("");
    if (str_starts(text, S("@"))) {
        const char *name = arena_strdup(c->a, str_sub(text, 1, text.n));
        const struct cJSON *own = json_get(column->templates, name);
        if (own) v = own;
    }
    struct rcell cell = read_cell(c, x, v);
    cell.target = block_str(&c->block, column->target);
    return cell;
}

static bool has_cell_of(struct compiler *c, struct rlist cells, struct str target) {
    struct ruleset own = block_view(&c->block);
    const struct rcell *cell = RS_LIST(own, cells, struct rcell);
    for (uint32_t i = 0; i < cells.n; i++)
        if (str_eq(rs_str(own, cell[i].target), target)) return true;
    return false;
}

struct rlist with_columns(struct compiler *c, struct cell_context *x, struct str rule,
                          struct str key, struct rlist own) {
    VEC(struct rcell) cells = {0};
    struct json *doc = c->doc;
    for (size_t i = 0; i < c->columns.n; i++) {
        const struct column *column = &c->columns.v[i];
        const struct cJSON *of_rule = json_get(column->cells, arena_strdup(c->a, rule));
        const struct cJSON *v = of_rule ? json_get(of_rule, arena_strdup(c->a, key)) : NULL;
        if (!v) continue;
        c->doc = column->doc;
        if (has_cell_of(c, own, column->target))
            complain(c, v, "the rule has a cell of %.*s for this row: keep one of the two",
                     STR_ARG(column->target));
        struct rcell cell = column_cell(c, x, column, v);
        vec_push(c->a, &cells, cell);
        c->doc = doc;
    }
    if (!cells.n) return own;
    VEC(struct rcell) all = {0};
    for (uint32_t i = 0; i < own.n; i++) {
        struct rcell cell = RS_LIST(block_view(&c->block), own, struct rcell)[i];
        vec_push(c->a, &all, cell);
    }
    for (size_t i = 0; i < cells.n; i++) vec_push(c->a, &all, cells.v[i]);
    return block_list(&c->block, all.v, all.n, sizeof *all.v);
}

/* ---- rules of other sets ---- */

/* The rule of that id in these sources; or among the known ones, then *out is the set. */
static const struct rrule *rule_of(struct compiler *c, struct str id, struct ruleset *out) {
    *out = block_view(&c->block);
    for (size_t i = 0; i < c->n_own_rules; i++)
        if (str_eq(rs_str(*out, c->rules.v[i].id), id)) return &c->rules.v[i];
    for (size_t k = 0; c->known && k < c->known->n; k++) {
        *out = c->known->set[k];
        const struct rrule *rules = RS_LIST(*out, out->h->rules, struct rrule);
        for (uint32_t i = 0; i < out->h->rules.n; i++)
            if (str_eq(rs_str(*out, rules[i].id), id)) return &rules[i];
    }
    return NULL;
}

static struct str nearest_rule(struct compiler *c, struct str id) {
    str_list ids = {0};
    struct ruleset own = block_view(&c->block);
    for (size_t i = 0; i < c->n_own_rules; i++)
        vec_push(c->a, &ids, rs_str(own, c->rules.v[i].id));
    for (size_t k = 0; c->known && k < c->known->n; k++) {
        struct ruleset set = c->known->set[k];
        const struct rrule *rules = RS_LIST(set, set.h->rules, struct rrule);
        for (uint32_t i = 0; i < set.h->rules.n; i++)
            vec_push(c->a, &ids, rs_str(set, rules[i].id));
    }
    return did_you_mean(c->a, id, &ids);
}

/* The rows of a rule, wherever it stands. */
static const struct rrow *rows_of(struct compiler *c, struct ruleset set,
                                  const struct rrule *rule) {
    bool own = set.h == block_view(&c->block).h;
    return (own ? c->rows.v : RS_LIST(set, set.h->rows, struct rrow)) + rule->rows.at;
}

static void check_rows_of(struct compiler *c, const struct cJSON *of_rule, struct ruleset set,
                          const struct rrule *rule) {
    const struct rrow *rows = rows_of(c, set, rule);
    json_each(v, of_rule) {
        struct str key = json_key(v);
        str_list keys = {0};
        bool found = str_is(key, "*");
        for (uint32_t i = 0; i < rule->rows.n; i++) {
            found |= str_eq(rs_str(set, rows[i].key), key);
            vec_push(c->a, &keys, rs_str(set, rows[i].key));
        }
        if (!found)
            complain(c, v, "the rule %.*s has no row \"%.*s\"%.*s", STR_ARG(rs_str(set, rule->id)),
                     STR_ARG(key), STR_ARG(did_you_mean(c->a, key, &keys)));
    }
}

/* The answers of a column for a rule of another set. */
static void adopt_rule(struct compiler *c, const struct column *column,
                       const struct cJSON *of_rule, struct ruleset set, const struct rrule *rule) {
    const struct rrow *rows = rows_of(c, set, rule);
    struct cell_context x = {.match = (enum match_kind)rule->match,
                             .python = rule->spoken == RL_PYTHON};
    const struct cJSON *rest = json_get(of_rule, "*");
    for (uint32_t i = 0; i < rule->rows.n; i++) {
        struct str key = rs_str(set, rows[i].key);
        const struct cJSON *v = json_get(of_rule, arena_strdup(c->a, key));
        struct row_ref row = {set, &rows[i], rule};
        if (!v && !rest) continue;
        x.for_namespace = str_eq(key, rs_str(set, rule->name_space));
        struct rcell cell = column_cell(c, &x, column, v ? v : rest);
        struct str pointer = json_pointer(c->doc, of_rule);
        struct adopted one = {
            row, block_list(&c->block, &cell, 1, sizeof cell), {c->doc->name, pointer}};
        vec_push(c->a, &c->adopted, one);
    }
}

void adopt_columns(struct compiler *c) {
    size_t first = c->adopted.n;
    for (size_t i = 0; i < c->columns.n; i++) {
        const struct column *column = &c->columns.v[i];
        c->doc = column->doc;
        json_each(of_rule, column->cells) {
            struct ruleset set;
            struct str id = json_key(of_rule);
            const struct rrule *rule = rule_of(c, id, &set);
            if (!rule) {
                complain(c, of_rule, "there is no rule \"%.*s\"%.*s", STR_ARG(id),
                         STR_ARG(nearest_rule(c, id)));
                continue;
            }
            check_rows_of(c, of_rule, set, rule);
            if (set.h != block_view(&c->block).h) adopt_rule(c, column, of_rule, set, rule);
        }
    }
    add_adopted(c, first);
}

/* ---- copies ---- */

static struct rstr copied_str(struct compiler *c, struct ruleset set, struct rstr s) {
    return block_str(&c->block, rs_str(set, s));
}

static struct rlist copied_strs(struct compiler *c, struct ruleset set, struct rlist list) {
    VEC(struct rstr) out = {0};
    for (uint32_t i = 0; i < list.n; i++)
        vec_push(c->a, &out, copied_str(c, set, RS_LIST(set, list, struct rstr)[i]));
    return block_list(&c->block, out.v, out.n, sizeof *out.v);
}

static struct rlist copied_facts(struct compiler *c, struct ruleset set, struct rlist list) {
    VEC(struct rfact) out = {0};
    for (uint32_t i = 0; i < list.n; i++) {
        struct rfact f = RS_LIST(set, list, struct rfact)[i];
        f = (struct rfact){copied_str(c, set, f.key), copied_str(c, set, f.value)};
        vec_push(c->a, &out, f);
    }
    return block_list(&c->block, out.v, out.n, sizeof *out.v);
}

static struct rlist copied_arguments(struct compiler *c, struct ruleset set, struct rlist list) {
    VEC(struct rargument) out = {0};
    for (uint32_t i = 0; i < list.n; i++) {
        struct rargument a = RS_LIST(set, list, struct rargument)[i];
        a.callee = copied_str(c, set, a.callee);
        vec_push(c->a, &out, a);
    }
    return block_list(&c->block, out.v, out.n, sizeof *out.v);
}

/* What a rule matches, without rows, answers and examples. */
static struct rrule copied_rule(struct compiler *c, struct ruleset set, const struct rrule *rule) {
    struct rrule out = *rule;
    struct rstr *const texts[] = {
        &out.id,         &out.title,       &out.why,          &out.domain,    &out.domain_title,
        &out.language,   &out.name_space,  &out.without,      &out.with,      &out.with_is,
        &out.receiver,   &out.variables,   &out.function_has, &out.file_has,  &out.function_lacks,
        &out.file_lacks, &out.function_is, &out.constant,     &out.family_in, &out.since};
    struct rlist *const lists[] = {&out.references, &out.reference_rows, &out.imports,
                                   &out.keywords,   &out.companions,     &out.never};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) *texts[i] = copied_str(c, set, *texts[i]);
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) *lists[i] = copied_strs(c, set, *lists[i]);
    out.arguments = copied_arguments(c, set, out.arguments);
    out.where = copied_facts(c, set, out.where);
    out.declared = copied_facts(c, set, out.declared);
    out.defaults = out.examples = (struct rlist){0};
    out.copied = 1;
    return out;
}

/* Rows of one rule stand together. */
static int by_rule(const void *x, const void *y, const void *context) {
    const struct adopted *a = x, *b = y;
    (void)context;
    return (a->row.rule > b->row.rule) - (a->row.rule < b->row.rule);
}

void add_adopted(struct compiler *c, size_t first) {
    const struct rrule *last = NULL;
    size_t n = c->adopted.n - first;
    if (!n) return;
    sort_stable(c->a, c->adopted.v + first, n, sizeof *c->adopted.v, by_rule, NULL);
    for (size_t i = first; i < c->adopted.n; i++) {
        const struct adopted *one = &c->adopted.v[i];
        struct ruleset set = one->row.set;
        if (one->row.rule != last) {
            struct rrule rule = copied_rule(c, set, one->row.rule);
            rule.rows = (struct rlist){(uint32_t)c->rows.n, 0};
            vec_push(c->a, &c->rules, rule);
            vec_push(c->a, &c->places, one->place);
            last = one->row.rule;
        }
        struct rrow row = *one->row.row;
        row.key = copied_str(c, set, row.key);
        row.note = copied_str(c, set, row.note);
        row.look_up = copied_str(c, set, row.look_up);
        row.rule = (uint32_t)c->rules.n - 1;
        row.cells = one->cells;
        row.limits = (struct rlist){0};
        vec_push(c->a, &c->rows, row);
        c->rules.v[c->rules.n - 1].rows.n++;
    }
}
