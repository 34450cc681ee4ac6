/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - `cuda-morph run`: replaces itself by a Python interpreter whose imports are ported.
 *
 * What the interpreter needs to know goes through the environment, so that the processes it starts
 * through sys.executable (multiprocessing, torchrun) come back here and get the same:
 * cuda_morph_rt/bin/python3 is `cuda-morph run -- ARGS`, without options. */
#include "cli/target_names.h"
#include "commands/machine_report.h"
#include "commands/python.h"
#include "commands/rule_sets.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct launch {
    struct cli *cli;
    struct rules rules;
    struct target_ref target;
    struct python_place place;
};

/* Options that a process inherits. */
static const struct {
    enum option_id option;
    const char *variable;
} inherited[] = {
    {OPT_TARGET, "CUDA_MORPH_TARGET"},   {OPT_TARGET_VERSION, "CUDA_MORPH_TARGET_VERSION"},
    {OPT_RULES, "CUDA_MORPH_RULES"},     {OPT_SKIP, "CUDA_MORPH_SKIP"},
    {OPT_PYTHON, "CUDA_MORPH_PYTHON"},   {OPT_UNSAFE_FIXES, "CUDA_MORPH_UNSAFE_FIXES"},
    {OPT_VERBOSE, "CUDA_MORPH_VERBOSE"}, {OPT_NO_CACHE, "CUDA_MORPH_NO_CACHE"},
    {OPT_TRACE, "CUDA_MORPH_TRACE"},
};

/* The accelerator that `info` finds here, the first one by the targets' order; else the CPU. */
static struct str detected_target(struct cli *cli) {
    struct machine_report r;
    struct str name = target_name(default_target("run"));
    if (machine_report_read(cli, S(""), false, &r) == STATUS_DONE)
        for (size_t i = r.chosen.n; i-- > 0;)
            if (r.chosen.v[i].detected) name = r.chosen.v[i].target->name;
    if (cli_has(cli, OPT_VERBOSE))
        stream_printf(cli->err, "cuda-morph: no --target was given: %.*s\n", STR_ARG(name));
    return name;
}

/* ---- options ---- */

/* What was not given on the command line comes from the environment, one value on a line. */
static void read_environment(struct cli *cli) {
    struct str error;
    for (size_t i = 0; i < ARRAY_LEN(inherited); i++) {
        struct str all = str_of(getenv(inherited[i].variable));
        bool is_flag = cli_options[inherited[i].option].kind == FLAG;
        if (all.n == 0 || cli_has(cli, inherited[i].option)) continue;
        for (size_t at = 0; at < all.n;) {
            size_t end = str_find(all, S("\n"), at);
            struct str value = {arena_strdup(cli->a, str_sub(all, at, end)), end - at};
            cli_set(cli, inherited[i].option, is_flag ? (struct str){NULL, 0} : value, &error);
            at = end + 1;
        }
    }
}

static void write_environment(const struct launch *l) {
    struct cli *cli = l->cli;
    for (size_t i = 0; i < ARRAY_LEN(inherited); i++) {
        enum option_id id = inherited[i].option;
        struct buf b;
        buf_init(&b, cli->a);
        for (size_t k = 0; k < cli->option[id].values.n; k++) {
            const char *value = cli->option[id].values.v[k].p;
            char *whole = id == OPT_RULES ? realpath(value, NULL) : NULL;
            buf_printf(&b, "%s%s", k ? "\n" : "", whole ? whole : value);
            free(whole);
        }
        if (cli_options[id].kind == FLAG && cli_has(cli, id)) buf_addc(&b, '1');
        if (b.n) setenv(inherited[i].variable, b.p, 1);
    }
    setenv("CUDA_MORPH_TARGET", arena_strdup(cli->a, target_name(l->target)), 1);
    setenv("CUDA_MORPH_ADAPTER", arena_strdup(cli->a, target_fact(l->target, "import")), 1);
    setenv("CUDA_MORPH_PYTHON", l->place.python, 1);
    setenv("CUDA_MORPH_PROGRAM", l->place.program, 1);
}

/* The hook opens a session of its own, in the program that is run: what is wrong with a version is
 * said before, and once: the processes that it starts have the version from the environment. */
static bool check_version(struct launch *l) {
    if (getenv("CUDA_MORPH_TARGET_VERSION")) return true;
    struct cm_session *s = open_session(l->cli);
    if (s) tell_of_version(l->cli, cm_session_target(s, target_name(l->target)));
    return s;
}

