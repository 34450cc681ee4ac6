/* SPDX-License-Identifier: Apache-2.0 */
/* lsp_analysis.c - what the engine finds in a document, by the configuration nearest to it.
 *
 * An editor says what check says: the same severities, and one finding for one piece of work. A
 * document is looked at by itself: what other files of its project define is not known here. */
#include "cli/target_names.h"
#include "commands/cache.h"
#include "commands/finding_text.h"
#include "commands/fold.h"
#include "commands/lsp.h"
#include "commands/no_runtime.h"
#include "commands/python.h"
#include "commands/rule_sets.h"
#include "commands/weight.h"
#include "python/py.h"

#include <stdlib.h>

static struct str standard_target(void) { return target_name(default_target("check")); }

/* The command line that settings of the client stand for. */
static struct cli *settings_cli(struct lsp *lsp) {
    struct str error;
    struct cli *cli = NEW(&lsp->a, struct cli);
    *cli = *lsp->cli;
    cli->a = &lsp->a;
    cli->command = &cli_commands[CMD_CHECK];
    cli = cli_copy(cli);
    cli->operands.n = 0;
    if (lsp->target.n) {
        cli->option[OPT_TARGET].count = cli->option[OPT_TARGET].values.n = 0;
        if (!cli_set(cli, OPT_TARGET, arena_str(&lsp->a, lsp->target), &error))
            cli_error(cli, "%.*s", STR_ARG(error));
    }
    if (lsp->unsafe_fixes && !cli_has(cli, OPT_UNSAFE_FIXES))
        cli_set(cli, OPT_UNSAFE_FIXES, (struct str){NULL, 0}, &error);
    return cli;
}

static bool read_settings(struct lsp *lsp) {
    struct cli *cli = settings_cli(lsp);
    lsp->in = (struct inputs){.cli = cli};
    lsp->folders = (struct folders){.in = &lsp->in,
                                    .project = &lsp->project,
                                    .rules = &lsp->rules,
                                    .plain = cli_copy(cli),
                                    .run = NEW(&lsp->a, struct folder)};
    *lsp->folders.run = (struct folder){.cli = cli};
    project_find(&lsp->project, &lsp->a);
    lsp->project.root = S(""); /* roots are many: paths are whole ones */
    if (!(lsp->in.session = open_session(cli)) || !rule_list_read(cli, &lsp->rules)) return false;
    if (read_rules(cli, cli->option[OPT_RULES].values.v, cli->option[OPT_RULES].values.n, false,
                   &lsp->rule_sets))
        return false;
    return folder_read_options(&lsp->folders, lsp->folders.run, standard_target());
}

bool lsp_read_settings(struct lsp *lsp) {
    arena_reset(&lsp->a);
    lsp->a.escape = lsp->cli->a->escape;
    if (read_settings(lsp)) return true;
    /* A target that the client names and nobody knows must not be the end of everything. */
    if (!lsp->target.n) return false;
    lsp->target.n = 0;
    arena_reset(&lsp->a);
    return read_settings(lsp);
}

const struct folder *lsp_folder_of(struct lsp *lsp, const struct lsp_document *d) {
    if (d->path.n == 0 || d->path.p[0] != '/') return lsp->folders.run;
    const struct folder *f = folders_of_path(&lsp->folders, d->path, standard_target());
    return f ? f : lsp->folders.run;
}

/* ---- running ---- */

struct asked {
    const struct lsp *lsp;
    const struct folder *folder;
    struct str path;
};

static bool wants(const void *ctx, struct str rule, size_t start, size_t end) {
    const struct asked *a = ctx;
    (void)start, (void)end;
    return folder_wants(a->folder, &a->lsp->project, a->path, rule);
}

static struct str path_below_root(const struct lsp_document *d) {
    return d->path.n && d->path.p[0] == '/' ? str_sub(d->path, 1, d->path.n) : d->path;
}

void lsp_run(struct lsp *lsp, const struct lsp_document *d, const struct lsp_answer *answer,
             struct str text, struct cm_result *r) {
    static const struct py_disk disk = {file_exists, NULL};
    struct asked asked = {lsp, answer->folder, path_below_root(d)};
    struct cm_input in = {.name = d->path,
                          .bytes = text,
                          .language = d->language,
                          .target = answer->target,
                          .disk = &disk,
                          .wants = wants,
                          .wants_ctx = &asked};
    cm_run_buffer(lsp->in.session, lsp->workspace, &in, r);
}

/* What check goes by: from the repository's root, or from the folder of the configuration. */
static struct str project_path_of(struct arena *a, const struct lsp_document *d,
                                  const struct folder *f) {
    struct str root = d->path.n && d->path.p[0] == '/' ? project_repository(a, d->path) : S(""),
               own = str_of(f->config.path ? f->config.path : ""), below;
    if (root.p && root.n && (below = path_below(root, d->path)).p) return below;
    while (own.n && own.p[own.n - 1] != '/') own.n--;
    if (own.n > 1 && (below = path_below(str_sub(own, 0, own.n - 1), d->path)).p) return below;
    size_t name = d->path.n;
    while (name > 0 && d->path.p[name - 1] != '/') name--;
    return str_sub(d->path, name, d->path.n);
}

