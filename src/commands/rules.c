/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - `cuda-morph rules`: list the rules, check rule files, run the rules' examples,
 * write pages (rules_docs.c). */
#include "commands/rule_example.h"
#include "commands/rule_sets.h"
#include "commands/rules_docs.h"
#include "commands/rules_names.h"
#include "commands/rules_new.h"
#include "diag/probes.h"

#include <stdlib.h>

/* ---- list ---- */

static const char *severity_name(uint32_t s) {
    return s == SEV_ERROR ? "error" : s == SEV_WARNING ? "warning" : "note";
}

/* "exact 12, manual 3": how the rows of a rule answer for a target. */
static void add_verdicts(struct buf *b, struct rule_ref r, struct target_ref t) {
    size_t counts[V_NONE + 1] = {0}, unverified = 0;
    const struct rcell *cell;
    const char *separator = "";
    for (size_t i = 0; i < r.rule->rows.n; i++) {
        enum verdict v = row_verdict(row_for(rule_row(r, i), t), t, &cell);
        if (cell && cell->unverified)
            unverified++;
        else
            counts[v]++;
    }
    for (size_t v = V_SAME; v <= V_NONE; v++) {
        if (counts[v])
            buf_printf(b, "%s%s %zu", separator, verdict_name((enum verdict)v), counts[v]);
        if (counts[v]) separator = ", ";
    }
    if (unverified) buf_printf(b, "%sunverified %zu", separator, unverified);
}

/* RULE TARGET NAME: every answer that is never applied because nobody could check it. */
static void list_unverified(struct cli *cli, const rule_refs *rules, const target_refs *targets) {
    struct buf b;
    buf_init(&b, cli->a);
    size_t n = 0;
    for (size_t i = 0; i < rules->n; i++)
        for (size_t k = 0; k < rules->v[i].rule->rows.n; k++)
            for (size_t t = 0; t < targets->n; t++) {
                const struct rcell *cell;
                struct row_ref row = row_for(rule_row(rules->v[i], k), targets->v[t]);
                enum verdict v = row_verdict(row, targets->v[t], &cell);
                if (v == V_UNSET || !cell || !cell->unverified) continue;
                buf_printf(&b, "%-28.*s %-9.*s ", STR_ARG(rs_str(row.set, row.rule->id)),
                           STR_ARG(target_name(targets->v[t])));
                buf_add_visible(&b, rs_str(row.set, row.row->key));
                buf_addc(&b, '\n');
                n++;
            }
    stream_add(cli->out, buf_str(&b));
    if (!cli_has(cli, OPT_QUIET))
        stream_printf(cli->err, "%zu answers are unverified and never applied\n", n);
}

static void list_text(struct cli *cli, const rule_refs *rules, const target_refs *targets) {
    struct buf b;
    buf_init(&b, cli->a);
    size_t rows = 0;
    for (size_t i = 0; i < rules->n; i++) {
        struct rule_ref r = rules->v[i];
        struct str id = rs_str(r.set, r.rule->id), title = rs_str(r.set, r.rule->title);
        buf_printf(&b, "%-34.*s %-7s %5u  %.*s\n", STR_ARG(id), severity_name(r.rule->severity),
                   r.rule->rows.n, STR_ARG(title));
        rows += r.rule->rows.n;
        if (!cli_has(cli, OPT_TARGET)) continue;
        for (size_t k = 0; k < targets->n; k++) {
            struct str name = target_name(targets->v[k]);
            buf_printf(&b, "    %.*s: ", STR_ARG(name));
            add_verdicts(&b, r, targets->v[k]);
            buf_addc(&b, '\n');
        }
    }
    stream_add(cli->out, buf_str(&b));
    if (!cli_has(cli, OPT_QUIET))
        stream_printf(cli->err, "%zu rules with %zu rows, %zu target%s\n", rules->n, rows,
                      targets->n, targets->n == 1 ? "" : "s");
}

