/* SPDX-License-Identifier: Apache-2.0 */
/* port.c - `cuda-morph port`: from the options to a pass over the sources for all targets. */
#include "commands/port.h"
#include "base/pool.h"
#include "cli/target_names.h"
#include "commands/config.h"
#include "commands/look.h"
#include "commands/undo.h"
#include "report/ordered.h"
#include "report/progress.h"

#include <stdlib.h>

/* ---- options ---- */

static bool read_targets(struct port *port) {
    struct cli *cli = port->cli;
    size_t n;
    struct str *names = cli_split(cli, OPT_TARGET, &n);
    if (n == 0) {
        cli_error(cli, "port needs --target=T[,T...]; 'cuda-morph help port' lists the targets");
        return false;
    }
    if (!inputs_read_targets(&port->in, names, n)) return false;
    port->n_targets = port->in.n_targets;
    port->in.narrow = true;
    port->targets = arena_zalloc(cli->a, port->n_targets * sizeof *port->targets);
    for (size_t i = 0; i < port->n_targets; i++) {
        const struct cm_target *t = port->in.targets[i];
        port->targets[i] = (struct port_target){.target = t, .name = cm_target_name(t)};
    }
    return true;
}

/* At most one of the options that say where the result goes; --check goes with --diff, too. */
static bool read_mode(struct port *port) {
    static const struct {
        enum option_id option;
        enum port_mode mode;
    } modes[] = {{OPT_STDOUT, PORT_STDOUT},     {OPT_OUTPUT, PORT_DIRECTORY},
                 {OPT_IN_PLACE, PORT_IN_PLACE}, {OPT_DIFF, PORT_DIFF},
                 {OPT_DUMP, PORT_DUMP},         {OPT_EXPLAIN_KERNELS, PORT_DUMP},
                 {OPT_CHECK, PORT_CHECK}};
    struct cli *cli = port->cli;
    const char *first = NULL;
    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        if (!cli_has(cli, modes[i].option)) continue;
        const char *name = cli_options[modes[i].option].name;
        bool may_join = modes[i].option == OPT_CHECK && port->mode == PORT_DIFF;
        if (first && !may_join) {
            cli_error(cli, "--%s and --%s exclude each other", first, name);
            return false;
        }
        if (!first) port->mode = modes[i].mode;
        first = name;
    }
    bool one_result =
        port->mode == PORT_STDOUT || port->mode == PORT_IN_PLACE || port->mode == PORT_DIFF;
    if (port->dump >= CM_DUMP_KERNELS && !cm_target_loops(port->targets[0].target)) {
        cli_error(cli,
                  "--explain-kernels goes with --target %.*s: elsewhere kernels run as they are",
                  STR_ARG(targets_with(cli->a, "kernels")));
        return false;
    }
    for (size_t i = 0; cli_choice(cli, OPT_KERNELS, 0) == 2 && i < port->n_targets; i++)
        if (!cm_target_fact(port->targets[i].target, "sycl_kernels").n) {
            cli_error(cli, "--kernels sycl goes with --target %.*s",
                      STR_ARG(targets_with(cli->a, "sycl_kernels")));
            return false;
        }
    if (one_result && port->n_targets > 1) {
        cli_error(cli, "--%s takes one target; -o DIR writes several", first);
        return false;
    }
    return true;
}

static bool read_options(struct port *port) {
    struct cli *cli = port->cli;
    port->check = cli_has(cli, OPT_CHECK);
    port->strict = cli_has(cli, OPT_STRICT);
    port->verify = cli_has(cli, OPT_VERIFY);
    port->quiet = cli_has(cli, OPT_QUIET);
    port->verbose = cli_has(cli, OPT_VERBOSE) && !port->quiet;
    port->dump = (enum cm_dump)(cli_choice(cli, OPT_DUMP, CM_DUMP_NONE - 1) + 1);
    bool json = cli_choice(cli, OPT_FORMAT, 0) == 1;
    if (cli_has(cli, OPT_EXPLAIN_KERNELS))
        port->dump = json ? CM_DUMP_KERNELS_JSON : CM_DUMP_KERNELS;
    if (cli_has(cli, OPT_FORMAT) && !cli_has(cli, OPT_EXPLAIN_KERNELS)) {
        cli_error(cli, "--format goes with --explain-kernels; --report writes a port as JSON");
        return false;
    }
    port->report = cli_value(cli, OPT_REPORT).p;
    port->accounting = cli_value(cli, OPT_ACCOUNTING).p;
    port->rename = cli_has(cli, OPT_RENAME_EXT);
    if (port->rename && !cli_has(cli, OPT_OUTPUT)) {
        cli_error(cli, "--rename-ext goes with --output");
        return false;
    }
    if (cli_has(cli, OPT_WITH_RUNTIME) && !cli_has(cli, OPT_OUTPUT)) {
        cli_error(cli, "--with-runtime goes with --output");
        return false;
    }
    if (!read_targets(port) || !read_mode(port) || !inputs_read_jobs(&port->in)) return false;
    for (size_t i = 0; cli_choice(cli, OPT_LIBRARIES, 0) == 1 && i < port->n_targets; i++)
        if (!cm_target_fact(port->targets[i].target, "native_libraries").n) {
            struct str name = cm_target_name(port->targets[i].target);
            cli_error(cli, "--libraries=roc is not for the target %.*s", STR_ARG(name));
            return false;
        }
    if (!cli_has(cli, OPT_BACKUP)) return true;
    struct str suffix = cli_value(cli, OPT_BACKUP);
    port->backup = suffix.p ? suffix.p : ".orig";
    if (port->mode != PORT_IN_PLACE) {
        cli_error(cli, "--backup goes with --in-place");
        return false;
    }
    if (suffix.p && (suffix.n == 0 || strchr(suffix.p, '/'))) {
        cli_error(cli, "--backup takes the end of a file name, not '%s'", suffix.p);
        return false;
    }
    return true;
}

