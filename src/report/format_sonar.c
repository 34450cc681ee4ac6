/* SPDX-License-Identifier: Apache-2.0 */
/* format_sonar.c - generic issues, as SonarQube imports them: the rules, then the issues. Lines
 * count from 1, columns in UTF-16 code units from 0. */
#include "report/printer.h"

static void start(struct printer *p, struct buf *out) { printer_hold(p, out->a, 1); }

static void add_finding(struct printer *p, struct arena *a, const struct check_file *file,
                        const struct check_finding *f) {
    struct buf b;
    buf_init(&b, a);
    buf_addz(&b, p->printed++ ? ",\n{\"ruleId\": " : "\n{\"ruleId\": ");
    add_json_text(&b, f->rule->id);
    buf_addz(&b, ", \"primaryLocation\": {\"message\": ");
    struct str message = f->message;
    if (f->advice.n) message = arena_printf(a, "%.*s. %.*s", STR_ARG(message), STR_ARG(f->advice));
    add_json_text(&b, message);
    buf_addz(&b, ", \"filePath\": ");
    add_json_text(&b, file->project_path);
    buf_printf(&b, ", \"textRange\": {\"startLine\": %u, \"endLine\": %u", f->at.line,
               f->at.end_line);
    bool is_wide = f->at.line != f->at.end_line || f->at.utf16 < f->at.end_utf16;
    if (is_wide) /* an empty range is refused */
        buf_printf(&b, ", \"startColumn\": %u, \"endColumn\": %u", f->at.utf16 - 1,
                   f->at.end_utf16 - 1);
    buf_addz(&b, "}}}");
    growing_add(&p->held[0], buf_str(&b));
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    for (size_t i = 0; i < f->n_findings; i++) add_finding(p, out->a, f, &f->findings[i]);
}

static void add_rule(struct buf *b, const struct check_rule *rule) {
    static const char *const severities[] = {"LOW", "MEDIUM", "HIGH"};
    buf_addz(b, "{\"id\": ");
    add_json_text(b, rule->id);
    buf_addz(b, ", \"name\": ");
    add_json_text(b, rule->title);
    buf_addz(b, ", \"description\": ");
    add_json_text(b, rule->why.n ? rule->why : rule->title);
    buf_printf(b,
               ", \"engineId\": \"cuda-morph\", \"cleanCodeAttribute\": \"CONVENTIONAL\", "
               "\"impacts\": [{\"softwareQuality\": \"MAINTAINABILITY\", \"severity\": \"%s\"}]}",
               severities[rule->severity]);
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    const char *comma = "\n";
    buf_addz(out, "{\"rules\": [");
    for (size_t i = 0; i < p->run->n_rules; i++) {
        if (!totals->by_rule[i]) continue;
        buf_addz(out, comma);
        add_rule(out, &p->run->rules[i]);
        comma = ",\n";
    }
    buf_addz(out, "],\n\"issues\": [");
    buf_add(out, growing_str(&p->held[0]));
    buf_addz(out, "]}\n");
}

const struct printer_class format_sonar = {"sonar", start, file, end};
