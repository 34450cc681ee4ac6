/* SPDX-License-Identifier: Apache-2.0 */
/* report_html.c - `report` as one page for a browser: bars are boxes whose widths are shares, so
 * there is no script, no picture and nothing from elsewhere. */
#include "commands/report.h"
#include "report/escape.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>CUDA readiness</title>\n<style>\n"
    ":root { color-scheme: light dark; --ported: #2e7d4f; --kept: #7fb08f; --verify: #c2a33a;\n"
    "  --manual: #c8641e; --suppressed: #9a9a9a; --line: #8884; }\n"
    "body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;\n"
    "  padding: 0 1rem; }\n"
    "table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }\n"
    "th, td { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid var(--line);\n"
    "  vertical-align: top; }\n"
    "td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
    "code { font-size: 13px; overflow-wrap: anywhere; }\n"
    ".bar { display: flex; height: .9rem; min-width: 10rem; border-radius: 3px; overflow: "
    "hidden;\n"
    "  background: var(--line); }\n"
    ".bar i { display: block; }\n"
    ".ported { background: var(--ported); } .kept { background: var(--kept); }\n"
    ".verify { background: var(--verify); } .manual { background: var(--manual); }\n"
    ".suppressed { background: var(--suppressed); }\n"
    ".key i { display: inline-block; width: .8rem; height: .8rem; margin: 0 .3rem 0 1rem; }\n"
    ".big { font-size: 1.3rem; } .sub { opacity: .75; }\n"
    "</style>\n</head>\n<body>\n<h1>CUDA readiness</h1>\n";

static void add_bar(struct buf *b, const size_t *counts) {
    size_t total = survey_total(counts);
    buf_addz(b, "<div class=\"bar\" role=\"img\" aria-label=\"");
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(b, "%s%zu %s", i ? ", " : "", counts[i], cm_outcome_name((enum cm_outcome)i));
    buf_addz(b, "\">");
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        if (counts[i])
            buf_printf(b, "<i class=\"%s\" style=\"width:%.2f%%\" title=\"%zu %s\"></i>",
                       cm_outcome_name((enum cm_outcome)i),
                       100.0 * (double)counts[i] / (double)total, counts[i],
                       cm_outcome_name((enum cm_outcome)i));
    buf_addz(b, "</div>");
}

static void add_numbers(struct buf *b, const size_t *counts) {
    buf_printf(b, "<td class=\"n\">%zu</td>", survey_total(counts));
    for (size_t i = 0; i < CM_OUTCOMES; i++) buf_printf(b, "<td class=\"n\">%zu</td>", counts[i]);
    buf_printf(b, "<td class=\"n\">%u %%</td><td>", survey_percent(counts));
    add_bar(b, counts);
    buf_addz(b, "</td></tr>\n");
}

static void start_table(struct buf *b, const char *what) {
    buf_printf(b, "<table>\n<tr><th>%s</th><th class=\"n\">tokens</th>", what);
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(b, "<th class=\"n\">%s</th>", cm_outcome_name((enum cm_outcome)i));
    buf_addz(b, "<th class=\"n\">done</th><th></th></tr>\n");
}

static void add_overview(struct buf *b, const struct survey *surveys, size_t n) {
    buf_addz(b, "<p class=\"key\">Every CUDA-specific token is");
    static const char *const meaning[] = {
        "ported: rewritten", "kept: runs unchanged", "to verify: runs, and may be silently wrong",
        "manual: needs manual porting", "suppressed: a comment said so"};
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(b, " <i class=\"%s\"></i>%s", cm_outcome_name((enum cm_outcome)i), meaning[i]);
    buf_addz(b, "</p>\n");
    start_table(b, "target");
    for (size_t i = 0; i < n; i++) {
        buf_printf(b, "<tr><td><a href=\"#t%zu\">", i);
        add_xml_text(b, cm_target_title(surveys[i].target));
        buf_addz(b, "</a></td>");
        add_numbers(b, surveys[i].counts);
    }
    buf_addz(b, "</table>\n");
}

