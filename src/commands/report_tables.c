/* SPDX-License-Identifier: Apache-2.0 */
/* report_tables.c - `report` for a pull request, a spreadsheet and a badge. */
#include "commands/report.h"
#include "report/escape.h"

/* ---- Markdown ---- */

/* A cell of a table: no pipe, no line's end, no markup of others. */
static void add_cell(struct buf *b, struct str s) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '|' || c == '<' || c == '[' || c == '*' || c == '_' || c == '\\')
            buf_addc(b, '\\');
        buf_addc(b, c == '\n' || c == '\r' ? ' ' : c);
    }
}

static void add_minutes(struct buf *b, const size_t minutes[2]) {
    if (!minutes[1]) {
        buf_addz(b, "-");
        return;
    }
    buf_printf(b, "%zu to %zu h", (minutes[0] + 59) / 60, (minutes[1] + 59) / 60);
}

void report_markdown(struct buf *b, const struct report *r) {
    enum { SHOWN = 10 };
    bool any = false;
    buf_addz(b, "| target | done | verdict |");
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(b, " %s |", cm_outcome_name((enum cm_outcome)i));
    if (r->verified) buf_addz(b, " verified | failing | not verified |");
    buf_addz(b, " effort, estimated |\n|---|--:|---|");
    for (size_t i = 0; i < CM_OUTCOMES; i++) buf_addz(b, "--:|");
    if (r->verified) buf_addz(b, "--:|--:|--:|");
    buf_addz(b, "---|\n");
    for (size_t i = 0; i < r->n; i++) {
        const struct survey *s = &r->surveys[i];
        size_t minutes[2];
        report_effort(r, s, minutes);
        buf_addz(b, "| ");
        add_cell(b, cm_target_title(s->target));
        buf_printf(b, " | %u %%", survey_percent(s->counts));
        if (r->before && r->before[i].is_there)
            buf_printf(b, " (was %u %%)", survey_percent(r->before[i].counts));
        buf_printf(b, " | %.*s |", STR_ARG(report_verdict(b->a, s)));
        for (size_t k = 0; k < CM_OUTCOMES; k++) buf_printf(b, " %zu |", s->counts[k]);
        const struct verify_counts *v = r->verified ? &r->verified[i] : NULL;
        if (v) buf_printf(b, " %zu | %zu | %zu |", v->verified, v->failing, v->not_verified);
        buf_addc(b, ' ');
        add_minutes(b, minutes);
        buf_addz(b, " |\n");
        any |= s->n_work > 0;
    }
    if (any)
        buf_addz(b, "\n| target | times | needs manual porting | rule |\n|---|--:|---|---|\n");
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->surveys[i].n_work && k < SHOWN; k++) {
            const struct survey_work *w = &r->surveys[i].work[k];
            buf_printf(b, "| %.*s | %zu | ", STR_ARG(cm_target_name(r->surveys[i].target)),
                       w->times);
            add_cell(b, w->first->message);
            buf_printf(b, " | %.*s |\n", STR_ARG(w->first->rule));
        }
}

/* ---- CSV ---- */

/* A field as RFC 4180 has it; one that a spreadsheet would take for a formula stays text. */
static void add_field(struct buf *b, struct str s) {
    bool formula = s.n && (s.p[0] == '=' || s.p[0] == '+' || s.p[0] == '-' || s.p[0] == '@');
    buf_addz(b, formula ? "\"'" : "\"");
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"') buf_addc(b, '"');
        buf_addc(b, s.p[i]);
    }
    buf_addc(b, '"');
}

void report_csv(struct buf *b, const struct report *r) {
    buf_addz(b, "target,file,language,lines");
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(b, ",%s", cm_outcome_name((enum cm_outcome)i));
    buf_addz(b, ",percent,owners\r\n");
    for (size_t i = 0; i < r->n; i++) {
        const struct survey *s = &r->surveys[i];
        for (size_t k = 0; k < s->in->sources.n; k++) {
            const struct source *source = &s->in->sources.v[k];
            const struct survey_file *f = &s->files[k];
            struct str path = str_of(source->path);
            if (!survey_total(f->counts)) continue;
            buf_printf(b, "%.*s,", STR_ARG(cm_target_name(s->target)));
            add_field(b, path);
            buf_printf(b, ",%s,%zu", cm_language_name(source->language), f->lines);
            for (size_t c = 0; c < CM_OUTCOMES; c++) buf_printf(b, ",%zu", f->counts[c]);
            buf_printf(b, ",%u,", survey_percent(f->counts));
            add_field(b, owners_of(r->owners, project_path(r->place, b->a, source->path)));
            buf_addz(b, "\r\n");
        }
    }
}

/* ---- badge ---- */

void report_badge(struct buf *b, const struct report *r) {
    unsigned lowest = 100;
    struct buf text;
    buf_init(&text, b->a);
    for (size_t i = 0; i < r->n; i++) {
        unsigned percent = survey_percent(r->surveys[i].counts);
        if (percent < lowest) lowest = percent;
        if (r->n > 1)
            buf_printf(&text, "%s%.*s ", i ? " | " : "",
                       STR_ARG(cm_target_name(r->surveys[i].target)));
        buf_printf(&text, "%u %%", percent);
    }
    buf_addz(b, "{\"schemaVersion\": 1, \"label\": ");
    add_json_text(b, r->n == 1 ? cm_target_title(r->surveys[0].target) : S("off CUDA"));
    buf_addz(b, ", \"message\": ");
    add_json_text(b, buf_str(&text));
    buf_printf(b, ", \"color\": \"%s\"}\n",
               lowest >= 95   ? "brightgreen"
               : lowest >= 80 ? "green"
               : lowest >= 60 ? "yellow"
                              : "orange");
}
