/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - findings, notes and sums as people read them. */
#include "report/text.h"

void text_paint(struct buf *b, enum paint p, struct str text, bool color) {
    static const char *const codes[] = {"1", "1;31", "33", "36", "32"};
    if (color) buf_printf(b, "\033[%sm", codes[p]);
    buf_add_visible(b, text);
    if (color) buf_addz(b, "\033[0m");
}

static void add_indented(struct buf *b, const char *label, struct str text) {
    buf_printf(b, "    %s", label);
    buf_add_visible(b, text);
    buf_addc(b, '\n');
}

void text_finding(struct buf *b, struct str path, const struct cm_finding *f, bool color) {
    text_paint(b, PAINT_BOLD, path, color);
    if (f->cell) buf_printf(b, ":cell %u", f->cell);
    buf_printf(b, ":%u:%u: ", f->line, f->column);
    text_paint(b, PAINT_YELLOW, str_of(cm_outcome_name(f->outcome)), color);
    buf_addz(b, ": ");
    buf_add_visible(b, f->message);
    buf_addz(b, " [");
    text_paint(b, PAINT_CYAN, f->rule, color);
    buf_addz(b, "]\n");
    if (f->advice.n) add_indented(b, "", f->advice);
    if (str_is(f->verdict, "close") && f->replacement.n)
        add_indented(b, "unsafe fix: ", f->replacement);
}

void text_note(struct buf *b, struct str path, const struct cm_note *note, bool color) {
    text_paint(b, PAINT_BOLD, path, color);
    if (note->line) buf_printf(b, ":%u", note->line);
    if (note->line && note->column) buf_printf(b, ":%u", note->column);
    buf_addz(b, ": ");
    if (note->fatal)
        text_paint(b, PAINT_RED, S("error"), color);
    else
        text_paint(b, PAINT_CYAN, S("note"), color);
    buf_addz(b, ": ");
    buf_add_visible(b, note->message);
    buf_addc(b, '\n');
}

static void add_count(struct buf *b, size_t n, const char *one, const char *many) {
    buf_printf(b, "%zu %s", n, n == 1 ? one : many);
}

void text_summary(struct buf *b, struct str target, const struct totals *t, bool color) {
    size_t tokens = 0;
    for (size_t i = 0; i < CM_OUTCOMES; i++) tokens += t->counts[i];
    text_paint(b, PAINT_BOLD, target, color);
    buf_addz(b, ": ");
    add_count(b, t->files, "file", "files");
    buf_printf(b, ", %zu changed", t->changed);
    if (t->failed) buf_printf(b, ", %zu not processed", t->failed);
    if (t->unwritten) buf_printf(b, ", %zu not written", t->unwritten);
    buf_addz(b, "; ");
    add_count(b, tokens, "CUDA token", "CUDA tokens");
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        if (i != CM_VERIFY || t->counts[i]) /* seldom */
            buf_printf(b, "%s %zu %s", i ? "," : ":", t->counts[i],
                       cm_outcome_name((enum cm_outcome)i));
    if (t->words) {
        buf_addz(b, "; ");
        add_count(b, t->words, "other word stays", "other words stay");
    }
    if (t->copied) {
        buf_addz(b, "; ");
        add_count(b, t->copied, "other file copied", "other files copied");
    }
    if (t->ignored) buf_printf(b, "; %zu ignored, not copied", t->ignored);
    buf_addc(b, '\n');
}
