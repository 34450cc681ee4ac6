/* SPDX-License-Identifier: Apache-2.0 */
/* machine_report.c - the machine and the chosen targets, for info and doctor. */
#include "commands/machine_report.h"

#include "commands/rule_sets.h"
#include "diag/interpreter.h"

static const struct probe_target *find(const struct machine_report *r, struct str name) {
    for (size_t i = 0; i < r->targets.n; i++)
        if (str_eq(r->targets.v[i].name, name)) return &r->targets.v[i];
    return NULL;
}

static void look_at(struct machine_report *r, const struct probe_target *t, bool full,
                    struct str purpose) {
    struct found_target found;
    probes_run(&r->machine, t, full, purpose, &found);
    vec_push(r->machine.a, &r->chosen, found);
}

int machine_report_read(struct cli *cli, struct str purpose, bool whole,
                        struct machine_report *r) {
    struct str error;
    struct rules rules;
    target_refs chosen = {0};
    const struct str *paths = cli->option[OPT_RULES].values.v;
    size_t n_paths = cli->option[OPT_RULES].values.n;
    bool full = whole || cli_has(cli, OPT_FULL);
    *r = (struct machine_report){0};
    if (read_rules(cli, paths, n_paths, false, &rules)) return STATUS_FAILED;
    if (!machine_open(&r->machine, cli->a, cli_value(cli, OPT_ROOT), &error) ||
        !probes_load(cli->a, paths, n_paths, &r->targets, &error))
        return cli_error(cli, "%.*s", STR_ARG(error));
    r->machine.asks_tools = whole;
    interpreter_use(&r->machine);
    struct str forced = machine_variable(&r->machine, "CUDA_MORPH_TARGET");
    struct target_ref t;
    if (forced.n && !rules_target(&rules, forced, &t))
        return cli_error(cli, "CUDA_MORPH_TARGET names no target: '%.*s'", STR_ARG(forced));
    if (forced.n) r->forced = target_name(t);
    if (!choose_targets(cli, &rules, &chosen)) return STATUS_FAILED;
    for (size_t i = 0; i < chosen.n; i++) {
        const struct probe_target *p = find(r, target_name(chosen.v[i]));
        if (p) look_at(r, p, full, purpose);
    }
    return STATUS_DONE;
}

int machine_report_host(struct cli *cli, struct machine_report *r) {
    struct str error;
    struct probe_target *t = arena_alloc(cli->a, sizeof *t);
    if (!probes_load_host(cli->a, t, &error)) return cli_error(cli, "%.*s", STR_ARG(error));
    probes_run(&r->machine, t, false, S(""), &r->host);
    return STATUS_DONE;
}
