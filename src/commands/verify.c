/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - `cuda-morph verify` and `cuda-morph bench`: checked here, done by the Python programs
 * in runtime/python/cuda_morph_tools/. */
#include <stdlib.h>

#include "commands/commands.h"
#include "commands/python.h"
#include "commands/rule_sets.h"

struct tool {
    struct python_place place;
    VEC(char *) argv;
};

static void add(struct tool *t, const char *name, struct str value) {
    struct arena *a = t->place.cli->a;
    vec_push(a, &t->argv, arena_strdup(a, str_of(name)));
    if (value.p) vec_push(a, &t->argv, arena_strdup(a, value));
}

/* An option with a value, when it was given. */
static void pass(struct tool *t, const char *name, enum option_id id) {
    struct cli *cli = t->place.cli;
    if (!cli_has(cli, id)) return;
    struct str value = cli_value(cli, id);
    struct str both = arena_printf(cli->a, "%s=%.*s", name, STR_ARG(value));
    add(t, arena_strdup(cli->a, both), (struct str){NULL, 0});
}

/* What the targets' files say of their devices goes through the environment, a device on a line:
 * its name for PyTorch, the module to import, the back end of torch.distributed, the dispatch
 * key; "-" for none. */
static bool name_devices(struct cli *cli) {
    static const char *const facts[] = {"device", "import", "backend", "dispatch_key"};
    struct rules rules;
    target_refs targets = {0};
    struct buf b;
    const struct str *paths = cli->option[OPT_RULES].values.v;
    if (read_rules(cli, paths, cli->option[OPT_RULES].values.n, false, &rules) ||
        !choose_targets(cli, &rules, &targets))
        return false;
    buf_init(&b, cli->a);
    for (size_t i = 0; i < targets.n; i++)
        for (size_t k = 0; k < ARRAY_LEN(facts); k++) {
            struct str fact = target_fact(targets.v[i], facts[k]);
            if (k == 0 && fact.n == 0) break;
            buf_add(&b, fact.n ? fact : S("-"));
            buf_addc(&b, k + 1 < ARRAY_LEN(facts) ? ' ' : '\n');
        }
    setenv("CUDA_MORPH_DEVICES", arena_strdup(cli->a, buf_str(&b)), 1);
    return true;
}

/* Lays out `python3 -B SCRIPT`; false after a message. */
static bool start(struct tool *t, struct cli *cli, const char *script) {
    *t = (struct tool){.place = {.cli = cli}};
    if (!name_devices(cli) || !python_find_program(&t->place)) return false;
    char *path =
        python_find_part(&t->place, arena_printf(cli->a, "cuda_morph_tools/%s", script).p);
    if (!path || !python_find_interpreter(&t->place)) return false;
    add(t, "python3", (struct str){NULL, 0});
    add(t, "-B", str_of(path));
    return true;
}

static int finish(struct tool *t) {
    vec_push(t->place.cli->a, &t->argv, NULL);
    return python_become(&t->place, t->argv.v);
}

static bool is_count(struct cli *cli, enum option_id id) {
    struct str value = cli_value(cli, id);
    bool ok = !cli_has(cli, id) || (value.n > 0 && value.n < 8 && value.p[0] != '0');
    for (size_t i = 0; i < value.n; i++) ok = ok && value.p[i] >= '0' && value.p[i] <= '9';
    if (!ok)
        cli_error(cli, "--%s takes a number from 1, not '%.*s'", cli_options[id].name,
                  STR_ARG(value));
    return ok;
}

int command_verify(struct cli *cli) {
    struct tool t;
    if (cli->operands.n) return cli_error(cli, "verify takes no operand; try --device");
    if (!is_count(cli, OPT_TIMEOUT) || !start(&t, cli, "verify.py")) return STATUS_FAILED;
    pass(&t, "--device", OPT_DEVICE);
    pass(&t, "--format", OPT_FORMAT);
    pass(&t, "--only", OPT_ONLY);
    pass(&t, "--timeout", OPT_TIMEOUT);
    if (cli_has(cli, OPT_QUIET)) add(&t, "--quiet", (struct str){NULL, 0});
    return finish(&t);
}

static bool is_mode(struct cli *cli, struct str mode) {
    static const char *const modes[] = {"overhead", "ops", "bandwidth", "model"};
    for (size_t i = 0; i < ARRAY_LEN(modes); i++)
        if (str_is(mode, modes[i])) return true;
    cli_error(cli, "bench takes overhead, ops, bandwidth or model, not '%.*s'", STR_ARG(mode));
    return false;
}

/* The shims are measured through the same library as `run` uses them. */
static bool name_library(struct tool *t) {
    char *library = python_find_library(&t->place);
    if (!library) return false;
    setenv("CUDA_MORPH_LIBRARY", library, 1);
    setenv("CUDA_MORPH_PROGRAM", t->place.program, 1);
    return true;
}

int command_bench(struct cli *cli) {
    struct tool t;
    bool compares = cli_has(cli, OPT_COMPARE);
    if (compares && cli->operands.n != 2)
        return cli_error(cli, "bench --compare takes two files of --csv");
    if (!compares && cli->operands.n != 1)
        return cli_error(cli, "bench takes one of overhead, ops, bandwidth and model");
    if (!compares && !is_mode(cli, cli->operands.v[0])) return STATUS_FAILED;
    if (!is_count(cli, OPT_ITERATIONS) || !start(&t, cli, "bench.py")) return STATUS_FAILED;
    if (!compares && str_is(cli->operands.v[0], "overhead") && !name_library(&t))
        return STATUS_FAILED;
    pass(&t, "--device", OPT_DEVICE);
    pass(&t, "--iterations", OPT_ITERATIONS);
    pass(&t, "--csv", OPT_CSV);
    pass(&t, "--svg", OPT_SVG);
    pass(&t, "--cmd", OPT_CMD);
    if (compares) add(&t, "--compare", (struct str){NULL, 0});
    add(&t, "--", (struct str){NULL, 0});
    for (size_t i = 0; i < cli->operands.n; i++)
        add(&t, arena_strdup(cli->a, cli->operands.v[i]), (struct str){NULL, 0});
    return finish(&t);
}