static void add_place(struct buf *b, const struct survey *s, const struct survey_manual *m) {
    buf_addz(b, "<code>");
    add_xml_text(b, str_of(s->in->sources.v[m->file].path));
    if (m->cell) buf_printf(b, ":cell %u", m->cell);
    buf_printf(b, ":%u</code> ", m->line);
}

static void add_work(struct buf *b, const struct survey *s) {
    enum { SHOWN = 3 };
    if (!s->n_work) return;
    buf_addz(b,
             "<h3>Needs manual porting</h3>\n<table>\n<tr><th class=\"n\">times</th><th>what</th>"
             "<th>where</th></tr>\n");
    for (size_t i = 0; i < s->n_work; i++) {
        const struct survey_work *w = &s->work[i];
        buf_printf(b, "<tr><td class=\"n\">%zu</td><td>", w->times);
        add_xml_text(b, w->first->message);
        buf_addz(b, " <code>");
        add_xml_text(b, w->first->rule);
        buf_addz(b, "</code>");
        if (w->first->advice.n) {
            buf_addz(b, "<br><span class=\"sub\">");
            add_xml_text(b, w->first->advice);
            buf_addz(b, "</span>");
        }
        buf_addz(b, "</td><td>");
        for (size_t k = 0; k < w->times && k < SHOWN; k++) add_place(b, s, &w->first[k]);
        if (w->times > SHOWN) {
            buf_printf(b, "<details><summary>%zu more</summary>", w->times - SHOWN);
            for (size_t k = SHOWN; k < w->times; k++) add_place(b, s, &w->first[k]);
            buf_addz(b, "</details>");
        }
        buf_addz(b, "</td></tr>\n");
    }
    buf_addz(b, "</table>\n");
}

static void add_files(struct buf *b, const struct survey *s) {
    buf_addz(b, "<h3>Files</h3>\n");
    start_table(b, "file");
    for (size_t i = 0; i < s->in->sources.n; i++) {
        const struct survey_file *f = &s->files[i];
        if (!survey_total(f->counts) && !f->problem.n) continue;
        buf_addz(b, "<tr><td><code>");
        add_xml_text(b, str_of(s->in->sources.v[i].path));
        buf_addz(b, "</code>");
        if (f->problem.n) {
            buf_addz(b, "<br>not processed: ");
            add_xml_text(b, f->problem);
        }
        buf_addz(b, "</td>");
        add_numbers(b, f->counts);
    }
    buf_addz(b, "</table>\n");
}

static void add_survey(struct buf *b, const struct survey *s, size_t number) {
    buf_printf(b, "<h2 id=\"t%zu\">", number);
    add_xml_text(b, cm_target_title(s->target));
    buf_printf(b,
               "</h2>\n<p><span class=\"big\">%u %% done without a hand</span> "
               "<span class=\"sub\">%zu files read, %zu with CUDA in %zu lines",
               survey_percent(s->counts), s->n_read, s->n_with_cuda, s->lines);
    if (s->n_failed) buf_printf(b, ", %zu not processed", s->n_failed);
    buf_addz(b, "</span></p>\n");
    if (s->libraries.n) {
        buf_addz(b, "<h3>Libraries</h3>\n");
        start_table(b, "library");
        for (size_t i = 0; i < s->libraries.n; i++) {
            buf_addz(b, "<tr><td>");
            add_xml_text(b, s->libraries.v[i].name);
            buf_addz(b, "</td>");
            add_numbers(b, s->libraries.v[i].counts);
        }
        buf_addz(b, "</table>\n");
    }
    add_work(b, s);
    if (s->n_with_cuda || s->n_failed) add_files(b, s);
}

void report_html(struct buf *b, const struct survey *surveys, size_t n) {
    buf_addz(b, head);
    add_overview(b, surveys, n);
    for (size_t i = 0; i < n; i++) add_survey(b, &surveys[i], i);
    buf_addz(b, "<p class=\"sub\">cuda-morph " CM_VERSION "</p>\n</body>\n</html>\n");
}