void lsp_analyse(struct lsp *lsp, struct lsp_document *d) {
    if (d->is_known || d->language == CM_NONE) return;
    const struct folder *f = lsp_folder_of(lsp, d);
    d->answers.n = 0;
    d->weight = WEIGHT_FULL;
    if (cli_choice(f->cli, OPT_PLACES, 0) != 1)
        d->weight = weight_of(lsp->in.session, d->language, project_path_of(&d->a, d, f));
    for (size_t i = 0; i < f->n_targets; i++) {
        struct lsp_answer x = {.number = f->targets[i], .folder = f};
        struct cm_result r;
        struct buf b;
        x.target = lsp->in.targets[x.number];
        lsp_run(lsp, d, &x, d->text, &r);
        if (!f->asks_target) result_without_module(&r, &d->a, S(PYTHON_RUNTIME));
        memcpy(x.counts, r.counts, sizeof x.counts);
        buf_init(&b, &d->a);
        cache_encode(&b, &r);
        struct str bytes = buf_str(&b);
        if (cache_decode(&d->a, &bytes, &x.r)) vec_push(&d->a, &d->answers, x);
    }
    d->is_known = true;
}

/* ---- diagnostics ---- */

bool lsp_is_shown(const struct cm_finding *f) {
    return f->outcome == CM_PORTED || f->outcome == CM_MANUAL;
}

static struct str with_advice(struct arena *a, struct str message, struct str advice) {
    return advice.n ? arena_printf(a, "%.*s. %.*s", STR_ARG(message), STR_ARG(advice)) : message;
}

struct str lsp_message_of(struct arena *a, const struct lsp_answer *x,
                          const struct cm_finding *f) {
    return with_advice(a, finding_message(a, f, finding_remedy(a, f, x->target)), f->advice);
}

/* What else the finding stands for. */
static void add_related(struct lsp *lsp, struct buf *b, struct lsp_document *d,
                        const struct check_finding *f) {
    enum { MOST_RELATED = 20 };
    for (size_t i = 1; i < f->n_places && i <= MOST_RELATED; i++) {
        buf_addz(b, i == 1 ? ", \"relatedInformation\": [" : ", ");
        buf_addz(b, "{\"location\": {\"uri\": ");
        add_json_text(b, d->uri);
        buf_addz(b, ", \"range\": ");
        lsp_add_range(lsp, b, d, f->places[i].start, f->places[i].end);
        buf_addz(b, "}, \"message\": ");
        add_json_text(b, arena_printf(b->a, "`%.*s`", STR_ARG(f->places[i].token)));
        buf_addc(b, '}');
    }
    if (f->n_places > 1) buf_addc(b, ']');
}

/* The rule, and where the configuration knows it, its page. */
static void add_code(struct lsp *lsp, struct buf *b, struct lsp_document *d, struct str id) {
    struct str pages;
    buf_addz(b, "\"code\": ");
    add_json_text(b, id);
    buf_addz(b, ", ");
    rules_url_read(lsp_folder_of(lsp, d)->cli, &pages);
    if (!pages.n) return;
    buf_addz(b, "\"codeDescription\": {\"href\": ");
    add_json_text(b, rule_page(b->a, pages, id));
    buf_addz(b, "}, ");
}

static void add_diagnostic(struct lsp *lsp, struct buf *b, struct lsp_document *d,
                           const struct check_finding *f, struct str message) {
    static const int levels[] = {[SEV_NOTE] = 3, [SEV_WARNING] = 2, [SEV_ERROR] = 1};
    buf_addz(b, b->p[b->n - 1] == '[' ? "{\"range\": " : ", {\"range\": ");
    lsp_add_range(lsp, b, d, f->start, f->end);
    buf_printf(b, ", \"severity\": %d, \"source\": \"cuda-morph\", ", levels[f->severity]);
    if (f->rule) add_code(lsp, b, d, f->rule->id);
    buf_addz(b, "\"message\": ");
    add_json_text(b, message);
    if (lsp->relates) add_related(lsp, b, d, f);
    buf_addc(b, '}');
}

static int finding_order(const void *x, const void *y) {
    const struct check_finding *a = x, *b = y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return str_cmp(a->rule->id, b->rule->id);
}

static enum severity severity_of(const struct lsp_answer *x, struct str rule, enum severity own) {
    return (enum severity)config_severity(&x->folder->config, rule, own);
}

/* As check has them, but without fixes: what can be rewritten stays where it stands, so that it
 * can be taken one by one. */
