/* SPDX-License-Identifier: Apache-2.0 */
/* lint.c - rules that are legal and still look wrong: rows that never get a turn, cells that say
 * what the default says anyway. */
#include "rules/compiler.h"

static struct row_ref ref_of(struct compiler *c, const struct rrow *row) {
    return (struct row_ref){block_view(&c->block), row, &c->rules.v[row->rule]};
}

static void add_word(struct buf *b, struct str word) {
    if (b->n) buf_addz(b, ", ");
    buf_add(b, word);
}

/* ---- rows ---- */

/* Whether the row of a rule for check only has an ordinary one of the same name behind it. */
static bool has_ordinary_twin(const struct compiler *c, const struct rrow *row) {
    const struct rrule *rule = &c->rules.v[row->rule];
    for (size_t i = 0; rule->lint && i < c->rows.n; i++) {
        const struct rrule *other = &c->rules.v[c->rows.v[i].rule];
        if (!other->lint && other->match == rule->match && c->rows.v[i].key.at == row->key.at)
            return true;
    }
    return false;
}

static void find_silence(struct compiler *c, const struct rrow *row) {
    struct buf silent;
    if (has_ordinary_twin(c, row) || c->rules.v[row->rule].receiver.n) return;
    buf_init(&silent, c->a);
    for (size_t t = 0; t < c->all_targets.n; t++) {
        struct target_ref target = c->all_targets.v[t];
        if (target.target->name.n && !target.target->keep_names &&
            !row_cell(ref_of(c, row), target))
            add_word(&silent, target_name(target));
    }
    if (silent.n)
        complain_at(c, row_place(c, row),
                    "nothing is said of %.*s: add a cell, or one under \"*\"",
                    STR_ARG(buf_str(&silent)));
}

/* Whether two cells say the same; strings and lists in a block are equal when their offsets are.
 */