/* ---- sources ---- */

/* Fills port->in.sources; false after a message where nothing may be done at all. */
static bool read_sources(struct port *port) {
    struct cli *cli = port->cli;
    bool wants_stdin = false;
    for (size_t i = 0; i < cli->operands.n; i++) wants_stdin |= str_is(cli->operands.v[i], "-");
    if (wants_stdin && port->mode == PORT_IN_PLACE) {
        cli_error(cli, "standard input cannot be rewritten in place");
        return false;
    }
    if (wants_stdin && port->mode == PORT_DIRECTORY && !cli_value(cli, OPT_STDIN_FILENAME).n) {
        cli_error(cli, "- with --output needs --stdin-filename=NAME");
        return false;
    }
    struct source_search search = {.skip_directory = cli_value(cli, OPT_OUTPUT).p,
                                   .want_all = port->mode == PORT_DIRECTORY};
    if (!inputs_read_sources(&port->in, &search)) return false;
    bool one_file = port->in.one_file;
    if (port->mode == PORT_SUMMARY && one_file && port->n_targets == 1) port->mode = PORT_STDOUT;
    if (port->mode == PORT_STDOUT && !one_file) {
        cli_error(cli, "--stdout takes one file; use -o DIR for more");
        return false;
    }
    return true;
}

/* ---- the output tree ---- */

struct placed {
    struct str relative;
    const char *path;
};

static int by_relative(const void *x, const void *y) {
    const struct placed *a = x, *b = y;
    return str_cmp(a->relative, b->relative);
}

static bool no_two_meet(struct port *port, const struct port_target *target) {
    size_t n = port->in.sources.n;
    struct arena *a = port->cli->a;
    struct placed *sorted = arena_alloc(a, (n + 1) * sizeof *sorted);
    for (size_t i = 0; i < n; i++) {
        const struct source *s = &port->in.sources.v[i];
        sorted[i] = (struct placed){port_relative(port, a, target, s), s->path};
    }
    qsort(sorted, n, sizeof *sorted, by_relative);
    for (size_t i = 1; i < n; i++) {
        if (!str_eq(sorted[i - 1].relative, sorted[i].relative)) continue;
        cli_error(port->cli, "%s and %s would both become %.*s below %s; port them one by one",
                  sorted[i - 1].path, sorted[i].path, STR_ARG(sorted[i].relative),
                  cli_value(port->cli, OPT_OUTPUT).p);
        return false;
    }
    return true;
}

/* Whether every input stays as it is, whatever is written below the target's root. */
static bool inputs_are_safe(struct port *port, const struct port_target *target) {
    const char *root = target->root;
    for (size_t i = 0; i < port->cli->operands.n && is_directory(root); i++) {
        const char *operand = port->cli->operands.v[i].p;
        if (!file_is(operand, root)) continue;
        cli_error(port->cli, "%s is the input and the output; --in-place rewrites it", operand);
        return false;
    }
    for (size_t i = 0; i < port->in.sources.n && is_directory(root); i++) {
        const struct source *s = &port->in.sources.v[i];
        struct str relative = port_relative(port, port->cli->a, target, s);
        struct str to = arena_printf(port->cli->a, "%s/%.*s", root, STR_ARG(relative));
        if (s->is_stdin || !file_is(s->path, to.p)) continue;
        cli_error(port->cli, "%s would be overwritten by its own port; --in-place does that",
                  s->path);
        return false;
    }
    return true;
}

static bool prepare_output(struct port *port) {
    struct cli *cli = port->cli;
    struct str directory = cli_value(cli, OPT_OUTPUT), error;
    if (port->mode != PORT_DIRECTORY) return true;
    if (directory.n == 0) {
        cli_error(cli, "--output needs the name of a directory");
        return false;
    }
    for (size_t i = 0; i < port->n_targets; i++) {
        struct port_target *t = &port->targets[i];
        t->root = port->n_targets == 1
                      ? directory.p
                      : arena_printf(cli->a, "%s/%.*s", directory.p, STR_ARG(t->name)).p;
        if (!no_two_meet(port, t) || !inputs_are_safe(port, t)) return false;
    }
    for (size_t i = 0; i < port->n_targets; i++) {
        struct str inside = arena_printf(cli->a, "%s/.", port->targets[i].root);
        if (file_make_parents(cli->a, inside.p, &error)) continue;
        cli_error(cli, "%.*s", STR_ARG(error));
        return false;
    }
    return true;
}

