/* SPDX-License-Identifier: Apache-2.0 */
/* rule_sets.c - the rule sets and targets that commands about the rules read: not through a
 * session, since they want every problem of every file, and rules that another set hides. */
#include "commands/rule_sets.h"

#include <stdlib.h>

/* ---- reading ---- */

static size_t print_problems(struct cli *cli, const rule_errors *errors) {
    for (size_t i = 0; i < errors->n; i++) {
        const struct rule_error *e = &errors->v[i];
        struct buf b;
        buf_init(&b, cli->a);
        buf_add_visible(&b, e->file);
        buf_addz(&b, ": ");
        buf_add_visible(&b, e->pointer);
        buf_addz(&b, e->pointer.n ? ": " : "");
        buf_add_visible(&b, e->message);
        buf_addc(&b, '\n');
        stream_add(cli->err, buf_str(&b));
    }
    return errors->n;
}

static size_t read_set(struct cli *cli, const char *path, bool lint, const struct rules *known,
                       struct ruleset *out) {
    struct rule_source *sources;
    size_t n;
    struct str error;
    if (!rules_read_sources(cli->a, path, &sources, &n, &error)) {
        cli_error(cli, "%.*s", STR_ARG(error));
        return 1;
    }
    rule_errors errors = {0};
    struct str block = rules_compile(cli->a, sources, n, known, &errors);
    if (errors.n == 0 && lint) errors = rules_lint(cli->a, sources, n, known);
    size_t problems = print_problems(cli, &errors);
    if (!ruleset_open(block.p, block.n, out) && problems == 0) {
        cli_error(cli, "%s: no rules", path);
        return 1;
    }
    return problems;
}

size_t read_rules(struct cli *cli, const struct str *paths, size_t n_paths, bool lint,
                  struct rules *out) {
    size_t problems = 0;
    struct rules known = {.n = 1};
    ruleset_open(cm_rules_blob, cm_rules_blob_size, &known.set[0]);
    *out = (struct rules){0};
    for (size_t i = 0; i < n_paths; i++) {
        if (out->n + 1 == MAX_RULESETS) {
            cli_error(cli, "at most %d rule sets can be loaded", MAX_RULESETS - 1);
            return problems + 1;
        }
        struct ruleset set = {NULL};
        problems += read_set(cli, paths[i].p, lint, &known, &set);
        if (set.h) out->set[out->n++] = set;
    }
    out->set[out->n++] = known.set[0];
    return problems;
}

static int by_id(const void *x, const void *y) {
    const struct rule_ref *a = x, *b = y;
    return str_cmp(rs_str(a->set, a->rule->id), rs_str(b->set, b->rule->id));
}

void all_rules(struct arena *a, const struct rules *rules, rule_refs *out) {
    for (size_t i = 0; i < rules->n; i++) {
        struct ruleset set = rules->set[i];
        const struct rrule *list = RS_LIST(set, set.h->rules, struct rrule);
        for (size_t k = 0; k < set.h->rules.n; k++) {
            struct rule_ref r = {set, &list[k]};
            bool is_hidden = false;
            if (list[k].copied) continue; /* the rule itself comes behind */
            for (size_t m = 0; m < out->n; m++) is_hidden |= by_id(&out->v[m], &r) == 0;
            if (!is_hidden) vec_push(a, out, r);
        }
    }
    if (out->n) qsort(out->v, out->n, sizeof *out->v, by_id);
}

static void all_targets(struct arena *a, const struct rules *rules, target_refs *out) {
    for (size_t i = rules->n; i-- > 0;) {
        struct ruleset set = rules->set[i];
        const struct rtarget *list = RS_LIST(set, set.h->targets, struct rtarget);
        for (size_t k = 0; k < set.h->targets.n; k++) {
            struct target_ref winner, t = {.set = set, .target = &list[k]};
            if (rules_target(rules, target_name(t), &winner) && winner.target == t.target)
                vec_push(a, out, t);
        }
    }
}

struct row_ref row_for(struct row_ref row, struct target_ref target) {
    const struct rrow *rows = RS_LIST(target.set, target.set.h->rows, struct rrow);
    const struct rrule *rules = RS_LIST(target.set, target.set.h->rules, struct rrule);
    struct str key = rs_str(row.set, row.row->key), id = rs_str(row.set, row.rule->id);
    for (uint32_t i = 0; row.set.h != target.set.h && i < target.set.h->rows.n; i++) {
        struct row_ref own = {target.set, &rows[i], &rules[rows[i].rule]};
        if (own.rule->copied && str_eq(rs_str(own.set, rows[i].key), key) &&
            str_eq(rs_str(own.set, own.rule->id), id) && row_cell(own, target))
            return own;
    }
    return row;
}

enum verdict row_verdict(struct row_ref row, struct target_ref target, const struct rcell **cell) {
    *cell = row_cell(row, target);
    if (*cell) return (enum verdict)(*cell)->verdict;
    return target.target->keep_names ? V_SAME : V_UNSET;
}

/* ---- targets ---- */

static void add_target(struct arena *a, target_refs *out, struct target_ref t) {
    for (size_t i = 0; i < out->n; i++)
        if (str_eq(target_name(out->v[i]), target_name(t))) return;
    vec_push(a, out, t);
}

/* A name that people of several vendors use: whoever wrote it learns of the other ones. */
static void tell_namesakes(struct cli *cli, const struct rules *rules, struct target_ref t,
                           struct str name) {
    struct str others = rules_namesakes(rules, cli->a, name);
    if (!others.n || cli_has(cli, OPT_QUIET)) return;
    stream_printf(cli->err, "cuda-morph: note: '%.*s' is %.*s here; %.*s\n", STR_ARG(name),
                  STR_ARG(rs_str(t.set, t.target->title)), STR_ARG(others));
}

bool choose_targets(struct cli *cli, const struct rules *rules, target_refs *out) {
    size_t n;
    struct str *names = cli_split(cli, OPT_TARGET, &n);
    target_refs all = {0};
    all_targets(cli->a, rules, &all);
    *out = (target_refs){0}; /* whatever the caller left there */
    if (n == 0) *out = all;
    for (size_t i = 0; i < n; i++) {
        struct target_ref t;
        if (rules_target(rules, names[i], &t)) {
            add_target(cli->a, out, t);
            tell_namesakes(cli, rules, t, names[i]);
            continue;
        }
        if (str_is(names[i], "all")) {
            for (size_t k = 0; k < all.n; k++) add_target(cli->a, out, all.v[k]);
            continue;
        }
        struct str *known = arena_alloc(cli->a, (all.n + 1) * sizeof *known);
        for (size_t k = 0; k < all.n; k++) known[k] = target_name(all.v[k]);
        struct str hint = cli_hint(cli->a, cli_nearest(names[i], known, all.n));
        struct str others = rules_namesakes(rules, cli->a, names[i]);
        if (others.n)
            cli_error(cli, "'%.*s' is no target by itself: %.*s", STR_ARG(names[i]),
                      STR_ARG(others));
        else
            cli_error(cli, "unknown target '%.*s'%.*s", STR_ARG(names[i]), STR_ARG(hint));
        return false;
    }
    return true;
}