static size_t findings_of(struct lsp *lsp, struct arena *a, const struct lsp_document *d,
                          const struct lsp_answer *x, struct check_finding *v) {
    struct weighed file = {d->weight, d->language, d->path, d->text};
    size_t n = 0;
    for (size_t i = 0; i < x->r.n_findings; i++) {
        const struct cm_finding *f = &x->r.findings[i];
        enum severity own = weighed_finding(&file, f, !target_is_no_vendor(x->target));
        const struct check_rule *rule = rule_list_find(&lsp->rules, f->rule);
        if (!lsp_is_shown(f) || !rule) continue;
        v[n] = (struct check_finding){.rule = rule,
                                      .severity = severity_of(x, f->rule, own),
                                      .target = x->number,
                                      .token = f->token,
                                      .advice = f->advice,
                                      .remedy = finding_remedy(a, f, x->target),
                                      .start = f->start,
                                      .end = f->end,
                                      .is_fixable = f->outcome == CM_PORTED,
                                      .more = f->more};
        v[n].message = finding_message(a, f, v[n].remedy);
        n++;
    }
    if (n) qsort(v, n, sizeof *v, finding_order);
    return n;
}

static const struct check_rule *file_rule(struct lsp *lsp, const struct lsp_document *d,
                                          const struct lsp_answer *x, struct str id) {
    bool wanted = folder_wants(x->folder, &lsp->project, path_below_root(d), id);
    return wanted ? rule_list_find(&lsp->rules, id) : NULL;
}

static void add_answer(struct lsp *lsp, struct buf *b, struct lsp_document *d,
                       const struct lsp_answer *x) {
    struct fold fold = {.a = b->a,
                        .session = lsp->in.session,
                        .targets = lsp->in.targets,
                        .text = d->text,
                        .is_own = d->weight == WEIGHT_CUDA,
                        .cuda_file = file_rule(lsp, d, x, S(CUDA_FILE)),
                        .cuda_source = file_rule(lsp, d, x, S(CUDA_SOURCE)),
                        .is_cpp = d->language == CM_CUDA || d->language == CM_CPP};
    struct check_finding *v = arena_zalloc(b->a, (x->r.n_findings + 1) * sizeof *v);
    size_t n = fold_findings(&fold, v, findings_of(lsp, b->a, d, x, v));
    for (size_t i = 0; i < n; i++) {
        struct str message = with_advice(b->a, v[i].message, v[i].advice);
        if (d->answers.n > 1)
            message = arena_printf(b->a, "%.*s: %.*s", STR_ARG(cm_target_name(x->target)),
                                   STR_ARG(message));
        add_diagnostic(lsp, b, d, &v[i], message);
    }
}

/* Of all targets the same, so those of the first are told. */
static void add_notes(struct lsp *lsp, struct buf *b, struct lsp_document *d) {
    for (size_t i = 0; d->answers.n && i < d->answers.v[0].r.n_notes; i++) {
        const struct cm_note *n = &d->answers.v[0].r.notes[i];
        struct lsp_position p = {n->line ? n->line - 1 : 0, 0};
        size_t at = lsp_byte_of(lsp, d, p), start, end;
        lsp_line_at(d, at, &start, &end);
        struct check_finding f = {
            .start = start, .end = end, .severity = n->fatal ? SEV_WARNING : SEV_NOTE};
        add_diagnostic(lsp, b, d, &f, n->message);
    }
}

/* A comment that silences nothing for any target. */
static void add_unused(struct lsp *lsp, struct buf *b, struct lsp_document *d) {
    for (size_t i = 0; d->answers.n && i < d->answers.v[0].r.n_unused; i++) {
        const struct cm_unused *u = &d->answers.v[0].r.unused[i];
        size_t times = 0;
        for (size_t k = 1; k < d->answers.n; k++)
            for (size_t n = 0; n < d->answers.v[k].r.n_unused; n++)
                times += d->answers.v[k].r.unused[n].start == u->start;
        if (times + 1 != d->answers.n) continue;
        struct weighed file = {d->weight, d->language, d->path, d->text};
        const struct lsp_answer *x = &d->answers.v[0];
        const struct check_rule *rule = file_rule(lsp, d, x, S(UNUSED_SUPPRESSION));
        if (!rule) return;
        enum severity own = weighed_severity(&file, rule->severity);
        struct check_finding f = {.start = u->start,
                                  .end = u->end,
                                  .rule = rule,
                                  .severity = severity_of(x, rule->id, own)};
        add_diagnostic(lsp, b, d, &f, S("unused suppression: the comment matches no finding"));
    }
}

void lsp_add_diagnostics(struct lsp *lsp, struct buf *b, struct lsp_document *d) {
    lsp_analyse(lsp, d);
    buf_addc(b, '[');
    for (size_t i = 0; i < d->answers.n; i++) add_answer(lsp, b, d, &d->answers.v[i]);
    add_notes(lsp, b, d);
    add_unused(lsp, b, d);
    buf_addc(b, ']');
}
