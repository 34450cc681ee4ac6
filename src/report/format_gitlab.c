/* SPDX-License-Identifier: Apache-2.0 */
/* format_gitlab.c - a Code Quality report; fingerprints are unique and stay when lines move. */
#include "report/printer.h"

static void start(struct printer *p, struct buf *out) {
    (void)p;
    buf_addc(out, '[');
}

static uint64_t fingerprint(struct arena *a, const struct check_file *file,
                            const struct check_finding *f) {
    return str_hash(arena_printf(a, "%016llx %.*s", (unsigned long long)f->fingerprint,
                                 STR_ARG(file->project_path)));
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    static const char *const severities[] = {"info", "minor", "major"};
    for (size_t i = 0; i < f->n_findings; i++) {
        const struct check_finding *finding = &f->findings[i];
        struct str description = /* GitLab does not show the rule's name */
            arena_printf(out->a, "%.*s: %.*s", STR_ARG(finding->rule->id),
                         STR_ARG(finding->message));
        buf_addz(out, p->printed++ ? ",\n{" : "\n{");
        buf_addz(out, "\"description\": ");
        add_json_text(out, description);
        buf_addz(out, ", \"check_name\": ");
        add_json_text(out, finding->rule->id);
        buf_printf(out, ", \"fingerprint\": \"%016llx\", \"severity\": \"%s\"",
                   (unsigned long long)fingerprint(out->a, f, finding),
                   severities[finding->severity]);
        buf_addz(out, ", \"location\": {\"path\": ");
        add_json_text(out, f->project_path);
        buf_printf(out, ", \"lines\": {\"begin\": %u, \"end\": %u}}}", finding->at.line,
                   finding->at.end_line);
    }
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    (void)totals;
    buf_addz(out, p->printed ? "\n]\n" : "]\n");
}

const struct printer_class format_gitlab = {"gitlab", start, file, end};
