/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - `cuda-morph report`: how ready a tree is for its targets, and where the work is. */
#include "commands/report.h"
#include "commands/config.h"
#include "commands/look.h"
#include "commands/port_verify.h"

#include <stdlib.h>

static bool read_targets(struct inputs *in) {
    size_t n;
    struct str *names = cli_split(in->cli, OPT_TARGET, &n);
    if (n) return inputs_read_targets(in, names, n);
    cli_error(in->cli,
              "report needs --target=T[,T...]; 'cuda-morph help report' lists the targets");
    return false;
}

static bool write_to(struct cli *cli, struct str path, struct str text) {
    struct str error;
    if (!path.p || str_is(path, "-")) {
        stream_add(cli->out, text);
        return true;
    }
    if (file_create(cli->a, path.p, text, 0666, &error)) return true;
    cli_error(cli, "%.*s", STR_ARG(error));
    return false;
}

enum form { TEXT, JSON, HTML, MARKDOWN, CSV }; /* as in --format */

/* --format, or what the name of the file says. */
static enum form form_of(struct cli *cli) {
    static const char *const ends[] = {"", ".json", ".html", ".md", ".csv"};
    struct str path = cli_value(cli, OPT_REPORT_OUTPUT);
    if (cli_has(cli, OPT_SURVEY_FORMAT)) return (enum form)cli_choice(cli, OPT_SURVEY_FORMAT, 0);
    if (cli_has(cli, OPT_SHARE)) return HTML;
    for (int i = JSON; path.p && i <= CSV; i++)
        if (str_ends(path, str_of(ends[i]))) return (enum form)i;
    return TEXT;
}

static bool print_report(struct cli *cli, const struct report *r) {
    struct buf b;
    buf_init(&b, cli->a);
    struct str path = cli_value(cli, OPT_REPORT_OUTPUT), badge = cli_value(cli, OPT_BADGE);
    switch (form_of(cli)) {
    case TEXT:
        report_text(&b, r, cli->out->color && !path.p);
        break;
    case JSON:
        report_json(&b, r);
        break;
    case HTML:
        report_html(&b, r, cli_has(cli, OPT_SHARE));
        break;
    case MARKDOWN:
        report_markdown(&b, r);
        break;
    case CSV:
        report_csv(&b, r);
        break;
    }
    if (!write_to(cli, path, buf_str(&b))) return false;
    if (!badge.p) return true;
    b.n = 0;
    report_badge(&b, r);
    return write_to(cli, badge, buf_str(&b));
}

/* What is said besides the figures; false after a message. */
static bool describe(struct cli *cli, struct report *r, const struct project *project) {
    struct str before = cli_value(cli, OPT_BEFORE), error;
    struct owners *owners = NEW(cli->a, struct owners);
    owners_read(owners, cli->a, project);
    r->owners = owners;
    report_facts(r, cli->a, project, cli->operands.n ? cli->operands.v[0].p : NULL);
    report_read_effort(r, cli->a);
    if (!before.p || report_read_before(r, cli->a, before.p, &error)) return true;
    cli_error(cli, "%.*s", STR_ARG(error));
    return false;
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

/* --verify: what of each target's files compiles; false after a message. */
static bool verify(struct cli *cli, struct inputs *in, struct report *r) {
    struct compile_setup setup = {0};
    struct verify_counts *counts = arena_zalloc(cli->a, (r->n + 1) * sizeof *counts);
    bool ok = true;
    if (!compile_setup_read(cli, &setup)) return false;
    if (!cli_has(cli, OPT_VERIFY)) return true;
    for (size_t i = 0; i < r->n; i++) {
        struct verification what = {cli, in, &setup, r->surveys[i].target};
        struct verify_results results;
        ok &= port_verify(&what, &results) && !results.not_verified;
        counts[i] = verify_count(&results);
    }
    compile_setup_end(&setup);
    in->failed |= !ok;
    r->verified = counts;
    return true;
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
    struct surveys surveys;
    bool ok = survey_run(&surveys, cli->a, in);
    struct report report = {.surveys = surveys.v, .n = surveys.n};
    report.verbose = cli_has(cli, OPT_VERBOSE);
    if (!ok) cli_error(cli, "out of memory for %zu threads", in->jobs);
    for (size_t i = 0; ok && i < surveys.n; i++) {
        in->failed |= surveys.v[i].n_failed > 0;
        say_problems(cli, surveys.v, i);
    }
    ok = ok && verify(cli, in, &report);
    ok = ok && describe(cli, &report, &project) && print_report(cli, &report);
    survey_free(&surveys);
    return ok && !in->failed ? STATUS_DONE : STATUS_FAILED;
}
