/* SPDX-License-Identifier: Apache-2.0 */
/* format_full.c - for people: each finding with its line of source and a caret below. */
#include "report/printer.h"
#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDEST_LINE = 200, WINDOW = 120, TAB = 4 };

/* A line as it is shown, and which cells of it the caret marks. */
struct excerpt {
    struct buf text;
    size_t width;     /* cells so far */
    size_t from, to;  /* marked cells */
    size_t low, high; /* the window of cells that is shown */
};

/* One character: its bytes made harmless, and the cells they take. */
static void show_character(struct excerpt *e, struct str bytes, uint32_t code) {
    struct buf shown;
    buf_init(&shown, e->text.a);
    size_t width;
    if (code == '\t') {
        width = TAB - e->width % TAB;
        for (size_t i = 0; i < width; i++) buf_addc(&shown, ' ');
    } else {
        add_log_text(&shown, bytes);
        bool is_plain = str_eq(buf_str(&shown), bytes);
        width = is_plain ? (size_t)cell_width(code) : shown.n;
    }
    if (e->width >= e->low && e->width + width <= e->high) buf_add(&e->text, buf_str(&shown));
    e->width += width;
}

static void show_line(struct excerpt *e, const struct check_finding *f) {
    size_t from = f->start - f->line_start, to = f->end - f->line_start, i = 0;
    e->width = e->from = 0;
    e->text.n = 0;
    if (f->line_start == 0) i = text_start(f->line);
    while (i < f->line.n) {
        uint32_t code = 0;
        size_t n = utf8_next(f->line, i, &code);
        bool is_command = str_starts(str_sub(f->line, i, f->line.n), S("##["));
        size_t step = is_command ? 3 : n ? n : 1;
        if (i <= from) e->from = e->width;
        show_character(e, str_sub(f->line, i, i + step), n && !is_command ? code : 0xFFFD);
        i += step;
        if (i <= to) e->to = e->width;
    }
    if (from >= f->line.n) e->from = e->width;
    if (e->to <= e->from) e->to = e->from + 1;
}

static void add_excerpt(struct printer *p, struct buf *b, const struct check_finding *f) {
    struct excerpt e = {.high = SIZE_MAX};
    buf_init(&e.text, b->a);
    show_line(&e, f);
    if (e.width > WIDEST_LINE) {
        e.low = e.from > WINDOW / 3 ? e.from - WINDOW / 3 : 0;
        e.high = e.low + WINDOW;
        show_line(&e, f);
    }
    char number[16];
    struct str gutter = arena_printf(b->a, "%u", f->at.line);
    memset(number, ' ', sizeof number);
    bool is_cut = e.high < e.width;
    struct str left = e.low ? S("... ") : S("");
    struct str cut = is_cut ? S(" ...") : S("");
    buf_printf(b, "  %.*s |\n  %.*s | %.*s", (int)gutter.n, number, STR_ARG(gutter),
               STR_ARG(left));
    buf_add(b, buf_str(&e.text));
    buf_printf(b, "%.*s\n  %.*s | ", STR_ARG(cut), (int)gutter.n, number);
    for (size_t i = 0; i < e.from - e.low + left.n; i++) buf_addc(b, ' ');
    size_t end = e.to < e.high ? e.to : e.high;
    struct buf carets;
    buf_init(&carets, b->a);
    for (size_t i = e.from; i < end; i++) buf_addc(&carets, '^');
    text_paint(b, f->severity == SEV_ERROR ? PAINT_RED : PAINT_YELLOW, buf_str(&carets), p->color);
    buf_addc(b, '\n');
}

/* ---- what --fix makes of the line ---- */

enum { SHOWN_FIX = 6 }; /* lines */

/* The line with the edits that lie in it; empty: nothing of it changes, or other lines do. */
static struct str fixed_line(struct arena *a, const struct check_finding *f) {
    struct buf b;
    size_t start = f->line_start ? f->line_start : text_start(f->line);
    size_t at = start, end = f->line_start + f->line.n;
    buf_init(&b, a);
    for (size_t i = 0; i < f->edits.n; i++) {
        const struct check_edit *e = &f->edits.v[i];
        if (e->end <= f->line_start || e->start > end) continue;
        if (e->start < at || e->end > end) return S("");
        buf_add(&b, str_sub(f->line, at - f->line_start, e->start - f->line_start));
        buf_add(&b, e->text);
        at = e->end;
    }
    if (at == start && !b.n) return S("");
    buf_add(&b, str_sub(f->line, at - f->line_start, f->line.n));
    return buf_str(&b);
}