static void add_json_row(struct buf *b, struct row_ref row, const target_refs *targets) {
    buf_addz(b, "      {\"key\": ");
    buf_add_json(b, rs_str(row.set, row.row->key));
    buf_addz(b, ", \"verdicts\": {");
    const char *separator = "";
    for (size_t i = 0; i < targets->n; i++) {
        const struct rcell *cell;
        enum verdict v = row_verdict(row_for(row, targets->v[i]), targets->v[i], &cell);
        if (v == V_UNSET) continue; /* a row for check only that has no say about the target */
        buf_addz(b, separator);
        separator = ", ";
        buf_add_json(b, target_name(targets->v[i]));
        buf_printf(b, ": \"%s\"", verdict_name(v));
    }
    buf_addc(b, '}');
    bool any = false;
    for (size_t i = 0; i < targets->n; i++) {
        const struct rcell *cell;
        enum verdict v = row_verdict(row_for(row, targets->v[i]), targets->v[i], &cell);
        if (v == V_UNSET || !cell || !cell->unverified) continue;
        buf_addz(b, any ? ", " : ", \"unverified\": [");
        buf_add_json(b, target_name(targets->v[i]));
        any = true;
    }
    buf_addz(b, any ? "]}" : "}");
}

static void list_json(struct cli *cli, const rule_refs *rules, const target_refs *targets) {
    static const char *const kinds[M_KINDS] = {
        [M_NAME] = "name",       [M_ATTRIBUTE] = "attribute",
        [M_KEYWORD] = "keyword", [M_STRING] = "string",
        [M_MODULE] = "module",   [M_SYMBOL] = "name",
        [M_INCLUDE] = "include", [M_TOKENS] = "tokens",
        [M_LAUNCH] = "launch",   [M_LANES] = "lanes",
        [M_TEXT] = "text"};
    struct buf b;
    buf_init(&b, cli->a);
    buf_addz(&b, "{\"version\": 1,\n\"rules\": [\n");
    for (size_t i = 0; i < rules->n; i++) {
        struct rule_ref r = rules->v[i];
        buf_addz(&b, i ? ",\n  {" : "  {");
        buf_add_member(&b, "id", rs_str(r.set, r.rule->id));
        buf_add_member(&b, "title", rs_str(r.set, r.rule->title));
        buf_add_member(&b, "why", rs_str(r.set, r.rule->why));
        if (r.rule->since.n) buf_add_member(&b, "since", rs_str(r.set, r.rule->since));
        buf_printf(&b, ", \"severity\": \"%s\", \"match\": \"%s\", \"rows\": [\n",
                   severity_name(r.rule->severity), kinds[r.rule->match]);
        for (size_t k = 0; k < r.rule->rows.n; k++) {
            if (k) buf_addz(&b, ",\n");
            add_json_row(&b, rule_row(r, k), targets);
        }
        buf_addz(&b, "]}");
    }
    buf_addz(&b, "\n]}\n");
    stream_add(cli->out, buf_str(&b));
}

static int list_rules(struct cli *cli) {
    struct rules rules;
    rule_refs refs = {0};
    target_refs targets = {0};
    if (cli->operands.n > 1) return cli_error(cli, "rules list takes no PATH; --rules adds rules");
    if (read_rules(cli, cli->option[OPT_RULES].values.v, cli->option[OPT_RULES].values.n, false,
                   &rules))
        return STATUS_FAILED;
    if (!choose_targets(cli, &rules, &targets)) return STATUS_FAILED;
    all_rules(cli->a, &rules, &refs);
    if (cli_has(cli, OPT_UNVERIFIED))
        list_unverified(cli, &refs, &targets);
    else if (cli_choice(cli, OPT_FORMAT, 0) == 1)
        list_json(cli, &refs, &targets);
    else
        list_text(cli, &refs, &targets);
    return STATUS_DONE;
}

/* ---- check ---- */

/* The PATHs after the subcommand, then those of --rules. */
static struct str *rule_paths(struct cli *cli, size_t *n) {
    VEC(struct str) paths = {0};
    for (size_t i = 1; i < cli->operands.n; i++) vec_push(cli->a, &paths, cli->operands.v[i]);
    for (size_t i = 0; i < cli->option[OPT_RULES].values.n; i++)
        vec_push(cli->a, &paths, cli->option[OPT_RULES].values.v[i]);
    *n = paths.n;
    return paths.v;
}

static int test_rules(struct cli *cli);

