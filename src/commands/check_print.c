/* SPDX-License-Identifier: Apache-2.0 */
/* check_print.c - what `check` prints and writes, in the order of the paths. */
#include "commands/check.h"
#include "commands/fold.h"
#include "commands/weight.h"
#include "report/text.h"

#include <setjmp.h>

static const struct printer_class *const formats[] = {
    &format_full,   &format_concise, &format_json,     &format_jsonl,
    &format_sarif,  &format_github,  &format_gitlab,   &format_junit,
    &format_rdjson, &format_sonar,   &format_markdown,
};

/* ---- outputs ---- */

static void add_output(struct check *check, const struct printer_class *class, const char *path) {
    struct cli *cli = check->cli;
    bool color = cli->out->color && !path;
    struct output o = {.printer = {.class = class, .run = &check->run, .color = color},
                       .path = path};
    vec_push(cli->a, &check->outputs, o);
}

static void output_text(struct check *check, struct output *o, const struct buf *b) {
    if (o->path)
        growing_add(&o->text, buf_str(b));
    else
        stream_add(check->cli->out, buf_str(b));
}

/* F=FILE */
static bool add_format(struct check *check, struct str text) {
    struct cli *cli = check->cli;
    size_t equals = str_find(text, S("="), 0);
    struct str name = str_sub(text, 0, equals), names[ARRAY_LEN(formats)];
    if (equals + 1 >= text.n) {
        cli_error(cli, "--add-format takes FORMAT=FILE, not '%.*s'", STR_ARG(text));
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        names[i] = str_of(formats[i]->name);
        if (!str_eq(name, names[i])) continue;
        add_output(check, formats[i], text.p + equals + 1);
        return true;
    }
    struct str hint = cli_hint(cli->a, cli_nearest(name, names, ARRAY_LEN(names)));
    cli_error(cli, "--add-format takes one of %s, not '%.*s'%.*s",
              cli_options[OPT_REPORT_FORMAT].value, STR_ARG(name), STR_ARG(hint));
    return false;
}

bool check_open_outputs(struct check *check) {
    struct cli *cli = check->cli;
    int format = cli_choice(cli, OPT_REPORT_FORMAT, 0);
    struct str file = cli_value(cli, OPT_OUTPUT_FILE);
    bool statistics = cli_has(cli, OPT_STATISTICS);
    if (statistics && format > 1) {
        cli_error(cli, "--statistics is for people; --add-format writes %s beside it",
                  formats[format]->name);
        return false;
    }
    if (file.p && file.n == 0) {
        cli_error(cli, "--output-file needs the name of a file");
        return false;
    }
    bool is_wanted =
        !check->diff && !check->fix_only && (!check->recorded || cli_has(cli, OPT_REPORT_FORMAT));
    if (is_wanted) add_output(check, statistics ? &format_statistics : formats[format], file.p);
    for (size_t i = 0; i < cli->option[OPT_ADD_FORMAT].values.n; i++)
        if (!add_format(check, cli->option[OPT_ADD_FORMAT].values.v[i])) return false;
    for (size_t i = 0; i < check->outputs.n; i++)
        for (size_t k = 0; k < i; k++) {
            const char *x = check->outputs.v[i].path, *y = check->outputs.v[k].path;
            if (!x || !y || strcmp(x, y) != 0) continue;
            cli_error(cli, "%s is named for two formats", x);
            return false;
        }
    for (size_t i = 0; i < check->outputs.n; i++) {
        struct output *o = &check->outputs.v[i];
        struct buf b;
        buf_init(&b, cli->a);
        o->printer.folds_notes = !check->verbose;
        o->printer.class->start(&o->printer, &b);
        output_text(check, o, &b);
    }
    return true;
}

/* ---- items ---- */

static void print_notes(struct check *check, const struct check_item *item) {
    struct cli *cli = check->cli;
    struct buf b;
    buf_init(&b, &check->scratch);
    for (size_t i = 0; i < item->file.n_notes; i++) {
        const struct cm_note *note = &item->file.notes[i];
        bool can_fold = !note->fatal && !note->line && !check->verbose && !item->unasked;
        if (can_fold)
            remarks_add(&check->remarks, cli->a, note->message, item->file.path.p);
        else if (note->fatal || item->unasked || !check->quiet)
            text_note(&b, item->file.path, note, cli->err->color);
    }
    stream_add(cli->err, buf_str(&b));
}

/* "a.py: 3 fixed: torch-cuda/amp (2), torch-device/device-string" */
static void print_fixes(struct check *check, const struct check_item *item) {
    enum { SHOWN_FILES = 20 };
    struct buf b;
    if (!item->fixed || check->quiet) return;
    if (check->n_fixed_files++ >= SHOWN_FILES && !check->verbose) return;
    buf_init(&b, &check->scratch);
    add_log_text(&b, item->file.path);
    buf_printf(&b, ": %zu fixed: %.*s\n", item->fixed, STR_ARG(item->fixes));
    if (check->n_fixed_files == SHOWN_FILES && !check->verbose)
        buf_addz(&b, "... (--verbose names every file that was fixed)\n");
    stream_add(check->cli->err, buf_str(&b));
}

