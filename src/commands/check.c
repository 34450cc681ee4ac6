/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - `cuda-morph check`: from the options to one pass over the sources. */
#include "commands/check.h"
#include "base/pool.h"
#include "cli/target_names.h"
#include "commands/undo.h"
#include "report/ordered.h"
#include "report/progress.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- options ---- */

/* What the command line says wins against a configuration file without a word. */
static bool exclude_each_other(struct cli *cli, enum option_id x, enum option_id y) {
    if (!cli_has(cli, x) || !cli_has(cli, y)) return false;
    if (cli->option[x].origin.n || cli->option[y].origin.n) {
        enum option_id loser = cli->option[x].origin.n ? x : y;
        cli->option[loser].count = cli->option[loser].values.n = 0;
        return false;
    }
    cli_error(cli, "--%s and --%s exclude each other", cli_options[x].name, cli_options[y].name);
    return true;
}

static bool goes_with(struct cli *cli, enum option_id x, enum option_id y) {
    if (!cli_has(cli, x) || cli_has(cli, y)) return true;
    cli_error(cli, "--%s goes with --%s", cli_options[x].name, cli_options[y].name);
    return false;
}

static bool fits_fix(struct check *check, const struct folder *f) {
    if ((!check->fix && !check->diff) || f->n_targets < 2) return true;
    const char *path = f == check->folders.run ? NULL : f->config.path;
    cli_error(check->cli, "%s%s--%s takes one target", path ? path : "", path ? ": " : "",
              check->fix ? "fix" : "diff");
    return false;
}

static bool options_fit(struct check *check) {
    static const enum option_id pairs[][2] = {
        {OPT_FIX, OPT_DIFF_LINES},
        {OPT_FIX_ONLY, OPT_DIFF_LINES},
        {OPT_DIFF, OPT_DIFF_LINES},
        {OPT_DIFF, OPT_STATISTICS},
        {OPT_DIFF, OPT_REPORT_FORMAT},
        {OPT_BASELINE, OPT_WRITE_BASELINE},
        {OPT_DIFF_LINES, OPT_WRITE_BASELINE},
        {OPT_DIFF_LINES, OPT_PRUNE_BASELINE},
    };
    struct cli *cli = check->cli;
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        if (exclude_each_other(cli, pairs[i][0], pairs[i][1])) return false;
    if (!goes_with(cli, OPT_PRUNE_BASELINE, OPT_BASELINE)) return false;
    if (cli_has(cli, OPT_EXIT_NON_ZERO_ON_FIX) && !check->fix) {
        cli_error(cli, "--exit-non-zero-on-fix goes with --fix");
        return false;
    }
    return fits_fix(check, check->folders.run);
}

static bool read_max_warnings(struct check *check) {
    struct str text = cli_value(check->cli, OPT_MAX_WARNINGS);
    char *end;
    check->max_warnings = 0;
    if (!text.p) return true;
    check->max_warnings = strtoul(text.p, &end, 10);
    if (text.n && !*end && text.p[0] >= '0' && text.p[0] <= '9') return true;
    cli_error(check->cli, "--max-warnings takes a number, not '%s'", text.p);
    return false;
}

static struct str standard_target(void) { return target_name(default_target("check")); }

static bool read_options(struct check *check) {
    struct cli *cli = check->cli;
    check->places_same = cli_choice(cli, OPT_PLACES, 0) == 1;
    check->fix_only = cli_has(cli, OPT_FIX_ONLY);
    check->diff = cli_has(cli, OPT_DIFF);
    check->fix = !check->diff && (cli_has(cli, OPT_FIX) || check->fix_only);
    check->quiet = cli_has(cli, OPT_QUIET);
    check->verbose = cli_has(cli, OPT_VERBOSE) && !check->quiet;
    static const int levels[] = {SEV_ERROR, SEV_WARNING, SEV_NOTE, SEV_ERROR + 1};
    check->fail_on = levels[cli_choice(cli, OPT_FAIL_ON, 1)];
    if (!inputs_read_jobs(&check->in)) return false;
    if (!rule_list_read(cli, &check->rules)) return false;
    if (!rules_url_read(cli, &check->run.pages)) return false;
    check->run.rules = check->rules.v;
    check->run.n_rules = check->rules.n;
    check->totals.by_rule = arena_zalloc(cli->a, check->rules.n * sizeof(size_t));
    struct folders *folders = &check->folders;
    folders->in = &check->in;
    folders->project = &check->project;
    folders->rules = &check->rules;
    folders->run = NEW(cli->a, struct folder);
    *folders->run = (struct folder){.cli = cli, .config = check->config};
    return folder_read_options(folders, folders->run, standard_target()) &&
           read_max_warnings(check) && options_fit(check);
}