static bool same_cell(const struct rcell *x, const struct rcell *y) {
    if (!x || !y) return x == y;
    struct rcell a = *x, b = *y;
    a.target = b.target = (struct rstr){0};
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Whether every target gets the same answer when the row's cell is taken away. */
static bool is_redundant(struct compiler *c, const struct rrow *row, size_t cell) {
    VEC(struct rcell) rest = {0};
    for (size_t i = 0; i < row->cells.n; i++) {
        struct rcell own = RS_LIST(block_view(&c->block), row->cells, struct rcell)[i];
        if (i != cell) vec_push(c->a, &rest, own);
    }
    struct rrow with = *row, without = *row;
    with.limits = without.limits = (struct rlist){0}; /* a release is no difference */
    without.cells = block_list(&c->block, rest.v, rest.n, sizeof *rest.v);
    for (size_t t = 0; t < c->all_targets.n; t++) {
        struct target_ref target = c->all_targets.v[t];
        for (int way = 0; way < 3; way++) { /* where nothing goes through another one; in SYCL */
            target.direct = way == 1;
            target.sycl = way == 2;
            if (!same_cell(row_cell(ref_of(c, &with), target),
                           row_cell(ref_of(c, &without), target)))
                return false;
        }
    }
    return true;
}

static void find_redundant_cells(struct compiler *c, const struct rrow *row) {
    for (size_t i = 0; i < row->cells.n; i++) {
        struct row_ref ref = ref_of(c, row);
        bool versioned = RS_LIST(ref.set, row->cells, struct rcell)[i].version.n > 0;
        if (versioned || !is_redundant(c, row, i)) continue;
        complain_at(c, cell_place(c, ref, RS_LIST(ref.set, row->cells, struct rcell) + i),
                    "changes nothing: without it every target gets the same; remove it");
    }
}

/* A literal whose form alone is proof never gets to a later rule. */
static void find_hidden_row(struct compiler *c, const struct rrow *row, size_t number) {
    if (c->rules.v[row->rule].match != M_STRING) return;
    for (size_t i = 0; i < number; i++) {
        const struct rrule *rule = &c->rules.v[c->rows.v[i].rule];
        if (rule->match != M_STRING || !rule->by_form || rule->shape == SHAPE_GATE ||
            c->rows.v[i].rule == row->rule)
            continue;
        if (c->rows.v[i].key.at == row->key.at)
            complain_at(c, row_place(c, row), "is never reached: the rule %.*s takes this literal",
                        STR_ARG(rs_str(block_view(&c->block), rule->id)));
    }
}

/* ---- cells ---- */

/* A form that is the same as the one it falls back to. */
static const char *useless_form(const struct rcell *cell) {
    if (cell->bare.n && cell->bare.at == cell->call.at) return "bare";
    struct rstr next = cell->bare.n ? cell->bare : cell->call;
    if (cell->statement.n && cell->statement.at == next.at && !(cell->bare.n && cell->call.n))
        return "statement";
    if (cell->value.n && cell->value.at == cell->to.at) return "value";
    return NULL;
}

static void find_useless_forms(struct compiler *c, struct rlist cells, struct place list) {
    const struct rcell *cell = RS_LIST(block_view(&c->block), cells, struct rcell);
    for (size_t i = 0; i < cells.n; i++) {
        const char *form = useless_form(&cell[i]);
        if (!form) continue;
        struct str target = rs_str(block_view(&c->block), cell[i].target);
        complain_at(c, (struct place){list.file, pointer_to(c->a, list.pointer, target)},
                    "\"%s\" is what the cell falls back to without it: remove it", form);
    }
}

static void find_unused_defaults(struct compiler *c, const struct rrule *rule, struct place list) {
    struct ruleset view = block_view(&c->block);
    const struct rcell *cell = RS_LIST(view, rule->defaults, struct rcell);
    for (size_t i = 0; i < rule->defaults.n; i++) {
        bool used = cell[i].version.n > 0; /* no version is known here */
        for (size_t r = 0; r < rule->rows.n; r++)
            for (size_t t = 0; t < c->all_targets.n && !used; t++) {
                struct target_ref target = c->all_targets.v[t];
                target.direct = true;
                used = row_cell(ref_of(c, &c->rows.v[rule->rows.at + r]), target) == &cell[i];
            }
        if (used) continue;
        struct str target = rs_str(view, cell[i].target);
        complain_at(c, (struct place){list.file, pointer_to(c->a, list.pointer, target)},
                    "no row takes this default: each has a cell of its own; remove it");
    }
}

static void lint_rule(struct compiler *c, size_t number) {
    const struct rrule *rule = &c->rules.v[number];
    struct place list = c->places.v[number];
    list.pointer = pointer_to(c->a, list.pointer, S("default"));
    find_useless_forms(c, rule->defaults, list);
    find_unused_defaults(c, rule, list);
    for (size_t i = rule->rows.at; i < rule->rows.at + rule->rows.n; i++) {
        const struct rrow *row = &c->rows.v[i];
        find_silence(c, row);
        find_redundant_cells(c, row);
        find_hidden_row(c, row, i);
        find_useless_forms(c, row->cells, row_place(c, row));
    }
}

rule_errors rules_lint(struct arena *a, const struct rule_source *sources, size_t n,
                       const struct rules *known) {
    rule_errors errors = {0}, hints = {0};
    struct compiler c = {.errors = &errors, .hints = &hints, .known = known};
    if (compile_sources(&c, a, sources, n).n == 0) return (rule_errors){0};
    c.errors = &hints;
    check_facts(&c, true);
    check_new_targets(&c);
    /* A vendor to come: what "*" says to it counts, even where all of today's have their own
     * cells. */
    struct rtarget nameless = {0};
    struct target_ref next_vendor = {.set = block_view(&c.block), .target = &nameless};
    vec_push(a, &c.all_targets, next_vendor);
    for (size_t i = 0; i < c.n_own_rules; i++) lint_rule(&c, i);
    return hints;
}
