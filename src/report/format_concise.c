/* SPDX-License-Identifier: Apache-2.0 */
/* format_concise.c - one line for each finding, as compilers print them. */
#include "report/printer.h"

static void start(struct printer *p, struct buf *out) {
    (void)p;
    (void)out;
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    for (size_t i = 0; i < f->n_findings; i++) {
        const struct check_finding *finding = &f->findings[i];
        add_headline(out, f, finding, p->color);
        add_log_text(out, finding->message);
        buf_addz(out, " [");
        add_rule_and_target(out, p, finding);
        buf_addz(out, "]\n");
    }
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    (void)p;
    (void)out;
    (void)totals;
}

const struct printer_class format_concise = {"concise", start, file, end};
