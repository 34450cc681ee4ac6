/* SPDX-License-Identifier: Apache-2.0 */
/* format_github.c - workflow commands, which GitHub shows as annotations. It shows ten of each
 * severity in a step, so the worst come first and the number of the others is said. */
#include "report/printer.h"

enum { SHOWN_BY_GITHUB = 10 };

static void start(struct printer *p, struct buf *out) { printer_hold(p, out->a, SEV_ERROR + 1); }

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    static const char *const commands[] = {"notice", "warning", "error"};
    for (size_t i = 0; i < f->n_findings; i++) {
        const struct check_finding *finding = &f->findings[i];
        struct buf b;
        buf_init(&b, out->a);
        buf_printf(&b, "::%s file=", commands[finding->severity]);
        add_github_property(&b, f->project_path);
        buf_printf(&b, ",line=%u,endLine=%u", finding->at.line, finding->at.end_line);
        if (finding->at.line == finding->at.end_line) /* GitHub minds columns on several lines */
            buf_printf(&b, ",col=%u,endColumn=%u", finding->at.column, finding->at.end_column);
        buf_addz(&b, ",title=");
        add_github_property(&b, finding->rule->id);
        buf_addz(&b, "::");
        add_github_data(&b, finding->message);
        if (finding->advice.n) buf_addz(&b, " (");
        add_github_data(&b, finding->advice);
        buf_addz(&b, finding->advice.n ? ")\n" : "\n");
        growing_add(&p->held[finding->severity], buf_str(&b));
    }
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    for (int s = SEV_ERROR; s >= SEV_NOTE; s--) {
        buf_add(out, growing_str(&p->held[s]));
        if (totals->by_severity[s] > SHOWN_BY_GITHUB)
            buf_printf(out, "%zu findings are of severity %s; GitHub annotates the first %d\n",
                       totals->by_severity[s], severity_name((enum severity)s), SHOWN_BY_GITHUB);
    }
}

const struct printer_class format_github = {"github", start, file, end};
