/* SPDX-License-Identifier: Apache-2.0 */
/* format_json.c - json, one array, and jsonl, one object on each line; the objects are the same:
 *
 * {"path", "line", "column", "end_line", "end_column", "start", "end", "cell"?, "cell_line"?,
 *  "cell_column"?, "rule", "title", "target", "severity", "token", "message", "advice",
 *  "fingerprint", "fix": null or {"applicability": "safe"|"unsafe", "edits": [EDIT...],
 *  "imports": [EDIT...]}}, EDIT being {"line", "column", "end_line", "end_column", "start", "end",
 *  "text"}.
 *
 * Lines and columns count from 1, columns in characters; start and end are bytes from 0, end
 * exclusive. A fix can be applied alone or with any others: edits that are the same (place and
 * text) are one. Findings that are rewritten together or not at all have the same fix; one of more
 * than 40 edits stands with the first of them. "imports" is what a fix adds besides.
 * A finding that stands for
 * several (a kernel, a file) has all of its "places", each with its rule. "owners", where the
 * repository has
 * CODEOWNERS, are those of the file. "target" is "" where a finding does not depend on it. Members
 * may be added, none goes away. */
#include "report/printer.h"

static void add_member(struct buf *b, const char *key, struct str value) {
    buf_printf(b, ", \"%s\": ", key);
    add_json_text(b, value);
}

static void add_place(struct buf *b, const struct place *at, size_t start, size_t end) {
    buf_printf(b,
               "\"line\": %u, \"column\": %u, \"end_line\": %u, \"end_column\": %u, "
               "\"start\": %zu, \"end\": %zu",
               at->line, at->column, at->end_line, at->end_column, start, end);
}

static void add_edits(struct buf *b, const char *key, const struct check_edits *edits) {
    buf_printf(b, ", \"%s\": [", key);
    for (size_t i = 0; i < edits->n; i++) {
        const struct check_edit *e = &edits->v[i];
        buf_addz(b, i ? ", {" : "{");
        add_place(b, &e->at, e->start, e->end);
        add_member(b, "text", e->text);
        buf_addc(b, '}');
    }
    buf_addc(b, ']');
}

static void add_owners(struct buf *b, struct str owners) {
    const char *comma = "";
    buf_addz(b, ", \"owners\": [");
    for (size_t at = 0; at < owners.n;) {
        size_t end = at;
        while (end < owners.n && !strchr(" \t", owners.p[end])) end++;
        if (end > at) {
            buf_addz(b, comma);
            add_json_text(b, str_sub(owners, at, end));
            comma = ", ";
        }
        at = end + 1;
    }
    buf_addc(b, ']');
}

static void add_places(struct buf *b, const struct check_finding *f) {
    buf_addz(b, ", \"places\": [");
    for (size_t i = 0; i < f->n_places; i++) {
        buf_addz(b, i ? ", {" : "{");
        add_place(b, &f->places[i].at, f->places[i].start, f->places[i].end);
        add_member(b, "rule", f->places[i].rule->id);
        add_member(b, "token", f->places[i].token);
        buf_addc(b, '}');
    }
    buf_addc(b, ']');
}

static void add_finding(struct printer *p, struct buf *b, const struct check_file *file,
                        const struct check_finding *f) {
    buf_addz(b, "{\"path\": ");
    add_json_text(b, file->path);
    buf_addz(b, ", ");
    add_place(b, &f->at, f->start, f->end);
    if (f->cell)
        buf_printf(b, ", \"cell\": %u, \"cell_line\": %u, \"cell_column\": %u", f->cell,
                   f->cell_line, f->cell_column);
    add_member(b, "rule", f->rule->id);
    add_member(b, "title", f->rule->title);
    add_member(b, "target", finding_target(p, f));
    add_member(b, "severity", str_of(severity_name(f->severity)));
    if (file->owners.n) add_owners(b, file->owners);
    if (f->n_places > 1) add_places(b, f);
    add_member(b, "token", f->token);
    add_member(b, "message", f->message);
    add_member(b, "advice", f->advice);
    buf_printf(b, ", \"fingerprint\": \"%016llx\"", (unsigned long long)f->fingerprint);
    if (f->edits.n) {
        buf_printf(b, ", \"fix\": {\"applicability\": \"%s\"", f->is_unsafe ? "unsafe" : "safe");
        add_edits(b, "edits", &f->edits);
        add_edits(b, "imports", &f->imports);
        buf_addz(b, "}}");
    } else {
        buf_addz(b, ", \"fix\": null}");
    }
}

static void start_array(struct printer *p, struct buf *out) {
    (void)p;
    buf_addc(out, '[');
}

static void file_in_array(struct printer *p, struct buf *out, const struct check_file *f) {
    for (size_t i = 0; i < f->n_findings; i++) {
        buf_addz(out, p->printed++ ? ",\n" : "\n");
        add_finding(p, out, f, &f->findings[i]);
    }
}

static void end_array(struct printer *p, struct buf *out, const struct check_totals *totals) {
    (void)totals;
    buf_addz(out, p->printed ? "\n]\n" : "]\n");
}

static void start_lines(struct printer *p, struct buf *out) {
    (void)p;
    (void)out;
}

static void file_in_lines(struct printer *p, struct buf *out, const struct check_file *f) {
    for (size_t i = 0; i < f->n_findings; i++) {
        add_finding(p, out, f, &f->findings[i]);
        buf_addc(out, '\n');
    }
}

static void end_lines(struct printer *p, struct buf *out, const struct check_totals *totals) {
    (void)p;
    (void)out;
    (void)totals;
}

const struct printer_class format_json = {"json", start_array, file_in_array, end_array};
const struct printer_class format_jsonl = {"jsonl", start_lines, file_in_lines, end_lines};