/* The findings that are to be reported: not those of the baseline. */
static void drop_known(struct check *check, struct check_file *file) {
    struct check_finding *kept =
        arena_alloc(&check->scratch, (file->n_findings + 1) * sizeof *kept);
    size_t n = 0;
    baseline_checked(check->baseline, file->project_path);
    for (size_t i = 0; i < file->n_findings; i++) {
        const struct check_finding *f = &file->findings[i];
        if (baseline_take(check->baseline, file->project_path, f->fingerprint))
            check->totals.baselined++;
        else
            kept[n++] = *f;
    }
    file->findings = kept;
    file->n_findings = n;
}

/* What the baseline knows is gone by now, so a new place beside old ones is told by itself. */
static const struct check_rule *file_rule(const struct check *check, size_t index, struct str path,
                                          const char *id) {
    const struct folder *folder = check->folders.of[index];
    bool wanted = folder_wants(folder, &check->project, path, str_of(id));
    return wanted ? rule_list_find(&check->rules, str_of(id)) : NULL;
}

static void fold(struct check *check, size_t index, struct check_file *file) {
    enum cm_language language = check->in.sources.v[index].language;
    struct str path = file->project_path;
    struct fold fold = {.a = &check->scratch,
                        .session = check->in.session,
                        .targets = check->in.targets,
                        .text = file->text,
                        .is_own = !check->places_same &&
                                  weight_of(check->in.session, language, path) == WEIGHT_CUDA,
                        .cuda_file = file_rule(check, index, path, CUDA_FILE),
                        .cuda_source = file_rule(check, index, path, CUDA_SOURCE),
                        .is_cpp = language == CM_CUDA || language == CM_CPP};
    struct check_finding *v = arena_alloc(&check->scratch, (file->n_findings + 1) * sizeof *v);
    if (file->n_findings) memcpy(v, file->findings, file->n_findings * sizeof *v);
    file->n_findings = fold_findings(&fold, v, file->n_findings);
    file->findings = v;
}

static void record(struct check *check, const struct check_file *file) {
    for (size_t i = 0; i < file->n_findings; i++) {
        const struct check_finding *f = &file->findings[i];
        struct str target = f->is_general ? S("") : check->run.targets[f->target];
        baseline_add(check->recorded, file->project_path, f->rule->id, target, f->fingerprint);
    }
}

static void add_to_totals(struct check *check, const struct check_item *item,
                          const struct check_file *file) {
    struct check_totals *t = &check->totals;
    t->files_with_findings += file->n_findings > 0;
    t->findings += file->n_findings;
    t->suppressed += item->suppressed;
    t->fixed += item->fixed;
    for (size_t i = 0; i < file->n_findings; i++) {
        const struct check_finding *f = &file->findings[i];
        t->by_severity[f->severity]++;
        t->by_rule[f->rule - check->run.rules]++;
        t->fixable += f->is_fixable;
    }
}

/* Not inlined: its variables would live in the frame that setjmp was called in. */
__attribute__((noinline)) static void print_item(struct check *check, size_t index,
                                                 const struct check_item *item) {
    struct cli *cli = check->cli;
    check->totals.files++;
    check->totals.failed += item->failed;
    check->in.failed |= item->failed || item->unasked;
    if (item == &check_lost_item)
        cli_error(cli, "%s: out of memory", check->in.sources.v[index].path);
    if (!item->has_news) return;
    if (item->error.n) cli_error(cli, "%.*s", STR_ARG(item->error));
    arena_reset(&check->scratch);
    struct check_file file = item->file;
    print_notes(check, item);
    print_fixes(check, item);
    if (check->ratchet) ratchet_add(check->ratchet, file.project_path, file.n_findings);
    if (check->baseline) drop_known(check, &file);
    if (check->recorded) record(check, &file);
    fold(check, index, &file);
    add_to_totals(check, item, &file);
    check->would_change |= item->diff.n > 0;
    stream_add(cli->out, item->diff);
    for (size_t i = 0; i < check->outputs.n; i++) {
        struct output *o = &check->outputs.v[i];
        struct buf b;
        buf_init(&b, &check->scratch);
        o->printer.class->file(&o->printer, &b, &file);
        output_text(check, o, &b);
    }
    if (cli->out->error) atomic_store(&check->stop, true);
}

