/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - the files of --report and --accounting. */
#include "report/json.h"

static void add_counts(struct buf *b, const size_t *counts) {
    buf_addc(b, '{');
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(b, "%s\"%s\": %zu", i ? ", " : "", cm_outcome_name((enum cm_outcome)i),
                   counts[i]);
    buf_addc(b, '}');
}

static void add_edits(struct buf *b, const struct cm_result *r, uint32_t finding) {
    const char *separator = "";
    buf_addz(b, ", \"edits\": [");
    for (size_t i = 0; i < r->n_edits; i++) {
        const struct cm_edit *e = &r->edits[i];
        if (e->finding != finding) continue;
        buf_printf(b, "%s{\"start\": %zu, \"end\": %zu, \"text\": ", separator, e->start, e->end);
        buf_add_json(b, e->text);
        buf_addc(b, '}');
        separator = ", ";
    }
    buf_addc(b, ']');
}

static void add_place(struct buf *b, const struct cm_finding *f) {
    if (f->cell) buf_printf(b, "\"cell\": %u, ", f->cell);
    buf_printf(b, "\"line\": %u, \"column\": %u, \"end_line\": %u, \"end_column\": %u", f->line,
               f->column, f->end_line, f->end_column);
    buf_printf(b, ", \"start\": %zu, \"end\": %zu", f->start, f->end);
}

static void add_answer(struct buf *b, const struct cm_finding *f) {
    buf_add_member(b, "rule", f->rule);
    buf_add_member(b, "token", f->token);
    buf_add_member(b, "verdict", f->verdict);
    buf_add_member(b, "outcome", str_of(cm_outcome_name(f->outcome)));
}

static void add_file_start(struct buf *b, const struct json_file *f) {
    buf_addc(b, '{');
    buf_add_member(b, "path", f->path);
    buf_add_member(b, "target", f->target);
    buf_add_member(b, "language", str_of(cm_language_name(f->language)));
}

static void add_notes(struct buf *b, const struct cm_result *r) {
    buf_addz(b, ", \"notes\": [");
    for (size_t i = 0; i < r->n_notes; i++) {
        const struct cm_note *n = &r->notes[i];
        buf_printf(b, "%s{\"line\": %u, \"column\": %u, \"fatal\": %s", i ? ", " : "", n->line,
                   n->column, n->fatal ? "true" : "false");
        buf_add_member(b, "message", n->message);
        buf_addc(b, '}');
    }
    buf_addc(b, ']');
}

void json_report_file(struct buf *b, const struct json_file *f) {
    const struct cm_result *r = f->result;
    add_file_start(b, f);
    buf_printf(b, ", \"changed\": %s, \"counts\": ", r->changed ? "true" : "false");
    add_counts(b, r->counts);
    buf_addz(b, ", \"findings\": [");
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct cm_finding *finding = &r->findings[i];
        buf_addz(b, i ? ",\n  {" : "\n  {");
        add_place(b, finding);
        add_answer(b, finding);
        buf_add_member(b, "message", finding->message);
        buf_add_member(b, "advice", finding->advice);
        buf_add_member(b, "before", str_sub(f->input, finding->start, finding->end));
        buf_add_member(b, "after", finding->replacement);
        add_edits(b, r, (uint32_t)i);
        buf_addc(b, '}');
    }
    buf_addc(b, ']');
    add_edits(b, r, UINT32_MAX);
    add_notes(b, r);
    buf_addc(b, '}');
}

void json_accounting_file(struct buf *b, const struct json_file *f) {
    add_file_start(b, f);
    buf_addz(b, ", \"counts\": ");
    add_counts(b, f->result->counts);
    buf_addz(b, ", \"tokens\": [");
    for (size_t i = 0; i < f->result->n_findings; i++) {
        buf_addz(b, i ? ",\n  {" : "\n  {");
        add_place(b, &f->result->findings[i]);
        add_answer(b, &f->result->findings[i]);
        buf_addc(b, '}');
    }
    buf_addz(b, "], \"words\": [");
    for (size_t i = 0; i < f->result->n_words; i++) {
        buf_addz(b, i ? ",\n  {" : "\n  {");
        add_place(b, &f->result->words[i]);
        buf_add_member(b, "token", f->result->words[i].token);
        buf_add_member(b, "reason", f->result->words[i].message);
        buf_addc(b, '}');
    }
    buf_addz(b, "]}");
}

void json_start(struct buf *b, const struct str *targets, size_t n) {
    buf_addz(b, "{\"version\": 1");
    buf_addz(b, ",\n\"tool\": {\"name\": \"cuda-morph\", \"version\": \"" CM_VERSION
                "\"},\n\"targets\": [");
    for (size_t i = 0; i < n; i++) {
        if (i) buf_addz(b, ", ");
        buf_add_json(b, targets[i]);
    }
    buf_addz(b, "],\n\"files\": [\n");
}

void json_end(struct buf *b, const struct str *targets, const struct totals *totals, size_t n) {
    buf_addz(b, "\n],\n\"totals\": {");
    for (size_t i = 0; i < n; i++) {
        const struct totals *t = &totals[i];
        buf_addz(b, i ? ",\n  " : "\n  ");
        buf_add_json(b, targets[i]);
        buf_printf(b, ": {\"files\": %zu, \"changed\": %zu, \"not_processed\": %zu, \"counts\": ",
                   t->files, t->changed, t->failed + t->unwritten);
        add_counts(b, t->counts);
        buf_addc(b, '}');
    }
    buf_addz(b, "\n}}\n");
}
