/* SPDX-License-Identifier: Apache-2.0 */
/* format_statistics.c - how many findings each rule has, the most frequent first. */
#include "report/printer.h"
#include "report/text.h"

#include <stdlib.h>

static void start(struct printer *p, struct buf *out) {
    (void)p;
    (void)out;
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    (void)p;
    (void)out;
    (void)f;
}

struct row {
    size_t count, rule;
};

static int by_count(const void *x, const void *y) {
    const struct row *a = x, *b = y;
    if (a->count != b->count) return a->count < b->count ? 1 : -1;
    return a->rule < b->rule ? -1 : 1;
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    struct row *rows = arena_alloc(out->a, (p->run->n_rules + 1) * sizeof *rows);
    size_t n = 0;
    for (size_t i = 0; i < p->run->n_rules; i++)
        if (totals->by_rule[i]) rows[n++] = (struct row){totals->by_rule[i], i};
    qsort(rows, n, sizeof *rows, by_count);
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
