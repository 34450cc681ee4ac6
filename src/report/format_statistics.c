/* SPDX-License-Identifier: Apache-2.0 */
/* format_statistics.c - how many findings each rule has, the most frequent first. */
#include "report/printer.h"
#include "report/text.h"

static void start(struct printer *p, struct buf *out) {
    (void)p;
    (void)out;
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    (void)p;
    (void)out;
    (void)f;
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    size_t n;
    const struct rule_count *rows = rules_by_count(out->a, p, totals, &n);
    for (size_t i = 0; i < n; i++) {
        const struct check_rule *rule = &p->run->rules[rows[i].rule];
        buf_printf(out, "%7zu  ", rows[i].count);
        text_paint(out, PAINT_CYAN, rule->id, p->color);
        buf_printf(out, "%*s", rule->id.n < 32 ? (int)(34 - rule->id.n) : 2, "");
        add_log_text(out, rule->title);
        buf_addc(out, '\n');
    }
}

const struct printer_class format_statistics = {"statistics", start, file, end};
