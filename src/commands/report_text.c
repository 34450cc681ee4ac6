/* SPDX-License-Identifier: Apache-2.0 */
/* report_text.c - `report` for people in a terminal, and for programs. */
#include "commands/report.h"
#include "report/text.h"

enum { PLACES_SHOWN = 3 };

/* ---- text ---- */

static void add_row(struct buf *b, struct str name, size_t width, const size_t *counts) {
    buf_addz(b, "  ");
    size_t before = b->n;
    buf_add_visible(b, name);
    size_t used = b->n - before;
    buf_printf(b, "%*s", (int)(used < width ? width - used : 0), "");
    buf_printf(b, " %7zu", survey_total(counts));
    for (size_t i = 0; i < CM_OUTCOMES; i++) buf_printf(b, " %11zu", counts[i]);
    buf_printf(b, " %4u %%\n", survey_percent(counts));
}

static void add_head(struct buf *b, const char *what, size_t width, bool color) {
    struct buf line;
    buf_init(&line, b->a);
    buf_printf(&line, "%-*s   total", (int)width, what);
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(&line, " %11s", cm_outcome_name((enum cm_outcome)i));
    buf_addz(&line, "   done");
    buf_addz(b, "\n  ");
    text_paint(b, PAINT_BOLD, buf_str(&line), color);
    buf_addc(b, '\n');
}

static void add_place(struct buf *b, const struct survey *s, const struct survey_manual *m) {
    buf_add_visible(b, str_of(s->in->sources.v[m->file].path));
    if (m->cell) buf_printf(b, ":cell %u", m->cell);
    buf_printf(b, ":%u", m->line);
}

static void add_work(struct buf *b, const struct survey *s, bool color) {
    if (!s->n_work) return;
    buf_addz(b, "\n  ");
    text_paint(b, PAINT_BOLD, S("manual: how often, what, where first"), color);
    buf_addc(b, '\n');
    for (size_t i = 0; i < s->n_work; i++) {
        const struct survey_work *w = &s->work[i];
        buf_printf(b, "  %5zu  ", w->times);
        buf_add_visible(b, w->first->message);
        buf_addz(b, " [");
        text_paint(b, PAINT_CYAN, w->first->rule, color);
        buf_addz(b, "]\n         ");
        for (size_t k = 0; k < w->times && k < PLACES_SHOWN; k++) {
            if (k) buf_addz(b, ", ");
            add_place(b, s, &w->first[k]);
        }
        buf_addz(b, w->times > PLACES_SHOWN ? ", ...\n" : "\n");
    }
}

static size_t name_width(const struct survey *s) {
    size_t width = 20;
    for (size_t i = 0; i < s->in->sources.n; i++) {
        size_t n = strlen(s->in->sources.v[i].path);
        if (survey_total(s->files[i].counts) && n > width) width = n;
    }
    return width < 48 ? width : 48;
}

static void add_files(struct buf *b, const struct survey *s, bool color) {
    size_t width = name_width(s);
    if (s->n_with_cuda) add_head(b, "file", width, color);
    for (size_t i = 0; i < s->in->sources.n; i++)
        if (survey_total(s->files[i].counts))
            add_row(b, str_of(s->in->sources.v[i].path), width, s->files[i].counts);
    for (size_t i = 0; i < s->in->sources.n; i++) {
        if (!s->files[i].problem.n) continue;
        buf_addz(b, "  not processed: ");
        buf_add_visible(b, str_of(s->in->sources.v[i].path));
        buf_addz(b, ": ");
        buf_add_visible(b, s->files[i].problem);
        buf_addc(b, '\n');
    }
}