/* ---- the passes ---- */

/* All sources for some targets. The first target's items are printed as they come, those of the
 * others wait until it is their turn: only such as have something to say. */
struct pass {
    struct port *port;
    struct ordered ordered;
    struct progress progress;
    struct port_item **waiting; /* [target][source] */
};

static void pass_job(void *ctx, size_t worker, size_t index) {
    struct pass *pass = ctx;
    ordered_put(&pass->ordered, index, port_source(pass->port, worker, index));
}

static void pass_print(void *ctx, size_t index, void *item) {
    struct pass *pass = ctx;
    struct port *port = pass->port;
    struct port_item *of_target = item;
    for (size_t i = 0; i < port->n_now; i++) {
        struct port_item *next = of_target->next;
        bool speaks = port_count_item(port, port->first + i, of_target);
        if (speaks && i == 0) port_print_item(port, index, of_target);
        if (speaks && i > 0) pass->waiting[i * port->in.sources.n + index] = of_target;
        if (item != &port_lost_item) of_target = next;
    }
    progress_step(&pass->progress);
}

static void print_target(struct pass *pass, size_t i) {
    struct port *port = pass->port;
    port->current = port->first + i;
    for (size_t k = 0; i > 0 && k < port->in.sources.n; k++) {
        struct port_item *item = pass->waiting[i * port->in.sources.n + k];
        if (item) port_print_item(port, k, item);
    }
    port->in.failed |= !port_write_helpers(port);
    if (cli_has(port->cli, OPT_WITH_RUNTIME)) port->in.failed |= !port_copy_runtime(port);
    port_print_summary(port);
}

static void run_pass(struct port *port, size_t first, size_t n) {
    struct arena *a = port->cli->a;
    struct pass pass = {.port = port};
    port->first = port->current = &port->targets[first];
    port->n_now = n;
    struct verification what = {port->cli, &port->in, &port->compile, port->current->target};
    if (port->verify && !port_verify(&what, &port->verified)) {
        port->in.failed = true;
        return;
    }
    if (n > 1) pass.waiting = arena_zalloc(a, n * (port->in.sources.n + 1) * sizeof *pass.waiting);
    ordered_init(&pass.ordered, a, port->in.jobs * 4 + 16, pass_print, &pass);
    /* Items are printed by any thread, and no thread may jump into main's frame. */
    jmp_buf *escape = a->escape;
    a->escape = NULL;
    progress_start(&pass.progress, port->cli->err, port->in.sources.n,
                   cli_has(port->cli, OPT_QUIET));
    pool_run(port->in.jobs, port->in.sources.n, pass_job, &pass);
    progress_end(&pass.progress);
    a->escape = escape;
    ordered_free(&pass.ordered);
    for (size_t i = 0; i < n; i++) print_target(&pass, i);
}

static int port_status(const struct port *port) {
    bool found = false;
    for (size_t i = 0; i < port->n_targets; i++) {
        const struct totals *t = &port->targets[i].totals;
        found |= (port->check && t->changed) ||
                 (port->strict && t->counts[CM_MANUAL] + t->counts[CM_VERIFY]);
        found |= port->targets[i].would_not_compile;
    }
    return port->in.failed ? STATUS_FAILED : found ? STATUS_FINDINGS : STATUS_DONE;
}

int command_port(struct cli *cli) {
    struct port *port = NEW(cli->a, struct port);
    port->cli = port->in.cli = cli;
    struct project project;
    struct config config;
    struct looks looks;
    project_find(&project, cli->a);
    if (!config_read(cli, &project, &config)) return STATUS_FAILED;
    if (cli_has(cli, OPT_SHOW_SETTINGS)) {
        config_show(cli, &config);
        return STATUS_DONE;
    }
    if (!(port->in.session = open_session(cli))) return STATUS_FAILED;
    if (!compile_setup_read(cli, &port->compile)) return STATUS_FAILED;
    if (!read_options(port) || !read_sources(port)) return STATUS_FAILED;
    if (cli_has(cli, OPT_SHOW_FILES)) {
        inputs_show_files(&port->in);
        return port_status(port);
    }
    if (!prepare_output(port)) return STATUS_FAILED;
    look_at_sources(&looks, &port->in, NULL);
    port_start_reports(port);
    if (!port_open_workers(port))
        return cli_error(cli, "out of memory for %zu threads", port->in.jobs);
    if (port->mode == PORT_IN_PLACE) port->undo = undo_open(cli);
    size_t at_once = port->verify ? 1 : port->n_targets;
    for (size_t i = 0; i < port->n_targets; i += at_once) run_pass(port, i, at_once);
    undo_close(port->undo);
    port_close_workers(port);
    compile_setup_end(&port->compile);
    port_write_reports(port);
    return port_status(port);
}