/* The configurations of the sources' folders, once the sources are known. */
static bool read_folders(struct check *check) {
    struct arena *a = check->cli->a;
    if (!folders_find(&check->folders, standard_target())) return false;
    for (size_t i = 0; i < check->folders.all.n; i++)
        if (!fits_fix(check, check->folders.all.v[i])) return false;
    struct str *targets = arena_alloc(a, check->in.n_targets * sizeof *targets);
    for (size_t i = 0; i < check->in.n_targets; i++)
        targets[i] = cm_target_name(check->in.targets[i]);
    check->run.targets = targets;
    check->run.n_targets = check->in.n_targets;
    owners_read(&check->owners, a, &check->project);
    return true;
}

/* ---- files that are read beside the sources ---- */

static bool parse_baseline(struct check *check, struct str path, struct baseline **out) {
    struct cli *cli = check->cli;
    struct str text, error;
    *out = NEW(cli->a, struct baseline);
    if (file_read(cli->a, path.p, MAX_SOURCE_BYTES, &text, NULL, &error) &&
        baseline_parse(*out, cli->a, path, text, &check->project, &error))
        return true;
    cli_error(cli, "%.*s", STR_ARG(error));
    return false;
}

/* What --ratchet compares with: the baseline in use, or the one that is to be written anew. */
static bool read_ratchet(struct check *check) {
    struct cli *cli = check->cli;
    struct str path = cli_value(cli, OPT_WRITE_BASELINE);
    struct baseline *before = check->baseline;
    if (!cli_has(cli, OPT_RATCHET)) return true;
    if (!before && !path.p) {
        cli_error(cli, "--ratchet goes with --baseline or --write-baseline");
        return false;
    }
    if (path.p && access(path.p, F_OK) != 0) return true; /* the first one may hold anything */
    if (path.p && !parse_baseline(check, path, &before)) return false;
    owners_read(&check->owners, cli->a, &check->project);
    check->ratchet = NEW(cli->a, struct ratchet);
    ratchet_start(check->ratchet, cli->a, &check->owners, before);
    return true;
}

static bool read_baseline(struct check *check) {
    struct cli *cli = check->cli;
    struct str path = cli_value(cli, OPT_BASELINE);
    if (cli_has(cli, OPT_WRITE_BASELINE)) {
        check->recorded = NEW(cli->a, struct baseline);
        check->recorded->a = cli->a;
    }
    if (path.p && !parse_baseline(check, path, &check->baseline)) return false;
    return read_ratchet(check);
}

static bool read_diff_lines(struct check *check) {
    struct cli *cli = check->cli;
    struct str path = cli_value(cli, OPT_DIFF_LINES), text, error;
    if (!path.p) return true;
    struct diff_lines *lines = NEW(cli->a, struct diff_lines);
    if (!inputs_read_list(cli, path, &text)) return false;
    check->lines = lines;
    if (diff_lines_read(lines, cli->a, &check->project, text, &error)) return true;
    cli_error(cli, "%s: %.*s", str_is(path, "-") ? "standard input" : path.p, STR_ARG(error));
    return false;
}

/* Without a path: the current directory, or the files of the diff that are in a known language. */
static bool read_sources(struct check *check) {
    struct cli *cli = check->cli;
    path_list paths = {0};
    struct source_search search = {.skip_unknown = check->lines != NULL};
    if (!check->lines) vec_push(cli->a, &paths, ".");
    for (size_t i = 0; check->lines && i < check->lines->files.n; i++)
        vec_push(cli->a, &paths, check->lines->files.v[i].to_open);
    if (check->lines && paths.n == 0 && !cli->operands.n && !cli_has(cli, OPT_FILES_FROM))
        return true;
    search.otherwise = paths.v;
    search.n_otherwise = paths.n;
    if (!inputs_read_sources(&check->in, &search)) return false;
    for (size_t i = 0; check->fix && i < check->in.sources.n; i++) {
        if (!check->in.sources.v[i].is_stdin) continue;
        cli_error(cli, "standard input cannot be rewritten in place; --diff prints the changes");
        return false;
    }
    return true;
}

