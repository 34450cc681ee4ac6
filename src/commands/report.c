/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - `cuda-morph report`: how ready a tree is for its targets, and where the work is. */
#include "commands/report.h"
#include "commands/config.h"
#include "commands/look.h"

#include <stdlib.h>

static bool read_targets(struct inputs *in) {
    size_t n;
    struct str *names = cli_split(in->cli, OPT_TARGET, &n);
    if (n) return inputs_read_targets(in, names, n);
    cli_error(in->cli,
              "report needs --target=T[,T...]; 'cuda-morph help report' lists the targets");
    return false;
}

static bool write_report(struct cli *cli, struct str text) {
    struct str path = cli_value(cli, OPT_REPORT_OUTPUT), error;
    if (!path.p || str_is(path, "-")) {
        stream_add(cli->out, text);
        return true;
    }
    if (file_create(cli->a, path.p, text, 0666, &error)) return true;
    cli_error(cli, "%.*s", STR_ARG(error));
    return false;
}

/* --format, or what the name of the file says. */
static int format_of(struct cli *cli) {
    struct str path = cli_value(cli, OPT_REPORT_OUTPUT);
    if (cli_has(cli, OPT_SURVEY_FORMAT)) return cli_choice(cli, OPT_SURVEY_FORMAT, 0);
    if (!path.p) return 0;
    return str_ends(path, S(".html")) ? 2 : str_ends(path, S(".json")) ? 1 : 0;
}

static bool print_report(struct cli *cli, const struct survey *surveys, size_t n) {
    struct buf b;
    buf_init(&b, cli->a);
    int format = format_of(cli);
    bool to_terminal = !cli_value(cli, OPT_REPORT_OUTPUT).p;
    if (format == 0) report_text(&b, surveys, n, cli->out->color && to_terminal);
    if (format == 1) report_json(&b, surveys, n);
    if (format == 2) report_html(&b, surveys, n);
    return write_report(cli, buf_str(&b));
}

/* Why files were not processed: those of the last survey that no earlier one names. */
static void say_problems(struct cli *cli, const struct survey *surveys, size_t last) {
    const struct survey *s = &surveys[last];
    for (size_t i = 0; i < s->in->sources.n; i++) {
        struct str path = str_of(s->in->sources.v[i].path), problem = s->files[i].problem;
        bool said = false;
        for (size_t k = 0; k < last; k++) said |= surveys[k].files[i].problem.n > 0;
        if (!problem.n || said) continue;
        if (str_starts(problem, path))
            cli_error(cli, "%.*s", STR_ARG(problem));
        else
            cli_error(cli, "%.*s: %.*s", STR_ARG(path), STR_ARG(problem));
    }
}

int command_report(struct cli *cli) {
    struct inputs *in = NEW(cli->a, struct inputs);
    struct project project;
    struct config config;
    struct source_search search = {0};
    in->cli = cli;
    project_find(&project, cli->a);
    if (!config_read(cli, &project, &config)) return STATUS_FAILED;
    if (!(in->session = open_session(cli))) return STATUS_FAILED;
    if (!read_targets(in) || !inputs_read_jobs(in) || !inputs_read_sources(in, &search))
        return STATUS_FAILED;
    struct looks looks;
    look_at_sources(&looks, in, NULL);
    struct survey *surveys = arena_zalloc(cli->a, in->n_targets * sizeof *surveys);
    bool ok = true;
    for (size_t i = 0; ok && i < in->n_targets; i++) {
        ok = survey_run(&surveys[i], cli->a, in, in->targets[i]);
        if (!ok) cli_error(cli, "out of memory for %zu threads", in->jobs);
        in->failed |= surveys[i].n_failed > 0;
        if (ok) say_problems(cli, surveys, i);
    }
    ok = ok && print_report(cli, surveys, in->n_targets);
    for (size_t i = 0; i < in->n_targets; i++) survey_free(&surveys[i]);
    return ok && !in->failed ? STATUS_DONE : STATUS_FAILED;
}
