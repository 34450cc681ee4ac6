/* SPDX-License-Identifier: Apache-2.0 */
/* rules_names.c - `cuda-morph rules names`: every name that a port of Python can write for a
 * target, and the releases that have it. What tools/releases.py looks for in the vendors' sources
 * is this list, so no rule can be forgotten there. */
#include "commands/rules_names.h"

#include <stdlib.h>

#include "commands/rule_sets.h"
#include "rules/cell_names.h"

struct name_list {
    struct arena *a;
    VEC(struct str) v;
};

static bool is_variable(struct str name) {
    bool joined = false;
    for (size_t i = 0; i < name.n; i++) {
        char ch = name.p[i];
        if ((ch < 'A' || ch > 'Z') && (ch < '0' || ch > '9') && ch != '_') return false;
        joined |= ch == '_';
    }
    return joined && name.p[0] != '_';
}

/* Dotted names and variables of the environment; words of Python are none. */
static void add_name(void *context, struct str name) {
    struct name_list *names = context;
    bool dotted = memchr(name.p, '.', name.n) && !(name.p[0] >= '0' && name.p[0] <= '9');
    if (dotted || is_variable(name)) vec_push(names->a, &names->v, name);
}

static int by_text(const void *x, const void *y) {
    return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

/* "2.6.0 2.7.1 ...": those that have it; nothing where all do. */
static void add_releases(struct buf *b, struct target_ref t, const struct rknown *known) {
    const struct rrelease *r = RS_LIST(t.set, t.target->releases, struct rrelease);
    uint64_t in = known->in[0] | (uint64_t)known->in[1] << 32, all = 0;
    for (uint32_t i = 0; i < t.target->releases.n; i++) all |= (uint64_t)1 << i;
    if (in == 0) buf_addz(b, "  in no release");
    if (in == 0 || in == all) return;
    buf_addz(b, "  in");
    for (uint32_t i = 0; i < t.target->releases.n; i++)
        if (in >> i & 1) buf_printf(b, " %.*s", STR_ARG(rs_str(t.set, r[i].version)));
}

/* What a cell would write if a release had it: to be looked for there. */
static void add_limited(struct arena *a, struct row_ref row, struct target_ref t,
                        struct name_list *names) {
    const struct rlimit *limit = RS_LIST(row.set, row.row->limits, struct rlimit);
    for (uint32_t i = 0; i < row.row->limits.n; i++)
        if (str_eq(rs_str(row.set, limit[i].target), target_name(t)))
            cell_names(a, row, t, rs_at(row.set, limit[i].cell), add_name, names);
}

/* What a cell of the rule writes for the target, and would write. */
static void add_rule(struct arena *a, struct rule_ref rule, struct target_ref t,
                     struct name_list *names) {
    for (size_t k = 0; rule.rule->spoken == RL_PYTHON && k < rule.rule->rows.n; k++) {
        struct row_ref row = rule_row(rule, k);
        const struct rcell *cell = row_cell(row, t);
        if (cell && cell_is_applied(cell)) cell_names(a, row, t, cell, add_name, names);
        add_limited(a, row, t, names);
    }
}

/* The rules of others that the target's own file has cells for. */
static void add_own_cells(struct arena *a, struct target_ref t, struct name_list *names) {
    const struct rrule *rules = RS_LIST(t.set, t.set.h->rules, struct rrule);
    for (size_t i = 0; i < t.set.h->rules.n; i++)
        if (rules[i].copied) add_rule(a, (struct rule_ref){t.set, &rules[i]}, t, names);
}

static void print_names(struct cli *cli, const rule_refs *rules, struct target_ref t) {
    struct name_list names = {.a = cli->a};
    struct buf b;
    buf_init(&b, cli->a);
    for (size_t i = 0; i < rules->n; i++) add_rule(cli->a, rules->v[i], t, &names);
    add_own_cells(cli->a, t, &names);
    if (names.v.n) qsort(names.v.v, names.v.n, sizeof *names.v.v, by_text);
    for (size_t i = 0; i < names.v.n; i++) {
        if (i && str_eq(names.v.v[i], names.v.v[i - 1])) continue;
        const struct rknown *known = target_known(t, names.v.v[i]);
        buf_printf(&b, "%.*s %.*s", STR_ARG(target_name(t)), STR_ARG(names.v.v[i]));
        if (known) buf_printf(&b, "  %.*s", STR_ARG(rs_str(t.set, known->file)));
        if (known) add_releases(&b, t, known);
        buf_addc(&b, '\n');
    }
    stream_add(cli->out, buf_str(&b));
}

int rules_names(struct cli *cli) {
    struct rules rules;
    rule_refs refs = {0};
    target_refs targets = {0};
    const struct str *paths = cli->option[OPT_RULES].values.v;
    if (read_rules(cli, paths, cli->option[OPT_RULES].values.n, false, &rules) ||
        !choose_targets(cli, &rules, &targets))
        return STATUS_FAILED;
    all_rules(cli->a, &rules, &refs);
    for (size_t i = 0; i < targets.n; i++) print_names(cli, &refs, targets.v[i]);
    return STATUS_DONE;
}
