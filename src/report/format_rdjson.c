/* SPDX-License-Identifier: Apache-2.0 */
/* format_rdjson.c - the diagnostics of reviewdog, with fixes as suggestions. Columns count bytes
 * from 1, as its format wants. */
#include "report/printer.h"

static void start(struct printer *p, struct buf *out) {
    (void)p;
    buf_addz(out, "{\"source\": {\"name\": \"cuda-morph\"}, \"diagnostics\": [");
}

static void add_range(struct buf *b, const struct place *at) {
    buf_printf(b,
               "\"range\": {\"start\": {\"line\": %u, \"column\": %u}, "
               "\"end\": {\"line\": %u, \"column\": %u}}",
               at->line, at->byte, at->end_line, at->end_byte);
}

static void add_suggestions(struct buf *b, const struct check_edits *edits, const char **comma) {
    for (size_t i = 0; i < edits->n; i++) {
        buf_printf(b, "%s{", *comma);
        add_range(b, &edits->v[i].at);
        buf_addz(b, ", \"text\": ");
        add_json_text(b, edits->v[i].text);
        buf_addc(b, '}');
        *comma = ", ";
    }
}

static void add_finding(struct printer *p, struct buf *b, const struct check_file *file,
                        const struct check_finding *f) {
    static const char *const severities[] = {"INFO", "WARNING", "ERROR"};
    const char *comma = "";
    struct str message = f->message, target = finding_target(p, f);
    if (f->advice.n)
        message = arena_printf(b->a, "%.*s. %.*s", STR_ARG(message), STR_ARG(f->advice));
    if (p->run->n_targets > 1 && target.n)
        message = arena_printf(b->a, "%.*s: %.*s", STR_ARG(target), STR_ARG(message));
    buf_addz(b, "{\"message\": ");
    add_json_text(b, message);
    buf_addz(b, ", \"location\": {\"path\": ");
    add_json_text(b, file->project_path);
    buf_addz(b, ", ");
    add_range(b, &f->at);
    buf_printf(b, "}, \"severity\": \"%s\", \"code\": {\"value\": ", severities[f->severity]);
    add_json_text(b, f->rule->id);
    struct str page = rule_page(b->a, p->run->pages, f->rule->id);
    if (page.n) {
        buf_addz(b, ", \"url\": ");
        add_json_text(b, page);
    }
    buf_addc(b, '}');
    if (f->edits.n) {
        buf_addz(b, ", \"suggestions\": [");
        add_suggestions(b, &f->imports, &comma);
        add_suggestions(b, &f->edits, &comma);
        buf_addc(b, ']');
    }
    buf_addc(b, '}');
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    for (size_t i = 0; i < f->n_findings; i++) {
        buf_addz(out, p->printed++ ? ",\n" : "\n");
        add_finding(p, out, f, &f->findings[i]);
    }
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    (void)totals;
    buf_addz(out, p->printed ? "\n]}\n" : "]}\n");
}

const struct printer_class format_rdjson = {"rdjson", start, file, end};
