/* SPDX-License-Identifier: Apache-2.0 */
/* printer.c - the list of formats. */
#include "report/printer.h"
#include "report/text.h"

#include <stdlib.h>

const char *severity_name(enum severity s) {
    return s == SEV_ERROR ? "error" : s == SEV_WARNING ? "warning" : "note";
}

struct str rule_page(struct arena *a, struct str pages, struct str id) {
    size_t slash = str_find(id, S("/"), 0);
    if (!pages.n || slash == id.n) return S("");
    return arena_printf(a, "%.*s/%.*s.html#%.*s-%.*s", STR_ARG(pages), (int)slash, id.p,
                        (int)slash, id.p, (int)(id.n - slash - 1), id.p + slash + 1);
}

/* On a terminal the id is a link (OSC 8), where there is a page. */
void add_rule_id(struct buf *b, const struct printer *p, struct str id) {
    struct str page = p->color ? rule_page(b->a, p->run->pages, id) : S("");
    if (page.n) buf_printf(b, "\033]8;;%.*s\033\\", STR_ARG(page));
    text_paint(b, PAINT_CYAN, id, p->color);
    if (page.n) buf_addz(b, "\033]8;;\033\\");
}

void printer_hold(struct printer *p, struct arena *a, size_t n) {
    p->held = arena_zalloc(a, n * sizeof *p->held);
    p->n_held = n;
}

bool printer_close(struct printer *p) {
    bool ok = true;
    for (size_t i = 0; i < p->n_held; i++) {
        ok = ok && !p->held[i].failed;
        growing_free(&p->held[i]);
    }
    p->n_held = 0;
    return ok;
}

struct str finding_target(const struct printer *p, const struct check_finding *finding) {
    return finding->is_general ? S("") : p->run->targets[finding->target];
}

void add_rule_and_target(struct buf *b, const struct printer *p,
                         const struct check_finding *finding) {
    add_rule_id(b, p, finding->rule->id);
    struct str target = finding_target(p, finding);
    if (p->run->n_targets > 1 && target.n) buf_printf(b, ", %.*s", STR_ARG(target));
}

void add_headline(struct buf *b, const struct check_file *f, const struct check_finding *finding,
                  bool color) {
    static const enum paint paints[] = {PAINT_CYAN, PAINT_YELLOW, PAINT_RED};
    struct buf path;
    buf_init(&path, b->a);
    add_log_path(&path, f->path);
    text_paint(b, PAINT_BOLD, buf_str(&path), color);
    if (finding->cell)
        buf_printf(b, ":cell %u:%u:%u: ", finding->cell, finding->cell_line, finding->cell_column);
    else
        buf_printf(b, ":%u:%u: ", finding->at.line, finding->at.column);
    text_paint(b, paints[finding->severity], str_of(severity_name(finding->severity)), color);
    buf_addz(b, ": ");
}

static int by_count(const void *x, const void *y) {
    const struct rule_count *a = x, *b = y;
    if (a->count != b->count) return a->count < b->count ? 1 : -1;
    return a->rule < b->rule ? -1 : 1;
}

struct rule_count *rules_by_count(struct arena *a, const struct printer *p,
                                  const struct check_totals *totals, size_t *n) {
    struct rule_count *rows = arena_alloc(a, (p->run->n_rules + 1) * sizeof *rows);
    *n = 0;
    for (size_t i = 0; i < p->run->n_rules; i++)
        if (totals->by_rule[i]) rows[(*n)++] = (struct rule_count){totals->by_rule[i], i};
    qsort(rows, *n, sizeof *rows, by_count);
    return rows;
}