/* ---- the pass ---- */

struct pass {
    struct check *check;
    struct ordered ordered;
    struct progress progress;
    size_t *sources; /* that there is something to do about, by number */
};

static void pass_job(void *ctx, size_t worker, size_t index) {
    struct pass *pass = ctx;
    size_t source = pass->sources[index];
    ordered_put(&pass->ordered, index, check_source(pass->check, worker, source));
}

static void pass_print(void *ctx, size_t index, void *item) {
    struct pass *pass = ctx;
    check_print_item(pass->check, pass->sources[index], item);
    progress_step(&pass->progress);
}

static void run_pass(struct check *check) {
    struct arena *a = check->cli->a;
    struct pass pass = {.check = check};
    size_t n = 0;
    pass.sources = arena_alloc(a, (check->in.sources.n + 1) * sizeof *pass.sources);
    for (size_t i = 0; i < check->in.sources.n; i++) {
        /* A baseline wants to know of every file that was looked at. */
        if (look_is_silent(&check->looks.v[i]) && !check->baseline)
            check->totals.files++;
        else
            pass.sources[n++] = i;
    }
    ordered_init(&pass.ordered, a, check->in.jobs * 16 + 16, pass_print, &pass);
    /* Items are printed by any thread, and no thread may jump into main's frame. */
    jmp_buf *escape = a->escape;
    a->escape = NULL;
    progress_start(&pass.progress, check->cli->err, n, check->quiet);
    pool_run(check->in.jobs, n, pass_job, &pass);
    progress_end(&pass.progress);
    a->escape = escape;
    ordered_free(&pass.ordered);
}

static int check_status(const struct check *check) {
    if (check->in.failed) return STATUS_FAILED;
    if (cli_has(check->cli, OPT_EXIT_ZERO)) return STATUS_DONE;
    if (check->ratchet && (check->rose || !check->would_change))
        return check->rose ? STATUS_FINDINGS : STATUS_DONE;
    if (check->recorded) return STATUS_DONE;
    if (cli_has(check->cli, OPT_EXIT_NON_ZERO_ON_FIX) && check->totals.fixed)
        return STATUS_FINDINGS;
    if (check->fix_only && !check->diff) return STATUS_DONE;
    bool found = check->would_change;
    for (int s = check->fail_on; s <= SEV_ERROR; s++)
        found |= check->totals.by_severity[s] > (s == SEV_WARNING ? check->max_warnings : 0);
    return found ? STATUS_FINDINGS : STATUS_DONE;
}

int command_check(struct cli *cli) {
    struct check *check = NEW(cli->a, struct check);
    check->cli = check->in.cli = cli;
    project_find(&check->project, cli->a);
    check->folders.plain = cli_copy(cli);
    if (!config_read(cli, &check->project, &check->config)) return STATUS_FAILED;
    if (cli_has(cli, OPT_SHOW_SETTINGS)) {
        config_show(cli, &check->config);
        return STATUS_DONE;
    }
    if (!(check->in.session = open_session(cli))) return STATUS_FAILED;
    if (!compile_setup_read(cli, &check->compile)) return STATUS_FAILED;
    if (!read_options(check) || !read_baseline(check) || !read_diff_lines(check) ||
        !read_sources(check) || !read_folders(check))
        return STATUS_FAILED;
    if (cli_has(cli, OPT_SHOW_FILES)) {
        inputs_show_files(&check->in);
        return check->in.failed ? STATUS_FAILED : STATUS_DONE;
    }
    if (!check_open_outputs(check)) return STATUS_FAILED;
    check_look(check);
    if (!check_open_workers(check))
        return cli_error(cli, "out of memory for %zu threads", check->in.jobs);
    if (check->fix && !check->diff) check->undo = undo_open(cli);
    run_pass(check);
    undo_close(check->undo);
    check_keep_answers(check);
    check_close_workers(check);
    compile_setup_end(&check->compile);
    check_finish(check);
    return check_status(check);
}