static void add_fix(struct printer *p, struct buf *b, const struct check_finding *f) {
    if (!f->is_fixable || f->cell || f->line.n > WIDEST_LINE) return;
    struct str text = fixed_line(b->a, f);
    char number[16];
    int gutter = snprintf(number, sizeof number, "%u", f->at.line);
    for (size_t at = 0, n = 0, end; at < text.n && n < SHOWN_FIX; at = end + 1, n++) {
        end = str_find(text, S("\n"), at);
        struct buf line;
        buf_init(&line, b->a);
        size_t shown = end > at && text.p[end - 1] == '\r' ? end - 1 : end;
        add_log_text(&line, str_sub(text, at, shown));
        buf_printf(b, "  %*s ", gutter, "");
        text_paint(b, PAINT_GREEN, arena_printf(b->a, "+ %.*s", STR_ARG(buf_str(&line))),
                   p->color);
        buf_addc(b, '\n');
    }
}

static void add_remark(struct printer *p, struct buf *b, struct str label, struct str text) {
    if (text.n == 0) return;
    buf_addz(b, "  = ");
    text_paint(b, PAINT_CYAN, label, p->color);
    buf_addz(b, ": ");
    add_log_text(b, text);
    buf_addc(b, '\n');
}

static bool same_place(const struct check_finding *x, const struct check_finding *y) {
    return x->start == y->start && x->end == y->end && x->rule == y->rule &&
           x->severity == y->severity && !x->is_general;
}

/* Findings that differ in the target only, told as one. */
static void add_group(struct printer *p, struct buf *b, const struct check_file *file,
                      const struct check_finding *f, size_t n) {
    add_headline(b, file, f, p->color);
    if (n == 1) {
        add_log_text(b, f->message);
    } else {
        buf_addc(b, '`');
        add_log_text(b, f->token);
        bool is_stale = str_starts(f->rule->id, S("stale/"));
        buf_addz(b, is_stale ? "` is out of date" : "` is tied to CUDA");
    }
    buf_addz(b, " [");
    if (n == 1)
        add_rule_and_target(b, p, f);
    else
        add_rule_id(b, p, f->rule->id);
    buf_addz(b, "]\n");
    add_excerpt(p, b, f);
    if (n == 1) add_fix(p, b, f);
    for (size_t i = 0; n > 1 && i < n; i++)
        add_remark(p, b, finding_target(p, &f[i]), f[i].remedy);
    bool *is_told = &p->told[f->rule - p->run->rules];
    if (!*is_told) add_remark(p, b, S("why"), f->rule->why);
    *is_told = true;
    if (n == 1) add_remark(p, b, S("help"), f->advice);
    buf_addc(b, '\n');
}

/* ---- notes ---- */

static void count_note(struct printer *p, const struct check_file *file,
                       const struct check_finding *f) {
    struct note_sum *sum = &p->notes[f->rule - p->run->rules];
    sum->places += f->n_places ? f->n_places : 1;
    if (sum->files && sum->last == p->n_files) return;
    if (!sum->files++) {
        char *path = malloc(file->path.n + 1);
        if (path) memcpy(path, file->path.p, file->path.n);
        sum->first = (struct str){path, path ? file->path.n : 0};
    }
    sum->last = p->n_files;
}

static void add_notes(struct printer *p, struct buf *b) {
    bool any = false;
    for (size_t i = 0; i < p->run->n_rules; i++) {
        struct note_sum *sum = &p->notes[i];
        if (!sum->files) continue;
        if (!any) buf_addz(b, "Notes, each with its number of places; --verbose shows them:\n");
        any = true;
        buf_printf(b, "  %.*s [", STR_ARG(p->run->rules[i].title));
        add_rule_id(b, p, p->run->rules[i].id);
        buf_printf(b, "]: %zu in ", sum->places);
        add_log_text(b, sum->first);
        if (sum->files > 1)
            buf_printf(b, " and %zu more %s", sum->files - 1, sum->files == 2 ? "file" : "files");
        buf_addc(b, '\n');
        free((char *)sum->first.p);
    }
}

static void start(struct printer *p, struct buf *out) {
    p->told = arena_zalloc(out->a, (p->run->n_rules + 1) * sizeof *p->told);
    p->notes = arena_zalloc(out->a, (p->run->n_rules + 1) * sizeof *p->notes);
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    p->n_files++;
    for (size_t i = 0, n; i < f->n_findings; i += n) {
        for (n = 1; i + n < f->n_findings; n++)
            if (!same_place(&f->findings[i], &f->findings[i + n])) break;
        bool folds = p->folds_notes && f->findings[i].severity == SEV_NOTE;
        for (size_t k = 0; folds && k < n; k++) count_note(p, f, &f->findings[i + k]);
        if (!folds) add_group(p, out, f, &f->findings[i], n);
        p->printed += n;
    }
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    (void)totals;
    if (p->folds_notes) add_notes(p, out);
    if (p->printed) buf_addz(out, "'cuda-morph explain RULE' tells more about a rule.\n");
}

const struct printer_class format_full = {"full", start, file, end};