/* Runs in any thread, so that an end of memory must not jump to main. */
void check_print_item(struct check *check, size_t index, struct check_item *item) {
    jmp_buf escape;
    struct arena *a = check->cli->a;
    if (setjmp(escape) == 0) {
        a->escape = check->scratch.escape = &escape;
        print_item(check, index, item);
    } else {
        stream_addz(check->cli->err, "cuda-morph: out of memory\n");
        check->in.failed = true;
    }
    a->escape = check->scratch.escape = NULL;
    check_free_item(item);
}

/* ---- the end ---- */

static bool write_file(struct check *check, const char *path, struct str text) {
    struct str error;
    if (file_create(check->cli->a, path, text, 0666, &error)) return true;
    cli_error(check->cli, "%.*s", STR_ARG(error));
    check->in.failed = true;
    return false;
}

static void close_output(struct check *check, struct output *o) {
    struct buf b;
    buf_init(&b, check->cli->a);
    o->printer.class->end(&o->printer, &b, &check->totals);
    output_text(check, o, &b);
    if (!printer_close(&o->printer) || o->text.failed) {
        cli_error(check->cli, "%s: out of memory for this report", o->printer.class->name);
        check->in.failed = true;
    } else if (o->path) {
        write_file(check, o->path, growing_str(&o->text));
    }
    growing_free(&o->text);
}

static size_t stale_entries(const struct baseline *b) {
    size_t n = 0;
    for (size_t i = 0; i < b->entries.n; i++) n += baseline_is_stale(&b->entries.v[i]);
    return n;
}

static void write_baselines(struct check *check, struct buf *b) {
    struct cli *cli = check->cli;
    const char *path = cli_value(cli, OPT_WRITE_BASELINE).p;
    if (check->ratchet) check->rose = ratchet_rose(check->ratchet, b);
    if (check->recorded && check->rose) {
        buf_addz(b, "Not recorded: the baseline may only shrink\n");
    } else if (check->recorded && write_file(check, path, baseline_text(check->recorded, false))) {
        size_t n = check->recorded->entries.n;
        buf_printf(b, "Recorded: %zu %s, in ", n, n == 1 ? "finding" : "findings");
        add_log_text(b, str_of(path));
        buf_addc(b, '\n');
    }
    if (!check->baseline) return;
    bool prune = cli_has(cli, OPT_PRUNE_BASELINE);
    size_t stale = check->lines ? 0 : stale_entries(check->baseline);
    if (prune && stale && !check->in.failed)
        prune = write_file(check, cli_value(cli, OPT_BASELINE).p,
                           baseline_text(check->baseline, true));
    if (stale)
        buf_printf(b, "Not found any more: %zu of the baseline's findings%s\n", stale,
                   prune ? ", which were taken out" : "; --prune-baseline takes them out");
}

static void add_part(struct buf *b, size_t n, const char *text, const char **separator) {
    if (n == 0) return;
    buf_printf(b, "%s%zu %s", *separator, n, text);
    *separator = ", ";
}

/* "5 findings in 2 of 12 files: 3 errors, 2 warnings; 4 fixable with --fix" */
static void add_summary(struct check *check, struct buf *b) {
    const struct check_totals *t = &check->totals;
    const char *files = t->files == 1 ? "file" : "files", *separator = ": ";
    if (check->fix_only && check->fix) {
        buf_printf(b, "%zu fixed in %zu of %zu %s\n", t->fixed, check->n_fixed_files, t->files,
                   files);
        return;
    }
    if (t->findings == 0)
        buf_printf(b, "No findings in %zu %s", t->files, files);
    else
        buf_printf(b, "%zu %s in %zu of %zu %s", t->findings,
                   t->findings == 1 ? "finding" : "findings", t->files_with_findings, t->files,
                   files);
    for (int s = SEV_ERROR; s >= SEV_NOTE; s--) {
        struct str word = arena_printf(b->a, "%s%s", severity_name((enum severity)s),
                                       t->by_severity[s] == 1 ? "" : "s");
        add_part(b, t->by_severity[s], word.p, &separator);
    }
    separator = "; ";
    add_part(b, t->fixed, "fixed", &separator);
    add_part(b, check->fix ? 0 : t->fixable, "fixable with --fix", &separator);
    add_part(b, t->suppressed, "suppressed", &separator);
    add_part(b, t->baselined, "in the baseline", &separator);
    add_part(b, t->failed, "not checked", &separator);
    if (check->verbose)
        add_part(b, check->n_remembered, "unchanged since the last run", &separator);
    buf_addc(b, '\n');
}

void check_finish(struct check *check) {
    struct buf b;
    buf_init(&b, check->cli->a);
    remarks_print(&check->remarks, &b, check->cli->err->color);
    for (size_t i = 0; i < check->outputs.n; i++) close_output(check, &check->outputs.v[i]);
    write_baselines(check, &b);
    add_summary(check, &b);
    stream_flush(check->cli->out); /* the summary is the last that a terminal shows */
    if (!check->quiet) stream_add(check->cli->err, buf_str(&b));
    arena_free(&check->scratch);
}