static bool choose_target(struct launch *l) {
    target_refs chosen = {0};
    struct str error;
    if (!cli_has(l->cli, OPT_TARGET)) cli_set(l->cli, OPT_TARGET, detected_target(l->cli), &error);
    if (!choose_targets(l->cli, &l->rules, &chosen)) return false;
    if (chosen.n != 1) {
        cli_error(l->cli, "run takes one target");
        return false;
    }
    l->target = chosen.v[0];
    return !cli_has(l->cli, OPT_TARGET_VERSION) || check_version(l);
}

/* ---- the interpreter's command line ---- */

/* Splits `-Bu -W error -m module ...` before what is to be run: the number of arguments that are
 * the interpreter's own. A cluster such as -Bm is cut in two; *main receives its second part. */
static size_t interpreter_options(struct cli *cli, struct str *main_option) {
    size_t i = 0;
    *main_option = (struct str){NULL, 0};
    for (; i < cli->operands.n; i++) {
        struct str *arg = &cli->operands.v[i];
        if (arg->n < 2 || arg->p[0] != '-') break;
        if (str_is(*arg, "--check-hash-based-pycs")) i++;
        for (size_t k = 1; arg->p[1] != '-' && k < arg->n; k++) {
            if (arg->p[k] == 'c' || arg->p[k] == 'm') {
                struct str rest = str_sub(*arg, k, arg->n);
                *main_option = arena_printf(cli->a, "-%.*s", STR_ARG(rest));
                *arg = (struct str){arena_strdup(cli->a, str_sub(*arg, 0, k)), k};
                return i;
            }
            if (arg->p[k] == 'W' || arg->p[k] == 'X') {
                i += k + 1 == arg->n; /* its value is the next argument */
                break;
            }
        }
    }
    return i;
}

static char **command_line(struct launch *l, char *bootstrap) {
    struct cli *cli = l->cli;
    struct str main_option;
    size_t own = interpreter_options(cli, &main_option), n = 0;
    if (own >= cli->operands.n) {
        cli_error(cli, "run needs a program: cuda-morph run SCRIPT, or -m MODULE");
        return NULL;
    }
    char **argv = arena_zalloc(cli->a, (cli->operands.n + 4) * sizeof *argv);
    argv[n++] = l->place.python;
    for (size_t i = 0; i < own; i++) argv[n++] = arena_strdup(cli->a, cli->operands.v[i]);
    if (main_option.p) {
        if (cli->operands.v[own].n > 1) argv[n++] = arena_strdup(cli->a, cli->operands.v[own]);
        own++;
    }
    argv[n++] = bootstrap;
    if (main_option.p) argv[n++] = arena_strdup(cli->a, main_option);
    for (size_t i = own; i < cli->operands.n; i++)
        argv[n++] = arena_strdup(cli->a, cli->operands.v[i]);
    return argv;
}

/* ---- visible devices ---- */

/* CUDA_VISIBLE_DEVICES, under the name the target's software reads, where it is a list of numbers
 * and the user has not said something else under that name. */
static void map_visible_devices(const struct launch *l) {
    struct str name = S("CUDA_VISIBLE_DEVICES");
    const char *value = getenv(name.p);
    size_t cursor = 0;
    struct row_ref row;
    if (!value || value[strspn(value, "0123456789, -")]) return;
    while (rules_find(&l->rules, M_STRING, name, &cursor, &row)) {
        const struct rcell *cell = row_cell(row, l->target);
        if (!cell || cell->text.n == 0) continue;
        setenv(arena_strdup(l->cli->a, rs_str(row.set, cell->text)), value, 0);
        return;
    }
}

int command_run(struct cli *cli) {
    struct launch l = {.cli = cli, .place = {.cli = cli}};
    read_environment(cli);
    if (read_rules(cli, cli->option[OPT_RULES].values.v, cli->option[OPT_RULES].values.n, false,
                   &l.rules))
        return STATUS_FAILED;
    if (!choose_target(&l) || !python_find_program(&l.place)) return STATUS_FAILED;
    char *bootstrap = python_find_part(&l.place, PYTHON_RUNTIME "/boot.py");
    char *library = python_find_library(&l.place);
    if (!bootstrap || !library) return STATUS_FAILED;
    char **argv = command_line(&l, bootstrap);
    if (!argv || !python_find_interpreter(&l.place)) return STATUS_FAILED;
    write_environment(&l);
    setenv("CUDA_MORPH_LIBRARY", library, 1);
    map_visible_devices(&l);
    return python_become(&l.place, argv);
}