static int check_rules(struct cli *cli) {
    size_t n;
    struct str *paths = rule_paths(cli, &n);
    struct rules rules;
    if (n == 0)
        return test_rules(cli); /* the build compiled the built-in ones: examples are left */
    probe_targets probes = {0};
    struct str error;
    if (read_rules(cli, paths, n, true, &rules)) return STATUS_FAILED;
    if (!probes_load(cli->a, paths, n, &probes, &error)) { /* doctor would refuse the file */
        cli_error(cli, "%.*s", STR_ARG(error));
        return STATUS_FAILED;
    }
    size_t count = 0;
    for (size_t i = 0; i + 1 < rules.n; i++) count += rules.set[i].h->rules.n;
    if (!cli_has(cli, OPT_QUIET)) stream_printf(cli->err, "%zu rules, no problems\n", count);
    return STATUS_DONE;
}

/* ---- test ---- */

struct example_run {
    struct cli *cli;
    struct example_porter porter;
    size_t passed, failed;
};

static void print_block(struct buf *b, const char *label, struct str text) {
    buf_printf(b, "  %s\n", label);
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        buf_addz(b, "    ");
        buf_add_visible(b, str_sub(text, at, end));
        buf_addc(b, '\n');
        at = end + 1;
    }
}

static void run_example(struct example_run *run, struct rule_ref r, const struct rexample *e) {
    struct str target = rs_str(r.set, e->target), want = rs_str(r.set, e->after);
    struct str before = rs_str(r.set, e->before), id = rs_str(r.set, r.rule->id);
    struct cm_result result;
    bool has_target = example_port(&run->porter, run->cli->a, r, before, target, &result);
    if (has_target && str_eq(result.output, want)) {
        run->passed++;
        return;
    }
    run->failed++;
    struct buf b;
    buf_init(&b, run->cli->a);
    buf_printf(&b, "%.*s, %.*s:\n", STR_ARG(id), STR_ARG(target));
    print_block(&b, "before:", before);
    print_block(&b, "expected:", want);
    if (has_target)
        print_block(&b, "got:", result.output);
    else
        buf_addz(&b, "  there is no such target\n");
    stream_add(run->cli->out, buf_str(&b));
}

static void run_examples(struct example_run *run, const struct rules *rules, size_t n_sets) {
    for (size_t i = 0; i < n_sets; i++) {
        struct ruleset set = rules->set[i];
        const struct rrule *list = RS_LIST(set, set.h->rules, struct rrule);
        for (size_t k = 0; k < set.h->rules.n; k++) {
            const struct rexample *examples = RS_LIST(set, list[k].examples, struct rexample);
            for (size_t m = 0; m < list[k].examples.n; m++)
                run_example(run, (struct rule_ref){set, &list[k]}, &examples[m]);
        }
    }
}

static int test_rules(struct cli *cli) {
    size_t n;
    struct str *paths = rule_paths(cli, &n);
    struct rules rules;
    if (read_rules(cli, paths, n, false, &rules)) return STATUS_FAILED;
    cli->option[OPT_RULES].values.v = paths;
    cli->option[OPT_RULES].values.n = n;
    struct example_run run = {.cli = cli, .porter = {open_session(cli), cm_workspace_new()}};
    if (run.porter.session && run.porter.workspace)
        run_examples(&run, &rules, n ? rules.n - 1 : rules.n);
    if (run.porter.workspace) cm_workspace_free(run.porter.workspace);
    if (!run.porter.session || !run.porter.workspace) return STATUS_FAILED;
    if (!cli_has(cli, OPT_QUIET))
        stream_printf(cli->err, "examples: %zu passed, %zu failed\n", run.passed, run.failed);
    return run.failed ? STATUS_FINDINGS : STATUS_DONE;
}

int command_rules(struct cli *cli) {
    static const struct {
        struct str name;
        int (*run)(struct cli *cli);
    } actions[] = {{S("list"), list_rules}, {S("check"), check_rules},
                   {S("test"), test_rules}, {S("names"), rules_names},
                   {S("docs"), rules_docs}, {S("new-target"), rules_new_target}};
    struct str name = cli->operands.n ? cli->operands.v[0] : S("list");
    struct str names[ARRAY_LEN(actions)];
    for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
        names[i] = actions[i].name;
        if (str_eq(name, names[i])) return actions[i].run(cli);
    }
    struct str hint = cli_hint(cli->a, cli_nearest(name, names, ARRAY_LEN(names)));
    return cli_error(
        cli, "'rules' has no '%.*s', only list, check, test, names, docs and new-target%.*s",
        STR_ARG(name), STR_ARG(hint));
}
