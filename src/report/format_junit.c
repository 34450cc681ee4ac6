/* SPDX-License-Identifier: Apache-2.0 */
/* format_junit.c - JUnit XML: a suite for each file with findings, a failed case for each finding,
 * an error for what could not be checked; one passing case where there is neither. */
#include "report/printer.h"

static void start(struct printer *p, struct buf *out) { printer_hold(p, out->a, 1); }

static void add_attribute(struct buf *b, const char *name, struct str value) {
    buf_printf(b, " %s=\"", name);
    add_xml_text(b, value);
    buf_addc(b, '"');
}

static struct str without_extension(struct str path) {
    for (size_t i = path.n; i > 0 && path.p[i - 1] != '/'; i--)
        if (path.p[i - 1] == '.' && i > 1 && path.p[i - 2] != '/') return str_sub(path, 0, i - 1);
    return path;
}

static void add_case(struct printer *p, struct buf *b, struct str class_name,
                     const struct check_finding *f) {
    buf_addz(b, "    <testcase");
    add_attribute(b, "name", f->rule->id);
    add_attribute(b, "classname", class_name);
    buf_addz(b, " time=\"0\">\n      <failure"); /* Jenkins' schema has no place in a test case */
    add_attribute(b, "message", f->message);
    add_attribute(b, "type", str_of(severity_name(f->severity)));
    buf_printf(b, ">line %u, column %u: ", f->at.line, f->at.column);
    add_xml_text(b, f->message);
    struct str target = finding_target(p, f);
    if (target.n) buf_printf(b, " (%.*s)", STR_ARG(target));
    buf_addz(b, "</failure>\n    </testcase>\n");
}

static void add_error(struct buf *b, struct str class_name, const struct cm_note *note) {
    buf_addz(b, "    <testcase name=\"not checked\"");
    add_attribute(b, "classname", class_name);
    buf_addz(b, " time=\"0\">\n      <error");
    add_attribute(b, "message", note->message);
    buf_addz(b, "/>\n    </testcase>\n");
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    size_t errors = 0;
    for (size_t i = 0; i < f->n_notes; i++) errors += f->notes[i].fatal;
    if (f->n_findings + errors == 0) return;
    struct str class_name = without_extension(f->project_path);
    struct buf b;
    buf_init(&b, out->a);
    buf_addz(&b, "  <testsuite");
    add_attribute(&b, "name", f->project_path);
    buf_printf(&b, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"0\">\n",
               f->n_findings + errors, f->n_findings, errors);
    for (size_t i = 0; i < f->n_findings; i++) add_case(p, &b, class_name, &f->findings[i]);
    for (size_t i = 0; i < f->n_notes; i++)
        if (f->notes[i].fatal) add_error(&b, class_name, &f->notes[i]);
    buf_addz(&b, "  </testsuite>\n");
    growing_add(&p->held[0], buf_str(&b));
    p->printed += errors;
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    bool is_clean = p->held[0].n == 0;
    buf_addz(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    buf_printf(out,
               "<testsuites name=\"cuda-morph\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
               "time=\"0\">\n",
               totals->findings + p->printed + is_clean, totals->findings, p->printed);
    buf_add(out, growing_str(&p->held[0]));
    if (is_clean)
        buf_addz(out, "  <testsuite name=\"cuda-morph\" tests=\"1\" failures=\"0\" errors=\"0\" "
                      "time=\"0\">\n    <testcase name=\"no findings\" classname=\"cuda-morph\" "
                      "time=\"0\"/>\n  </testsuite>\n");
    buf_addz(out, "</testsuites>\n");
}

const struct printer_class format_junit = {"junit", start, file, end};