static void add_survey(struct buf *b, const struct survey *s, const struct verify_counts *v,
                       bool color) {
    text_paint(b, PAINT_BOLD, cm_target_name(s->target), color);
    buf_addz(b, ", ");
    buf_add(b, cm_target_title(s->target));
    buf_printf(b, "\n  %zu file%s read, %zu with CUDA (%zu lines)", s->n_read,
               s->n_read == 1 ? "" : "s", s->n_with_cuda, s->lines);
    if (s->n_failed) buf_printf(b, ", %zu not processed", s->n_failed);
    buf_printf(b, "\n  %zu CUDA tokens:", survey_total(s->counts));
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        if (i != CM_VERIFY || s->counts[i]) /* seldom, as in the summary of port */
            buf_printf(b, "%s %zu %s", i ? "," : "", s->counts[i],
                       cm_outcome_name((enum cm_outcome)i));
    buf_printf(b, "; %u %% done without a hand\n", survey_percent(s->counts));
    if (v)
        buf_printf(b, "  %zu C++ file%s with CUDA: %zu verified, %zu failing, %zu not verified\n",
                   v->files, v->files == 1 ? "" : "s", v->verified, v->failing, v->not_verified);
    size_t width = name_width(s);
    if (s->libraries.n) add_head(b, "library", width, color);
    for (size_t i = 0; i < s->libraries.n; i++)
        add_row(b, s->libraries.v[i].name, width, s->libraries.v[i].counts);
    add_work(b, s, color);
    add_files(b, s, color);
}

/* A line for each target below its family's name: targets of a family stand together. */
static void add_overview(struct buf *b, const struct survey *surveys, size_t n, bool color) {
    enum { WIDTH = 38 };
    add_head(b, "target", WIDTH, color);
    for (size_t i = 0; i < n; i++) {
        struct str family = cm_target_family(surveys[i].target);
        bool same = i && str_eq(family, cm_target_family(surveys[i - 1].target));
        if (family.n && !same) buf_printf(b, "  %.*s\n", STR_ARG(family));
        add_row(b,
                arena_printf(b->a, "  %.*s, %.*s", STR_ARG(cm_target_name(surveys[i].target)),
                             STR_ARG(cm_target_title(surveys[i].target))),
                WIDTH, surveys[i].counts);
    }
}

/* The last lines are what a terminal still shows. */
static void add_verdicts(struct buf *b, const struct report *r, bool color) {
    buf_addc(b, '\n');
    for (size_t i = 0; i < r->n; i++) {
        const struct survey *s = &r->surveys[i];
        size_t minutes[2];
        report_effort(r, s, minutes);
        text_paint(b, PAINT_BOLD, cm_target_name(s->target), color);
        buf_printf(b, ": %.*s", STR_ARG(report_verdict(b->a, s)));
        if (r->before && r->before[i].is_there)
            buf_printf(b, "; %u %% done, %u %% on %.*s", survey_percent(s->counts),
                       survey_percent(r->before[i].counts), STR_ARG(r->before[i].date));
        if (r->verified && r->verified[i].failing)
            buf_printf(b, "; %zu file%s would not compile", r->verified[i].failing,
                       r->verified[i].failing == 1 ? "" : "s");
        bool small = minutes[1] < 120;
        const char *unit = small ? "minute" : "hour";
        size_t least = small ? minutes[0] : (minutes[0] + 59) / 60,
               most = small ? minutes[1] : (minutes[1] + 59) / 60;
        if (most > least)
            buf_printf(b, "; %zu to %zu %ss, estimated", least, most, unit);
        else if (most)
            buf_printf(b, "; about %zu %s%s, estimated", most, unit, most == 1 ? "" : "s");
        buf_addc(b, '\n');
    }
}

void report_text(struct buf *b, const struct report *r, bool color) {
    bool many = r->n > FEW_TARGETS;
    if (many) add_overview(b, r->surveys, r->n, color);
    for (size_t i = 0; i < r->n && (r->verbose || !many); i++) {
        if (i || many) buf_addc(b, '\n');
        add_survey(b, &r->surveys[i], r->verified ? &r->verified[i] : NULL, color);
    }
    add_verdicts(b, r, color);
    if (many && !r->verbose)
        buf_addz(b, "Of up to three targets, or with -v, the libraries, manual places and files "
                    "are listed, too.\n");
}

/* ---- JSON ---- */

static void json_counts(struct buf *b, const size_t *counts) {
    buf_addz(b, "\"counts\": {");
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(b, "%s\"%s\": %zu", i ? ", " : "", cm_outcome_name((enum cm_outcome)i),
                   counts[i]);
    buf_printf(b, "}, \"percent\": %u", survey_percent(counts));
}

static void json_libraries(struct buf *b, const survey_libraries *list) {
    buf_addz(b, "\"libraries\": [");
    for (size_t i = 0; i < list->n; i++) {
        buf_addz(b, i ? ", {" : "{");
        buf_add_member(b, "library", list->v[i].name);
        buf_addz(b, ", ");
        json_counts(b, list->v[i].counts);
        buf_addc(b, '}');
    }
    buf_addc(b, ']');
}

static void json_verified(struct buf *b, const struct verify_counts *v) {
    buf_printf(b, "\"verification\": {\"files\": %zu, \"verified\": %zu, \"failing\": %zu, ",
               v->files, v->verified, v->failing);
    buf_printf(b, "\"not_verified\": %zu},\n  ", v->not_verified);
}

static void json_work(struct buf *b, const struct survey *s) {
    buf_addz(b, ",\n  \"manual\": [");
    for (size_t i = 0; i < s->n_work; i++) {
        const struct survey_manual *m = s->work[i].first;
        buf_addz(b, i ? ",\n    {" : "\n    {");
        buf_add_member(b, "rule", m->rule);
        buf_add_member(b, "token", m->token);
        buf_add_member(b, "message", m->message);
        buf_add_member(b, "advice", m->advice);
        buf_printf(b, ", \"times\": %zu, \"places\": [", s->work[i].times);
        for (size_t k = 0; k < s->work[i].times; k++) {
            buf_addz(b, k ? ", {" : "{");
            buf_add_member(b, "path", str_of(s->in->sources.v[m[k].file].path));
            if (m[k].cell) buf_printf(b, ", \"cell\": %u", m[k].cell);
            buf_printf(b, ", \"line\": %u}", m[k].line);
        }
        buf_addz(b, "]}");
    }
    buf_addc(b, ']');
}

static void json_files(struct buf *b, const struct survey *s) {
    const char *separator = "\n    {";
    buf_addz(b, ",\n  \"files\": [");
    for (size_t i = 0; i < s->in->sources.n; i++) {
        const struct survey_file *f = &s->files[i];
        const struct source *source = &s->in->sources.v[i];
        if (!survey_total(f->counts) && !f->problem.n) continue;
        buf_addz(b, separator);
        separator = ",\n    {";
        buf_add_member(b, "path", str_of(source->path));
        if (f->problem.n) {
            buf_add_member(b, "problem", f->problem);
        }
        buf_add_member(b, "language", str_of(cm_language_name(source->language)));
        buf_printf(b, ", \"lines\": %zu, ", f->lines);
        json_counts(b, f->counts);
        buf_addz(b, ", ");
        json_libraries(b, &f->libraries);
        buf_addc(b, '}');
    }
    buf_addc(b, ']');
}

void report_json(struct buf *b, const struct report *r) {
    buf_addz(b, "{\"version\": 1, \"tool\": {\"name\": \"cuda-morph\", \"version\": \"" CM_VERSION
                "\"}");
    buf_add_member(b, "project", r->project);
    buf_add_member(b, "revision", r->revision);
    buf_add_member(b, "date", r->date);
    buf_addz(b, ", \"targets\": [");
    for (size_t i = 0; i < r->n; i++) {
        const struct survey *s = &r->surveys[i];
        size_t minutes[2];
        report_effort(r, s, minutes);
        buf_addz(b, i ? ",\n {" : "\n {");
        buf_add_member(b, "target", cm_target_name(s->target));
        buf_add_member(b, "title", cm_target_title(s->target));
        buf_add_member(b, "family", cm_target_family(s->target));
        buf_printf(b,
                   ", \"files_read\": %zu, \"files_with_cuda\": %zu, \"files_failed\": %zu, "
                   "\"lines\": %zu,\n  ",
                   s->n_read, s->n_with_cuda, s->n_failed, s->lines);
        json_counts(b, s->counts);
        buf_printf(b, ", \"minutes\": [%zu, %zu],\n  ", minutes[0], minutes[1]);
        if (r->verified) json_verified(b, &r->verified[i]);
        json_libraries(b, &s->libraries);
        json_work(b, s);
        json_files(b, s);
        buf_addc(b, '}');
    }
    buf_addz(b, "\n]}\n");
}
